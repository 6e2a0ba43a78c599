"""Train a seat with plain PyTorch: ``python training/torch_loop.py vint``.

Masked PPO in one straight line, to be changed: the learner has one seat at each table of a Gymnasium vector environment, players have the
others. At the end a pair of learners meets the players ``random`` and ``pass`` over duplicate deals, after Ctrl-C too.
"""

from dataclasses import dataclass
from typing import Literal

import gymnasium
import numpy as np
import torch
import tyro
from gymnasium.vector import AutoresetMode
from rich.progress import Progress
from torch import nn

from skruv.arena import play_match
from skruv.engine.game import Game
from skruv.games import VERSIONS, load
from skruv.players import player
from skruv.tables import Views


@dataclass(frozen=True)
class Args:
    game: tyro.conf.Positional[Literal["vint", "skruuvi", "biritch"]]
    """What to play."""
    others: str = "random"
    """The player at the three other seats. Who has learned to beat `random`, which defends badly, bids far too much for anybody else."""
    steps: int = 600_000
    """Turns of the learner."""
    tables: int = 256
    """Played at once."""
    turns: int = 32
    """Of the learner at each table between two updates."""
    epochs: int = 4
    """Passes over them in an update."""
    batch: int = 1024
    """Turns in a gradient step."""
    learning_rate: float = 1e-3
    """At the beginning; it falls linearly to a tenth."""
    entropy: float = 0.03
    """Weight of the policy's entropy at the beginning, so that bids stay tried; it falls linearly to a tenth."""
    clip: float = 0.2
    """How far an update may move the probability of an action, as a share of it."""
    trace: float = 0.95
    """Lambda of the advantages. There is no discount: an episode is a single deal."""
    width: int = 256
    """Of the hidden layer that policy and value share; each has one of half the width on it."""
    seed: int = 0
    """Of deals, weights and draws."""
    deals: int = 1000
    """Duplicate deals against each player in the evaluation."""


REWARD_SCALE = {"vint": 1 / 1000, "skruuvi": 1 / 100, "biritch": 1 / 20}
"""Linear, so that a rare disaster weighs what it costs."""
OPTIONS = {"vint": {}, "skruuvi": {}, "biritch": {"max_doublings": 2}}
"""In training and evaluation; untrained players would double without end."""


class Agent(nn.Module):
    """Policy and value on a shared layer; also a player that makes the likeliest action."""

    def __init__(self, game: Game, width: int) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(game.size("full"), width), nn.ReLU())
        self.actor = nn.Sequential(nn.Linear(width, width // 2), nn.ReLU(), nn.Linear(width // 2, len(game.actions)))
        self.critic = nn.Sequential(nn.Linear(width, width // 2), nn.ReLU(), nn.Linear(width // 2, 1))
        with torch.no_grad():  # the first calls are modest: passes likely, high bids and doublings not
            for name, first, slope in (("pass_", 2.0, 0.0), ("bid", 0.0, -0.5), ("double", -1.0, 0.0), ("redouble", -1.0, 0.0)):
                bias = self.actor[-1].get_parameter("bias")[game.groups.get(name, slice(0))]
                bias += first + slope * torch.arange(len(bias))

    def forward(self, bits: torch.Tensor, mask: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Log-probabilities (n, A), those of illegal actions vast and negative, and values (n,)."""
        hidden = self.body(bits.float())
        logits = torch.where(mask > 0, self.actor(hidden), -1e8)
        return logits.log_softmax(-1), self.critic(hidden).squeeze(-1)

    @torch.inference_mode()
    def act(self, views: Views) -> np.ndarray:
        return self(torch.from_numpy(views.observation), torch.from_numpy(views.mask))[0].argmax(-1).numpy()


def main(args: Args) -> None:
    torch.set_num_threads(1)
    torch.manual_seed(args.seed)
    game, options = load(args.game), {"ledger": "random", **OPTIONS[args.game]}
    env = gymnasium.make_vec(
        f"skruv/{args.game.capitalize()}-v{VERSIONS[args.game]}", args.tables, others=args.others, mask_in_info=True,
        autoreset_mode=AutoresetMode.SAME_STEP, skip_forced=True, reward_scale=REWARD_SCALE[args.game], **options,
    )
    agent = Agent(game, args.width)
    optimizer = torch.optim.Adam(agent.parameters(), eps=1e-5)
    shape = (args.turns, args.tables)
    bits, masks = torch.zeros(*shape, game.size("full"), dtype=torch.int8), torch.zeros(*shape, len(game.actions), dtype=torch.int8)
    actions, (logs, values, rewards, ends) = torch.zeros(shape, dtype=torch.int64), torch.zeros(4, *shape)
    observation, info = env.reset(seed=args.seed)
    updates = -(-args.steps // (args.turns * args.tables))
    with Progress(*Progress.get_default_columns(), "{task.fields[margin]:+.2f} a deal") as bar:
        task = bar.add_task(args.game, total=updates, margin=0.0)
        try:
            for left in np.linspace(1, 0.1, updates).tolist():
                # ---- play
                for turn in range(args.turns):
                    bits[turn], masks[turn] = torch.from_numpy(observation), torch.from_numpy(info["action_mask"])
                    with torch.inference_mode():
                        log, values[turn] = agent(bits[turn], masks[turn])
                        actions[turn] = (log - torch.empty_like(log).exponential_().log()).argmax(-1)  # a draw (Gumbel)
                        logs[turn] = log.gather(-1, actions[turn, :, None]).squeeze(-1)
                    observation, reward, terminated, truncated, info = env.step(actions[turn].numpy())
                    rewards[turn], ends[turn] = torch.from_numpy(reward), torch.from_numpy(terminated | truncated)

                # ---- what each action was worth
                advantages, running = torch.zeros(shape), torch.zeros(args.tables)
                with torch.inference_mode():
                    following = agent(torch.from_numpy(observation), torch.from_numpy(info["action_mask"]))[1]
                for turn in reversed(range(args.turns)):
                    running = rewards[turn] + (1 - ends[turn]) * (following + args.trace * running) - values[turn]
                    advantages[turn], following = running, values[turn]

                # ---- learn
                flat = [array.flatten(0, 1) for array in (bits, masks, actions, logs, advantages, advantages + values)]
                optimizer.param_groups[0]["lr"] = args.learning_rate * left
                for _ in range(args.epochs):
                    for rows in torch.randperm(args.turns * args.tables).split(args.batch):
                        seen, mask, action, old, advantage, target = (array[rows] for array in flat)
                        log, value = agent(seen, mask)
                        ratio = (log.gather(-1, action[:, None]).squeeze(-1) - old).exp()
                        advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
                        gain = torch.min(ratio * advantage, ratio.clamp(1 - args.clip, 1 + args.clip) * advantage).mean()
                        entropy = -(log.exp() * log).sum(-1).mean()
                        loss = 0.5 * (value - target).square().mean() - gain - args.entropy * left * entropy
                        optimizer.zero_grad()
                        loss.backward()
                        nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
                        optimizer.step()
                bar.update(task, advance=1, margin=float(rewards.sum() / ends.sum().clamp(1)) / REWARD_SCALE[args.game])
        except KeyboardInterrupt:
            bar.console.print("stopped")
    for name in ("random", "pass"):
        print(f"{game.title}, against {name}: {play_match(game, agent, player(name, game, args.seed), deals=args.deals, **options)}")


if __name__ == "__main__":
    main(tyro.cli(Args, description=__doc__))

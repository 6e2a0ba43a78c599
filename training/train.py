"""Train an agent by self-play: ``python training/train.py vint``.

MaskablePPO (sb3-contrib) plays one seat; its partner and opponents are snapshots of itself. At the end the trained pair meets the
players ``uniform``, ``random`` and ``pass`` over duplicate deals. Ctrl-C saves; ``--resume`` goes on from there.
"""

import json
import time
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np
import torch
import tyro
from evaluate import evaluate
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from sb3_contrib import MaskablePPO
from selfplay import BiddersPolicy, ContractLog, League, SharedLayer, modest_calls
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import configure

from skruv.sb3 import SeatVecEnv


@dataclass(frozen=True)
class Args:
    game: tyro.conf.Positional[Literal["vint", "skruuvi", "biritch"]]
    """What to play."""
    minutes: float = 4.0
    """Time to train, evaluation not counted. The schedules below run over it."""
    steps: int | None = None
    """Train for so many turns of the learner instead."""
    folder: Path = Path("runs")
    """Checkpoints and TensorBoard logs go to FOLDER/GAME."""
    resume: bool = False
    """Go on from the checkpoint in FOLDER/GAME."""
    seed: int = 0
    """Of deals, weights and draws."""
    threads: int = 1
    """Of torch. More than one is slower beside a busy neighbour."""

    tables: int = 256
    """Played at once."""
    turns: int = 64
    """Of the learner at each table between two updates."""
    epochs: int = 4
    """Passes over them in an update."""
    batch: int = 1024
    """Turns in a gradient step."""
    learning_rate: float = 1e-3
    """At the beginning; it falls linearly to a tenth."""
    entropy: float = 0.05
    """Weight of the entropy of the calls at the beginning, so that bids stay tried; it falls linearly to a tenth. Cards have a
    tenth of it."""
    gae_lambda: float = 0.8
    """Low, since what a bid or a trick was worth shows in the value of the next turn, and the rest of the deal is noise."""
    width: int = 256
    """Of the hidden layer that policy and value share; each has one of half the width on it."""

    reward_scale: float | None = None
    """Factor of points. Linear, so that a rare disaster weighs what it costs; None: the game's own."""
    forced_opening: tuple[float, float] = (0.5, 0.9)
    """Up to the first part of training a seat drawn for each deal must bid if nobody has; from there to the second the share of such deals
    falls to none. Under the true rules from the start a policy learns to pass everything out before it learns what its hand is worth."""
    simple_first: float = 0.5
    """Over this first part of training a game with a simplified variant is played in that variant."""
    deals: int = 1000
    """Duplicate deals against each player in the evaluation."""


DEFAULTS: dict[str, dict[str, Any]] = {
    "vint": {"reward_scale": 1 / 1000},
    "skruuvi": {"reward_scale": 1 / 100},
    "biritch": {"reward_scale": 1 / 20},
}
"""By game, what stands for None above."""
EPISODE = {"ledger": "random"}
"""Episodes are single deals, from plausible running scores."""
OPTIONS: dict[str, dict[str, Any]] = {"biritch": {"max_doublings": 2}}
"""By game, the options of its tables in training and evaluation."""


class SelfPlay(BaseCallback):
    """Between updates: who sits, how far the schedules are, what is logged, when it is over."""

    model: MaskablePPO  # type: ignore[assignment]  (the base class says only that it is some algorithm)

    def __init__(self, args: Args, env: SeatVecEnv, league: League, rate: "LearningRate", bar: Progress, elapsed: float) -> None:
        super().__init__()
        self.args, self.env, self.league, self.rate, self.bar = args, env, league, rate, bar
        self.log = ContractLog(env.game)
        self.elapsed = elapsed
        self.ticked = time.perf_counter()
        self.saved = self.elapsed
        self.task = bar.add_task(args.game, total=1.0, speed=0.0)

    @property
    def progress(self) -> float:
        """0..1, of the time or the steps."""
        if self.args.steps is not None:
            return min(self.num_timesteps / self.args.steps, 1.0)
        return min(self.elapsed / (60 * self.args.minutes), 1.0)

    def _on_rollout_start(self) -> None:
        now = time.perf_counter()
        self.elapsed += now - self.ticked
        self.ticked = now
        self.rate.progress = self.progress
        self.model.ent_coef = self.args.entropy * (1 - 0.9 * self.progress)
        self.env.seats.forced_opening = float(np.interp(self.progress, self.args.forced_opening, (1, 0)))
        if "simplified" in self.env.game.variants:
            simple = self.progress < self.args.simple_first
            self.env.seats.tables.change_rules(variant="simplified" if simple else None, **OPTIONS.get(self.args.game, {}))
        self.env.sit(self.league.draw(self.model.policy))
        self.bar.update(self.task, completed=self.progress, speed=self.num_timesteps / max(self.elapsed, 1e-9))
        if self.elapsed - self.saved > 60:
            save(self)

    def _on_step(self) -> bool:
        self.log.add(self.locals["infos"])
        return self.progress < 1.0

    def _on_rollout_end(self) -> None:
        self.log.report(self.logger, self.model)


@dataclass
class LearningRate:
    """Falls linearly to a tenth; the progress that Stable-Baselines3 gives counts steps only."""

    start: float
    progress: float = 0.0

    def __call__(self, _: float) -> float:
        return self.start * (1 - 0.9 * self.progress)


def save(state: SelfPlay) -> None:
    """The checkpoint: weights, snapshots, and how far training is."""
    folder = state.args.folder / state.args.game
    state.model.save(folder / "model.zip")
    torch.save(state.league.state(), folder / "league.pt")
    args = {name: str(value) if isinstance(value, Path) else value for name, value in asdict(state.args).items()}
    steps = int(state.model.num_timesteps)
    progress = {"elapsed": state.elapsed, "steps": steps, "args": args, "options": {**EPISODE, **OPTIONS.get(state.args.game, {})}}
    (folder / "progress.json").write_text(json.dumps(progress, indent=2))
    state.saved = state.elapsed


def make_env(args: Args) -> SeatVecEnv:
    """The tables at which the learner sits."""
    return SeatVecEnv(
        args.game, args.tables, seed=args.seed, skip_forced=True, reward_scale=args.reward_scale,
        **EPISODE, **OPTIONS.get(args.game, {}),
    )


def make_model(args: Args, env: SeatVecEnv, rate: LearningRate) -> MaskablePPO:
    """The learner; where there is a ladder of bids its first calls are modest."""
    model = MaskablePPO(
        BiddersPolicy, env, learning_rate=rate, n_steps=args.turns, batch_size=args.batch, n_epochs=args.epochs, gamma=1.0,
        gae_lambda=args.gae_lambda, ent_coef=args.entropy, seed=args.seed, device="cpu",
        policy_kwargs={
            "features_extractor_class": SharedLayer, "features_extractor_kwargs": {"features_dim": args.width},
            "net_arch": [args.width // 2], "activation_fn": torch.nn.ReLU,
        },
    )
    with torch.no_grad():
        model.policy.action_net.get_parameter("bias").add_(torch.as_tensor(modest_calls(env.game), dtype=torch.float32))
    return model


def train(args: Args) -> Path:
    """Train, or go on; returns the checkpoint."""
    torch.set_num_threads(args.threads)
    torch.distributions.Distribution.set_default_validate_args(False)
    folder = args.folder / args.game
    folder.mkdir(parents=True, exist_ok=True)
    env, rate, elapsed, snapshots = make_env(args), LearningRate(args.learning_rate), 0.0, None
    if args.resume:
        elapsed = json.loads((folder / "progress.json").read_text())["elapsed"]
        snapshots = torch.load(folder / "league.pt")
        model = MaskablePPO.load(folder / "model.zip", env, device="cpu", custom_objects={"learning_rate": rate})
    else:
        model = make_model(args, env, rate)
    model.set_logger(configure(str(folder), ["tensorboard"]))
    league = League(seed=args.seed, older=snapshots)
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.percentage:.0f}% {task.fields[speed]:.0f} turns/s"))
    with Progress(*columns, TimeRemainingColumn()) as bar:
        callback = SelfPlay(args, env, league, rate, bar, elapsed)
        try:
            model.learn(10**12, callback, reset_num_timesteps=not args.resume)
        except KeyboardInterrupt:
            bar.console.print("stopped; go on with --resume")
        callback.init_callback(model)
        save(callback)
    return folder / "model.zip"


def main(args: Args) -> None:
    args = replace(args, **{name: value for name, value in DEFAULTS[args.game].items() if getattr(args, name) is None})
    checkpoint = train(args)
    evaluate(checkpoint, args.game, deals=args.deals, options={**EPISODE, **OPTIONS.get(args.game, {})})


if __name__ == "__main__":
    main(tyro.cli(Args, description=__doc__))

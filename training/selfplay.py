"""What self-play needs beside PPO: a league of snapshots, and a log of what is bid."""

import math
from collections.abc import Mapping
from typing import Any

import gymnasium
import numba
import numpy as np
import torch
from rich import print as tell
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.logger import Logger
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor

from skruv.arena import level_of
from skruv.engine.cards import CARDS
from skruv.engine.game import Game
from skruv.players import Player
from skruv.tables import Views

State = dict[str, torch.Tensor]


class SharedLayer(BaseFeaturesExtractor):
    """A hidden layer that policy and value share: most of the weights meet the many bits of an observation."""

    def __init__(self, observation_space: gymnasium.Space[Any], features_dim: int) -> None:
        super().__init__(observation_space, features_dim)
        self.layer = torch.nn.Linear(math.prod(observation_space.shape or ()), features_dim)

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        return torch.relu(self.layer(observations))


class BiddersPolicy(MaskableActorCriticPolicy):
    """The entropy bonus goes to the calls: bids stay tried, and the play of the cards is not blurred."""

    CARD_SHARE = 0.1
    """Of the bonus, for a turn in which a card is played."""

    def evaluate_actions(
        self, obs: torch.Tensor, actions: torch.Tensor, action_masks: torch.Tensor | None = None
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor | None]:
        values, log_probability, entropy = super().evaluate_actions(obs, actions, action_masks)
        if entropy is None:
            return values, log_probability, None
        plays_card = actions.flatten() < len(CARDS)
        return values, log_probability, torch.where(plays_card, self.CARD_SHARE * entropy, entropy)


@numba.njit(nogil=True, fastmath=True)
def add_set_bits(bits: np.ndarray, weights: np.ndarray, bias: np.ndarray, out: np.ndarray) -> None:
    """``out = bits @ weights + bias`` for bits most of which are not set."""
    for row in range(bits.shape[0]):
        out[row] = bias
        for bit in range(bits.shape[1]):
            if bits[row, bit]:
                out[row] += weights[bit]


class Snapshot:
    """A frozen copy of a :class:`BiddersPolicy`, as a player that draws from its probabilities, at a fifth of the cost."""

    LAYERS = ("features_extractor.layer", "mlp_extractor.policy_net.0", "action_net")

    def __init__(self, weights: State, seed: int) -> None:
        self.weights = {name: weights[name].clone() for layer in self.LAYERS for name in (f"{layer}.weight", f"{layer}.bias")}
        self.layers = [(self.weights[f"{layer}.weight"], self.weights[f"{layer}.bias"]) for layer in self.LAYERS]
        self.first = np.ascontiguousarray(self.layers[0][0].numpy().T), self.layers[0][1].numpy()
        self.rng = np.random.default_rng(seed)

    def act(self, views: Views) -> np.ndarray:
        sums = np.empty((len(views), len(self.first[1])), np.float32)
        add_set_bits(views.observation, *self.first, sums)
        with torch.inference_mode():
            hidden = torch.relu(torch.nn.functional.linear(torch.relu(torch.from_numpy(sums)), *self.layers[1]))
            logits = torch.nn.functional.linear(hidden, *self.layers[2]).numpy()
        scores = logits + self.rng.gumbel(size=logits.shape)
        return np.where(views.mask, scores, -np.inf).argmax(axis=1)


class League:
    """Snapshots of the learner: the newest, and some older ones.

    The partner is the newest; so are the opponents half of the time, else they are one of the older ones.
    """

    def __init__(self, *, seed: int, keep: int = 6, every: int = 8, older: list[State] | None = None) -> None:
        self.rng = np.random.default_rng(seed)
        self.keep = keep
        self.every = every
        self.draws = 0
        self.older = [Snapshot(weights, seed) for weights in older or []]

    def draw(self, policy: MaskableActorCriticPolicy) -> Mapping[str, Player]:
        """Take a snapshot of ``policy``, and say who sits with it."""
        newest = Snapshot(policy.state_dict(), int(self.rng.integers(2**31)))
        if self.draws % self.every == 0:
            self.older.append(newest)
            if len(self.older) > self.keep:
                del self.older[self.rng.integers(self.keep)]
        self.draws += 1
        opponents = newest if self.rng.random() < 0.5 else self.older[self.rng.integers(len(self.older))]
        return {"left": opponents, "partner": newest, "right": opponents}

    def state(self) -> list[State]:
        """The weights of the older ones."""
        return [snapshot.weights for snapshot in self.older]


class ContractLog:
    """What is bid in training, for TensorBoard; it warns where bidding has collapsed."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.levels = {name: level_of(name) for name in game.contracts}
        self.top = max(self.levels.values())
        self.deals: list[dict[str, Any]] = []
        self.warned = False

    def add(self, infos: list[dict[str, Any]]) -> None:
        """The ``infos`` of one step."""
        self.deals += [info["deal"] for info in infos if "deal" in info]

    def report(self, logger: Logger, model: MaskablePPO) -> None:
        """Log the deals since the last report, and the policy's entropy in calls and in cards."""
        for kind, entropy in self._entropies(model).items():
            logger.record(f"policy/entropy_{kind}", entropy)
        if not self.deals:
            return
        played = [deal for deal in self.deals if deal["contract"] is not None]
        passed_out = 1 - len(played) / len(self.deals)
        levels = [self.levels[deal["contract"]] for deal in played]
        top = sum(level == self.top > 0 for level in levels) / len(self.deals)
        logger.record("deals/passed_out", passed_out)
        if played:
            logger.record("deals/mean_level", float(np.mean(levels)))
            logger.record("deals/doublings", float(np.mean([deal["doublings"] for deal in played])))
            failed = [any(kind == "undertricks" for _, _, kind, _ in deal["lines"]) for deal in played]
            logger.record("deals/failed", float(np.mean(failed)))
        logger.record("deals/top_level", top)
        if (passed_out > 0.95 or top > 0.5) and not self.warned:
            tell(f"[yellow]warning: {passed_out:.0%} of the deals are passed out, {top:.0%} end at the top level")
            self.warned = True
        self.deals = []

    def _entropies(self, model: MaskablePPO, turns: int = 1024) -> dict[str, float]:
        """Of the calls and of the cards in the turns that were collected last, nats."""
        buffer = model.rollout_buffer
        observations = torch.as_tensor(buffer.observations.reshape(-1, buffer.observations.shape[-1])[-turns:], dtype=torch.float32)
        masks = buffer.action_masks.reshape(-1, buffer.action_masks.shape[-1])[-turns:] > 0
        with torch.inference_mode():
            entropy = np.asarray(model.policy.get_distribution(observations, masks).entropy())
        of_cards = masks[:, : len(CARDS)].any(axis=1)
        parts = {"calls": entropy[~of_cards], "cards": entropy[of_cards]}
        return {kind: float(part.mean()) for kind, part in parts.items() if len(part)}


def modest_calls(game: Game) -> np.ndarray:
    """(A,) float64, what is added to the logits of an untrained policy: passes likely, high bids and doublings not."""
    bias = np.zeros(len(game.actions))
    for name, group in game.groups.items():
        if name == "pass_":
            bias[group] = 2.0
        elif name == "bid":
            bias[group] = -0.5 * np.arange(group.stop - group.start)
        elif name in ("double", "redouble"):
            bias[group] = -1.0
    return bias

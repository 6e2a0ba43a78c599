"""A learner's seat as a Stable-Baselines3 ``VecEnv`` with action masks (imports stable_baselines3)."""

import time
from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
import torch
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.vec_env import VecEnv

from .aec import deal_summary
from .record import Thought
from .seats import Others, Seats
from .tables import Tables, Views

DIGITS = 4
"""Of the probabilities that a policy tells."""


class SeatVecEnv(VecEnv):
    """A learner's seat at each of ``num_envs`` tables, for sb3-contrib's ``MaskablePPO``.

    Observations are ``Box(0, 1, (F,), int8)``; the masks of the observation that was returned last are ``env_method("action_masks")``.
    Each ``info`` of an ended episode holds ``episode`` (return, length, time: no VecMonitor is needed), ``terminal_observation``,
    ``TimeLimit.truncated`` and ``deal``, a summary of its last deal.

    Args:
        game: its name.
        num_envs: how many tables.
        others: a player's name, a player or a function of views; or one of these for each of ``"left"``, ``"partner"``, ``"right"``.
        seat: the learner's, 0..3; ``None``: drawn for each episode.
        seed: table i is dealt from seed + i.
        **options: those of :class:`~skruv.tables.Tables`.
    """

    def __init__(
        self, game: str, num_envs: int = 64, *, others: Others = "random", seat: int | None = None, seed: int = 0, **options: Any
    ) -> None:
        self.render_mode = None
        self.metadata = {"render_modes": []}
        tables = Tables(game, num_envs, seed=seed, autoreset=False, **options)
        self.game = tables.game
        self.seats = Seats(tables, others, seat=seat, seed=seed)
        super().__init__(
            num_envs,
            gymnasium.spaces.Box(0, 1, (tables.size,), np.int8),
            gymnasium.spaces.Discrete(tables.actions),
        )
        self._masks = np.ones((num_envs, tables.actions), np.int8)
        self._returns = np.zeros(num_envs)
        self._lengths = np.zeros(num_envs, np.int64)
        self._began = time.perf_counter()
        self._actions = np.zeros(num_envs, np.int64)

    def sit(self, others: Others, seed: int = 0) -> None:
        """Seat other players for the turns to come."""
        self.seats.sit(others, seed)

    def reset(self) -> np.ndarray:
        """(num_envs, F) int8; ``set_options`` gives each table the keys of ``deals`` in :meth:`skruv.tables.Tables.reset`."""
        seed = self._seeds[0] if self._seeds else None
        self._reset_seeds()
        deals = [dict(options) for options in self._options] if any(self._options) else None
        self._reset_options()
        turn = self.seats.begin(seed=seed, deals=deals)
        self._masks = turn.mask
        self._returns[:] = 0
        self._lengths[:] = 0
        return turn.observation

    def step_async(self, actions: np.ndarray) -> None:
        self._actions = np.asarray(actions, np.int64)

    def step_wait(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        turn = self.seats.step(self._actions)
        self._returns += turn.reward
        self._lengths += 1
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        done = turn.terminated | turn.truncated
        ended = np.flatnonzero(done)
        for table in ended.tolist():
            infos[table] = self._ended(table, turn.observation[table].copy(), bool(turn.truncated[table]))
        if len(ended):
            fresh = self.seats.begin(ended)
            turn.observation[ended] = fresh.observation
            turn.mask[ended] = fresh.mask
        self._masks = turn.mask
        return turn.observation, turn.reward, done, infos

    def _ended(self, table: int, final: np.ndarray, truncated: bool) -> dict[str, Any]:
        """The info of an ended episode."""
        episode = {"r": float(self._returns[table]), "l": int(self._lengths[table]), "t": time.perf_counter() - self._began}
        self._returns[table] = 0
        self._lengths[table] = 0
        return {
            "episode": episode,
            "terminal_observation": final,
            "TimeLimit.truncated": truncated,
            "deal": deal_summary(self.game, self.seats.tables.states["result"][table]),
        }

    def action_masks(self) -> np.ndarray:
        """(num_envs, A) int8, the legal actions at the observations returned last."""
        return self._masks

    def close(self) -> None:
        """Nothing is held open."""

    def env_method(self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any) -> list[Any]:
        """``"action_masks"``: one mask for each table; there are no single environments to call other methods on."""
        if method_name != "action_masks":
            raise AttributeError(f"the tables are one array: there is no {method_name!r} to call on each, only 'action_masks'")
        return list(self._masks[self._places(indices)])

    def has_attr(self, attr_name: str) -> bool:
        return hasattr(self, attr_name)

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        return [getattr(self, attr_name)] * len(self._places(indices))

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        if len(self._places(indices)) != self.num_envs:
            raise ValueError(f"{attr_name!r} is one value for all tables: leave indices out")
        setattr(self, attr_name, value)

    def env_is_wrapped(self, wrapper_class: type, indices: Any = None) -> list[bool]:
        return [False] * len(self._places(indices))

    def _places(self, indices: int | Sequence[int] | None) -> list[int]:
        return list(self._get_indices(indices))


class PolicyPlayer:
    """A ``MaskablePPO`` policy at the table.

    Args:
        policy: of a model, or a copy of it.
        greedy: the likeliest action; else one is drawn from the policy's probabilities.
        seed: of the draws.
        reward_scale: that of its training.
    """

    def __init__(
        self, policy: MaskableActorCriticPolicy, *, greedy: bool = False, seed: int = 0, reward_scale: float = 1.0
    ) -> None:
        self.policy = policy
        self.greedy = greedy
        self.rng = np.random.default_rng(seed)
        self.reward_scale = reward_scale

    def act(self, views: Views) -> np.ndarray:
        with torch.inference_mode():
            logits = self._logits(torch.as_tensor(views.observation, dtype=torch.float32)).numpy()
        scores = logits if self.greedy else logits + self.rng.gumbel(size=logits.shape)
        return np.where(views.mask, scores, -np.inf).argmax(axis=1)

    def think(self, views: Views) -> list[Thought]:
        """The probabilities of the policy at each view, those that round to 0 left out, and its value in points."""
        with torch.inference_mode():
            bits = torch.as_tensor(views.observation, dtype=torch.float32)
            logits = self._logits(bits).masked_fill(torch.as_tensor(views.mask == 0), -torch.inf)
            chances = logits.softmax(dim=1).numpy().astype(np.float64).round(DIGITS)
            values = self.policy.value_net(self.policy.mlp_extractor.forward_critic(self.policy.vf_features_extractor(bits))).numpy()[:, 0]
        return [
            Thought(
                probabilities={views.game.actions[action]: float(row[action]) for action in np.flatnonzero(row)},
                value=round(float(value) / self.reward_scale, 1),
            )
            for row, value in zip(chances, values, strict=True)
        ]

    def _logits(self, bits: torch.Tensor) -> torch.Tensor:
        return self.policy.action_net(self.policy.mlp_extractor.forward_actor(self.policy.pi_features_extractor(bits)))

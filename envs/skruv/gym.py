"""A learner's seat as Gymnasium environments: :class:`SeatEnv`, one table, and :class:`SeatVectorEnv`, n of them in one batch."""

from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from .aec import RENDER_MODES, deal_summary
from .checks import flag, one_of, seed_value, without
from .engine.rules import OptionError
from .render import Scene, draw, draw_html, scene_of
from .seats import Others, Seats, Turn
from .tables import IllegalAction, Tables

RESERVED = ("n", "seed", "autoreset", "trails")
"""Options of the tables that an adapter sets itself."""


def single_space(tables: Tables, mask_in_info: bool) -> gymnasium.spaces.Space[Any]:
    """What one seat observes: bits and mask in a Dict, or with ``mask_in_info`` the bits alone."""
    bits = gymnasium.spaces.Box(0, 1, (tables.size,), np.int8)
    if mask_in_info:
        return bits
    return gymnasium.spaces.Dict(observation=bits, action_mask=gymnasium.spaces.Box(0, 1, (tables.actions,), np.int8))


class SeatEnv(gymnasium.Env[Any, Any]):
    """One learner's seat at one table; the three other seats are played by players.

    Args:
        game: its name.
        others: a player's name, a player or a function of views; or one of these for each of ``"left"``, ``"partner"``, ``"right"``.
        seat: the learner's, 0..3; ``None``: drawn for each episode.
        mask_in_info: observations are plain bits, ``Box(0, 1, (F,), int8)``; the mask is in ``info["action_mask"]`` (where it always is)
            and in :meth:`action_masks`.
        render_mode: ``"ansi"``, ``"rgb_array"``, ``"human"`` or ``None``; what is drawn is what the learner sees.
        **options: those of :class:`~skruv.tables.Tables`.

    The reward is the learner's own, summed from its action to its next turn; the ``info`` of a last step holds ``deal``.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 2}  # noqa: RUF012 (Gymnasium reads the class attribute)

    def __init__(
        self, game: str, *, others: Others = "random", seat: int | None = None, mask_in_info: bool = False, render_mode: str | None = None,
        **options: Any,
    ) -> None:
        if render_mode is not None:
            one_of("render_mode", render_mode, RENDER_MODES)
        self.render_mode = render_mode
        self.mask_in_info = flag("mask_in_info", mask_in_info)
        without(options, RESERVED, "reset(seed=...) seeds an environment, and Gymnasium resets it")
        self.seats = Seats(Tables(game, 1, autoreset=False, trails=True, **options), others, seat=seat)
        self.observation_space = single_space(self.seats.tables, mask_in_info)
        self.action_space = gymnasium.spaces.Discrete(self.seats.tables.actions)
        self._mask = np.zeros(self.seats.tables.actions, np.int8)

    def reset(self, *, seed: int | None = None, options: Mapping[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin an episode; ``options`` are the keys of ``deals`` in :meth:`skruv.tables.Tables.reset`."""
        super().reset(seed=None if seed is None else seed_value(seed))
        turn = self.seats.begin(seed=seed, deals=dict(options) if options else None)
        return self._seen(turn), self._info()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """The learner's action, and the play of the others; :class:`~skruv.tables.IllegalAction` if it is not legal."""
        turn = self.seats.step(np.array([action]))
        terminated, truncated = bool(turn.terminated[0]), bool(turn.truncated[0])
        seen, info = self._seen(turn), self._info()
        if terminated or truncated:
            info["deal"] = deal_summary(self.seats.tables.game, self.seats.tables.results[0])
        if self.render_mode == "human":
            self.render()
        return seen, float(turn.reward[0]), terminated, truncated, info

    def action_masks(self) -> np.ndarray:
        """(A,) int8, the legal actions at the last observation, as sb3-contrib asks for them."""
        return self._mask.copy()

    def render(self) -> Any:
        """The table as the learner sees it."""
        return draw(self.render_mode or "ansi", self._scene())

    def _scene(self) -> Scene:
        return scene_of(self.seats.tables, int(self.seats.seat[0]))

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        return draw_html(self._scene())

    def _seen(self, turn: Turn) -> Any:
        self._mask = turn.mask[0]
        return turn.observation[0] if self.mask_in_info else {"observation": turn.observation[0], "action_mask": turn.mask[0]}

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self._mask.copy(), "seat": int(self.seats.seat[0])}


class SeatVectorEnv(VectorEnv[Any, Any, Any]):
    """A learner's seat at each of ``num_envs`` tables, stepped as one batch.

    Args:
        game: its name.
        num_envs: how many tables.
        autoreset_mode: Gymnasium's ``NEXT_STEP`` (the step after an end begins the next episode, its action is ignored), ``SAME_STEP`` (the
            ending step does, ``info`` holds ``final_obs`` and ``final_info``) or ``DISABLED``
            (``reset(options={"reset_mask": mask})``).
        others, seat, mask_in_info, **options: as in :class:`SeatEnv`.

    ``info["action_mask"]`` is (num_envs, A) int8: the masks of the observations returned with it, all zero where an episode has ended and
    the next one has not begun. ``reset(seed=s)`` deals table i from s + i.
    """

    def __init__(
        self, game: str, num_envs: int = 64, *, others: Others = "random", seat: int | None = None, mask_in_info: bool = False,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP, **options: Any,
    ) -> None:
        try:
            self.autoreset_mode = AutoresetMode(autoreset_mode)
        except ValueError as error:
            allowed = ", ".join(repr(mode.value) for mode in AutoresetMode)
            raise OptionError(f"autoreset_mode = {autoreset_mode!r}: it must be an AutoresetMode or one of {allowed}") from error
        self.metadata = {"autoreset_mode": self.autoreset_mode, "render_modes": []}
        self.num_envs = num_envs
        self.mask_in_info = flag("mask_in_info", mask_in_info)
        without(options, RESERVED, "reset(seed=...) seeds an environment, num_envs and autoreset_mode say the rest")
        self.seats = Seats(Tables(game, num_envs, autoreset=False, **options), others, seat=seat)
        self.single_observation_space = single_space(self.seats.tables, mask_in_info)
        self.single_action_space = gymnasium.spaces.Discrete(self.seats.tables.actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._mask = np.zeros((num_envs, self.seats.tables.actions), np.int8)
        self._observation = np.zeros((num_envs, self.seats.tables.size), np.int8)
        self._ended = np.zeros(num_envs, np.bool_)

    def reset(self, *, seed: int | None = None, options: Mapping[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin an episode at every table, or with ``options={"reset_mask": mask}`` at some; other ``options`` as in :class:`SeatEnv`."""
        super().reset(seed=None if seed is None else seed_value(seed))
        deals = {name: value for name, value in (options or {}).items() if name != "reset_mask"}
        rows = np.flatnonzero(self._reset_mask(options))
        self._renew()
        self._put(rows, self.seats.begin(rows, seed=seed, deals=deals or None))
        self._ended[rows] = False
        return self._seen(), self._info()

    def step(self, actions: Any) -> tuple[Any, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """The learner's ``actions`` (num_envs,), and the play of the others."""
        ended = np.flatnonzero(self._ended)
        if len(ended) and self.autoreset_mode is AutoresetMode.DISABLED:
            raise IllegalAction(f"tables {ended.tolist()} have ended: reset them with options={{'reset_mask': mask}}")
        actions = np.asarray(actions)
        if actions.shape != (self.num_envs,):
            raise ValueError(f"actions of shape {actions.shape}: it must be ({self.num_envs},), one for each table")
        moved = np.flatnonzero(~self._ended)
        turn = self.seats.step(actions[moved], moved)
        self._renew()
        self._put(moved, turn)
        if len(ended):
            self._put(ended, self.seats.begin(ended))
        reward = np.zeros(self.num_envs, np.float32)
        terminated, truncated = np.zeros(self.num_envs, np.bool_), np.zeros(self.num_envs, np.bool_)
        reward[moved], terminated[moved], truncated[moved] = turn.reward, turn.terminated, turn.truncated
        self._ended = terminated | truncated
        info = self._final_info()
        if self.autoreset_mode is AutoresetMode.SAME_STEP and self._ended.any():
            ended = np.flatnonzero(self._ended)
            self._put(ended, self.seats.begin(ended))
            self._ended = np.zeros(self.num_envs, np.bool_)
        return self._seen(), reward, terminated, truncated, info | self._info()

    def action_masks(self) -> np.ndarray:
        """(num_envs, A) int8, the legal actions at the last observations."""
        return self._mask.copy()

    def _reset_mask(self, options: Mapping[str, Any] | None) -> np.ndarray:
        if not options or "reset_mask" not in options:
            return np.ones(self.num_envs, np.bool_)
        mask = options["reset_mask"]
        if not isinstance(mask, np.ndarray) or mask.shape != (self.num_envs,) or mask.dtype != np.bool_ or not mask.any():
            raise OptionError(f"reset_mask = {mask!r}: it must be a numpy array of {self.num_envs} bools, some of them True")
        return mask

    def _renew(self) -> None:
        """New arrays for what this step will show: those of the last one are never written again."""
        self._observation, self._mask = self._observation.copy(), self._mask.copy()

    def _put(self, rows: np.ndarray, turn: Turn) -> None:
        self._observation[rows], self._mask[rows] = turn.observation, turn.mask

    def _seen(self) -> Any:
        return self._observation if self.mask_in_info else {"observation": self._observation, "action_mask": self._mask}

    def _final_info(self) -> dict[str, Any]:
        """The summaries of the deals at which episodes have ended, and with SAME_STEP what was seen there."""
        game, results = self.seats.tables.game, self.seats.tables.states["result"]
        info: dict[str, Any] = {}
        for table in np.flatnonzero(self._ended).tolist():
            final = {"deal": deal_summary(game, results[table])}
            if self.autoreset_mode is AutoresetMode.SAME_STEP:
                mask = self._mask[table].copy()
                seen = self._observation[table].copy()
                final = {
                    "final_obs": seen if self.mask_in_info else {"observation": seen, "action_mask": mask},
                    "final_info": {**final, "action_mask": mask, "seat": int(self.seats.seat[table])},
                }
            info = self._add_info(info, final, table)
        return info

    def _info(self) -> dict[str, Any]:
        """As Gymnasium's vector environments give it: an array for each key, and with an underscore where it is set."""
        everywhere = np.ones(self.num_envs, np.bool_)
        return {
            "action_mask": self._mask.copy(), "_action_mask": everywhere, "seat": self.seats.seat.copy(), "_seat": everywhere.copy(),
        }

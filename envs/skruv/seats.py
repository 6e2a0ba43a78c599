"""The one loop that plays the other seats between a learner's turns; the adapters to learning libraries stand on it."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from .checks import seed_value
from .engine.cards import NO_BID, NO_SEAT, SEATS
from .engine.game import Game
from .engine.rules import OptionError
from .players import Player, answer_of, player
from .tables import IllegalAction, Tables, Views

RELATIONS = ("left", "partner", "right")
"""The other seats, as chairs 1, 2 and 3 of the learner."""


Others = str | Player | Callable[[Views], np.ndarray] | Mapping[str, Any]
"""Who plays the other seats: a registered player's name, a player, a function of views; or one of these for each relation."""


class FunctionPlayer:
    """A function of views, as a player."""

    def __init__(self, function: Callable[[Views], np.ndarray]) -> None:
        self.function = function

    def act(self, views: Views) -> np.ndarray:
        return self.function(views)


def seated(others: Others, game: Game, seed: int) -> tuple[Player, ...]:
    """The players at the chairs of :data:`RELATIONS`; :class:`OptionError` or ``ValueError`` where ``others`` names none."""
    if not isinstance(others, Mapping):
        return (_player(others, game, seed),) * len(RELATIONS)
    if set(others) != set(RELATIONS):
        raise OptionError(f"others names {', '.join(map(str, others)) or 'nobody'}: it must name {', '.join(RELATIONS)}")
    made = {id(others[relation]): _player(others[relation], game, seed + chair) for chair, relation in enumerate(RELATIONS)}
    return tuple(made[id(others[relation])] for relation in RELATIONS)


def _player(other: Any, game: Game, seed: int) -> Player:
    if isinstance(other, str):
        return player(other, game, seed)
    if isinstance(other, Player) and not isinstance(other, type):
        return other
    if callable(other) and not isinstance(other, type):
        return FunctionPlayer(other)  # type: ignore[arg-type]  (what it takes and gives shows when it is called)
    raise OptionError(f"others = {other!r}: it must be the name of a player, a player, a function of views, or a mapping of these")


class Turn(NamedTuple):
    """What the learner sees at its next turn at k tables, and what has happened since its last one."""

    observation: np.ndarray
    """(k, F) int8, from its own seat; where the episode has ended, what it sees at that end."""
    mask: np.ndarray
    """(k, A) int8, all zero only where the episode has ended."""
    reward: np.ndarray
    """(k,) float32, its own, summed from its action to now."""
    terminated: np.ndarray
    """(k,) bool"""
    truncated: np.ndarray
    """(k,) bool"""


class Seats:
    """A learner's seat at each of n tables; the three other seats of each are played by players.

    A learner may have no turn in an episode (a dummy, a partner that sits out). :meth:`begin` goes on to the first episode in which it
    has one, and what it was paid on the way is added to its next transition: no reward is lost.

    Args:
        tables: made with ``autoreset=False``; this object alone moves them.
        others: a player's name, a player or a function of views; or one of these for each of ``"left"``, ``"partner"``, ``"right"``.
        seat: the learner's, 0..3; ``None``: drawn for each episode.
        seed: of the draws of seats, and of players that are named; ``None``: from the system's entropy.
    """

    def __init__(self, tables: Tables, others: Others, *, seat: int | None = None, seed: int | None = None) -> None:
        if tables.settings["autoreset"][0]:
            raise OptionError("Seats resets its tables itself: make them with autoreset=False")
        if seat is not None and (isinstance(seat, bool) or not isinstance(seat, (int, np.integer)) or seat not in SEATS):
            raise OptionError(f"seat = {seat!r}: it must be 0..3, or None")
        self.tables = tables
        self.fixed_seat = seat
        self.rng = np.random.default_rng(seed)
        self.forced_opening = 0.0
        """The share of episodes in which one seat, drawn for each, is not offered the pass while nobody has bid."""
        self.sit(others, int(self.rng.integers(2**31)))
        self.begun = False
        self.seat = np.zeros(tables.n, np.int8)
        self.opener = np.full(tables.n, NO_SEAT, np.int8)
        self._carried = np.zeros(tables.n, np.float32)

    @property
    def n(self) -> int:
        """Tables."""
        return self.tables.n

    def sit(self, others: Others, seed: int = 0) -> None:
        """Seat other players, for the turns to come; ``seed`` is of those that are named."""
        self.others = others
        self.players = seated(others, self.tables.game, seed)

    def begin(self, rows: np.ndarray | None = None, *, seed: int | None = None, deals: Any = None) -> Turn:
        """A new episode at the tables ``rows`` (``None``: all), played on to the learner's first turn.

        With ``seed`` table i is dealt from seed + i, and the draws of seats and of players that are named begin anew; ``deals`` are those
        of :meth:`skruv.tables.Tables.reset`.
        """
        self.begun = True
        rows = np.arange(self.n) if rows is None else rows
        seeds = None
        if seed is not None:
            seeds = seed_value(seed) + rows
            self.rng = np.random.default_rng(seed)
            self.sit(self.others, seed)
            self._carried[rows] = 0
        fresh = rows
        while len(fresh):
            self.tables.reset(fresh, seed=seeds, deals=deals)
            self._draw_seats(fresh)
            reward, terminated, truncated = _nothing(len(fresh))
            self._play_on(fresh, reward, terminated, truncated)
            self._carried[fresh] += reward
            fresh, seeds, deals = fresh[terminated | truncated], None, None
        return self._look(rows, *_nothing(len(rows)))

    def step(self, actions: np.ndarray, rows: np.ndarray | None = None) -> Turn:
        """The learner's ``actions`` at ``rows`` (``None``: all), and the play of the others to its next turn or the end of the episode."""
        if not self.begun:
            raise IllegalAction("call reset() before step()")
        rows = np.arange(self.n) if rows is None else rows
        try:
            pay, terminated, truncated = self.tables.step(actions, rows)
        except IllegalAction as error:
            raise IllegalAction(f"{error}; choose by action_masks(), with a learner and an evaluation that take masks") from error
        reward = pay[np.arange(len(rows)), self.seat[rows]] + self._carried[rows]
        self._carried[rows] = 0
        self._play_on(rows, reward, terminated, truncated)
        return self._look(rows, reward, terminated, truncated)

    def _play_on(self, rows: np.ndarray, reward: np.ndarray, terminated: np.ndarray, truncated: np.ndarray) -> None:
        """Play until the learner is to act, or the episode has ended, at each of ``rows``; what happens goes into the arrays."""
        while len(waiting := np.flatnonzero(~terminated & ~truncated & (self.tables.states["seat"][rows] != self.seat[rows]))):
            theirs = rows[waiting]
            pay, terminated[waiting], truncated[waiting] = self.tables.step(self._others_act(theirs), theirs)
            reward[waiting] += pay[np.arange(len(waiting)), self.seat[theirs]]

    def _look(self, rows: np.ndarray, reward: np.ndarray, terminated: np.ndarray, truncated: np.ndarray) -> Turn:
        """What the learner sees at ``rows``."""
        seen = self.tables.observe(self.seat[rows], rows)
        return Turn(seen.observation, self._offered(rows, seen.mask), reward, terminated, truncated)

    def _draw_seats(self, rows: np.ndarray) -> None:
        """The learner's seat, and who is forced to open, in the next episodes."""
        self.seat[rows] = self.rng.integers(len(SEATS), size=len(rows)) if self.fixed_seat is None else self.fixed_seat
        forced = self.rng.random(len(rows)) < self.forced_opening
        self.opener[rows] = np.where(forced, self.rng.integers(len(SEATS), size=len(rows)), NO_SEAT)

    def _others_act(self, rows: np.ndarray) -> np.ndarray:
        """The actions of whoever is to act at ``rows``, none of them the learner."""
        views = self.tables.views(rows)
        self._offered(rows, views.mask)
        chairs = (views.seat - self.seat[rows]) % len(SEATS)
        actions = np.empty(len(rows), np.int64)
        for other, theirs in self._by_player(chairs):
            actions[theirs] = answer_of(other, views if len(theirs) == len(rows) else views[theirs])
        return actions

    def _by_player(self, chairs: np.ndarray) -> list[tuple[Player, np.ndarray]]:
        """Each player once, with the places where it is to act."""
        found = []
        for other in {id(other): other for other in self.players}.values():
            its_chairs = [chair for chair, sitting in enumerate(self.players, start=1) if sitting is other]
            theirs = np.flatnonzero(np.isin(chairs, its_chairs))
            if len(theirs):
                found.append((other, theirs))
        return found

    def _offered(self, rows: np.ndarray, mask: np.ndarray) -> np.ndarray:
        """``mask`` without the pass, where the seat to act is forced to open."""
        forced = self.opener[rows] == self.tables.states["seat"][rows]
        if self.tables.game.passes_to_void is not None and forced.any():
            states = self.tables.states[rows]
            mask[forced & (states["bid"] == NO_BID) & (states["phase"] == 0), self.tables.game.groups["pass_"]] = 0
        return mask


def _nothing(k: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """No reward and no end, for k tables."""
    return np.zeros(k, np.float32), np.zeros(k, np.bool_), np.zeros(k, np.bool_)

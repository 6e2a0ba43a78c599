"""The one loop that plays the other seats between a learner's turns; the adapters to learning libraries stand on it."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from .engine.cards import NO_BID, NO_SEAT, SEATS
from .players import Player
from .tables import Tables

RELATIONS = ("left", "partner", "right")
"""The other seats, as chairs 1, 2 and 3 of the learner."""


class Turn(NamedTuple):
    """What the learner sees at its next turn, and what has happened since its last one."""

    observation: np.ndarray
    """(n, F) int8"""
    mask: np.ndarray
    """(n, A) int8, never all zero"""
    reward: np.ndarray
    """(n,) float32, the learner's own, summed from its action to its next turn; where an episode ended, to that end."""
    terminated: np.ndarray
    """(n,) bool, the episode in which it acted is over; the observation belongs to the next one."""
    truncated: np.ndarray
    """(n,) bool"""
    final: np.ndarray
    """(n, F) int8, what it saw at the end of that episode; zero where none ended."""


class Seats:
    """A learner's seat at each of n tables; the three other seats of each are played by players.

    Args:
        tables: made with ``autoreset=False``; this object alone moves them.
        others: a player, or one for each of ``"left"``, ``"partner"``, ``"right"``.
        seat: the learner's, 0..3; ``None``: drawn for each episode.
        seed: of the draws of seats.

    A learner that has no turn in an episode (a dummy, a partner that sits out) goes on to its next turn in a later one; what it gets
    there is added to its next transition.
    """

    def __init__(self, tables: Tables, others: Player | Mapping[str, Player], *, seat: int | None = None, seed: int = 0) -> None:
        if tables.settings["autoreset"][0]:
            raise ValueError("Seats resets its tables itself: make them with autoreset=False")
        if seat is not None and seat not in SEATS:
            raise ValueError(f"seat = {seat!r}: it must be 0..3, or None")
        self.tables = tables
        self.fixed_seat = seat
        self.rng = np.random.default_rng(seed)
        self.forced_opening = 0.0
        """The share of episodes in which one seat, drawn for each, is not offered the pass while nobody has bid."""
        self.sit(others)
        self.seat = np.zeros(tables.n, np.int8)
        self.opener = np.full(tables.n, NO_SEAT, np.int8)
        self._carried = np.zeros(tables.n, np.float32)

    @property
    def n(self) -> int:
        """Tables."""
        return self.tables.n

    def sit(self, others: Player | Mapping[str, Player] | Sequence[Player]) -> None:
        """Seat other players."""
        if isinstance(others, Mapping):
            missing = [relation for relation in RELATIONS if relation not in others]
            unknown = [relation for relation in others if relation not in RELATIONS]
            if missing or unknown:
                raise ValueError(f"others names {', '.join(others)}: it must name {', '.join(RELATIONS)}")
            self.players = tuple(others[relation] for relation in RELATIONS)
        else:
            self.players = (others,) * len(RELATIONS)  # type: ignore[assignment]

    def reset(self, seed: int | None = None) -> Turn:
        """A new episode at every table, played on to the learner's first turn."""
        rows = np.arange(self.n)
        self.tables.reset(seed=seed)
        self._carried[:] = 0
        self._draw_seats(rows)
        return self._play_on(np.zeros(self.n, np.float32), np.zeros(self.n, np.bool_), np.zeros(self.n, np.bool_))

    def step(self, actions: np.ndarray) -> Turn:
        """The learner's ``actions`` (n,), and the play of the others to its next turn."""
        reward, terminated, truncated = self.tables.step(actions)
        own = reward[np.arange(self.n), self.seat] + self._carried
        self._carried[:] = 0
        return self._play_on(own, terminated, truncated)

    def _play_on(self, reward: np.ndarray, terminated: np.ndarray, truncated: np.ndarray) -> Turn:
        """Play until the learner is to act at every table."""
        tables = self.tables
        final = np.zeros((self.n, tables.size), np.int8)
        done = terminated | truncated
        self._finish(np.flatnonzero(done), final)
        waiting = np.flatnonzero(tables.states["seat"] != self.seat)
        while len(waiting):
            pay, over, cut = tables.step(self._others_act(waiting), waiting)
            own = pay[np.arange(len(waiting)), self.seat[waiting]]
            fresh = ~done[waiting]
            reward[waiting[fresh]] += own[fresh]
            self._carried[waiting[~fresh]] += own[~fresh]
            ended = over | cut
            first = ended & fresh
            terminated[waiting[first]] = over[first]
            truncated[waiting[first]] = cut[first]
            self._finish(waiting[ended], final, keep=waiting[first])
            done[waiting[first]] = True
            waiting = waiting[tables.states["seat"][waiting] != self.seat[waiting]]
        seen = tables.observe()
        return Turn(seen.observation, self._offered(np.arange(self.n), seen.mask), reward, terminated, truncated, final)

    def _finish(self, rows: np.ndarray, final: np.ndarray, keep: np.ndarray | None = None) -> None:
        """Begin the next episode at ``rows``; keep what the learner saw at the end of the one in which it acted."""
        keep = rows if keep is None else keep
        if len(keep):
            final[keep] = self.tables.observe(self.seat[keep], keep).observation
        if len(rows):
            self.tables.reset(rows)
            self._draw_seats(rows)

    def _draw_seats(self, rows: np.ndarray) -> None:
        self.seat[rows] = self.rng.integers(len(SEATS), size=len(rows)) if self.fixed_seat is None else self.fixed_seat
        forced = self.rng.random(len(rows)) < self.forced_opening
        self.opener[rows] = np.where(forced, self.rng.integers(len(SEATS), size=len(rows)), NO_SEAT)

    def _others_act(self, rows: np.ndarray) -> np.ndarray:
        """The actions of whoever is to act at ``rows``, none of them the learner."""
        views = self.tables.views(rows)
        self._offered(rows, views.mask)
        chairs = (views.seat - self.seat[rows]) % len(SEATS)
        actions = np.empty(len(rows), np.int64)
        for player, theirs in self._by_player(chairs):
            actions[theirs] = player.act(views if len(theirs) == len(rows) else views[theirs])
        return actions

    def _by_player(self, chairs: np.ndarray) -> list[tuple[Player, np.ndarray]]:
        """Each player once, with the places where it is to act."""
        found = []
        for player in {id(player): player for player in self.players}.values():
            its_chairs = [chair for chair, other in enumerate(self.players, start=1) if other is player]
            theirs = np.flatnonzero(np.isin(chairs, its_chairs))
            if len(theirs):
                found.append((player, theirs))
        return found

    def _offered(self, rows: np.ndarray, mask: np.ndarray) -> np.ndarray:
        """``mask`` without the pass, where the seat to act is forced to open."""
        forced = self.opener[rows] == self.tables.states["seat"][rows]
        if self.tables.game.passes_to_void is not None and forced.any():
            states = self.tables.states[rows]
            mask[forced & (states["bid"] == NO_BID) & (states["phase"] == 0), self.tables.game.groups["pass_"]] = 0
        return mask

"""Tables: n tables of any game as plain numpy arrays. The fast way in, and what every environment stands on."""

import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from .checks import buffers, flag, one_of, positive, seed_value, seeds_for, whole
from .engine.batch import ACTOR, OFFER, PAGE_ROWS, SETTINGS, TRAIL, Loops, loops_of, refused
from .engine.cards import CARDS, NO_SEAT, SEAT_LETTERS, SEATS, mix
from .engine.game import Game
from .engine.kernel import python_of, records
from .engine.rules import OptionError, rules_record
from .games import load
from .opening import Opening

REWARDS = ("margin", "winner")
ILLEGAL = ("raise", "terminate")
LEDGERS = ("zero", "random")
FEATURES = ("full", "raw")
INT8, FLOAT32, BOOL = np.dtype(np.int8), np.dtype(np.float32), np.dtype(np.bool_)
"""Of the buffers."""


class IllegalAction(ValueError):
    """An action that may not be made now; nothing has changed. The message names the table, the seat, the action and why."""


class Seen(NamedTuple):
    """What :meth:`Tables.observe` returns."""

    observation: np.ndarray
    """(n, F) int8, bits."""
    mask: np.ndarray
    """(n, A) int8, 1 where the action is legal; all 0 where the seat is not to act."""
    seat: np.ndarray
    """(n,) int8, the seat that observes; -1 where the episode is over and the actor was asked for."""


class Outcome(NamedTuple):
    """What :meth:`Tables.step` returns."""

    reward: np.ndarray
    """(n, 4) float32, by seat."""
    terminated: np.ndarray
    """(n,) bool, the episode is over."""
    truncated: np.ndarray
    """(n,) bool, the episode was cut off after ``max_deals`` deals."""


class Trail(NamedTuple):
    """The actions of one deal, in order."""

    seat: np.ndarray
    """(k,) int8, whose decision each was."""
    action: np.ndarray
    """(k,) int16"""


@dataclass(frozen=True)
class Views:
    """What players may know: one row for each table that is to move."""

    game: Game
    seat: np.ndarray
    """(n,) int8"""
    observation: np.ndarray
    """(n, F) int8"""
    mask: np.ndarray
    """(n, A) int8"""
    _states: np.ndarray
    _loops: Loops

    def __len__(self) -> int:
        return len(self.seat)

    @cached_property
    def state(self) -> np.ndarray:
        """(n,) records of ``game.state``, everything blanked that the seat does not know, the random stream too."""
        states = self._states.copy()
        self._loops.veil(records(states), self.seat)
        return states

    def worlds(self, count: int, rng: int | np.random.Generator) -> np.ndarray:
        """(n, count) records of ``game.state``: full states, what the seat does not know drawn uniformly from all that it may be; ``rng``
        is a seed, or a generator that goes on."""
        shape = len(self), whole("count", count, 1)
        states = np.repeat(self._states, count)
        self._loops.redeal(records(states), np.repeat(self.seat, count), streams_of(rng, len(states)))
        return states.reshape(shape)

    def check_game(self, game: Game, who: object) -> None:
        """``ValueError`` where these are views of another game than ``who`` plays."""
        if self.game is not game:
            raise ValueError(f"{type(who).__name__} was made for {game.title} and can't play {self.game.title}: make one for that game")

    def __getitem__(self, rows: np.ndarray) -> "Views":
        """The views of some rows."""
        return Views(self.game, self.seat[rows], self.observation[rows], self.mask[rows], self._states[rows], self._loops)


def streams_of(rng: int | np.random.Generator, n: int) -> np.ndarray:
    """(n,) uint64, where the streams of so many random deals begin."""
    rng = rng if isinstance(rng, np.random.Generator) else np.random.default_rng(seed_value(rng))
    return rng.integers(2**64, size=n, dtype=np.uint64)


class Tables:
    """``n`` tables of one game.

    Args:
        game: its name (``"vint"``, ``"skruuvi"``, ``"biritch"``) or the :class:`~skruv.engine.game.Game`.
        n: how many tables.
        seed: table i is dealt what ``env.reset(seed=seed + i)`` deals; ``None``: from the system's entropy.
        autoreset: begin the next episode in the step that ends one; the step's reward and flags belong to the old episode, the next
            observation to the new one. Else a table that has ended waits for :meth:`reset`.
        threads: worker threads over which the tables are split.
        features: ``"full"``, or ``"raw"`` without the derived block at the end.
        reward: ``"margin"``, own points minus the other side's, paid when a deal is recorded; or ``"winner"``, +1, 0 or -1 at the end.
        reward_scale: factor of every reward.
        illegal: ``"raise"`` :class:`IllegalAction`; or ``"terminate"`` the episode, the offender's side paying ``illegal_penalty``.
        illegal_penalty: points; ``None``: 1 with ``"winner"``, the game's worst undoubled deal with ``"margin"``.
        skip_forced: play single legal actions automatically (G-1).
        ledger: ``"zero"``, or ``"random"``: every episode starts from a plausible running score.
        max_deals: truncate an episode after so many deals, passed-out ones included; ``None``: never.
        trails: keep the actions of each table's deals (:meth:`trail`).
        **rules: the fields of the game's rules class; for Skruuvi ``variant`` too.

    Raises:
        OptionError: an option that does not exist or is not allowed.
    """

    def __init__(
        self,
        game: str | Game,
        n: int = 1,
        *,
        seed: int | None = None,
        autoreset: bool = True,
        threads: int = 1,
        features: str = "full",
        reward: str = "margin",
        reward_scale: float = 1.0,
        illegal: str = "raise",
        illegal_penalty: float | None = None,
        skip_forced: bool = False,
        ledger: str = "zero",
        max_deals: int | None = 100,
        trails: bool = False,
        **rules: Any,
    ) -> None:
        self.game = load(game) if isinstance(game, str) else game
        self.n = whole("n", n, 1)
        self.threads = whole("threads", threads, 1)
        self.features = one_of("features", features, FEATURES)
        self.rules = self.game.make_rules(rules)
        self.settings = np.zeros(1, SETTINGS)
        self.settings["reward"] = REWARDS.index(one_of("reward", reward, REWARDS))
        self.settings["illegal"] = ILLEGAL.index(one_of("illegal", illegal, ILLEGAL))
        self.settings["autoreset"] = flag("autoreset", autoreset)
        self.settings["skip_forced"] = flag("skip_forced", skip_forced)
        self.settings["random_ledger"] = LEDGERS.index(one_of("ledger", ledger, LEDGERS))
        self.settings["scale"] = positive("reward_scale", reward_scale)
        self.settings["penalty"] = self._penalty(illegal_penalty, reward)
        self.settings["max_deals"] = -1 if max_deals is None else whole("max_deals", max_deals, 1)
        self.size = self.game.size(features)
        """F, the bits of an observation."""
        self.actions = self.game.action.itemsize
        """A, the number of actions."""
        self.states = np.zeros(self.n, self.game.state)
        """(n,) records, to be read; :meth:`load` puts others in their place."""
        self.states["result"]["contract"] = self.states["result"]["declarer"] = self.states["result"]["alone"] = -1
        self.states["last_trick"] = self.states["last_leader"] = -1
        self.ended = np.zeros(self.n, np.int8)
        self.trails = np.zeros(self.n if flag("trails", trails) else 0, TRAIL)
        self._prepare()
        self.reset(seed=int.from_bytes(os.urandom(6), "little") if seed is None else seed)

    def _penalty(self, illegal_penalty: float | None, reward: str) -> float:
        if illegal_penalty is None:
            return 1.0 if reward == "winner" else float(self.game.worst_deal)
        return positive("illegal_penalty", illegal_penalty, zero=True)

    def _prepare(self) -> None:
        """What is not part of a table's value: compiled loops, buffers, worker threads."""
        self._loops = loops_of(self.game)
        self._rows = np.arange(self.n)
        self._actors = np.full(self.n, ACTOR, np.int8)
        views = [np.zeros(1, self.game.view) for _ in range(self.threads)]
        self._scratch = [(records(view), view.view(np.int64), np.zeros((PAGE_ROWS, self.size), np.int8)) for view in views]
        self._records = records(self.states)
        self._offers = np.zeros(OFFER * (self.n + 1), np.int64)
        self._loops.renew(self._records, self.ended, self._offers, self._rows)
        self._trail_records = records(self.trails)
        self._setting_records = records(self.settings)
        self._pool = ThreadPoolExecutor(self.threads) if self.threads > 1 else None
        self._process = os.getpid()

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if not name.startswith("_")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._prepare()

    # ---- seeing -------------------------------------------------------------------------------------------------------------

    def observe(
        self, seat: int | np.ndarray | None = None, rows: np.ndarray | None = None, *, out: tuple[np.ndarray, ...] | None = None
    ) -> Seen:
        """What a seat of each table sees.

        Args:
            seat: 0..3, or one for each row; ``None``: whoever is to act.
            rows: (k,) integers, which tables; ``None``: all.
            out: three buffers to write into, of the shapes and dtypes of :class:`Seen`; by default new arrays, never written again.
        """
        rows = self._rows if rows is None else self._check_rows(rows)
        seats = self._actors[: len(rows)] if seat is None else self._check_seats(seat, rows)
        k = len(rows)
        out = buffers({"observation": ((k, self.size), INT8), "mask": ((k, self.actions), INT8), "seat": ((k,), INT8)}, out)
        self._split(self._look, rows, seats, *out)
        return Seen(*out)

    def _look(self, worker: int, rows: np.ndarray, seats: np.ndarray, *out: np.ndarray) -> None:
        self._loops.look(self._records, self.ended, self._offers, rows, seats, *self._scratch[worker], *out)

    def views(self, rows: np.ndarray | None = None) -> Views:
        """What the players to move at ``rows`` may know."""
        rows = self._rows if rows is None else self._check_rows(rows)
        seen = self.observe(rows=rows)
        return Views(self.game, seen.seat, seen.observation, seen.mask, self.states[rows], self._loops)

    def hidden(self) -> np.ndarray:
        """(n, 3, 52) int8: the hands of left, partner and right from the actor's chair, for critics and belief targets."""
        chairs = (self.states["seat"][:, None] + np.arange(1, len(SEATS))) % len(SEATS)
        hands = np.take_along_axis(self.states["hand"], chairs, axis=1)
        return (hands[:, :, None] >> np.arange(len(CARDS)) & 1).astype(np.int8)

    @property
    def phase(self) -> np.ndarray:
        """(n,) int8, places in ``game.phases``; -1 where the session is over."""
        return self.states["phase"].copy()

    @property
    def forced(self) -> np.ndarray:
        """(n,) bool, the actor has a single legal action."""
        return self.legal().sum(axis=1) == 1

    def legal(self, *, out: np.ndarray | None = None) -> np.ndarray:
        """(n, A) int8, the mask of whoever is to act, all 0 where the episode is over; written into ``out`` where it is given."""
        (mask,) = buffers({"mask": ((self.n, self.actions), INT8)}, None if out is None else (out,))
        self._loops.mark(self._offers, self._rows, mask)
        return mask

    @property
    def results(self) -> np.ndarray:
        """(n,) records of each table's last finished deal: contract (place in ``game.contracts``, -1 passed out), declarer, doublings
        (the factor is ``2 ** doublings``), tricks by side, and lines, points of each of ``game.lines`` by side."""
        return self.states["result"].copy()

    def trail(self, table: int, *, previous: bool = False) -> Trail:
        """The actions of a table's running deal, or of the ``previous`` one; needs ``trails=True``."""
        if not self.trails.size:
            raise OptionError("these tables keep no trails: make them with trails=True")
        trail = self.trails[table]
        page = 1 - trail["page"] if previous else trail["page"]
        length = trail["length"][page]
        return Trail(trail["seats"][page, :length].copy(), trail["actions"][page, :length].copy())

    # ---- moving -------------------------------------------------------------------------------------------------------------

    def step(self, actions: Any, rows: np.ndarray | None = None, *, out: tuple[np.ndarray, ...] | None = None) -> Outcome:
        """Make one action at each table.

        Args:
            actions: (n,) integers, or (k,) with ``rows``.
            rows: (k,) integers, only these tables move; ``None``: all.
            out: three buffers to write into, of the shapes and dtypes of :class:`Outcome`.

        Raises:
            IllegalAction: an action is not legal (with ``illegal="raise"``), or a table's episode is over; no table has moved then.
        """
        rows = self._rows if rows is None else self._check_rows(rows)
        actions = np.asarray(actions)
        if actions.shape != rows.shape or actions.dtype.kind not in "iu":
            raise ValueError(f"actions of shape {actions.shape} and dtype {actions.dtype}: they must be {len(rows)} integers")
        actions = np.ascontiguousarray(actions, np.int64)
        k = len(rows)
        out = buffers({"reward": ((k, len(SEATS)), FLOAT32), "terminated": ((k,), BOOL), "truncated": ((k,), BOOL)}, out)
        if self._pool is not None:
            place = refused(self.ended, self._offers, rows, actions, self._setting_records)
            if place >= 0:
                raise self.refusal(int(rows[place]), int(actions[place]))
        self._split(self._advance, rows, actions, *out)
        return Outcome(*out)

    def _advance(self, worker: int, rows: np.ndarray, actions: np.ndarray, *out: np.ndarray) -> None:
        place = self._loops.advance(
            self._records, self.ended, self._offers, self._trail_records, rows, actions, self._setting_records, *out
        )
        if place >= 0:
            raise self.refusal(int(rows[place]), int(actions[place]))

    def advance_call(self, actions: np.ndarray, *out: np.ndarray) -> tuple[Callable[..., int], tuple[Any, ...]]:
        """The compiled loop under :meth:`step`, and its arguments for all tables: for a caller that steps with the same buffers."""
        arguments = (self._records, self.ended, self._offers, self._trail_records, self._rows, actions, self._setting_records, *out)
        return self._loops.advance, arguments

    def look_call(self) -> tuple[Callable[..., None], tuple[Any, ...]]:
        """The compiled loop under :meth:`observe`, and its arguments for the actors of all tables, but for the three outputs."""
        arguments = (self._records, self.ended, self._offers, self._rows, self._actors, *self._scratch[0])
        return self._loops.look, arguments

    def refusal(self, table: int, action: int) -> IllegalAction:
        """Why ``action`` can't be made: the table, the seat, the action and what would be legal."""
        state, game = self.states[table], self.game
        if self.ended[table]:
            return IllegalAction(f"table {table}: its episode is over; reset it first")
        who = f"table {table}, {SEAT_LETTERS[state['seat']]} to act in the {game.phases[state['phase']]}"
        legal = [game.actions[index] for index in np.flatnonzero(self.observe(rows=np.array([table])).mask[0])]
        some = " ".join(legal[:16]) + (f" ... ({len(legal)} in all)" if len(legal) > 16 else "")
        if not 0 <= action < self.actions:
            return IllegalAction(f"{who}: {action} is no action of {game.title}: they are 0..{self.actions - 1}; legal now: {some}")
        return IllegalAction(f"{who}: {game.actions[action]} (action {action}) is not legal; legal now: {some}")

    # ---- starting -----------------------------------------------------------------------------------------------------------

    def reset(
        self, rows: np.ndarray | None = None, *, seed: int | Sequence[int] | np.ndarray | None = None,
        deals: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None,
    ) -> None:
        """Begin a new episode.

        Args:
            rows: (k,) integers, which tables; ``None``: all.
            seed: table i of ``rows`` is dealt from seed + i, or from the i-th of k seeds; ``None``: each goes on with its own random
                stream.
            deals: where to begin, one mapping for all the tables or one for each. Its keys, all optional: ``deal`` (a PBN deal),
                ``kotka`` (cards, Skruuvi), ``dealer`` (N E S W), ``ledger`` (``{"below": [120, 0], "games": [0, 1], "total": [..]}`` by
                side; Skruuvi: ``{"deal": 25, "total": [..]}``), ``contract`` and ``declarer`` (the play of the cards begins).

        Raises:
            OptionError, NotationError: of ``deals``; nothing has changed then.
        """
        rows = self._rows if rows is None else self._check_rows(rows)
        if deals is not None and not isinstance(deals, (Mapping, Sequence)):
            raise OptionError(f"deals = {deals!r}: it must be a mapping, or one for each table")
        given = [deals] * len(rows) if deals is None or isinstance(deals, Mapping) else list(deals)
        if len(given) != len(rows):
            raise OptionError(f"deals has {len(given)} entries for {len(rows)} tables")
        openings = [Opening.read(self.game, self.rules, options) for options in given if options]
        if seed is not None:
            self.states["stream"][rows] = python_of(mix)(seeds_for(seed, len(rows)))
        self.states["rules"][rows] = rules_record(self.rules)
        self._loops.restart(self._records, self.ended, self._offers, rows, self._setting_records)
        self._wipe_trails(rows)
        if openings:
            self._open(rows[[bool(options) for options in given]], openings)

    def change_rules(self, **rules: Any) -> None:
        """Other rules for every table, each from its next :meth:`reset`; for tables without ``autoreset``."""
        if self.settings["autoreset"][0]:
            raise OptionError("the rules of tables with autoreset=True can't be changed: make them with autoreset=False")
        self.rules = self.game.make_rules(rules)

    def _open(self, rows: np.ndarray, openings: list[Opening]) -> None:
        for row, opening in zip(rows, openings, strict=True):
            opening.write(self.states[row : row + 1])
        self._loops.arrange(
            self._records, self._offers, rows,
            np.array([opening.hands is not None for opening in openings]),
            np.array([opening.contract for opening in openings]),
            np.array([opening.declarer for opening in openings]),
        )

    def _wipe_trails(self, rows: np.ndarray) -> None:
        if self.trails.size:
            self.trails["length"][rows] = 0

    def save(self, rows: np.ndarray | None = None) -> np.ndarray:
        """Copies of the states of ``rows``: plain records, to clone, to branch, to start from anywhere."""
        return self.states[self._rows if rows is None else self._check_rows(rows)].copy()

    def known(self, seat: int, rows: np.ndarray | None = None) -> np.ndarray:
        """Copies of the states of ``rows`` with everything blanked that ``seat`` does not know."""
        states = self.save(rows)
        self._loops.veil(records(states), np.full(len(states), seat, np.int8))
        return states

    def load(self, states: np.ndarray, rows: np.ndarray | None = None) -> None:
        """Put saved ``states`` at the tables ``rows``; trails begin anew."""
        rows = self._rows if rows is None else self._check_rows(rows)
        if states.dtype != self.game.state or states.shape != rows.shape:
            raise ValueError(f"{states.shape} records for {len(rows)} tables: they must be as many, and saved from {self.game.name}")
        self.states[rows] = states
        self.ended[rows] = states["seat"] == NO_SEAT
        self._loops.renew(self._records, self.ended, self._offers, rows)
        self._wipe_trails(rows)

    def determinize(
        self, seat: int | np.ndarray | None = None, rows: np.ndarray | None = None, *, seed: int | np.random.Generator
    ) -> np.ndarray:
        """Full states that :meth:`load` takes: what a seat does not know is drawn uniformly from all deals that fit what it knows, its own
        and the open cards, those played, the voids shown and how many cards each hand holds.

        Args:
            seat: 0..3, or one for each row; ``None``: whoever is to act.
            rows: (k,) integers, which tables; ``None``: all.
            seed: the same seed draws the same; a generator goes on.
        """
        rows = self._rows if rows is None else self._check_rows(rows)
        states = self.save(rows)
        seats = self._check_seats(states["seat"] if seat is None else seat, rows)
        self._loops.redeal(records(states), seats, streams_of(seed, len(states)))
        return states

    # ---- helpers ------------------------------------------------------------------------------------------------------------

    def _check_rows(self, rows: Any) -> np.ndarray:
        rows = np.asarray(rows)
        if rows.dtype == np.bool_ and rows.shape == (self.n,):
            return np.flatnonzero(rows)
        if rows.ndim != 1 or (rows.dtype.kind not in "iu" and rows.size):
            raise ValueError(f"rows of shape {rows.shape} and dtype {rows.dtype}: they must be integers, or one bool for each table")
        rows = np.ascontiguousarray(rows, np.int64)
        if len(rows) and not (rows.min() >= 0 and rows.max() < self.n and len(np.unique(rows)) == len(rows)):
            raise ValueError(f"rows must be different tables of 0..{self.n - 1}")
        return rows

    def _check_seats(self, seat: Any, rows: np.ndarray) -> np.ndarray:
        given = np.asarray(seat)
        if given.dtype.kind not in "iu" or given.shape not in ((), rows.shape) or not np.isin(given, SEATS).all():
            raise ValueError(f"seat = {seat!r}: it must be 0..3, or one of these for each of {len(rows)} rows")
        return np.ascontiguousarray(np.broadcast_to(given, rows.shape), np.int8)

    def _split(self, loop: Any, rows: np.ndarray, *arrays: np.ndarray) -> None:
        """Run ``loop`` over ``rows``, on the worker threads if there are any."""
        if self._pool is None or len(rows) < 2 * self.threads:
            loop(0, rows, *arrays)
            return
        if self._process != os.getpid():  # a forked child has the pool, but not its threads
            self._prepare()
        bounds = [len(rows) * worker // self.threads for worker in range(self.threads + 1)]
        parts = [slice(*pair) for pair in pairwise(bounds)]
        jobs = [
            self._pool.submit(loop, worker, rows[part], *(array[part] for array in arrays)) for worker, part in enumerate(parts)
        ]
        for job in jobs:
            job.result()

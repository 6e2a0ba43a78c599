"""What a game is: a record of its name, its dtypes and its kernels."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np

from .cards import CARD_NAMES, CARDS, NO_BID, NO_SEAT, NO_SIDE, SIDES, session_stream, uniform
from .kernel import kernel, python_of
from .rules import NONE, OptionError, make_rules, rules_dtype
from .sight import Plane, view_dtype

class ScoreLine(NamedTuple):
    """A kind of entry on the score sheet."""

    column: str
    kind: str
    ruling: str


def result_dtype(lines: tuple[ScoreLine, ...]) -> np.dtype:
    """A finished deal: what was played, and its entries on the score sheet."""
    return np.dtype(
        [
            ("contract", "i1"),  # the game's number of the contract, -1 passed out
            ("declarer", "i1"),  # -1 passed out
            ("doublings", "i1"),  # the factor is 2 ** doublings
            ("tricks", "i1", len(SIDES)),  # as they were scored
            ("alone", "i1"),  # the seat that plays for itself against the three others, -1 nobody
            ("lines", "i8", (len(lines), len(SIDES))),  # points by kind and side
        ],
        align=True,
    )


def state_dtype(rules_class: type, ledger: list[tuple], lines: tuple[ScoreLine, ...], *fields: list[tuple]) -> np.dtype:
    """A game's state: what every session holds, its score sheet, and the ``fields`` of a deal."""
    session = [
        ("stream", "u8"),  # where the random stream is; it serves dealing alone
        ("rules", rules_dtype(rules_class)),  # the options, see skruv.engine.rules
        ("ledger", np.dtype([("total", "i8", len(SIDES)), *ledger], align=True)),  # the score sheet
        ("result", result_dtype(lines)),  # the last finished deal, survives the next one
        ("begun", "i4"),  # deals begun in this session
        ("finished", "i4"),  # deals finished in this session, passed-out ones too
        ("phase", "i1"),  # the game's number of the phase, or OVER
        ("seat", "i1"),  # whose decision it is, -1 when the session is over
        ("dealer", "i1"),
        ("winner", "i1"),  # the side that has won the session, -1 nobody (yet)
    ]
    return np.dtype([*session, *(field for group in fields for field in group)], align=True)


OVER = -1
"""The phase of a session that is over."""


@kernel
def draw_dealer(state):
    """The first dealer: the one that the rules name, or drawn (C-5)."""
    if state.rules.first_dealer != NONE:
        return np.int64(state.rules.first_dealer)
    return uniform(session_stream(state), 4)[1]


@kernel
def open_session(state):
    """A clean score sheet and the first dealer."""
    state.ledger.total[:] = 0
    state.begun = 0
    state.finished = 0
    state.winner = NO_SIDE
    state.dealer = draw_dealer(state)


@kernel
def record_deal(state, contract, declarer, doublings):
    """The deal is finished and ``state.result.lines`` is written: add it to the totals."""
    result = state.result
    result.contract = contract
    result.declarer = declarer
    result.doublings = doublings
    result.alone = NO_SEAT
    for side in SIDES:
        result.tricks[side] = state.tricks[side]
        for line in range(result.lines.shape[0]):
            state.ledger.total[side] += result.lines[line, side]
    state.finished += 1


@kernel
def pass_out(state):
    """Nobody has bid: a deal without a line."""
    state.result.lines[:] = 0
    record_deal(state, NO_BID, NO_SEAT, 0)


@kernel
def close_session(state, winner):
    """The session is over; nobody is to act."""
    state.winner = winner
    state.phase = OVER
    state.seat = NO_SEAT


@kernel
def deal_leader(result):
    """The side with more points in the finished deal, -1 where they are equal."""
    margin = (result.lines[:, 0] - result.lines[:, 1]).sum()
    return NO_SIDE if margin == 0 else np.int64(margin < 0)


@kernel
def leading_side(state):
    """The side with the higher total, -1 where they are equal."""
    total = state.ledger.total
    return NO_SIDE if total[0] == total[1] else np.int64(total[1] > total[0])


@dataclass(frozen=True, kw_only=True, eq=False)
class Game:
    """A game as the tables, environments, players and records see it.

    The kernels take one record of :attr:`state` first. ``reset(state)`` opens a session and deals; ``deal(state)`` shuffles and begins;
    ``begin(state)`` opens a deal whose hands are in place; ``legal(state)`` gives two bitboards, of cards and of calls;
    ``step(state, action)`` makes a legal action; ``observe(state, seat, view)`` writes the facts, ``derive(state, seat, view)`` what
    follows from them; ``hide(state, seat)`` blanks what the seat does not know; ``determinize(state, seat, stream)`` fills a
    state that was hidden so with one of the deals that the seat may be in; ``standing(state)`` gives contract, declarer and doublings of
    the running deal, -1 where nothing is bid; ``award(state, contract, declarer)`` starts the play of a given contract; ``claim(state,
    more)`` ends the deal as if side 0 took so many ``more`` tricks and side 1 the others; ``imagine(state)`` draws a plausible running
    score.
    """

    name: str
    title: str
    rules: type
    state: np.dtype
    planes: tuple[Plane, ...]
    calls: tuple[str, ...]
    """The names of the actions after the 52 cards, by action id."""
    action: np.dtype
    """The groups of actions, in the order of their ids."""
    phases: tuple[str, ...]
    lines: tuple[ScoreLine, ...]
    contracts: tuple[str, ...]
    """The names of the contracts, by their number."""
    worst_deal: int
    """The largest margin of one undoubled deal, points."""
    ledger_limits: Mapping[str, int]
    """For each field of the score sheet but the totals, the first value that it can't have when a deal begins."""
    check_opening: Callable[[Any, Any], None] | None = None
    """``check_opening(rules, opening)`` raises :class:`~skruv.engine.rules.OptionError` for a given beginning (``opening.contract``,
    ``.declarer``, ``.dealer``, ``.kotka``) that the rules do not have."""
    passes_to_void: int | None = None
    """Passes without a bid that void a deal; ``None`` where a deal can't be passed out."""
    variants: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Named presets of the rules."""
    reset: Callable[..., Any]
    deal: Callable[..., Any]
    begin: Callable[..., Any]
    legal: Callable[..., Any]
    step: Callable[..., Any]
    observe: Callable[..., Any]
    derive: Callable[..., Any]
    hide: Callable[..., Any]
    determinize: Callable[..., Any]
    standing: Callable[..., Any]
    award: Callable[..., Any]
    claim: Callable[..., Any]
    imagine: Callable[..., Any]

    def __reduce__(self) -> tuple[Callable[[str], "Game"], tuple[str]]:
        return _game_in, (self.reset.__module__,)

    def __deepcopy__(self, memo: dict[int, Any]) -> "Game":
        return self

    def make_rules(self, given: Mapping[str, Any]) -> Any:
        """The rules with the fields ``given``, laid over those of the preset that ``variant`` names.

        Raises :class:`~skruv.engine.rules.OptionError` for what does not exist or is not allowed.
        """
        options = dict(given)
        variant = options.pop("variant", None) if self.variants else None
        if variant is not None and variant not in tuple(self.variants):
            raise OptionError(f"variant = {variant!r}: it must be None or one of {', '.join(map(repr, self.variants))}")
        preset = {} if variant is None else self.variants[variant]
        return make_rules(self.rules, {**preset, **options})

    @cached_property
    def actions(self) -> tuple[str, ...]:
        """The names of all actions, by action id."""
        return CARD_NAMES + self.calls

    @cached_property
    def view(self) -> np.dtype:
        """What ``observe`` and ``derive`` write."""
        return view_dtype(self.planes)

    @property
    def facts(self) -> tuple[Plane, ...]:
        """The planes before the derived ones."""
        return tuple(plane for plane in self.planes if plane.sort != "derived")

    def size(self, features: str) -> int:
        """Bits of an observation: of the facts with ``"raw"`` features, of all planes with ``"full"``."""
        return sum(plane.size for plane in (self.planes if features == "full" else self.facts))

    @cached_property
    def groups(self) -> dict[str, slice]:
        """The ids of each group of actions: ``card``, ``pass_`` and the game's calls."""
        starts = {name: first_of(self.action, name) for name in field_names(self.action)}
        return {name: slice(start, start + self.action[name].itemsize) for name, start in starts.items()}

    def layout(self, features: str = "full") -> dict[str, slice]:
        """Where each plane lies in an observation."""
        end = 0
        layout = {}
        for plane in self.planes:
            if features == "full" or plane.sort != "derived":
                layout[plane.name] = slice(end, end := end + plane.size)
        return layout

    def standing_in(self, state: np.void) -> tuple[int, int, int]:
        """The contract, declarer and doublings of the running deal in ``state``, -1 where nothing is bid."""
        contract, declarer, doublings = python_of(self.standing)(state.view(np.recarray))
        return int(contract), int(declarer), int(doublings)

    @property
    def kernels(self) -> dict[str, Callable[..., Any]]:
        """The kernels by the names under which the loops call them."""
        names = (
            "reset", "deal", "begin", "legal", "step", "observe", "derive", "hide", "determinize", "standing", "award", "claim",
            "imagine",
        )
        return {name: getattr(self, name) for name in names}


def _game_in(module: str) -> Game:
    """The game that a module of the law ends in."""
    return import_module(module).GAME


def field_names(dtype: np.dtype) -> tuple[str, ...]:
    """The names of the fields of a structured dtype."""
    return dtype.names or ()


def first_of(action: np.dtype, group: str) -> int:
    """The id of the first action of ``group``."""
    before = field_names(action)[: field_names(action).index(group)]
    return sum(action[name].itemsize for name in before)


def action_dtype(calls: list[tuple]) -> np.dtype:
    """The groups of actions: the cards, then ``calls``."""
    return np.dtype([("card", "i1", len(CARDS)), *calls])

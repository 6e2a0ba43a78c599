"""What is to be drawn: one table as plain values, for drawers that know no rules.

A :class:`Scene` holds what its perspective knows and nothing else; the engine blanks the rest. How many cards a seat holds is public.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise, zip_longest
from typing import Any, NamedTuple

import numpy as np

from ..engine.cards import CARDS, NO_CARD, NO_SEAT, RANK_LETTERS, RANKS, SEAT_LETTERS, SEATS, SIDE_NAMES, SIDES, SUIT_LETTERS
from ..engine.game import Game, field_names
from ..notation import cards_of
from ..tables import Tables

SUITS_DRAWN = "SHCD"
"""The order of the suits in a hand, black and red in turn."""
PIPS = dict(zip("CDHSN", (*"♣♦♥♠", "NT"), strict=True))
PILES = ("kotka", "discards")
"""Cards that lie apart, by their field of the state, where the game has it."""
STANDINGS = ("below", "games", "deal")
"""Fields of a score sheet beside the total, where the game has them."""


class Hand(NamedTuple):
    """A seat and its cards."""

    seat: int
    cards: tuple[int, ...] | None
    """Spades first, the highest first in each suit; ``None``: the perspective does not see them."""
    held: int
    """How many."""
    marks: tuple[str, ...]
    """Of ``"dealer"``, ``"declarer"``, ``"dummy"``, ``"sits out"``."""


class Pile(NamedTuple):
    """Cards that lie apart."""

    name: str
    cards: tuple[int, ...] | None
    """``None``: face down."""
    size: int


class Row(NamedTuple):
    """A round of the auction, or several in which everybody passes."""

    calls: tuple[str, str, str, str]
    """By column; empty where the seat was not asked."""
    times: int = 1


class Line(NamedTuple):
    """An entry on the score sheet."""

    side: int
    column: str
    text: str
    points: int
    ruling: str


class SheetDeal(NamedTuple):
    """What a finished deal has brought."""

    number: int
    text: str
    """``"3H N x2"``; ``"passed out"``."""
    lines: tuple[Line, ...]
    won: bool
    """A game was won: a line is drawn below it."""

    def entries(self, side: int, column: str) -> list[str]:
        """The lines of a side in a column, in words."""
        return [f"{line.points} {line.text}" for line in self.lines if line.side == side and line.column == column]


class SheetRow(NamedTuple):
    """Below the line."""

    cells: tuple[str, ...]
    """By side."""
    won: bool
    """A line is drawn under it."""


@dataclass(frozen=True)
class Sheet:
    """The score sheet as it is kept on paper."""

    columns: tuple[str, ...]
    """``("above", "below")`` the line, or ``("score",)``."""
    carried: tuple[int, int]
    """Points by side before the first of ``deals``."""
    deals: tuple[SheetDeal, ...]
    total: tuple[int, int]
    standing: Mapping[str, Any]
    """What the game keeps beside the total: ``below``, ``games`` by side; ``deal``."""

    @property
    def kept(self) -> tuple[str, ...]:
        """:attr:`standing` in words."""
        return tuple(
            f"{name}s counted: {value}" if isinstance(value, int) else f"{name} {value[0]} : {value[1]}"
            for name, value in self.standing.items()
        )

    @property
    def above(self) -> tuple[list[str], list[str]]:
        """What stands above the line, by side, the oldest first; nothing where there is no line."""
        if len(self.columns) == 1:
            return [], []
        carried = [[f"{points} carried"] if points else [] for points in self.carried]
        first, second = ([*carried[side], *(text for deal in self.deals for text in deal.entries(side, "above"))] for side in SIDES)
        return first, second

    @property
    def below(self) -> list[SheetRow]:
        """The rows below the line, or of the whole sheet."""
        carried = len(self.columns) == 1 and any(self.carried)
        rows = [SheetRow(tuple(f"{points} carried" for points in self.carried), False)] if carried else []
        for deal in self.deals:
            pairs = list(zip_longest(*(deal.entries(side, self.columns[-1]) for side in SIDES), fillvalue=""))
            rows += [SheetRow(cells, deal.won and place == len(pairs)) for place, cells in enumerate(pairs, start=1)]
        return rows


@dataclass(frozen=True)
class Scene:
    """One table from one perspective."""

    title: str
    deal: int
    """Which one of the session, from 1."""
    phase: str
    turn: int | None
    """Whose decision it is; ``None``: nobody's, it is over."""
    playing: int | None
    """The seat whose hand is to play or speak: in Biritch it may be dummy's."""
    perspective: int | None
    """The seat that looks; ``None``: all hands are open."""
    dealer: int
    contract: str | None
    declarer: int | None
    doublings: int
    """The factor is ``2 ** doublings``."""
    tricks: tuple[int, int]
    hands: tuple[Hand, ...]
    """N E S W"""
    legal: frozenset[int]
    """The cards of :attr:`playing` that may be played now, where the perspective knows them."""
    leader: int | None
    trick: tuple[int | None, ...]
    """The card of each seat on the table."""
    last_trick: tuple[int | None, ...]
    """The one before, of this deal."""
    last_leader: int | None
    piles: tuple[Pile, ...]
    columns: tuple[int, ...]
    """Seats in the order of the auction."""
    auction: tuple[Row, ...]
    calls: int
    """How many the auction has."""
    sheet: Sheet = field(repr=False)

    @property
    def headline(self) -> tuple[str, ...]:
        """What, which deal, contract, tricks, whose turn."""
        words = [self.title, f"deal {self.deal}", self.phase if self.turn is not None else "over"]
        if self.contract is not None and self.declarer is not None:
            words.append(contract_text(self.contract, self.declarer, self.doublings))
        words.append("tricks " + ", ".join(f"{name} {tricks}" for name, tricks in zip(SIDE_NAMES, self.tricks, strict=True)))
        if self.turn is not None:
            words.append(f"{SEAT_LETTERS[self.turn]} to act" + self._for_whom())
        return tuple(words)

    def _for_whom(self) -> str:
        return "" if self.playing in (self.turn, None) else f" for {SEAT_LETTERS[self.playing]}"


class Past(NamedTuple):
    """A finished deal, as an environment keeps it."""

    opening: Any
    """The state as it began, a record."""
    result: Any
    """The record of it."""


def scene_of(tables: Tables, seat: int | None = None, table: int = 0, *, past: Sequence[Past] = ()) -> Scene:
    """One table as ``seat`` sees it, or with all hands open (``None``).

    Args:
        past: the deals that this session has finished, in order, for the score sheet; without them it shows the last one.
    """
    game, rows = tables.game, np.array([table])
    state = tables.states[table]
    seen = state if seat is None else tables.known(seat, rows)[0]
    over = state["seat"] == NO_SEAT
    turn = None if over else int(state["seat"])
    playing = int(state["turn"]) if not over and "turn" in field_names(state.dtype) and state["turn"] != NO_SEAT else turn
    contract, declarer, doublings = game.standing_in(state)
    looks_on = turn is None or seat not in (None, turn)
    columns, auction, calls = _auction(game, tables, table, over) if tables.trails.size else ((), (), 0)
    laid = state["laid"] > 0
    return Scene(
        title=game.title, deal=int(state["begun"]), phase=game.phases[state["phase"]] if not over else "over", turn=turn, playing=playing,
        perspective=seat, dealer=int(state["dealer"]), contract=game.contracts[contract] if contract >= 0 else None,
        declarer=declarer if declarer >= 0 else None, doublings=max(doublings, 0),
        tricks=(int(state["tricks"][0]), int(state["tricks"][1])),
        hands=_hands(tables, rows, state, seen, seat, declarer),
        legal=frozenset() if looks_on else frozenset(np.flatnonzero(tables.observe(rows=rows).mask[0, : len(CARDS)]).tolist()),
        leader=int(state["leader"]) if laid else None, trick=_trick(state["trick"] if laid else None),
        last_trick=_trick(state["last_trick"] if state["done"] > 0 else None),
        last_leader=int(state["last_leader"]) if state["done"] > 0 else None,
        piles=_piles(state, seen), columns=columns, auction=auction, calls=calls, sheet=_sheet(game, state, past),
    )


def scene_of_deal(boards: Sequence[int], apart: int, dealer: int | None) -> Scene:
    """Four open hands before anything is said, and the cards that lie ``apart``."""
    hands = tuple(
        Hand(seat, sorted_cards(board), board.bit_count(), ("dealer",) if seat == dealer else ()) for seat, board in enumerate(boards)
    )
    nothing: tuple[int | None, ...] = (None,) * len(SEATS)
    return Scene(
        title="Deal", deal=1, phase="over", turn=None, playing=None, perspective=None, dealer=0 if dealer is None else dealer,
        contract=None, declarer=None, doublings=0, tricks=(0, 0), hands=hands, legal=frozenset(), leader=None, trick=nothing,
        last_trick=nothing, last_leader=None, piles=(Pile("kotka", sorted_cards(apart), apart.bit_count()),) if apart else (),
        columns=(), auction=(), calls=0, sheet=Sheet((), (0, 0), (), (0, 0), {}),
    )


class Sight(NamedTuple):
    """What a seat sees beside its own hand."""

    hands: tuple[int, ...]
    """The seats whose cards it sees, its own too."""
    piles: Mapping[str, bool]
    """The piles that it knows of; whether it sees their cards."""


def sights_of(tables: Tables, table: int = 0) -> tuple[Sight, ...]:
    """What each seat sees of one table."""
    state, sights = tables.states[table], []
    for seat in SEATS:
        seen = tables.known(seat, np.array([table]))[0]
        hands = tuple(each for each in SEATS if each == seat or seen["hand"][each] == state["hand"][each] != 0)
        sights.append(Sight(hands, {pile.name: pile.cards is not None for pile in _piles(state, seen)}))
    return tuple(sights)


def closing_scene(tables: Tables, before: Scene, opening: np.void, action: int) -> Scene:
    """A deal that ``action`` has just finished, all hands open, also where the table has dealt the next one.

    Args:
        before: what was seen before it, all hands open.
        opening: the state as the deal began.
    """
    game, state = tables.game, tables.states[0]
    result = state["result"]
    hands = tuple(hand._replace(cards=tuple(card for card in hand.cards or () if card != action)) for hand in before.hands)
    columns, auction, calls = _auction(game, tables, 0, True)
    played = result["contract"] >= 0
    return replace(
        before, phase="over", turn=None, playing=None, hands=tuple(hand._replace(held=len(hand.cards or ())) for hand in hands),
        tricks=(int(result["tricks"][0]), int(result["tricks"][1])), legal=frozenset(), leader=None, trick=_trick(None),
        last_trick=_trick(state["last_trick"] if played else None), last_leader=int(state["last_leader"]) if played else None,
        columns=columns, auction=auction, calls=calls, sheet=_sheet(game, state, [Past(opening, result)]),
    )


def contract_text(contract: str, declarer: int, doublings: int) -> str:
    """``"3♥ by N, x2"``"""
    return f"{call_text(contract)} by {SEAT_LETTERS[declarer]}" + (f", x{2**doublings}" if doublings else "")


def call_text(call: str) -> str:
    """A call with the pip of its suit: ``"3♥"``, ``"3NT"``; words stay."""
    head, letter = call[:-1], call[-1]
    return head + PIPS[letter] if letter in PIPS and (not head or head.isdigit()) else call


def card_text(card: int) -> str:
    """``"♠A"``"""
    return PIPS[SUIT_LETTERS[card // len(RANKS)]] + RANK_LETTERS[card % len(RANKS)]


def sorted_cards(board: int) -> tuple[int, ...]:
    """The cards of a bitboard as they are held in a hand."""
    return tuple(sorted(cards_of(board), key=lambda card: (SUITS_DRAWN.index(SUIT_LETTERS[card // len(RANKS)]), -card)))


def _hands(tables: Tables, rows: np.ndarray, state: np.void, seen: np.void, seat: int | None, declarer: int) -> tuple[Hand, ...]:
    """The hands, each with what its seat is."""
    onlookers = [tables.known(each, rows)[0] for each in (0, 1)]
    hands = []
    for each in SEATS:
        board = int(state["hand"][each])
        marks = [name for name, who in (("dealer", state["dealer"]), ("declarer", declarer)) if who == each]
        if board and int(onlookers[each == 0]["hand"][each]) == board:
            marks.append("dummy")
        if state["done"] > 0 and not state["played"][each]:
            marks.append("sits out")
        known = seat is None or each == seat or int(seen["hand"][each]) == board
        hands.append(Hand(each, sorted_cards(board) if known else None, board.bit_count(), tuple(marks)))
    return tuple(hands)


def _trick(cards: Iterable[int] | None) -> tuple[int | None, ...]:
    return tuple(None if card == NO_CARD else int(card) for card in cards) if cards is not None else (None,) * len(SEATS)


def _piles(state: np.void, seen: np.void) -> tuple[Pile, ...]:
    """Face up where the perspective knows them; the kotka face down only as long as it lies on the table."""
    piles = []
    held = int(np.bitwise_or.reduce(state["hand"] | state["played"]))
    for name in PILES:
        if name in field_names(state.dtype) and state[name]:
            held |= int(state["discards"])
            if seen[name]:
                piles.append(Pile(name, sorted_cards(int(seen[name])), int(seen[name]).bit_count()))
            elif name == "discards" or int(state[name]) & ~held:
                piles.append(Pile(name, None, int(state[name]).bit_count()))
    return tuple(piles)


def _auction(game: Game, tables: Tables, table: int, over: bool) -> tuple[tuple[int, ...], tuple[Row, ...], int]:
    """The columns, the rows and the number of calls of the running deal, or of the one that was the last."""
    seats, actions = tables.trail(table, previous=over)
    first: int | None = None
    rows: list[list[str]] = []
    last = len(SEATS)
    calls = 0
    for seat, action in zip(seats.tolist(), actions.tolist(), strict=True):
        if action < len(CARDS):
            last = len(SEATS)
            continue
        calls += 1
        first = seat if first is None else first
        column = (seat - first) % len(SEATS)
        if column <= last:
            rows.append([""] * len(SEATS))
        rows[-1][column] = call_text(game.actions[action])
        last = column
    start = int(tables.states["dealer"][table]) if first is None else first
    return tuple((start + place) % len(SEATS) for place in SEATS), tuple(_folded(rows)), calls


def _folded(rows: Iterable[list[str]]) -> Iterable[Row]:
    """Rounds in which everybody passes, one after the other, as one row."""
    held: Row | None = None
    for calls in rows:
        row = Row((calls[0], calls[1], calls[2], calls[3]))
        if held is not None and held.calls == row.calls == ("P",) * len(SEATS):
            held = held._replace(times=held.times + 1)
            continue
        if held is not None:
            yield held
        held = row
    if held is not None:
        yield held


def _sheet(game: Game, state: np.void, past: Sequence[Past]) -> Sheet:
    ledger = state["ledger"]
    results = [each.result for each in past] or [state["result"]] * bool(state["finished"])
    games = [_games(each.opening["ledger"]) for each in past] + [_games(ledger)]
    won = [later > earlier for earlier, later in pairwise(games)] or [False] * len(results)
    first = int(state["finished"]) - len(results) + 1
    deals = tuple(
        SheetDeal(number, _played(game, result), _lines(game, result), drawn)
        for number, (result, drawn) in enumerate(zip(results, won, strict=True), start=first)
    )
    total = ledger["total"].tolist()
    earned = [sum(line.points for deal in deals for line in deal.lines if line.side == side) for side in SIDES]
    return Sheet(
        columns=tuple(sorted({line.column for line in game.lines})), carried=(total[0] - earned[0], total[1] - earned[1]), deals=deals,
        total=(total[0], total[1]),
        standing={name: ledger[name].tolist() for name in STANDINGS if name in field_names(ledger.dtype)},
    )


def _games(ledger: np.void) -> int:
    """Games won by either side."""
    return int(ledger["games"].sum()) if "games" in field_names(ledger.dtype) else 0


def _played(game: Game, result: np.void) -> str:
    if result["contract"] < 0:
        return "passed out"
    return contract_text(game.contracts[result["contract"]], int(result["declarer"]), int(result["doublings"]))


def _lines(game: Game, result: np.void) -> tuple[Line, ...]:
    return tuple(
        Line(side, line.column, line.kind.replace("_", " "), int(points), line.ruling)
        for line, row in zip(game.lines, result["lines"], strict=True)
        for side, points in enumerate(row)
        if points
    )

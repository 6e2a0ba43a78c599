"""What the three games share: cards, seats, tricks, the score sheet and the table.

A game is a generator: it yields (the seat to decide, the actions it may choose from), is sent the
action chosen, and goes on. So each game file reads as the deal is played, top to bottom.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple, TypeAlias, TypeVar, get_args, get_origin, get_type_hints

T = TypeVar("T")

Asks: TypeAlias = Generator[tuple[int, set[str]], str, T]
"""Part of a game: asks seats for actions, and in the end returns a T."""

Source: TypeAlias = Callable[[int], tuple[list[list[str]], list[str]]]
"""k -> the four hands and the kotka of the k-th deal begun."""

Trick: TypeAlias = list[tuple[int, str]]
"""(seat, card) in the order played."""

Line: TypeAlias = tuple[str, str, str, int]
"""(side, column, kind, points): one entry of the score sheet."""

Entry: TypeAlias = tuple[int, str, int]
"""(side, kind, points): a line before it is put on the sheet."""

# Cards, by suit and rank. "N" stands in the place of a suit for no trump.
SUITS = "CDHS"
NO_TRUMP = "N"
RANKS = "23456789TJQKA"
CARDS = [suit + rank for suit in SUITS for rank in RANKS]
ACES = [suit + "A" for suit in SUITS]
HONOURS = "AKQJT"

# Seats N E S W, clockwise (C-1, C-2).
SEATS = (0, 1, 2, 3)
SIDES = (0, 1)
SIDE_NAMES = ("NS", "EW")

PASS = "P"


def left_of(seat: int) -> int:
    return (seat + 1) % 4


def partner_of(seat: int) -> int:
    return (seat + 2) % 4


def right_of(seat: int) -> int:
    return (seat + 3) % 4


def side_of(seat: int) -> int:
    return seat % 2


def other_side(side: int) -> int:
    return 1 - side


def clockwise(seat: int) -> list[int]:
    """The four seats, beginning with this one."""
    return [seat, left_of(seat), partner_of(seat), right_of(seat)]


def itself(seat: int) -> int:
    """Who decides for a seat, where there is no dummy."""
    return seat


def held(hand: Iterable[str], cards: Iterable[str]) -> int:
    """How many of these cards the hand holds."""
    return len(set(hand) & set(cards))


def honours_of(strain: str) -> list[str]:
    """A K Q J 10 of trumps; none at no trump."""
    return [] if strain == NO_TRUMP else [strain + rank for rank in HONOURS]


# Tricks: follow suit if able, else any card; no duty to trump or to overtake (section 1).


def playable(hand: list[str], trick: Trick) -> set[str]:
    if trick:
        led = trick[0][1][0]
        following = {card for card in hand if card[0] == led}
        if following:
            return following
    return set(hand)


def winner_of(trick: Trick, strain: str) -> int:
    """The highest trump, else the highest card of the suit led."""
    trumps = [(seat, card) for seat, card in trick if card[0] == strain]
    led = [(seat, card) for seat, card in trick if card[0] == trick[0][1][0]]
    return max(trumps or led, key=lambda played: RANKS.index(played[1][1]))[0]


# The score sheet.


class Result(NamedTuple):
    """A finished deal."""

    contract: str | None
    declarer: int | None
    doublings: int
    tricks: tuple[int, int]
    lines: list[Line]
    passed_out: bool


def passed_out() -> Result:
    return Result(None, None, 0, (0, 0), [], True)


def sheet(entries: Iterable[Entry], columns: Mapping[str, str]) -> list[Line]:
    """The entries as lines: summed by side and kind, in the order of `columns` (kind -> column), NS
    before EW, without those of no points."""
    sums: dict[tuple[str, int], int] = {(kind, side): 0 for kind in columns for side in SIDES}
    for side, kind, points in entries:
        sums[kind, side] += points
    return [
        (SIDE_NAMES[side], columns[kind], kind, points) for (kind, side), points in sums.items() if points
    ]


def leader(totals: Sequence[int]) -> int | None:
    """The side with more points; None if they are level."""
    return None if totals[0] == totals[1] else int(totals[1] > totals[0])


Rules = TypeVar("Rules")


def read_rules(kind: type[Rules], options: Mapping[str, Any]) -> Rules:
    """The options as a rules record; ValueError for a word that is not among its choices."""
    rules = kind(**options)
    hints = get_type_hints(kind)
    for name, value in vars(rules).items():
        choices = get_args(hints[name]) if get_origin(hints[name]) is Literal else (value,)
        if value not in choices:
            raise ValueError(f"{name}={value!r}: one of {choices}")
    return rules


class Table:
    """One running game. `opening` makes the generator that plays the session at this table."""

    def __init__(self, source: Source, dealer: int, ledger: Mapping[str, Any]) -> None:
        self.dealer = dealer
        self.phase = "deal"
        self.hands: list[list[str]] = [[], [], [], []]
        self.kotka: list[str] = []
        self.below = list(ledger.get("below", (0, 0)))
        """Points below the current line, by side (Vint, Biritch)."""
        self.games = list(ledger.get("games", (0, 0)))
        """Games won in this rubber, by side (Vint, Biritch)."""
        self.number: int = ledger.get("deal", 0)
        """Number of the deal in its rubber or match (Skruuvi)."""
        self.totals = [0, 0]
        """Points recorded in this session, by side."""
        self.results: list[Result] = []
        self.winner: int | None = None
        self.over = False
        self._source = source
        self._begun = 0
        self._session: Asks[None]
        self._asked: tuple[int, set[str]] | None = None

    def start(self, session: Asks[None]) -> Table:
        """Begin: the table deals and asks for the first call."""
        self._session = session
        self._proceed(None)
        return self

    @property
    def seat(self) -> int | None:
        """Whose decision it is; None when the session is over."""
        return None if self._asked is None else self._asked[0]

    def legal(self) -> set[str]:
        """What that seat may do."""
        return set() if self._asked is None else set(self._asked[1])

    def step(self, action: str) -> None:
        """Take the action for `seat`. Raises ValueError, and changes nothing, if it is illegal."""
        if action not in self.legal():
            raise ValueError(f"{action!r} is illegal for seat {self.seat} in {self.phase}")
        self._proceed(action)

    def _proceed(self, action: str | None) -> None:
        try:
            self._asked = next(self._session) if action is None else self._session.send(action)
        except StopIteration:
            self._asked = None
            self.over = True
            self.phase = "over"

    def deal(self, kotka: int) -> list[list[str]]:
        """Deal the next deal of the source, with so many cards in the kotka; a copy of the hands as dealt.

        Raises RuntimeError if the source gives anything else."""
        hands, rest = self._source(self._begun)
        self._begun += 1
        sizes = [len(hand) for hand in hands] + [len(rest)]
        if sizes != [(52 - kotka) // 4] * 4 + [kotka]:
            raise RuntimeError(f"a deal with a kotka of {kotka}, not hands and kotka of {sizes}")
        if sorted(sum(hands, list(rest))) != sorted(CARDS):
            raise RuntimeError("a deal is the 52 cards, each once")
        self.hands = [list(hand) for hand in hands]
        self.kotka = list(rest)
        return [list(hand) for hand in hands]

    def record(self, result: Result) -> None:
        """Add a finished deal to the results and to the totals."""
        self.results.append(result)
        for side, _, _, points in result.lines:
            self.totals[SIDE_NAMES.index(side)] += points


def play(
    table: Table,
    first: int,
    strain: str,
    players: Sequence[int] = SEATS,
    decides: Callable[[int], int] = itself,
) -> Asks[list[Trick]]:
    """Play the hands of `players` to the last card, `first` leading, then the winner of each trick."""
    table.phase = "play"
    tricks: list[Trick] = []
    while table.hands[first]:
        trick: Trick = []
        for seat in [seat for seat in clockwise(first) if seat in players]:
            card = yield decides(seat), playable(table.hands[seat], trick)
            table.hands[seat].remove(card)
            trick.append((seat, card))
        tricks.append(trick)
        first = winner_of(trick, strain)
    return tricks

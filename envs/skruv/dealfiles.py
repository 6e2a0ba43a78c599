"""Deals from PBN and LIN files, and into PBN files.

A PBN board is a run of tags; its deal is ``[Deal "E:<hand> <hand> <hand> <hand>"]``, hands clockwise. **The letter is the seat of the
first hand, not the dealer**: that one is in ``[Dealer "N"]``. A LIN deal is ``md|3SAKQHJ..D..C..,S..,S..,S..|``: the dealer (1 South,
2 West, 3 North, 4 East), then the hands clockwise from South, of which the fourth may be left out. In either, one hand that is not
given follows from the other three.

Read are UTF-8, UTF-16 with its mark, and Latin-1; all line ends; comments (``;``, ``{...}``, lines with ``%``); lower case; ``10`` for
T; ``-`` for a void; boards with no blank line between. Only deals are read: 52 cards, 13 to a seat. A file is read exactly or
refused with file, line and reason: a wrong card, a hand of another size, a dealer without a deal, or one of two readings.

Source of the form: the PBN standard 2.1 (sections 2, 3 and 4.8). LIN has none; it is read as Bridge Base Online writes it.
"""

import codecs
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from .engine.cards import ALL_CARDS, RANKS, SEAT_LETTERS, SEATS, SUIT_LETTERS
from .notation import PBN_SUITS, NotationError, cards_text, deal_text, hand_text, parse_hand, parse_seat

LIN_DEALERS = {"1": "S", "2": "W", "3": "N", "4": "E"}
LIN_FIRST = SEAT_LETTERS.index("S")
ENCODINGS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
"""By the byte order mark a file begins with."""
ONCE = ("Event", "Board", "Dealer", "Deal")
"""PBN tags that a board has but once: where one comes again, the next board has begun."""
UNKNOWN = ("", "?")
"""PBN's words for a value that is not known."""
QUOTED = 60
"""Characters of a file that a message quotes at most; more than any hand has."""

PBN_TOKEN = re.compile(
    r"""
      ^%[^\n]* | ;[^\n]* | \{[^}]*\}                                                    # comments
    | \[\s*(?P<name>\w+)\s*"(?P<value>(?:[^"\\\n]|\\[^\n])*)"\s*\]                      # a tag
    | (?P<blank>^[ \t]*\n)
    | (?P<wrong>[\[\]{][^\n]* | (?i:\bmd\|)[^\n]*)
    | "[^"\n]*"                                                                         # in a table
    """,
    re.MULTILINE | re.VERBOSE,
)
LIN_GAP = r"(?:\s|%[^\n]*)*+"
LIN_START = re.compile(LIN_GAP + r"\w\w\s*\|")
LIN_PAIR = re.compile(LIN_GAP + r"(?P<command>[^\s|]{1,2})\s*\|(?P<value>[^|]*)\|?")
LIN_REST = re.compile(LIN_GAP + r"(?P<rest>[^\n]*)")


class DealFileError(ValueError):
    """A file of deals that can't be read or written; the message gives the file, the line and the reason."""


@dataclass(frozen=True)
class FileDeal:
    """A deal of a file; equal to another if all but the line is."""

    hands: tuple[int, int, int, int]
    """By seat N E S W, bitboards of ``1 << card``, 13 cards each."""
    dealer: int | None = None
    """The seat, ``None`` where the file does not tell."""
    board: str | None = None
    """The name of the board, mostly a number; ``None`` where the file has none."""
    line: int = field(default=0, compare=False)
    """Where the deal begins in the file, from 1 on; 0 if it is of no file."""

    def _repr_html_(self) -> str:
        from .render.html import draw_deal

        return draw_deal(self.hands, dealer=self.dealer)

    @property
    def options(self) -> dict[str, str]:
        """What ``env.reset(options=...)`` and ``Tables.reset(deals=...)`` take: the deal, and the dealer where he is known."""
        dealer = {} if self.dealer is None else {"dealer": SEAT_LETTERS[self.dealer]}
        return {"deal": deal_text(self.hands)} | dealer


def read_deals(path: str | Path) -> list[FileDeal]:
    """The deals of a PBN or LIN file, in its order; which of the two it is shows in the text, not in the name.

    Raises:
        DealFileError: with the file, the line and the reason.
        OSError: the file can't be opened.
    """
    return parse_deals(Path(path).read_bytes(), str(path))


def parse_deals(data: bytes, name: str = "deals") -> list[FileDeal]:
    """The deals in the bytes of a PBN or LIN file; ``name`` is what messages call it.

    Raises:
        DealFileError: with the name, the line and the reason; also if there is no deal at all.
    """
    try:
        text = _decode(data)
        found = list((_lin_deals if LIN_START.match(text) else _pbn_deals)(text))
        if not found:
            raise _Fault(1, 'the file has no deal: neither [Deal "N:..."] of PBN nor md|...| of LIN')
        return [FileDeal(_hands(one), one.dealer, one.board, one.line) for one in found]
    except _Fault as fault:
        raise DealFileError(f"{name}, line {fault.line}: {fault.reason}") from fault


def write_deals(path: str | Path, deals: Iterable[FileDeal]) -> None:
    """Write a PBN file (UTF-8) that :func:`read_deals` reads back: of each deal the board, the dealer and the hands.

    The hands begin with the dealer's, as PBN asks of programs that write, or with North's where he is not known.

    Raises:
        DealFileError: there are no deals, hands are not 13 different cards each, or a dealer or a board can't be written; the file is
            not touched then.
    """
    texts = []
    for number, deal in enumerate(deals, start=1):
        try:
            texts.append(_board_text(deal))
        except _Fault as fault:
            raise DealFileError(f"{path}, deal {number}: {fault.reason}") from fault
    if not texts:
        raise DealFileError(f"{path}: there are no deals to write")
    Path(path).write_bytes(("% PBN 2.1\n" + "\n".join(texts)).encode())


# ---- text -------------------------------------------------------------------------------------------------------------------


class _Fault(Exception):
    """Why a file is refused, and at which line."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(line, reason)
        self.line, self.reason = line, reason


def _decode(data: bytes) -> str:
    """The text with ``\\n`` at the end of each line."""
    mark, encoding = next(((mark, encoding) for mark, encoding in ENCODINGS if data.startswith(mark)), (b"", "utf-8"))
    try:
        text = data[len(mark) :].decode(encoding)
    except UnicodeDecodeError as error:
        if mark:
            before = error.object[: error.start].decode(encoding, errors="replace")
            raise _Fault(_lines(before), f"the file is marked as {encoding}, and this is none ({error.reason})") from error
        text = data.decode("latin-1")
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if "\0" in text:
        raise _Fault(_lines(text[: text.index("\0")]), "a zero byte is no text; UTF-16 must begin with its byte order mark")
    return text


def _lines(before: str) -> int:
    return before.replace("\r\n", "\n").replace("\r", "\n").count("\n") + 1


def _quoted(text: str) -> str:
    return repr(text if len(text) <= QUOTED else text[:QUOTED] + "...")


# ---- hands ------------------------------------------------------------------------------------------------------------------


class _Found(NamedTuple):
    """A deal as it stands in a file."""

    line: int
    dealer: int | None
    board: str | None
    hands: list[str | None]
    """By seat, PBN hands; ``None`` for one that is not given."""


def _clockwise(first: int) -> tuple[int, ...]:
    """The four seats from ``first`` on."""
    return (*SEATS, *SEATS)[first : first + len(SEATS)]


def _hands(found: _Found) -> tuple[int, int, int, int]:
    """The bitboards by seat; the hand that is not given gets the cards that are left."""
    hidden = [seat for seat in SEATS if found.hands[seat] is None]
    if len(hidden) > 1:
        names = " and ".join(SEAT_LETTERS[seat] for seat in hidden)
        raise _Fault(found.line, f"the hands of {names} are not given: of one hand only, the cards can be told")
    hands: dict[int, int] = {}
    for seat, text in enumerate(found.hands):
        if text is not None:
            hands[seat] = _hand(text, found.line)
    return _check_hands(hands, found.line)


def _hand(text: str, line: int) -> int:
    if len(text) > QUOTED:
        raise _Fault(line, f"hand {_quoted(text)} is longer than any hand")
    try:
        return parse_hand(".".join("" if holding == "-" else holding for holding in text.split(".")))
    except NotationError as error:
        raise _Fault(line, str(error)) from error


def _check_hands(hands: dict[int, int], line: int) -> tuple[int, int, int, int]:
    """The hands of all seats, from those of three or four."""
    left = int(ALL_CARDS)
    for seat, hand in hands.items():
        if twice := hand & ~left:
            other = next(other for other in hands if hands[other] & twice)
            raise _Fault(line, f"{cards_text(twice & hands[other])} is dealt to {SEAT_LETTERS[other]} and again to {SEAT_LETTERS[seat]}")
        left &= ~hand
    sizes = {seat: hand.bit_count() for seat, hand in hands.items() if hand.bit_count() != len(RANKS)}
    if sizes:
        said = " and ".join(f"{SEAT_LETTERS[seat]} has {size} cards ({hand_text(hands[seat])})" for seat, size in sizes.items())
        lost = f"; {cards_text(left)} not dealt" if left and len(hands) == len(SEATS) and left.bit_count() <= len(SEATS) else ""
        raise _Fault(line, f"{said}, not {len(RANKS)}{lost}")
    north, east, south, west = (hands.get(seat, left) for seat in SEATS)
    return north, east, south, west


# ---- PBN --------------------------------------------------------------------------------------------------------------------


class _Tag(NamedTuple):
    name: str
    value: str
    line: int
    block: int
    """How many blank lines are before it."""


def _pbn_tags(text: str) -> Iterator[_Tag]:
    """The tags that say where a board begins, and what is dealt in it."""
    line, place, block = 1, 0, 0
    for token in PBN_TOKEN.finditer(text):
        line += text.count("\n", place, token.start())
        place = token.start()
        if token["wrong"]:
            reason = "a comment that is never closed" if token["wrong"][0] == "{" else 'not a tag: [Name "value"]'
            raise _Fault(line, f"{_quoted(token['wrong'])} is {reason}")
        if token["blank"]:
            block += 1
        elif token["name"] and token["name"].capitalize() in ONCE:
            yield _Tag(token["name"].capitalize(), re.sub(r"\\(.)", r"\1", token["value"]), line, block)


def _pbn_deals(text: str) -> Iterator[_Found]:
    last: str | None = None
    for _, block in groupby(_pbn_tags(text), key=lambda tag: tag.block):
        boards: list[dict[str, _Tag]] = [{}]
        for tag in block:
            if tag.name in boards[-1]:
                boards.append({})
            boards[-1][tag.name] = tag
        first = next((board for board in boards if "Deal" in board), {})
        for board in boards:
            if found := _pbn_deal(board, first, last):
                last = found.board
                yield found


def _pbn_deal(board: dict[str, _Tag], first: dict[str, _Tag], last: str | None) -> _Found | None:
    """The deal of a board, ``None`` if it tells of none.

    Args:
        board: its tags.
        first: those of the first deal with no blank line between. Which board a dealer belongs to is certain only if each has one.
        last: the name of the board before, for ``[Board "#"]``.
    """
    tags = list(board.values())
    if "Deal" not in board:
        if telling := [tag for tag in tags if tag.name != "Event" and tag.value.strip() not in UNKNOWN]:
            raise _Fault(telling[0].line, f"the board has a {telling[0].name} but no Deal (a blank line ends a board)")
        return None
    for name in ("Board", "Dealer"):
        if (name in board) != (name in first):
            line = (board.get(name) or tags[0]).line
            raise _Fault(line, f"some boards have a {name} and some have none, with no blank line between: whose it is is not certain")
    named = board["Board"].value if "Board" in board else None
    if named and named.startswith("##"):
        raise _Fault(board["Board"].line, f"Board {_quoted(named)}: a name for all boards to come is not read")
    return _Found(
        line=board["Deal"].line,
        dealer=_pbn_dealer(board["Dealer"]) if "Dealer" in board else None,
        board=last if named == "#" else named,
        hands=_pbn_hands(board["Deal"]),
    )


def _pbn_dealer(tag: _Tag) -> int | None:
    return None if tag.value.strip() in UNKNOWN else _seat(tag.value, tag.line)


def _pbn_hands(tag: _Tag) -> list[str | None]:
    letter, colon, rest = tag.value.partition(":")
    words = rest.split()
    if not colon:
        raise _Fault(tag.line, f"deal {_quoted(tag.value)} does not begin with a seat letter and a colon, as in 'N:AK.. ... ... ...'")
    if len(words) != len(SEATS):
        raise _Fault(tag.line, f"deal {_quoted(tag.value)} has {len(words)} hands: four, or '-' for one that is not given")
    hands = dict(zip(_clockwise(_seat(letter, tag.line)), words, strict=True))
    return [None if hands[seat] == "-" else hands[seat] for seat in SEATS]


def _seat(text: str, line: int) -> int:
    word = text.strip()[:QUOTED]
    try:
        return parse_seat(word.upper() if len(word) == 1 else word)
    except NotationError as error:
        raise _Fault(line, str(error)) from error


def _board_text(deal: FileDeal) -> str:
    """A board in PBN."""
    if deal.dealer is not None and deal.dealer not in SEATS:
        raise _Fault(0, f"dealer {deal.dealer!r} is not a seat: one of {SEATS}")
    if deal.board is not None and (not deal.board.isprintable() or deal.board.startswith("#")):
        raise _Fault(0, f"board {_quoted(deal.board)}: it must be printable, and not begin with '#'")
    if len(deal.hands) != len(SEATS) or any(hand & ~int(ALL_CARDS) for hand in deal.hands):
        raise _Fault(0, f"hands {deal.hands}: they must be four bitboards of cards")
    hands = _check_hands(dict(enumerate(deal.hands)), 0)
    first = deal.dealer or 0
    tags = {
        "Board": None if deal.board is None else re.sub(r'(["\\])', r"\\\1", deal.board),
        "Dealer": None if deal.dealer is None else SEAT_LETTERS[deal.dealer],
        "Deal": f"{SEAT_LETTERS[first]}:{' '.join(hand_text(hands[seat]) for seat in _clockwise(first))}",
    }
    return "".join(f'[{name} "{value}"]\n' for name, value in tags.items() if value is not None)


# ---- LIN --------------------------------------------------------------------------------------------------------------------


def _lin_deals(text: str) -> Iterator[_Found]:
    """LIN is ``command|value|`` over and over; ``qx`` names the board that begins, ``md`` deals it."""
    line, place = 1, 0
    board = None
    while pair := LIN_PAIR.match(text, place):
        line += text.count("\n", place, pair.start("command"))
        command, value = pair["command"].lower(), pair["value"].strip()
        if value.lower() == "md":
            raise _Fault(line, f"md stands where the value of {command!r} should be: there is a | too many or too few")
        if command == "qx":
            board = value
        elif command == "md":
            yield _Found(line, _lin_dealer(value, line), board, _lin_hands(value, line))
            board = None
        line += text.count("\n", pair.start("command"), pair.end())
        place = pair.end()
    rest = LIN_REST.match(text, place)
    if rest and rest["rest"]:
        line += text.count("\n", place, rest.start("rest"))
        raise _Fault(line, f"{_quoted(rest['rest'])} is not a LIN command: two letters and |")


def _lin_dealer(value: str, line: int) -> int:
    if value[:1] not in LIN_DEALERS:
        raise _Fault(line, f"md {_quoted(value)} must begin with the dealer: 1 South, 2 West, 3 North, 4 East")
    return SEAT_LETTERS.index(LIN_DEALERS[value[:1]])


def _lin_hands(value: str, line: int) -> list[str | None]:
    words = "".join(value[1:].split()).split(",")
    if not len(SEATS) - 1 <= len(words) <= len(SEATS):
        raise _Fault(line, f"md {_quoted(value)} has {len(words)} hands: four, or the first three, with a comma between them")
    words += [""] * (len(SEATS) - len(words))
    hands = dict(zip(_clockwise(LIN_FIRST), words, strict=True))
    return [_lin_hand(hands[seat], line) if hands[seat] else None for seat in SEATS]


def _lin_hand(text: str, line: int) -> str:
    """``"SAKHJ2DCT987"`` as a PBN hand: ``"AK.J2..T987"``."""
    if len(text) > QUOTED:
        raise _Fault(line, f"hand {_quoted(text)} is longer than any hand")
    before, *pieces = re.split(f"([{SUIT_LETTERS}{SUIT_LETTERS.lower()}])", text)
    suits, holdings = [suit.upper() for suit in pieces[::2]], pieces[1::2]
    if before:
        raise _Fault(line, f"hand {_quoted(text)} begins with {before!r}: each suit begins with its letter, one of S H D C")
    if twice := [suit for suit in suits if suits.count(suit) > 1]:
        raise _Fault(line, f"hand {_quoted(text)} has the suit {twice[0]!r} twice")
    held = dict(zip(suits, holdings, strict=True))
    return ".".join(held.get(suit, "") for suit in PBN_SUITS)

"""What the screen of a table shows, each part as text with styles: from a :class:`~skruv.render.scene.Scene`, without any rules.

A card or call that may be chosen carries its action as ``action`` in the style's meta, for the mouse, and has a :class:`Place`, for the
arrow keys.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby, zip_longest
from typing import NamedTuple

from textual.content import Content
from textual.style import Style

from ..engine.cards import CARDS, RANK_LETTERS, RANKS, SEAT_LETTERS, SEATS, SIDE_NAMES, SUIT_LETTERS
from ..engine.game import Game
from ..arena.plays import level_of
from ..render.scene import PIPS, SUITS_DRAWN, Hand, Line, Scene, Sheet, SheetDeal, call_text, card_text
from .sitting import PERSON, SEAT_NAMES

PLAIN, RED, QUIET, LOUD = Style(), Style.parse("#e05561"), Style.parse("dim"), Style.parse("bold")
LEGAL, CHOSEN = Style.parse("bold underline"), Style.parse("bold reverse")
RED_PIPS = PIPS["D"] + PIPS["H"]
WORDS = {("naming", "P"): "to partner", ("knock", "X"): "knock", ("contre", "X"): "contre", ("contre", "P"): "decline"}
"""What a call means in a phase, where it is not what :data:`USUAL_WORDS` say."""
USUAL_WORDS = {"P": "pass", "X": "double", "XX": "redouble"}
LADDER_PHASES = ("auction", "raise", "naming")
LADDER_WIDTH = 26
NAME_WIDTH = 12
"""Of a player's name; a longer one is cut."""
CALL_WIDTH = 5
"""Of a bid in the ladder, characters."""
AUCTION_COLUMN = 5
"""Of a seat in the table of the auction; ``bolshevik`` is cut."""
WORDY = 17
"""From this width on a side's column on the score sheet says what its points are for."""


class Place(NamedTuple):
    """Where a card or call lies, for the arrow keys."""

    row: int
    column: int


class Panel(NamedTuple):
    """A part of the screen, and where its cards and calls lie."""

    content: Content
    places: Mapping[int, Place] = {}


class Choice(NamedTuple):
    """What may be chosen, and what the cursor stands on."""

    legal: frozenset[int] = frozenset()
    cursor: int | None = None

    def cell(self, action: int, text: str, colour: Style = PLAIN) -> Content:
        """``text`` with a space to each side, or in brackets under the cursor."""
        if action not in self.legal:
            return Content.assemble((f" {text} ", colour + QUIET))
        meta = Style.from_meta({"action": action})
        if action == self.cursor:
            return Content.assemble((f"[{text}]", CHOSEN + meta))
        return Content.assemble((" ", meta), (text, colour + LEGAL + meta), (" ", meta))


NOTHING = Choice()


def towards(places: Mapping[int, Place], cursor: int | None, rows: int, columns: int) -> int | None:
    """The action that an arrow key leads to: the next one in reading order, or the nearest in the next row that has one."""
    order = sorted(places, key=lambda action: places[action])
    if cursor is None or cursor not in places:
        return next(iter(order), None)
    if columns:
        return order[(order.index(cursor) + columns) % len(order)]
    here = places[cursor]
    beyond = [action for action in order if (places[action].row - here.row) * rows > 0]
    return min(beyond, key=lambda action: (abs(places[action].row - here.row), abs(places[action].column - here.column)), default=cursor)


def colour_of(card: int) -> Style:
    return RED if PIPS[SUIT_LETTERS[card // len(RANKS)]] in RED_PIPS else PLAIN


def coloured(text: str, style: Style = PLAIN) -> Content:
    """``text`` with its red suits in red."""
    return Content.assemble(*((sign, RED + style if sign in RED_PIPS else style) for sign in text))


# ---- seats and hands --------------------------------------------------------------------------------------------------------


def heading(scene: Scene, width: int) -> Content:
    """The first line: game, deal, contract, tricks."""
    return coloured("  ".join(word for word in scene.headline if " to act" not in word)[:width], LOUD)


def seat_panel(scene: Scene, seat: int, name: str, choice: Choice, *, is_wide: bool, is_own: bool) -> Panel:
    """Who sits there and the hand: its suits where it is open, else how many cards it holds; nothing of the person's own."""
    hand = scene.hands[seat]
    turn = "▶ " if seat == scene.playing else ""
    who = "(you)" if name == PERSON else name if len(name) <= NAME_WIDTH else f"{name[: NAME_WIDTH - 1]}…"
    lines = [Content.assemble((f"{turn}{SEAT_NAMES[seat]}", LOUD), (f" {who}", QUIET))]
    marks = ", ".join(hand.marks)
    places: dict[int, Place] = {}
    if marks and is_wide:
        lines[0] += Content.assemble((f" {marks}", QUIET))
    elif marks:
        lines.append(Content.assemble((marks, QUIET)))
    if hand.cards is None:
        lines.append(Content(f"{hand.held} cards"))
    elif hand.cards and not is_own:
        for row, (line, there) in enumerate(_suits(hand, choice)):
            lines.append(line)
            places.update({card: Place(row, column) for card, column in there.items()})
    return Panel(block(lines), places)


def block(lines: Sequence[Content]) -> Content:
    """``lines`` padded to the width of the longest, so that they stay in line wherever the block is put."""
    width = max((len(line) for line in lines), default=0)
    return Content("\n").join([line.pad_right(width - len(line)) for line in lines])


def _suits(hand: Hand, choice: Choice) -> Iterable[tuple[Content, dict[int, int]]]:
    """A line for each suit, with the columns of its cards."""
    assert hand.cards is not None
    for letter in SUITS_DRAWN:
        cards = [card for card in hand.cards if SUIT_LETTERS[card // len(RANKS)] == letter]
        line, places = coloured(f"{PIPS[letter]} "), {}
        for card in cards:
            rank = RANK_LETTERS[card % len(RANKS)]
            if card not in choice.legal:
                line += Content.assemble((rank, QUIET if choice.legal else PLAIN))
                continue
            places[card] = len(line)
            line += Content.assemble((rank, (CHOSEN if card == choice.cursor else LEGAL) + Style.from_meta({"action": card})))
        yield line, places


def hand_row(scene: Scene, seat: int, choice: Choice, *, is_boxed: bool) -> Panel:
    """The person's own hand in a row, a gap between the suits; each card in a box, where there is room for three lines."""
    lines: list[list[Content]] = [[], [], []]
    places: dict[int, Place] = {}
    width = 0
    for _, suit in groupby(scene.hands[seat].cards or (), key=lambda card: card // len(RANKS)):
        for card in suit:
            if card in choice.legal:
                places[card] = Place(0, width)
            for line, part in zip(lines, _boxed(card, choice), strict=True):
                line.append(part)
            width += len(lines[0][-1])
        for line in lines:
            line.append(Content(" "))
        width += 1
    return Panel(Content("\n").join(Content.assemble(*line).rstrip() for line in (lines if is_boxed else lines[1:2])), places)


def _boxed(card: int, choice: Choice) -> list[Content]:
    """Three lines of a card; without the first and the last it stands between bars, or brackets under the cursor."""
    is_legal, is_chosen = card in choice.legal, card == choice.cursor
    meta = Style.from_meta({"action": card}) if is_legal else PLAIN
    frame = (LOUD if is_legal else QUIET) + meta
    face = colour_of(card) + (CHOSEN if is_chosen else LEGAL if is_legal else QUIET) + meta
    left, right = "[]" if is_chosen else "││"
    return [
        Content.assemble(("╭──╮", frame)), Content.assemble((left, frame), (card_text(card), face), (right, frame)),
        Content.assemble(("╰──╯", frame)),
    ]


# ---- the middle -------------------------------------------------------------------------------------------------------------


def trick_panel(scene: Scene, bottom: int) -> Content:
    """The trick as the cards lie before the seats; before the lead the last one, dimmed."""
    cards, leader, style, title = scene.trick, scene.leader, LOUD, ""
    if not any(card is not None for card in cards) and any(card is not None for card in scene.last_trick):
        cards, leader, style, title = scene.last_trick, scene.last_leader, QUIET, "last trick"
    left, top, right = ((bottom + place) % len(SEATS) for place in (1, 2, 3))

    def laid(seat: int) -> Content:
        card = cards[seat]
        if card is None:
            return Content(" · ") if any(other is not None for other in cards) else Content("   ")
        mark = "*" if seat == leader else " "
        return Content.assemble((mark, style), (card_text(card), colour_of(card) + style))

    rows = [
        Content.assemble("     ", laid(top), "     "), Content(""), Content.assemble(laid(left), "       ", laid(right)), Content(""),
        Content.assemble("     ", laid(bottom), "     "),
    ]
    if title or any(card is not None for card in cards):
        rows += [Content(""), Content.assemble((f"{title}, * led" if title else "* led", QUIET))]
    return block(rows)


def calls_panel(game: Game, phase: str, choice: Choice) -> Panel:
    """The calls of a phase: the ladder of bids with a row for each level, then the others."""
    ladder = next((game.groups[name] for name in ("bid", "strain") if name in game.groups), slice(0, 0))
    bids = range(ladder.start, ladder.stop) if phase in LADDER_PHASES else range(0)
    levels = [level_of(game.actions[action]) for action in bids]
    rows = [[action for action, its in zip(bids, levels, strict=True) if its == level] for level in sorted(set(levels)) if level]
    words = [action for action, level in zip(bids, levels, strict=True) if not level]
    others = [action for action in range(len(CARDS), len(game.actions)) if action in choice.legal and action not in bids]
    for each in (words, others):
        rows += _wrapped(each, lambda action: len(_call_words(game, phase, action)) + 2)
    lines, places = [], {}
    for number, row in enumerate(rows):
        cells, width = [], 0
        for action in row:
            text = _call_words(game, phase, action)
            cell = choice.cell(action, text, RED if text[-1] in RED_PIPS else PLAIN)
            cells.append(cell.pad_right(max(0, CALL_WIDTH - len(cell))))
            if action in choice.legal:
                places[action] = Place(number, width)
            width += len(cells[-1])
        lines.append(Content.assemble(*cells))
    return Panel(block(lines), places)


def _call_words(game: Game, phase: str, action: int) -> str:
    """``"3♥"``, ``"X knock"``"""
    call = game.actions[action]
    word = WORDS.get((phase, call), USUAL_WORDS.get(call))
    return call_text(call) if word is None else f"{call} {word}"


def _wrapped(actions: Iterable[int], width_of: Callable[[int], int]) -> list[list[int]]:
    """Rows that are no wider than the ladder."""
    rows: list[list[int]] = []
    room = 0
    for action in actions:
        width = max(width_of(action), CALL_WIDTH)
        if width > room:
            rows.append([])
            room = LADDER_WIDTH
        rows[-1].append(action)
        room -= width
    return rows


def piles_panel(scene: Scene) -> Content:
    """Kotka and discards."""
    lines = []
    for pile in scene.piles:
        cards = " ".join(map(card_text, pile.cards)) if pile.cards is not None else f"{pile.size} face down"
        lines.append(Content.assemble((f"{pile.name}: ", QUIET), coloured(cards)))
    return Content("\n").join(lines)


# ---- the paper --------------------------------------------------------------------------------------------------------------


def callers_panel(scene: Scene) -> Content:
    """The seats over the columns of the auction."""
    return Content.assemble(*((SEAT_LETTERS[seat].ljust(AUCTION_COLUMN), LOUD) for seat in scene.columns))


def auction_panel(scene: Scene) -> Content:
    """The calls in four columns; rounds in which everybody passes are one line."""
    lines = []
    for row in scene.auction:
        line = Content.assemble(*(coloured(call[: AUCTION_COLUMN - 1].ljust(AUCTION_COLUMN)) for call in row.calls))
        lines.append(Content.assemble(line, (f"x{row.times}", QUIET)) if row.times > 1 else line)
    return Content("\n").join(lines)


def sheet_panel(sheet: Sheet, room: int) -> Content:
    """The score sheet, its entries side by side as on paper, ``room`` characters wide."""
    width = room // len(SIDE_NAMES)
    lines = [Content.assemble(*((name.rjust(width), LOUD) for name in SIDE_NAMES))]
    short = (lambda text: text) if width >= WORDY else (lambda text: text.split(" ")[0])

    def pair(cells: Sequence[str]) -> Content:
        return Content("".join(short(text)[:width].rjust(width) for text in cells))

    above = list(zip_longest(*sheet.above, fillvalue=""))
    if above:
        lines += [*map(pair, above), Content.assemble((" the line ".center(2 * width, "─"), QUIET))]
    for row in sheet.below:
        lines.append(pair(row.cells))
        if row.won:
            lines.append(Content.assemble((" game ".center(2 * width, "─"), QUIET)))
    lines.append(Content.assemble((" total ".center(2 * width, "─"), QUIET)))
    lines.append(Content.assemble(*((str(total).rjust(width), LOUD) for total in sheet.total)))
    return Content("\n").join([*lines, *(Content.assemble((text, QUIET)) for text in sheet.kept)])


def deal_title(deal: SheetDeal, *, made: bool | None, tricks: Sequence[int]) -> Content:
    """``"Deal 1: 3♥ by N, x2: made. Tricks NS 9, EW 4"``"""
    if made is None:
        return Content.assemble((f"Deal {deal.number}: passed out", LOUD))
    won = ", ".join(f"{name} {count}" for name, count in zip(SIDE_NAMES, tricks, strict=True))
    return Content.assemble(coloured(f"Deal {deal.number}: {deal.text}: {'made' if made else 'failed'}", LOUD), f"    tricks {won}")


def dealt_panel(hands: Mapping[str, str]) -> Content:
    """Hands as dealt, one a line."""
    return Content("\n").join(Content.assemble((name.ljust(9), QUIET), coloured(text)) for name, text in hands.items())


def lines_panel(lines: Sequence[Line], sheet: Sheet) -> Content:
    """The entries of a deal, each with its ruling, and the totals after it."""
    rows = [Content.assemble((f"{'':22}{SIDE_NAMES[0]:>9}{SIDE_NAMES[1]:>9}   ruling", QUIET))]
    for line in lines:
        points = [str(line.points) if line.side == side else "" for side in range(len(SIDE_NAMES))]
        column = f" ({line.column})" if len(sheet.columns) > 1 else ""
        rows.append(Content.assemble(f"{line.text + column:22}{points[0]:>9}{points[1]:>9}   ", (line.ruling, QUIET)))
    if not lines:
        rows.append(Content.assemble(("no entries", QUIET)))
    rows.append(Content.assemble((f"{'total':22}{sheet.total[0]:>9}{sheet.total[1]:>9}", LOUD)))
    return Content("\n").join([*rows, *(Content.assemble((text, QUIET)) for text in sheet.kept)])

"""A table as text for a terminal: hands on a compass, the auction and the score sheet beside them."""

import io
import os
from collections.abc import Sequence
from itertools import zip_longest

from rich.console import Console
from rich.text import Text

from ..engine.cards import RANK_LETTERS, RANKS, SEAT_LETTERS, SIDE_NAMES, SUIT_LETTERS
from ..notation import board_of, hand_text
from .scene import PIPS, SUITS_DRAWN, Hand, Row, Scene, Sheet, card_text

HAND_WIDTH, TRICK_WIDTH, COLUMN_WIDTH = 22, 14, 10
"""Of a hand, the trick and a column of the auction, in characters."""
SIDE_WIDTH = 2 * COLUMN_WIDTH
"""Of a side's half of the score sheet."""
ROWS_SHOWN, FIRST_ROWS = 12, 3
"""Rows of an auction that are drawn; of a longer one so many from the beginning and the rest from the end."""
LINES_SHOWN = 12
"""Entries in a column of the score sheet that are drawn: the last ones."""
RED, LIT, BOLD, QUIET = "red", "bold yellow", "bold", "dim"

Block = list[Text]
"""Lines."""


def draw_text(scene: Scene, *, colour: bool = True) -> str:
    """The table in lines; with ``colour`` in a terminal's escape codes, unless the variable NO_COLOR is set."""
    plain = not colour or "NO_COLOR" in os.environ
    compass, paper = _compass(scene), _auction(scene) + _sheet(scene.sheet)
    lines = [_coloured(" | ".join(scene.headline)), *_beside([(compass, 2 * HAND_WIDTH + TRICK_WIDTH + 2), (paper, 0)]), *_under(scene)]
    console = Console(
        file=io.StringIO(), width=1000, color_system=None if plain else "standard", force_terminal=not plain, highlight=False,
        legacy_windows=False, _environ={},
    )
    with console.capture() as captured:
        console.print(Text("\n").join(lines), soft_wrap=True)
    return "\n".join(line.rstrip() for line in captured.get().splitlines())


def _coloured(text: str, style: str = "") -> Text:
    """``text`` with its red suits in red."""
    words = Text(text, style)
    words.highlight_regex(f"[{PIPS['D']}{PIPS['H']}]", RED)
    return words


def _beside(blocks: Sequence[tuple[Block, int]]) -> Block:
    """Blocks next to each other, each as wide as is said."""
    lines = []
    for row in zip_longest(*(block for block, _ in blocks), fillvalue=None):
        line = Text()
        for cell, (_, width) in zip(row, blocks, strict=True):
            cell = Text() if cell is None else cell
            line.append_text(cell).append(" " * (width - cell.cell_len))
        lines.append(line)
    return lines


def _compass(scene: Scene) -> Block:
    """The hands, and between them the trick."""
    north, east, south, west = (_hand(scene, hand) for hand in scene.hands)
    blank: Block = [Text()] * len(north)
    middle = _beside([(west, HAND_WIDTH), (_trick(scene), TRICK_WIDTH), (east, HAND_WIDTH)])
    return [*_beside([(blank, HAND_WIDTH), (north, 0)]), *middle, *_beside([(blank, HAND_WIDTH), (south, 0)])]


def _hand(scene: Scene, hand: Hand) -> Block:
    """Five lines: the seat, then its suits, or how many cards it holds hidden."""
    head = Text(" ".join((SEAT_LETTERS[hand.seat], *hand.marks)), LIT if scene.playing == hand.seat else BOLD)
    if hand.cards is None:
        return [head, Text(), Text(f"({hand.held} cards)", QUIET), Text(), Text()]
    lines = [head]
    for suit in SUITS_DRAWN:
        ranks = "".join(RANK_LETTERS[card % len(RANKS)] for card in hand.cards if SUIT_LETTERS[card // len(RANKS)] == suit)
        lines.append(Text(f"{PIPS[suit]} {ranks or '-'}", RED if suit in "DH" else ""))
    return lines


def _trick(scene: Scene) -> Block:
    """The cards on the table, each on the side of its seat; the one that was led stands out."""
    north, east, south, west = (
        Text("  ") if card is None else Text(card_text(card), LIT if seat == scene.leader else BOLD)
        for seat, card in enumerate(scene.trick)
    )
    return [Text(), Text("    ") + north, west + Text("      ") + east, Text("    ") + south]


def _under(scene: Scene) -> Block:
    """Cards that lie apart, and the last trick."""
    lines = [
        Text(f"{pile.name} ({pile.size} cards)" if pile.cards is None else f"{pile.name}: {hand_text(board_of(pile.cards))}")
        for pile in scene.piles
    ]
    if scene.last_leader is not None:
        seats = [(scene.last_leader + place) % len(scene.last_trick) for place in range(len(scene.last_trick))]
        laid = [f"{SEAT_LETTERS[seat]} {card_text(card)}" for seat in seats if (card := scene.last_trick[seat]) is not None]
        lines.append(_coloured("last trick: " + ", ".join(laid), QUIET))
    return lines


def _auction(scene: Scene) -> Block:
    """The calls in four columns; a seat that is not asked leaves its column empty."""
    if not scene.auction:
        return []
    rows = list(scene.auction)
    if len(rows) > ROWS_SHOWN:
        rows[FIRST_ROWS : FIRST_ROWS - ROWS_SHOWN + 1] = [Row(("...", "...", "...", "..."))]
    lines = [Text("".join(SEAT_LETTERS[seat].ljust(COLUMN_WIDTH) for seat in scene.columns), BOLD)]
    for row in rows:
        line = Text()
        for call in row.calls:
            word = "pass" if call == "P" else call
            line.append_text(_coloured(word, QUIET if word == "pass" else "")).append(" " * (COLUMN_WIDTH - len(word)))
        lines.append(line.append(f"x{row.times}", QUIET) if row.times > 1 else line)
    return [*lines, Text()]


def _sheet(sheet: Sheet) -> Block:
    """Two sides, above and below the line: the newest entry above is the topmost, the newest below the lowest."""
    lines = [_halves(SIDE_NAMES, BOLD)]
    if len(sheet.columns) > 1:
        stacked = zip_longest(*(entries[-LINES_SHOWN:] for entries in sheet.above), fillvalue="")
        lines += [*map(_halves, reversed(list(stacked))), Text("-" * 2 * SIDE_WIDTH, QUIET)]
    lines += [_halves(row.cells, "underline" if row.won else "") for row in sheet.below[-LINES_SHOWN:]]
    lines.append(_halves([f"{points} total" for points in sheet.total], BOLD))
    for name, value in sheet.standing.items():
        lines.append(Text(f"{name} {value}", QUIET) if isinstance(value, int) else _halves([f"{each} {name}" for each in value], QUIET))
    return lines


def _halves(cells: Sequence[str], style: str = "") -> Text:
    return Text("".join(cell.ljust(SIDE_WIDTH) for cell in cells), style)

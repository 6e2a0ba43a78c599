"""A table as pixels, (H, W, 3) uint8. Needs pillow (the extra ``render``), no display and no fonts of the system."""

import re
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from ..checks import MissingExtra
from ..engine.cards import RANK_LETTERS, RANKS, SEAT_LETTERS, SIDE_NAMES
from .layout import (
    BACK, BACK_EDGE, CARD_HEIGHT, CARD_WIDTH, FELT, FELT_EDGE, HEIGHT, INK, LIT, PAPER, PAPER_INK, PAPER_QUIET, PIP_PATHS, RULE,
    SUIT_COLOURS, WIDTH, Label, picture_of, suit_letter,
)
from .scene import PIPS, Scene, Sheet

if TYPE_CHECKING:
    from PIL import Image

PANEL = 260
"""The width of the paper to the right."""
HEAD = 32
"""The height of the headline."""
FINE = 4
"""Shapes are drawn so many times larger, and shrunk."""
LINE = 17
"""From one line of text to the next."""
AUCTION_ROWS = 11
"""Rows of an auction that are drawn; of a longer one the first two and the last."""
SUIT_OF_PIP = {PIPS[suit]: suit for suit in PIP_PATHS}


def draw_pixels(scene: Scene) -> np.ndarray:
    """The table, the auction and the score sheet, (532, 980, 3) uint8.

    Raises:
        MissingExtra: pillow is not installed.
    """
    page = _page().copy()
    _headline(page, scene)
    picture = picture_of(scene)
    for label in picture.labels:
        _say(page, label)
    for placed in picture.cards:
        image, mask = _card(placed.card, placed.lit)
        page.paste(image, (placed.x - 1, placed.y - 1 + HEAD), mask)
    _panel(page, scene)
    return np.array(page)


def _pillow() -> tuple[Any, Any, Any]:
    """The modules of pillow."""
    try:
        from PIL import Image, ImageDraw, ImageFont
    except ImportError as error:
        raise MissingExtra("render_mode='rgb_array' needs pillow: pip install 'skruv[render]'") from error
    return Image, ImageDraw, ImageFont


@cache
def _page() -> "Image.Image":
    """The empty table and the empty paper."""
    modules, drawing, _ = _pillow()
    page = modules.new("RGB", (WIDTH + PANEL, HEIGHT + HEAD), PAPER)
    fine = modules.new("RGB", (WIDTH * 2, HEIGHT * 2), PAPER)
    drawing.Draw(fine).rounded_rectangle((2, 2, 2 * WIDTH - 3, 2 * HEIGHT - 3), 28, fill=FELT, outline=FELT_EDGE, width=6)
    page.paste(fine.resize((WIDTH, HEIGHT), modules.Resampling.LANCZOS), (0, HEAD))
    return page


@cache
def _card(card: int | None, lit: bool) -> tuple["Image.Image", "Image.Image"]:
    """A card, one pixel larger on each side, and the mask of its corners."""
    modules, drawing, _ = _pillow()
    size = (CARD_WIDTH + 2, CARD_HEIGHT + 2)
    fine = modules.new("RGB", (size[0] * FINE, size[1] * FINE), FELT)
    mask = modules.new("L", fine.size, 0)
    whole = (FINE // 2, FINE // 2, fine.width - FINE // 2 - 1, fine.height - FINE // 2 - 1)
    drawing.Draw(mask).rounded_rectangle(whole, 6 * FINE, fill=255)
    draw = drawing.Draw(fine)
    edge, width = (LIT, 3 * FINE) if lit else ("#7d857f", FINE)
    draw.rounded_rectangle(whole, 6 * FINE, fill=BACK_EDGE if card is None else "#ffffff", outline=edge, width=width)
    if card is None:
        draw.rounded_rectangle((5 * FINE, 5 * FINE, fine.width - 5 * FINE, fine.height - 5 * FINE), 3 * FINE, fill=BACK)
    else:
        suit = suit_letter(card)
        rank = RANK_LETTERS[card % len(RANKS)].replace("T", "10")
        draw.text((12.5 * FINE, 11.5 * FINE), rank, SUIT_COLOURS[suit], _font(15 * FINE if len(rank) > 1 else 17 * FINE), anchor="mm",
                  stroke_width=FINE // 3, stroke_fill=SUIT_COLOURS[suit])
        for x, y, across in ((6, 21, 13), (18, 32, 25)):
            _pip(draw, suit, x * FINE, y * FINE, across * FINE)
    shrunk = modules.Resampling.LANCZOS
    return fine.resize(size, shrunk), mask.resize(size, shrunk)


@cache
def _outline(suit: str) -> tuple[tuple[float, float], ...]:
    """The pip as a polygon in a square of 1: its curves in eight steps each."""
    return tuple(_points(PIP_PATHS[suit]))


def _points(path: str) -> Iterator[tuple[float, float]]:
    here = np.zeros(2)
    for command, numbers in re.findall(r"([MCLZ])([^MCLZ]*)", path):
        ends = np.array(numbers.split(), float).reshape(-1, 2) / 100
        if command == "C":
            for one, two, end in ends.reshape(-1, 3, 2):
                for t in np.arange(1, 9) / 8:
                    x, y = (1 - t) ** 3 * here + 3 * t * (1 - t) ** 2 * one + 3 * t**2 * (1 - t) * two + t**3 * end
                    yield float(x), float(y)
                here = end
        else:
            for end in ends:
                here = end
                yield float(end[0]), float(end[1])


def _pip(draw: Any, suit: str, x: int, y: int, across: int) -> None:
    """A pip with its left upper corner at ``x``, ``y``."""
    draw.polygon([(x + across * right, y + across * down) for right, down in _outline(suit)], fill=SUIT_COLOURS[suit])


@cache
def _font(size: int) -> Any:
    """Pillow's own font."""
    return _pillow()[2].load_default(size)


@cache
def _words(text: str, colour: str, ground: str, size: int, bold: bool) -> "Image.Image":
    """A line of text on its ground, suits as pips; kept, since the same words come again and again."""
    modules, drawing, _ = _pillow()
    font = _font(size * FINE)
    parts = [part for part in re.split(r"([♣♦♥♠])", text) if part]
    widths = [size * FINE if part in SUIT_OF_PIP else int(font.getlength(part)) + FINE for part in parts]
    fine = modules.new("RGB", (sum(widths) + 2 * FINE, (size + 8) * FINE), ground)
    draw = drawing.Draw(fine)
    x = FINE // 2
    for part, width in zip(parts, widths, strict=True):
        if part in SUIT_OF_PIP:
            suit = SUIT_OF_PIP[part]
            across = int(0.8 * size * FINE)
            _pip(draw, suit, x + FINE // 2, (fine.height - across) // 2, across)
        else:
            draw.text((x, fine.height / 2), part, colour, font, anchor="lm", stroke_width=FINE // 3 if bold else 0, stroke_fill=colour)
        x += width
    return fine.resize((max(fine.width // FINE, 1), fine.height // FINE), modules.Resampling.LANCZOS)


def _write(
    page: "Image.Image", x: int, y: int, text: str, *, anchor: str = "start", colour: str = PAPER_INK, ground: str = PAPER, size: int = 13,
    bold: bool = False,
) -> int:
    """Words with the middle of their line at ``y``; their width."""
    image = _words(text, colour, ground, size, bold)
    left = {"start": x, "middle": x - image.width // 2, "end": x - image.width}[anchor]
    page.paste(image, (left, y - image.height // 2))
    return image.width


def _say(page: "Image.Image", label: Label) -> None:
    """A label of the table."""
    lit = label.style == "turn"
    text = f"> {label.text}" if lit else label.text
    _write(
        page, label.x, label.y + HEAD, text, anchor=label.anchor, colour=LIT if lit else INK, ground=FELT, size=14,
        bold=label.style != "plain",
    )


def _headline(page: "Image.Image", scene: Scene) -> None:
    x = 14
    for place, word in enumerate(scene.headline):
        x += 18 + _write(page, x, HEAD // 2, word, size=15, bold=place == 0)


def _panel(page: "Image.Image", scene: Scene) -> None:
    """The auction and the score sheet on the paper."""
    left, y = WIDTH + 14, HEAD + 14
    draw = _pillow()[1].Draw(page)
    if scene.auction:
        wide = (PANEL - 28) // len(scene.columns)
        for place, seat in enumerate(scene.columns):
            _write(page, left + wide * place, y, SEAT_LETTERS[seat], bold=True)
        ruled = y + 10
        y += 4
        for calls in _rows_shown(scene):
            y += LINE
            for place, call in enumerate(calls):
                if call:
                    _write(page, left + wide * place, y, call, colour=PAPER_QUIET if call.startswith("pass") else PAPER_INK)
        draw.line((left, ruled, WIDTH + PANEL - 14, ruled), fill=RULE)
        y += LINE + 12
    _sheet(page, draw, scene.sheet, left, y)


def _rows_shown(scene: Scene) -> list[list[str]]:
    """The rows of the auction, of a long one the first two and the last."""
    rows = [["pass" if call == "P" else call for call in row.calls] for row in scene.auction]
    for row, cells in zip(scene.auction, rows, strict=True):
        if row.times > 1:
            cells[-1] += f" x{row.times}"
    if len(rows) > AUCTION_ROWS:
        rows[2 : 3 - AUCTION_ROWS] = [["...", "", "", ""]]
    return rows


def _sheet(page: "Image.Image", draw: Any, sheet: Sheet, left: int, top: int) -> None:
    """Two sides, what is above the line and what is below it; of a long sheet the last entries."""
    bottom, middle, right = HEAD + HEIGHT - 18, left + (PANEL - 28) // 2, WIDTH + PANEL - 14
    starts = (left, middle + 10)
    _write(page, left, bottom, "   ".join(sheet.kept), colour=PAPER_QUIET)
    for side, x in enumerate(starts):
        _write(page, x, top, SIDE_NAMES[side], bold=True)
        _write(page, x, bottom - LINE, f"{sheet.total[side]} total", bold=True)
    total_rule = bottom - LINE - 11
    room = (total_rule - top - 22) // LINE
    tall = max(map(len, sheet.above))
    below = sheet.below[-max(room - tall, room // 2) :]
    line = total_rule - 6 - LINE * len(below)
    for side, x in enumerate(starts):
        for place, row in enumerate(below):
            _write(page, x, line + LINE // 2 + LINE * place, row.cells[side])
        for place, text in enumerate(sheet.above[side][-(room - len(below)) :]):
            _write(page, x, line - LINE // 2 - 3 - LINE * place, text)
    for place, row in enumerate(below, start=1):
        if row.won:
            draw.line((left, line + LINE * place, right, line + LINE * place), fill=PAPER_QUIET)
    draw.line((left, top + 10, right, top + 10), fill=RULE)
    if tall:
        draw.line((left, line, right, line), fill=PAPER_INK, width=2)
    for ruled in (total_rule, total_rule - 3):
        draw.line((left, ruled, right, ruled), fill=PAPER_INK)
    draw.line((middle, top - 8, middle, total_rule - 3), fill=PAPER_INK)

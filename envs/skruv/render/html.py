"""A table as a piece of HTML with inline SVG: for notebooks. No script, nothing that is fetched; all text is escaped."""

from collections.abc import Iterable
from html import escape

from ..engine.cards import RANK_LETTERS, RANKS, SEAT_LETTERS, SIDE_NAMES, SIDES
from .layout import (
    BACK, BACK_EDGE, CARD_HEIGHT, CARD_WIDTH, FELT, FELT_EDGE, HEIGHT, INK, LIT, PAPER, PAPER_INK, PAPER_QUIET, PIP_PATHS, RULE,
    SUIT_COLOURS, WIDTH, Label, Placed, picture_of, suit_letter,
)
from .scene import Line, Row, Scene, Sheet, SheetDeal

FONT = "system-ui, -apple-system, 'Segoe UI', 'Liberation Sans', Arial, sans-serif"
STYLE = f"""
.skruv {{ font: 13px/1.4 {FONT}; color: {PAPER_INK}; display: flex; flex-wrap: wrap; gap: 10px; max-width: 1060px; }}
.skruv svg {{ flex: 3 1 480px; max-width: {WIDTH}px; min-width: 0; height: auto; align-self: flex-start; }}
.skruv aside {{ flex: 1 1 260px; min-width: 0; background: {PAPER}; border-radius: 8px; padding: 8px 12px; box-sizing: border-box; }}
.skruv header {{ flex: 1 0 100%; }}
.skruv header b {{ margin-right: .3em; }}
.skruv header span::before {{ content: "·"; margin: 0 .5em; color: {PAPER_QUIET}; }}
.skruv .calls, .skruv .sheets {{ max-height: 190px; overflow-y: auto; display: flex; flex-direction: column-reverse; }}
.skruv .sheets {{ max-height: 420px; }}
.skruv .calls th, .skruv .sheets th {{ position: sticky; top: 0; background: {PAPER}; }}
.skruv table {{ border-collapse: collapse; width: 100%; margin: 0 0 8px; background: none; color: inherit; font-size: 13px; }}
.skruv th, .skruv td {{ text-align: left; padding: 1px 6px; border: 0; background: none; vertical-align: top; }}
.skruv tr {{ background: none !important; }}
.skruv th {{ font-weight: 600; border-bottom: 1px solid {RULE}; }}
.skruv .sheet td {{ width: 50%; }}
.skruv .sheet td + td, .skruv .sheet th + th {{ border-left: 1px solid {PAPER_INK}; }}
.skruv .above td {{ vertical-align: bottom; border-bottom: 2px solid {PAPER_INK}; }}
.skruv .won td {{ border-bottom: 1px solid {PAPER_INK}; }}
.skruv .sum td {{ border-top: 3px double {PAPER_INK}; font-weight: 600; }}
.skruv .points td + td {{ text-align: right; border-left: 1px solid {RULE}; width: 4.5em; }}
.skruv .points th + th {{ text-align: right; }}
.skruv small {{ color: {PAPER_QUIET}; }}
.skruv .red {{ font-style: normal; color: {SUIT_COLOURS["H"]}; }}
"""


def draw_html(scene: Scene) -> str:
    """The table, the auction and the score sheet."""
    title, *words = scene.headline
    head = f"<header><b>{escape(title)}</b>{''.join(f'<span>{_suits(word)}</span>' for word in words)}</header>"
    beside = _auction(scene) + _sheet(scene.sheet)
    return f'<div class="skruv"><style>{STYLE}</style>{head}{draw_svg(scene)}<aside>{beside}</aside></div>'


def draw_figures(title: str, head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A table of results in the same style."""
    cells = (_row(map(_suits, row)) for row in rows)
    return f'<div class="skruv"><style>{STYLE}</style><aside><b>{escape(title)}</b>{_table("", map(_suits, head), cells)}</aside></div>'


def draw_svg(scene: Scene) -> str:
    """The table from above."""
    picture = picture_of(scene)
    label = escape(" | ".join(scene.headline))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" role="img" aria-label="{label}"'
        f' font-family="{escape(FONT)}">',
        f'<rect x="1.5" y="1.5" width="{WIDTH - 3}" height="{HEIGHT - 3}" rx="14" fill="{FELT}" stroke="{FELT_EDGE}" stroke-width="3"/>',
        *map(_card, picture.cards), *map(_label, picture.labels), "</svg>",
    ]
    return "".join(parts)


def _card(placed: Placed) -> str:
    """A card with its rank and its pip, or its back."""
    frame = f'<rect x=".5" y=".5" width="{CARD_WIDTH - 1}" height="{CARD_HEIGHT - 1}" rx="5"'
    where = f'<g transform="translate({placed.x} {placed.y})">'
    if placed.card is None:
        inner = f'<rect x="4" y="4" width="{CARD_WIDTH - 8}" height="{CARD_HEIGHT - 8}" rx="3" fill="{BACK}"/>'
        return f'{where}{frame} fill="{BACK_EDGE}" stroke="#00000055"/>{inner}</g>'
    suit = suit_letter(placed.card)
    rank = RANK_LETTERS[placed.card % len(RANKS)].replace("T", "10")
    edge = f'stroke="{LIT}" stroke-width="2.5"' if placed.lit else 'stroke="#00000055"'
    pips = "".join(
        f'<path transform="translate({x} {y}) scale({size / 100})" d="{PIP_PATHS[suit]}"/>' for x, y, size in ((5, 20, 13), (17, 31, 25))
    )
    squeezed = ' textLength="15" lengthAdjust="spacingAndGlyphs"' if len(rank) > 1 else ""
    words = f'<text x="11.5" y="16" text-anchor="middle" font-size="16" font-weight="700"{squeezed}>{rank}</text>'
    return f'{where}{frame} fill="#fff" {edge}/><g fill="{SUIT_COLOURS[suit]}">{words}{pips}</g></g>'


def _label(label: Label) -> str:
    lit = label.style == "turn"
    weight = 400 if label.style == "plain" else 700
    return (
        f'<text x="{label.x}" y="{label.y}" text-anchor="{label.anchor}" dominant-baseline="central" font-size="15" font-weight="{weight}"'
        f' fill="{LIT if lit else INK}">{"▸ " if lit else ""}{escape(label.text)}</text>'
    )


def _suits(text: str) -> str:
    """Escaped, the red suits in red."""
    return "".join(f'<i class="red">{letter}</i>' if letter in "♦♥" else escape(letter) for letter in text)


def _table(kind: str, head: Iterable[str], rows: Iterable[str]) -> str:
    return f'<table class="{kind}"><tr>{"".join(f"<th>{cell}</th>" for cell in head)}</tr>{"".join(rows)}</table>'


def _row(cells: Iterable[str], kind: str = "") -> str:
    return f'<tr class="{kind}">{"".join(f"<td>{cell}</td>" for cell in cells)}</tr>'


def _auction(scene: Scene) -> str:
    """The calls in four columns; a long auction scrolls, its end in sight."""
    if not scene.auction:
        return ""
    rows = [_row(call_cells(row)) for row in scene.auction]
    return f'<div class="calls">{_table("auction", [SEAT_LETTERS[seat] for seat in scene.columns], rows)}</div>'


def call_cells(row: Row) -> list[str]:
    """What stands in the columns."""
    cells = [_suits("pass" if call == "P" else call) for call in row.calls]
    return cells if row.times == 1 else [*cells[:-1], f"{cells[-1]} <small>×{row.times}</small>"]


def _sheet(sheet: Sheet) -> str:
    body = _line_sheet(sheet) if len(sheet.columns) > 1 else _list_sheet(sheet)
    return f"<div class=\"sheets\">{body}</div><small>{escape(' · '.join(sheet.kept))}</small>"


def _line_sheet(sheet: Sheet) -> str:
    """Two sides, above and below the line; the entries above grow upwards, and a line is drawn under each game."""
    above = [[_entry(deal, line) for deal in reversed(sheet.deals) for line in deal.lines if _is(line, side, "above")] for side in SIDES]
    carried = [[f"{points} <small>brought forward</small>"] if points else [] for points in sheet.carried]
    rows = [_row(("<br>".join([*entries, *before]) for entries, before in zip(above, carried, strict=True)), "above")]
    for deal in sheet.deals:
        below = ["<br>".join(_entry(deal, line) for line in deal.lines if _is(line, side, "below")) for side in SIDES]
        if any(below):
            rows.append(_row(below, "won" if deal.won else ""))
    return _table("sheet", SIDE_NAMES, [*rows, _row(map(str, sheet.total), "sum")])


def _is(line: Line, side: int, column: str) -> bool:
    return line.side == side and line.column == column


def _entry(deal: SheetDeal, line: Line) -> str:
    return f"{line.points} <small>{escape(line.text)}, deal {deal.number}, {escape(line.ruling)}</small>"


def _list_sheet(sheet: Sheet) -> str:
    """A row for each deal."""
    rows = [_row(["<small>brought forward</small>", *map(str, sheet.carried)])] if any(sheet.carried) else []
    for deal in sheet.deals:
        told = "; ".join(f"{line.text} {line.ruling}" for line in deal.lines)
        points = [sum(line.points for line in deal.lines if line.side == side) for side in SIDES]
        rows.append(_row([f"{deal.number}. {_suits(deal.text)} <small>{escape(told)}</small>", *(str(each or "") for each in points)]))
    return _table("points", ("deal", *SIDE_NAMES), [*rows, _row(["total", *map(str, sheet.total)], "sum")])

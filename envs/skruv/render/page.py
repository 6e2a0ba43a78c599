"""The replay page: records as one HTML file in which every call and card can be stepped through. Nothing in it is fetched.

The page gets each deal as plain values, one step an action, and knows no rules.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from html import escape
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from ..engine.cards import CARD_NAMES, SEATS, SIDE_NAMES
from ..notation import parse_action
from ..record import Record, Thought, players_of, thoughts_of
from ..record import replay as play_again
from . import layout
from .scene import PILES, Scene, Sight, call_text, card_text, closing_scene, scene_of, sights_of

HEIGHT = 760
"""Of the frame in a notebook, pixels."""
MOST_THOUGHTS = 8
"""Actions of which a probability is shown."""
COLOURS = {
    "felt": layout.FELT, "felt-edge": layout.FELT_EDGE, "ink": layout.INK, "quiet": layout.QUIET, "lit": layout.LIT, "paper": layout.PAPER,
    "paper-ink": layout.PAPER_INK, "paper-quiet": layout.PAPER_QUIET, "rule": layout.RULE, "back": layout.BACK, "red": layout.RED,
    "black": layout.BLACK,
}


class Step(NamedTuple):
    """A deal between two actions."""

    scene: Scene
    """All hands open."""
    sights: tuple[Sight, ...]
    leads: bool
    """The card that led to it opened a trick."""


class Replay:
    """Records to be looked at: in a notebook it shows itself, :attr:`html` is the page.

    Args:
        records: one, or those of a file, in their order.
        title: of the page.

    Raises:
        RecordError: a record does not hold.
        ValueError: there is none.
    """

    def __init__(self, records: Record | Sequence[Record], *, title: str = "skruv") -> None:
        given = [records] if isinstance(records, dict) else list(records)
        if not given:
            raise ValueError("there is no record to show: give at least one")
        self.title = title
        self._deals = [_deal(record) for record in given]
        for before, deal in pairwise(self._deals):
            deal["follows"] = before["game"] == deal["game"] and before["sheet"]["total"] == deal["sheet"]["carried"]

    @property
    def html(self) -> str:
        """The page, self-contained."""
        data = json.dumps({"deals": self._deals}, separators=(",", ":"))
        for letter in "<>&":
            data = data.replace(letter, f"\\u{ord(letter):04x}")
        paths = layout.PIP_PATHS.items()
        parts = {
            "TITLE": escape(self.title), "DATA": data, "COLOURS": "".join(f"--{name}: {value}; " for name, value in COLOURS.items()),
            "PIPS": "".join(f'<symbol id="{suit}" viewBox="0 0 100 100"><path d="{path}"/></symbol>' for suit, path in paths),
        }
        head, *rest = files("skruv.render").joinpath("replay.html").read_text(encoding="utf-8").split("@@")
        return head + "".join(parts[part] if place % 2 == 0 else part for place, part in enumerate(rest))

    def save(self, path: str | Path) -> None:
        """Write the page to a file."""
        Path(path).write_text(self.html, encoding="utf-8")

    def _repr_html_(self) -> str:
        """The page in a frame that can do nothing but run its own script."""
        return (
            f'<iframe sandbox="allow-scripts" style="width: 100%; height: {HEIGHT}px; border: 0" srcdoc="{escape(self.html)}"></iframe>'
        )


def replay(records: Record | Sequence[Record], *, title: str = "skruv") -> Replay:
    """The page of some records: show it in a notebook, or ``.save("deals.html")``."""
    return Replay(records, title=title)


def scene_of_record(record: Record) -> Scene:
    """A record at a glance: the hands as dealt, the auction, the result, the score sheet."""
    steps = list(_steps(record))
    dealt, last = steps[0].scene, steps[-1].scene
    return replace(last, hands=dealt.hands, piles=last.piles or dealt.piles, trick=dealt.trick, leader=None, legal=frozenset())


def _steps(record: Record) -> Iterator[Step]:
    """The deal before and after each action."""
    again = play_again(record)
    table = next(again)
    opening = table.save()[0]
    scene = scene_of(table)
    yield Step(scene, sights_of(table), False)
    for _, text in zip(again, record["actions"], strict=False):
        state = table.states[0]
        if state["finished"] == opening["finished"]:
            scene = scene_of(table)
            yield Step(scene, sights_of(table), state["laid"] == 1)
        else:
            everything = Sight(SEATS, dict.fromkeys(PILES, True))
            yield Step(closing_scene(table, scene, opening, parse_action(table.game, text)), (everything,) * len(SEATS), False)


def _deal(record: Record) -> dict[str, Any]:
    """What the page is told of a deal."""
    steps = list(_steps(record))
    frames = [_frame(step) for step in steps]
    last = steps[-1].scene
    changes = [frames[0], *({name: value for name, value in new.items() if value != old[name]} for old, new in pairwise(frames))]
    actions = [text if text in CARD_NAMES else call_text(text) for text in record["actions"]]
    return {
        "game": last.title, "dealer": last.dealer, "columns": last.columns or list(SEATS), "follows": False,
        "rules": [f"{name} {value}" for name, value in record["rules"].items()], "players": players_of(record),
        "contract": last.headline[3] if last.contract is not None else "passed out" if last.turn is None else "",
        "actions": [[step.scene.turn, text] for step, text in zip(steps, actions, strict=False)],
        "calls": _calls(record, steps), "tricks": [place for place, step in enumerate(steps) if step.leads],
        "frames": changes, "thoughts": list(map(_thought, thoughts_of(record))), "sheet": _sheet(last), "done": last.turn is None,
        "remarks": [note for note in record["notes"] if isinstance(note, str)],
    }


def _frame(step: Step) -> dict[str, Any]:
    """A step, in plain values."""
    scene = step.scene
    return {
        "hands": [_names(hand.cards or ()) for hand in scene.hands], "marks": [hand.marks for hand in scene.hands],
        "legal": _names(sorted(scene.legal)), "trick": [_name(card) for card in scene.trick], "leader": scene.leader,
        "last": [_name(card) for card in scene.last_trick], "lastLeader": scene.last_leader, "turn": scene.turn,
        "playing": scene.playing, "headline": scene.headline[2:], "calls": scene.calls,
        "piles": [[pile.name, _names(pile.cards or ())] for pile in scene.piles],
        "sees": [[sight.hands, sight.piles] for sight in step.sights],
    }


def _name(card: int | None) -> str | None:
    return None if card is None else CARD_NAMES[card]


def _names(cards: Sequence[int]) -> str:
    return "".join(CARD_NAMES[card] for card in cards)


def _calls(record: Record, steps: Sequence[Step]) -> list[tuple[int, int, str]]:
    """Row, column and words of each call; cards between calls begin a new row."""
    columns = steps[-1].scene.columns
    placed: list[tuple[int, int, str]] = []
    row, last = -1, len(SEATS)
    for step, text in zip(steps, record["actions"], strict=False):
        if text in CARD_NAMES:
            last = len(SEATS)
            continue
        column = columns.index(step.scene.turn)
        row += column <= last
        placed.append((row, column, "pass" if text == "P" else call_text(text)))
        last = column
    return placed


def _thought(thought: Thought | None) -> dict[str, Any] | None:
    """The likeliest actions first, and the value."""
    if thought is None:
        return None
    chances = sorted(thought.get("probabilities", {}).items(), key=lambda item: -item[1])
    shown = [(_action_text(name), name, chance) for name, chance in chances[:MOST_THOUGHTS]]
    return {"chances": shown, "others": len(chances) - len(shown), "value": thought.get("value")}


def _action_text(name: str) -> str:
    return card_text(CARD_NAMES.index(name)) if name in CARD_NAMES else "pass" if name == "P" else call_text(name)


def _sheet(scene: Scene) -> dict[str, Any]:
    sheet = scene.sheet
    return {
        "columns": sheet.columns, "sides": SIDE_NAMES, "carried": list(sheet.carried), "total": list(sheet.total), "kept": sheet.kept,
        "won": any(deal.won for deal in sheet.deals),
        "lines": [[line.side, line.column, line.text, line.points, line.ruling] for deal in sheet.deals for line in deal.lines],
    }

"""A played deal as one JSON object on a line: write, read, replay, verify.

A record says what was dealt and done and what it was worth; :func:`replay` plays it again through the engine and derives every
score line anew, and a record that disagrees is refused. ``notes`` are remarks of any kind; one of them may be an object with

- ``players``: who sat at ``"N"`` .. ``"W"``, their names;
- ``thoughts``: for each action ``null``, or what the acting player thought (:class:`Thought`).
"""

import json
import math
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NotRequired, TypedDict

import numpy as np

from .engine.cards import SEAT_LETTERS, SIDE_NAMES
from .engine.game import Game, field_names
from .engine.rules import OptionError, changed_rules
from .games import VERSIONS, load
from .notation import NotationError, action_text, cards_text, deal_text, parse_action
from .tables import IllegalAction, Tables

SCHEMA = "skruv.deal/1"
KEYS = ("schema", "game", "rules", "dealer", "deal", "actions", "ledger_before", "lines", "notes")
OPTIONAL = ("kotka", "contract", "declarer")
KINDS = {
    **dict.fromkeys(("game", "deal", "dealer", *OPTIONAL), (str, "string")),
    **dict.fromkeys(("rules", "ledger_before"), (dict, "object")),
    **dict.fromkeys(("actions", "notes"), (list, "array")),
}

Record = dict[str, Any]
LARGEST_SUM = 1.001
"""Of probabilities, which are rounded."""


class DealRecord(dict[str, Any]):
    """A record that draws itself in a notebook."""

    def _repr_html_(self) -> str:
        from .render.html import draw_html
        from .render.page import scene_of_record

        return draw_html(scene_of_record(self))


class Thought(TypedDict):
    """What a player thought before it acted; either part may be left out."""

    probabilities: NotRequired[dict[str, float]]
    """With which it meant to take which legal action; small ones may be left out."""
    value: NotRequired[float]
    """What it expected for its side in the rest of the deal, points."""


class RecordError(ValueError):
    """A record that can't be read, or does not tell what the engine finds; the message gives the line and the reason."""


def deal_record(
    game: Game, rules: Any, opening: np.ndarray, actions: Iterable[int], result: np.ndarray | None, given: Mapping[str, Any] | None = None
) -> Record:
    """The record of one deal.

    Args:
        rules: of the table.
        opening: (1,) record of the state as the deal began, the hands in ``dealt``.
        actions: by id.
        result: the finished deal, ``None`` while it is played.
        given: ``contract`` and ``declarer``, where the play of the cards was the beginning.
    """
    state = opening[0]
    record: Record = {
        "schema": SCHEMA,
        "game": game.name,
        "rules": {name: value for name, value in changed_rules(rules).items() if name != "first_dealer"},
        "dealer": SEAT_LETTERS[state["dealer"]],
        "deal": deal_text(state["dealt"]),
    }
    if "kotka" in field_names(opening.dtype) and state["kotka"]:
        record["kotka"] = cards_text(state["kotka"])
    for name in ("contract", "declarer"):
        if given and name in given:
            record[name] = given[name]
    return DealRecord(record | {
        "actions": [action_text(game, action) for action in actions],
        "ledger_before": {name: state["ledger"][name].tolist() for name in field_names(state["ledger"].dtype)},
        "lines": None if result is None else score_lines(game, result),
        "notes": [],
    })


def with_thoughts(record: Record, thoughts: Iterable[Thought | None]) -> Record:
    """``record`` with a note of what the players thought, one :class:`Thought` or ``None`` for each action."""
    return DealRecord(record | {"notes": [*record["notes"], {"thoughts": list(thoughts)}]})


def thoughts_of(record: Record) -> list[Thought | None]:
    """What the players thought before each action of a record that verifies; ``None`` where the notes do not tell."""
    told = [note["thoughts"] for note in record["notes"] if isinstance(note, dict) and "thoughts" in note]
    return told[0] if told else [None] * len(record["actions"])


def players_of(record: Record) -> dict[str, str]:
    """The names of the players by seat letter, where the notes tell them."""
    told = [note["players"] for note in record["notes"] if isinstance(note, dict) and "players" in note]
    return told[0] if told else {}


def score_lines(game: Game, result: np.ndarray) -> list[list[Any]]:
    """The entries of a finished deal that are not zero: ``[["NS", "below", "tricks", 208], ...]``."""
    return [
        [SIDE_NAMES[side], line.column, line.kind, int(points)]
        for line, row in zip(game.lines, result["lines"], strict=True)
        for side, points in enumerate(row)
        if points
    ]


def replay(record: Record) -> Iterator[Tables]:
    """Play a record again: the table at the beginning of the deal, then after each action (the same object each time).

    Raises:
        RecordError: the record can't be read, an action is not legal, or the engine finds other score lines.
    """
    table = _open(record)
    yield table
    finished = False
    for place, (text, thought) in enumerate(zip(record["actions"], thoughts_of(record), strict=True)):
        try:
            if finished:
                raise RecordError("the deal is over before it")
            action = parse_action(table.game, text)
            if thought is not None:
                _check_legal(table, thought)
            before = table.states["finished"][0]
            table.step(np.array([action]))
            finished = table.states["finished"][0] > before
        except (NotationError, IllegalAction, RecordError) as error:
            raise RecordError(f"action {place} ({text!r}): {error}") from error
        yield table
    lines = score_lines(table.game, table.results[0]) if finished else None
    if lines != record["lines"]:
        raise RecordError(f"the score lines are {record['lines']}, but the engine finds {lines}")


def verify(record: Record) -> None:
    """:func:`replay` a record to its end; raises :class:`RecordError` if it does not hold."""
    for _ in replay(record):
        pass


def _open(record: Record) -> Tables:
    """A table at the beginning of the deal of ``record``."""
    _check_form(record)
    options = {name: record[name] for name in ("dealer", "deal", *OPTIONAL) if name in record}
    try:
        load(record["game"]).make_rules(record["rules"])
        table = Tables(record["game"], seed=0, autoreset=False, max_deals=None, trails=True, **record["rules"])
        table.reset(deals={**options, "ledger": record["ledger_before"]})
    except (OptionError, NotationError) as error:
        raise RecordError(str(error)) from error
    return table


def _check_form(record: Any) -> None:
    if not isinstance(record, dict):
        raise RecordError(f"a record is a JSON object, not {type(record).__name__}")
    if record.get("schema") != SCHEMA:
        raise RecordError(f"schema {record.get('schema')!r} is not known; this version reads {SCHEMA!r}")
    for name in KEYS:
        if name not in record:
            raise RecordError(f"{name!r} is missing")
    for name in record:
        if name not in KEYS + OPTIONAL:
            raise RecordError(f"{name!r} is not known in {SCHEMA!r}")
    for name, (kind, word) in KINDS.items():
        if name in record and not isinstance(record[name], kind):
            raise RecordError(f"{name!r} must be a JSON {word}, not {record[name]!r}"[:200])
    if record["game"] not in VERSIONS:
        raise RecordError(f"game {record['game']!r} is not known; there are {', '.join(VERSIONS)}")
    _check_notes(record)


def _check_notes(record: Record) -> None:
    """The notes that have a meaning."""
    for name in ("players", "thoughts"):
        told = [note[name] for note in record["notes"] if isinstance(note, dict) and name in note]
        if len(told) > 1:
            raise RecordError(f"notes: {name!r} stands {len(told)} times")
        if told and name == "players":
            _check_players(told[0])
        elif told:
            _check_thoughts(told[0], len(record["actions"]))


def _check_players(told: Any) -> None:
    if not isinstance(told, dict) or not all(seat in tuple(SEAT_LETTERS) and isinstance(name, str) for seat, name in told.items()):
        raise RecordError(f"notes: 'players' must be an object of names by seat letter, not {told!r}"[:200])


def _check_thoughts(told: Any, actions: int) -> None:
    if not isinstance(told, list) or len(told) != actions:
        size = f" of {len(told)}" if isinstance(told, list) else ""
        found = type(told).__name__ + size
        raise RecordError(f"notes: 'thoughts' must be an array with an entry for each of the {actions} actions, not {found}")
    for place, thought in enumerate(told):
        if thought is None:
            continue
        where = f"notes: the thought of action {place}"
        if not isinstance(thought, dict) or not set(thought) <= {"probabilities", "value"}:
            raise RecordError(f"{where} must be null or an object of 'probabilities' and 'value', not {thought!r}"[:200])
        if not _is_number(thought.get("value", 0)):
            raise RecordError(f"{where}: 'value' must be a finite number, not {thought['value']!r}"[:200])
        chances = thought.get("probabilities", {})
        if not isinstance(chances, dict) or not all(_is_number(chance) and 0 <= chance <= 1 for chance in chances.values()):
            raise RecordError(f"{where}: 'probabilities' must be an object of numbers from 0 to 1, not {chances!r}"[:200])
        if sum(chances.values()) > LARGEST_SUM:
            raise RecordError(f"{where}: the probabilities sum to {sum(chances.values()):.4g}, more than 1")


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < 2**63 and math.isfinite(value)


def _check_legal(table: Tables, thought: Thought) -> None:
    """The actions that were thought of are legal ones."""
    legal = table.legal()[0]
    for name in thought.get("probabilities", {}):
        if not legal[parse_action(table.game, name)]:
            raise RecordError(f"its thought has a probability of {name}, which is not legal")


def write_records(path: str | Path, records: Iterable[Record]) -> None:
    """One JSON object a line."""
    Path(path).write_text("".join(json.dumps(record, separators=(",", ":")) + "\n" for record in records), encoding="utf-8")


def read_records(path: str | Path) -> list[Record]:
    """The records of a file, each verified.

    Raises:
        RecordError: with the file, the line and the reason.
    """
    records: list[Record] = []
    text = Path(path).read_bytes().decode("utf-8", errors="replace")
    for number, line in enumerate(text.removesuffix("\n").split("\n"), start=1):
        try:
            try:
                if not text:
                    raise RecordError("the file is empty: a deal is a line of it")
                record = json.loads(line)
            except (ValueError, RecursionError) as error:
                raise RecordError(f"this is not a whole JSON object ({error})") from error
            verify(record)
        except RecordError as error:
            raise RecordError(f"{path}, line {number}: {error}") from error
        records.append(DealRecord(record))
    return records


def game_of(record: Record) -> Game:
    """The game that a record tells of."""
    return load(record["game"])

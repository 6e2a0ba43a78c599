"""The generated parts of the docs: ``python tests/pages.py`` writes them into the pages of the games and the README.

A generated part stands between ``<!-- NAME -->`` and ``<!-- end -->``; a test holds each equal to what is made here.
"""

import ast
import inspect
import re
from collections.abc import Callable
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import Any

from skruv import aec
from skruv.engine.game import Game
from skruv.engine.rules import options_of
from skruv.games import VERSIONS, load
from skruv.tables import Tables

ROOT = Path(__file__).resolve().parent.parent
PART = re.compile(r"<!-- (\w+) -->\n(.*?)<!-- end -->\n", re.DOTALL)


def table(head: tuple[str, ...], rows: list[tuple[Any, ...]]) -> str:
    """A Markdown table."""
    lines = [head, ("---",) * len(head), *rows]
    return "".join(f"| {' | '.join(str(cell) for cell in line)} |\n" for line in lines)


def attributes(game: Game) -> str:
    """The size of everything."""
    size, raw = game.size("full"), game.size("raw")
    return table(
        ("", ""),
        [
            ("Import", f"`from skruv import {game.name}_v{VERSIONS[game.name]}`"),
            ("Id", f'`pettingzoo.make("aec", "skruv/{game.name}-v{VERSIONS[game.name]}")`'),
            ("Agents", "`player_0` .. `player_3`, at N E S W; 0 and 2 against 1 and 3"),
            ("Actions", f"`Discrete({len(game.actions)})`"),
            ("Observations", f"`Dict(observation=Box(0, 1, ({size},), int8), action_mask=Box(0, 1, ({len(game.actions)},), int8))`"),
            ("With `features=\"raw\"`", f"{raw} bits instead of {size}"),
            ("State", f"`Box(0, 1, ({size + 4 * 52},), int8)`"),
            ("Parallel", "no"),
        ],
    )


def arguments(game: Game) -> str:
    """The options of the environment, then those of the rules."""
    given = inspect.signature(Tables.__init__).parameters
    rows = [
        (f"`{name}`", f"`{given[name].default!r}`", meaning)
        for name, meaning in argument_help(Tables).items()
        if name in given and name not in ("game", "n", "seed", "autoreset", "threads", "trails")
    ]
    modes = ", ".join(f'`"{mode}"`' for mode in aec.RENDER_MODES)
    rows += [("`render_mode`", "`None`", f"{modes}, see below"), ("`perspective`", "`'actor'`", "whose view is drawn, see below")]
    rules = game.rules()
    rows += [
        (f"`{name}`", f"`{getattr(rules, name)!r}`", f"{option}. {meaning}".replace("|", "or"))
        for (name, option), meaning in zip(options_of(game.rules).items(), field_help(game.rules).values(), strict=True)
    ]
    if game.variants:
        choices = "; ".join(f"`{name!r}`: {', '.join(f'{k}={v}' for k, v in preset.items())}" for name, preset in game.variants.items())
        rows.append(("`variant`", "`None`", f"A preset of these rules; a field given beside it wins. {choices}"))
    return table(("argument", "default", "meaning"), rows)


def observation(game: Game) -> str:
    """Each named part of an observation."""
    layout = game.layout()
    return table(
        ("bits", "name", "shape", "sort", "meaning"),
        [
            (
                f"{layout[plane.name].start}..{layout[plane.name].stop - 1}", f"`{plane.name}`",
                " x ".join(map(str, plane.shape)) + (" thermometer" if isinstance(plane.axes[-1], int) else ""), plane.sort, plane.meaning,
            )
            for plane in game.planes
        ],
    )


def actions(game: Game) -> str:
    """The action ids by group."""
    return table(
        ("ids", "group", "names"),
        [
            (f"{ids.start}..{ids.stop - 1}" if ids.stop - ids.start > 1 else ids.start, f"`{group}`", span(game.actions[ids]))
            for group, ids in game.groups.items()
        ],
    )


def span(names: tuple[str, ...]) -> str:
    """The first and the last of many names."""
    return " ".join(names) if len(names) < 8 else f"{names[0]} {names[1]} .. {names[-1]}"


def lines(game: Game) -> str:
    """The kinds of entries on the score sheet."""
    return table(("column", "entry", "ruling"), [(line.column, line.kind, line.ruling) for line in game.lines])


def common(section: str) -> Callable[[Game], str]:
    """A section of the docstring of :mod:`skruv.aec`."""
    text = inspect.getdoc(aec) or ""
    body = text.split(f"## {section}\n", 1)[1].split("\n## ", 1)[0].strip()
    return lambda game: body + "\n"


def games(_: Game | None) -> str:
    """The games side by side, for the README."""
    rows = []
    for name in VERSIONS:
        game = load(name)
        sessions = ", ".join(options_of(game.rules)["episode"].choices)
        rows.append((
            f"[{game.title}](envs/skruv/{name}_v{VERSIONS[name]}.py)", f"`skruv/{name}-v{VERSIONS[name]}`", len(game.actions),
            f"{game.size('full')} ({game.size('raw')})", sessions, f"{game.state.itemsize} bytes",
        ))
    return table(("game", "id", "actions", "observation bits (raw)", "episodes", "state"), rows)


PARTS: dict[str, Callable[[Any], str]] = {
    "attributes": attributes, "arguments": arguments, "observation": observation, "actions": actions, "lines": lines, "games": games,
    "rewards": common("Rewards"), "start": common("Start"), "finish": common("End"), "rendering": common("Rendering"),
}


def field_help(rules: type) -> dict[str, str]:
    """The docstring under each field of a class."""
    body = next(node.body for node in ast.parse(inspect.getsource(rules)).body if isinstance(node, ast.ClassDef))
    return {
        ast.unparse(field.target): " ".join(ast.literal_eval(text.value).split())
        for field, text in pairwise(body)
        if isinstance(field, ast.AnnAssign) and isinstance(text, ast.Expr)
    }


def argument_help(documented: Any) -> dict[str, str]:
    """The ``Args:`` of a docstring, by name."""
    text = (inspect.getdoc(documented) or "").split("Args:\n", 1)[1].split("\n\n", 1)[0]
    found = re.findall(r"^    (\w+): (.*(?:\n        .*)*)", text, re.MULTILINE)
    return {name: " ".join(meaning.split()).replace("``", "`").replace(":class:", "") for name, meaning in found}


def pages() -> dict[Path, Game | None]:
    """The files with generated parts, and the game that each tells of."""
    found: dict[Path, Game | None] = {ROOT / "README.md": None}
    for name, version in VERSIONS.items():
        found[Path(inspect.getfile(import_module(f"skruv.{name}_v{version}")))] = load(name)
    return found


def renewed(text: str, game: Game | None) -> str:
    """``text`` with its generated parts made anew."""
    return PART.sub(lambda part: f"<!-- {part[1]} -->\n{PARTS[part[1]](game)}<!-- end -->\n", text)


if __name__ == "__main__":
    for path, game in pages().items():
        path.write_text(renewed(path.read_text(encoding="utf-8"), game), encoding="utf-8")

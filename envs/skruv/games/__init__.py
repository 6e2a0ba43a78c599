"""The law: one file a game. A game file imports the engine and nothing else."""

import difflib
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..engine.game import Game

VERSIONS = {"vint": 0, "skruuvi": 0, "biritch": 0}
"""The registered games, by name, with the version of their environments."""


def load(name: str) -> "Game":
    """The game called ``name``; ``ValueError`` with the nearest name where there is none."""
    if name not in VERSIONS:
        near = difflib.get_close_matches(str(name), VERSIONS, n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(VERSIONS)}"
        raise ValueError(f"no game is called {name!r}; {hint}")
    return import_module(f"{__name__}.{name}").GAME

"""Players: anything that answers ``act(views)`` with one action for each view.

``player(name, game, seed)`` makes a registered one. A player sees views only, never a table.
"""

import difflib
from collections.abc import Callable
from typing import Protocol, runtime_checkable

import numpy as np

from ..engine.game import Game
from ..games import load
from ..tables import Views
from .chance import RandomPlayer, UniformPlayer
from .plain import PlainPlayer
from .policy import PolicyError, saved_policy
from .search import Budget, SearchPlayer
from .thumb import ThumbPlayer


@runtime_checkable
class Player(Protocol):
    """Sits at any number of tables at once."""

    def act(self, views: Views) -> np.ndarray:
        """(n,) int64, a legal action for each of the ``views``."""
        ...


def answer_of(moving: Player, views: Views) -> np.ndarray:
    """(n,) integers, what a player answers; ``ValueError`` where it answers with anything else."""
    answer = np.asarray(moving.act(views))
    if answer.shape != (len(views),) or answer.dtype.kind not in "iu":
        raise ValueError(
            f"the player {moving!r} answered {len(views)} views with an array of shape {answer.shape} and dtype {answer.dtype}: "
            "act(views) must give an integer for each"
        )
    return answer


PLAYERS: dict[str, Callable[[Game, int], Player]] = {
    "uniform": UniformPlayer,
    "random": RandomPlayer,
    "pass": PlainPlayer,
    "thumb": ThumbPlayer,
    "search": SearchPlayer,
}
"""By name, what makes a player of a game from a seed."""

TAILORED: dict[str, Callable[[Game, int, str], Player]] = {
    "policy": saved_policy,
    "search": lambda game, seed, more: SearchPlayer(game, seed, Budget.read(more)),
}
"""The same for those whose name goes on after a colon, from what stands there too: ``kind:more``."""


def player(name: str, game: str | Game, seed: int = 0) -> Player:
    """The registered player called ``name``; ``ValueError`` with the nearest name where there is none."""
    if not isinstance(name, str):
        raise TypeError(f"player {name!r}: it must be the name of one")
    game = load(game) if isinstance(game, str) else game
    kind, colon, more = name.partition(":")
    if colon and kind in TAILORED:
        return TAILORED[kind](game, seed, more)
    if colon or name not in PLAYERS:
        names = [*PLAYERS, *(f"{kind}:..." for kind in TAILORED)]
        near = difflib.get_close_matches(name, names, n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(names)}"
        raise ValueError(f"no player is called {name!r}; {hint}")
    return PLAYERS[name](game, seed)


__all__ = [
    "PLAYERS", "TAILORED", "PlainPlayer", "Player", "PolicyError", "RandomPlayer", "SearchPlayer", "ThumbPlayer", "UniformPlayer",
    "answer_of", "player",
]

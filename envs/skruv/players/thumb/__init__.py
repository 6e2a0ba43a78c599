"""The player ``thumb``: bids and plays by rules of thumb, one file for each game's auction, the card play shared."""

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine.game import Game
from ...engine.kernel import cached_kernel, rebind, records
from ...tables import Views

if TYPE_CHECKING:  # bound to a game's kernel by _loop_of

    def decide(state: Any, seat: int) -> int: ...


def thumb_actions(states, seats, actions):
    """One action for each state."""
    for place in range(seats.size):
        actions[place] = decide(states[place], seats[place])


def rules_of_thumb(game: Game) -> Any:
    """The kernel ``decide(state, seat)`` of ``game``."""
    if find_spec(f".{game.name}", __name__) is None:
        raise ValueError(f"the player 'thumb' has no rules of thumb for {game.title}: they would stand in players/thumb/{game.name}.py")
    return import_module(f".{game.name}", __name__).decide


@cache
def _loop_of(game: Game) -> Any:
    return cached_kernel(rebind(thumb_actions, game.name, {"decide": rules_of_thumb(game)}))


class ThumbPlayer:
    """Values its hand by the score of its game, bids what pays on average, plays sound cards. Draws no lots: ``seed`` changes nothing."""

    def __init__(self, game: Game, seed: int = 0) -> None:
        self.game = game
        self.loop = _loop_of(game)

    def act(self, views: Views) -> np.ndarray:
        views.check_game(self.game, self)
        actions = np.empty(len(views), np.int64)
        self.loop(records(views.state), views.seat, actions)
        # a learner's table may offer less than the law: a seat that is forced to open has no pass
        offered = views.mask[np.arange(len(views)), actions] > 0
        return np.where(offered, actions, views.mask.argmax(axis=1))

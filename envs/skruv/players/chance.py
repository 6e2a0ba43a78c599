"""Players that draw lots: ``uniform``, and ``random``, whose contracts are those of people."""

import numpy as np

from ..engine.game import Game
from ..tables import Views

MANNERS = {"vint": (0.87, 0.5), "skruuvi": (0.7, 0.5), "biritch": (0.8, 0.5)}
"""By game, how :class:`RandomPlayer` calls: the weight of a pass, and by how much each step up the ladder is less likely."""
USUAL_MANNER = (0.8, 0.5)


def draw(mask: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """(n,) int64, for each row of ``mask`` (n, A) one of its non-zero places, uniformly."""
    place = (rng.random(len(mask)) * mask.sum(axis=1)).astype(np.int64)
    return (mask.cumsum(axis=1) > place[:, None]).argmax(axis=1)


class UniformPlayer:
    """Any legal action with the same chance. Its auctions end near the top bid: a poor yardstick."""

    def __init__(self, game: Game, seed: int = 0) -> None:
        self.rng = np.random.default_rng(seed)

    def act(self, views: Views) -> np.ndarray:
        return draw(views.mask, self.rng)


class RandomPlayer:
    """Uniform over the cards; passes with a weight, else bids 1 + Geometric steps above the standing bid; doubles as seldom."""

    def __init__(self, game: Game, seed: int = 0) -> None:
        self.rng = np.random.default_rng(seed)
        self.pass_weight, self.decay = MANNERS.get(game.name, USUAL_MANNER)
        self.passing = game.groups["pass_"].start
        self.ladder = game.groups.get("bid", slice(0, 0))

    def act(self, views: Views) -> np.ndarray:
        others = views.mask.copy()
        others[:, self.passing] = 0
        action = draw(np.where(others.any(axis=1, keepdims=True), others, views.mask), self.rng)
        bids = views.mask[:, self.ladder]
        if bids.size:
            choices = bids.sum(axis=1)
            steps = np.minimum(self.rng.geometric(1 - self.decay, len(views)), choices)
            bid = self.ladder.start + (bids.cumsum(axis=1) >= steps[:, None]).argmax(axis=1)
            action = np.where(choices > 0, bid, action)
        passes = (views.mask[:, self.passing] == 1) & (self.rng.random(len(views)) < self.pass_weight)
        return np.where(passes, self.passing, action)

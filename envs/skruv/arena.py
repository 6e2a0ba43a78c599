"""Duplicate matches between players: every deal is played twice with the sides exchanged, so that the cards cancel out (K-40)."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from .engine.cards import NO_SEAT
from .engine.game import Game
from .games import load
from .players import Player
from .tables import Tables

RESAMPLES = 4000
"""Of the bootstrap."""
BATCH = 2048
"""Deals that are played at once."""


@dataclass(frozen=True)
class Match:
    """What :func:`play_match` measured, seen from the first player's pair."""

    game: str
    margins: np.ndarray
    """(n,) float64, points a deal: the mean of its two plays, own points minus the other pair's."""
    contracts: Counter[str]
    """How often each contract was played, by either pair; ``"passed out"`` among them."""
    failed: int
    """Contracts that were not made."""

    @property
    def n(self) -> int:
        """Deals, each played twice."""
        return len(self.margins)

    @property
    def mean(self) -> float:
        """Points a deal."""
        return float(self.margins.mean())

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % bootstrap interval of :attr:`mean`, over deals."""
        rng = np.random.default_rng(0)
        means = [rng.choice(self.margins, self.n).mean() for _ in range(RESAMPLES)]
        low, high = np.percentile(means, [2.5, 97.5])
        return float(low), float(high)

    @property
    def passed_out(self) -> float:
        """Share of plays without a contract."""
        return self.contracts["passed out"] / (2 * self.n)

    def __str__(self) -> str:
        low, high = self.interval
        return f"{self.mean:+.1f} points a deal (95 % interval {low:+.1f} .. {high:+.1f}, n = {self.n} deals, each played twice)"


def play_match(
    game: str | Game, ours: Player, theirs: Player, *, deals: int = 1000, seed: int = 0,
    progress: Callable[[int], None] | None = None, **options: Any,
) -> Match:
    """``deals`` one-deal episodes, each played twice: ``ours`` as player_0 and player_2, then as player_1 and player_3.

    Args:
        deals: how many; deal i is that of ``env.reset(seed=seed + i)``.
        progress: called with the deals done so far.
        **options: of :class:`~skruv.tables.Tables`.
    """
    game = load(game) if isinstance(game, str) else game
    margins = []
    results = []
    for first in range(0, deals, BATCH):
        n = min(BATCH, deals - first)
        north_south = play_tables(game, {0: ours, 1: theirs}, n, seed + first, options)
        east_west = play_tables(game, {0: theirs, 1: ours}, n, seed + first, options)
        margins.append((margin_of(north_south) - margin_of(east_west)) / 2)
        results += [north_south, east_west]
        if progress is not None:
            progress(first + n)
    played = np.concatenate(results)
    return Match(game.name, np.concatenate(margins), contracts_of(game, played), int(is_failed(game, played).sum()))


def play_tables(game: Game, players: Mapping[int, Player], n: int, seed: int, options: Mapping[str, Any]) -> np.ndarray:
    """Play ``n`` one-deal tables, a player for each side; (n,) their results."""
    tables = Tables(game, n, seed=seed, autoreset=False, **options)
    while len(rows := np.flatnonzero(tables.states["seat"] != NO_SEAT)):
        views = tables.views(rows)
        actions = np.empty(len(rows), np.int64)
        for side, player in players.items():
            theirs = np.flatnonzero(views.seat % 2 == side)
            if len(theirs):
                actions[theirs] = player.act(views[theirs])
        tables.step(actions, rows)
    return tables.results


def margin_of(results: np.ndarray) -> np.ndarray:
    """(n,) float64, the points of North and South minus those of East and West."""
    return (results["lines"][:, :, 0] - results["lines"][:, :, 1]).sum(axis=1).astype(np.float64)


def contracts_of(game: Game, results: np.ndarray) -> Counter[str]:
    """How often each contract was played, with its doublings."""
    return Counter(
        "passed out" if contract < 0 else game.contracts[contract] + (f" x{2**int(doublings)}" if doublings else "")
        for contract, doublings in zip(results["contract"].tolist(), results["doublings"].tolist(), strict=True)
    )


def is_failed(game: Game, results: np.ndarray) -> np.ndarray:
    """(n,) bool, the score sheet holds a line for a contract that was not made."""
    kinds = [line.kind for line in game.lines]
    failed = np.zeros(len(results), np.bool_)
    if "undertricks" in kinds:
        failed |= results["lines"][:, kinds.index("undertricks")].any(axis=1)
    if "special" in kinds:
        failed |= (results["lines"][:, kinds.index("special")] < 0).any(axis=1)
    return failed


def level_of(contract: str) -> int:
    """The number that a contract's name begins with, 0 where it has none."""
    digits = contract[: len(contract) - len(contract.lstrip("0123456789"))]
    return int(digits or 0)

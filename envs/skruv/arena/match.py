"""A match of two players over deals that are each played twice, and what it says."""

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from ..checks import seed_value, whole
from ..engine.cards import SEAT_LETTERS, side_of
from ..engine.game import Game
from ..engine.kernel import python_of
from ..engine.rules import OptionError
from ..games import load
from ..players import Player
from .plays import SLAM, Play, PlayedDeal, contract_text, episode_of, level_of, match_options, play_out, plays_of
from .ratings import bootstrap_interval
from .showing import draw_running, drawn, new_axes, number, options_text, plural

BATCH = 2048
"""Deals that :func:`play_match` plays at once."""


@dataclass(frozen=True)
class Tally:
    """The contracts that one pair declared in a match."""

    played: int
    made: int
    slams: int
    """In how many it took 12 or 13 tricks."""
    top: int
    """How many were of the highest level: where it is most of them, the bidding has collapsed."""
    doubled: int
    mean_level: float
    """Of those that have one; NaN where none has."""

    @classmethod
    def of(cls, game: Game, deals: Sequence[PlayedDeal]) -> "Tally":
        """Those that are not passed out in ``deals``."""
        highest = max(map(level_of, game.contracts))
        played = [(deal["contract"], deal["declarer"], deal) for deal in deals]
        levels, slams = [], 0
        for contract, declarer, deal in played:
            if contract is not None and declarer is not None:
                levels.append(level_of(contract))
                slams += deal["tricks"][python_of(side_of)(SEAT_LETTERS.index(declarer))] >= SLAM
        counted = [level for level in levels if level]
        return cls(
            played=len(levels), made=sum(deal["made"] is True for deal in deals), slams=slams,
            top=sum(level == highest for level in counted), doubled=sum(deal["doublings"] > 0 for deal in deals),
            mean_level=float(np.mean(counted)) if counted else math.nan,
        )


@dataclass(frozen=True, repr=False)
class Match:
    """What :func:`play_match` measured, seen from the first player's pair."""

    game: str
    margins: np.ndarray
    """(n,) float64, points a deal (or a session): the mean of its two plays, own points minus the other pair's."""
    contracts: Counter[str]
    """How often each contract was played, by either pair; ``"passed out"`` among them."""
    failed: int
    """Contracts that were not made."""
    names: tuple[str, str] = ("ours", "theirs")
    tallies: tuple[Tally, Tally] | None = None
    """The contracts of each pair."""
    episode: str = "deal"
    """What is played twice: a ``"deal"``, a ``"rubber"`` or a ``"match"``."""
    truncated: int = 0
    """Plays that were cut off after ``max_deals`` deals."""
    options: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(
        cls, game: Game, plays: Sequence[Play], *, ours: int, names: tuple[str, str], episode: str, options: Mapping[str, Any]
    ) -> "Match":
        """From both plays of each deal; ``ours`` is the first player's place in their ``seats``."""
        margins: dict[int, int] = {}
        deals: tuple[list[PlayedDeal], list[PlayedDeal]] = [], []
        contracts: Counter[str] = Counter()
        for play in plays:
            side = int(play["seats"][0] != ours)
            margin = sum(deal["margin"] for deal in play["deals"])
            margins[play["number"]] = margins.get(play["number"], 0) + (-margin if side else margin)
            contracts.update(map(contract_text, play["deals"]))
            for deal in play["deals"]:
                if deal["declarer"] is not None:
                    deals[side ^ python_of(side_of)(SEAT_LETTERS.index(deal["declarer"]))].append(deal)
        return cls(
            game.name, np.array([margins[number] / 2 for number in sorted(margins)]), contracts,
            sum(deal["made"] is False for declared in deals for deal in declared), names,
            (Tally.of(game, deals[0]), Tally.of(game, deals[1])), episode, sum(play["truncated"] for play in plays), options,
        )

    @property
    def n(self) -> int:
        """Deals (or sessions), each played twice."""
        return len(self.margins)

    @property
    def mean(self) -> float:
        """Points a deal."""
        return float(self.margins.mean()) if self.n else math.nan

    @cached_property
    def interval(self) -> tuple[float, float]:
        """The 95 % bootstrap interval of :attr:`mean`, over deals."""
        return bootstrap_interval(self.margins)

    @property
    def deals(self) -> int:
        """All that were dealt and finished, in both plays."""
        return self.contracts.total()

    @property
    def passed_out(self) -> float:
        """Share of :attr:`deals` without a contract."""
        return self.contracts["passed out"] / self.deals if self.deals else math.nan

    @property
    def scores(self) -> np.ndarray:
        """(n,) float64: 1 where the first pair had more points of a deal, 0 where it had fewer, 0.5 where as many."""
        return (np.sign(self.margins) + 1) / 2

    def __str__(self) -> str:
        low, high = self.interval
        told = f"{self.mean:+.1f} points a {self.episode} (95 % interval {low:+.1f} .. {high:+.1f}, n = {self.n} {plural(self.episode)},"
        return f"{told} each played twice)" + (f"; {options_text(self.options)}" if self.options else "")

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return drawn(str(self))

    def plot(self, axes: Any = None) -> Any:
        """Draw how the margins are spread, and their running mean with its 95 % interval; a pair of matplotlib's axes.

        Raises :class:`~skruv.checks.MissingExtra` where matplotlib is not installed.
        """
        spread, running = new_axes(2) if axes is None else axes
        spread.hist(self.margins, bins=40)
        spread.set(xlabel=f"points a {self.episode}", ylabel=plural(self.episode), title=f"{' v '.join(self.names)}, n = {self.n}")
        draw_running(running, self.margins, None)
        running.set(xlabel=plural(self.episode), ylabel=f"mean points a {self.episode}")
        return spread, running

    def summary(self) -> dict[str, Any]:
        """The figures, as JSON."""
        kinds = self.tallies or ()
        return {
            "players": list(self.names), "mean": number(self.mean), "interval": [number(end) for end in self.interval], "n": self.n,
            "deals": self.deals, "passed_out": self.contracts["passed out"], "truncated": self.truncated,
            "contracts": [
                {"declarer": name, **vars(tally), "mean_level": number(tally.mean_level)}
                for name, tally in zip(self.names, kinds, strict=False)
            ],
        }


def play_match(
    game: str | Game, ours: Player, theirs: Player, *, deals: int = 1000, seed: int = 0, names: tuple[str, str] = ("ours", "theirs"),
    progress: Callable[[int], None] | None = None, **options: Any,
) -> Match:
    """``deals`` episodes, each played twice: ``ours`` as player_0 and player_2, then as player_1 and player_3.

    Args:
        deals: how many; deal i is that of ``env.reset(seed=seed + i)``. With ``episode="rubber"`` so many rubbers.
        names: of the two, to be printed.
        progress: called with the deals done so far.
        **options: of :class:`~skruv.tables.Tables`; where they do not say so, Biritch is played with ``max_doublings=3``.

    Raises:
        OptionError, ValueError: what can't be played.
    """
    game = load(game) if isinstance(game, str) else game
    for who in (ours, theirs):
        if isinstance(who, str) or not isinstance(who, Player):
            raise OptionError(f"{who!r} is no player: give one that skruv.players.player makes, or play_all names")
    seed_value(seed_value(seed) + whole("deals", deals, 1))
    options = match_options(game, options)
    plays: list[Play] = []
    for first in range(0, deals, BATCH):
        numbers = range(first, min(first + BATCH, deals))
        for seats in ((0, 1, 0, 1), (1, 0, 1, 0)):
            played = play_out(game, [(ours, theirs)[who] for who in seats], seed + np.array(numbers), options)
            plays += plays_of(game, played, numbers, seats)
        if progress is not None:
            progress(numbers.stop)
    return Match.of(game, plays, ours=0, names=names, episode=episode_of(game, options), options=options)

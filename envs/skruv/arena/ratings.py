"""How sure a result is: bootstrap intervals, and ratings of players from the teams that they played in."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..checks import MissingExtra

RESAMPLES = 4000
"""Of the bootstrap of a mean."""
RATING_RESAMPLES = 300
"""Of the bootstrap of the ratings."""
ELO = 400 / math.log(10)
"""Rating points for a factor e in the odds: 400 for ten to one."""
SPREAD = 1000.0
"""Standard deviation of the ratings before anything is played: it keeps the rating of one who has won everything finite."""
LEVEL = (2.5, 97.5)
"""Percentiles between which an interval of 95 % lies."""


@dataclass(frozen=True)
class Rating:
    """The strength of players, points; 0 is their mean."""

    values: np.ndarray
    """(players,) float64"""
    low: np.ndarray
    """The 95 % interval, from a bootstrap over deals."""
    high: np.ndarray
    n: np.ndarray
    """(players,) int64, results of each player's teams; both plays of a deal are one."""


def bootstrap_interval(values: np.ndarray) -> tuple[float, float]:
    """The 95 % interval of the mean of ``values``; boundless where there are fewer than two."""
    if len(values) < 2:
        return -math.inf, math.inf
    rng = np.random.default_rng(0)
    means = [rng.choice(values, len(values)).mean() for _ in range(RESAMPLES)]
    low, high = np.percentile(means, LEVEL)
    return float(low), float(high)


def team_ratings(players: int, teams: Sequence[tuple[Sequence[int], Sequence[int]]], scores: np.ndarray) -> Rating:
    """Bradley and Terry's model (1952) for teams: a team is as strong as the mean of its members.

    The odds that a team beats another grow by ten for each 400 points between them. The fit is that of the greatest posterior
    probability, with a normal distribution of :data:`SPREAD` points before; for the interval deals and the centre of that distribution
    are drawn anew, so that it is wide where somebody has won everything.

    Args:
        players: how many.
        teams: for each meeting the members of the one team and of the other, by place.
        scores: (meetings, deals) float64, what the first team made of each deal: 1 more points, 0 fewer, 0.5 as many; NaN where it
            was not played.

    Raises:
        MissingExtra: scipy is not installed.
    """
    try:
        from scipy.optimize import minimize
        from scipy.special import expit
    except ImportError as error:
        raise MissingExtra("the rating needs scipy: pip install 'skruv[arena]'") from error
    design = np.zeros((len(teams), players))
    for meeting, (ours, theirs) in enumerate(teams):
        for member in ours:
            design[meeting, member] += 1 / len(ours)
        for member in theirs:
            design[meeting, member] -= 1 / len(theirs)

    rng = np.random.default_rng(0)
    deals = scores.shape[1]
    samples = [np.arange(deals), *(rng.integers(deals, size=deals) for _ in range(RATING_RESAMPLES))]
    played, won = np.isfinite(scores), np.nan_to_num(scores)
    games = np.array([played[:, sample].sum(axis=1) for sample in samples])
    wins = np.array([won[:, sample].sum(axis=1) for sample in samples])
    centres = np.vstack([np.zeros(players), rng.normal(0, SPREAD / ELO, (RATING_RESAMPLES, players))])

    def loss(flat: np.ndarray) -> tuple[float, np.ndarray]:
        """Minus the logarithm of the posterior of all the fits together, and its slope."""
        strengths = flat.reshape(centres.shape)
        log_odds = strengths @ design.T
        off = (strengths - centres) * (ELO / SPREAD)
        value = (games * np.logaddexp(0, log_odds) - wins * log_odds).sum() + 0.5 * (off**2).sum()
        slope = (games * expit(log_odds) - wins) @ design + off * (ELO / SPREAD)
        return float(value), slope.ravel()

    found = minimize(loss, np.zeros(centres.size), jac=True, method="L-BFGS-B", options={"ftol": 0.0, "gtol": 1e-4, "maxiter": 10_000})
    strengths = found.x.reshape(centres.shape)
    values, *drawn = ELO * (strengths - strengths.mean(axis=1, keepdims=True))
    low, high = np.percentile(drawn, LEVEL, axis=0) if deals > 1 else (np.full(players, -math.inf), np.full(players, math.inf))
    return Rating(values, low, high, (design != 0).T @ played.sum(axis=1))

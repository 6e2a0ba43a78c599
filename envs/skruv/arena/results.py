"""What matches of many players give: cross tables, and sessions of single players."""

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from rich.table import Table

from ..checks import MissingExtra
from ..engine.game import Game
from ..players.chance import MANNERS, USUAL_MANNER
from ..record import Record
from .jobs import CHUNK, ArenaError, Folder, Plan, run
from .match import Match
from .plays import USUAL_OPTIONS, Play, seat_points
from .ratings import Rating, bootstrap_interval, team_ratings
from .showing import draw_running, drawn, measured, new_axes, new_table, number, options_text, plural, printed


@dataclass(frozen=True, repr=False)
class CrossTable:
    """What :func:`play_all` measured: every pair of players over the same deals."""

    game: Game
    names: tuple[str, ...]
    """Of the players; those that are named twice carry a number."""
    pairs: tuple[tuple[int, int], ...]
    """Who met, by place in ``names``."""
    matches: tuple[Match, ...]
    """For each of them, seen from the first."""
    planned: int
    """Deals (or sessions) that each pair was to play."""
    seed: int
    options: Mapping[str, Any]
    records: list[Record] = field(default_factory=list)
    """Every deal, where they were asked for."""

    @property
    def complete(self) -> bool:
        """It was not stopped early."""
        return len(self.matches) == math.comb(len(self.names), 2) and all(match.n == self.planned for match in self.matches)

    @property
    def episode(self) -> str:
        return self.matches[0].episode

    def match(self, ours: str, theirs: str) -> Match:
        """The match of two players, seen from the first that they have in ``names``."""
        met = [(self.names[one], self.names[two]) for one, two in self.pairs]
        if (ours, theirs) not in met:
            raise ValueError(f"{ours!r} against {theirs!r} is no match here; there are {', '.join(map(' against '.join, met))}")
        return self.matches[met.index((ours, theirs))]

    @cached_property
    def rating(self) -> Rating:
        """Of the players, each with its like as partner, from which pair had more points of each deal.

        Raises :class:`~skruv.checks.MissingExtra` where scipy is not installed.
        """
        scores = np.full((len(self.matches), max(match.n for match in self.matches)), np.nan)
        for row, match in zip(scores, self.matches, strict=True):
            row[: match.n] = match.scores
        return team_ratings(len(self.names), [((one, one), (two, two)) for one, two in self.pairs], scores)

    def __str__(self) -> str:
        return printed(*self._parts())

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return drawn(*self._parts())

    def _parts(self) -> list[Table | str]:
        parts = [self._cross()] if len(self.names) > 2 else []
        return [*parts, self._pairs(), self._contracts(), rating_table(self), *notes_of(self)]

    def _cross(self) -> Table:
        """Mean points of each player against each other one, with interval and n."""
        table = new_table(f"{self.game.title}: points a {self.episode} of the player on the left", "", *self.names)
        cells = [["" for _ in self.names] for _ in self.names]
        for (one, two), match in zip(self.pairs, self.matches, strict=True):
            low, high = match.interval
            cells[one][two] = measured(match.mean, low, high, match.n)
            cells[two][one] = measured(-match.mean, -high, -low, match.n)
        for name, row in zip(self.names, cells, strict=True):
            table.add_row(name, *row)
        return table

    def _pairs(self) -> Table:
        table = new_table(
            f"{self.game.title}, seed {self.seed}", "pair", f"points a {self.episode}", "95 % interval",
            f"n ({plural(self.episode)}, each twice)", "passed out", "cut off",
        )
        for match in self.matches:
            low, high = match.interval
            table.add_row(
                " v ".join(match.names), f"{match.mean:+.1f}", f"{low:+.1f} .. {high:+.1f}", str(match.n),
                f"{match.contracts['passed out']} of {match.deals} deals", str(match.truncated or ""),
            )
        return table

    def _contracts(self) -> Table:
        table = new_table(
            "The contracts of each player", "player", "against", "contracts (n)", "made", "failed", "mean level", "12 or 13 tricks",
            "at the top level", "doubled",
        )
        for match in self.matches:
            for name, against, tally in zip(match.names, match.names[::-1], match.tallies or (), strict=True):
                level = "-" if math.isnan(tally.mean_level) else f"{tally.mean_level:.2f}"
                counts = (tally.played, tally.made, tally.played - tally.made)
                table.add_row(name, against, *map(str, counts), level, str(tally.slams), str(tally.top), str(tally.doubled))
        return table

    def plot(self, axes: Any = None) -> Any:
        """Draw the margin of each pair with its 95 % interval; matplotlib's axes."""
        (axes,) = new_axes(1) if axes is None else (axes,)
        lows, highs = np.array([match.interval for match in self.matches]).T
        means = np.array([match.mean for match in self.matches])
        places = np.arange(len(means))[::-1]
        axes.errorbar(means, places, xerr=[means - lows, highs - means], fmt="o", capsize=4)
        axes.axvline(0, linewidth=1, color="grey")
        axes.set_yticks(places, [f"{' v '.join(match.names)}, n = {match.n}" for match in self.matches])
        axes.set(xlabel=f"points a {self.episode}, 95 % interval", title=self.game.title)
        return axes

    def summary(self) -> dict[str, Any]:
        """The figures, as JSON."""
        return {**heading_of(self), "pairs": [match.summary() for match in self.matches], **rating_summary(self)}


@dataclass(frozen=True, repr=False)
class Sessions:
    """What :func:`play_sessions` measured: four single players, three rubbers, every partnership once."""

    game: Game
    names: tuple[str, ...]
    margins: np.ndarray
    """(n, 3, 4) float64, the points of each player in each rubber of each session: its side's minus the other side's."""
    seats: tuple[tuple[int, ...], ...]
    """Who sat N E S W in each rubber, by place in ``names``."""
    planned: int
    """Sessions that were to be played."""
    truncated: int
    """Rubbers that were cut off."""
    seed: int
    options: Mapping[str, Any]
    records: list[Record] = field(default_factory=list)
    """Every deal, where they were asked for."""

    episode = "rubber"

    @property
    def n(self) -> int:
        """Sessions."""
        return len(self.margins)

    @property
    def complete(self) -> bool:
        """It was not stopped early."""
        return self.n == self.planned

    @property
    def totals(self) -> np.ndarray:
        """(n, 4) float64, the points of each player at the end of each session."""
        return self.margins.sum(axis=1)

    @cached_property
    def rating(self) -> Rating:
        """Of the players, from which partnership had more points of each rubber."""
        scores = (np.sign([self.margins[:, rubber, seats[0]] for rubber, seats in enumerate(self.seats)]) + 1) / 2
        return team_ratings(len(self.names), [(seats[::2], seats[1::2]) for seats in self.seats], scores)

    def __str__(self) -> str:
        return printed(*self._parts())

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return drawn(*self._parts())

    def _parts(self) -> list[Table | str]:
        return [self._standing(), self._rubbers(), rating_table(self), *notes_of(self)]

    def _standing(self) -> Table:
        table = new_table(
            f"{self.game.title}, seed {self.seed}: points of each player, running over the three rubbers", "player", "after the first",
            "after the second", "after the third", "95 % interval", "n (sessions)",
        )
        running = self.margins.cumsum(axis=1).mean(axis=0)
        for place, name in enumerate(self.names):
            low, high = bootstrap_interval(self.totals[:, place])
            table.add_row(name, *(f"{points:+.1f}" for points in running[:, place]), f"{low:+.1f} .. {high:+.1f}", str(self.n))
        return table

    def _rubbers(self) -> Table:
        table = new_table("The rubbers", "partners", "against", "points a rubber", "95 % interval", "n (rubbers)")
        for rubber, seats in enumerate(self.seats):
            points = self.margins[:, rubber, seats[0]]
            low, high = bootstrap_interval(points)
            pairs = [" and ".join(self.names[who] for who in side) for side in (seats[::2], seats[1::2])]
            table.add_row(*pairs, f"{points.mean():+.1f}", f"{low:+.1f} .. {high:+.1f}", str(self.n))
        return table

    def plot(self, axes: Any = None) -> Any:
        """Draw the running mean of each player's points a session with its 95 % interval; matplotlib's axes."""
        (axes,) = new_axes(1) if axes is None else (axes,)
        for place, name in enumerate(self.names):
            draw_running(axes, self.totals[:, place], name)
        axes.legend()
        axes.set(xlabel="sessions", ylabel="mean points a session", title=f"{self.game.title}, n = {self.n}")
        return axes

    def summary(self) -> dict[str, Any]:
        """The figures, as JSON."""
        standing = [
            {"player": name, "mean": number(totals.mean()), "interval": [number(end) for end in bootstrap_interval(totals)], "n": self.n}
            for name, totals in zip(self.names, self.totals.T, strict=True)
        ]
        return {**heading_of(self), "standing": standing, "truncated": self.truncated, **rating_summary(self)}


def play_all(
    game: str, names: Sequence[str], *, deals: int = 500, seed: int = 0, workers: int = 1, folder: str | Path | None = None,
    resume: bool = False, records: bool = False, chunk: int = CHUNK, progress: Callable[[int, int], None] | None = None, **options: Any,
) -> CrossTable:
    """Every pair of the players called ``names`` meets over the same ``deals``, each played twice with the sides exchanged.

    The same seed gives the same result whatever the number of workers. Ctrl-C ends it with what was played.

    Args:
        deals: of each pair; deal i is that of ``env.reset(seed=seed + i)``. With ``episode="rubber"`` so many rubbers.
        workers: processes.
        folder: where to keep what is played, chunk by chunk.
        resume: go on with what the folder holds.
        records: keep every deal as a :mod:`skruv.record`.
        chunk: deals that are played together and kept together. Players that draw lots draw others with another one.
        progress: called with the episodes done so far and those of the whole.
        **options: of :class:`~skruv.tables.Tables`; where they do not say so, Biritch is played with ``max_doublings=3``.

    Raises:
        OptionError, ValueError: what can't be played.
        ArenaError: the folder can't be used.
    """
    plan = Plan(game=game, names=names, deals=deals, seed=seed, records=records, chunk=chunk, options=options)
    return _measure(plan, workers, folder, resume, progress, cross_table)


def play_sessions(
    game: str, names: Sequence[str], *, sessions: int = 100, seed: int = 0, workers: int = 1, folder: str | Path | None = None,
    resume: bool = False, records: bool = False, chunk: int = CHUNK, progress: Callable[[int, int], None] | None = None, **options: Any,
) -> Sessions:
    """Sessions of the four single players called ``names``; what is not said here is as in :func:`play_all`."""
    plan = Plan(game=game, names=names, deals=sessions, seed=seed, session=True, records=records, chunk=chunk, options=options)
    return _measure(plan, workers, folder, resume, progress, session_table)


def _measure(plan: Plan, workers: int, path: str | Path | None, resume: bool, progress: Any, table: Callable[..., Any]) -> Any:
    if resume and path is None:
        raise ArenaError("resume needs the folder to go on with")
    folder = None if path is None else Folder(path, plan, resume=resume)
    plays = run(plan, workers=workers, folder=folder, progress=progress)
    if not plays:  # Ctrl-C came before the first chunk was done
        raise KeyboardInterrupt
    result = table(plan, plays)
    if folder is not None:
        folder.summarise(result.summary())
    return result


def cross_table(plan: Plan, plays: Sequence[Play]) -> CrossTable:
    """The plays of a plan in which every pair meets."""
    names = numbered(plan.names)
    by_pair: dict[tuple[int, int], list[Play]] = {(meeting[0][0], meeting[0][1]): [] for meeting in plan.meetings}
    for play in plays:
        one, two, *_ = sorted(set(play["seats"]))
        by_pair[one, two].append(play)
    pairs = tuple(pair for pair, played in by_pair.items() if played)
    matches = tuple(
        Match.of(plan.law, by_pair[pair], ours=pair[0], names=(names[pair[0]], names[pair[1]]), episode=plan.episode, options=plan.options)
        for pair in pairs
    )
    return CrossTable(plan.law, names, pairs, matches, plan.deals, plan.seed, plan.options, records_of(plays))


def session_table(plan: Plan, plays: Sequence[Play]) -> Sessions:
    """The plays of a plan of sessions."""
    (meeting,) = plan.meetings
    margins: dict[int, np.ndarray] = {}
    for play in plays:
        session = margins.setdefault(play["number"], np.zeros((len(meeting), len(plan.names))))
        session[meeting.index(tuple(play["seats"]))][play["seats"]] = sum((seat_points(deal) for deal in play["deals"]), np.zeros(4))
    ordered = np.array([margins[number] for number in sorted(margins)]).reshape(-1, len(meeting), len(plan.names))
    truncated = sum(play["truncated"] for play in plays)
    return Sessions(
        plan.law, numbered(plan.names), ordered, meeting, plan.deals, truncated, plan.seed, plan.options, records_of(plays)
    )


def records_of(plays: Sequence[Play]) -> list[Record]:
    """Of all deals, in order."""
    return [record for play in plays for record in play.get("records", ())]


def numbered(names: Sequence[str]) -> tuple[str, ...]:
    """``names``, those that stand there twice with a number."""
    seen: Counter[str] = Counter()
    found = []
    for name in names:
        seen[name] += 1
        found.append(name if seen[name] == 1 else f"{name} {seen[name]}")
    return tuple(found)


# ---- what is printed and kept -----------------------------------------------------------------------------------------------


def rating_table(result: CrossTable | Sessions) -> Table | str:
    """The ratings of the players, or what they need."""
    try:
        rating = result.rating
    except MissingExtra as error:
        return f"No rating: {error}"
    table = new_table("Rating", "player", "rating", "95 % interval", f"n ({plural(result.episode)})")
    for place in np.argsort(-rating.values)[rating.n[np.argsort(-rating.values)] > 0]:
        value, low, high = rating.values[place], rating.low[place], rating.high[place]
        table.add_row(result.names[place], f"{value:+.0f}", f"{low:+.0f} .. {high:+.0f}", str(rating.n[place]))
    return table


def rating_summary(result: CrossTable | Sessions) -> dict[str, Any]:
    """The ratings as JSON, nothing where they can't be made."""
    try:
        rating = result.rating
    except MissingExtra:
        return {}
    columns = rating.values, rating.low, rating.high, rating.n
    return {
        "rating": [
            {"player": name, "rating": number(value), "interval": [number(low), number(high)], "n": int(n)}
            for name, value, low, high, n in zip(result.names, *columns, strict=True)
        ]
    }


def heading_of(result: CrossTable | Sessions) -> dict[str, Any]:
    """What was played, as JSON."""
    return {
        "game": result.game.name, "players": list(result.names), "episode": result.episode, "planned": result.planned,
        "seed": result.seed, "options": dict(result.options),
    }


def notes_of(result: CrossTable | Sessions) -> list[str]:
    """What a reader of the tables must know beside them."""
    game, notes = result.game, ["Ratings are of teams: 400 points between two teams are odds of ten to one."]
    if not result.complete:
        notes.append(f"Stopped early: {result.planned} {plural(result.episode)} were to be played.")
    if result.options:
        notes.append(f"Played with {options_text(result.options)}.")
    for name, value in USUAL_OPTIONS.get(game.name, {}).items():
        if result.options.get(name) == value:
            notes.append(f"{name}={value}: between players that double blindly the mean margin does not exist.")
    if any(name.startswith("random") for name in result.names):
        weight, decay = MANNERS.get(game.name, USUAL_MANNER)
        notes.append(f"random passes with weight {weight}, else bids 1 + Geometric({1 - decay:g}) steps above the standing bid.")
    if any(name.startswith("uniform") for name in result.names):
        notes.append("uniform draws any legal action: where there is a ladder of bids its auctions end near the top.")
    return notes

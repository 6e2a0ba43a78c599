"""A long measurement in chunks of deals: played by one process or several, kept in a folder, gone on with later.

A chunk depends on nothing but the plan and its own number, so the results are the same whoever plays it, and when.
"""

import json
import os
import signal
import traceback
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from functools import cached_property
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

import numpy as np

from ..checks import flag, seed_value, whole
from ..engine.cards import SEATS
from ..engine.game import Game
from ..engine.rules import OptionError
from ..games import VERSIONS, load
from ..players import player
from ..players.policy import SavedPolicy
from .plays import Play, episode_of, match_options, play_out, plays_of

CHUNK = 32
"""Deals that are played together, and kept together."""
SESSION_SEATS = ((0, 2, 1, 3), (0, 1, 2, 3), (0, 1, 3, 2))
"""Who sits N E S W in the three rubbers of a session: every partnership once (V-28)."""


class ArenaError(ValueError):
    """A folder of results that can't be used; the message says why and what to do."""


class WorkerError(RuntimeError):
    """A worker process has failed; the message holds what it said."""


@dataclass(frozen=True)
class Job:
    """One chunk of one meeting."""

    number: int
    """Its place in the order of the results."""
    chunk: int
    meeting: int
    """A pair of players, or the session."""
    deals: range


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What is to be played; :class:`OptionError` or ``ValueError`` where it can't be."""

    game: str
    names: Sequence[str]
    deals: int = 500
    """Of each pair, each played twice; or sessions."""
    seed: int = 0
    """Deal i is that of ``env.reset(seed=seed + i)``; of a session, rubber r of session i is that of ``seed + 3 * i + r``."""
    session: bool = False
    """Four single players, three rubbers, every partnership once (V-28); else every pair of players meets."""
    records: bool = False
    """Keep every deal as a :mod:`skruv.record`."""
    chunk: int = CHUNK
    options: Mapping[str, Any] = field(default_factory=dict)
    """Of :class:`~skruv.tables.Tables`."""

    def __post_init__(self) -> None:
        seed_value(seed_value(self.seed) + len(SESSION_SEATS) * whole("deals", self.deals, 1))
        whole("chunk", self.chunk, 1)
        flag("session", self.session)
        flag("records", self.records)
        if isinstance(self.names, str) or not all(isinstance(name, str) for name in self.names):
            raise OptionError(f"names = {self.names!r}: they must be a list of players' names; play_match is for players at hand")
        if self.session and len(self.names) != len(SEATS):
            raise OptionError(f"a session is for four single players, not {len(self.names)}: name four, one of them twice if need be")
        if len(self.names) < 2:
            raise OptionError("a match is between two players or more: name another one")
        options = dict(self.options)
        if self.session and options.setdefault("episode", "rubber") != "rubber":
            raise OptionError(f"episode = {options['episode']!r}: a session has three rubbers (V-28)")
        object.__setattr__(self, "names", tuple(self.names))
        object.__setattr__(self, "options", match_options(self.law, options))
        for name in self.names:
            player(name, self.law)

    @cached_property
    def law(self) -> Game:
        return load(self.game)

    @property
    def episode(self) -> str:
        """``"deal"``, ``"rubber"`` or ``"match"``."""
        return episode_of(self.law, self.options)

    @cached_property
    def meetings(self) -> tuple[tuple[tuple[int, ...], ...], ...]:
        """For each meeting, who sits N E S W in each of its plays, by place in ``names``."""
        if self.session:
            return (SESSION_SEATS,)
        places = range(len(self.names))
        return tuple(((one, two, one, two), (two, one, two, one)) for one in places for two in places if one < two)

    @cached_property
    def jobs(self) -> tuple[Job, ...]:
        """All of them, so that those meetings that have been played equally far come one after the other."""
        jobs = []
        for chunk, first in enumerate(range(0, self.deals, self.chunk)):
            deals = range(first, min(first + self.chunk, self.deals))
            jobs += [Job(len(jobs) + meeting, chunk, meeting, deals) for meeting in range(len(self.meetings))]
        return tuple(jobs)

    @property
    def plays(self) -> int:
        """Of all jobs."""
        return self.deals * sum(len(meeting) for meeting in self.meetings)

    def settings(self) -> dict[str, Any]:
        """What the results depend on, as JSON."""
        made = {name: player(name, self.law) for name in self.names}
        return {
            "game": self.game, "version": VERSIONS[self.game], "players": list(self.names), "deals": self.deals, "seed": self.seed,
            "session": self.session, "records": self.records, "chunk": self.chunk, "options": dict(self.options),
            "files": {name: each.fingerprint for name, each in made.items() if isinstance(each, SavedPolicy)},
        }


def play_job(plan: Plan, job: Job) -> list[Play]:
    """Play a chunk, its players made anew: their seeds come from the plan's, the chunk, the meeting, the play and the seat."""
    plays = []
    meeting = plan.meetings[job.meeting]
    numbers = np.array(job.deals)
    for place, seats in enumerate(meeting):
        sitting = {}
        for seat, who in enumerate(seats):
            if who not in sitting:
                words = np.random.SeedSequence([plan.seed, job.chunk, job.meeting, place, seat]).generate_state(1)
                sitting[who] = player(plan.names[who], plan.law, int(words[0]))
        seeds = plan.seed + (len(meeting) * numbers + place if plan.session else numbers)
        names = [plan.names[who] for who in seats] if plan.records else None
        played = play_out(plan.law, [sitting[who] for who in seats], seeds, plan.options, names=names)
        plays += plays_of(plan.law, played, job.deals, seats)
    return plays


# ---- worker processes -------------------------------------------------------------------------------------------------------


def play_jobs(plan: Plan, jobs: Sequence[Job], workers: int) -> Generator[tuple[Job, list[Play]], None, None]:
    """Play ``jobs``, in this process or in several others; each as it is done. Whoever stops early ends the workers."""
    if workers == 1 or len(jobs) < 2:
        for job in jobs:
            yield job, play_job(plan, job)
        return
    context = get_context("spawn")
    waiting = iter(jobs)
    playing: dict[Connection, tuple[Any, Job]] = {}
    try:
        for job in [job for _, job in zip(range(workers), waiting, strict=False)]:
            ours, theirs = context.Pipe()
            process = context.Process(target=_work, args=(plan, theirs), daemon=True)
            process.start()
            theirs.close()
            playing[ours] = process, job
            ours.send(job)
        while playing:
            for line in wait(list(playing)):
                assert isinstance(line, Connection)
                process, job = playing[line]
                answer = _answer(line, process)
                following = next(waiting, None)
                if following is None:
                    del playing[line]
                    line.close()
                    process.join()
                else:
                    playing[line] = process, following
                    line.send(following)
                yield job, answer
    finally:
        for line, (process, _) in playing.items():
            process.terminate()
            process.join()
            line.close()


def _answer(line: Connection, process: Any) -> list[Play]:
    try:
        answer = line.recv()
    except (EOFError, ConnectionResetError) as error:
        process.join()
        raise WorkerError(f"a worker process has ended with status {process.exitcode}: play with workers=1 to see why") from error
    if isinstance(answer, str):
        raise WorkerError(f"a worker process has failed:\n{answer}")
    return answer


def _work(plan: Plan, line: Connection) -> None:
    """A worker: plays what comes until the line is closed. Ctrl-C is for the process that it works for."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(EOFError, BrokenPipeError, ConnectionResetError):
        while True:
            job = line.recv()
            try:
                answer: Any = play_job(plan, job)
            except Exception:  # whatever a player raises: the parent tells it, with the traceback
                answer = traceback.format_exc()
            line.send(answer)


# ---- the folder -------------------------------------------------------------------------------------------------------------


class Folder:
    """Where results are kept: ``settings.json``, and in ``plays`` a file of JSON lines for each chunk.

    Args:
        path: of the folder, made where there is none.
        plan: what is played.
        resume: go on with what it holds.

    Raises:
        ArenaError: it holds results and ``resume`` is not set, or it holds none, or those of another plan.
    """

    def __init__(self, path: str | Path, plan: Plan, *, resume: bool) -> None:
        self.path = Path(path)
        settings = json.loads(json.dumps(plan.settings()))
        file = self.path / "settings.json"
        if self.path.exists() and not self.path.is_dir():
            raise ArenaError(f"{self.path} is not a folder: give another one")
        if resume:
            self._check(file, settings)
        elif file.exists():
            raise ArenaError(f"{self.path} holds results already: go on with --resume (resume=True), or give another folder")
        (self.path / "plays").mkdir(parents=True, exist_ok=True)
        _write(file, json.dumps(settings, indent=2) + "\n")

    def _check(self, file: Path, settings: dict[str, Any]) -> None:
        try:
            kept = json.loads(file.read_text(encoding="utf-8"))
        except FileNotFoundError as error:
            raise ArenaError(f"{self.path} holds no settings.json, there is nothing to go on with: leave --resume out") from error
        except ValueError as error:
            raise ArenaError(f"{file} can't be read ({error}): give another folder") from error
        if not isinstance(kept, dict):
            raise ArenaError(f"{file} is not a JSON object: give another folder")
        for name in {**kept, **settings}:
            if kept.get(name) != settings.get(name):
                raise ArenaError(
                    f"{self.path} was played with {name} = {kept.get(name)!r}, not {settings.get(name)!r}: give the same settings, or"
                    " another folder"
                )

    def _file(self, job: Job) -> Path:
        return self.path / "plays" / f"{job.number:06}.jsonl"

    def kept(self, plan: Plan) -> dict[int, list[Play]]:
        """The chunks that it holds, by number."""
        found = {}
        for job in plan.jobs:
            file = self._file(job)
            if file.exists():
                try:
                    found[job.number] = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
                except ValueError as error:
                    raise ArenaError(f"{file} is damaged ({error}): delete it, and it is played again") from error
        return found

    def keep(self, job: Job, plays: list[Play]) -> None:
        """Write a chunk, whole or not at all."""
        _write(self._file(job), "".join(json.dumps(play, separators=(",", ":")) + "\n" for play in plays))

    def summarise(self, summary: Mapping[str, Any]) -> None:
        """Write ``results.json``."""
        _write(self.path / "results.json", json.dumps(summary, indent=2) + "\n")


def _write(file: Path, text: str) -> None:
    part = file.with_suffix(".part")
    part.write_text(text, encoding="utf-8")
    os.replace(part, file)


def run(
    plan: Plan, *, workers: int = 1, folder: Folder | None = None, progress: Callable[[int, int], None] | None = None
) -> list[Play]:
    """Play a plan, or what a folder lacks of it; the plays in order. Ctrl-C stops, and what was played is kept and returned."""
    whole("workers", workers, 1)
    played = folder.kept(plan) if folder is not None else {}
    done = sum(map(len, played.values()))
    if progress is not None:
        progress(done, plan.plays)
    missing = [job for job in plan.jobs if job.number not in played]
    with suppress(KeyboardInterrupt), closing(play_jobs(plan, missing, workers)) as playing:
        for job, plays in playing:
            if folder is not None:
                folder.keep(job, plays)
            played[job.number] = plays
            done += len(plays)
            if progress is not None:
                progress(done, plan.plays)
    return [play for number in sorted(played) for play in played[number]]

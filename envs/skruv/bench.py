"""How fast it is: decisions a second of the tables, turns a second of the environment, time to start, memory.

Machines differ and are shared: every figure is the median of several runs, and stands beside a fixed loop of plain Python that is timed
in the same run.
"""

import os
import platform
import resource
import subprocess
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable
from functools import partial
from statistics import median
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from .aec import TableEnv
from .arena.plays import USUAL_OPTIONS
from .engine.cards import uniform
from .engine.kernel import cached_kernel
from .games import VERSIONS
from .gym import SeatVectorEnv
from .peers import PEERS
from .players import PLAYERS, player
from .tables import Tables

RUNS = 5
DECISIONS = 200_000
"""Of the tables in one run."""
SETTLING = 60
"""Decisions at each table before a part of the work is timed."""
SLOW_VIEWS = 8
"""Tables at which a player that searches is timed."""
PLAYER_TURNS, PLAYER_STRIDE = 12, 7
"""Of a player in one run: how often it is asked, and how many decisions are made at random between."""
TURNS = 20_000
"""Of the environment in one run."""
SIZES = (1, 64, 1024, 4096, 65_536)
"""Numbers of tables."""
SINGLE_ROWS = {
    "observe alone": f"observe alone, n = {SIZES[2]}, observations and masks",
    "legal alone": f"legal alone, n = {SIZES[2]}, masks",
    "deals": f"reset, n = {SIZES[2]}, deals",
    "clones": f"save and load, n = {SIZES[2]}, clones",
    "tables, two threads": f"Tables, n = {SIZES[-2]}, threads = 2, decisions",
    "tables, fresh arrays": f"Tables, n = {SIZES[-2]}, new arrays each step, decisions",
    "learner's seat": "SeatVectorEnv, n = 1024, turns of the learner",
    "turns, cheap sampler": "environment, a cheap sampler, turns",
    "turns, space sampler": "environment, action_space.sample(mask), turns",
}


def reference_rate() -> float:
    """Rounds a second of a loop of plain Python: integer arithmetic, a list and a dict."""
    rounds = 200_000
    began = time.perf_counter()
    seen: dict[int, int] = {}
    hands = list(range(52))
    word = 1
    for _ in range(rounds):
        word = (word * 1103515245 + 12345) % 2**31
        hands[word % 52] = word
        seen[word % 97] = hands[word % 51]
    return rounds / (time.perf_counter() - began)


def table_rate(game: str, n: int, *, threads: int = 1, fresh: bool = False) -> float:
    """Decisions a second of ``n`` tables: observation, mask and step into the same buffers, or ``fresh`` ones; choosing is not timed."""
    tables = Tables(game, n, seed=0, threads=threads, **USUAL_OPTIONS.get(game, {}))
    seen = None if fresh else tuple(tables.observe())
    outcome = None if fresh else (np.empty((n, 4), np.float32), np.empty(n, np.bool_), np.empty(n, np.bool_))
    actions = np.empty(n, np.int64)
    stream = np.ones(1, np.uint64)
    spent = []
    for _ in range(max(DECISIONS // n // (20 if n == 1 else 1), 20)):
        began = time.perf_counter()
        mask = tables.observe(out=seen).mask
        watched = time.perf_counter()
        choose(mask, tables.game.groups["pass_"].start, stream, actions)
        chosen = time.perf_counter()
        tables.step(actions, out=outcome)
        spent.append(watched - began + time.perf_counter() - chosen)
    return n / median(spent)


@cached_kernel
def choose(mask, passing, stream, actions):
    """A random card, a pass nine times of ten, else a random call: deals like those of people, in which most turns are cards."""
    for place in range(actions.size):
        stream[0], tenth = uniform(stream[0], 10)
        actions[place] = passing
        if not mask[place, passing] or tenth == 0:
            legal = 0
            for action in range(mask.shape[1]):
                legal += mask[place, action]
            stream[0], nth = uniform(stream[0], legal)
            for action in range(mask.shape[1]):
                nth -= mask[place, action]
                if nth < 0:
                    actions[place] = action
                    break


def part_rate(game: str, part: Callable[[Tables], Callable[[], Any]]) -> float:
    """Rows a second of one ``part`` of the work, at 1024 tables whose deals are under way."""
    tables = Tables(game, SIZES[2], seed=0, **USUAL_OPTIONS.get(game, {}))
    actions = np.empty(tables.n, np.int64)
    stream = np.ones(1, np.uint64)
    for _ in range(SETTLING):
        choose(tables.legal(), tables.game.groups["pass_"].start, stream, actions)
        tables.step(actions)
    work = part(tables)
    spent = []
    for _ in range(max(DECISIONS // tables.n, 20)):
        began = time.perf_counter()
        work()
        spent.append(time.perf_counter() - began)
    return tables.n / median(spent)


def observing(tables: Tables) -> Callable[[], Any]:
    seen = tuple(tables.observe())
    return lambda: tables.observe(out=seen)


def masking(tables: Tables) -> Callable[[], Any]:
    mask = tables.legal()
    return lambda: tables.legal(out=mask)


def cloning(tables: Tables) -> Callable[[], Any]:
    return lambda: tables.load(tables.save())


PARTS: dict[str, Callable[[Tables], Callable[[], Any]]] = {
    "observe alone": observing, "legal alone": masking, "deals": lambda tables: tables.reset, "clones": cloning,
}


def memory(game: str, n: int) -> float:
    """Bytes a table, of ``n``: states, buffers for observation, mask and outcome, and whatever a step needs besides at its peak."""
    tracemalloc.start()
    tables = Tables(game, n, seed=0, **USUAL_OPTIONS.get(game, {}))
    seen = tables.observe()
    tables.step(seen.mask.argmax(axis=1))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / n


def seat_rate(game: str, n: int = 1024) -> float:
    """Turns a second of a learner's seat at each of ``n`` tables, the three others played by ``random``; choosing is not timed."""
    env = SeatVectorEnv(game, n, skip_forced=True, **USUAL_OPTIONS.get(game, {}))
    actions = np.empty(n, np.int64)
    stream = np.ones(1, np.uint64)
    _, info = env.reset(seed=0)
    spent = []
    for _ in range(40):
        choose(info["action_mask"], env.seats.tables.game.groups["pass_"].start, stream, actions)
        began = time.perf_counter()
        info = env.step(actions)[-1]
        spent.append(time.perf_counter() - began)
    return n / median(spent)


def turn_rate(game: str, sample: Callable[[TableEnv, str, dict[str, np.ndarray]], int]) -> float:
    """Turns a second of the environment's loop as the README shows it, sampling included."""
    env = TableEnv(game, **USUAL_OPTIONS.get(game, {}))
    env.reset(seed=0)
    turns = 0
    began = time.perf_counter()
    while turns < TURNS:
        for agent in env.agent_iter():
            observation, _, termination, truncation, _ = env.last()
            env.step(None if termination or truncation else sample(env, agent, observation))
            turns += 1
        env.reset()
    return turns / (time.perf_counter() - began)


def space_sampler(env: TableEnv, agent: str, observation: dict[str, np.ndarray]) -> int:
    """As the README does it."""
    return env.action_space(agent).sample(observation["action_mask"])


class CheapSampler:
    """The same choice at little cost."""

    def __init__(self) -> None:
        self.draws = np.random.default_rng(0).random(100_003).tolist()
        self.place = 0

    def __call__(self, env: TableEnv, agent: str, observation: dict[str, np.ndarray]) -> int:
        legal = observation["action_mask"].nonzero()[0]
        self.place = (self.place + 1) % len(self.draws)
        return int(legal[int(self.draws[self.place] * len(legal))])


def start_times(game: str) -> dict[str, float]:
    """Seconds to import, and to the first reset and step, with nothing compiled yet (cold) and from the cache (warm)."""
    code = (
        "import time; a = time.perf_counter(); import skruv; b = time.perf_counter()\n"
        f"env = skruv.TableEnv({game!r}); env.reset(seed=0); env.step(int(env.legal_actions()[0]))\n"
        "print(b - a, time.perf_counter() - b)"
    )
    times = {}
    with tempfile.TemporaryDirectory() as folder:
        for kind in ("cold", "warm"):
            done = subprocess.run(
                [sys.executable, "-c", code], env={**os.environ, "NUMBA_CACHE_DIR": folder}, check=True, capture_output=True, text=True
            )
            times["import"], times[kind] = map(float, done.stdout.split())
    return times


def player_rate(game: str, name: str) -> float:
    """Decisions a second of a player, at tables of which some bid and some play; its look at their states is timed too."""
    n = SLOW_VIEWS if name.startswith("search") else SIZES[2]
    tables = Tables(game, n, seed=0, **USUAL_OPTIONS.get(game, {}))
    actions = np.empty(n, np.int64)
    stream = np.ones(1, np.uint64)
    moving = player(name, tables.game, 0)
    spent = []
    for _ in range(PLAYER_TURNS):
        for _ in range(PLAYER_STRIDE):
            choose(tables.legal(), tables.game.groups["pass_"].start, stream, actions)
            tables.step(actions)
        views = tables.views()
        began = time.perf_counter()
        moving.act(views)
        spent.append(time.perf_counter() - began)
    return n * len(spent) / sum(spent)


def middle(rate: Callable[[], float]) -> float:
    """The median of several runs, after one that is not counted."""
    rate()
    return median(rate() for _ in range(RUNS))


def measure_players(games: list[str]) -> dict[str, Any]:
    """Decisions a second of each player, for the terminal and as JSON."""
    results: dict[str, Any] = {"machine": machine(), "reference": middle(reference_rate)}
    for game in games:
        results[game] = {}
        for name in (*PLAYERS, "search:rollout"):
            try:
                results[game][name] = middle(partial(player_rate, game, name))
            except ImportError:
                results[game][name] = None
    return results


def machine() -> str:
    return f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"


def measure(games: list[str], *, peers: bool = False) -> dict[str, Any]:
    """Everything but the players, for the terminal and as JSON; rates are medians of several runs."""
    results: dict[str, Any] = {"machine": machine(), "reference": middle(reference_rate)}
    for game in games:
        results[game] = {
            "tables": {n: middle(partial(table_rate, game, n)) for n in SIZES},
            **{kind: middle(partial(part_rate, game, part)) for kind, part in PARTS.items()},
            "tables, two threads": middle(partial(table_rate, game, SIZES[-2], threads=2)),
            "tables, fresh arrays": middle(partial(table_rate, game, SIZES[-2], fresh=True)),
            "learner's seat": middle(partial(seat_rate, game)),
            "turns, cheap sampler": middle(partial(turn_rate, game, CheapSampler())),
            "turns, space sampler": middle(partial(turn_rate, game, space_sampler)),
            "start": start_times(game),
            "state of a table, bytes": Tables(game).states.itemsize,
            "memory": {n: memory(game, n) for n in SIZES},
        }
    if peers:
        results["peers"] = {}
        for name, rate in PEERS.items():
            try:
                results["peers"][name] = middle(rate)
            except ImportError:
                results["peers"][name] = None
    results["peak memory, MB"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return results


def console() -> Console:
    """Wide where it does not print to a terminal."""
    return Console(width=None if sys.stdout.isatty() else 140)


def show_players(results: dict[str, Any]) -> None:
    """The table of :func:`measure_players` in the terminal."""
    games = [game for game in VERSIONS if game in results]
    table = Table("decisions/s", *games, title=f"{results['machine']}; {results['reference'] / 1e6:.2f} million reference rounds/s")
    for name in results[games[0]]:
        rates = [results[game][name] for game in games]
        table.add_row(name, *("not installed" if rate is None else f"{rate:,.0f}" for rate in rates))
    console().print(table)


def show(results: dict[str, Any]) -> None:
    """The table of :func:`measure` in the terminal."""
    reference = results["reference"]
    table = Table(title=f"{results['machine']}; plain Python reference loop {reference / 1e6:.2f} million rounds/s")
    table.add_column("")
    games = [game for game in VERSIONS if game in results]
    for game in games:
        table.add_column(game, justify="right")
    for n in results[games[0]]["tables"]:
        rates = [results[game]["tables"][n] for game in games]
        table.add_row(f"Tables, n = {n}, decisions/s", *(f"{rate / 1e6:.2f} M ({rate / reference:.2f} x)" for rate in rates))
    for kind, name in SINGLE_ROWS.items():
        rates = [results[game][kind] for game in games]
        table.add_row(f"{name}/s", *(f"{rate:,.0f} ({rate / reference:.3f} x)" for rate in rates))
    for name, rate in results.get("peers", {}).items():
        ours = "turns, space sampler" if "turns" in name else "tables"
        mine = [results[game][ours] if ours != "tables" else results[game][ours][1024] for game in games]
        table.add_row(
            f"{name}: {'not installed' if rate is None else f'{rate:,.0f}'}",
            *("" if rate is None else f"{own / rate:.0f} times as fast" for own in mine),
        )
    for kind, name in (("import", "import"), ("cold", "reset and step, cold"), ("warm", "reset and step, warm")):
        table.add_row(f"{name}, s", *(f"{results[game]['start'][kind]:.2f}" for game in games))
    table.add_row("state of a table, bytes", *(str(results[game]["state of a table, bytes"]) for game in games))
    for n in results[games[0]]["memory"]:
        table.add_row(f"all arrays, n = {n}, bytes a table", *(f"{results[game]['memory'][n]:,.0f}" for game in games))
    console().print(table, f"peak memory {results['peak memory, MB']:.0f} MB")

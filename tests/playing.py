"""What the tests of tables and environments share: the registered games, rules that suit random play, ways to play."""

import zlib
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import skruv
from skruv import TableEnv, Tables
from skruv.aec import AGENTS
from skruv.engine.cards import NO_SEAT, SEATS
from skruv.engine.game import field_names
from skruv.engine.rules import options_of
from skruv.games import VERSIONS, load
from skruv.notation import cards_text, deal_text
from skruv.players import PLAYERS

GAMES = tuple(VERSIONS)
BOUNDED = {"biritch": {"max_doublings": 3}}
"""Random players would double without end."""
EPISODES = [(game, episode) for game in GAMES for episode in options_of(load(game).rules)["episode"].choices]
LONG_EPISODES = [(game, episode) for game, episode in EPISODES if episode != "deal"]
LONGEST = dict(EPISODES)
"""The last kind of episode that each game has."""
VOIDABLE = [game for game in GAMES if load(game).passes_to_void is not None]
"""Games in which a deal can be passed out."""
PASS = load(GAMES[0]).groups["pass_"].start


def make_env(game: str, **options: Any) -> TableEnv:
    """The registered environment of a game."""
    return getattr(skruv, f"{game}_v{VERSIONS[game]}").env(**{**BOUNDED.get(game, {}), **options})


SLOW_PLAYERS = ("search:worlds=1", "search:rollout,worlds=1")
PLAYER_NAMES = (*(name for name in PLAYERS if name != "search"), *SLOW_PLAYERS)
"""Every registered player, those that search with the least budget."""


def make_tables(game: str, n: int = 1, **options: Any) -> Tables:
    return Tables(game, n, **{**BOUNDED.get(game, {}), **options})


def at(*rows: int) -> np.ndarray:
    """The tables ``rows``."""
    return np.array(rows, np.int64)


def choose(mask: np.ndarray, rng: np.random.Generator) -> int:
    """A legal action, drawn uniformly."""
    legal = np.flatnonzero(mask)
    return int(legal[rng.integers(len(legal))])


def draw(masks: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """(n,) legal actions, drawn uniformly."""
    return np.where(masks, rng.random(masks.shape), -1).argmax(axis=1)


def wander(masks: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """(n,) legal actions; a pass half of the time where there is one, so that auctions end low and high."""
    passes = masks[:, PASS].astype(np.bool_) & (rng.random(len(masks)) < 0.5)
    return np.where(passes, PASS, draw(masks, rng))


def pick(masks: np.ndarray, turn: int) -> np.ndarray:
    """(n,) legal actions that depend on the turn and the table alone, on no random stream."""
    places = (7919 * turn + 104729 * np.arange(len(masks)) >> 3) % masks.sum(axis=1)
    return (masks.cumsum(axis=1) > places[:, None]).argmax(axis=1)


def by_sight(observation: np.ndarray, mask: np.ndarray) -> int:
    """A legal action that depends on what the seat sees alone."""
    legal = np.flatnonzero(mask)
    return int(legal[zlib.crc32(observation.tobytes()) % len(legal)])


def is_live(env: Any) -> bool:
    """Whether somebody is to act."""
    return bool(env.agents) and not env.terminations[env.agent_selection] and not env.truncations[env.agent_selection]


def turns(env: Any, rng: np.random.Generator) -> Iterator[str]:
    """Play random actions to the end of the episode; the agent to act before each of them."""
    while is_live(env):
        yield env.agent_selection
        env.step(choose(env.infos[env.agent_selection]["action_mask"], rng))


def play_episode(env: Any, act: Callable[[np.ndarray, np.ndarray], int]) -> dict[str, float]:
    """An episode in the loop that users write; the sum of the rewards that each agent got."""
    returns = dict.fromkeys(AGENTS, 0.0)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        returns[agent] += reward
        env.step(None if terminated or truncated else act(observation["observation"], observation["action_mask"]))
    return returns


def randomly(seed: int) -> Callable[[np.ndarray, np.ndarray], int]:
    """Uniform play, for :func:`play_episode`."""
    rng = np.random.default_rng(seed)
    return lambda observation, mask: choose(mask, rng)


def running(tables: Tables) -> np.ndarray:
    """The tables at which somebody is to act."""
    return np.flatnonzero((tables.states["seat"] != NO_SEAT) & (tables.ended == 0))


def positions(tables: Tables, rng: np.random.Generator) -> Iterator[np.ndarray]:
    """Play random actions until every episode is over; the rows that are to move before each of them."""
    while len(rows := running(tables)):
        yield rows
        tables.step(wander(tables.observe(rows=rows).mask, rng), rows)


def ledger_of(state: np.void) -> dict[str, Any]:
    """The score sheet as an option of ``reset``."""
    sheet = state["ledger"]
    return {name: sheet[name].tolist() for name in field_names(sheet.dtype)}


def opening_of(state: np.void, turned: int = 0) -> dict[str, Any]:
    """The options that deal a fresh ``state`` again, everything moved ``turned`` seats to the left."""
    opening = {
        "deal": deal_text(np.roll(state["dealt"], turned)),
        "dealer": "NESW"[(state["dealer"] + turned) % len(SEATS)],
        "ledger": {name: np.roll(value, turned).tolist() for name, value in ledger_of(state).items()},
    }
    if "kotka" in field_names(state.dtype) and state["kotka"]:
        opening["kotka"] = cards_text(state["kotka"])
    return opening


def margins(tables: Tables) -> np.ndarray:
    """(n,) points of North and South minus those of East and West in each table's last finished deal."""
    lines = tables.results["lines"]
    return (lines[:, :, 0] - lines[:, :, 1]).sum(axis=1)


def value_of(env: TableEnv) -> tuple[Any, ...]:
    """Everything that a refused action must leave as it was."""
    tables = env.tables
    table = tuple(array.tobytes() for array in (tables.states, tables.ended, tables.trails, tables.settings))
    flags = (env.agents, env.terminations, env.truncations, env.rewards, env._cumulative_rewards)
    infos = {agent: sorted(info) for agent, info in env.infos.items()}
    return (*table, repr(flags), repr(infos), getattr(env, "agent_selection", None))

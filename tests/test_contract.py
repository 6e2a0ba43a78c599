"""What other packages made their users suffer from, where no other file of tests has it."""

import copy
import inspect
import json
import pickle
import warnings
from collections.abc import Callable
from importlib import import_module
from typing import Any

import gymnasium
import numpy as np
import pytest
from pettingzoo.test import api_test
from playing import EPISODES, GAMES, LONGEST, choose, is_live, make_env, play_episode, randomly, turns

from skruv import mask_in_info
from skruv.aec import AGENTS
from skruv.engine.cards import SEATS
from skruv.engine.game import field_names
from skruv.games import VERSIONS
from skruv.record import replay

games = pytest.mark.parametrize("game", GAMES)

# ---- plain arrays -----------------------------------------------------------------------------------------------------------


@games
def test_mask_in_info_shows_the_same_in_plain_arrays__P8(game: str) -> None:
    env = make_env(game, episode=LONGEST[game])
    bare: Any = mask_in_info(make_env(game, episode=LONGEST[game]))
    bits = gymnasium.spaces.Box(0, 1, (env.tables.size,), np.int8)
    rng = np.random.default_rng(1)
    for each in (env, bare):
        each.reset(seed=1)
    for _ in range(300):
        if not is_live(env):
            break
        assert bare.agent_selection == env.agent_selection
        dictionary, *same, info = env.last()
        array, *told, bare_info = bare.last()
        assert same == told
        assert np.array_equal(info["action_mask"], bare_info["action_mask"])
        for agent in AGENTS:
            assert bare.observation_space(agent) == bits
            assert bits.contains(bare.observe(agent))
            assert np.array_equal(bare.observe(agent), env.observe(agent)["observation"])
        assert np.array_equal(array, dictionary["observation"])
        action = choose(info["action_mask"], rng)
        env.step(action)
        bare.step(action)


@games
def test_pettingzoo_api_of_plain_arrays__P8_P10(game: str) -> None:
    """Without one warning; as the test never asks for a mask, an illegal action must end the episode."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        api_test(mask_in_info(make_env(game, illegal="terminate")), num_cycles=100)


def test_mask_in_info_takes_what_has_a_mask__P8() -> None:
    with pytest.raises(TypeError, match="a Dict with a mask"):
        mask_in_info(mask_in_info(make_env("vint"))).observation_space(AGENTS[0])


COPIES: dict[str, Callable[[Any], Any]] = {"deepcopy": copy.deepcopy, "pickle": lambda env: pickle.loads(pickle.dumps(env))}


@games
@pytest.mark.parametrize("how", COPIES)
def test_copies_through_mask_in_info_go_on_alike__P15(game: str, how: str) -> None:
    """In mid-episode, and in the next, unseeded one."""
    env = mask_in_info(make_env(game, render_mode="ansi"))
    env.reset(seed=4)
    for _ in range(5):
        env.step(choose(env.infos[env.agent_selection]["action_mask"], np.random.default_rng(4)))
    twin = COPIES[how](env)
    stories: list[list[Any]] = [[], []]
    for each, story in zip((env, twin), stories, strict=True):
        rng = np.random.default_rng(5)
        for _ in range(2):
            for _ in turns(each, rng):
                story += [each.render(), each.observe(each.agent_selection).tobytes(), *each.rewards.values()]
            each.reset()
    assert stories[0] == stories[1]


# ---- records ----------------------------------------------------------------------------------------------------------------

OF_THE_TABLE = {"stream", "begun", "finished", "result", "last_trick", "last_leader"}
"""What a record does not keep: how the table deals on, and the deals before this one."""
UNUSUAL: dict[str, dict[str, Any]] = {"vint": {"end_passes": 8}, "skruuvi": {"honours": False}}


@pytest.mark.parametrize(("game", "episode"), EPISODES)
def test_a_record_in_json_keeps_the_whole_deal__P19(game: str, episode: str) -> None:
    """In mid-deal: turn, dealer, score sheet, rules, and what each seat sees and may do."""
    env = make_env(game, episode=episode, **UNUSUAL.get(game, {}))
    env.reset(seed=3)
    for number, _ in enumerate(turns(env, np.random.default_rng(1))):
        if number in (0, 1, 9, 30) or number % 53 == 0:
            *_, table = replay(json.loads(json.dumps(env.record()[-1])))
            for field in set(field_names(env.game.state)) - OF_THE_TABLE:
                assert table.states[field].tobytes() == env.tables.states[field].tobytes(), field
            for seat in SEATS:
                assert all(np.array_equal(*pair) for pair in zip(table.observe(seat), env.tables.observe(seat), strict=True))
        if number > 400:
            break


@games
def test_a_finished_record_pays_what_was_paid__P19(game: str) -> None:
    env = make_env(game)
    env.reset(seed=8)
    returns = play_episode(env, randomly(8))
    (record,) = json.loads(json.dumps(env.record()))
    paid = [sum(points for side, *_, points in record["lines"] if side == name) for name in ("NS", "EW")]
    *_, table = replay(record)
    solo = table.results["alone"][0] >= 0
    assert table.results["lines"][0].sum(axis=0).tolist() == paid
    assert solo or returns[AGENTS[0]] == paid[0] - paid[1]


# ---- what is said -----------------------------------------------------------------------------------------------------------


@games
def test_the_page_says_what_an_observation_forgets__P13(game: str) -> None:
    page = inspect.getdoc(import_module(f"skruv.{game}_v{VERSIONS[game]}")) or ""
    section = page.split("## Observation\n", 1)[1].split("\n## ", 1)[0]
    assert "What an observation forgets: " in section

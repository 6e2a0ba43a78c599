"""The environment keeps PettingZoo's contract, and the table of its own in the README (P: the pitfalls of other packages)."""

import re
import warnings
from typing import Any

import gymnasium
import numpy as np
import pettingzoo
import pytest
from pettingzoo.test import api_test, seed_test
from pettingzoo.utils import aec_to_parallel, turn_based_aec_to_parallel
from playing import (
    EPISODES, GAMES, LONG_EPISODES, LONGEST, PASS, VOIDABLE, by_sight, ledger_of, make_env, make_tables, opening_of,
    play_episode, randomly, turns, value_of,
)

from skruv.aec import AGENTS
from skruv.engine.cards import SEATS, chair_of, partner_of
from skruv.games import VERSIONS, load
from skruv.notation import cards_of

DICT_WARNINGS = {
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be gymnasium.spaces.box or gymnasium.spaces.discrete",
}
"""What ``api_test`` says of every Dict observation."""

games = pytest.mark.parametrize("game", GAMES)
episodes = pytest.mark.parametrize(("game", "episode"), EPISODES)
long_episodes = pytest.mark.parametrize(("game", "episode"), LONG_EPISODES)


@episodes
def test_pettingzoo_api__P10(game: str, episode: str) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        api_test(make_env(game, episode=episode), num_cycles=300)
    assert {str(warning.message) for warning in caught} == DICT_WARNINGS


@episodes
def test_pettingzoo_seed__P10(game: str, episode: str) -> None:
    seed_test(lambda: make_env(game, episode=episode), num_cycles=100)


@games
def test_made_by_id__P10(game: str) -> None:
    env = pettingzoo.make("aec", f"skruv/{game}-v{VERSIONS[game]}", reward="winner")
    assert str(env) == env.metadata["name"] == f"{game}_v{VERSIONS[game]}"
    assert env.possible_agents == AGENTS
    assert all(re.fullmatch(r"[a-z]+_\d+", agent) for agent in AGENTS)
    assert env.agents == []


@games
def test_spaces_are_the_same_object_for_all_seats__P10(game: str) -> None:
    env = make_env(game)
    assert len({id(env.observation_space(agent)) for agent in AGENTS * 2}) == 1
    for agent in AGENTS:
        assert env.action_space(agent) is env.action_space(agent)
        assert env.action_space(agent) == gymnasium.spaces.Discrete(len(env.game.actions))
    bits = gymnasium.spaces.Box(0, 1, (env.tables.size,), np.int8)
    masks = gymnasium.spaces.Box(0, 1, (len(env.game.actions),), np.int8)
    assert env.observation_space("player_0") == gymnasium.spaces.Dict(observation=bits, action_mask=masks)


@episodes
def test_every_seat_at_every_step__P6_P7(game: str, episode: str) -> None:
    """Observations are in their space, masks right, flags plain bools, and looking changes nothing."""
    env = make_env(game, episode=episode)
    env.reset(seed=11)
    space = env.observation_space("player_0")
    for actor in turns(env, np.random.default_rng(1)):
        before = value_of(env)
        for agent in AGENTS:
            seen, again = env.observe(agent), env.observe(agent)
            assert space.contains(seen)
            mask = env.infos[agent]["action_mask"]
            assert mask.dtype == seen["action_mask"].dtype == np.int8
            assert np.array_equal(seen["action_mask"], mask)
            assert mask.any() == (agent == actor)
            assert np.array_equal(seen["observation"], again["observation"])
            assert np.array_equal(seen["action_mask"], again["action_mask"])
            assert env.terminations[agent] is False
            assert env.truncations[agent] is False
            assert isinstance(env.rewards[agent], (int, float))
        assert env.legal_actions() == np.flatnonzero(env.infos[actor]["action_mask"]).tolist()
        assert env.state_space.contains(env.state())
        assert value_of(env) == before


@episodes
def test_all_seats_end_in_one_step__P2(game: str, episode: str) -> None:
    env = make_env(game, episode=episode)
    env.reset(seed=5)
    for _ in turns(env, np.random.default_rng(5)):
        assert not any(env.terminations.values())
    assert env.agents == AGENTS
    assert all(flag is True for flag in env.terminations.values())
    assert all(flag is False for flag in env.truncations.values())
    for agent in AGENTS:
        assert env.agent_selection == agent
        observation, reward, terminated, _, info = env.last()
        assert env.observation_space(agent).contains(observation)
        assert not observation["action_mask"].any()
        assert not info["action_mask"].any()
        assert terminated
        assert reward == env._cumulative_rewards[agent]
        env.step(None)
    assert env.agents == []


@games
def test_a_trick_winner_leads__P3(game: str) -> None:
    env = make_env(game, episode=LONGEST[game])
    env.reset(seed=2)
    state = env.tables.states[0]
    before, done, begun, in_a_row = "", 0, 1, False
    for agent in turns(env, np.random.default_rng(2)):
        if state["begun"] == begun and state["done"] == done + 1:
            winner = int(state["winners"][done])
            if game == "biritch" and winner == partner_of(state["dealer"]):
                winner = int(state["dealer"])  # who plays dummy's hand
            assert agent == AGENTS[winner]
            in_a_row |= agent == before
        before, done, begun = agent, state["done"], state["begun"]
    assert in_a_row


def test_the_dealer_plays_dummy_in_biritch() -> None:
    env = make_env("biritch")
    for seed in range(4):
        env.reset(seed=seed)
        state = env.tables.states[0]
        dealer = int(state["dealer"])
        dummy = partner_of(dealer)
        cards_played = 0
        for agent in turns(env, np.random.default_rng(seed)):
            if state["phase"] != env.game.phases.index("play"):
                continue
            seen = {seat: env.decode(env.observe(AGENTS[seat])["observation"]) for seat in SEATS}
            shown = [env.game.actions[card] for card in cards_of(state["hand"][dummy])] if cards_played else []
            assert all(words["dummy"] == shown for words in seen.values())
            assert bool(seen[dealer]["for_dummy"]) == (state["turn"] == dummy)
            assert agent == AGENTS[dealer if state["turn"] == dummy else state["turn"]]
            assert set(env.legal_actions()) <= set(cards_of(state["hand"][state["turn"]]))
            cards_played += 1
        assert cards_played == 52


@pytest.mark.parametrize("contract", ["misaari", "bolshevik", "mussolini"])
def test_the_partner_sits_out_in_a_solo_contract(contract: str) -> None:
    env = make_env("skruuvi")
    env.reset(seed=1, options={"contract": contract, "declarer": "E"})
    assert set(turns(env, np.random.default_rng(1))) == {"player_0", "player_1", "player_2"}
    assert env.rewards["player_3"] == env.rewards["player_1"] == -env.rewards["player_0"] == -env.rewards["player_2"]
    assert env.terminations["player_3"]
    assert env.infos["player_3"]["deal"]["contract"] == contract


@pytest.mark.parametrize("reward", ["margin", "winner"])
def test_a_solo_partner_who_is_an_opponent_is_paid_as_one(reward: str) -> None:
    env = make_env("skruuvi", solo_partner="opponent", reward=reward, reward_scale=0.5)
    env.reset(seed=1, options={"contract": "mussolini", "declarer": "E"})
    assert set(turns(env, np.random.default_rng(1))) == set(AGENTS)
    own = -env.infos["player_0"]["deal"]["margin"] / 2
    if reward == "winner":
        own = np.sign(own) / 2
    assert env.rewards["player_1"] == own
    assert [env.rewards[agent] for agent in ("player_0", "player_2", "player_3")] == pytest.approx([-own / 3] * 3)
    assert own != 0


@episodes
def test_margins_sum_to_the_ledger(game: str, episode: str) -> None:
    env, scaled = make_env(game, episode=episode), make_env(game, episode=episode, reward_scale=0.25)
    for seed in range(3):
        env.reset(seed=seed)
        returns = play_episode(env, randomly(seed))
        north_south, east_west = env.ledger["total"]
        margin = north_south - east_west
        assert returns == dict(zip(AGENTS, [margin, -margin, margin, -margin], strict=True))
        scaled.reset(seed=seed)
        assert play_episode(scaled, randomly(seed)) == {agent: reward / 4 for agent, reward in returns.items()}


@episodes
def test_winner_is_paid_at_the_end(game: str, episode: str) -> None:
    env = make_env(game, episode=episode, reward="winner", reward_scale=2)
    for seed in range(3):
        env.reset(seed=seed)
        for _ in turns(env, np.random.default_rng(seed)):
            assert not any(env.rewards.values())
        winner = int(env.tables.states["winner"][0])
        margin = env.ledger["total"][0] - env.ledger["total"][1]
        won = 0 if winner < 0 else 2 - 4 * winner
        if episode == "deal":
            assert won == 2 * np.sign(margin)
        assert env.rewards == dict(zip(AGENTS, [won, -won, won, -won], strict=True))


@long_episodes
def test_every_seat_is_told_of_every_deal(game: str, episode: str) -> None:
    env = make_env(game, episode=episode)
    env.reset(seed=8)
    finished, paid = 0, 0.0
    for _ in turns(env, np.random.default_rng(8)):
        if env.tables.states["finished"][0] > finished:
            finished += 1
            summary = env.infos["player_0"]["deal"]
            assert all(env.infos[agent]["deal"] == summary for agent in AGENTS)
            assert summary["margin"] == env.rewards["player_0"] == sum(
                points if side == "NS" else -points for side, _, _, points in summary["lines"])
            assert summary["lines"] == env.ledger["lines"][-1]
            assert summary["contract"] in (None, *env.game.contracts)
            paid += env.rewards["player_0"]
        else:
            assert not any(env.rewards.values())
    paid += env.rewards["player_0"]
    assert paid == env.ledger["total"][0] - env.ledger["total"][1]
    assert all("deal" in env.infos[agent] for agent in AGENTS)


@pytest.mark.parametrize("game", VOIDABLE)
@pytest.mark.parametrize("reward", ["margin", "winner"])
def test_a_passed_out_deal_pays_nothing(game: str, reward: str) -> None:
    env = make_env(game, reward=reward)
    env.reset(seed=0)
    returns = play_episode(env, lambda observation, mask: PASS)
    assert returns == dict.fromkeys(AGENTS, 0.0)
    env.reset(seed=0)
    for _ in range(env.game.passes_to_void or 0):
        env.step(PASS)
    assert all(env.terminations.values())
    assert env.infos["player_2"]["deal"]["contract"] is env.infos["player_2"]["deal"]["declarer"] is None


@long_episodes
def test_max_deals_truncates(game: str, episode: str) -> None:
    env = make_env(game, episode=episode, max_deals=1, reward="winner")
    env.reset(seed=4)
    for _ in turns(env, np.random.default_rng(4)):
        assert not any(env.truncations.values())
    assert all(flag is True for flag in env.truncations.values())
    assert all(flag is False for flag in env.terminations.values())
    assert env.rewards == dict.fromkeys(AGENTS, 0.0)
    assert env.tables.states["finished"][0] == 1
    assert not env.last()[0]["action_mask"].any()


@pytest.mark.parametrize(("max_deals", "deals"), [(None, 150), (100, 100), (2, 2)])
def test_passed_out_deals_count_towards_max_deals(max_deals: int | None, deals: int) -> None:
    env = make_env("vint", episode="rubber", max_deals=max_deals)
    env.reset(seed=0)
    for _ in range(8 * deals - 1):
        env.step(PASS)
    assert not any(env.truncations.values())
    env.step(PASS)
    assert all(env.truncations.values()) == (max_deals is not None)


@episodes
def test_skip_forced_changes_no_result(game: str, episode: str) -> None:
    slow, fast = make_env(game, episode=episode), make_env(game, episode=episode, skip_forced=True)
    for seed in range(2):
        slow.reset(seed=seed)
        fast.reset(seed=seed)
        assert play_episode(slow, by_sight) == play_episode(fast, by_sight)
        assert slow.ledger == fast.ledger
        assert slow.tables.states.tobytes() == fast.tables.states.tobytes()
    fast.reset(seed=1)
    assert all(len(fast.legal_actions()) > 1 for _ in turns(fast, np.random.default_rng(1)))


@games
def test_a_random_ledger_is_a_running_score(game: str) -> None:
    zero, drawn = make_env(game), make_env(game, ledger="random")
    sheets = []
    for seed in range(20):
        zero.reset(seed=seed)
        drawn.reset(seed=seed)
        assert not any(np.any(value) for value in zero.ledger.values())
        assert zero.tables.states["dealt"].tobytes() == drawn.tables.states["dealt"].tobytes()
        assert zero.tables.states["dealer"] == drawn.tables.states["dealer"]
        sheets.append(ledger_of(drawn.tables.states[0]))
        before = drawn.ledger["total"]
        returns = play_episode(drawn, randomly(seed))
        after = drawn.ledger["total"]
        assert returns["player_0"] == after[0] - before[0] - (after[1] - before[1])
    for name, limit in load(game).ledger_limits.items():
        values = np.array([sheet[name] for sheet in sheets])
        assert (values >= 0).all()
        assert (values < limit).all()
        assert len(np.unique(values)) > 1
    assert len({str(sheet["total"]) for sheet in sheets}) > 10


@games
def test_options_say_where_an_episode_begins(game: str) -> None:
    source = make_tables(game, seed=3, ledger="random").states[0]
    env = make_env(game)
    env.reset(seed=9, options={**opening_of(source), "dealer": "S"})
    state = env.tables.states[0]
    assert state["dealt"].tolist() == state["hand"].tolist() == source["dealt"].tolist()
    assert state["dealer"] == 2
    assert ledger_of(state) == ledger_of(source)
    env.reset(options={"contract": env.game.contracts[0], "declarer": "E"})
    assert env.game.phases[state["phase"]] == "play"
    assert env.game.standing_in(state) == (0, 1, 0)
    assert env.agent_selection == "player_2"
    assert not any(np.any(value) for value in env.ledger.values())
    assert len(list(turns(env, np.random.default_rng(0)))) in (48, 52)
    env.reset()
    assert env.game.phases[state["phase"]] != "play"


@games
def test_turn_based_only__P5(game: str) -> None:
    env = make_env(game)
    assert env.metadata["is_parallelizable"] is False
    with pytest.raises(AssertionError, match="is_parallelizable"):
        aec_to_parallel(env)
    env.reset(seed=6)
    expected = play_episode(env, by_sight)
    parallel = turn_based_aec_to_parallel(make_env(game))
    observations, _ = parallel.reset(seed=6)
    returns = dict.fromkeys(AGENTS, 0.0)
    while parallel.agents:
        actions = {
            agent: by_sight(seen["observation"], seen["action_mask"]) if seen["action_mask"].any() else None
            for agent, seen in observations.items()
        }
        observations, rewards, *_ = parallel.step(actions)
        returns = {agent: total + rewards.get(agent, 0) for agent, total in returns.items()}
    assert returns == expected


@games
@pytest.mark.parametrize("features", ["full", "raw"])
def test_the_layout_tiles_the_observation(game: str, features: str) -> None:
    env = make_env(game, features=features)
    ends = [0]
    for place in env.layout.values():
        assert place.start == ends[-1] < place.stop
        ends.append(place.stop)
    env.reset()
    assert ends[-1] == env.tables.size == len(env.observe("player_0")["observation"])
    sorts = [plane.sort for plane in env.game.planes if plane.name in env.layout]
    assert sorts == [sort for sort in sorts if sort != "derived"] + ["derived"] * sorts.count("derived") * (features == "full")


def encode(axes: tuple[Any, ...], words: Any) -> np.ndarray:
    """The bits that ``decode`` put into words."""
    axis, *inner = axes
    if isinstance(axis, int):
        return np.arange(axis) < words
    return np.array([encode(tuple(inner), words[name]) if inner else name in words for name in axis])


@games
@pytest.mark.parametrize("features", ["full", "raw"])
def test_decode_loses_nothing(game: str, features: str) -> None:
    env = make_env(game, features=features)
    env.reset(seed=3)
    planes = {plane.name: plane for plane in env.game.planes}
    for actor in turns(env, np.random.default_rng(3)):
        for agent in AGENTS:
            bits = env.observe(agent)["observation"]
            words = env.decode(bits)
            assert list(words) == list(env.layout)
            assert np.array_equal(np.concatenate([encode(planes[name].axes, words[name]).ravel() for name in words]), bits)
            me = AGENTS.index(agent)
            assert words["hand"] == [env.game.actions[card] for card in cards_of(env.tables.states["hand"][0, me])]
            assert words["turn"] == [("me", "left", "partner", "right")[chair_of(AGENTS.index(actor), me)]]


def test_rendering_modes(capsys: pytest.CaptureFixture[str]) -> None:
    env = make_env("vint", render_mode="human", perspective="player_1")
    env.reset(seed=0)
    env.step(PASS)
    assert "Vint" in capsys.readouterr().out
    assert env.render() is None
    silent = make_env("vint")
    silent.reset(seed=0)
    with pytest.warns(UserWarning, match="render_mode"):
        silent.render()


@games
def test_state_shows_every_card_to_a_critic(game: str) -> None:
    env = make_env(game)
    env.reset(seed=7)
    for _ in turns(env, np.random.default_rng(7)):
        state = env.state()
        hands = [state[: env.tables.size][env.layout["hand"]], *state[env.tables.size :].reshape(4, 52)]
        played = np.bitwise_or.reduce(env.tables.states["played"][0])
        assert np.array_equal(np.sum(hands, axis=0), [card not in cards_of(played) for card in range(52)])

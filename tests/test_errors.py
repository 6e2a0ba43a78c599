"""What is refused: with a plain error that says what was wrong, and nothing changed."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from playing import GAMES, LONGEST, PASS, at, by_sight, choose, is_live, make_env, make_tables, play_episode, turns, value_of

from skruv import IllegalAction, NotationError, OptionError, TableEnv
from skruv.aec import AGENTS
from skruv.engine.rules import options_of
from skruv.games import load
from skruv.notation import deal_text

games = pytest.mark.parametrize("game", GAMES)
illegal_modes = pytest.mark.parametrize("illegal", ["raise", "terminate"])


def stages(env: TableEnv) -> list[TableEnv]:
    """Copies from the start, the middle and the end of a deal."""
    env.reset(seed=3)
    copies = [env.clone() for _ in turns(env, np.random.default_rng(3))]
    return [copies[0], copies[1], copies[len(copies) // 2], copies[-3]]


def illegal_action(env: TableEnv) -> int:
    return int(np.flatnonzero(env.infos[env.agent_selection]["action_mask"] == 0)[0])


# ---- illegal actions --------------------------------------------------------------------------------------------------------


@games
def test_an_illegal_action_is_refused__P9(game: str) -> None:
    for env in stages(make_env(game)):
        before = value_of(env)
        action, actor = illegal_action(env), AGENTS.index(env.agent_selection)
        with pytest.raises(IllegalAction) as caught:
            env.step(action)
        message = str(caught.value)
        assert f"{'NESW'[actor]} to act" in message
        assert f"{env.game.actions[action]} (action {action}) is not legal" in message
        legal = [env.game.actions[index] for index in env.legal_actions()]
        assert all(name in message.split() for name in legal[:16])
        assert value_of(env) == before
        env.step(env.legal_actions()[0])


@games
@pytest.mark.parametrize("options", [{}, {"illegal_penalty": 7}, {"reward_scale": 0.5}, {"reward": "winner"}])
def test_an_illegal_action_costs_the_side_and_never_pays_the_partner__P4(game: str, options: dict[str, Any]) -> None:
    for env in stages(make_env(game, illegal="terminate", **options)):
        offender = AGENTS.index(env.agent_selection)
        action = illegal_action(env)
        env.step(action)
        worst = 1 if options.get("reward") == "winner" else options.get("illegal_penalty", load(game).worst_deal)
        price = worst * options.get("reward_scale", 1)
        paid = dict(env.rewards)
        assert paid == {agent: -price if (seat - offender) % 2 == 0 else price for seat, agent in enumerate(AGENTS)}
        assert all(flag is True for flag in env.terminations.values())
        assert env.infos[AGENTS[offender]]["illegal_action"] == action
        for agent in AGENTS:
            assert env.agent_selection == agent
            observation, reward, *_ = env.last()
            assert reward == paid[agent]
            assert not observation["action_mask"].any()
            env.step(None)
        assert env.agents == []


@games
@illegal_modes
def test_a_reset_after_an_illegal_action_is_a_fresh_start__P3(game: str, illegal: str) -> None:
    env, fresh = make_env(game, illegal=illegal), make_env(game, illegal=illegal)
    for spoiled in stages(env):
        if illegal == "raise":
            with pytest.raises(IllegalAction):
                spoiled.step(illegal_action(spoiled))
        else:
            spoiled.step(illegal_action(spoiled))
        spoiled.reset(seed=8)
        fresh.reset(seed=8)
        assert value_of(spoiled)[5:] == value_of(fresh)[5:]
        assert play_episode(spoiled, by_sight) == play_episode(fresh, by_sight)


@games
@illegal_modes
def test_numbers_beyond_the_actions__P9(game: str, illegal: str) -> None:
    for action in (-1, -5, len(load(game).actions), 255, 2**31, 2**40, 10**30, -(10**30), np.int64(-1), np.uint8(255)):
        for env in stages(make_env(game, illegal=illegal)):
            before = value_of(env)
            if illegal == "raise":
                with pytest.raises(IllegalAction, match="legal now"):
                    env.step(action)
                assert value_of(env) == before
            else:
                env.step(action)
                assert all(env.terminations.values())


NUMBERS: list[Callable[[int], Any]] = [np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint64, np.array]


@games
def test_integers_of_every_kind_play_the_same_game__P9(game: str) -> None:
    plain, typed = make_env(game), make_env(game)
    plain.reset(seed=4)
    typed.reset(seed=4)
    rng = np.random.default_rng(4)
    turn = 0
    while is_live(plain):
        action = choose(plain.infos[plain.agent_selection]["action_mask"], rng)
        plain.step(action)
        typed.step(NUMBERS[turn % len(NUMBERS)](action))
        turn += 1
        assert value_of(plain) == value_of(typed)


@games
@illegal_modes
@pytest.mark.parametrize("action", [
    np.array([5]), np.array(5.0), 5.0, np.float64(5), True, np.bool_(True), None, "5", "SA", [5], (), {}, 5j,
])
def test_what_is_no_integer_is_no_action__P9(game: str, illegal: str, action: Any) -> None:
    for env in stages(make_env(game, illegal=illegal)):
        before = value_of(env)
        with pytest.raises((TypeError, IllegalAction)):
            env.step(action)
        assert value_of(env) == before


@games
def test_out_of_turn__P2(game: str) -> None:
    env = make_env(game)
    steps = [lambda: env.step(0), lambda: env.step(None), env.last]
    for forbidden in [*steps, env.agent_iter, env.record, lambda: env.observe("player_0")]:
        with pytest.raises(IllegalAction, match="reset"):
            forbidden()
    env.reset(seed=1)
    for _ in turns(env, np.random.default_rng(1)):
        pass
    for dead in range(4):
        before = value_of(env)
        with pytest.raises(IllegalAction, match=f"player_{dead} has finished"):
            env.step(PASS)
        assert value_of(env) == before
        env.step(None)
    before = value_of(env)
    for forbidden in steps:
        with pytest.raises(IllegalAction, match="reset"):
            forbidden()
    assert value_of(env) == before
    with pytest.raises(ValueError, match="player_9"):
        env.observe("player_9")


# ---- options ----------------------------------------------------------------------------------------------------------------

NUMERIC = (0, -1, 1.5, True, "1", None, float("nan"))
BAD_OPTIONS: dict[str, tuple[Any, ...]] = {
    "n": NUMERIC, "threads": NUMERIC,
    "autoreset": (1, 0, "yes", None), "skip_forced": (1, "no", None), "trails": (1, "no", None),
    "features": ("half", None, 1, ["full"]), "reward": ("points", None, 0, []),
    "illegal": ("ignore", None, True), "ledger": ("some", None, {}),
    "reward_scale": (0, -1, "1", True, None, float("inf"), float("nan"), 1j), "illegal_penalty": (-1, "1", True, float("nan")),
    "max_deals": (0, -1, 1.5, True, "1"),
}


@games
@pytest.mark.parametrize("option", BAD_OPTIONS)
def test_bad_options_of_tables(game: str, option: str) -> None:
    for value in BAD_OPTIONS[option]:
        with pytest.raises(OptionError, match=rf"\b{option}\b"):
            make_tables(game, **{option: value})


@games
@pytest.mark.parametrize(("option", "value"), [
    ("render_mode", "rgb"), ("render_mode", 1), ("perspective", "player_4"), ("perspective", None), ("perspective", 0),
    ("reward", "points"), ("max_deals", 0), ("max_deal", 5), ("features", "none"),
])
def test_bad_options_of_an_environment(game: str, option: str, value: Any) -> None:
    with pytest.raises(OptionError, match=rf"\b{option}\b"):
        make_env(game, **{option: value})


@games
def test_bad_rules(game: str) -> None:
    for option in options_of(load(game).rules):
        for value in ("nonsense", 10**6, -7, 1.5, [], object()):
            given: dict[str, Any] = {option: value}
            with pytest.raises(OptionError, match=rf"\b{option}\b"):
                make_tables(game, **given)
    with pytest.raises(OptionError, match="did you mean 'episode'"):
        make_tables(game, epsode="deal")
    with pytest.raises(OptionError, match="variant"):
        make_tables(game, variant="nonsense")
    with pytest.raises(ValueError, match=f"did you mean '{game}'"):
        make_tables(game + "s")


# ---- where an episode begins ------------------------------------------------------------------------------------------------

HANDS = "A2.A2.A2.A234567 KQJ3.KQJ3.KQJ3.K T987.T987.T987.Q 654.654.654.JT98"
BAD_DEALS: list[tuple[Any, str]] = [
    ({"hands": "N:..."}, "no option 'hands'"),
    ({"deal": "AKQJT98765432... ..."}, "seat letter"),
    ({"deal": "N:AK..."}, "four hands"),
    ({"deal": "X:" + HANDS}, "seat letter"),
    ({"deal": "N:" + HANDS.replace("A2.A2.A2.", "A2.A2.")}, "has 3 suits"),
    ({"deal": "N:" + HANDS.replace("A2", "A1")}, "is not a card"),
    ({"deal": "N:" + HANDS.replace("KQJ3", "KQJ2")}, "dealt twice"),
    ({"deal": "N:" + HANDS.replace("A2.", "AA.")}, "stands twice"),
    ({"deal": "N:" + HANDS.replace("JT98", "JT9")}, "13 each"),
    ({"deal": 7}, "deal"),
    ({"deal": None}, "deal"),
    ({"kotka": "SA HA DA CA"}, "together with a deal"),
    ({"deal": "N:" + HANDS, "kotka": "SA"}, "dealt twice|without a kotka"),
    ({"deal": "N:" + HANDS, "kotka": 5}, "kotka"),
    ({"dealer": "X"}, "not a seat"),
    ({"dealer": 0}, "must be text, such as 'N'"),
    ({"dealer": None}, "must be text"),
    ({"ledger": {"nonsense": [0, 0]}}, "nonsense"),
    ({"ledger": {"total": [0]}}, "total"),
    ({"ledger": {"total": 5}}, "total"),
    ({"ledger": {"total": [0.5, 0]}}, "total"),
    ({"ledger": {"total": ["0", "0"]}}, "total"),
    ({"ledger": {"total": [2**70, 0]}}, "total"),
    ({"ledger": {"total": [2**63, 0]}}, "total"),
    ({"ledger": [0, 0]}, "ledger"),
    ({"ledger": None}, "ledger"),
    ({"contract": "8S", "declarer": "N"}, "not a contract"),
    ({"contract": 3, "declarer": "N"}, "must be text"),
    ({"declarer": "N"}, "contract and declarer"),
    ([], "0 entries for 1"),
    ([{}, {}], "2 entries for 1"),
    (["N"], "must be a mapping"),
    (5, "deals"),
]


@games
@pytest.mark.parametrize(("deals", "message"), BAD_DEALS)
def test_bad_openings(game: str, deals: Any, message: str) -> None:
    env = make_env(game)
    env.reset(seed=1)
    env.step(env.legal_actions()[-1])
    before = value_of(env)
    if isinstance(deals, dict) and deals.get("contract") == "8S" and "8S" in load(game).contracts:
        deals = {"contract": "14S", "declarer": "N"}
    with pytest.raises((OptionError, NotationError), match=message):
        env.tables.reset(seed=5, deals=deals)
    assert value_of(env) == before
    if isinstance(deals, dict):
        with pytest.raises((OptionError, NotationError), match=message):
            env.reset(options=deals)
        assert value_of(env) == before


@games
def test_a_score_sheet_within_its_limits(game: str) -> None:
    env = make_env(game, episode=LONGEST[game])
    for name, limit in load(game).ledger_limits.items():
        shape = load(game).state["ledger"][name].shape
        largest = 27 if name == "deal" else limit - 1  # a match has 28 deals
        for value in (largest + 1, -1):
            with pytest.raises(OptionError, match=name):
                env.reset(options={"ledger": {name: np.full(shape, value)}})
        env.reset(options={"ledger": {name: np.full(shape, largest)}})
        assert play_episode(env, by_sight)


@games
def test_one_bad_deal_of_many_changes_no_table(game: str) -> None:
    tables = make_tables(game, 3, seed=1, autoreset=False)
    before = tables.states.tobytes()
    good = {"deal": deal_text(make_tables(game, seed=2).states["dealt"][0])}
    with pytest.raises(NotationError):
        tables.reset(deals=[good, {"dealer": "N"}, {"dealer": "M"}])
    assert tables.states.tobytes() == before
    tables.reset(deals=[good, {}, {}])


# ---- rows, actions, buffers -------------------------------------------------------------------------------------------------


@games
@pytest.mark.parametrize("rows", [
    [0, 0], [5], [-1], [0.0], [[0]], 3, "0", np.zeros(4, np.bool_), np.ones((5, 1), np.bool_), None, [None],
])
def test_bad_rows(game: str, rows: Any) -> None:
    tables = make_tables(game, 5, seed=1, autoreset=False)
    before = tables.states.tobytes()
    calls: list[Callable[[], Any]] = [
        lambda: tables.observe(rows=rows), lambda: tables.views(rows), lambda: tables.reset(rows), lambda: tables.save(rows),
        lambda: tables.known(0, rows), lambda: tables.step([PASS], rows), lambda: tables.load(tables.save(at(0)), rows),
    ]
    for call in calls[-2:] if rows is None else calls:
        with pytest.raises(ValueError, match=r"rows|actions|records"):
            call()
    assert tables.states.tobytes() == before


@games
def test_bad_actions_at_tables(game: str) -> None:
    tables = make_tables(game, 3, seed=1)
    legal = tables.legal().argmax(axis=1)
    before = tables.states.tobytes()
    for actions in (legal[:2], legal[:, None], legal.astype(float), legal > 0, None, 5, list("abc"), [None] * 3):
        with pytest.raises(ValueError, match="actions"):
            tables.step(actions)
    for threads in (1, 2):
        tables = make_tables(game, 6, seed=1, threads=threads)
        before = tables.states.tobytes()
        actions = tables.legal().argmax(axis=1)
        actions[4] = 51
        with pytest.raises(IllegalAction, match="table 4"):
            tables.step(actions)
        assert tables.states.tobytes() == before


@games
def test_a_table_whose_episode_is_over_waits(game: str) -> None:
    tables = make_tables(game, 2, seed=1, autoreset=False, illegal="terminate")
    tables.step([-1, int(tables.legal()[1].argmax())])
    before = tables.states.tobytes()
    with pytest.raises(IllegalAction, match="table 0: its episode is over"):
        tables.step([PASS, int(tables.legal()[1].argmax())])
    assert tables.states.tobytes() == before
    assert tables.observe().seat[0] == -1
    assert not tables.legal()[0].any()


@games
@pytest.mark.parametrize("seat", [4, -1, 1.5, "N", [0, 1, 2], [0, 1, 2, 3, 0], np.array([[0]])])
def test_bad_seats(game: str, seat: Any) -> None:
    tables = make_tables(game, 4, seed=1)
    with pytest.raises(ValueError):  # noqa: PT011 (numpy's own words, where the shape is wrong)
        tables.observe(seat)


@games
def test_bad_buffers(game: str) -> None:
    """A buffer that does not fit is refused, never written over its end."""
    tables = make_tables(game, 4, seed=1)
    good = tuple(tables.observe())
    room = np.full((8, tables.size + 64), 77, np.int8)
    misfits = [room[:4, : tables.size - 3], room[:4, : tables.size + 3], room[:3, : tables.size], room[:4, : tables.size].T,
               room[:4, : tables.size].astype(np.int64), np.asfortranarray(good[0])]
    for misfit in misfits:
        with pytest.raises(ValueError, match="out"):
            tables.observe(out=(misfit, *good[1:]))
    with pytest.raises(ValueError, match="out"):
        tables.observe(out=good[:2])
    assert (room == 77).all()
    outcome = (np.zeros((4, 4), np.float64), np.zeros(4, np.bool_), np.zeros(4, np.bool_))
    with pytest.raises(ValueError, match="out"):
        tables.step(tables.legal().argmax(axis=1), out=outcome)

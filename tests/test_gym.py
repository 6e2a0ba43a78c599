"""A learner's seat through Gymnasium and Stable-Baselines3: the interfaces that they define, and what learners suffer from."""

import contextlib
import copy
import functools
import pickle
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import NormalizeObservation
from playing import EPISODES, GAMES, LONGEST, PASS, by_sight, choose, make_tables, opening_of
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.callbacks import MaskableEvalCallback
from sb3_contrib.common.maskable.evaluation import evaluate_policy as evaluate_masked
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3 import PPO
from stable_baselines3.common.callbacks import EvalCallback
from stable_baselines3.common.evaluation import evaluate_policy
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import DummyVecEnv, SubprocVecEnv
from test_seats import Auditor
from vector_conformance import check, check_equal, check_refusals, check_seeded_reset_of_some, check_statistics, legal_actions, look

from skruv import IllegalAction
from skruv.engine.cards import SEATS
from skruv.games import VERSIONS, load
from skruv.gym import SeatEnv, SeatVectorEnv
from skruv.players import RandomPlayer, player
from skruv.sb3 import SeatVecEnv
from skruv.seats import RELATIONS
from skruv.tables import Views

ROOT = Path(__file__).resolve().parent.parent
OPTIONS = {"biritch": {"max_doublings": 2}}
IDS = {game: f"skruv/{game.capitalize()}-v{version}" for game, version in VERSIONS.items()}
games = pytest.mark.parametrize("game", GAMES)
modes = pytest.mark.parametrize("mode", AutoresetMode, ids=lambda mode: mode.name)


def make(game: str, **options: Any) -> Any:
    return gymnasium.make(IDS[game], **{**OPTIONS.get(game, {}), **options})


def make_seat(game: str, **options: Any) -> SeatEnv:
    """Without Gymnasium's wrappers."""
    return make(game, **options).unwrapped


def make_vector(game: str, tables: int = 16, **options: Any) -> SeatVectorEnv:
    env = gymnasium.make_vec(IDS[game], num_envs=tables, **{**OPTIONS.get(game, {}), **options})
    assert isinstance(env, SeatVectorEnv)
    return env


def make_vec(game: str, n: int = 4, **options: Any) -> Any:  # VecEnv's own types allow dicts of arrays
    return SeatVecEnv(game, n, **{**OPTIONS.get(game, {}), **options})


def make_ppo(env: Any, policy: str = "MlpPolicy") -> MaskablePPO:
    return MaskablePPO(policy, env, n_steps=16, batch_size=32, n_epochs=1, policy_kwargs={"net_arch": [16]}, seed=0, device="cpu")


def watcher(views: Views) -> np.ndarray:
    """Varied play that depends on what the seats see alone."""
    return np.array([by_sight(*seen) for seen in zip(views.observation, views.mask, strict=True)])


# ---- Gymnasium: one table ---------------------------------------------------------------------------------------------------


@games
@pytest.mark.parametrize("mask_in_info", [False, True])
@pytest.mark.parametrize("render_mode", [None, "ansi"])
def test_the_registered_environment_passes_the_checker(game: str, mask_in_info: bool, render_mode: str | None) -> None:
    """The list of warnings that are expected is empty: any one is an error here."""
    env = make(game, illegal="terminate", mask_in_info=mask_in_info, render_mode=render_mode)
    assert env.spec.id == IDS[game]
    check_env(env.unwrapped)
    observation, info = env.reset(seed=0)
    for _ in range(40):
        observation, _, terminated, truncated, info = env.step(env.action_space.sample(info["action_mask"]))
        assert env.observation_space.contains(observation)
        if terminated or truncated:
            observation, info = env.reset()
    env.close()


@games
@pytest.mark.parametrize("mask_in_info", [False, True])
def test_where_the_mask_is(game: str, mask_in_info: bool) -> None:
    env = make_seat(game, mask_in_info=mask_in_info, seat=2)
    rng = np.random.default_rng(0)
    seen, info = env.reset(seed=1)
    for _ in range(60):
        observation, mask = env.seats.tables.observe(2)[:2]
        assert np.array_equal(seen if mask_in_info else seen["observation"], observation[0])
        assert env.action_masks().dtype == info["action_mask"].dtype == np.int8
        for shown in (env.action_masks(), info["action_mask"], mask[0] if mask_in_info else seen["action_mask"]):
            assert np.array_equal(shown, mask[0])
        assert info["seat"] == 2
        env.action_masks()[:] = 0
        if env.seats.tables.ended[0]:
            assert info["deal"]["margin"] == np.diff(env.seats.tables.states["ledger"]["total"][0, ::-1])[0]
            seen, info = env.reset()
        else:
            seen, *_, info = env.step(choose(env.action_masks(), rng))


@pytest.mark.parametrize(("game", "episode"), EPISODES)
def test_an_episode_pays_its_score_sheet__P1(game: str, episode: str) -> None:
    """To the learner's own seat, and what it sees then is its own."""
    env = make_seat(game, others="random", episode=episode, max_deals=3)
    audit = Auditor(env.seats)
    rng = np.random.default_rng(2)
    paid = 0.0
    for episode_number in range(12):
        env.reset(seed=None if episode_number else 3)
        while not env.seats.tables.ended[0]:
            seen, reward, *_ = env.step(choose(env.action_masks(), rng))
            own = env.seats.tables.observe(env.seats.seat)
            check_equal(seen, {"observation": own.observation[0], "action_mask": own.mask[0]})
            paid += reward
            assert paid + env.seats._carried[0] == audit.won[0] + audit.running()[0]
    assert audit.won.any()


@games
def test_reset_begins_where_it_is_told(game: str) -> None:
    env, vector = make_seat(game, seat=1, others="pass"), make_vector(game, 3, seat=1, others="pass")
    opening, contract = opening_of(make_tables(game, seed=5).states[0]), load(game).contracts[0]
    for learner in (env, vector):
        states = learner.seats.tables.states
        learner.reset(options=opening)
        assert [opening_of(state) for state in states] == [opening] * len(states)
        for dealer in "NESW":
            learner.reset(options={"dealer": dealer})
            assert all(opening_of(state)["dealer"] == dealer for state in states)
        learner.reset(options={"ledger": {"total": [30, 20]}})
        assert (states["ledger"]["total"] == [30, 20]).all()
        seen, info = learner.reset(options={"contract": contract, "declarer": "E"})
        assert info["action_mask"][..., :PASS].any(axis=-1).all()
        assert not info["action_mask"][..., PASS:].any()
        assert learner.observation_space.contains(seen)
        for options in ({"deals": []}, {"dealer": 3}, {"contract": contract}, {"ledger": 5}):
            before = states.tobytes()
            with pytest.raises(ValueError, match=next(iter(options))):
                learner.reset(options=options)
            assert states.tobytes() == before


@games
def test_what_a_step_refuses__P9(game: str) -> None:
    env = make_seat(game, seat=0, others="pass")
    env.reset(seed=0)
    before = env.seats.tables.states.tobytes()
    for action in (np.array([PASS]), float(PASS), True, "5", None, -1, len(load(game).actions)):
        with pytest.raises((TypeError, ValueError)):
            env.step(action)
        assert env.seats.tables.states.tobytes() == before
    rng = np.random.default_rng(0)
    while not env.seats.tables.ended[0]:
        env.step(choose(env.action_masks(), rng))
    with pytest.raises(IllegalAction, match="reset"):
        env.step(PASS)


@games
def test_no_step_before_a_reset(game: str) -> None:
    with pytest.raises(gymnasium.error.ResetNeeded):
        make(game).step(PASS)
    for env, actions in ((make_seat(game), PASS), (make_vector(game), np.full(16, PASS))):
        with pytest.raises(IllegalAction, match="reset"):
            env.step(actions)


@games
def test_numpy_integers_are_seeds__P16(game: str) -> None:
    for env in (make_seat(game), make_vector(game)):
        check_equal(env.reset(seed=7)[0], env.reset(seed=np.int64(7))[0])  # type: ignore[arg-type]


@games
def test_copies_go_on_alike__P15(game: str) -> None:
    for env in (make_seat(game, render_mode="ansi"), make_vector(game, 4)):
        env.reset(seed=4)
        twins: list[Any] = [env]
        for turn in range(60):
            if turn == 9:
                twins += [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
            over, actions = env.seats.tables.ended.all(), env.action_masks().argmax(axis=-1)
            assert len({look(twin.reset() if over else twin.step(actions)) for twin in twins}) == 1


# ---- who sits where ---------------------------------------------------------------------------------------------------------


@games
def test_others_in_every_form(game: str) -> None:
    """A name, a player, a function of views, and each relation by itself: the same players, the same course."""
    plain = player("pass", load(game))
    forms = ["pass", plain, lambda views: plain.act(views), {"left": "pass", "partner": plain, "right": lambda views: plain.act(views)}]
    for make_one in (make_seat, make_vector):
        courses = set()
        for others in forms:
            env = make_one(game, others=others, seat=2)
            rng = np.random.default_rng(1)
            turns = [look(env.reset(seed=3))]
            while not env.seats.tables.ended.any():
                actions = legal_actions(env.action_masks().reshape(-1, len(load(game).actions)), rng)
                turns.append(look(env.step(actions if make_one is make_vector else actions[0])))
            courses.add(tuple(turns))
        assert len(courses) == 1


@games
@pytest.mark.parametrize(
    ("others", "said"),
    [
        ("radnom", "did you mean 'random'"), (5, "others = 5"), (None, "others = None"), ({"left": "pass"}, "left, partner, right"),
        ({"left": "pass", "partner": 3, "right": "pass"}, "others = 3"), ({1: "pass", "partner": "pass"}, "left, partner, right"),
        ({**dict.fromkeys(RELATIONS, "pass"), "me": "pass"}, "left, partner, right"), (RandomPlayer, "RandomPlayer"),
    ],
    ids=repr,
)
def test_others_that_cannot_sit_are_named(game: str, others: Any, said: str) -> None:
    for make_one in (make, make_vector):
        with pytest.raises(ValueError, match=said):
            make_one(game, others=others)


@games
@pytest.mark.parametrize(
    "answer",
    [lambda views: None, lambda views: PASS, lambda views: views.mask.argmax(axis=1) + 0.5, lambda views: np.full(99, PASS),
     lambda views: views.mask.argmin(axis=1), lambda views: views.mask],
    ids=["nothing", "one for all", "floats", "too many", "illegal", "masks"],
)
def test_others_that_answer_wrongly_are_stopped(game: str, answer: Callable[[Views], Any]) -> None:
    with pytest.raises((TypeError, ValueError)):
        make_vector(game, others=answer).reset(seed=0)


@games
def test_seats_are_fixed_or_drawn(game: str) -> None:
    for seat in SEATS:
        assert make_seat(game, seat=seat).reset(seed=1)[1]["seat"] == seat
        assert (make_vector(game, seat=seat).reset(seed=1)[1]["seat"] == seat).all()
    env = make_seat(game)
    assert {env.reset()[1]["seat"] for _ in range(60)} == set(SEATS)
    assert set(make_vector(game, 64).reset(seed=2)[1]["seat"]) == set(SEATS)


@games
def test_without_seeds_environments_draw_for_themselves(game: str) -> None:
    one, other = (make_seat(game) for _ in range(2))
    assert [one.reset()[1]["seat"] for _ in range(60)] != [other.reset()[1]["seat"] for _ in range(60)]


@games
@pytest.mark.parametrize(
    "option", [{"seat": 4}, {"seat": -1}, {"seat": "N"}, {"seat": 1.0}, {"seat": True}, {"mask_in_info": 1}, {"n": 2}, {"autoreset": True},
    {"seed": 1}, {"nonsense": 1}], ids=repr,
)
def test_options_that_do_not_hold_are_named(game: str, option: dict[str, Any]) -> None:
    for make_one in (make, make_vector):
        with pytest.raises(ValueError, match=next(iter(option))):
            make_one(game, **option)


# ---- Gymnasium: many tables -------------------------------------------------------------------------------------------------


@games
@modes
@pytest.mark.parametrize("long", [False, True], ids=["deal", "longest"])
def test_the_vector_environment_conforms__P20_P21_P24(game: str, mode: AutoresetMode, long: bool) -> None:
    options: dict[str, Any] = {"seat": 1, "others": "pass"}
    if long:
        options |= {"others": watcher, "episode": LONGEST[game], "max_deals": 2, "mask_in_info": True}
    check(lambda n, mode: make_vector(game, n, autoreset_mode=mode, **options), functools.partial(make_seat, game, **options), mode)


@games
def test_a_seeded_reset_of_some_tables(game: str) -> None:
    options: dict[str, Any] = {"seat": 0, "others": "pass"}
    check_seeded_reset_of_some(lambda n, _: make_vector(game, n, **options), functools.partial(make_seat, game, **options))


@modes
@pytest.mark.parametrize(("game", "episode"), EPISODES)
def test_statistics_are_the_score_sheets__P1_P20(game: str, episode: str, mode: AutoresetMode) -> None:
    env = make_vector(game, 4, autoreset_mode=mode, episode=episode, max_deals=2)
    audit = Auditor(env.seats)
    check_statistics(env, mode, lambda: audit.won + audit.running() - env.seats._carried)


@games
def test_observations_are_normalised_where_the_wrapper_can(game: str) -> None:
    """Gymnasium's own wrapper refuses ``SAME_STEP``."""
    env = NormalizeObservation(make_vector(game, mask_in_info=True))
    assert np.isfinite(env.reset(seed=0)[0]).all()
    with pytest.raises(ValueError, match="NEXT_STEP"):
        NormalizeObservation(make_vector(game, mask_in_info=True, autoreset_mode=AutoresetMode.SAME_STEP))


@games
def test_what_the_vector_environment_refuses(game: str) -> None:
    with pytest.raises(ValueError, match="'NextStep', 'SameStep', 'Disabled'"):
        make_vector(game, autoreset_mode="same")
    env = make_vector(game, 4, autoreset_mode="Disabled", seat=0)
    check_refusals(env, env.seats.tables.states.tobytes)


# ---- Stable-Baselines3 ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "method"), [*((game, "fork") for game in GAMES), (GAMES[0], "forkserver"), (GAMES[0], "spawn")])
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")  # newer Pythons warn of fork() beside torch's threads
def test_worker_processes_play_as_one_process_does__P22_P24(game: str, method: str) -> None:
    single = functools.partial(make_seat, game, others="random")
    with contextlib.closing(SubprocVecEnv([single, single], start_method=method)) as workers:
        both: list[Any] = [workers, DummyVecEnv([single, single])]
        for env in both:
            assert env.has_attr("action_masks")
            assert not env.has_attr("nonsense")
            env.seed(5)
        shown = [env.reset() for env in both]
        for _ in range(60):
            masks = [np.stack(env.env_method("action_masks")) for env in both]
            assert np.array_equal(masks[0], masks[1])
            check_equal(shown[0], shown[1])
            assert np.array_equal(shown[0]["action_mask"], masks[0])  # of the observation, also after a reset
            assert masks[0].any(axis=1).all()
            turns = [env.step(masks[0].argmax(axis=1)) for env in both]
            for part, expected in zip((*turns[0][:3], *turns[0][3]), (*turns[1][:3], *turns[1][3]), strict=True):
                check_equal(part, expected)
            shown = [turn[0] for turn in turns]


@games
@pytest.mark.parametrize("form", ["one batch", "mask in the observation", "mask apart"])
def test_the_library_trains_and_evaluates_with_masks__P22_P24(game: str, form: str) -> None:
    env, policy = make_vec(game), "MlpPolicy"
    if form != "one batch":
        env = DummyVecEnv([lambda: Monitor(make(game, mask_in_info=form == "mask apart"))])
    if form == "mask in the observation":
        policy = "MultiInputPolicy"
    assert is_masking_supported(env)
    model, callback = make_ppo(env, policy), MaskableEvalCallback(env, n_eval_episodes=2, eval_freq=8, verbose=0, warn=False)
    assert np.isfinite(model.learn(64, callback) and callback.last_mean_reward)
    assert np.shape(evaluate_masked(model, env, n_eval_episodes=3, return_episode_rewards=True, warn=False)) == (2, 3)
    assert get_action_masks(env).any(axis=-1).all()


@games
def test_the_library_sets_options_and_seeds__P22(game: str) -> None:
    env = make_vec(game, 2, seat=1, others="pass")
    opening = opening_of(make_tables(game, seed=5).states[0])
    env.seed(3)
    env.set_options(opening)
    env.reset()
    assert [opening_of(state) for state in env.seats.tables.states] == [opening] * 2


WITHOUT_MASKS: dict[str, Callable[[MaskablePPO, Any], Any]] = {
    "predict": lambda model, env: [env.step(model.predict(env.reset())[0]) for _ in range(20)],
    "evaluate_policy": lambda model, env: evaluate_policy(model, env, n_eval_episodes=20, warn=False),
    "EvalCallback": lambda model, env: model.learn(500, EvalCallback(env, eval_freq=2, n_eval_episodes=20, warn=False)),
    "PPO": lambda _, env: PPO("MlpPolicy", env, n_steps=16, batch_size=32, device="cpu").learn(500),
}
"""Ways in which the masks get lost."""


@games
@pytest.mark.parametrize("way", WITHOUT_MASKS)
def test_without_masks_an_error_says_how_to_have_them__P23(game: str, way: str) -> None:
    env = make_vec(game, 8)
    with pytest.raises(IllegalAction, match="action_masks"):
        WITHOUT_MASKS[way](make_ppo(env), env)


PLAIN = re.compile(r"stable_baselines3[\w.]*(?:\s+import\s+(?:\([^)]*|[^\n]*)|\.)\b(?:EvalCallback|evaluate_policy)\b")


def test_examples_evaluate_with_masks__P23() -> None:
    """No plain ``EvalCallback`` or ``evaluate_policy``, which drop masks."""
    for bad in ("callbacks import BaseCallback, EvalCallback", "evaluation.evaluate_policy(", "evaluation import (\n    evaluate_policy,"):
        assert PLAIN.search(f"from stable_baselines3.common.{bad}")
    assert not PLAIN.search("from sb3_contrib.common.maskable.evaluation import evaluate_policy")
    files = [*sorted((ROOT / "training").glob("*.py")), ROOT / "README.md"]
    assert len(files) > 3
    assert not [file.name for file in files if PLAIN.search(file.read_text(encoding="utf-8"))]

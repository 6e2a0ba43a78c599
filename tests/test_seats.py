"""A learner's seat: it is paid what the score sheet says, sees what it should, and trains."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from playing import BOUNDED, EPISODES, GAMES, LONGEST, PASS, VOIDABLE, make_tables, pick
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import get_action_masks
from stable_baselines3.common.vec_env import VecMonitor

from skruv import IllegalAction
from skruv.engine.cards import SEATS
from skruv.games import load
from skruv.players import player
from skruv.sb3 import PolicyPlayer, SeatVecEnv
from skruv.seats import RELATIONS, Seats, Turn
from skruv.tables import Views

games = pytest.mark.parametrize("game", GAMES)


def make_seats(
    game: str, n: int = 16, *, others: Any = "uniform", seat: int | None = None, seed: int = 0, **options: Any
) -> Seats:
    tables = make_tables(game, n, seed=seed, autoreset=False, **options)
    return Seats(tables, player(others, tables.game, seed) if isinstance(others, str) else others, seat=seat, seed=seed)


def make_vec(game: str, n: int = 8, **options: Any) -> Any:  # VecEnv's own types allow dicts of arrays
    return SeatVecEnv(game, n, **{**BOUNDED.get(game, {}), **options})


def lessons(learner: Seats, steps: int) -> Iterator[Turn]:
    """Act at every table, and begin anew where an episode has ended; what each step brought."""
    mask = learner.begin().mask
    for step in range(steps):
        turn = learner.step(pick(mask, step))
        yield turn
        mask = turn.mask.copy()
        ended = np.flatnonzero(turn.terminated | turn.truncated)
        if len(ended):
            mask[ended] = learner.begin(ended).mask


class Auditor:
    """Adds up what the score sheets say that the learner's seat has won, whenever an episode is put away."""

    def __init__(self, learner: Seats) -> None:
        self.learner = learner
        self.won = np.zeros(learner.n)
        self.acted = np.zeros(learner.n, np.bool_)
        """Whether the learner has had a turn in the running episode."""
        self.idle = 0
        """Episodes in which it had none."""
        self._reset, self._step = learner.tables.reset, learner.tables.step
        learner.tables.reset = self.reset  # type: ignore[method-assign]
        learner.tables.step = self.step  # type: ignore[method-assign]

    def reset(self, rows: np.ndarray, **options: Any) -> None:
        self.won[rows] += self.running()[rows]
        self.idle += int((~self.acted[rows] & (self.learner.tables.states["finished"][rows] > 0)).sum())
        self.acted[rows] = False
        self._reset(rows, **options)

    def step(self, actions: np.ndarray, rows: np.ndarray) -> Any:
        self.acted[rows] |= self.learner.tables.states["seat"][rows] == self.learner.seat[rows]
        return self._step(actions, rows)

    def running(self) -> np.ndarray:
        """(n,) points of the episodes that are not put away yet."""
        totals = self.learner.tables.states["ledger"]["total"]
        return (totals[:, 0] - totals[:, 1]) * np.where(self.learner.seat % 2, -1, 1)


# ---- rewards ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "episode"), EPISODES)
@pytest.mark.parametrize("seat", [None, *SEATS])
def test_rewards_sum_to_the_ledger__P1(game: str, episode: str, seat: int | None) -> None:
    """What was paid, with what waits for the learner's next turn, is what the sheets say: no point lost, none paid twice."""
    learner = make_seats(game, seat=seat, seed=3, episode=episode, max_deals=4)
    audit = Auditor(learner)
    paid = np.zeros(learner.n)
    for turn in lessons(learner, 250):
        paid += turn.reward
        assert np.array_equal(paid + learner._carried, audit.won + audit.running())
    assert audit.won.any()
    assert audit.idle or (game, episode) != ("biritch", "deal")


@games
def test_the_library_is_paid_every_point__P1(game: str) -> None:
    """As above where nothing can be paid at a reset, and through the returns of episodes (P22)."""
    env = make_vec(game, 32, others="uniform", seat=0, seed=5)
    audit = Auditor(env.seats)
    env.reset()
    paid = np.zeros(32)
    returns = np.zeros(32)
    for step in range(200):
        _, rewards, dones, infos = env.step(pick(env.action_masks(), step))
        paid += rewards
        for table in np.flatnonzero(dones):
            returns[table] += infos[table]["episode"]["r"]
            assert returns[table] == paid[table]
    assert np.array_equal(paid + env.seats._carried, audit.won + audit.running())


@games
def test_a_seat_that_is_drawn_is_drawn_evenly(game: str) -> None:
    learner = make_seats(game, 200)
    drawn = np.zeros(4)
    for _ in range(5):
        learner.begin()
        drawn += np.bincount(learner.seat, minlength=4)
    assert (np.abs(drawn - 250) < 70).all()
    fixed = make_seats(game, 20, seat=2)
    fixed.begin()
    assert (fixed.seat == 2).all()


# ---- what it sees -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "episode"), EPISODES)
def test_the_learner_sees_with_its_own_eyes__P1_P24(game: str, episode: str) -> None:
    learner = make_seats(game, seed=4, episode=episode, max_deals=2)
    tables = learner.tables
    ends = 0
    for turn in lessons(learner, 200):
        own = tables.observe(learner.seat)
        assert np.array_equal(turn.observation, own.observation)
        assert np.array_equal(turn.mask, own.mask)
        over = turn.terminated | turn.truncated
        assert np.array_equal(over, tables.ended == 1)
        assert np.array_equal(turn.mask.any(axis=1), ~over)
        assert (tables.states["seat"] == learner.seat)[~over].all()
        ends += over.sum()
    assert ends > 5
    fresh = learner.begin()
    assert fresh.mask.any(axis=1).all()
    assert not np.any([fresh.reward, fresh.terminated, fresh.truncated])


@games
def test_turns_are_never_written_again__P21(game: str) -> None:
    env = make_vec(game, seed=6)
    kept = [(env.reset(), b"")]
    kept = [(array, array.tobytes()) for array, _ in kept]
    for step in range(100):
        observation, reward, done, infos = env.step(pick(env.action_masks(), step))
        finals = [info["terminal_observation"] for info in infos if info]
        kept += [(array, array.tobytes()) for array in (observation, reward, done, env.action_masks(), *finals)]
    assert all(array.tobytes() == before for array, before in kept)


class Recorder:
    """Notes who it was asked for."""

    def __init__(self) -> None:
        self.seats: set[int] = set()

    def act(self, views: Views) -> np.ndarray:
        self.seats |= set(views.seat.tolist())
        return pick(views.mask, 0)


@games
def test_every_other_seat_has_its_own_player(game: str) -> None:
    others = {relation: Recorder() for relation in RELATIONS}
    learner = make_seats(game, 8, others=others, seat=1)
    assert sum(1 for _ in lessons(learner, 100)) == 100
    assert [others[relation].seats for relation in RELATIONS] == [{2}, {3}, {0}]
    everyone = Recorder()
    learner.sit(everyone)
    assert sum(1 for _ in lessons(learner, 50)) == 50
    assert everyone.seats == {0, 2, 3}
    learner.sit({"left": "random", "partner": lambda views: everyone.act(views), "right": "pass"})
    everyone.seats.clear()
    assert sum(1 for _ in lessons(learner, 50)) == 50
    assert everyone.seats == {3}


@games
def test_the_same_seed_is_the_same_course(game: str) -> None:
    stories = []
    for seed in (1, 1, 2):
        env = make_vec(game, 4, others="random", seed=seed)
        story = [env.reset().tobytes()]
        for step in range(60):
            observation, reward, *_ = env.step(pick(env.action_masks(), step))
            story += [observation.tobytes(), reward.tobytes()]
        stories.append(story)
    assert stories[0] == stories[1] != stories[2]


@pytest.mark.parametrize("game", VOIDABLE)
@pytest.mark.parametrize("others", ["uniform", "random"])
def test_a_forced_opening_passes_no_deal_out(game: str, others: str) -> None:
    learner = make_seats(game, 200, others=others, seed=7)
    learner.forced_opening = 1.0
    for turn in lessons(learner, 120):
        over = turn.terminated | turn.truncated
        assert (learner.tables.results["contract"][over] >= 0).all()
    fresh = learner.begin()
    mine = (learner.opener == learner.seat) & (learner.tables.states["bid"] < 0)
    assert mine.any()
    assert np.array_equal(fresh.mask[:, PASS] == 0, mine)
    learner.forced_opening = 0.0
    assert learner.begin().mask[:, PASS].all()


def test_what_seats_refuse() -> None:
    tables = make_tables("vint", 2, seed=0, autoreset=False)
    who = player("uniform", load("vint"))
    with pytest.raises(ValueError, match="autoreset"):
        Seats(make_tables("vint", 2, seed=0), who)
    with pytest.raises(ValueError, match="seat = 4"):
        Seats(tables, who, seat=4)
    for others in ({"left": who}, {"left": who, "partner": who, "right": who, "me": who}):
        with pytest.raises(ValueError, match="left, partner, right"):
            Seats(tables, others)


# ---- Stable-Baselines3 ------------------------------------------------------------------------------------------------------


@games
def test_what_the_library_asks_for__P22(game: str) -> None:
    env = make_vec(game, seed=8)
    observation = env.reset()
    assert observation.shape == (8, *env.observation_space.shape)
    assert all(env.observation_space.contains(row) for row in observation)
    assert env.action_space.n == len(load(game).actions)
    assert env.has_attr("action_masks")
    assert not env.has_attr("nonsense")
    assert np.array_equal(np.stack(env.env_method("action_masks")), env.action_masks())
    assert np.array_equal(env.env_method("action_masks", indices=[3])[0], env.action_masks()[3])
    assert np.array_equal(get_action_masks(env), env.action_masks())
    assert env.get_attr("render_mode") == [None] * 8
    assert env.env_is_wrapped(VecMonitor) == [False] * 8
    with pytest.raises(AttributeError, match="action_masks"):
        env.env_method("render")
    env.set_attr("tag", 5)
    assert env.get_attr("tag", indices=0) == [5]
    env.seed(3)
    first = env.reset()
    assert not np.array_equal(env.reset(), first)
    env.seed(3)
    assert np.array_equal(env.reset(), first)
    env.close()


@pytest.mark.parametrize(("game", "episode"), EPISODES)
def test_infos_of_an_ended_episode__P22_P24(game: str, episode: str) -> None:
    env = make_vec(game, 6, others="random", seed=9, episode=episode, max_deals=2)
    env.reset()
    length = np.zeros(6, np.int64)
    total = np.zeros(6)
    seen = 0
    for step in range(150):
        observation, rewards, dones, infos = env.step(pick(env.action_masks(), step))
        length += 1
        total += rewards
        assert env.action_masks().any(axis=1).all()
        assert np.array_equal(env.action_masks(), env.seats.tables.observe().mask)
        assert np.array_equal(observation, env.seats.tables.observe(env.seats.seat).observation)
        assert [bool(info) for info in infos] == dones.tolist()
        for table in np.flatnonzero(dones):
            info = infos[table]
            assert info["episode"]["l"] == length[table]
            assert info["episode"]["r"] == total[table]
            assert info["episode"]["t"] > 0
            assert info["TimeLimit.truncated"] == (episode != "deal" and info["TimeLimit.truncated"])
            assert env.observation_space.contains(info["terminal_observation"])
            phase = load(game).layout()["phase"]
            assert not info["terminal_observation"][phase].any() or info["TimeLimit.truncated"]
            assert set(info["deal"]) >= {"contract", "declarer", "tricks", "lines", "margin"}
            seen += 1
        length[dones] = 0
        total[dones] = 0
    assert seen


@games
def test_an_illegal_action_raises__P23(game: str) -> None:
    env = make_vec(game, 4, seed=10)
    env.reset()
    actions = pick(env.action_masks(), 0)
    actions[2] = env.action_masks()[2].argmin()
    before = env.seats.tables.states.tobytes()
    with pytest.raises(IllegalAction, match="table 2"):
        env.step(actions)
    assert env.seats.tables.states.tobytes() == before


@games
def test_maskable_ppo_learns(game: str) -> None:
    env = make_vec(game, 8, others="random", seed=11, reward_scale=0.001, episode=LONGEST[game])
    network = {"net_arch": [32]}
    model = MaskablePPO("MlpPolicy", env, n_steps=32, batch_size=64, n_epochs=1, policy_kwargs=network, seed=0, device="cpu")
    before = [parameter.detach().clone() for parameter in model.policy.parameters()]
    model.learn(8 * 32 * 3)
    assert model.num_timesteps == 8 * 32 * 3
    assert any((new != old).any() for new, old in zip(model.policy.parameters(), before, strict=True))
    assert all(new.isfinite().all() for new in model.policy.parameters())
    tables = make_tables(game, 30, seed=12)
    views = tables.views()
    for greedy in (True, False):
        actions, again = (PolicyPlayer(model.policy, greedy=greedy, seed=1).act(views) for _ in range(2))
        assert np.array_equal(actions, again)
        assert views.mask[np.arange(30), actions].all()

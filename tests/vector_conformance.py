"""Whether a vector environment with action masks is what Gymnasium defines, and table by table what single environments are.

:func:`check` steps a vector environment beside a ``SyncVectorEnv`` of single ones in the same autoreset mode.
The environments must be determined by seed and actions, and their infos must hold ``action_mask``. The other checks stand by themselves.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv, VectorEnv
from gymnasium.vector.utils import batch_space
from gymnasium.wrappers.vector import RecordEpisodeStatistics

Vector = VectorEnv[Any, Any, Any]
Single = gymnasium.Env[Any, Any]
Turn = tuple[Any, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]
"""What ``step`` returns."""


def check(
    make_vector: Callable[[int, AutoresetMode], Vector], make_single: Callable[[], Single], mode: AutoresetMode, *, n: int = 3,
    steps: int = 120, seed: int = 7,
) -> None:
    """All of it in one autoreset mode; :class:`AssertionError` where something differs.

    Args:
        make_vector: from the number of tables and the mode.
        make_single: one table of the same.
        n: tables.
        steps: enough for each table to end an episode and begin another.
    """
    ours, theirs = make_vector(n, mode), SyncVectorEnv([make_single] * n, autoreset_mode=mode)
    check_spaces(ours, make_single(), n, mode)
    check_lockstep(ours, theirs, mode, steps, seed)
    check_seeds(lambda: make_vector(n, mode), mode, seed)


def check_spaces(env: Vector, single: Single, n: int, mode: AutoresetMode) -> None:
    assert env.num_envs == n
    assert env.metadata["autoreset_mode"] is mode
    assert env.single_observation_space == single.observation_space
    assert env.single_action_space == single.action_space
    assert env.observation_space == batch_space(single.observation_space, n)
    assert env.action_space == batch_space(single.action_space, n)


def check_lockstep(ours: Vector, theirs: Vector, mode: AutoresetMode, steps: int, seed: int) -> None:
    """Equal turn by turn, within the spaces, and nothing that was returned is written again."""
    rng = np.random.default_rng(seed)
    shown, info = ours.reset(seed=seed)
    expected, expected_info = theirs.reset(seed=seed)
    check_equal(shown, expected)
    check_info(info, expected_info)
    kept = [(array, array.tobytes()) for array in arrays((shown, info))]
    waiting, ends = np.zeros(ours.num_envs, np.bool_), np.zeros(ours.num_envs, np.int64)
    for _ in range(steps):
        if mode is AutoresetMode.DISABLED and waiting.any():
            shown, info = ours.reset(options={"reset_mask": waiting.copy()})
            expected, expected_info = theirs.reset(options={"reset_mask": waiting.copy()})
            check_equal(shown, expected)
            check_info(info, expected_info, partly=True)
            waiting[:] = False
        actions = legal_actions(info["action_mask"], rng)
        turn, expected_turn = ours.step(actions), theirs.step(actions)
        check_turn(ours, turn, mode)
        for part, expected_part in zip(turn[:4], expected_turn[:4], strict=True):
            check_equal(part, expected_part)
        check_info(turn[4], expected_turn[4])
        assert all(array.tobytes() == before for array, before in kept)
        kept = [(array, array.tobytes()) for array in arrays(turn)]
        info, waiting = turn[4], turn[2] | turn[3]
        ends += waiting
    assert (ends > 1).all()


def check_turn(env: Vector, turn: Turn, mode: AutoresetMode) -> None:
    """Shapes, dtypes and spaces; a mask is empty only where an episode has ended and no other has begun."""
    observation, reward, terminated, truncated, info = turn
    assert env.observation_space.contains(observation)
    assert (reward.shape, reward.dtype.kind) == ((env.num_envs,), "f")
    assert terminated.shape == truncated.shape == (env.num_envs,)
    assert terminated.dtype == truncated.dtype == np.bool_
    over = terminated | truncated
    masks = info["action_mask"]
    if isinstance(observation, dict):
        check_equal(observation["action_mask"], masks)
    if mode is not AutoresetMode.SAME_STEP:
        assert "final_obs" not in info
        assert np.array_equal(masks.any(axis=1), ~over)
        return
    assert masks.any(axis=1).all()
    assert ("final_obs" in info) == ("final_info" in info) == bool(over.any())
    for table in np.flatnonzero(over):
        assert env.single_observation_space.contains(info["final_obs"][table])
        assert not info["final_info"]["action_mask"][table].any()


def check_seeds(make: Callable[[], Vector], mode: AutoresetMode, seed: int) -> None:
    """One seed is one course, episodes begun without a seed too; another seed is another."""
    courses = [list(course(make(), mode, number)) for number in (seed, seed, seed + 1)]
    assert courses[0] == courses[1] != courses[2]
    env = make()
    first, again, other, onward = (look(env.reset(seed=number)[0]) for number in (seed, seed, seed + 1, None))
    assert first == again
    assert len({first, other, onward}) == 3


def course(env: Vector, mode: AutoresetMode, seed: int, steps: int = 60) -> Iterator[bytes]:
    """What a course of play looks like."""
    rng = np.random.default_rng(0)
    shown, info = env.reset(seed=seed)
    for _ in range(steps):
        yield look(shown)
        shown, reward, terminated, truncated, info = env.step(legal_actions(info["action_mask"], rng))
        yield reward.tobytes()
        if mode is AutoresetMode.DISABLED and (terminated | truncated).any():
            shown, info = env.reset(options={"reset_mask": terminated | truncated})


def check_seeded_reset_of_some(make_vector: Callable[[int, AutoresetMode], Vector], make_single: Callable[[], Single]) -> None:
    """``reset(seed=s)`` gives table i what seed s + i gives, whichever tables are reset."""
    ours, theirs = make_vector(4, AutoresetMode.NEXT_STEP), SyncVectorEnv([make_single] * 4)
    mask = np.array([False, True, False, True])
    for env in (ours, theirs):
        env.reset(seed=1)
    (shown, info), (expected, expected_info) = (env.reset(seed=20, options={"reset_mask": mask.copy()}) for env in (ours, theirs))
    check_equal(shown, expected)
    check_info(info, expected_info, partly=True)


def check_statistics(env: Vector, mode: AutoresetMode, owed: Callable[[], np.ndarray], *, episodes: int = 3, seed: int = 5) -> None:
    """``RecordEpisodeStatistics`` gives returns and lengths of at least so many ``episodes`` of each table.

    ``owed()`` says what the episodes that have ended should have paid so far, (n,) exactly; other entries do not matter.
    """
    recorder: Any = RecordEpisodeStatistics(env)
    rng = np.random.default_rng(seed)
    info = recorder.reset(seed=seed)[1]
    returns = np.zeros(env.num_envs)
    ends, lengths, turns = np.zeros((3, env.num_envs), np.int64)
    waiting = np.zeros(env.num_envs, np.bool_)
    while ends.min() < episodes:
        if mode is AutoresetMode.DISABLED and waiting.any():
            info = recorder.reset(options={"reset_mask": waiting.copy()})[1]
            waiting[:] = False
        turns += ~waiting
        _, _, terminated, truncated, info = recorder.step(legal_actions(info["action_mask"], rng))
        over = terminated | truncated
        if over.any():
            assert np.array_equal(info["_episode"], over)
            returns += info["episode"]["r"]
            lengths += info["episode"]["l"]
            assert np.array_equal(returns[over], owed()[over])
            assert np.array_equal(lengths[over], turns[over])
        waiting = over & (mode is not AutoresetMode.SAME_STEP)
        ends += over
    assert returns.any()
    assert recorder.episode_count == ends.sum()


def check_refusals(env: Vector, value: Callable[[], bytes]) -> None:
    """In the mode ``DISABLED``: whatever is wrong is refused, and leaves ``value()`` as it was."""
    n = env.num_envs
    rng = np.random.default_rng(0)
    info = env.reset(seed=0)[1]
    legal, before = legal_actions(info["action_mask"], rng), value()
    illegal = info["action_mask"].argmin(axis=1)
    for actions in (legal[:-1], np.append(legal, legal), legal[:, None], legal[0], legal + 0.5, illegal):
        with pytest.raises((TypeError, ValueError)):
            env.step(actions)
        assert value() == before
    for mask in ([True] * n, np.ones(n - 1, np.bool_), np.ones(n, np.int8), np.zeros(n, np.bool_)):
        with pytest.raises((TypeError, ValueError), match="reset_mask"):
            env.reset(options={"reset_mask": mask})
        assert value() == before
    over = np.zeros(n, np.bool_)
    while not over.any():
        _, _, terminated, truncated, info = env.step(legal_actions(info["action_mask"], rng))
        over = terminated | truncated
    before = value()
    with pytest.raises(ValueError, match="reset_mask"):
        env.step(legal_actions(info["action_mask"], rng))
    assert value() == before


def legal_actions(masks: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """(n,) a legal action for each table, 0 where there is none."""
    return np.where(masks, rng.random(masks.shape), 0).argmax(axis=1)


def arrays(value: Any) -> Iterator[np.ndarray]:
    """All arrays of numbers in what an environment has returned."""
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, np.ndarray) and value.dtype != object:
        yield value
    elif isinstance(value, (tuple, list, np.ndarray)):
        for part in value:
            yield from arrays(part)


def look(value: Any) -> bytes:
    """All numbers in what an environment has returned."""
    return b"".join(array.tobytes() for array in arrays(value))


def check_equal(ours: Any, theirs: Any, what: str = "what was returned") -> None:
    """Equal values; arrays and mappings of them too."""
    if isinstance(theirs, Mapping):
        assert sorted(ours) == sorted(theirs), f"{what} has {sorted(ours)}, not {sorted(theirs)}"
        for key in theirs:
            check_equal(ours[key], theirs[key], f"{key} of {what}")
    else:
        assert np.array_equal(ours, theirs), f"{what} differs"


def check_info(ours: Mapping[str, Any], theirs: Mapping[str, Any], *, partly: bool = False) -> None:
    """The same keys at the same tables with the same values; after a reset of some tables (``partly``) the others may have more."""
    assert sorted(ours) == sorted(theirs), f"infos have {sorted(ours)}, not {sorted(theirs)}"
    for key in theirs:
        if key.startswith("_"):
            continue
        has, expected = ours[f"_{key}"], theirs[f"_{key}"]
        assert (has[expected] if partly else has == expected).all(), f"tables that have {key}"
        if isinstance(theirs[key], Mapping):
            check_info(ours[key], theirs[key], partly=partly)
            continue
        for table in np.flatnonzero(expected):
            check_equal(ours[key][table], theirs[key][table], f"{key} of table {table}")

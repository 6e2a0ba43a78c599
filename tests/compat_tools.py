"""The forms of our environments, deals played in them, and the tools of other libraries that play or carry the play of others."""

from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple

import gymnasium
import numpy as np
from pettingzoo.test import parallel_api_test
from pettingzoo.utils import average_total_reward, random_demo, wrappers
from pettingzoo.utils.conversions import turn_based_aec_to_parallel
from playing import choose, margins

from skruv import mask_in_info, vint_v0
from skruv.aec import AGENTS

# ---- the forms -------------------------------------------------------------------------------------------------------------


def aec(**options: Any) -> Any:
    """An environment; in Vint every seat has many turns."""
    return vint_v0.env(**options)


def bare(**options: Any) -> Any:
    """The same, the mask in ``info`` alone."""
    return mask_in_info(aec(**options))


def seat(**options: Any) -> Any:
    """A learner's seat as a Gymnasium environment."""
    return gymnasium.make("skruv/Vint-v0", **options).unwrapped


def seats(**options: Any) -> Any:
    """Learners' seats as a ``VecEnv``."""
    return import_module("skruv.sb3").SeatVecEnv("vint", 4, **options)


# ---- one episode, and what is wrong with it ---------------------------------------------------------------------------------


def checked(seen: Any, space: Any, info: dict[str, Any], legal: np.ndarray, faults: set[str]) -> None:
    """Note what a wrapper has spoilt at this turn."""
    if not space.contains(seen):
        faults.add("observations outside their space")
    if "action_mask" not in info:
        faults.add("no mask in `info`")
    elif not np.array_equal(info["action_mask"], legal):
        faults.add("not this turn's mask in `info`")
    if isinstance(seen, dict) and "action_mask" in seen and not np.array_equal(np.asarray(seen["action_mask"]), legal):
        faults.add("not this turn's mask in the observation")


def deal_of(env: Any) -> set[str]:
    """Play a deal in a PettingZoo environment; what was wrong."""
    rng, faults, returns = np.random.default_rng(0), set[str](), dict.fromkeys(AGENTS, 0.0)
    tables = env.unwrapped.tables
    env.reset(seed=3)
    for agent in env.agent_iter(1000):
        seen, reward, terminated, truncated, info = env.last()
        returns[agent] += reward
        legal = tables.legal()[0]
        if terminated or truncated:
            env.step(None)
            continue
        checked(seen, env.observation_space(agent), info, legal, faults)
        env.step(choose(legal, rng))
    assert tables.ended[0]
    margin = margins(tables)[0]
    return faults | ({"other rewards"} if list(returns.values()) != [margin, -margin] * 2 else set())


def episode_of(env: Any) -> set[str]:
    """Play an episode in a Gymnasium environment; what was wrong."""
    rng, faults, total, over = np.random.default_rng(0), set[str](), 0.0, False
    inner = env.unwrapped
    seen, info = env.reset(seed=3)
    for _ in range(200):
        checked(seen, env.observation_space, info, inner.action_masks(), faults)
        seen, reward, terminated, truncated, info = env.step(choose(inner.action_masks(), rng))
        total += float(reward)
        over = bool(terminated or truncated)
        if over:
            break
    assert over
    margin = margins(inner.seats.tables)[0] * (-1) ** int(inner.seats.seat[0])
    return faults | ({"other rewards"} if total != margin else set())


# ---- tools that choose actions, or carry those of others -------------------------------------------------------------------


class Tool(NamedTuple):
    """Something that plays, or carries the play of others."""

    name: str
    masks: str
    """What it knows of masks."""
    given: str
    play: Callable[[], Any]
    """Raises, or returns a set of what was wrong; anything else is nothing wrong."""


def all_at_once(env: Any) -> set[str]:
    """Play a deal in a parallel environment, each seat giving an action or ``None``; what was wrong."""
    rng, returns = np.random.default_rng(0), dict.fromkeys(AGENTS, 0.0)
    _, infos = env.reset(seed=3)
    while env.agents:
        masks = {agent: infos[agent]["action_mask"] for agent in env.agents}
        _, rewards, _, _, infos = env.step({agent: choose(mask, rng) if mask.any() else None for agent, mask in masks.items()})
        returns = {agent: total + rewards[agent] for agent, total in returns.items()}
    margin = margins(env.unwrapped.tables)[0]
    return {"other rewards"} if list(returns.values()) != [margin, -margin] * 2 else set()


def legal_rows(masks: Any) -> np.ndarray:
    """A legal action of each row, the same for the same masks; 0 where there is none."""
    return np.array([choose(mask, np.random.default_rng(mask.sum())) if mask.any() else 0 for mask in masks])


def by_supersuit(multiagent: bool) -> None:
    """SuperSuit's vectors of PettingZoo environments."""
    ss = import_module("supersuit")
    if multiagent:
        env = ss.vectorize_aec_env_v0(bare(), 2)
        env.reset(seed=3)
        for _ in range(300):
            *_, passes, infos = env.last()
            actions = legal_rows(info.get("action_mask", np.zeros(0)) for info in infos)
            env.step([None if out else int(action) for out, action in zip(passes, actions, strict=True)])
        return
    env = ss.concat_vec_envs_v1(ss.pettingzoo_env_to_vec_env_v1(turn_based_aec_to_parallel(bare())), 2, num_cpus=1)
    _, infos = env.reset(seed=3)
    for _ in range(300):
        *_, infos = env.step(legal_rows(info["action_mask"] for info in infos))


def ppo(env: Any, masked: bool = True) -> Any:
    """An untrained learner."""
    learner = import_module("sb3_contrib").MaskablePPO if masked else import_module("stable_baselines3").PPO
    return learner("MlpPolicy", env, n_steps=32, batch_size=32, n_epochs=1, policy_kwargs={"net_arch": [8]}, seed=0, device="cpu")


def by_sb3(way: str) -> None:
    """The ways of Stable-Baselines3 and sb3-contrib."""
    env = seats()
    plain, contrib = "stable_baselines3.common", "sb3_contrib.common.maskable"
    if way == "PPO.learn":
        ppo(env, masked=False).learn(256)
    elif way == "MaskablePPO.learn":
        ppo(env).learn(256)
    elif way == "predict":
        seen = env.reset()
        for _ in range(50):
            seen, *_ = env.step(ppo(env).predict(seen)[0])
    elif way in ("EvalCallback", "MaskableEvalCallback"):
        callback = getattr(import_module(f"{plain if way == 'EvalCallback' else contrib}.callbacks"), way)
        ppo(env).learn(256, callback(env, eval_freq=8, n_eval_episodes=4, verbose=0, warn=False))
    else:
        module = plain if way == "evaluate_policy" else contrib
        import_module(f"{module}.evaluation").evaluate_policy(ppo(env), env, n_eval_episodes=8, warn=False)


def by_vec_wrapper(name: str, *arguments: Any) -> set[str]:
    """A wrapper of a ``VecEnv``, the masks asked for through it."""
    inner = seats()
    env = getattr(import_module("stable_baselines3.common.vec_env"), name)(inner, *arguments)
    env.reset()
    for _ in range(100):
        masks = np.stack(env.env_method("action_masks"))
        if not np.array_equal(masks, inner.action_masks()):
            return {"not this turn's masks"}
        env.step(legal_rows(masks))
    return set()


def by_tianshou(make: Callable[[], Any]) -> set[str]:
    """A deal through tianshou's interface; what was wrong."""
    env = import_module("tianshou.env").PettingZooEnv(make())
    rng, paid, faults = np.random.default_rng(0), np.zeros(4), set[str]()
    seen, info = env.reset(seed=3)
    ended = False
    while not ended:
        if not np.array_equal(seen["mask"], info["action_mask"] == 1):
            faults.add("every action allowed")
        seen, rewards, terminated, truncated, info = env.step(choose(np.array(seen["mask"]), rng))
        paid += rewards
        ended = terminated or truncated
    margin = margins(env.env.unwrapped.tables)[0]
    return faults | ({"other rewards"} if paid.tolist() != [margin, -margin] * 2 else set())


class WithoutDeals(wrappers.BaseWrapper[str, Any, Any]):
    """``info["deal"]`` taken away."""

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        *rest, info = super().last(observe)
        return (*rest, {name: value for name, value in info.items() if name != "deal"})  # type: ignore[return-value]


def by_collector(make: Callable[[], Any]) -> None:
    """Forty deals, eight at a time, through tianshou's collector, with the random players that it ships."""
    data, envs = import_module("tianshou.data"), import_module("tianshou.env")
    marl, chance = import_module("tianshou.algorithm.multiagent.marl"), import_module("tianshou.algorithm.random")
    env = envs.PettingZooEnv(make())
    players = [chance.MARLRandomDiscreteMaskedOffPolicyAlgorithm(env.action_space) for _ in AGENTS]
    vector = envs.DummyVectorEnv([lambda: envs.PettingZooEnv(make())] * 8)
    collector = data.Collector(marl.MultiAgentOffPolicyAlgorithm(algorithms=players, env=env), vector, data.VectorReplayBuffer(8000, 8))
    vector.seed(0)
    np.random.seed(0)
    collector.reset()
    assert collector.collect(n_episode=40).n_collected_episodes == 40


def by_torchrl(make: Callable[[], Any]) -> set[str]:
    """A rollout of TorchRL with its own random actions; what was wrong."""
    torchrl, torch = import_module("torchrl.envs.libs.pettingzoo"), import_module("torch")
    one_group = import_module("torchrl.envs.utils").MarlGroupMapType.ALL_IN_ONE_GROUP
    env = torchrl.PettingZooWrapper(make(), use_mask=True, group_map=one_group, seed=3)
    env.set_seed(3)
    torch.manual_seed(0)
    rollout = env.rollout(1000)
    (group,) = env.group_map
    acting = rollout[group, "mask"]
    assert (acting.sum(dim=1) == 1).all()
    assert rollout["next", "done"].flatten().tolist() == [False] * (len(rollout) - 1) + [True]
    made = rollout[group, "action"][acting]
    faults = set[str]() if rollout[group, "action_mask"][acting].gather(1, made[:, None]).all() else {"illegal actions"}
    margin = margins(env._env.unwrapped.tables)[0]
    paid = rollout["next", group, "reward"].sum(dim=0).flatten().tolist()
    return faults | ({"other rewards"} if paid != [margin, -margin] * 2 else set())


def by_sample(masked: bool) -> None:
    """An episode of random actions as Gymnasium's space draws them."""
    env = seat()
    env.action_space.seed(0)
    _, info = env.reset(seed=3)
    ended = False
    while not ended:
        _, _, terminated, truncated, info = env.step(env.action_space.sample(info["action_mask"] if masked else None))
        ended = terminated or truncated


def by_vector(env: Any) -> None:
    """200 steps in one of Gymnasium's vector environments."""
    _, info = env.reset(seed=3)
    for _ in range(200):
        *_, info = env.step(legal_rows(info["action_mask"]))
    env.close()


NONE, OWN, CARRIES = "never asks", "asks", "carries them"
TERMINATE = '`env(illegal="terminate")`'
TOOLS = (
    Tool("PettingZoo `random_demo`", "reads the observation's", "`env`", lambda: random_demo(aec(), render=False)),
    Tool("", "", "`mask_in_info(env)`", lambda: random_demo(bare(), render=False)),
    Tool("PettingZoo `average_total_reward`", NONE, "`env`", lambda: average_total_reward(aec(), 1)),
    Tool("", "", TERMINATE, lambda: average_total_reward(aec(illegal="terminate"), 1)),
    Tool("PettingZoo `TerminateIllegalWrapper`", "reads either", "`env`", lambda: deal_of(wrappers.TerminateIllegalWrapper(aec(), -1))),
    Tool("", "", "`mask_in_info(env)`", lambda: deal_of(wrappers.TerminateIllegalWrapper(bare(), -1))),
    Tool("PettingZoo `AssertOutOfBoundsWrapper`", CARRIES, "`env`", lambda: deal_of(wrappers.AssertOutOfBoundsWrapper(aec()))),
    Tool("PettingZoo `OrderEnforcingWrapper`", CARRIES, "`env`", lambda: deal_of(wrappers.OrderEnforcingWrapper(aec()))),
    Tool("PettingZoo `CaptureStdoutWrapper`", CARRIES, "`env`", lambda: deal_of(wrappers.CaptureStdoutWrapper(aec(render_mode="human")))),
    Tool("PettingZoo `turn_based_aec_to_parallel`", CARRIES, "`env`", lambda: all_at_once(turn_based_aec_to_parallel(aec()))),
    Tool("", "", "`mask_in_info(env)`", lambda: all_at_once(turn_based_aec_to_parallel(bare()))),
    Tool(
        "PettingZoo `parallel_api_test`", NONE, '`turn_based_aec_to_parallel(env(illegal="terminate"))`',
        lambda: parallel_api_test(turn_based_aec_to_parallel(aec(illegal="terminate")), num_cycles=200),
    ),
    Tool("SuperSuit `vectorize_aec_env_v0`", CARRIES, "`mask_in_info(env)`", lambda: by_supersuit(True)),
    Tool(
        "SuperSuit `pettingzoo_env_to_vec_env_v1`, `concat_vec_envs_v1`", CARRIES, "`turn_based_aec_to_parallel(mask_in_info(env))`",
        lambda: by_supersuit(False),
    ),
    Tool("SuperSuit `gym_vec_env_v0`", CARRIES, "the seat", lambda: by_vector(import_module("supersuit").gym_vec_env_v0(seat(), 2))),
    Tool(
        "SuperSuit `stable_baselines3_vec_env_v0`", CARRIES, "the seat with `mask_in_info=True`",
        lambda: ppo(import_module("supersuit").stable_baselines3_vec_env_v0(seat(mask_in_info=True), 2)).learn(128),
    ),
    Tool("Gymnasium `action_space.sample()`", NONE, "the seat", lambda: by_sample(masked=False)),
    Tool("Gymnasium `action_space.sample(mask)`", OWN, "the seat", lambda: by_sample(masked=True)),
    Tool("Gymnasium `SyncVectorEnv`", CARRIES, "the seat", lambda: by_vector(gymnasium.vector.SyncVectorEnv([seat] * 2))),
    Tool("Gymnasium `AsyncVectorEnv`", CARRIES, "the seat", lambda: by_vector(gymnasium.vector.AsyncVectorEnv([seat] * 2))),
    Tool("Stable-Baselines3 `PPO.learn`", NONE, "`SeatVecEnv`", lambda: by_sb3("PPO.learn")),
    Tool("Stable-Baselines3 `evaluate_policy`", NONE, "`SeatVecEnv`", lambda: by_sb3("evaluate_policy")),
    Tool("Stable-Baselines3 `EvalCallback`", NONE, "`SeatVecEnv`", lambda: by_sb3("EvalCallback")),
    Tool("sb3-contrib `MaskablePPO.predict(observation)`", NONE, "`SeatVecEnv`", lambda: by_sb3("predict")),
    Tool("sb3-contrib `MaskablePPO.learn`", OWN, "`SeatVecEnv`", lambda: by_sb3("MaskablePPO.learn")),
    Tool("sb3-contrib `evaluate_policy`", OWN, "`SeatVecEnv`", lambda: by_sb3("evaluate_policy, masked")),
    Tool("sb3-contrib `MaskableEvalCallback`", OWN, "`SeatVecEnv`", lambda: by_sb3("MaskableEvalCallback")),
    Tool("Stable-Baselines3 `VecMonitor`", CARRIES, "`SeatVecEnv`", lambda: by_vec_wrapper("VecMonitor")),
    Tool("Stable-Baselines3 `VecNormalize`", CARRIES, "`SeatVecEnv`", lambda: by_vec_wrapper("VecNormalize")),
    Tool("Stable-Baselines3 `VecFrameStack`", CARRIES, "`SeatVecEnv`", lambda: by_vec_wrapper("VecFrameStack", 3)),
    Tool("tianshou `PettingZooEnv`", "reads the observation's", "`env`", lambda: by_tianshou(aec)),
    Tool("", "", "`mask_in_info(env)`", lambda: by_tianshou(bare)),
    Tool("tianshou `Collector`", "reads the observation's", "`env`", lambda: by_collector(aec)),
    Tool("", "", '`env`, `info["deal"]` taken away', lambda: by_collector(lambda: WithoutDeals(aec()))),
    Tool("TorchRL `PettingZooWrapper`", "reads either", "`env`", lambda: by_torchrl(aec)),
    Tool("", "", "`mask_in_info(env)`", lambda: by_torchrl(bare)),
    Tool("", "", "`turn_based_aec_to_parallel(env)`", lambda: by_torchrl(lambda: turn_based_aec_to_parallel(aec()))),
    Tool(
        "TorchRL `PettingZooEnv`", "reads either", '`"skruv/vint-v0"`',
        lambda: import_module("torchrl.envs.libs.pettingzoo").PettingZooEnv("skruv/vint-v0", parallel=False, use_mask=True),
    ),
)

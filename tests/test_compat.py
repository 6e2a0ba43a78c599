"""What other libraries do with the environments: ``docs/compatibility.md`` is made here and held equal.

With the extra ``compat`` installed: ``pytest -m compat``; ``python tests/test_compat.py`` writes the tables anew.
"""

import contextlib
import io
import re
import warnings
from collections.abc import Callable
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from compat_tools import NONE, TOOLS, Tool, aec, all_at_once, bare, by_tianshou, by_torchrl, deal_of, episode_of, seat
from pages import PART, table
from pettingzoo.utils.conversions import turn_based_aec_to_parallel

from skruv.aec import AGENTS

pytestmark = [pytest.mark.compat, pytest.mark.filterwarnings("ignore")]

PAGE = Path(__file__).resolve().parent.parent / "docs" / "compatibility.md"
LIBRARIES = ("pettingzoo", "gymnasium", "supersuit", "stable-baselines3", "sb3-contrib", "tianshou", "torchrl", "torch", "numpy")


def outcome(play: Callable[[], Any]) -> str:
    """The cell of a table: how it went."""
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        try:
            found = play()
        except (Exception, SystemExit) as error:
            return f"raises `{type(error).__name__}`"
    return "; ".join(["plays", *(sorted(found) if isinstance(found, set) else ())])


def space_of(space: Any) -> str:
    """The observation space, where a wrapper has made another array of it."""
    is_new = isinstance(space, gymnasium.spaces.Box) and space != bare().observation_space(AGENTS[0])
    return f", `{space}`" if is_new else ""


# ---- SuperSuit --------------------------------------------------------------------------------------------------------------

SUPERSUIT: dict[str, Callable[[Any, Any], Any]] = {
    "action_lambda_v1": lambda ss, env: ss.action_lambda_v1(env, lambda action, _: action, lambda space: space),
    "agent_indicator_v0": lambda ss, env: ss.agent_indicator_v0(env),
    "black_death_v3": lambda ss, env: ss.black_death_v3(env),
    "clip_actions_v0": lambda ss, env: ss.clip_actions_v0(env),
    "clip_reward_v0": lambda ss, env: ss.clip_reward_v0(env),
    "color_reduction_v0": lambda ss, env: ss.color_reduction_v0(env),
    "delay_observations_v0": lambda ss, env: ss.delay_observations_v0(env, 1),
    "dtype_v0": lambda ss, env: ss.dtype_v0(env, np.float32),
    "flatten_v0": lambda ss, env: ss.flatten_v0(env),
    "frame_skip_v0": lambda ss, env: ss.frame_skip_v0(env, 1),
    "frame_stack_v1": lambda ss, env: ss.frame_stack_v1(env, 3),
    "frame_stack_v2": lambda ss, env: ss.frame_stack_v2(env, 3),
    "max_observation_v0": lambda ss, env: ss.max_observation_v0(env, 2),
    "nan_noop_v0": lambda ss, env: ss.nan_noop_v0(env, 0),
    "nan_random_v0": lambda ss, env: ss.nan_random_v0(env),
    "nan_zeros_v0": lambda ss, env: ss.nan_zeros_v0(env),
    "normalize_obs_v0": lambda ss, env: ss.normalize_obs_v0(env),
    "dtype_v0, normalize_obs_v0": lambda ss, env: ss.normalize_obs_v0(ss.dtype_v0(env, np.float32)),
    "observation_lambda_v0": lambda ss, env: ss.observation_lambda_v0(env, lambda seen, _: seen, lambda space: space),
    "pad_action_space_v0": lambda ss, env: ss.pad_action_space_v0(env),
    "pad_observations_v0": lambda ss, env: ss.pad_observations_v0(env),
    "reshape_v0": lambda ss, env: ss.reshape_v0(env, (7, 157)),
    "resize_v1": lambda ss, env: ss.resize_v1(env, 8, 8),
    "reward_lambda_v0": lambda ss, env: ss.reward_lambda_v0(env, lambda reward: reward / 10),
    "scale_actions_v0": lambda ss, env: ss.scale_actions_v0(env, 0.5),
    "sticky_actions_v0": lambda ss, env: ss.sticky_actions_v0(env, 0.5),
}
VECTORS = {"concat_vec_envs_v1", "gym_vec_env_v0", "pettingzoo_env_to_vec_env_v1", "stable_baselines3_vec_env_v0", "vectorize_aec_env_v0"}
"""In the table of tools."""
RETIRED = {"stable_baselines_vec_env_v0"}
"""For a library that no longer installs."""


def supersuit_wrappers() -> str:
    """Each wrapper over both forms."""
    ss = import_module("supersuit")

    def cell(wrap: Callable[[Any, Any], Any], env: Any) -> str:
        went = outcome(lambda: deal_of(wrap(ss, env)))
        return went + (space_of(wrap(ss, env).observation_space(AGENTS[0])) if went.startswith("plays") else "")

    return table(
        ("SuperSuit wrapper", "over `env`", "over `mask_in_info(env)`"),
        [(f"`{name}`", cell(wrap, aec()), cell(wrap, bare())) for name, wrap in SUPERSUIT.items()],
    )


def test_every_supersuit_wrapper_is_in_a_table__P8() -> None:
    names = {name for name in vars(import_module("supersuit")) if re.search(r"_v\d+$", name)}
    assert names == {part for name in SUPERSUIT for part in name.split(", ")} | VECTORS | RETIRED


@pytest.mark.parametrize("name", ["flatten_v0", "dtype_v0", "frame_stack_v1"])
def test_what_works_on_plain_boxes__P8(name: str) -> None:
    wrapped = SUPERSUIT[name](import_module("supersuit"), bare())
    assert deal_of(wrapped) == set()
    assert isinstance(wrapped.observation_space(AGENTS[0]), gymnasium.spaces.Box)


# ---- Gymnasium's wrappers ---------------------------------------------------------------------------------------------------

GYMNASIUM: dict[str, Callable[[Any], Any]] = {
    "Autoreset": gymnasium.wrappers.Autoreset,
    "ClipAction": gymnasium.wrappers.ClipAction,
    "ClipReward": lambda env: gymnasium.wrappers.ClipReward(env, -1, 1),
    "DelayObservation": lambda env: gymnasium.wrappers.DelayObservation(env, 1),
    "DiscretizeAction": lambda env: gymnasium.wrappers.DiscretizeAction(env, 5),
    "DiscretizeObservation": lambda env: gymnasium.wrappers.DiscretizeObservation(env, 2),
    "DtypeObservation": lambda env: gymnasium.wrappers.DtypeObservation(env, np.float32),
    "FilterObservation": lambda env: gymnasium.wrappers.FilterObservation(env, ["observation"]),
    "FlattenObservation": gymnasium.wrappers.FlattenObservation,
    "FrameStackObservation": lambda env: gymnasium.wrappers.FrameStackObservation(env, 3),
    "MaxAndSkipObservation": lambda env: gymnasium.wrappers.MaxAndSkipObservation(env, 2),
    "NormalizeObservation": gymnasium.wrappers.NormalizeObservation,
    "NormalizeReward": gymnasium.wrappers.NormalizeReward,
    "OrderEnforcing": gymnasium.wrappers.OrderEnforcing,
    "PassiveEnvChecker": gymnasium.wrappers.PassiveEnvChecker,
    "RecordEpisodeStatistics": gymnasium.wrappers.RecordEpisodeStatistics,
    "RenderCollection": gymnasium.wrappers.RenderCollection,
    "RepeatAction": lambda env: gymnasium.wrappers.RepeatAction(env, 2),
    "RescaleAction": lambda env: gymnasium.wrappers.RescaleAction(env, np.float32(0), np.float32(1)),
    "RescaleObservation": lambda env: gymnasium.wrappers.RescaleObservation(env, np.int8(0), np.int8(2)),
    "ReshapeObservation": lambda env: gymnasium.wrappers.ReshapeObservation(env, (7, 157)),
    "StickyAction": lambda env: gymnasium.wrappers.StickyAction(env, 0.5),
    "TimeAwareObservation": gymnasium.wrappers.TimeAwareObservation,
    "TimeLimit": lambda env: gymnasium.wrappers.TimeLimit(env, 200),
    "TransformAction": lambda env: gymnasium.wrappers.TransformAction(env, lambda action: action, env.action_space),
    "TransformObservation": lambda env: gymnasium.wrappers.TransformObservation(env, lambda seen: seen, env.observation_space),
    "TransformReward": lambda env: gymnasium.wrappers.TransformReward(env, lambda reward: reward),
}
PIXELS = {
    "AddRenderObservation", "AddWhiteNoise", "AtariPreprocessing", "GrayscaleObservation", "HumanRendering", "ObstructView", "RecordVideo",
    "ResizeObservation",
}
"""For pictures."""
OTHERS = {"ArrayConversion", "JaxToNumpy", "JaxToTorch", "NumpyToTorch", "vector"}
"""With further packages."""


def gymnasium_wrappers() -> str:
    """Each wrapper over both forms of a learner's seat."""

    def cell(wrap: Callable[[Any], Any], **options: Any) -> str:
        went = outcome(lambda: episode_of(wrap(seat(render_mode="ansi", **options))))
        return went + (space_of(wrap(seat(render_mode="ansi", **options)).observation_space) if went.startswith("plays") else "")

    return table(
        ("Gymnasium wrapper", "over the seat", "over the seat with `mask_in_info=True`"),
        [(f"`{name}`", cell(wrap), cell(wrap, mask_in_info=True)) for name, wrap in GYMNASIUM.items()],
    )


def test_every_gymnasium_wrapper_is_in_the_table() -> None:
    assert set(gymnasium.wrappers.__all__) == set(GYMNASIUM) | PIXELS | OTHERS


# ---- tools ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("make", [aec, bare], ids=["env", "mask_in_info"])
def test_as_a_parallel_environment_it_plays_a_deal__P5(make: Callable[[], Any]) -> None:
    assert all_at_once(turn_based_aec_to_parallel(make())) == set()


def test_tianshou_plays_a_deal_with_masks__P8() -> None:
    assert by_tianshou(aec) == set()


@pytest.mark.parametrize("make", [aec, bare], ids=["env", "mask_in_info"])
def test_torchrl_plays_a_deal_with_masks__P8(make: Callable[[], Any]) -> None:
    assert by_torchrl(make) == set()


UNMASKED = [tool for tool in TOOLS if tool.masks == NONE and "terminate" not in tool.given]


@pytest.mark.parametrize("tool", UNMASKED, ids=lambda tool: tool.name)
def test_who_never_asks_for_masks_is_stopped__P23(tool: Tool) -> None:
    assert outcome(tool.play) == "raises `IllegalAction`"


# ---- the page ---------------------------------------------------------------------------------------------------------------


def tools() -> str:
    """What plays, with which of our forms."""
    return table(("tool", "masks", "over", "outcome"), [(tool.name, tool.masks, tool.given, outcome(tool.play)) for tool in TOOLS])


def versions() -> str:
    """What the tables were made with."""
    return table(("library", "version"), [(name, version(name).split("+")[0]) for name in LIBRARIES])


PARTS = {"versions": versions, "supersuit": supersuit_wrappers, "gymnasium": gymnasium_wrappers, "tools": tools}


@pytest.mark.parametrize("part", PARTS)
def test_the_page_says_what_happens__P8(part: str) -> None:
    assert dict(PART.findall(PAGE.read_text(encoding="utf-8")))[part] == PARTS[part](), "run  python tests/test_compat.py"


if __name__ == "__main__":
    renewed = PART.sub(lambda part: f"<!-- {part[1]} -->\n{PARTS[part[1]]()}<!-- end -->\n", PAGE.read_text(encoding="utf-8"))
    PAGE.write_text(renewed, encoding="utf-8")

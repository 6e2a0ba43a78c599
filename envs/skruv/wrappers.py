"""Wrappers for PettingZoo environments whose observations are a Dict with a mask."""

from typing import Any

import gymnasium
import numpy as np
from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import BaseWrapper


class MaskInInfo(BaseWrapper[str, Any, Any]):
    """Observations are the plain bits, (F,) int8; the mask stays in ``info["action_mask"]``.

    Wrappers of other libraries that take arrays (flatten, frame stack, dtype) work on it.
    """

    def observation_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """``Box(0, 1, (F,), int8)``"""
        space = self.env.observation_space(agent)
        if not isinstance(space, gymnasium.spaces.Dict):
            raise TypeError(f"the observations are {space}: mask_in_info takes an environment whose observations are a Dict with a mask")
        return space["observation"]

    def observe(self, agent: str) -> np.ndarray:
        """(F,) int8"""
        seen: Any = self.env.observe(agent)
        return seen["observation"]


def mask_in_info(env: AECEnv[str, Any, Any]) -> MaskInInfo:
    """``env`` with the mask in ``info["action_mask"]`` alone, and plain arrays as observations."""
    return MaskInInfo(env)

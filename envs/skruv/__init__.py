"""Reinforcement-learning environments for Vint, Skruuvi and Biritch: four-player trick-taking games of the Russian whist family.

``vint_v0``, ``skruuvi_v0`` and ``biritch_v0`` are PettingZoo environments; :class:`Tables` is n tables of any game as numpy arrays.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

import gymnasium
import pettingzoo

from .games import VERSIONS

if TYPE_CHECKING:
    from .aec import TableEnv
    from .dealfiles import DealFileError, read_deals, write_deals
    from .engine.rules import OptionError
    from .notation import NotationError
    from .record import RecordError
    from .tables import IllegalAction, Tables
    from .wrappers import mask_in_info

__version__ = "0.1.0"

__all__ = [
    "DealFileError", "IllegalAction", "NotationError", "OptionError", "RecordError", "TableEnv", "Tables", "mask_in_info", "read_deals",
    "write_deals",
]

_HOMES = {
    "DealFileError": "dealfiles", "read_deals": "dealfiles", "write_deals": "dealfiles",
    "IllegalAction": "tables", "NotationError": "notation", "OptionError": "engine.rules", "RecordError": "record", "TableEnv": "aec",
    "Tables": "tables", "mask_in_info": "wrappers",
}


def __getattr__(name: str) -> Any:
    """Public names are imported when they are first used, the environment modules too: numba is not needed before."""
    if name in _HOMES:
        return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    if name in {f"{game}_v{version}" for game, version in VERSIONS.items()}:
        return import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])


for _game, _version in VERSIONS.items():
    pettingzoo.register("aec", f"skruv/{_game}-v{_version}", f"{__name__}.{_game}_v{_version}:env")
    gymnasium.register(
        f"skruv/{_game.capitalize()}-v{_version}", f"{__name__}.gym:SeatEnv", vector_entry_point=f"{__name__}.gym:SeatVectorEnv",
        kwargs={"game": _game},
    )

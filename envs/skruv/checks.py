"""Options and seeds, checked where they are given; each function returns the value or says what is allowed."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from .engine.rules import OptionError


class MissingExtra(ImportError):
    """A package that the core does not need is not installed; the message names the extra that brings it."""


def seed_value(seed: Any) -> int:
    """``seed`` as a Python int; ``TypeError`` or ``ValueError`` unless it is a whole number of 0..2**63-1."""
    if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)):
        raise TypeError(f"seed = {seed!r}: it must be an int, not {type(seed).__name__}")
    if not 0 <= seed < 2**63:
        raise ValueError(f"seed = {seed!r}: it must be 0..2**63-1")
    return int(seed)


def seeds_for(seed: Any, k: int) -> np.ndarray:
    """(k,) uint64: seed, seed + 1, ...; or the k seeds that are given."""
    if isinstance(seed, (np.ndarray, list, tuple)):
        if len(seed) != k:
            raise ValueError(f"{len(seed)} seeds for {k} tables: give one for each, or one for all")
        return np.array([seed_value(one) for one in seed], np.uint64)
    return np.uint64(seed_value(seed)) + np.arange(k, dtype=np.uint64)


def one_of(name: str, value: Any, choices: tuple[str, ...]) -> str:
    if value not in choices:
        raise OptionError(f"{name} = {value!r}: it must be {' or '.join(map(repr, choices))}")
    return value


def without(options: Mapping[str, Any], names: tuple[str, ...], why: str) -> None:
    """Raise :class:`OptionError` where ``options`` hold one of ``names``."""
    for name in names:
        if name in options:
            raise OptionError(f"{name} is no option here: {why}")


def flag(name: str, value: Any) -> bool:
    if not isinstance(value, (bool, np.bool_)):
        raise OptionError(f"{name} = {value!r}: it must be True or False")
    return bool(value)


def whole(name: str, value: Any, least: int) -> int:
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < least:
        raise OptionError(f"{name} = {value!r}: it must be a whole number of at least {least}")
    return int(value)


def positive(name: str, value: Any, *, zero: bool = False) -> float:
    number = isinstance(value, (int, float, np.number)) and not isinstance(value, bool)
    if not number or not math.isfinite(value) or value < 0 or (value == 0 and not zero):
        raise OptionError(f"{name} = {value!r}: it must be a finite number {'of at least' if zero else 'above'} 0")
    return float(value)


def buffers(shapes: Mapping[str, tuple[tuple[int, ...], np.dtype]], given: tuple[np.ndarray, ...] | None) -> tuple[np.ndarray, ...]:
    """New arrays of these shapes and dtypes; or those that are ``given``, where they are such, in C order."""
    if given is None:
        return tuple(np.empty(shape, dtype) for shape, dtype in shapes.values())
    if len(given) != len(shapes):
        raise ValueError(f"out holds {len(given)} arrays: it must hold {', '.join(shapes)}")
    for (name, (shape, dtype)), array in zip(shapes.items(), given, strict=True):
        if array.shape != shape or array.dtype != dtype or not array.flags.carray:
            raise ValueError(
                f"out: {name} has shape {array.shape} and dtype {array.dtype}: it must be a writable C-contiguous array of shape {shape}"
                f" and dtype {dtype}"
            )
    return given

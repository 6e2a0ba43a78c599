"""``@kernel``: numba's njit, with a cache that is safe.

Numba's own cache does not see edits in files other than the function's. Ours is keyed on a hash of every source file of the
engine and the games, and where no folder can be written the code is compiled afresh instead of failing.
"""

import hashlib
import os
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Any, TypeVar

import numba
import numpy as np
from numba.core import config
from numba.core.caching import CompileResultCacheImpl, FunctionCache
from numba.misc.appdirs import AppDirs

Function = TypeVar("Function", bound=Callable[..., Any])

JIT_IS_OFF: bool = config.DISABLE_JIT  # pyright: ignore[reportAttributeAccessIssue]  (numba sets it as it is imported)
CACHE_DIR: str = config.CACHE_DIR  # pyright: ignore[reportAttributeAccessIssue]  (the same)
PACKAGE = Path(__file__).resolve().parent.parent


def kernel(function: Function) -> Function:
    """``function`` compiled, inlined into the loops that call it; plain Python under ``NUMBA_DISABLE_JIT=1``."""
    if JIT_IS_OFF:
        return np.errstate(over="ignore")(function)
    compiled: Any = numba.njit(nogil=True, error_model="numpy", forceinline=True)(function)
    return compiled


def cached_kernel(function: FunctionType) -> Any:
    """A kernel that Python calls: its code is kept on disk."""
    compiled: Any = kernel(function)
    if not JIT_IS_OFF and cache_folder() is not None:
        compiled._cache = _Cache(function)
    return compiled


def rebind(function: FunctionType, prefix: str, names: dict[str, Any]) -> FunctionType:
    """The same function, called ``prefix_function``, with ``names`` in place of its module's."""
    bound = FunctionType(function.__code__, {**function.__globals__, **names}, f"{prefix}_{function.__name__}")
    bound.__module__ = function.__module__
    bound.__qualname__ = bound.__name__  # the name under which numba keeps the code
    return bound


def python_of(compiled: Function) -> Function:
    """The Python function of a kernel, for a few values (or whole arrays) outside the loops."""
    return getattr(compiled, "py_func", compiled)


def records(array: np.ndarray) -> np.ndarray:
    """A structured array as the kernels take it: plain, or with named attributes under ``NUMBA_DISABLE_JIT=1``."""
    return array.view(np.recarray) if JIT_IS_OFF else array


def source_hash() -> str:
    """A hash of every source file that takes part in the compiled code."""
    digest = hashlib.sha256()
    for folder in ("engine", "games", "players"):
        for path in sorted((PACKAGE / folder).rglob("*.py")):
            digest.update(path.relative_to(PACKAGE).as_posix().encode() + path.read_bytes())
    return digest.hexdigest()[:16]


SOURCES = source_hash()
"""As they are when this process imports them: edited later, they are not what it compiles."""


@cache
def cache_folder() -> Path | None:
    """The first folder that can be written: numba's ``CACHE_DIR``, the package's ``__pycache__``, the user's cache."""
    given = os.path.abspath(CACHE_DIR) if CACHE_DIR else os.devnull
    for root in (given, PACKAGE / "__pycache__", AppDirs("skruv", appauthor=False).user_cache_dir):
        folder = Path(root) / f"skruv-{SOURCES}"
        if not folder.is_absolute():  # a user without a home
            continue
        try:
            folder.mkdir(parents=True, exist_ok=True)
            probe = folder / f".{os.getpid()}"
            probe.touch()
            probe.unlink()
        except OSError:
            continue
        return folder
    return None


@cache
def _say_compiling() -> None:
    print("skruv: compiling the card engine (once for each game and installation) ...", file=sys.stderr, flush=True)


class _Locator:
    """Where and under which stamp numba keeps the code: one folder for one state of the sources."""

    def __init__(self, folder: Path, py_file: str) -> None:
        self.folder = folder
        self._py_file = py_file  # numba names it where it warns that some code can't be kept

    @classmethod
    def from_function(cls, py_func: FunctionType, py_file: str) -> "_Locator | None":
        folder = cache_folder()
        return None if folder is None else cls(folder, py_file)

    def ensure_cache_path(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)

    def get_cache_path(self) -> str:
        return str(self.folder)

    def get_source_stamp(self) -> str:
        return SOURCES

    def get_disambiguator(self) -> str:
        return "skruv"


class _CacheImpl(CompileResultCacheImpl):
    _locator_classes = [_Locator]  # noqa: RUF012 (numba reads the class attribute)


class _Cache(FunctionCache):
    _impl_class = _CacheImpl

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        found = super().load_overload(sig, target_context)
        if found is None:
            _say_compiling()
        return found

"""Skruuvi."""

from typing import Any

from .aec import TableEnv


def raw_env(**options: Any) -> TableEnv:
    """The environment; ``options`` as in the page above."""
    return TableEnv("skruuvi", **options)


env = raw_env

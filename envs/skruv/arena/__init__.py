"""Duplicate matches between players: every deal is played twice with the sides exchanged, so that the cards cancel out (K-40).

:func:`play_match` is one between two players at hand, :func:`play_all` one between every pair of players that are named, and
:func:`play_sessions` the play of four single players with every partner once (V-28). What they return prints and plots itself.
"""

from ..checks import MissingExtra
from .jobs import ArenaError, WorkerError
from .match import Match, Tally, play_match
from .plays import contracts_of, is_failed, level_of, margin_of, play_tables
from .results import CrossTable, Sessions, play_all, play_sessions, records_of

__all__ = [
    "ArenaError", "CrossTable", "Match", "MissingExtra", "Sessions", "Tally", "WorkerError", "contracts_of", "is_failed", "level_of",
    "margin_of", "play_all", "play_match", "play_sessions", "play_tables", "records_of",
]

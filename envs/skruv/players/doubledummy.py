"""Double dummy: the tricks that each card brings with all hands open, by Bo Haglund's DDS as endplay carries it (the extra ``dds``)."""

import threading
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np

from ..checks import MissingExtra
from ..engine.cards import CARDS, NO_TRUMP, RANKS, SEATS, SPADES, SUITS

MOST_BOARDS = 200
"""That DDS solves in one call."""
MEGABYTES, THREADS = 60, 1
"""For DDS: its own figures are 160 for each core, too much where many processes play."""
ALL_CARDS_OF_THE_HAND = 3
"""As ``solutions``: a score for every card that may be played."""
ALWAYS_SEARCH = 1
"""As ``mode``: a score too where there is only one card."""

BOARD = np.dtype([("trump", "i4"), ("first", "i4"), ("suit", "i4", 3), ("rank", "i4", 3), ("cards", "u4", (len(SEATS), len(SUITS)))])
"""DDS's ``deal``: suits from spades down, ranks as bits from 2 up, the card of rank 2 being bit 2."""
BOARDS = np.dtype([
    ("number", "i4"), ("board", BOARD, MOST_BOARDS),
    ("target", "i4", MOST_BOARDS), ("solutions", "i4", MOST_BOARDS), ("mode", "i4", MOST_BOARDS),
])
SCORES = np.dtype([(name, "i4", 13) for name in ("suit", "rank", "equals", "score")])
SOLVED = np.dtype([("number", "i4"), ("board", np.dtype([("nodes", "i4"), ("cards", "i4"), *SCORES.descr]), MOST_BOARDS)])
LOWEST_RANK = 2

LOCK = threading.Lock()
"""Two calls at once would crash the process."""


@cache
def solver() -> Any:
    """DDS, through the module of endplay that declares its functions; the public one makes Python objects of every card.

    Raises:
        MissingExtra: endplay is not installed.
    """
    try:
        dds = import_module("endplay._dds")
    except ImportError as error:
        raise MissingExtra(
            "the player 'search' plays its cards with a double-dummy solver that is not installed: pip install 'skruv[dds]';"
            " 'search:rollout' needs nothing"
        ) from error
    dds._dll.SetResources(MEGABYTES, THREADS)
    return dds


def tricks_by_card(states: np.ndarray) -> np.ndarray:
    """(n, 52) int64: in full states at a trick-counting contract, the tricks, from the one on the table on, that the side to play takes
    with each card of the hand in turn; -1 for a card that it may not play."""
    tricks = np.full((len(states), len(CARDS)), -1)
    for first in range(0, len(states), MOST_BOARDS):
        solve(states[first : first + MOST_BOARDS], tricks[first : first + MOST_BOARDS])
    return tricks


def solve(states: np.ndarray, tricks: np.ndarray) -> None:
    """At most 200 boards."""
    dds = solver()
    batch, solved = np.zeros(1, BOARDS), np.zeros(1, SOLVED)
    boards = batch[0]
    number = boards["number"] = len(states)
    boards["solutions"][:number] = ALL_CARDS_OF_THE_HAND
    boards["mode"][:number] = ALWAYS_SEARCH
    board = boards["board"][:number]
    board["trump"] = np.where(states["strain"] == NO_TRUMP, NO_TRUMP, SPADES - states["strain"])
    board["first"] = states["leader"]
    for suit in SUITS:
        board["cards"][:, :, SPADES - suit] = (states["hand"] >> len(RANKS) * suit & 2 ** len(RANKS) - 1) << LOWEST_RANK
    rows = np.arange(number)
    for place in range(3):
        card = states["trick"][rows, (states["leader"] + place) % len(SEATS)]
        lies = place < states["laid"]
        board["suit"][:, place] = np.where(lies, SPADES - card // len(RANKS), 0)
        board["rank"][:, place] = np.where(lies, card % len(RANKS) + LOWEST_RANK, 0)
    with LOCK:
        dds.SolveAllBoardsBin(dds.boards.from_buffer(batch), dds.solvedBoards.from_buffer(solved))
    found = solved["board"][0][:number]
    for place in range(len(RANKS)):
        listed = np.flatnonzero(place < found["cards"])
        suit = len(RANKS) * (SPADES - found["suit"][listed, place])
        score = found["score"][listed, place]
        tricks[listed, suit + found["rank"][listed, place] - LOWEST_RANK] = score
        for rank in RANKS:
            equal = found["equals"][listed, place] >> rank + LOWEST_RANK & 1 == 1
            tricks[listed[equal], suit[equal] + rank] = score[equal]

"""Solo contracts with all cards in sight: the fewest tricks that their declarer can be held to, or can give away.

Two sides, the declarer and everybody else, and one question, ``t`` being small: can the declarer keep the tricks that count to ``t`` at
most? In a misère his own count, in mussolini those of the others. A search of both sides' cards answers it, without recursion, with a
table of answers; cards of a hand that stand next to each other, all other cards gone, are one.
"""

from functools import cache
from typing import Any

import numpy as np

from ..engine.bits import NONE_OF_THEM, ONE, above, count, highest, lowest
from ..engine.cards import CARDS, NO_SEAT, RANKS, SEATS, left_of, suit_cards, suit_of
from ..engine.game import Game
from ..engine.kernel import cached_kernel, kernel, python_of, records
from ..games import skruuvi

UNKNOWN = -1
"""Tricks, where the search has run out of positions."""
NODES = 50_000
"""Positions that may be searched for one card in one world."""
MEMORY = 2**16
"""Answers that are kept, a power of two."""
NO_KEY = np.int64(0)
SCATTER = np.uint64(0x9E3779B97F4A7C15)
SHIFT = np.uint64(48)
"""The top bits of a product are the place of an answer: 64 less those of :data:`MEMORY`."""
OPEN, YES, NO = range(3)
"""The answer at a position."""
PLIES = len(CARDS) + 1

SEARCH = np.dtype(
    [
        ("hand", "i8", len(SEATS)),
        ("declarer", "i8"),
        ("out", "i8"),  # the seat that sits out, -1 nobody
        ("players", "i8"),  # 3 or 4
        ("misere", "i8"),  # 1: tricks of the declarer count; 0: those of the others
        ("nodes", "i8"),  # positions that may still be searched
        ("seat", "i8", PLIES),  # by ply: whose turn it is
        ("laid", "i8", PLIES),  # cards on the table
        ("best", "i8", PLIES),  # the card that is winning, -1 none
        ("winner", "i8", PLIES),  # who laid it
        ("led", "i8", PLIES),  # the suit led
        ("spare", "i8", PLIES),  # tricks that may still count
        ("table", "i8", PLIES),  # bitboard of the cards on the table
        ("moves", "i8", PLIES),  # cards that have not been tried
        ("card", "i8", PLIES),  # the card that is tried
        ("keys", "i8", MEMORY),
        ("answers", "i1", MEMORY),
    ],
    align=True,
)
"""All that a search needs; at no trump, as every solo contract is."""


@kernel
def fewest(search, state, card, misere, out, most, nodes):
    """The tricks that will count after ``card`` of the seat to move, with best play; ``UNKNOWN`` after so many positions.

    ``out`` is the seat that sits out, -1 nobody; one more than ``most`` stands for any greater number.
    """
    search.declarer = state.declarer
    search.out = out
    search.players = len(SEATS) - (out != NO_SEAT)
    search.misere = misere
    search.nodes = nodes
    for seat in SEATS:
        search.hand[seat] = NONE_OF_THEM if seat == out else state.hand[seat]
    search.seat[0] = state.seat
    search.laid[0] = state.laid
    search.best[0] = state.trick[state.best] if state.laid > 0 else -1
    search.winner[0] = state.best
    search.led[0] = suit_of(state.trick[state.leader]) if state.laid > 0 else -1
    search.table[0] = NONE_OF_THEM
    for seat in SEATS:
        if state.trick[seat] >= 0:
            search.table[0] |= ONE << np.int64(state.trick[seat])
    for spare in range(most + 1):
        search.spare[0] = spare
        lay_down(search, 0, card)
        answer = can_hold(search)
        search.hand[state.seat] |= ONE << card
        if answer == YES:
            return spare
        if answer == OPEN:
            return UNKNOWN
    return most + 1


@kernel
def can_hold(search):
    """Whether no more tricks than are spare will count, from ply 1 on."""
    ply = 1
    back = False
    answer = OPEN
    while True:
        if not back:
            search.nodes -= 1
            if search.nodes < 0:
                take_back(search, ply)
                return OPEN
            answer = known_answer(search, ply)
            if answer == OPEN:
                search.moves[ply] = worth_trying(search, ply)
            else:
                back = True
        if back:
            if ply == 1:
                return answer
            ply -= 1
            card = search.card[ply]
            search.hand[search.seat[ply]] |= ONE << card
            back = answer == (YES if search.seat[ply] == search.declarer else NO) or not search.moves[ply]
            if back:
                keep_answer(search, ply, answer)
                continue
        card = next_card(search, ply)
        search.moves[ply] &= ~(ONE << card)
        lay_down(search, ply, card)
        ply += 1
        back = False


@kernel
def take_back(search, ply):
    """Return the cards of all plies before ``ply`` but the first to their hands."""
    for before in range(1, ply):
        search.hand[search.seat[before]] |= ONE << search.card[before]


@kernel
def lay_down(search, ply, card):
    """The seat to move plays ``card``; the position after it stands at the next ply."""
    seat = search.seat[ply]
    search.card[ply] = card
    search.hand[seat] &= ~(ONE << card)
    best, winner = search.best[ply], search.winner[ply]
    led = search.led[ply] if search.laid[ply] > 0 else suit_of(card)
    if search.laid[ply] == 0 or (suit_of(card) == led and card > best):
        best, winner = card, seat
    search.spare[ply + 1] = search.spare[ply]
    if search.laid[ply] + 1 == search.players:
        search.laid[ply + 1] = 0
        search.table[ply + 1] = NONE_OF_THEM
        search.seat[ply + 1] = winner
        search.spare[ply + 1] -= (winner == search.declarer) == (search.misere == 1)
    else:
        search.laid[ply + 1] = search.laid[ply] + 1
        search.table[ply + 1] = search.table[ply] | ONE << card
        following = left_of(seat)
        search.seat[ply + 1] = left_of(following) if following == search.out else following
    search.best[ply + 1] = best
    search.winner[ply + 1] = winner
    search.led[ply + 1] = led


@kernel
def key_of(search, ply):
    """A name for a position between two tricks, never 0."""
    left = search.hand[0] | search.hand[1] | search.hand[2] | search.hand[3]
    return left | search.seat[ply] << 52 | search.spare[ply] << 54 | ONE << 58


@kernel
def place_of(key):
    return np.int64((np.uint64(key) * SCATTER) >> SHIFT)


@kernel
def known_answer(search, ply):
    """The answer where it is plain or has been found before, else ``OPEN``."""
    if search.spare[ply] < 0:
        return NO
    if search.laid[ply] > 0:
        return OPEN
    if count(search.hand[search.seat[ply]]) <= search.spare[ply]:
        return YES
    key = key_of(search, ply)
    place = place_of(key)
    return np.int64(search.answers[place]) if search.keys[place] == key else OPEN


@kernel
def keep_answer(search, ply, answer):
    if search.laid[ply] == 0:
        key = key_of(search, ply)
        place = place_of(key)
        search.keys[place] = key
        search.answers[place] = answer


@kernel
def worth_trying(search, ply):
    """The cards that may be played, of each run of neighbours the highest alone."""
    hand = search.hand[search.seat[ply]]
    if search.laid[ply] > 0:
        following = hand & suit_cards(search.led[ply])
        if following:
            hand = following
    left = search.hand[0] | search.hand[1] | search.hand[2] | search.hand[3] | search.table[ply]
    moves = NONE_OF_THEM
    cards = hand
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        higher = left & suit_cards(suit_of(card)) & above(card)
        if not higher or not hand >> lowest(higher) & 1:
            moves |= ONE << card
    return moves


@kernel
def next_card(search, ply):
    """The most promising card that has not been tried: who wants to lose tricks goes under, who wants to win them goes high."""
    moves = search.moves[ply]
    mine = search.seat[ply] == search.declarer
    if search.laid[ply] > 0 and moves & suit_cards(search.led[ply]):
        under = moves & ~above(search.best[ply])
        over = moves & above(search.best[ply])
        if search.misere:
            eager = mine or search.winner[ply] == search.declarer
            if under:
                return highest(under) if eager else lowest(under)
            return lowest(over)
        if mine or search.winner[ply] == search.declarer:
            return highest(over) if over else lowest(under)
        return lowest(moves)
    high = (search.laid[ply] > 0) == (search.misere == 1)
    best = lowest(moves)
    while moves:
        card = lowest(moves)
        moves &= moves - 1
        if card % len(RANKS) > best % len(RANKS) if high else card % len(RANKS) < best % len(RANKS):
            best = card
    return best


@kernel
def forget(search):
    """Another deal: the kept answers are no good."""
    search.keys[:] = NO_KEY


def solve_worlds(states, cards, misere, out, most, nodes, search, tricks):
    """For each full state and each of the legal ``cards`` of its actor, the tricks that will count; into ``tricks`` (n, k)."""
    for place in range(states.size):
        forget(search[0])
        for number in range(cards.size):
            tricks[place, number] = fewest(search[0], states[place], cards[number], misere, out, most, nodes)


@cache
def _loop() -> Any:
    return cached_kernel(solve_worlds)


def is_solo_play(game: Game, state: np.void) -> bool:
    """Whether the cards of a solo contract are being played."""
    return game.name == skruuvi.GAME.name and bool(python_of(skruuvi.is_solo)(state["bid"]))


class SoloSolver:
    """Solves the solo contracts of Skruuvi, world by world."""

    def __init__(self, nodes: int = NODES) -> None:
        self.nodes = nodes
        self.search = np.zeros(1, SEARCH)

    def tricks(self, states: np.ndarray, cards: np.ndarray) -> np.ndarray:
        """(n, k) int64: in full states at one moment of a solo contract, the tricks that side 0 takes after each of the ``cards``; -1
        where the answer would take more than :attr:`nodes` positions. Where one trick decides, any number above it counts as one."""
        first = states[0]
        misere = skruuvi.BID_TRICKS[first["bid"]] == 0
        declarer = int(first["declarer"])
        out = (declarer + 2) % len(SEATS) if first["rules"]["solo_partner"] == skruuvi.OUT else NO_SEAT
        left = int(first["hand"][first["seat"]]).bit_count()
        most = left if first["bid"] == skruuvi.MISAARI else 0
        counting = np.empty((len(states), len(cards)), np.int64)
        _loop()(records(states), cards.astype(np.int64), int(misere), out, most, self.nodes, records(self.search), counting)
        own = counting if misere else left - counting
        return np.where(counting < 0, UNKNOWN, own if declarer % 2 == 0 else left - own)

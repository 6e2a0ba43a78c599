"""Cards, suits, seats and sides; bitboards of cards; the random stream and the deal.

A card is ``13 * suit + rank`` with the suits C D H S = 0..3 and the ranks 2..A = 0..12. A set of cards is an int64 bitboard.
Seats N E S W = 0..3 sit clockwise; N and S are side 0, E and W side 1 (C-1).
"""

import numpy as np

from .bits import NONE_OF_THEM, ONE
from .kernel import kernel

RANKS = tuple(range(13))
SUITS = tuple(range(4))
CARDS = tuple(range(52))
SEATS = tuple(range(4))
SIDES = tuple(range(2))

RANK_LETTERS = "23456789TJQKA"
SUIT_LETTERS = "CDHS"
SEAT_LETTERS = "NESW"
SIDE_NAMES = ("NS", "EW")

CLUBS, DIAMONDS, HEARTS, SPADES, NO_TRUMP = range(5)
STRAIN_LETTERS = "CDHSN"
CARD_NAMES = tuple(suit + rank for suit in SUIT_LETTERS for rank in RANK_LETTERS)
NO_CARD = NO_SUIT = NO_SEAT = NO_SIDE = NO_BID = -1

NO_CARDS = NONE_OF_THEM
ALL_CARDS = np.int64(2 ** len(CARDS) - 1)
ONE_SUIT = np.int64(2 ** len(RANKS) - 1)
HONOURS = np.int64(0b11111 << 8)
"""A K Q J 10 of clubs; :func:`of_suit` moves them to another suit."""
ACES = np.int64(sum(1 << (13 * suit + 12) for suit in SUITS))


@kernel
def left_of(seat):
    return (seat + 1) & 3


@kernel
def partner_of(seat):
    return (seat + 2) & 3


@kernel
def right_of(seat):
    return (seat + 3) & 3


@kernel
def side_of(seat):
    return seat & 1


@kernel
def chair_of(seat, me):
    """Where ``seat`` sits as seen by ``me``: 0 myself, 1 left, 2 partner, 3 right."""
    return (seat - me) & 3


@kernel
def seat_at(chair, me):
    """The seat at a ``chair`` as seen by ``me``; undoes :func:`chair_of`."""
    return (chair + me) & 3


@kernel
def suit_of(card):
    return card // 13


@kernel
def of_suit(ranks, suit):
    """A bitboard of club cards, moved to ``suit``."""
    return ranks << (13 * np.int64(suit))


@kernel
def suit_cards(suit):
    """All thirteen cards of ``suit``."""
    return of_suit(ONE_SUIT, suit)


# The random stream: splitmix64 (Steele, Lea and Flood 2014). A session's stream gives one key a deal, and nothing else is drawn
# from it, so that deal k of a seed is the same whatever is played.

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
SESSION_SALT = np.uint64(0xD1B54A32D192ED03)
"""Sets the draws of a session (first dealer, running score) apart from its first deal."""
LOW_HALF = np.uint64(2**32 - 1)
HALF = np.uint64(32)


@kernel
def mix(word):
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return word ^ (word >> np.uint64(31))


@kernel
def uniform(stream, bound):
    """The stream after the draw, and an integer drawn uniformly from 0..bound-1 (multiply and reject: no bias)."""
    bound = np.uint64(bound)
    while True:
        stream = stream + GOLDEN
        product = (mix(stream) >> HALF) * bound
        if (product & LOW_HALF) >= ((LOW_HALF + np.uint64(1)) - bound) % bound:
            return stream, np.int64(product >> HALF)


@kernel
def session_stream(state):
    """A stream for the draws of a session that is about to deal its first hands."""
    return mix((state.stream + GOLDEN) ^ SESSION_SALT)


@kernel
def shuffle_into_hands(state, cards_each):
    """Give each seat ``cards_each`` of a uniformly shuffled pack (C-3, C-4); return the rest as a bitboard."""
    state.stream += GOLDEN
    stream = mix(state.stream)
    pack = np.arange(52)
    state.hand[:] = 0
    for place in range(4 * cards_each):
        stream, draw = uniform(stream, 52 - place)
        card = pack[place + draw]
        pack[place + draw] = pack[place]
        state.hand[place & 3] |= ONE << card
    return ALL_CARDS & ~(state.hand[0] | state.hand[1] | state.hand[2] | state.hand[3])

"""The part of an observation that is the same at every table.

Everything is seen from one's own chair: me, left, partner, right; our side and theirs. Every feature is a bit. A *thermometer* of
length n shows a number k by its first k bits.
"""

import math
from typing import NamedTuple

import numpy as np

from .cards import (
    ALL_CARDS, CARD_NAMES, NO_CARD, NO_SEAT, NO_SUIT, SEATS, SIDES, STRAIN_LETTERS, SUIT_LETTERS, SUITS, above, chair_of, count,
    highest, lowest, seat_at, side_of, suit_cards,
)
from .kernel import kernel
from .tricks import playable, suit_led, winning_cards


class Plane(NamedTuple):
    """One named field of an observation."""

    name: str
    axes: tuple[tuple[str, ...] | int, ...]
    """For each dimension the names of its places, or the length of a thermometer."""
    sort: str
    """``"private"`` (from my own hand), ``"public"``, or ``"derived"`` (follows from the others)."""
    meaning: str

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(axis if isinstance(axis, int) else len(axis) for axis in self.axes)

    @property
    def size(self) -> int:
        """Bits."""
        return math.prod(self.shape)


def planes_dtype(planes: tuple[Plane, ...]) -> np.dtype:
    """One int8 a bit, in the order of ``planes``."""
    return np.dtype([(plane.name, "i1", plane.shape) for plane in planes])


CHAIRS = ("me", "left", "partner", "right")
OURS_THEIRS = ("ours", "theirs")
YES = ("yes",)
SUIT_NAMES = tuple(SUIT_LETTERS)
STRAIN_NAMES = tuple(STRAIN_LETTERS)

DEAL_PLANES = (
    Plane("hand", (CARD_NAMES,), "private", "cards in my hand"),
    Plane("played", (CHAIRS, CARD_NAMES), "public", "cards played"),
    Plane("trick", (CHAIRS, CARD_NAMES), "public", "card on the table"),
    Plane("voids", (CHAIRS, SUIT_NAMES), "public", "suits that the chair has shown it cannot follow"),
    Plane("led", (SUIT_NAMES,), "public", "suit led to the trick on the table"),
    Plane("first_led", (CHAIRS, SUIT_NAMES), "public", "first suit that the chair led"),
    Plane("first_discard", (CHAIRS, SUIT_NAMES), "public", "first suit that the chair threw away without trumping"),
    Plane("tricks", (OURS_THEIRS, 13), "public", "tricks won"),
    Plane("turn", (CHAIRS,), "public", "whose decision it is"),
    Plane("dealer", (CHAIRS,), "public", "who deals"),
)

DERIVED_PLANES = (
    Plane("winning", (CHAIRS,), "derived", "who is winning the trick on the table"),
    Plane("winners", (CARD_NAMES,), "derived", "cards I may play that would win the trick as it lies"),
    Plane("masters", (CARD_NAMES,), "derived", "my cards that no unseen card of their suit beats"),
    Plane("lengths", (SUIT_NAMES, 8), "derived", "my cards of the suit, up to eight"),
    Plane("unseen", (SUIT_NAMES, 13), "derived", "cards of the suit that I have not seen"),
)


@kernel
def mark(bits, board):
    """Set the bits of ``board``."""
    while board:
        bits[lowest(board)] = 1
        board &= board - 1


@kernel
def thermometer(bits, value):
    """Set the first ``value`` bits, as many as there are."""
    for place in range(min(max(value, 0), bits.size)):
        bits[place] = 1


@kernel
def see_deal(state, seat, view):
    """The private and public facts of a deal at any table; ``view`` comes all zero."""
    mark(view.hand, state.hand[seat])
    for chair in SEATS:
        other = seat_at(chair, seat)
        mark(view.played[chair], state.played[other])
        if state.trick[other] != NO_CARD:
            view.trick[chair, state.trick[other]] = 1
        if state.done > 0 or state.laid > 0:
            mark(view.voids[chair], np.int64(state.voids[other]))
            if state.first_led[other] != NO_SUIT:
                view.first_led[chair, state.first_led[other]] = 1
            if state.first_discard[other] != NO_SUIT:
                view.first_discard[chair, state.first_discard[other]] = 1
    if state.laid > 0:
        view.led[suit_led(state)] = 1
    for side in SIDES:
        thermometer(view.tricks[side], state.tricks[side_of(seat + side)])
    if state.seat != NO_SEAT:
        view.turn[chair_of(state.seat, seat)] = 1
    view.dealer[chair_of(state.dealer, seat)] = 1


@kernel
def see_margin(bits, total, side, step):
    """The running margin as a thermometer: the middle bit is the first that is dark at a margin of 0, each bit ``step`` points."""
    margin = total[side] - total[1 - side]
    thermometer(bits, bits.size // 2 + margin // step)


@kernel
def derive_deal(state, seat, hand, unseen, view):
    """What follows from the facts: ``hand`` is the one that ``seat`` plays from, ``unseen`` the cards it can't account for."""
    if state.laid > 0:
        view.winning[chair_of(state.best, seat)] = 1
        mark(view.winners, playable(state, hand) & winning_cards(state, hand))
    for suit in SUITS:
        mine = hand & suit_cards(suit)
        others = unseen & suit_cards(suit)
        thermometer(view.lengths[suit], count(mine))
        thermometer(view.unseen[suit], count(others))
        mark(view.masters, mine & above(highest(others)) if others else mine)


@kernel
def unseen_from(state, seat):
    """The cards that ``seat`` neither holds nor has seen played."""
    return ALL_CARDS & ~(state.hand[seat] | state.played[0] | state.played[1] | state.played[2] | state.played[3])


@kernel
def hide_hands(state, seat):
    """Blank what ``seat`` does not know at any table: the other hands, and the stream that deals the next ones."""
    state.stream = 0
    for other in SEATS:
        if other != seat:
            state.hand[other] = 0
            state.dealt[other] = 0

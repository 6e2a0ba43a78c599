"""The part of an observation that is the same at every table.

Everything is seen from one's own chair: 0 me, 1 left, 2 partner, 3 right; sides: 0 mine, 1 theirs. Every feature is a bit. A
*thermometer* of length n shows a number k by its first k bits.
"""

from typing import NamedTuple

import numpy as np

from .cards import (
    ALL_CARDS, CARDS, NO_CARD, NO_SEAT, NO_SIDE, NO_SUIT, RANKS, SEATS, SIDES, SUITS, above, chair_of, count, highest, lowest,
    seat_at, side_of, suit_cards,
)
from .kernel import kernel
from .tricks import playable, suit_led, winning_cards


class Plane(NamedTuple):
    """One named field of an observation."""

    name: str
    shape: tuple[int, ...]
    sort: str
    """``"private"`` (from my own hand), ``"public"``, or ``"derived"`` (follows from the others)."""
    meaning: str


def planes_dtype(planes: tuple[Plane, ...]) -> np.dtype:
    """One int8 a bit, in the order of ``planes``."""
    return np.dtype([(plane.name, "i1", plane.shape) for plane in planes])


DEAL_PLANES = (
    Plane("hand", (len(CARDS),), "private", "cards in my hand"),
    Plane("played", (len(SEATS), len(CARDS)), "public", "cards played, by chair"),
    Plane("trick", (len(SEATS), len(CARDS)), "public", "card on the table, by chair"),
    Plane("voids", (len(SEATS), len(SUITS)), "public", "suits that the chair has shown it cannot follow"),
    Plane("led", (len(SUITS),), "public", "suit led to the trick on the table"),
    Plane("first_led", (len(SEATS), len(SUITS)), "public", "first suit that the chair led"),
    Plane("first_discard", (len(SEATS), len(SUITS)), "public", "first suit that the chair threw away without trumping"),
    Plane("tricks", (len(SIDES), len(RANKS)), "public", "tricks won by side (thermometer)"),
    Plane("turn", (len(SEATS),), "public", "chair whose decision it is"),
    Plane("dealer", (len(SEATS),), "public", "chair of the dealer"),
)

DERIVED_PLANES = (
    Plane("winning", (len(SEATS),), "derived", "chair that is winning the trick on the table"),
    Plane("winners", (len(CARDS),), "derived", "cards I may play that would win the trick as it lies"),
    Plane("masters", (len(CARDS),), "derived", "my cards that no unseen card of their suit beats"),
    Plane("lengths", (len(SUITS), 8), "derived", "my cards by suit, up to eight (thermometer)"),
    Plane("unseen", (len(SUITS), len(RANKS)), "derived", "cards by suit that I have not seen (thermometer)"),
    Plane("needed", (len(SIDES), len(RANKS)), "derived", "tricks that the side still needs to make or break the contract (thermometer)"),
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

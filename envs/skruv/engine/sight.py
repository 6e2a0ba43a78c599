"""The part of an observation that is the same at every table.

Everything is seen from one's own chair: me, left, partner, right; our side and theirs. Every feature is a bit. A *thermometer* of
length n shows a number k by its first k bits.
"""

import math
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from .bits import NONE_OF_THEM, above, count, first, highest, only
from .cards import (
    ALL_CARDS, CARD_NAMES, NO_SEAT, SEATS, SIDES, STRAIN_LETTERS, SUIT_LETTERS, SUITS, chair_of, seat_at, side_of, suit_cards,
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


def view_dtype(planes: tuple[Plane, ...]) -> np.dtype:
    """What the kernels write: a set of places (an int64 bitboard) for each row of each plane."""
    return np.dtype([(plane.name, "i8", plane.shape[:-1]) for plane in planes])


def row_widths(planes: Iterable[Plane]) -> tuple[int, ...]:
    """The length of each row of ``planes``, in bits."""
    return tuple(width for plane in planes for width in [plane.shape[-1]] * math.prod(plane.shape[:-1]))


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
def see_deal(state, seat, view):
    """The private and public facts of a deal at any table; ``view`` comes all empty."""
    view.hand = state.hand[seat]
    for chair in SEATS:
        other = seat_at(chair, seat)
        view.played[chair] = state.played[other]
        view.trick[chair] = only(state.trick[other])
        view.voids[chair] = state.voids[other]
        view.first_led[chair] = only(state.first_led[other])
        view.first_discard[chair] = only(state.first_discard[other])
    view.led = only(suit_led(state))
    for side in SIDES:
        view.tricks[side] = first(state.tricks[side_of(seat + side)])
    view.turn = chair_seen(state.seat, seat)
    view.dealer = only(chair_of(state.dealer, seat))
    view.phase = only(state.phase)


@kernel
def chair_seen(seat, me):
    """The chair of ``seat``, none where it is -1."""
    return only(chair_of(seat, me)) if seat != NO_SEAT else NONE_OF_THEM


@kernel
def margin_seen(total, side, bits, step):
    """The running margin of ``side`` as a thermometer of ``bits``, half of them at a margin of 0, ``step`` points each."""
    return first(min(bits // 2 + (total[side] - total[1 - side]) // step, bits))


@kernel
def derive_deal(state, seat, hand, unseen, view):
    """What follows from the facts: ``hand`` is the one that ``seat`` plays from, ``unseen`` the cards it can't account for."""
    if state.laid > 0:
        view.winning = only(chair_of(state.best, seat))
        view.winners = playable(state, hand) & winning_cards(state, hand)
    for suit in SUITS:
        mine = hand & suit_cards(suit)
        others = unseen & suit_cards(suit)
        view.lengths[suit] = first(count(mine))
        view.unseen[suit] = first(count(others))
        view.masters |= mine & above(highest(others)) if others else mine


@kernel
def tricks_for(points, value):
    """Tricks of ``value`` each that bring ``points``; a division in floats is exact here, and the faster one."""
    return math.ceil(points / value)


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

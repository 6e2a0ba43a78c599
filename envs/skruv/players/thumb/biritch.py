"""The rules of thumb of Biritch: name what scores most on average, double where that pays, play sound cards from both hands."""

import math
from itertools import pairwise, product

import numpy as np

from ...engine.bits import NONE_OF_THEM, count
from ...engine.cards import ACES, CLUBS, HONOURS, NO_TRUMP, SUITS, of_suit, side_of, suit_cards
from ...engine.kernel import kernel
from ...engine.sight import unseen_from
from ...games.biritch import (
    ACES_DIVIDED, ACES_TOGETHER, BOOK, CHICANE_TRICKS, CONTRE, DEAL, DOUBLE, DOUBLE_CALL, FIRST_STRAIN, GAME_POINTS, GAME_PRIZES,
    HONOURS_DIVIDED, HONOURS_TOGETHER, PASS, PLAY, SLAMS, STRAINS, TRICK_VALUES, legal, open_hand, trick_value,
)
from .cardplay import sound_card


@kernel
def decide(state, seat):
    """The action of ``seat``, which is to act."""
    cards, calls = legal(state)
    if state.phase == PLAY:
        return sound_card(state, state.turn, cards, unseen_from(state, seat) & ~open_hand(state), state.dealer)
    if state.phase == CONTRE:
        return DOUBLE if calls & DOUBLE_CALL and gain_of_doubling(state, seat) > 0 else PASS
    return name_best(state, seat)


# ---- how many tricks --------------------------------------------------------------------------------------------------------

# Least squares over 40,000 deals that this player played from all four seats: the tricks of a side by what one of its hands holds.
# In each row: any hand, less where the dealer has left it to his partner; of trumps each card, and A K Q J 10 more; of the other suits
# A K Q J 10, a void, a singleton. The second row is of biritch, where no suit is trumps.

NAMER, NAMERS_PARTNER, DEFENDER = range(3)
TRICKS_OF = np.array([
    # any     left  trump     A     K     Q     J    10      A     K     Q     J    10   void   one
    [[2.50, -0.40,  0.59, 1.04, 0.69, 0.47, 0.28, 0.11,  0.89, 0.52, 0.28, 0.12, 0.02, 0.79, 0.38],
     [3.80, -0.45,  0.00, 0.00, 0.00, 0.00, 0.00, 0.00,  1.11, 0.81, 0.51, 0.29, 0.12, 0.27, 0.19]],
    [[5.30, -1.00,  0.38, 0.79, 0.56, 0.37, 0.33, 0.32,  0.90, 0.55, 0.23, 0.09, 0.00, 0.88, 0.40],
     [5.45, -0.35,  0.00, 0.00, 0.00, 0.00, 0.00, 0.00,  1.33, 0.91, 0.55, 0.28, 0.07, 0.05, 0.11]],
    [[2.00,  0.90,  0.46, 0.67, 0.59, 0.33, 0.11, 0.00,  0.60, 0.50, 0.28, 0.13, 0.06, 0.33, 0.18],
     [3.00,  0.45,  0.00, 0.00, 0.00, 0.00, 0.00, 0.00,  0.84, 0.75, 0.45, 0.22, 0.06, 0.00, 0.00]],
])
SPREAD = (1.7, 2.0)
"""The standard deviation that is left, with trumps and at biritch."""
STEPS = 4
"""Means to a trick in the table of odds."""


def odds(mean: float, spread: float) -> list[float]:
    """The chances of 0..13 tricks: a normal distribution, cut off at the ends."""
    ends = [-math.inf, *(trick + 0.5 for trick in range(13)), math.inf]
    below = [0.5 + 0.5 * math.erf((end - mean) / (spread * math.sqrt(2))) for end in ends]
    return [high - low for low, high in pairwise(below)]


ODDS = np.array([[odds(step / STEPS, spread) for step in range(13 * STEPS + 1)] for spread in SPREAD])


@kernel
def tricks_of(state, hand, strain, role):
    """The tricks that the side of ``hand`` takes on average."""
    at_biritch = np.int64(strain == NO_TRUMP)
    weights = TRICKS_OF[role, at_biritch]
    trumps = NONE_OF_THEM if at_biritch else hand & suit_cards(strain)
    tricks = weights[0] + weights[1] * (state.namer != state.dealer) + weights[2] * count(trumps)
    for place in range(5):
        same_rank = ACES >> place
        tricks += weights[3 + place] * count(trumps & same_rank) + weights[8 + place] * count(hand & ~trumps & same_rank)
    for suit in SUITS:
        if suit != strain:
            length = count(hand & suit_cards(suit))
            if length <= 1:
                tricks += weights[13 + length]
    return tricks


# ---- what they are worth ----------------------------------------------------------------------------------------------------

PART_SCORE = 0.5
"""Of a game's worth, for a part score that is all but a game, in a rubber: the other side may still be first."""


def honour_hopes(most: int, divided: tuple[int, ...], together: tuple[int, ...]) -> list[float]:
    """By the honours in one's own hand, what those of both sides are worth on average, the others lying anywhere."""

    def prize(first: int, second: int) -> int:
        return together[first + second] if max(first, second) >= 4 else divided[first + second]

    def hope(own: int) -> float:
        lies = [[lie.count(chair) for chair in range(3)] for lie in product(range(3), repeat=most - own)]
        return sum(prize(own, partner) - prize(left, right) for left, partner, right in lies) / len(lies)

    return [hope(own) for own in range(most + 1)]


HONOUR_HOPES = np.array(honour_hopes(5, HONOURS_DIVIDED, HONOURS_TOGETHER))
"""In trick values."""
ACE_HOPES = np.array(honour_hopes(4, ACES_DIVIDED, 5 * (ACES_TOGETHER,)))
"""In points."""


@kernel
def honours_of(hand, contract):
    """The points that honours or aces, and chicane, bring to the side of ``hand`` on average."""
    strain = STRAINS[contract]
    if strain == NO_TRUMP:
        return ACE_HOPES[count(hand & ACES)]
    chicane = CHICANE_TRICKS if hand & suit_cards(strain) == 0 else 0
    return TRICK_VALUES[contract] * (HONOUR_HOPES[count(hand & of_suit(HONOURS, strain))] + chicane)


@kernel
def game_worth(state, side):
    """Points: the prize; in a rubber a first game is half the way to it, and takes back half of the other side's way."""
    games = state.ledger.games
    if state.rules.episode == DEAL or (games[0] and games[1]):
        return np.int64(GAME_PRIZES[games[side]])
    return np.int64(GAME_PRIZES[1] // 2)


@kernel
def worth_of(state, side, tricks, value):
    """Points: what ``side`` gains with ``tricks``, honours aside, at ``value`` for an odd trick."""
    winner = side if tricks > BOOK else 1 - side
    taken = max(tricks, 13 - tricks)
    points = (taken - BOOK) * value
    game = game_worth(state, winner)
    part = 0.0 if state.rules.episode == DEAL else PART_SCORE * game / GAME_POINTS  # a point's worth
    below = state.ledger.below
    worth = points + SLAMS[taken]
    if below[winner] + points >= GAME_POINTS:
        worth += game + part * (below[1 - winner] - below[winner])
    else:
        worth += part * points
    return worth if winner == side else -worth


@kernel
def hope_of(state, side, mean, strain, value):
    """The same on average, with ``mean`` tricks."""
    chances = ODDS[np.int64(strain == NO_TRUMP), np.int64(min(max(mean, 0.0), 13.0) * STEPS + 0.5)]
    hope = 0.0
    for tricks in range(14):
        hope += chances[tricks] * worth_of(state, side, tricks, value)
    return hope


# ---- naming -----------------------------------------------------------------------------------------------------------------

LEFT_TRICKS, LEFT_VALUE, LEFT_HONOURS = (5.6, 0.19), 7, 12.0
"""What the partner's naming brings: tricks, and more for each high-card point of one's own; an odd trick's value; points for honours.
Measured on 20,000 deals that were all left to him; 10 or 16 points for honours play a tenth of a point a deal worse."""


@kernel
def name_best(state, seat):
    """The strain that scores most on average, or to the partner where he will score more."""
    hand, side = state.hand[seat], side_of(seat)
    best = -1
    most = 0.0
    for contract in range(len(STRAINS)):
        strain = STRAINS[contract]
        mean = tricks_of(state, hand, strain, NAMER)
        hope = hope_of(state, side, mean, strain, TRICK_VALUES[contract]) + honours_of(hand, contract)
        if best < 0 or hope > most:
            best = contract
            most = hope
    if seat == state.dealer:
        mean = LEFT_TRICKS[0] + LEFT_TRICKS[1] * high_cards(hand)
        if hope_of(state, side, mean, CLUBS, LEFT_VALUE) + LEFT_HONOURS > most:
            return PASS
    return FIRST_STRAIN + best


@kernel
def high_cards(hand):
    """The points of the usual count: ace 4, king 3, queen 2, knave 1."""
    return 4 * count(hand & ACES) + 3 * count(hand & ACES >> 1) + 2 * count(hand & ACES >> 2) + count(hand & ACES >> 3)


# ---- contre -----------------------------------------------------------------------------------------------------------------

DOUBT = (-0.4, -1.5, -0.7, -2.0)
"""Tricks that a side takes off its estimate after so many doublings. Who is doubled takes 1.1 to 1.9 fewer; a first double is held back,
as the other side may answer it: without doubt it costs a quarter of a point a deal."""


@kernel
def gain_of_doubling(state, seat):
    """Points that the next doubling brings the side of ``seat`` on average."""
    strain, side = STRAINS[state.contract], side_of(seat)
    role = NAMER if seat == state.namer else NAMERS_PARTNER if side == side_of(state.namer) else DEFENDER
    mean = tricks_of(state, state.hand[seat], strain, role) + DOUBT[min(state.doublings, len(DOUBT) - 1)]
    value = trick_value(state)
    return hope_of(state, side, mean, strain, 2 * value) - hope_of(state, side, mean, strain, value)

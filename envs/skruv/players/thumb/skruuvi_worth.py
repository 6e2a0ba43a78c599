"""What a hand is worth at Skruuvi: the tricks that it brings in a strain, the points that a contract pays for them on average."""

import math

import numpy as np

from ...engine.bits import ONE, count, lowest
from ...engine.cards import HONOURS, NO_TRUMP, RANKS, SUITS, of_suit, suit_cards
from ...engine.kernel import kernel
from ...games.skruuvi import (
    BIDS, BOOK, POSITIVE_BIDS, SLAM_PRIZES, SPECIAL_PRIZE, TRICK_VALUES, TRICKS_IN_DEAL, UNDERTRICK, ZERO_TRICKS_PRIZE,
)

JACK, QUEEN, KING, ACE = range(9, 13)
RANK_CARDS = np.int64(sum(ONE << (13 * suit) for suit in SUITS))
"""The four twos; moved up, the four cards of a rank."""

# ---- tricks -----------------------------------------------------------------------------------------------------------------

# Fitted by least squares to 30,000 deals played out in each of three strains: the tricks of the declaring side by features of the
# two hands, the declarer's after the exchange; r2 0.72 with a trump suit, 0.52 without.

DECLARER_HIGH = np.array([[0.13, 0.33, 0.70, 1.05], [0.29, 0.62, 1.06, 1.57]])
"""Tricks of a jack, queen, king and ace in the declarer's hand, with a trump suit and without."""
PARTNER_HIGH = np.array([[0.09, 0.23, 0.52, 0.80], [0.25, 0.49, 0.89, 1.40]])
"""The same in the partner's hand."""
TRUMP, TRUMP_HONOUR, PARTNERS_TRUMP_HONOUR = 0.64, 0.17, 0.28
"""Of each trump in either hand, and besides of each honour among them."""
SHORT = np.array([1.25, 0.55, 0.2])
"""Of a side suit of none, one and two cards in the declarer's hand."""
PARTNERS_SHORT = np.array([0.55, 0.3, 0.1])
BASE = np.array([-2.4, 0.6])
"""Of the side, with a trump suit and without."""
SHORTNESS_OF_ANY_HAND = 0.3
"""The mean of what ``PARTNERS_SHORT`` gives to a hand."""
NO_KOTKA = np.array([0.0, -0.75])
"""More of the side where there is no kotka."""
GAIN, SHARE = np.array([2.7, 1.35]), np.array([0.81, 0.86])
"""The exchange turns ``own_tricks`` into ``GAIN + SHARE * own_tricks``, on average."""
GAIN_SPREAD = 0.96
"""Its standard deviation."""
SOBER_BASE, SOBER_SHARE = np.array([1.24, -0.45]), np.array([0.87, 1.0])
"""The strain that was chosen takes ``SOBER_BASE + SOBER_SHARE * mean`` tricks: the choice falls on those that look better than they are."""
SCATTER = np.array([0.0, 1.2])
"""How far the mean may be off, with a trump suit and without: chances of 12 and 13 tricks as they were counted."""


@kernel
def high_cards(cards, weights):
    """The weight of the jacks, queens, kings and aces among ``cards``."""
    total = 0.0
    for step in range(4):
        total += weights[step] * count(cards & (RANK_CARDS << (JACK + step)))
    return total


@kernel
def own_tricks(hand, strain):
    """What the declarer's ``hand`` adds to the tricks of his side in ``strain``."""
    plain = np.int64(strain == NO_TRUMP)
    tricks = BASE[plain] + high_cards(hand, DECLARER_HIGH[plain])
    if plain:
        return tricks
    trumps = suit_cards(strain)
    tricks += TRUMP * count(hand & trumps) + TRUMP_HONOUR * count(hand & of_suit(HONOURS, strain))
    for suit in SUITS:
        if suit != strain and count(hand & suit_cards(suit)) < len(SHORT):
            tricks += SHORT[count(hand & suit_cards(suit))]
    return tricks


@kernel
def partners_tricks(hand, strain):
    """What the partner's ``hand`` adds to them."""
    plain = np.int64(strain == NO_TRUMP)
    tricks = high_cards(hand, PARTNER_HIGH[plain])
    if plain:
        return tricks
    tricks += TRUMP * count(hand & suit_cards(strain)) + PARTNERS_TRUMP_HONOUR * count(hand & of_suit(HONOURS, strain))
    for suit in SUITS:
        if suit != strain and count(hand & suit_cards(suit)) < len(PARTNERS_SHORT):
            tricks += PARTNERS_SHORT[count(hand & suit_cards(suit))]
    return tricks


# ---- points -----------------------------------------------------------------------------------------------------------------

STEPS = 10
"""Of the mean number of tricks, to one trick."""
MEANS = np.arange(-2 * STEPS, (TRICKS_IN_DEAL + 3) * STEPS) / STEPS
"""The means for which the tables below have a column."""


def scores(bid: int) -> np.ndarray:
    """(14,) what a contract that is no solo pays for each number of tricks, undoubled (K-23 .. K-25)."""
    _, promised, strain = BIDS[bid]
    tricks = np.arange(TRICKS_IN_DEAL + 1)
    return np.where(tricks < promised, UNDERTRICK * (tricks - promised), TRICK_VALUES[strain] * (tricks - BOOK) + SLAM_PRIZES[promised])


def shares(means: np.ndarray, strain: int) -> np.ndarray:
    """(means, 14) the chance of each number of tricks: binomial, in no trump about a mean that is itself uncertain."""
    tricks = np.arange(TRICKS_IN_DEAL + 1)
    ways = np.array([math.comb(TRICKS_IN_DEAL, number) for number in tricks])
    plain = int(strain == NO_TRUMP)
    truer = SOBER_BASE[plain] + SOBER_SHARE[plain] * means
    each = [np.clip((truer + off) / TRICKS_IN_DEAL, 0.02, 0.99)[:, None] for off in (-SCATTER[plain], 0, SCATTER[plain])]
    return np.mean([ways * one**tricks * (1 - one) ** (TRICKS_IN_DEAL - tricks) for one in each], axis=0)


def mean_scores() -> np.ndarray:
    """(bids, means) points of each contract by the mean of the side's tricks, 0 for the solo ones."""
    table = np.zeros((len(BIDS), len(MEANS)))
    for bid, (_, promised, strain) in enumerate(BIDS):
        if POSITIVE_BIDS >> bid & 1 and promised:
            table[bid] = shares(MEANS, strain) @ scores(bid)
    return table


def scores_ahead() -> np.ndarray:
    """The same before the kotka is seen: the side raises then, in the strain of the bid, to what pays best."""
    nodes = np.linspace(-2, 2, 9)
    weights = np.exp(-(nodes**2) / 2)
    table = np.zeros_like(MEAN_SCORE)
    for bid, (_, promised, strain) in enumerate(BIDS):
        if POSITIVE_BIDS >> bid & 1 and promised:
            raises = [other for other, (_, _, same) in enumerate(BIDS) if same == strain and other >= bid and POSITIVE_BIDS >> other & 1]
            best = MEAN_SCORE[raises].max(axis=0)
            seen = [np.interp(MEANS + GAIN_SPREAD * node, MEANS, best) for node in nodes]
            table[bid] = np.average(seen, axis=0, weights=weights)
    return table


MEAN_SCORE = mean_scores()
SCORE_AHEAD = scores_ahead()


@kernel
def column(mean):
    """The place of a mean number of tricks in ``MEANS``."""
    return min(max(np.int64((mean + 2.05) * STEPS), 0), MEAN_SCORE.shape[1] - 1)


SECOND_BEST = np.array([3.7, 12.0, 0.0])
"""Tricks that pay besides in a made misääri, by the option ``misere_bonus``: measured, all of them, none."""
TRICKS_TAKEN = 2.0
"""By the declarer of a misääri that fails, measured."""


@kernel
def chance(odds):
    """Of the log odds."""
    return 1 / (1 + math.exp(-odds))


@kernel
def misaari_points(odds, rules):
    """The mean of a misääri's score, by the log odds that it is made (K-26, K-27)."""
    made = ZERO_TRICKS_PRIZE + UNDERTRICK * SECOND_BEST[np.int64(rules.misere_bonus)]
    return chance(odds) * (made + UNDERTRICK * TRICKS_TAKEN) - UNDERTRICK * TRICKS_TAKEN


@kernel
def bolshevik_points(odds):
    """The same of a bolshevik (K-28)."""
    return SPECIAL_PRIZE * (2 * chance(odds) - 1)


# ---- the cards to keep -----------------------------------------------------------------------------------------------------

KEEP = np.array([0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1.5, 3.0, 7.0, 13.0, 40.0])
"""By rank, how much a card is worth keeping; each card of its suit adds ``KEEP_LENGTH``, and a lone card below the ace is worth less."""
KEEP_LENGTH = 1.5
KEEP_TRUMP = 100.0
LONE = 0.3
"""The factor of that lone card."""


@kernel
def least_useful(hand, strain):
    """The card to lay away from ``hand`` for play in ``strain``: losers of short suits go; trumps, aces and long suits stay."""
    best = lowest(hand)
    best_price = KEEP_TRUMP * 2
    for suit in SUITS:
        held = hand & suit_cards(suit)
        length = count(held)
        while held:
            card = lowest(held)
            held &= held - 1
            rank = card % len(RANKS)
            price = KEEP_LENGTH * length + KEEP[rank] * (LONE if length == 1 and rank < ACE else 1.0)
            if suit == strain:
                price += KEEP_TRUMP
            if price < best_price:
                best = card
                best_price = price
    return best


@kernel
def lay_away(hand, strain, number):
    """``hand`` without the ``number`` cards that are the least useful in ``strain``."""
    for _ in range(number):
        hand &= ~(ONE << least_useful(hand, strain))
    return hand

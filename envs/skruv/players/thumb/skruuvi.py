"""Skruuvi by rules of thumb, in the order in which a deal is played.

Every choice but that of a card compares points: a contract in a strain is worth the mean of its score over the tricks that the side may
take, a solo contract that of its two ends. Numbers without another source were counted or chosen in deals that this player played.
"""

import numpy as np

from ...engine.bits import ONE, count, lowest
from ...engine.cards import HONOURS, NO_BID, NO_TRUMP, of_suit, partner_of, side_of, suit_cards
from ...engine.game import first_of
from ...engine.kernel import kernel
from ...games.skruuvi import (
    ACTION, AUCTION, BID_STRAINS, BID_TRICKS, BIDS, BOLSHEVIK, BOLSHEVIK_BIT, BOOK, EXCHANGE, FIRST_BID, HONOUR_PRIZE, KNOCK, MISAARI,
    MISAARI_BIT, MUSSOLINI, MUSSOLINI_BIT, OPPONENT, PASS, PLAY, POSITIVE_BIDS, REDOUBLE, higher_bids, is_solo, legal,
)
from .cardplay import sound_card
from .misere import cash, duck, guard, is_all_winners, misere_odds, safest, stay_under, unseen_by
from .skruuvi_worth import (
    GAIN, MEAN_SCORE, NO_KOTKA, PARTNER_HIGH, PARTNERS_TRUMP_HONOUR, RANK_CARDS, SCORE_AHEAD, SHARE, SHORTNESS_OF_ANY_HAND, TRUMP,
    bolshevik_points, column, high_cards, lay_away, least_useful, misaari_points, own_tricks, partners_tricks,
)

SLAM = 12
"""Tricks of the lowest bid that has a prize."""
DOUBLE, REDOUBLE_IT = first_of(ACTION, "double"), first_of(ACTION, "redouble")

# ---- what the bids tell -----------------------------------------------------------------------------------------------------

PARTNER_BID, PARTNER_SOLO, PARTNER_PASSED = 1.05, 0.6, 0.9
"""By how much an unseen high card is likelier with a partner who has bid a strain, a misère, nothing."""
LENGTH_SHOWN = 1.0
"""Trumps of a partner who has bid the suit, beyond the mean."""
STRAIN_BIDS = np.array([
    sum(ONE << bid for bid, (_, tricks, same) in enumerate(BIDS) if same == strain and POSITIVE_BIDS >> bid & 1)
    for strain in range(NO_TRUMP + 1)
])
"""The bids of each strain."""


@kernel
def partners_share(state, seat, unseen, strain):
    """What the partner's hand adds to the side's tricks in ``strain``, on average: a third of the unseen cards, weighed by the bids."""
    partner = partner_of(seat)
    plain = np.int64(strain == NO_TRUMP)
    likelier = 1.0
    if state.bids[partner] & POSITIVE_BIDS:
        likelier = PARTNER_BID
    elif state.bids[partner]:
        likelier = PARTNER_SOLO
    elif state.bid != NO_BID or state.passes >= 2:
        likelier = PARTNER_PASSED
    tricks = likelier * high_cards(unseen, PARTNER_HIGH[plain]) / 3
    if plain:
        return tricks
    tricks += TRUMP * count(unseen & suit_cards(strain)) / 3 + SHORTNESS_OF_ANY_HAND
    tricks += likelier * PARTNERS_TRUMP_HONOUR * count(unseen & of_suit(HONOURS, strain)) / 3
    if state.bids[partner] & STRAIN_BIDS[strain]:
        tricks += TRUMP * LENGTH_SHOWN
    return tricks


@kernel
def all_honours(state, hand, strain):
    """The prize for five trump honours in ``hand``, if these rules give it (K-29)."""
    if strain == NO_TRUMP or not state.rules.honours:
        return 0
    return HONOUR_PRIZE * (count(hand & of_suit(HONOURS, strain)) == 5)


@kernel
def side_tricks(state, seat, hand, unseen, strain):
    """The mean of the side's tricks in ``strain`` with the declarer's ``hand`` as it is played."""
    tricks = own_tricks(hand, strain) + partners_share(state, seat, unseen, strain)
    return tricks if state.kitty else tricks + NO_KOTKA[np.int64(strain == NO_TRUMP)]


@kernel
def side_tricks_ahead(state, seat, strain):
    """The same before the exchange."""
    hand = state.hand[seat]
    if not state.kitty:
        return side_tricks(state, seat, hand, unseen_by(state, seat), strain)
    plain = np.int64(strain == NO_TRUMP)
    return GAIN[plain] + SHARE[plain] * own_tricks(hand, strain) + partners_share(state, seat, unseen_by(state, seat), strain)


# ---- the exchange -----------------------------------------------------------------------------------------------------------

MISERE, NO_STRAIN = NO_TRUMP + 1, -1
"""Besides the strains: what an exchanged hand is meant for."""


@kernel
def plan(state, seat):
    """What the declarer makes of his hand: the bid to reach, what the discards should suit, the mean points.

    Where cards are still to be laid away he looks at the best hand for each strain, and at the best for a misère.
    """
    hand = state.hand[seat]
    unseen = unseen_by(state, seat)
    bids = higher_bids(state) | ONE << state.bid
    best, best_strain, best_points = np.int64(state.bid), NO_STRAIN, -WORST
    for strain in range(NO_TRUMP + 1):
        offered = bids & STRAIN_BIDS[strain]
        if offered:
            kept = lay_away(hand, strain, state.discards_left)
            place = column(side_tricks(state, seat, kept, unseen, strain))
            prize = all_honours(state, kept, strain)
            while offered:
                bid = lowest(offered)
                offered &= offered - 1
                if MEAN_SCORE[bid, place] + prize > best_points:
                    best, best_strain, best_points = bid, strain, MEAN_SCORE[bid, place] + prize
    if bids & MISAARI_BIT or bids & BOLSHEVIK_BIT:
        odds = misere_odds(state, hand, unseen, state.discards_left)
        if bids & MISAARI_BIT and misaari_points(odds, state.rules) > best_points:
            best, best_strain, best_points = MISAARI, MISERE, misaari_points(odds, state.rules)
        if bids & BOLSHEVIK_BIT and bolshevik_points(odds) > best_points:
            best, best_strain, best_points = BOLSHEVIK, MISERE, bolshevik_points(odds)
    if bids & MUSSOLINI_BIT and (state.bid == MUSSOLINI or is_all_winners(lay_away(hand, NO_TRUMP, state.discards_left), unseen)):
        best, best_strain, best_points = MUSSOLINI, NO_TRUMP, MUSSOLINI_POINTS
    return best, best_strain, best_points


WORST = 1e6
MUSSOLINI_POINTS = 1600.0
"""The mean of a mussolini's score with a hand that should take every trick: assumed, as two in 30,000 deals are no count."""


@kernel
def exchange(state, seat):
    """The next card to lay away."""
    strain = plan(state, seat)[1]
    if strain == MISERE:
        return safest(state.hand[seat], unseen_by(state, seat), np.int64(state.discards_left))[1]
    return least_useful(state.hand[seat], strain)


# ---- the auctions -----------------------------------------------------------------------------------------------------------

SOLO_AHEAD = np.array([680, 342, 268, 191, 132, 48, 3, -38, -67, -94, -102, -131, -165, -189, -213.0])
"""Points of a misääri that is raised to bolshevik where the kotka allows it, by twice the cost of the hand with three discards."""
ODDS_AHEAD, ODDS_FALL = 0.5, 0.51
"""Log odds of a misère before the exchange: the one less the other for each unit of that cost."""
THIRD_DEFENDER = 1.4
"""How much of that cost a third defender is worth to the declarer: he too must follow, and no card lies out."""
BONUS_AHEAD = np.array([0.0, 95.0, -45.0])
"""More than ``SOLO_AHEAD`` by ``misere_bonus``."""
DISCARDS_AHEAD = 3
"""Of a hand's four discards the kotka takes up one, as it were."""


@kernel
def solo_cost(state, seat):
    """How dangerous the hand is in a misère before the kotka is seen."""
    cost = safest(state.hand[seat], unseen_by(state, seat), DISCARDS_AHEAD)[0]
    return cost - THIRD_DEFENDER if state.rules.solo_partner == OPPONENT else cost


@kernel
def solo_points(state, seat, bid):
    """The mean of a solo contract that is bid in the first auction."""
    if bid == MUSSOLINI:
        return MUSSOLINI_POINTS if is_all_winners(state.hand[seat], unseen_by(state, seat)) else -WORST
    if not state.kitty:
        odds = misere_odds(state, state.hand[seat], unseen_by(state, seat), 0)
    else:
        cost = solo_cost(state, seat)
        if bid == MISAARI and state.rules.bolshevik:
            return SOLO_AHEAD[min(max(np.int64(2 * cost), 0), len(SOLO_AHEAD) - 1)] + BONUS_AHEAD[np.int64(state.rules.misere_bonus)]
        odds = ODDS_AHEAD - ODDS_FALL * cost
    return misaari_points(odds, state.rules) if bid == MISAARI else bolshevik_points(odds)


@kernel
def standing_points(state, seat):
    """What the standing bid is worth to the side of ``seat``, if all pass."""
    if state.bid == NO_BID:
        return UNBID
    if state.bid == MISAARI:
        worth = MISAARI_WORTH
    elif state.bid >= BOLSHEVIK:
        worth = BOLSHEVIK_WORTH
    else:
        worth = LEVEL_WORTH[BID_TRICKS[state.bid] - BOOK]
    return worth if side_of(state.bidder) == side_of(seat) else -worth


UNBID = -20.0
"""Points of the side that lets the others speak first."""
MISAARI_WORTH, BOLSHEVIK_WORTH = 200.0, 500.0
LEVEL_WORTH = np.array([0.0, 30, 30, 30, 30, 30, 30, 30])
"""What such a bid is worth to its side, the last by tricks above the book: chosen by matches against other numbers."""
KNOCKED = 2.0
"""Losses grow by it on average, as the other side knocks."""


@kernel
def speak(state, seat):
    """A bid of the first auction that pays more than to pass, or the pass."""
    bids = higher_bids(state)
    best = PASS
    best_points = standing_points(state, seat)
    for strain in range(NO_TRUMP + 1):
        offered = bids & STRAIN_BIDS[strain]
        if offered == 0:
            continue
        place = column(side_tricks_ahead(state, seat, strain))
        prize = all_honours(state, state.hand[seat], strain)
        offered = (offered & -offered) | (offered & SLAM_BIDS)
        while offered:
            bid = lowest(offered)
            offered &= offered - 1
            gain = SCORE_AHEAD[bid, place] if state.kitty else MEAN_SCORE[bid, place]
            gain = prize + (gain if gain > 0 else KNOCKED * gain)
            if gain > best_points:
                best, best_points = FIRST_BID + bid, gain
    for bid in (MISAARI, BOLSHEVIK, MUSSOLINI):
        if bids >> bid & 1:
            gain = solo_points(state, seat, bid)
            gain = gain if gain > 0 else KNOCKED * gain
            if gain > best_points:
                best, best_points = FIRST_BID + bid, gain
    return best


SLAM_BIDS = np.int64(sum(ONE << bid for bid, (_, tricks, _) in enumerate(BIDS) if tricks >= SLAM and POSITIVE_BIDS >> bid & 1))


@kernel
def declared_tricks(state):
    """The mean of the declaring side's tricks, by the contract alone."""
    if state.kitty and not state.raised and BID_TRICKS[state.bid] < SLAM:
        return UNRAISED_TRICKS
    return LEVEL_TRICKS[BID_TRICKS[state.bid] - BOOK]


@kernel
def partners_estimate(state, seat):
    """The mean of the declaring side's tricks, as the declarer's partner sees it from his bids and the own hand."""
    strain = BID_STRAINS[state.bid]
    return declared_tricks(state) + partners_tricks(state.hand[seat], strain) - MEAN_PARTNER[np.int64(strain == NO_TRUMP)]


LEVEL_TRICKS, UNRAISED_TRICKS = np.array([0.0, 8.5, 8.5, 9.1, 9.5, 9.9, 10.3, 10.6]), 8.8
"""Counted: by the tricks above the book that were bid, and where the kotka has brought no raise."""
MEAN_PARTNER = np.array([3.96, 2.8])
"""The mean of ``partners_tricks``, with a trump suit and without."""


@kernel
def raise_partner(state, seat):
    """The declarer's partner raises in the strain of the contract, if his hand is worth it."""
    place = column(partners_estimate(state, seat))
    offered = higher_bids(state) & STRAIN_BIDS[BID_STRAINS[state.bid]]
    best = PASS
    best_points = MEAN_SCORE[state.bid, place]
    while offered:
        bid = lowest(offered)
        offered &= offered - 1
        if MEAN_SCORE[bid, place] > best_points:
            best, best_points = FIRST_BID + bid, MEAN_SCORE[bid, place]
    return best


# ---- knock and redouble -----------------------------------------------------------------------------------------------------


@kernel
def knock(state, seat):
    """Double what loses on average, as a defender sees it."""
    hand = state.hand[seat]
    if state.bid == MUSSOLINI:
        return PASS
    if is_solo(state.bid):
        odds = DECLARED_ODDS + HIGH_CARD_HELPS * (count(hand & HIGH_CARDS) - MEAN_HIGH_CARDS)
        gain = misaari_points(odds, state.rules) if state.bid == MISAARI else bolshevik_points(odds)
        return DOUBLE if gain < 0 else PASS
    strain = BID_STRAINS[state.bid]
    plain = np.int64(strain == NO_TRUMP)
    tricks = declared_tricks(state)
    tricks -= DEFENDERS_SHARE * (high_cards(hand, PARTNER_HIGH[plain]) - MEAN_HIGH[plain])
    return DOUBLE if MEAN_SCORE[state.bid, column(tricks)] < 0 else PASS


DEFENDERS_SHARE = 1.2
"""Tricks that the declaring side loses by each that a defender's high cards would bring as the declarer's partner's, fitted."""
MEAN_HIGH = np.array([1.51, 2.8])
"""The mean of ``high_cards`` with ``PARTNER_HIGH``."""
DECLARED_ODDS, HIGH_CARD_HELPS = 0.55, 0.15
"""Log odds of a misère that was bid, and what each ten or higher card of a defender adds to them: fewer low ones to lead."""
HIGH_CARDS = sum(RANK_CARDS << rank for rank in range(8, 13))
MEAN_HIGH_CARDS = 12 * 5 / 13


@kernel
def redouble(state, seat):
    """Double again what wins on average in spite of the knock."""
    if seat == state.declarer:
        gain = declared_points(state, seat)
    elif is_solo(state.bid):
        gain = -1.0
    else:
        gain = MEAN_SCORE[state.bid, column(partners_estimate(state, seat) - KNOCK_COSTS)]
    return REDOUBLE_IT if gain > 0 else PASS


KNOCK_COSTS, KNOCK_ODDS = 0.5, 0.3
"""Tricks, and log odds of a misère, by which a knock makes a contract worse."""


@kernel
def declared_points(state, seat):
    """The mean score of the contract for its declarer after a knock."""
    hand = state.hand[seat]
    unseen = unseen_by(state, seat)
    if state.bid == MUSSOLINI:
        return MUSSOLINI_POINTS
    if is_solo(state.bid):
        odds = misere_odds(state, hand, unseen, 0) - KNOCK_ODDS
        return misaari_points(odds, state.rules) if state.bid == MISAARI else bolshevik_points(odds)
    strain = BID_STRAINS[state.bid]
    return MEAN_SCORE[state.bid, column(side_tricks(state, seat, hand, unseen, strain) - KNOCK_COSTS)]


# ---- every decision ---------------------------------------------------------------------------------------------------------


@kernel
def card_of(state, seat):
    """A card to play."""
    cards = legal(state)[0]
    if not is_solo(state.bid):
        return sound_card(state, seat, cards, unseen_by(state, seat), np.int64(state.declarer))
    if state.bid == MUSSOLINI:
        return cash(state, seat, cards) if seat == state.declarer else guard(state, seat, cards)
    return duck(state, seat, cards) if seat == state.declarer else stay_under(state, seat, cards)


@kernel
def decide(state, seat):
    """The action of ``seat``, whose turn it is."""
    seat = np.int64(seat)
    if state.phase == PLAY:
        return card_of(state, seat)
    if state.phase == EXCHANGE:
        return exchange(state, seat)
    if state.phase == AUCTION:
        return speak(state, seat)
    if state.phase == KNOCK:
        return knock(state, seat)
    if state.phase == REDOUBLE:
        return redouble(state, seat)
    if seat != state.declarer:
        return raise_partner(state, seat)
    bid = plan(state, seat)[0]
    return PASS if bid == state.bid else FIRST_BID + bid

"""How ``thumb`` plays Vint.

The convention: a seat's *first bid* names its longest suit of five cards or more, else no trump; or, with three cards in the suit that the
partner bid first, that suit. How many levels it leaves out tells its points (A K Q J = 4 3 2 1): by :data:`OPENING` or, once the partner
has bid, by :data:`ANSWER`. It is cheap, as twelve passes leave time to say more. Who passes holds less, or finds the bid too dear.

From then on each partner reckons what the two hands take together in each strain, and makes the bid that scores best on average by the law
of Vint: all tricks, honours and aces by the level, slams, failing, games; a pass where the bid that stands scores better.
"""

import math

import numpy as np

from ...engine.bits import ONE, count, first, highest, lowest
from ...engine.cards import (
    ACES, HONOURS, NO_TRUMP, SEATS, SUITS, chair_of, left_of, of_suit, partner_of, right_of, side_of, suit_cards,
)
from ...engine.kernel import kernel
from ...engine.sight import unseen_from
from ...games.vint import (
    ACE_TRICKS, BIDS, DENOMINATIONS, FIRST_BID, GAME_POINTS, GAME_PRIZES, GRAND_SLAM, GRAND_SLAM_BID, HONOUR_TRICKS, PASS,
    SMALL_SLAM, SMALL_SLAM_BID, UNDERTRICK, legal, level_of, strain_of, trick_value,
)
from .cardplay import sound_card

# ---- the convention ---------------------------------------------------------------------------------------------------------

POINTS = 40
"""Of the whole pack, four for an ace down to one for a jack."""
LONG, SUPPORT = 5, 3
"""Cards of a suit that a seat bids, and that its partner raises."""
OPENING = (11, 15, 19)
"""Points for a first bid on the lowest level that is open, one above, two above."""
ANSWER = (6, 11, 15)
"""The same where the partner has bid."""
PATIENCE = 50
"""Points that such a bid may cost if it is passed out."""
EDGE = 30
"""Points by which any other bid must be better than a pass."""

# ---- what was measured ------------------------------------------------------------------------------------------------------

# About the means and deviations over 20,000 deals among four of this player:
OPENING_POINTS, ANSWER_POINTS = (12.3, 16.0, 20.3), (8.5, 12.5, 16.6)
"""Of first bids, by the levels left out."""
PASSED_POINTS, UNHEARD_POINTS = 7.5, 10.0
"""Of a seat that has passed, or not spoken yet."""
BID_DOUBT, PASS_DOUBT, UNHEARD_DOUBT = 1.7, 3.2, 4.0
"""Standard deviations of these points."""
NAMED_LENGTH, REPEATED_LENGTH, SECOND_LENGTH, RAISED_LENGTH = 5.4, 5.9, 4.7, 3.8
"""Cards in the suit of a first bid, in one named twice, in another one, in a suit of the partner's."""
LENGTH_DOUBT = 0.8
"""Their standard deviation."""

# A side's tricks, by least squares over 60,000 deals played out by this card play, rounded to what did best in matches of 4,000 deals (no
# trump's doubt was 1.5; the greater one keeps from it hands that nobody has described):
SUIT_TRICKS, SUIT_POINT, TRUMP, SHORT = -3.85, 0.265, 0.75, 0.2
"""To begin with, for each point, each trump of the two hands, each card short of three in a side suit of the own hand."""
NO_TRUMP_TRICKS, NO_TRUMP_POINT = -0.75, 0.362
SUIT_DOUBT, NO_TRUMP_DOUBT = 1.05, 1.9
"""Standard deviations of the tricks about that."""

# ---- what the law pays, for its means ---------------------------------------------------------------------------------------

LADDER = np.int64(sum(ONE << 5 * level for level in range(7)))
"""The bids in the lowest denomination."""
HONOUR_WORTHS = tuple(HONOUR_TRICKS[held] - HONOUR_TRICKS[5 - held] for held in range(6))
"""In trick values, for the side with so many trump honours."""
ACE_WORTHS = (-4 * ACE_TRICKS, -3 * ACE_TRICKS, 0, 3 * ACE_TRICKS, 4 * ACE_TRICKS)
"""The same for so many aces; two each are ..."""
EVEN_ACES = (0, 0, 2 * ACE_TRICKS, 0, 0)
"""... for the side with more tricks."""
PART_WORTH = (0.0, 0.6)
"""What a point below the line is worth as a step towards a game, by ``episode``: nothing where the deal is the whole session."""
DOUBTED = 0.05
"""The least chance that a card lies where it is not expected."""


@kernel
def points_of(cards):
    """A K Q J = 4 3 2 1."""
    total = 0
    for rank in range(1, 5):
        total += rank * count(cards & (ACES >> (4 - rank)))
    return total


# ---- what the bids tell -----------------------------------------------------------------------------------------------------


@kernel
def all_bids(state):
    return state.bids[0] | state.bids[1] | state.bids[2] | state.bids[3]


@kernel
def first_bid(state, seat):
    """Its lowest, as bids only rise; -1 none."""
    return lowest(state.bids[seat]) if state.bids[seat] else -1


@kernel
def cheapest_bid(standing, place):
    """The lowest bid above ``standing`` in the denomination ``place``."""
    return standing + 1 + (place - standing - 1) % 5


@kernel
def levels_left_out(state, bid):
    earlier = all_bids(state) & first(bid)
    standing = highest(earlier) if earlier else -1
    return (bid - cheapest_bid(standing, bid % 5)) // 5


@kernel
def is_answer(state, seat, bid):
    """Whether the partner had bid before."""
    return state.bids[partner_of(seat)] & first(bid) != 0


@kernel
def named_length(state, seat, suit):
    """Cards of ``suit`` that the bids of ``seat`` tell on average, 0 where they don't."""
    ladder = LADDER << place_of(suit)
    named = state.bids[seat] & ladder
    if not named:
        return 0.0
    if state.bids[partner_of(seat)] & ladder & first(lowest(named)):
        return RAISED_LENGTH
    if count(named) > 1:
        return REPEATED_LENGTH
    return NAMED_LENGTH if lowest(named) == first_bid(state, seat) else SECOND_LENGTH


@kernel
def place_of(strain):
    """In :data:`DENOMINATIONS`: spades are the lowest there."""
    return (strain + 1) % 4 if strain != NO_TRUMP else NO_TRUMP


@kernel
def has_spoken(state, seat, me):
    """Whether ``seat`` has had a turn, as far as the state remembers."""
    before = chair_of(seat, state.dealer) < chair_of(me, state.dealer)
    return before or count(all_bids(state)) + state.passes >= len(SEATS)


@kernel
def told_points(state, seat, me):
    """The points that the calls of ``seat`` tell, and their standard deviation."""
    bid = first_bid(state, seat)
    if bid >= 0:
        step = min(levels_left_out(state, bid), len(OPENING) - 1)
        return (ANSWER_POINTS[step] if is_answer(state, seat, bid) else OPENING_POINTS[step]), BID_DOUBT
    if has_spoken(state, seat, me):
        return PASSED_POINTS, PASS_DOUBT
    return UNHEARD_POINTS, UNHEARD_DOUBT


@kernel
def partners_points(state, seat, mine):
    """What the partner holds on average, and its standard deviation: the points told, brought to the sum of the three other hands."""
    points, doubt = told_points(state, partner_of(seat), seat)
    left, left_doubt = told_points(state, left_of(seat), seat)
    right, right_doubt = told_points(state, right_of(seat), seat)
    others = left_doubt**2 + right_doubt**2
    share = doubt**2 / (doubt**2 + others)
    mean = points + (POINTS - mine - points - left - right) * share
    return min(max(mean, 0.0), 1.0 * (POINTS - mine)), doubt * math.sqrt(1 - share)


@kernel
def partners_length(state, seat, suit, mine):
    """Cards of ``suit`` that the partner holds on average: as named, else its share of the rest by vacant places."""
    named = named_length(state, partner_of(seat), suit)
    rest = 13 - mine
    if named > 0:
        return min(named, rest)
    room = 0.0
    for chair in range(1, 4):
        other = (seat + chair) & 3
        length = named_length(state, other, suit)
        if length > 0:
            rest -= min(length, rest)
        else:
            room += vacant(state, other)
    return rest * vacant(state, partner_of(seat)) / room


@kernel
def vacant(state, seat):
    """Places in the hand that its bids leave open."""
    room = 13.0
    for suit in SUITS:
        room -= named_length(state, seat, suit)
    return max(room, 1.0)


# ---- what a contract scores -------------------------------------------------------------------------------------------------


@kernel
def mean_worth(worths, held, missing, share):
    """Of ``worths[n]``, where the side holds n: ``held`` and each of ``missing`` others with the chance ``share``."""
    mean = 0.0
    weight = (1 - share) ** missing
    for more in range(missing + 1):
        mean += weight * worths[held + more]
        weight *= share / (1 - share) * (missing - more) / (more + 1)
    return mean


@kernel
def game_worth(state, side, value, tricks):
    """The prize of a game, and the worth of what stands below the line afterwards."""
    ledger = state.ledger
    need, others_need = GAME_POINTS - ledger.below[side], GAME_POINTS - ledger.below[1 - side]
    ours, theirs = tricks * value, (13 - tricks) * value
    if ours >= need and (theirs < others_need or need * theirs <= others_need * ours):
        return 1.0 * GAME_PRIZES[ledger.games[side]]
    if theirs >= others_need:
        return -1.0 * GAME_PRIZES[ledger.games[1 - side]]
    return PART_WORTH[state.rules.episode] * (ours - need - theirs + others_need)


@kernel
def contract_worth(level, tricks):
    """Slams, bid or not, and failing."""
    worth = 0
    if tricks >= 12:
        worth += GRAND_SLAM if tricks == 13 else SMALL_SLAM
    elif tricks <= 1:
        worth -= GRAND_SLAM if tricks == 0 else SMALL_SLAM
    prize = 0
    if level >= 6:
        prize = GRAND_SLAM_BID if level == 7 else SMALL_SLAM_BID
    short = 6 + level - tricks
    return worth + prize if short <= 0 else worth - prize - UNDERTRICK * level * short


@kernel
def deal_worth(state, side, bid, tricks, extras, shared_aces):
    """The margin for ``side`` as declarer of ``bid`` with ``tricks``."""
    value = trick_value(bid)
    multiple = 2 * tricks - 13 + extras + (shared_aces if tricks > 6 else -shared_aces)
    return value * multiple + contract_worth(level_of(bid), tricks) + game_worth(state, side, value, tricks)


@kernel
def bid_worth(state, side, bid, mean, doubt, extras, shared_aces):
    """The mean of :func:`deal_worth` over normally distributed tricks."""
    total = 0.0
    weights = 0.0
    for tricks in range(max(0, math.floor(mean - 3 * doubt)), min(13, math.ceil(mean + 3 * doubt)) + 1):
        weight = math.exp(-(((tricks - mean) / doubt) ** 2) / 2)
        weights += weight
        total += weight * deal_worth(state, side, bid, tricks, extras, shared_aces)
    return total / weights


# ---- calling ----------------------------------------------------------------------------------------------------------------


@kernel
def shortness(hand, trumps):
    """Cards fewer than three in the side suits."""
    short = 0
    for suit in SUITS:
        if suit != trumps:
            short += max(0, 3 - count(hand & suit_cards(suit)))
    return short


@kernel
def within(share):
    """A chance, never quite sure."""
    return min(max(share, DOUBTED), 1 - DOUBTED)


@kernel
def estimate(state, seat, hand, mine, points, doubt, strain):
    """For the own side with ``strain`` as trumps: mean and deviation of its tricks, and what honours and aces bring, in trick values."""
    share = within(points / (POINTS - mine))
    aces = count(hand & ACES)
    extras = mean_worth(ACE_WORTHS, aces, 4 - aces, share)
    shared = mean_worth(EVEN_ACES, aces, 4 - aces, share)
    if strain == NO_TRUMP:
        mean = NO_TRUMP_TRICKS + NO_TRUMP_POINT * (mine + points)
        return mean, math.sqrt(NO_TRUMP_DOUBT**2 + (NO_TRUMP_POINT * doubt) ** 2), extras, shared
    trumps = count(hand & suit_cards(strain))
    length = partners_length(state, seat, strain, trumps)
    honours = count(hand & of_suit(HONOURS, strain))
    share = within((share + length / max(13 - trumps, 1)) / 2)
    extras += mean_worth(HONOUR_WORTHS, honours, 5 - honours, share)
    mean = SUIT_TRICKS + SUIT_POINT * (mine + points) + TRUMP * (trumps + length) + SHORT * shortness(hand, strain)
    return mean, math.sqrt(SUIT_DOUBT**2 + (SUIT_POINT * doubt) ** 2 + (TRUMP * LENGTH_DOUBT) ** 2), extras, shared


@kernel
def standing_worth(state, seat, hand, mine, points, doubt):
    """Of the bid that stands, for the own side; 0 where the deal would be void."""
    if state.bid < 0:
        return 0.0
    mean, doubt, extras, shared = estimate(state, seat, hand, mine, points, doubt, strain_of(state.bid))
    if side_of(state.bidder) == side_of(seat):
        return bid_worth(state, side_of(seat), state.bid, mean, doubt, extras, shared)
    if strain_of(state.bid) == NO_TRUMP:
        mean = NO_TRUMP_TRICKS + NO_TRUMP_POINT * POINTS - (NO_TRUMP_POINT * (mine + points))
    else:
        mean = 2 * SUIT_TRICKS + SUIT_POINT * POINTS + TRUMP * 13 - mean
    return -bid_worth(state, 1 - side_of(seat), state.bid, mean, doubt, -extras, shared)


@kernel
def best_bid(state, seat, hand, mine, points, doubt):
    """The legal bid that scores best as the contract, and its worth."""
    best = -1
    most = -np.inf
    standing = np.int64(state.bid)
    for place in range(len(DENOMINATIONS)):
        mean, spread, extras, shared = estimate(state, seat, hand, mine, points, doubt, DENOMINATIONS[place])
        bid = cheapest_bid(standing, place)
        while bid < len(BIDS) and 6 + level_of(bid) <= mean + 1:
            worth = bid_worth(state, side_of(seat), bid, mean, spread, extras, shared)
            if worth > most:
                best = bid
                most = worth
            bid += len(DENOMINATIONS)
    return best, most


@kernel
def best_suit(hand):
    """The place of the longest suit, of equals the one with more honours, then the dearer; no trump where all are short."""
    best = NO_TRUMP
    most = 8 * LONG
    for place in range(4):
        suit = hand & suit_cards(DENOMINATIONS[place])
        rank = 8 * count(suit) + count(suit & of_suit(HONOURS, DENOMINATIONS[place]))
        if rank >= most:
            best = place
            most = rank
    return best


@kernel
def describing_bid(state, seat, hand, mine):
    """The first bid by the convention, -1 where the hand is too weak for one or no level is left."""
    answers = state.bids[partner_of(seat)] != 0
    steps = ANSWER if answers else OPENING
    if mine < steps[0]:
        return -1
    place = best_suit(hand)
    if answers:
        trumps = strain_of(first_bid(state, partner_of(seat)))
        if trumps != NO_TRUMP and count(hand & suit_cards(trumps)) >= SUPPORT:
            place = place_of(trumps)
    bid = cheapest_bid(np.int64(state.bid), place)
    for step in range(1, len(steps)):
        if mine >= steps[step]:
            bid += len(DENOMINATIONS)
    return bid if bid < len(BIDS) else -1


@kernel
def call(state, seat):
    """A bid, or -1 for a pass."""
    hand = state.hand[seat]
    mine = points_of(hand)
    points, doubt = partners_points(state, seat, mine)
    passing = standing_worth(state, seat, hand, mine, points, doubt)
    if state.bids[seat] == 0:
        bid = describing_bid(state, seat, hand, mine)
        if bid >= 0:
            mean, spread, extras, shared = estimate(state, seat, hand, mine, points, doubt, strain_of(bid))
            if bid_worth(state, side_of(seat), bid, mean, spread, extras, shared) > passing - PATIENCE:
                return bid
    best, most = best_bid(state, seat, hand, mine, points, doubt)
    return best if most > passing + EDGE else -1


@kernel
def decide(state, seat):
    """A card or a call of ``seat``, whose turn it is."""
    cards, _ = legal(state)
    if cards:
        return sound_card(state, seat, cards, unseen_from(state, seat), state.bidder)
    bid = call(state, seat)
    return FIRST_BID + bid if bid >= 0 else PASS

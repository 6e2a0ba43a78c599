"""Sound cards where tricks count: leads, second, third and fourth hand, ruffs and discards, each a rule of thumb.

A hand sees its own cards, those on the table, and whichever hands are not ``hidden`` (a dummy's, or the dealer's from dummy). Cards
between which no card of the other side can stand are the same card, and the lowest of them is played.
"""

import numpy as np

from ...engine.bits import NONE_OF_THEM, ONE, above, count, highest, lowest
from ...engine.cards import (
    NO_CARDS, NO_SEAT, NO_TRUMP, RANK_LETTERS, RANKS, SUITS, left_of, partner_of, right_of, side_of, suit_cards, suit_of,
)
from ...engine.kernel import kernel
from ...engine.tricks import suit_led, winning_cards

TEN, JACK, QUEEN = (RANK_LETTERS.index(letter) for letter in "TJQ")


@kernel
def sound_card(state, seat, cards, hidden, declarer):
    """A card of the legal ``cards`` from the hand of ``seat``, whose turn it is (dummy's, where the dealer plays for it).

    ``hidden`` are the cards that who decides can't see, ``declarer`` is the seat that plays the contract, -1 nobody.
    """
    mate = known(state, partner_of(seat), hidden)
    behind = may_hold(state, left_of(seat), hidden)
    foreign = behind | may_hold(state, right_of(seat), hidden)
    if state.laid == 0:
        return lead(state, seat, cards, mate, foreign, hidden, declarer)
    if cards & suit_cards(suit_led(state)):
        return follow(state, seat, cards, mate, behind, foreign, hidden)
    winners = winning_cards(state, cards)
    if winners and not is_partners(state, seat, mate, behind):
        return lowest(winners)
    return discard(state, cards, foreign)


# ---- words ------------------------------------------------------------------------------------------------------------------


@kernel
def known(state, seat, hidden):
    """The cards of an open hand, none of another."""
    return state.hand[seat] & ~hidden


@kernel
def may_hold(state, seat, hidden):
    """The cards that ``seat`` may hold: those of an open hand, else all hidden ones but of suits that it has shown to lack."""
    shown = known(state, seat, hidden)
    if shown:
        return shown
    for suit in SUITS:
        if (state.voids[seat] >> suit) & 1:
            hidden &= ~suit_cards(suit)
    return hidden


@kernel
def below(card):
    """The set of all cards below ``card``."""
    return (ONE << card) - 1


@kernel
def over(board):
    """The set of all cards above the highest of ``board``; all cards where it is empty."""
    return above(highest(board)) if board else ~NONE_OF_THEM


@kernel
def under(board):
    """The set of all cards below the highest of ``board``; none where it is empty."""
    return below(highest(board)) if board else NONE_OF_THEM


@kernel
def rank_of(card):
    return card % len(RANKS)


@kernel
def top_group(mine, foreign):
    """The highest of ``mine``, cards of one suit, and its equals: no foreign card stands between."""
    return mine & over(foreign & suit_cards(suit_of(highest(mine))) & under(mine))


@kernel
def is_partners(state, seat, mate, behind):
    """The trick is the partner's already, or will be without a card of ``seat``, as far as can be told."""
    best = state.trick[state.best]
    suit = suit_cards(suit_of(best))
    if state.laid == 1:
        return mate & suit & above(best) & over(behind & suit) != 0
    if state.best != partner_of(seat):
        return False
    return state.laid == 3 or not behind & suit & above(best)


# ---- following suit ---------------------------------------------------------------------------------------------------------


@kernel
def follow(state, seat, cards, mate, behind, foreign, hidden):
    """Low where the trick can't or need not be won, else by the place at the table."""
    winners = winning_cards(state, cards)
    low = lowest(cards)
    if not winners or (state.laid == 3 and state.best == partner_of(seat)):
        return low
    if state.laid == 3:
        return lowest(winners)
    suit = suit_cards(suit_of(low))
    if state.laid == 2:
        is_open = known(state, left_of(seat), hidden) != 0
        return third_hand(state, seat, low, winners, behind & suit, foreign & suit, is_open)
    return second_hand(state, low, winners, mate & suit, behind & suit, foreign & suit, known(state, right_of(seat), hidden))


@kernel
def second_hand(state, low, winners, mate, behind, foreign, leaders):
    """Low, but split touching honours, cover an honour, and take a trick that will not come again."""
    led = state.trick[state.best]
    if mate & above(led) & over(behind):
        return low
    group = top_group(winners, foreign)
    above_it = foreign & over(group)
    if count(group) >= 2 and count(above_it) <= 1:
        return lowest(group)
    cover = lowest(winners)
    between = foreign & above(led) & below(cover)
    if leaders and rank_of(led) >= TEN and not between and not leaders & (ONE << np.int64(led - 1)):
        return cover
    if rank_of(led) >= QUEEN and not above_it:
        return lowest(group)
    late = state.done >= 9 or (state.strain != NO_TRUMP and count(foreign) <= 4)
    return lowest(group) if late and not above_it else low


@kernel
def third_hand(state, seat, low, winners, behind, foreign, is_open):
    """As high as it must be: over what the last hand may hold, with a finesse where one card is missing; else low."""
    partners = state.best == partner_of(seat)
    best = state.trick[state.best]
    if partners and not behind & above(best):
        return low
    enough = winners & over(behind)
    if enough and (is_open or not behind):
        return lowest(enough)
    group = top_group(winners, foreign)
    if partners and not foreign & above(best) & below(lowest(group)):
        return low
    if not foreign & over(group):
        step = finesse(winners | (ONE << np.int64(best)) if partners else winners, group, foreign)
        if step:
            return low if partners and (step >> best) & 1 else lowest(step)
    elif is_open:
        return low if partners else lowest(winners)
    return lowest(group)


@kernel
def finesse(mine, group, foreign):
    """The cards below the master ``group`` that only one foreign card separates from it, where that card is not likely to fall."""
    masters = count(group)
    missing = foreign & below(lowest(group))
    if not missing or count(foreign) <= 2 * masters - 1:
        return NO_CARDS
    rest = missing & under(missing)
    return mine & below(highest(missing)) & over(rest)


# ---- leading ----------------------------------------------------------------------------------------------------------------

DRAW, RUN, SURE, TOP, SINGLETON, TOWARDS, RETURN, PLAIN, BARE_ACE = 100, 60, 40, 20, 18, 14, 12, 8, 4
"""What a suit is worth to lead, best first: trumps to draw, a suit that runs, a master, touching honours, a singleton for a ruff, a suit
in which the open partner is stronger, that which the partner led first, anything else, an ace without its king."""
RUFFED, TRUMP = -40, -10
"""And what speaks against one: the others ruff it, it is trumps and there is no reason."""


@kernel
def lead(state, seat, cards, mate, foreign, hidden, declarer):
    """A card of the suit that is worth most, the longest of equals."""
    best = NONE_OF_THEM
    most = 2 * RUFFED
    for suit in SUITS:
        mine = cards & suit_cards(suit)
        if mine:
            if suit == state.strain:
                worth = trump_worth(mine, mate, foreign & suit_cards(suit), declarer, seat)
            else:
                worth = suit_worth(state, seat, suit, cards, mate, foreign, hidden)
            if worth > most:
                best = mine
                most = worth
    suit = suit_cards(suit_of(highest(best)))
    return lead_of(state, best, mate & suit, foreign & suit)


@kernel
def trump_worth(mine, mate, foreign, declarer, seat):
    """Draw trumps where our side declares and has more of them; but not the last one, where it is the highest."""
    if declarer == NO_SEAT or side_of(declarer) != side_of(seat) or not foreign:
        return TRUMP
    theirs = count(foreign)
    # of the hidden ones a third are the partner's, and more where the sides chose trumps by their lengths
    ours = count(mine | (mate & suit_cards(suit_of(lowest(mine))))) if mate else 4 * count(mine)
    alone = theirs == 1 and not mine & over(foreign)
    return DRAW if ours > theirs and not alone else TRUMP


@kernel
def suit_worth(state, seat, suit, cards, mate, foreign, hidden):
    """What the lead of a side suit is worth."""
    board = suit_cards(suit)
    mine, theirs, friends = cards & board, foreign & board, mate & board
    group = top_group(mine, theirs)
    masters = count(mine & over(theirs))
    length = count(mine)
    trumps = state.strain != NO_TRUMP
    worth = length if trumps else length + count(friends)
    if trumps and is_ruffed(state, seat, suit, hidden):
        worth += RUFFED
    if masters == 1 and trumps and length > 1 and theirs and not mate:
        worth += BARE_ACE
    elif masters and (trumps or 2 * masters >= count(theirs)):
        worth += SURE if trumps else RUN
    elif friends & over(theirs):
        worth += SURE if trumps else TOP
    elif count(group) >= 2 and rank_of(highest(group)) >= TEN:
        worth += TOP
    elif trumps and length == 1 and cards & suit_cards(state.strain):
        worth += SINGLETON
    elif friends and not trumps and highest(friends) > highest(mine) and rank_of(highest(friends)) >= JACK:
        worth += TOWARDS
    else:
        worth += PLAIN
    if state.first_led[partner_of(seat)] == suit and not mate:
        worth += RETURN
    return worth


@kernel
def is_ruffed(state, seat, suit, hidden):
    """One of the others has shown that it has none of ``suit``, and may hold trumps."""
    for other in (left_of(seat), right_of(seat)):
        if may_hold(state, other, hidden) & suit_cards(state.strain) and not may_hold(state, other, hidden) & suit_cards(suit):
            return True
    return False


@kernel
def lead_of(state, mine, mate, foreign):
    """Towards the open partner's masters from the longer hand; a master or touching honours from the top; else low."""
    top = highest(mine)
    length = count(mine)
    if mate & over(foreign) and length > count(mate):
        return lowest(mine)
    if mine & over(foreign) or (count(top_group(mine, foreign)) >= 2 and rank_of(top) >= TEN):
        return top
    if length == 2 and not mate and rank_of(top) < JACK:
        return top
    return fourth_best(mine) if length >= 4 and state.done == 0 else lowest(mine)


@kernel
def fourth_best(mine):
    """The fourth card from the top of a long suit."""
    for _ in range(3):
        mine &= under(mine)
    return highest(mine)


# ---- throwing away ----------------------------------------------------------------------------------------------------------

KEEP_TRUMP, KEEP_MASTER, KEEP_GUARD = 50, 30, 12
"""What it costs to throw one away, in ranks."""


@kernel
def discard(state, cards, foreign):
    """The lowest card of the suit that misses it least: no trump, no master, no guard of an honour, rather from a short suit."""
    best = -1
    least = 10 * KEEP_TRUMP
    for suit in SUITS:
        mine = cards & suit_cards(suit)
        if mine:
            card = lowest(mine)
            higher = count(foreign & suit_cards(suit) & above(highest(mine)))
            cost = rank_of(card) + count(mine)
            if suit == state.strain:
                cost += KEEP_TRUMP
            if not foreign & suit_cards(suit) & above(card):
                cost += KEEP_MASTER
            elif count(mine) == higher + 1 and higher <= 2:
                cost += KEEP_GUARD
            if cost < least:
                best = card
                least = cost
    return best

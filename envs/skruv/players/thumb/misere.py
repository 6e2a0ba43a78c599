"""Skruuvi's solo contracts by rules of thumb: how dangerous a hand is in a misère, which cards to lay away, the play on both sides."""

import numpy as np

from ...engine.bits import ONE, above, count, highest, lowest
from ...engine.cards import ALL_CARDS, CARDS, NO_CARD, NO_TRUMP, RANKS, SEATS, SUITS, suit_cards, suit_of
from ...engine.kernel import kernel
from ...engine.tricks import suit_led, winning_cards
from ...games.skruuvi import KOTKA, OPPONENT
from ..plain import cheapest, dearest

COST = np.array([0.0, 0.2, 0.9, 1.6, 2.2, 2.7, 3.0, 3.1, 3.2, 3.3, 3.4, 3.5, 3.6])
"""What a suit takes off the log odds of a misère, by class: 0 is void or as safe as a bare 2, 12 a bare ace. Fitted to 40,000 hands that
were played out after the exchange."""
LOW_ROUND = 3
"""Low cards out that it takes to pull one card of the declarer's: one of each defender's, and a third lies with the partner."""


@kernel
def unseen_by(state, seat):
    """The cards that ``seat`` can't account for."""
    seen = state.hand[seat] | state.played[0] | state.played[1] | state.played[2] | state.played[3]
    if seat == state.declarer:
        seen |= state.discards
    return ALL_CARDS & ~seen


@kernel
def danger(held, unseen):
    """The class of a suit ``held`` in a misère: how far the low cards out outnumber the rounds that its low cards survive."""
    worst = -LOW_ROUND
    needed = 0
    while held and unseen:
        card = lowest(held)
        held &= held - 1
        needed += LOW_ROUND
        worst = max(worst, count(unseen & ((ONE << card) - 1)) - needed)
    return worst + LOW_ROUND


@kernel
def without_top(held, number):
    """``held`` less its ``number`` highest cards."""
    while number and held:
        held &= ~(ONE << highest(held))
        number -= 1
    return held


@kernel
def safest(hand, unseen, number):
    """The least cost of ``hand`` after ``number`` cards, at most four, are laid away, and the card of it to part with first."""
    least = np.zeros(KOTKA + 1)
    takes = np.zeros(KOTKA + 1, np.int64)  # by cards laid away in all, the discards of each suit, a byte each
    for suit in SUITS:
        held = hand & suit_cards(suit)
        out = unseen & suit_cards(suit)
        for total in range(number, -1, -1):
            best = 1e9
            best_takes = np.int64(0)
            for taken in range(min(total, count(held)) + 1):
                cost = least[total - taken] + COST[danger(without_top(held, taken), out)]
                if cost < best:
                    best = cost
                    best_takes = takes[total - taken] | taken << (8 * suit)
            least[total] = best
            takes[total] = best_takes
    for suit in SUITS:
        if takes[number] >> (8 * suit) & 255:
            return least[number], highest(hand & suit_cards(suit))
    return least[number], dearest(hand, NO_TRUMP)


# ---- a misère: the declarer -------------------------------------------------------------------------------------------------


@kernel
def duck(state, seat, cards):
    """The declarer of a misère: the highest card that loses, the lowest where one that loses is not sure; danger goes first."""
    unseen = unseen_by(state, seat)
    if state.laid == 0:
        return lowest_exit(cards, unseen)
    if suit_of(lowest(cards)) != suit_led(state):
        return safest(cards, unseen, min(count(cards), KOTKA))[1]
    losing = cards & ~winning_cards(state, cards)
    if losing:
        return highest(losing)
    return highest(cards) if is_last(state) else lowest(cards)


@kernel
def is_last(state):
    """Whether the next card completes the trick of a solo contract."""
    return state.laid == len(SEATS) - 1 - (state.rules.solo_partner != OPPONENT)


@kernel
def lowest_exit(cards, unseen):
    """To lead in a misère: the lowest of a suit, where the most cards out are higher and the fewest lower."""
    best = lowest(cards)
    best_count = -CARDS[-1]
    for suit in SUITS:
        held = cards & suit_cards(suit)
        if held:
            out = unseen & suit_cards(suit)
            over = count(out & above(lowest(held)))
            score = over - LOW_ROUND * (count(out) - over)
            if score > best_count:
                best = lowest(held)
                best_count = score
    return best


# ---- a misère: the defence --------------------------------------------------------------------------------------------------


@kernel
def stay_under(state, seat, cards):
    """A defender in a misère: lead low where the declarer may have to win, stay under him, part with high cards where it is safe."""
    declarer = np.int64(state.declarer)
    if state.laid == 0:
        return low_lead(state, seat, cards)
    if suit_of(lowest(cards)) != suit_led(state):
        return dearest(cards, state.strain)
    table = state.trick[state.best]
    if state.trick[declarer] == NO_CARD:
        under = cards & ~above(table)
        return highest(under) if under else lowest(cards)
    if state.best == declarer:
        under = cards & ~above(table)
        if under:
            return highest(under)
        return highest(cards) if is_last(state) else lowest(cards)
    return highest(cards)


@kernel
def low_lead(state, seat, cards):
    """The lowest of a short suit in which the declarer most likely has higher cards alone, round after round."""
    unseen = unseen_by(state, seat)
    best = lowest(cards)
    best_chance = -1.0
    for suit in SUITS:
        held = cards & suit_cards(suit)
        if held == 0:
            continue
        out = unseen & suit_cards(suit)
        chance = 0.0
        while held and not state.voids[state.declarer] >> suit & 1:
            over = count(out & above(highest(held)))
            chance += NOT_HIS ** max(count(out) - over - count(held) + 1, 0) * (1 - NOT_HIS**over)
            held &= ~(ONE << highest(held))
        if state.done and suit == suit_of(state.last_trick[state.last_leader]):
            chance *= PERSISTENCE
        chance /= 1 + count(cards & suit_cards(suit))
        if chance > best_chance:
            best = lowest(cards & suit_cards(suit))
            best_chance = chance
    return best


PERSISTENCE = 4.0
"""How much better it is to go on with the suit of the last trick, which has lost some of his low cards already."""
NOT_HIS = 0.5
"""The chance that a card out is not the declarer's: of three hands his is the one that has kept low cards. Both numbers, and that short
suits are led first, were chosen by the misères that they broke, out of 20,000 deals."""


# ---- mussolini --------------------------------------------------------------------------------------------------------------


@kernel
def cash(state, seat, cards):
    """The declarer of a mussolini: win, as cheaply as it can be done, and lead the longest suit from the top."""
    unseen = unseen_by(state, seat)
    if state.laid == 0:
        best = highest(cards)
        best_length = -1
        for suit in SUITS:
            held = cards & suit_cards(suit)
            out = unseen & suit_cards(suit)
            if held and highest(held) > highest(out | 1):
                length = count(held)
                if length > best_length:
                    best = highest(held)
                    best_length = length
        return best
    winning = winning_cards(state, cards)
    if winning:
        return cheapest(winning, state.strain) if is_last(state) else dearest(winning, state.strain)
    return cheapest(cards, state.strain)


@kernel
def guard(state, seat, cards):
    """A defender against a mussolini: one trick is enough, so win it, and until then keep what can still win."""
    unseen = unseen_by(state, seat)
    winning = winning_cards(state, cards)
    if winning:
        return dearest(winning, state.strain)
    if state.laid and suit_of(lowest(cards)) == suit_led(state):
        return lowest(cards)
    best = lowest(cards)
    best_spare = -len(CARDS)
    for suit in SUITS:
        held = cards & suit_cards(suit)
        if held:
            over = count(unseen & suit_cards(suit) & above(highest(held)))
            if state.laid == 0 and over == 0:
                return highest(held)
            spare = len(RANKS) * (count(held) - over - 1) if over < count(held) else len(CARDS) - lowest(held) % len(RANKS)
            if spare > best_spare:
                best = lowest(held)
                best_spare = spare
    return best


@kernel
def is_all_winners(hand, unseen):
    """Whether ``hand`` should take every trick alone: an ace in each suit, and tops that draw all the cards out."""
    for suit in SUITS:
        held = hand & suit_cards(suit)
        out = unseen & suit_cards(suit)
        tops = count(held & above(highest(out))) if out else count(held)
        if out and (held == 0 or tops == 0 or (tops < count(held) and LOW_ROUND * (tops - 1) < count(out))):
            return False
    return True


@kernel
def misere_odds(state, hand, unseen, number):
    """The log odds that ``hand`` takes no trick after the best ``number`` cards of it are laid away."""
    return ODDS_OF_SAFE[np.int64(state.kitty), np.int64(state.rules.solo_partner)] - safest(hand, unseen, number)[0]


ODDS_OF_SAFE = np.array([[0.4, 1.0], [0.92, 1.45]])
"""Log odds of a hand without a dangerous suit, without and with a kotka, against two defenders and against three."""

"""Worlds: what a seat does not know, dealt at random so that every deal that fits what it knows has the same chance.

Hidden cards lie in at most four places: hands, and cards that lie apart. A hand that has shown a void holds no card of that suit, so that
cards of one suit may be barred from some of the places. Suits with the same bars are a group. How many cards of each group lie in which
place is drawn first, by the exact number of ways; then which cards they are. (To fill one place after the other would be biased.)
"""

import math

import numpy as np

from .bits import ONE, count, lowest
from .cards import ALL_CARDS, GOLDEN, NO_CARDS, SEATS, SUITS, mix, suit_cards, uniform
from .kernel import kernel

APART = len(SEATS)
"""The place behind the hands: cards that lie apart."""
PLACES = 4
"""With hidden cards, at most: three hands, and the cards apart."""
SHARES = np.array([1 / math.factorial(number) for number in range(17)])
"""So many cards in one place, whose order does not matter, divide the number of ways; sixteen are the most that a hand ever holds."""
UNIT = 2.0**-53
"""A step between the fractions that are drawn."""


@kernel
def room_of(state, cards_each):
    """How many hidden cards each hand holds, where ``cards_each`` were dealt, and none apart."""
    room = np.zeros(len(SEATS) + 1, np.int64)
    for seat in SEATS:
        room[seat] = cards_each - count(state.played[seat]) - count(state.hand[seat])
    return room


@kernel
def hidden_in(state):
    """The cards that are nowhere in a veiled state: neither in a hand nor played."""
    seen = NO_CARDS
    for seat in SEATS:
        seen |= state.hand[seat] | state.played[seat]
    return ALL_CARDS & ~seen


@kernel
def deal_hidden(state, seat, room, hidden, stream):
    """Deal the cards ``hidden`` into the hands, ``room[seat]`` each, and apart; the stream after that, and the cards apart."""
    place = np.zeros(PLACES, np.int64)
    piles = np.zeros(PLACES, np.int64)
    full = np.zeros(PLACES, np.int64)
    places = 0
    for where in range(len(room)):
        if room[where] > 0:
            place[places] = where
            full[places] = room[where]
            places += 1
    masks = np.zeros(len(SUITS) + 1, np.int64)
    boards = np.zeros(len(SUITS) + 1, np.int64)
    groups = group(state, hidden, place, places, masks, boards)
    stream = deal_groups(full, masks, boards, groups, piles, stream)
    apart = NO_CARDS
    for number in range(places):
        if place[number] == APART:
            apart = piles[number]
        else:
            state.hand[place[number]] = piles[number]
    for other in SEATS:
        if other != seat:
            state.dealt[other] = state.hand[other] | state.played[other]
    return stream, apart


@kernel
def group(state, hidden, place, places, masks, boards):
    """Collect the suits of ``hidden`` by where they may lie; how many groups there are, the one without a bar, maybe empty, the last."""
    everywhere = (1 << places) - 1
    groups = 0
    free = NO_CARDS
    for suit in SUITS:
        board = hidden & suit_cards(suit)
        mask = 0
        for number in range(places):
            if place[number] == APART or not state.voids[place[number]] >> suit & 1:
                mask |= 1 << number
        if mask == everywhere:
            free |= board
        elif board:
            found = 0
            while found < groups and masks[found] != mask:
                found += 1
            groups = max(groups, found + 1)
            masks[found] = mask
            boards[found] |= board
    masks[groups] = everywhere
    boards[groups] = free
    return groups + 1


@kernel
def deal_groups(full, masks, boards, groups, piles, stream):
    """Draw how many cards of each group go where, then which; the last group takes the places that are left."""
    room = (full[0], full[1], full[2], full[3])
    table = weigh(full, masks, boards, groups) if groups > 2 else np.zeros((0, 0, 0, 0))
    for level in range(groups):
        cards = count(boards[level])
        shares = room
        if level < groups - 1:
            total, shares = shares_of(table, level, groups, room, cards, masks[level], np.inf)
            stream, fraction = draw_fraction(stream)
            _, shares = shares_of(table, level, groups, room, cards, masks[level], fraction * total)
        stream = hand_out(boards[level], shares, piles, stream)
        room = (room[0] - shares[0], room[1] - shares[1], room[2] - shares[2], room[3] - shares[3])
    return stream


@kernel
def weigh(full, masks, boards, groups):
    """For each level but the first and the last, and each room that is left then, the weight of all ways to deal on from there."""
    table = np.zeros((groups - 1, full[0] + 1, full[1] + 1, full[2] + 1))
    left = count(boards[groups - 1])
    for level in range(groups - 2, 0, -1):
        cards = count(boards[level])
        left += cards
        least = least_room(full, masks, boards, level)
        for first in range(least[0], full[0] + 1):
            for second in range(least[1], full[1] + 1):
                for third in range(least[2], full[2] + 1):
                    fourth = left - first - second - third
                    if least[3] <= fourth <= full[3]:
                        room = (first, second, third, fourth)
                        table[level, first, second, third] = shares_of(table, level, groups, room, cards, masks[level], np.inf)[0]
    return table


@kernel
def least_room(full, masks, boards, level):
    """The room that is left in each place at least, after the groups before ``level``."""
    taken = np.zeros(PLACES, np.int64)
    for before in range(level):
        for number in range(PLACES):
            if masks[before] >> number & 1:
                taken[number] += count(boards[before])
    return np.maximum(full - taken, 0)


@kernel
def shares_of(table, level, groups, room, cards, mask, limit):
    """Go through the ways to share ``cards`` out among the places of ``mask``, until the sum of their weights passes ``limit``.

    The sum, and the shares at which it ended.
    """
    total = 0.0
    shares = (0, 0, 0, 0)
    for first in range(most(room[0], cards, mask & 1) + 1):
        for second in range(most(room[1], cards - first, mask & 2) + 1):
            for third in range(most(room[2], cards - first - second, mask & 4) + 1):
                fourth = cards - first - second - third
                if fourth > most(room[3], fourth, mask & 8):
                    continue
                rest = (room[0] - first, room[1] - second, room[2] - third, room[3] - fourth)
                weight = SHARES[first] * SHARES[second] * SHARES[third] * SHARES[fourth]
                if level + 2 == groups:
                    weight *= SHARES[rest[0]] * SHARES[rest[1]] * SHARES[rest[2]] * SHARES[rest[3]]
                else:
                    weight *= table[level + 1, rest[0], rest[1], rest[2]]
                if weight > 0:
                    total += weight
                    shares = (first, second, third, fourth)
                    if total > limit:
                        return total, shares
    return total, shares


@kernel
def most(room, cards, allowed):
    """The most of ``cards`` that a place takes."""
    return min(room, cards) if allowed else 0


@kernel
def draw_fraction(stream):
    """The stream after the draw, and a number of [0, 1)."""
    stream = stream + GOLDEN
    return stream, np.float64(mix(stream) >> np.uint64(11)) * UNIT


@kernel
def hand_out(board, shares, piles, stream):
    """Put as many cards of ``board``, drawn uniformly, on each pile as its share says."""
    left = count(board)
    pack = np.empty(left, np.int64)
    for number in range(left):
        pack[number] = lowest(board)
        board &= board - 1
    for number in range(PLACES):
        for _ in range(shares[number]):
            stream, place = uniform(stream, left)
            left -= 1
            piles[number] |= ONE << pack[place]
            pack[place] = pack[left]
    return stream


@kernel
def draw_cards(board, number, stream):
    """The stream after the draw, and ``number`` cards of ``board``, drawn uniformly."""
    piles = np.zeros(PLACES, np.int64)
    stream = hand_out(board, (number, 0, 0, 0), piles, stream)
    return stream, piles[0]

"""A trick: follow suit, lay a card, who wins.

Follow suit if able, otherwise any card; no duty to trump or to overtake; the highest trump wins, else the highest card of the
suit led; the winner leads next (RULINGS section 1).
"""

from .bits import ONE, above
from .cards import NO_CARD, NO_CARDS, NO_SEAT, NO_SUIT, NO_TRUMP, side_of, suit_cards, suit_of
from .kernel import kernel

TRICK_FIELDS = [
    ("dealt", "i8", 4),  # bitboards: the hands as dealt
    ("hand", "i8", 4),  # bitboards: the cards still held
    ("played", "i8", 4),  # bitboards: the cards played
    ("trick", "i1", 4),  # the card of each seat on the table, -1 none
    ("laid", "i1"),  # cards on the table, 0..3
    ("leader", "i1"),  # the seat that leads or led the trick
    ("best", "i1"),  # the seat that is winning the trick
    ("strain", "i1"),  # trumps: a suit, or 4 no trump
    ("done", "i1"),  # tricks played
    ("tricks", "i1", 2),  # tricks won by side
    ("winners", "i1", 13),  # the seat that won each trick, -1 not played yet
    ("voids", "i1", 4),  # bit s: the seat has shown that it holds no card of suit s
    ("first_led", "i1", 4),  # the first suit that the seat led, -1 none
    ("first_discard", "i1", 4),  # the first suit that it threw away without trumping, -1 none
    ("last_trick", "i1", 4),  # the trick before this one, survives the next deal, -1 none
    ("last_leader", "i1"),  # who led it, -1 none
]


@kernel
def clear_tricks(state):
    """Before the first card of a deal; the hands are in place."""
    state.dealt[:] = state.hand
    state.played[:] = 0
    state.trick[:] = NO_CARD
    state.laid = 0
    state.leader = NO_SEAT
    state.best = NO_SEAT
    state.strain = NO_TRUMP
    state.done = 0
    state.tricks[:] = 0
    state.winners[:] = NO_SEAT
    state.voids[:] = 0
    state.first_led[:] = NO_SUIT
    state.first_discard[:] = NO_SUIT


@kernel
def suit_led(state):
    """The suit of the trick on the table, -1 before the lead."""
    return suit_of(state.trick[state.leader]) if state.laid > 0 else NO_SUIT


@kernel
def playable(state, hand):
    """The cards of the bitboard ``hand`` that may be played now."""
    if state.laid > 0:
        following = hand & suit_cards(suit_led(state))
        if following:
            return following
    return hand


@kernel
def winning_cards(state, hand):
    """The cards of ``hand`` that beat every card on the table, whether they may be played or not; none before the lead."""
    if state.laid == 0:
        return NO_CARDS
    best = state.trick[state.best]
    suit = suit_of(best)
    board = suit_cards(suit) & above(best)
    if state.strain != NO_TRUMP and suit != state.strain:
        board |= suit_cards(state.strain)
    return hand & board


@kernel
def lay(state, seat, card):
    """``seat`` lays ``card`` on the table."""
    bit = ONE << card
    suit = suit_of(card)
    if state.laid == 0:
        state.leader = seat
        state.best = seat
        if state.first_led[seat] == NO_SUIT:
            state.first_led[seat] = suit
    else:
        if suit != suit_led(state):
            state.voids[seat] |= ONE << suit_led(state)
            if suit != state.strain and state.first_discard[seat] == NO_SUIT:
                state.first_discard[seat] = suit
        if winning_cards(state, bit):
            state.best = seat
    state.hand[seat] &= ~bit
    state.played[seat] |= bit
    state.trick[seat] = card
    state.laid += 1


@kernel
def gather(state):
    """The full trick goes to its winner, who leads next."""
    winner = state.best
    state.last_trick[:] = state.trick
    state.last_leader = state.leader
    state.winners[state.done] = winner
    state.done += 1
    state.tricks[side_of(winner)] += 1
    state.trick[:] = NO_CARD
    state.laid = 0
    state.leader = winner

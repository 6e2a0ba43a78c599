"""The player ``pass``: never bids or doubles, and plays its cards by four plain rules."""

from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from ..engine.bits import count, lowest
from ..engine.cards import CARDS, NO_CARDS, RANKS, SUIT_LETTERS, SUITS, partner_of, seat_at, suit_cards, suit_of
from ..engine.game import Game
from ..engine.kernel import cached_kernel, kernel, rebind, records
from ..engine.tricks import winning_cards
from ..tables import Views

if TYPE_CHECKING:  # bound to a game's kernel by _loop_of

    def legal(state: Any) -> Any: ...


PASS = np.int64(1)
"""The pass among the calls."""


@kernel
def cheapest(cards, strain):
    """The lowest by rank, trumps last."""
    best = -1
    best_price = 2 * len(RANKS)
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        price = card % len(RANKS) + len(RANKS) * (suit_of(card) == strain)
        if price < best_price:
            best = card
            best_price = price
    return best


@kernel
def dearest(cards, strain):
    """The highest by rank, trumps first."""
    best = -1
    best_price = -1
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        price = card % len(RANKS) + len(RANKS) * (suit_of(card) == strain)
        if price > best_price:
            best = card
            best_price = price
    return best


@kernel
def longest_suit(cards):
    """The bitboard of the longest suit in ``cards``, the lowest of equals."""
    longest = NO_CARDS
    for suit in SUITS:
        if count(cards & suit_cards(suit)) > count(longest):
            longest = cards & suit_cards(suit)
    return longest


@kernel
def plain_card(state, cards):
    """Lead low from the longest suit; second hand low, third hand high, the cheapest card that wins, the lowest that loses."""
    if state.laid == 0:
        return cheapest(longest_suit(cards), state.strain)
    winners = winning_cards(state, cards)
    if winners and state.laid == 2:
        return dearest(winners, state.strain)
    if winners and state.laid == 3 and state.best != partner_of(seat_at(state.laid, state.leader)):
        return cheapest(winners, state.strain)
    return cheapest(cards, state.strain)


def plain_actions(states, seats, suits, actions):
    """One action for each state; ``suits`` gives the suit that a call names, -1 none."""
    for place in range(seats.size):
        state = states[place]
        cards, calls = legal(state)
        if cards:
            actions[place] = plain_card(state, cards)
        elif calls & PASS:
            actions[place] = len(CARDS)
        else:
            held = state.hand[seats[place]]
            best = -1
            actions[place] = len(CARDS) + lowest(calls)
            while calls:
                call = lowest(calls)
                calls &= calls - 1
                if suits[call] >= 0 and count(held & suit_cards(suits[call])) > best:
                    best = count(held & suit_cards(suits[call]))
                    actions[place] = len(CARDS) + call


@cache
def _loop_of(game: Game) -> Any:
    return cached_kernel(rebind(plain_actions, game.name, game.kernels))


class PlainPlayer:
    """Never bids or doubles; names its longest suit where it must name; plays by :func:`plain_card`."""

    def __init__(self, game: Game, seed: int = 0) -> None:
        self.game = game
        self.suits = np.array([SUIT_LETTERS.index(call) if call in tuple(SUIT_LETTERS) else -1 for call in game.calls])
        self.loop = _loop_of(game)

    def act(self, views: Views) -> np.ndarray:
        views.check_game(self.game, self)
        actions = np.empty(len(views), np.int64)
        self.loop(records(views.state), views.seat, self.suits, actions)
        offered = views.mask[np.arange(len(views)), actions] > 0
        return np.where(offered, actions, views.mask.argmax(axis=1))

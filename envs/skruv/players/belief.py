"""Which worlds are likely: those in which the calls that were made are the ones that rules of thumb would have made.

The calls of a deal are read off its state: bids rise, and who speaks is fixed, so that the passes between them follow. In Skruuvi the
declarer of a world is also given the discards that rules of thumb would choose, where that contradicts nothing that was seen.
"""

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from ..engine.bits import ONE, lowest
from ..engine.cards import NO_BID, NO_SEAT, SUITS, suit_cards
from ..engine.game import Game
from ..engine.kernel import cached_kernel, kernel, rebind
from ..games import biritch, skruuvi, vint
from .thumb import rules_of_thumb

if TYPE_CHECKING:  # bound to a game's kernels by loop_of

    def _kernel(*arguments: Any) -> Any: ...

    begin = decide = lay_away = made_call = step = _kernel

UNKNOWN = -1
"""A call that was not made yet, or can't be read off the state."""


@kernel
def vint_call(past, state):
    """What the seat to speak in ``past`` did, in the deal that has come to ``state``."""
    if past.phase != vint.AUCTION:
        return UNKNOWN
    bids = (state.bids[0] | state.bids[1] | state.bids[2] | state.bids[3]) & ~((ONE << (np.int64(past.bid) + 1)) - 1)
    if bids:
        bid = lowest(bids)
        rounds = ((state.rounds[0] >> bid) & 1) + ((state.rounds[1] >> bid) & 1)
        if (state.bids[past.seat] >> bid) & 1 and min(past.passes // 4, 2) == rounds:
            return vint.FIRST_BID + bid
        return vint.PASS
    return vint.PASS if state.phase != vint.AUCTION or past.passes < state.passes else UNKNOWN


@kernel
def skruuvi_call(past, state):
    """What the seat to speak in ``past`` did in the first auction, in the deal that has come to ``state``."""
    if past.phase != skruuvi.AUCTION:
        return UNKNOWN
    bids = state.bids[0] | state.bids[1] | state.bids[2] | state.bids[3]
    bids &= ~(state.raised | ((ONE << (np.int64(past.bid) + 1)) - 1))
    if bids:
        bid = lowest(bids)
        return skruuvi.FIRST_BID + bid if (state.bids[past.seat] >> bid) & 1 else skruuvi.PASS
    return skruuvi.PASS if state.phase != skruuvi.AUCTION or past.passes < state.passes else UNKNOWN


@kernel
def biritch_call(past, state):
    """What the seat to speak in ``past`` did in the naming, in the deal that has come to ``state``; doublings are not read."""
    if past.phase != biritch.NAMING:
        return UNKNOWN
    if past.seat != state.namer:
        return biritch.PASS
    return biritch.FIRST_STRAIN + state.contract if state.contract != NO_BID else UNKNOWN


@kernel
def lay_nothing_away(state, past, seat):
    """Where there is no exchange."""


def choose_discards(state, past, seat):
    """Let the declarer of the full ``state`` have laid away what rules of thumb would, where he has played and shown nothing against it.

    ``past`` is a copy that is used up.
    """
    declarer = state.declarer
    if declarer in (NO_SEAT, seat) or not state.kitty or state.discards_left > 0:
        return
    past.bid = state.bid
    past.phase = skruuvi.EXCHANGE
    past.seat = past.declarer = declarer
    past.hand[declarer] = state.hand[declarer] | state.played[declarer] | state.discards
    past.discards = 0
    past.discards_left = skruuvi.KOTKA
    while past.discards_left > 0:
        card = decide(past, declarer)
        if not (past.hand[declarer] >> card) & 1:
            return
        step(past, card)
    if past.discards & state.played[declarer]:
        return
    hand = past.hand[declarer] & ~state.played[declarer]
    for suit in SUITS:
        if (state.voids[declarer] >> suit) & 1 and hand & suit_cards(suit):
            return
    state.hand[declarer] = hand
    state.discards = past.discards


@kernel
def no_call(past, state):
    """Of a game whose calls are not read: its worlds are all as likely."""
    return UNKNOWN


CALLS: dict[str, Callable[..., Any]] = {"vint": vint_call, "skruuvi": skruuvi_call, "biritch": biritch_call}


def weigh_calls(states, pasts, seat, misses):
    """How many calls of the others, in each of these full states, rules of thumb would not have made; ``pasts`` are copies."""
    for place in range(states.size):
        state, past = states[place], pasts[place]
        past.hand[:] = past.dealt
        begin(past)
        misses[place] = 0
        while True:
            call = made_call(past, state)
            if call == UNKNOWN:
                break
            if past.seat != seat and decide(past, past.seat) != call:
                misses[place] += 1
            step(past, call)
        lay_away(state, past, seat)


@cache
def loop_of(game: Game) -> Any:
    """:func:`weigh_calls` with the kernels and the rules of thumb of ``game``."""
    kernels: dict[str, Any] = {**game.kernels, "decide": rules_of_thumb(game), "made_call": CALLS.get(game.name, no_call)}
    exchange = game.name == skruuvi.GAME.name
    kernels["lay_away"] = kernel(rebind(choose_discards, game.name, kernels)) if exchange else lay_nothing_away
    return cached_kernel(rebind(weigh_calls, game.name, kernels))

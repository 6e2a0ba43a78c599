"""What a deal pays: played on from a full state by rules of thumb, or ended by sharing out the tricks that are left."""

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from ..engine.bits import lowest
from ..engine.cards import CARDS, NO_SEAT, side_of
from ..engine.game import Game
from ..engine.kernel import cached_kernel, kernel, rebind
from .thumb import rules_of_thumb

if TYPE_CHECKING:  # bound to a game's kernels by estimates_of

    def _kernel(*arguments: Any) -> Any: ...

    claim = decide = legal = step = _kernel


@kernel
def pay_of(result, seat):
    """The margin of a finished deal for ``seat``, whose side wins what the other loses; who plays alone is paid by three."""
    margin = 0
    for line in range(result.lines.shape[0]):
        margin += result.lines[line, 0] - result.lines[line, 1]
    if result.alone == NO_SEAT:
        return np.float64(-margin if side_of(seat) else margin)
    own = -margin if side_of(result.alone) else margin
    return np.float64(own) if seat == result.alone else -own / 3


def play_on(states, actions, seats, pay):
    """Make ``actions`` in these states, play the deals to their end by rules of thumb, and write what each seat is paid."""
    for place in range(states.size):
        state = states[place]
        finished = state.finished
        action = actions[place]
        while True:
            step(state, action)
            if state.finished != finished:
                break
            cards, calls = legal(state)
            action = decide(state, state.seat)
            offered = cards >> action if action < len(CARDS) else calls >> (action - len(CARDS))
            if not offered & 1:
                action = lowest(cards) if cards else len(CARDS) + lowest(calls)
        pay[place] = pay_of(state.result, seats[place])


def share_out(states, more, seats, pay):
    """End the deal in these states, side 0 taking so many ``more`` tricks, and write what the seat is paid."""
    for place in range(states.size):
        state = states[place]
        claim(state, more[place])
        pay[place] = pay_of(state.result, seats[place])


@dataclass(frozen=True)
class Estimates:
    """The compiled loops of one game."""

    play_on: Any
    share_out: Any


@cache
def estimates_of(game: Game) -> Estimates:
    """The loops with the kernels and the rules of thumb of ``game``."""
    kernels = {**game.kernels, "decide": rules_of_thumb(game)}
    return Estimates(*(cached_kernel(rebind(loop, game.name, kernels)) for loop in (play_on, share_out)))

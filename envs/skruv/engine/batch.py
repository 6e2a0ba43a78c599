"""The one loop over n tables; a single table is a batch of one.

The functions without a decorator are written once against the names of a game's kernels (``reset``, ``legal``, ``step``, ...);
:func:`loops_of` compiles them for each game.
"""

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from .bits import WORD, count, lowest, settle, spreader, stream
from .cards import CARDS, GOLDEN, NO_CARDS, NO_SEAT, NO_SIDE, SEATS, side_of
from .game import Game
from .kernel import cached_kernel, kernel, rebind
from .sight import row_widths

if TYPE_CHECKING:  # bound to a game's kernels by loops_of

    def _kernel(*arguments: Any) -> Any: ...

    award = begin = deal = derive = determinize = hide = imagine = legal = observe = reset = step = _kernel
    spread_choices = spread_facts = spread_derived = _kernel
    FACT_ROWS = FACT_BITS = ROWS = 0

MARGIN, WINNER = range(2)
"""Forms of reward."""
RAISE, TERMINATE = range(2)
"""What an illegal action does."""
ACTOR = -1
"""As a seat: whoever is to act."""
LONGEST_DEAL = 512
"""Actions; the longest possible is Vint's, 428 calls and 52 cards."""
CACHED = 2**23
"""Bytes of observations that are written through the caches; more are written past them."""
PAGE_ROWS = 32
"""Observations that are collected then."""
OFFER = 2
"""Bitboards of a table that say what is legal: cards and calls. The tables' lie in one row, an empty offer at its end."""

SETTINGS = np.dtype(
    [
        ("reward", "i1"),  # MARGIN or WINNER
        ("illegal", "i1"),  # RAISE or TERMINATE
        ("autoreset", "i1"),
        ("skip_forced", "i1"),
        ("random_ledger", "i1"),
        ("scale", "f8"),  # factor of every reward
        ("penalty", "f8"),  # points that the offender's side pays for an illegal action
        ("max_deals", "i8"),  # deals begun after which an episode is truncated, -1 never
    ],
    align=True,
)

TRAIL = np.dtype(
    [
        ("actions", "i2", (2, LONGEST_DEAL)),  # on two pages, of the deal that is played and of the one before
        ("seats", "i1", (2, LONGEST_DEAL)),  # whose decision each was
        ("length", "i2", 2),
        ("page", "i2"),  # of the deal that is played
    ],
    align=True,
)
"""The actions of a table since its last deal but one began."""


def start(state, settings):
    """A new episode at one table."""
    reset(state)
    if settings.random_ledger:
        imagine(state)


def offer(state, over, table, offers):
    """Write down the legal actions of whoever is to act, none where the episode is ``over``."""
    cards, calls = legal(state)
    offers[OFFER * table] = NO_CARDS if over else cards
    offers[OFFER * table + 1] = NO_CARDS if over else calls


@kernel
def is_offered(offers, table, action):
    """Whether ``action``, any integer, may be made now."""
    if action < len(CARDS):
        return action >= 0 and (offers[OFFER * table] >> action) & 1 == 1
    return action - len(CARDS) < WORD and (offers[OFFER * table + 1] >> (action - len(CARDS))) & 1 == 1


@kernel
def forced(offers, table):
    """The only legal action, -1 where there are more."""
    cards, calls = offers[OFFER * table], offers[OFFER * table + 1]
    if count(cards) + count(calls) != 1:
        return -1
    return lowest(cards) if cards else len(CARDS) + lowest(calls)


@kernel
def pay_margin(result, scale, reward, place):
    """The margin of a deal to each seat, in ``reward[place]``; who plays alone gets it from three."""
    margin = 0
    for line in range(result.lines.shape[0]):
        margin += result.lines[line, 0] - result.lines[line, 1]
    share(margin * scale, result.alone, reward, place)


@kernel
def share(margin, alone, reward, place):
    """``margin`` points for side 0, against side 1 or, where a seat is ``alone``, between it and the three others."""
    if alone == NO_SEAT:
        for seat in SEATS:
            reward[place, seat] += -margin if side_of(seat) else margin
    else:
        own = -margin if side_of(alone) else margin
        for seat in SEATS:
            reward[place, seat] += own if seat == alone else -own / 3


@kernel
def pay_winner(state, scale, reward, place):
    """+1, 0 or -1 at the end of an episode."""
    if state.winner != NO_SIDE:
        alone = state.result.alone if state.begun == 1 else NO_SEAT
        share(scale if state.winner == 0 else -scale, alone, reward, place)


@kernel
def note(trail, seat, action):
    """Write down an action."""
    page = trail.page
    trail.actions[page, trail.length[page]] = action
    trail.seats[page, trail.length[page]] = seat
    trail.length[page] += 1


@kernel
def turn_page(trail):
    """A deal has ended: the older page is wiped for the next one."""
    trail.page = 1 - trail.page
    trail.length[trail.page] = 0


def move(state, action, settings, reward, place):
    """A legal action at one table, and the rewards that it brings; true where it finished a deal."""
    before = state.finished
    step(state, action)
    if state.finished == before:
        return False
    if settings.reward == MARGIN:
        pay_margin(state.result, settings.scale, reward, place)
    elif state.seat == NO_SEAT:
        pay_winner(state, settings.scale, reward, place)
    return True


@cached_kernel
def refused(ended, offers, rows, actions, settings):
    """The place of the first action that can't be made, -1 if there is none."""
    strict = settings[0].illegal == RAISE
    for place in range(rows.size):
        if ended[rows[place]] or (strict and not is_offered(offers, rows[place], actions[place])):
            return place
    return -1


def advance(states, ended, offers, trails, rows, actions, settings, reward, terminated, truncated):
    """Make one action at each of the tables ``rows``, or at none: what :func:`refused` returns."""
    place = refused(ended, offers, rows, actions, settings)
    if place >= 0:
        return place
    setting = settings[0]
    for place in range(rows.size):
        table = rows[place]
        state = states[table]
        action = actions[place]
        for seat in SEATS:
            reward[place, seat] = 0
        over = setting.illegal == TERMINATE and not is_offered(offers, table, action)
        cut = False
        if over:
            share(setting.penalty * setting.scale * (2 * side_of(state.seat) - 1), NO_SEAT, reward, place)
            if trails.size:
                turn_page(trails[table])
        while not over and action >= 0:
            if trails.size:
                note(trails[table], state.seat, action)
            finished = move(state, action, setting, reward, place)
            over = state.seat == NO_SEAT
            cut = finished and not over and 0 <= setting.max_deals <= state.finished
            if finished and trails.size:
                turn_page(trails[table])
            if cut or over or not setting.skip_forced:
                break
            offer(state, False, table, offers)
            action = forced(offers, table)
        terminated[place] = over
        truncated[place] = cut
        if over or cut:
            if setting.autoreset:
                start(state, setting)
            else:
                ended[table] = 1
        offer(state, ended[table], table, offers)
    return -1


def look(states, ended, offers, rows, seats, scratch, words, page, observation, mask, seat_out):
    """Write what a seat of each of the tables ``rows`` observes; its mask is empty where it is not to act.

    ``scratch`` is a view and ``words`` are its bitboards in a row; rows of an array that is larger than the caches are collected on the
    ``page`` first.
    """
    view = scratch[0]
    streams = observation.size > CACHED
    target = page if streams else observation
    nothing = offers.size - OFFER
    derived = observation.shape[1] > FACT_BITS
    for place in range(rows.size):
        table = rows[place]
        state = states[table]
        actor = NO_SEAT if ended[table] else state.seat
        seat = actor if seats[place] == ACTOR else seats[place]
        seat_out[place] = seat
        spread_choices(offers, OFFER * table if seat == actor else nothing, mask, place, 0)
        for row in range(ROWS):
            words[row] = 0
        if seat != NO_SEAT:
            observe(state, seat, view)
            if derived:
                derive(state, seat, view)
        line = place % PAGE_ROWS if streams else place
        spread_facts(words, 0, target, line, 0)
        if derived:
            spread_derived(words, FACT_ROWS, target, line, FACT_BITS)
        if streams and (line == PAGE_ROWS - 1 or place == rows.size - 1):
            stream(page, observation, place - line, line + 1)
    if streams:
        settle()


def mark(offers, rows, mask):
    """Write the mask of whoever is to act at each of the tables ``rows``."""
    for place in range(rows.size):
        spread_choices(offers, OFFER * rows[place], mask, place, 0)


def restart(states, ended, offers, rows, settings):
    """A new episode at each of the tables ``rows``."""
    for place in range(rows.size):
        table = rows[place]
        ended[table] = 0
        start(states[table], settings[0])
        offer(states[table], False, table, offers)


def renew(states, ended, offers, rows):
    """Offer the legal actions at each of the tables ``rows``, whose states were put there."""
    for place in range(rows.size):
        offer(states[rows[place]], ended[rows[place]], rows[place], offers)


def arrange(states, offers, rows, dealt, contracts, declarers):
    """Open anew the deal of each of the tables ``rows``, whose score sheet or dealer was changed.

    With ``dealt`` its hands were put into the state, else the same shuffle is dealt again; with a contract (not -1) it opens at
    the play of the cards.
    """
    for place in range(rows.size):
        state = states[rows[place]]
        state.begun -= 1
        if dealt[place]:
            begin(state)
        else:
            state.stream -= GOLDEN
            deal(state)
        if contracts[place] >= 0:
            award(state, contracts[place], declarers[place])
        offer(state, False, rows[place], offers)


def veil(states, seats):
    """Blank, in these copies, what each seat does not know."""
    for place in range(seats.size):
        hide(states[place], seats[place])


def redeal(states, seats, streams):
    """Turn these copies into full states again: what each seat does not know is dealt from its stream."""
    for place in range(seats.size):
        hide(states[place], seats[place])
        determinize(states[place], seats[place], streams[place])


@dataclass(frozen=True)
class Loops:
    """The compiled loops of one game."""

    advance: Any
    look: Any
    mark: Any
    restart: Any
    renew: Any
    arrange: Any
    veil: Any
    redeal: Any


@cache
def loops_of(game: Game) -> Loops:
    """The loops with the kernels of ``game``."""
    facts, derived = row_widths(game.facts), row_widths(plane for plane in game.planes if plane.sort == "derived")
    kernels = {
        **game.kernels,
        "spread_choices": spreader(f"{game.name}_choices", (len(CARDS), len(game.calls))),
        "spread_facts": spreader(f"{game.name}_facts", facts),
        "spread_derived": spreader(f"{game.name}_derived", derived),
        "FACT_ROWS": len(facts),
        "ROWS": len(facts) + len(derived),
        "FACT_BITS": game.size("raw"),
    }
    for helper in (start, offer, move):
        kernels[helper.__name__] = kernel(rebind(helper, game.name, kernels))
    return Loops(**{
        loop.__name__: cached_kernel(rebind(loop, game.name, kernels))
        for loop in (advance, look, mark, restart, renew, arrange, veil, redeal)
    })

"""Biritch, or Russian Whist, in the order in which a deal is played: words, numbers of the law, kernels.

The dealer or his partner names trumps, or biritch: no trump; the sides double in turn, without a ceiling; dummy is laid open
after the lead, and the dealer plays both hands; the side that takes more than six tricks scores those above six.
"""

from dataclasses import dataclass
from typing import Annotated, Any, Literal

import numpy as np

from ..engine.bits import ONE, count, first, only
from ..engine.cards import (
    ACES, CARD_NAMES, CARDS, CLUBS, DIAMONDS, HEARTS, HONOURS, NO_BID, NO_CARDS, NO_SEAT, NO_TRUMP, SEATS, SIDES, SPADES,
    left_of, of_suit, partner_of, seat_at, session_stream, shuffle_into_hands, side_of, suit_cards, uniform,
)
from ..engine.game import (
    Game, ScoreLine, action_dtype, close_session, deal_leader, first_of, open_session, record_deal, state_dtype,
)
from ..engine.kernel import kernel
from ..engine.rules import Between, OptionError, check_rules
from ..engine.sight import (
    CHAIRS, DEAL_PLANES, DERIVED_PLANES, OURS_THEIRS, STRAIN_NAMES, YES, Plane, chair_seen, derive_deal, hide_hands,
    margin_seen, see_deal, tricks_for, unseen_from,
)
from ..engine.tricks import TRICK_FIELDS, clear_tricks, gather, lay, playable
from ..engine.worlds import deal_hidden, hidden_in, room_of

# ---- words ------------------------------------------------------------------------------------------------------------------

PHASES = ("naming", "contre", "play")
NAMING, CONTRE, PLAY = range(len(PHASES))

STRAINS = (SPADES, CLUBS, DIAMONDS, HEARTS, NO_TRUMP)
"""From the cheapest to biritch (B-11); a contract is the place of its strain."""
CONTRACT_NAMES = tuple(STRAIN_NAMES[strain] for strain in STRAINS)

ACTION = action_dtype([("pass_", "i1"), ("strain", "i1", len(STRAINS)), ("double", "i1")])
PASS, FIRST_STRAIN, DOUBLE = (first_of(ACTION, call) for call in ("pass_", "strain", "double"))
"""A pass is the dealer's "to partner" and declines to double; contre, sur contre and every later raise are a double."""
PASS_CALL, DOUBLE_CALL = ONE << (PASS - len(CARDS)), ONE << (DOUBLE - len(CARDS))
STRAIN_CALLS = np.int64(2 ** len(STRAINS) - 1) << (FIRST_STRAIN - len(CARDS))

LINES = (
    ScoreLine("below", "tricks", "B-11"),
    ScoreLine("above", "slam", "B-12"),
    ScoreLine("above", "honours", "B-15, B-16"),
    ScoreLine("above", "aces", "B-14"),
    ScoreLine("above", "chicane", "B-17, B-18, B-19, B-20"),
    ScoreLine("above", "rubber", "B-24"),
)
TRICKS, SLAM, HONOUR_PRIZE, ACE_PRIZE, CHICANE_CHANGE, RUBBER_PRIZE = range(len(LINES))

# ---- the numbers of the law -------------------------------------------------------------------------------------------------

BOOK = 6
"""Tricks of a side that score nothing; each one more is an odd trick (B-11)."""
TRICK_VALUES = (2, 4, 6, 8, 10)
"""Of an odd trick, undoubled, by strain from spades up (B-11)."""
MOST_DOUBLINGS = 40
"""A score has room for no more (B-6)."""
SLAMS = 12 * (0,) + (20, 40)
"""For so many tricks of either side (B-12)."""
HONOURS_DIVIDED, HONOURS_TOGETHER = (0, 0, 0, 2, 4, 5), (0, 0, 0, 0, 8, 9)
"""Times the undoubled value, for so many trump honours of a side; the second with four or five in one hand (B-15, B-16)."""
ACES_DIVIDED, ACES_TOGETHER = (0, 0, 0, 30, 40), 80
"""At biritch, for so many aces of a side; the second with four in one hand (B-14)."""
CHICANE_TRICKS = 2
"""Times the undoubled value, for a side that was dealt a hand without trumps (B-17)."""
GAME_POINTS, GAME_PRIZES = 30, (0, 40)
"""Below the line (B-13); above it, for a side's first game and for its second, the rubber (B-24)."""


@dataclass(frozen=True, kw_only=True)
class BiritchRules:
    """The options of Biritch."""

    episode: Literal["deal", "rubber"] = "deal"
    """One deal, or a rubber: until a side has won two games (B-24)."""
    max_doublings: Annotated[int | None, Between(0, MOST_DOUBLINGS)] = None
    """Doublings after which the play begins at once, 0: none is offered. ``None`` is the law, no ceiling (B-6); as a score has
    room for 40 doublings, no raise is offered after the 40th."""
    first_dealer: Literal["N", "E", "S", "W"] | None = None
    """Who deals first; ``None``: drawn for each session (C-5)."""

    def __post_init__(self) -> None:
        check_rules(self)


DEAL, RUBBER = range(2)

LEDGER_FIELDS = [
    ("below", "i8", len(SIDES)),  # points below the current line, by side
    ("games", "i1", len(SIDES)),  # games won in this rubber, by side
]

STATE = state_dtype(
    BiritchRules, LEDGER_FIELDS, LINES, TRICK_FIELDS,
    [
        ("contract", "i1"),  # the number of the strain that was named, -1 none yet
        ("namer", "i1"),  # the seat that names or has named it: the dealer or his partner
        ("doublings", "i1"),  # raises made, 0..40; the factor is 2 ** doublings
        ("raised", "i1"),  # bit s: the seat has raised
        ("declined", "i1"),  # the seat that has declined since its side was asked, -1 nobody
        ("turn", "i1"),  # whose hand is to play, -1 before the play; dummy's too, where ``seat`` is the dealer
    ],
)

# ---- the deal, the naming of the strain and the contre ----------------------------------------------------------------------


@kernel
def reset(state):
    """A new session: a clean line, no games, the first dealer, the first deal."""
    open_session(state)
    state.ledger.below[:] = state.ledger.games[:] = 0
    deal(state)


@kernel
def deal(state):
    """Thirteen cards each (C-3, C-4)."""
    shuffle_into_hands(state, 13)
    begin(state)


@kernel
def begin(state):
    """The hands are dealt; the dealer names the strain."""
    clear_tricks(state)
    state.contract = NO_BID
    state.doublings = state.raised = 0
    state.declined = state.turn = NO_SEAT
    state.begun += 1
    state.phase = NAMING
    state.namer = state.seat = state.dealer


@kernel
def legal(state):
    """The legal actions, as a bitboard of cards and one of calls (bit 0 the pass)."""
    if state.phase == PLAY:
        return playable(state, state.hand[state.turn]), NO_CARDS
    if state.phase == CONTRE:
        return NO_CARDS, PASS_CALL | DOUBLE_CALL if state.doublings < MOST_DOUBLINGS else PASS_CALL
    if state.phase == NAMING:
        return NO_CARDS, PASS_CALL | STRAIN_CALLS if state.seat == state.dealer else STRAIN_CALLS
    return NO_CARDS, NO_CARDS


@kernel
def step(state, action):
    """Make a legal action."""
    if state.phase == PLAY:
        play(state, action)
    elif state.phase == CONTRE:
        answer(state, action)
    else:
        name_strain(state, action)


@kernel
def name_strain(state, call):
    """The dealer names trumps, or biritch, or leaves it to his partner, who has to (B-1)."""
    if call == PASS:
        state.namer = state.seat = partner_of(state.dealer)
    else:
        state.contract = call - FIRST_STRAIN
        ask_side(state)


@kernel
def ask_side(state):
    """The defence may double, the dealer's left first (B-2, B-5); then the sides in turn, the dealer's from the namer (B-4)."""
    if state.doublings == state.rules.max_doublings:  # B-6
        start_play(state)
    else:
        state.phase = CONTRE
        state.declined = NO_SEAT
        state.seat = state.namer if state.doublings & 1 else left_of(state.dealer)


@kernel
def answer(state, call):
    """Double, and the other side is asked; or decline, and so is the partner (B-3); where both decline the play begins."""
    if call == DOUBLE:
        state.doublings += 1
        state.raised |= ONE << state.seat
        ask_side(state)
    elif state.declined == NO_SEAT:
        state.declined = state.seat
        state.seat = partner_of(state.seat)
    else:
        start_play(state)


# ---- the play of the cards --------------------------------------------------------------------------------------------------


@kernel
def start_play(state):
    """The player on the dealer's left leads, whoever named the strain (B-2)."""
    state.phase = PLAY
    state.strain = STRAINS[state.contract]
    state.leader = left_of(state.dealer)
    give_turn(state)


@kernel
def give_turn(state):
    """The leader's hand plays first, the others follow clockwise; the dealer decides for dummy (B-9, B-10)."""
    state.turn = seat_at(state.laid, state.leader)
    state.seat = state.dealer if state.turn == partner_of(state.dealer) else state.turn


@kernel
def play(state, card):
    """A card of the hand whose turn it is. The winner of a full trick leads to the next; all thirteen are played."""
    lay(state, state.turn, card)
    if state.laid == len(SEATS):
        gather(state)
    if state.done < 13:
        give_turn(state)
    else:
        finish_deal(state)


# ---- the score --------------------------------------------------------------------------------------------------------------


@kernel
def finish_deal(state):
    """Score; a game draws a new line (B-13), the second one ends the rubber (B-24). Every deal counts (B-27)."""
    ledger, lines = state.ledger, state.result.lines
    score(state, lines)
    side = np.int64(state.tricks[1] > state.tricks[0])
    ledger.below[side] += lines[TRICKS, side]
    if ledger.below[side] >= GAME_POINTS:
        ledger.below[:] = 0
        lines[RUBBER_PRIZE, side] = GAME_PRIZES[ledger.games[side]]
        ledger.games[side] += 1
    record_deal(state, state.contract, state.dealer, state.doublings)
    if state.rules.episode == DEAL:
        close_session(state, deal_leader(state.result))
    elif ledger.games[side] == 2:
        close_session(state, side)
    else:
        state.dealer = left_of(state.dealer)
        deal(state)


@kernel
def score(state, lines):
    """Write the lines of the deal but the rubber; either side scores its odd tricks (B-11)."""
    lines[:] = 0
    for side in SIDES:
        lines[TRICKS, side] = max(state.tricks[side] - BOOK, 0) * trick_value(state)
        lines[SLAM, side] = SLAMS[state.tricks[side]]
        score_honours(state, lines, side)


@kernel
def trick_value(state):
    """Of an odd trick; nothing else is doubled (B-7)."""
    return np.int64(TRICK_VALUES[state.contract]) << state.doublings


@kernel
def score_honours(state, lines, side):
    """In the hands as dealt: aces at biritch (B-14), else honours (B-15, B-16) and what chicane adds or takes (B-17..B-22)."""
    board = ACES if state.strain == NO_TRUMP else of_suit(HONOURS, state.strain)
    first, second = state.dealt[side] & board, state.dealt[partner_of(side)] & board
    held, together = count(first | second), max(count(first), count(second))
    value = TRICK_VALUES[state.contract]
    if state.strain == NO_TRUMP:
        lines[ACE_PRIZE, side] = ACES_TOGETHER if together == 4 else ACES_DIVIDED[held]
    elif held >= 3:
        lines[HONOUR_PRIZE, side] = value * (HONOURS_TOGETHER[held] if together >= 4 else HONOURS_DIVIDED[held])
        lines[CHICANE_CHANGE, side] = value * CHICANE_TRICKS * (chicanes(state, side) - chicanes(state, 1 - side))


@kernel
def chicanes(state, side):
    """1 where the side was dealt a hand without trumps, or two (B-18), else 0."""
    trumps = suit_cards(state.strain)
    return np.int64(state.dealt[side] & trumps == 0 or state.dealt[partner_of(side)] & trumps == 0)


# ---- what a seat sees -------------------------------------------------------------------------------------------------------

MARGIN_BITS, MARGIN_STEP = 20, 20
"""The running margin, points to a bit."""

PLANES = (
    *DEAL_PLANES,
    Plane("phase", (PHASES,), "public", "naming, contre or play"),
    Plane("margin", (MARGIN_BITS,), "public", f"our running margin, {MARGIN_STEP} points a bit, ten bits at 0"),
    Plane("strain", (STRAIN_NAMES,), "public", "strain named"),
    Plane("to_partner", (YES,), "public", "the dealer has left the naming to his partner"),
    Plane("doublings", (8,), "public", "doublings, up to eight"),
    Plane("doubled_by", (CHAIRS,), "public", "who has doubled"),
    Plane("declined", (CHAIRS,), "public", "who has declined while the partner is asked"),
    Plane("dummy", (CARD_NAMES,), "public", "cards in dummy's hand, from the opening lead on"),
    Plane("for_dummy", (YES,), "public", "dummy's hand is to play; the dealer decides"),
    Plane("below", (OURS_THEIRS, 14), "public", "points below the line before this deal, 2 a bit"),
    Plane("games", (OURS_THEIRS,), "public", "who has won a game"),
    *DERIVED_PLANES,
    Plane("needed", (OURS_THEIRS, BOOK + 1), "derived", "tricks that the side still needs to score: seven at most"),
    Plane("game_needed", (OURS_THEIRS, 13), "derived", "tricks at this strain and doubling that the side still needs for game"),
)


@kernel
def observe(state, seat, view):
    """The facts that ``seat`` knows."""
    see_deal(state, seat, view)
    view.margin = margin_seen(state.ledger.total, side_of(seat), MARGIN_BITS, MARGIN_STEP)
    if state.contract != NO_BID:
        view.strain = only(STRAINS[state.contract])
    view.to_partner = state.namer != state.dealer
    view.doublings = first(state.doublings)
    for chair in SEATS:
        view.doubled_by |= np.int64((state.raised >> seat_at(chair, seat)) & 1) << chair
    if state.phase == CONTRE:
        view.declined = chair_seen(state.declined, seat)
    view.dummy = open_hand(state)
    view.for_dummy = state.phase == PLAY and state.turn != state.seat
    for place in SIDES:
        side = side_of(seat + place)
        view.below[place] = first(state.ledger.below[side] // 2)
        view.games |= (state.ledger.games[side] > 0) << place


@kernel
def open_hand(state):
    """Dummy's cards, from the opening lead on (B-8)."""
    return state.hand[partner_of(state.dealer)] if state.done > 0 or state.laid > 0 else NO_CARDS


@kernel
def derive(state, seat, view):
    """What follows from the facts."""
    hand = state.hand[state.turn if state.phase == PLAY and seat == state.seat else seat]
    derive_deal(state, seat, hand, unseen_from(state, seat) & ~open_hand(state), view)
    if state.contract != NO_BID:
        value = trick_value(state)
        for place in SIDES:
            side = side_of(seat + place)
            to_game = BOOK + tricks_for(GAME_POINTS - state.ledger.below[side], value)
            view.needed[place] = first(BOOK + 1 - state.tricks[side])
            view.game_needed[place] = first(to_game - state.tricks[side])


@kernel
def hide(state, seat):
    """Blank what ``seat`` does not know; all know dummy's hand once it is open (C-8, B-8)."""
    dummy = partner_of(state.dealer)
    shown = open_hand(state)
    hide_hands(state, seat)
    state.hand[dummy] |= shown
    state.dealt[dummy] |= shown | state.played[dummy]


@kernel
def determinize(state, seat, stream):
    """Deal what :func:`hide` has blanked, one of the ways that ``seat`` must reckon with."""
    state.stream, _ = deal_hidden(state, seat, room_of(state, 13), hidden_in(state), stream)


@kernel
def standing(state):
    """The contract, its declarer (the dealer, whoever named it) and the doublings; -1 before the naming."""
    return state.contract, state.dealer if state.contract != NO_BID else NO_SEAT, state.doublings


# ---- where a session may start ----------------------------------------------------------------------------------------------


@kernel
def award(state, contract, declarer):
    """A contract that is given, undoubled: the declarer has dealt and named it; the play of the cards begins."""
    state.dealer = state.namer = declarer
    state.contract = contract
    start_play(state)


@kernel
def claim(state, more):
    """End the deal, side 0 taking ``more`` of the tricks that are left."""
    state.tricks[0] += more
    state.tricks[1] = 13 - state.tricks[0]
    finish_deal(state)


@kernel
def imagine(state):
    """A plausible running score, so that an agent of one-deal episodes meets part scores and games."""
    stream = session_stream(state)
    ledger = state.ledger
    for side in SIDES:
        stream, ledger.games[side] = uniform(stream, 2)
        stream, below = uniform(stream, GAME_POINTS // 2)
        stream, above_line = uniform(stream, 60)
        ledger.below[side] = 2 * below
        ledger.total[side] = ledger.below[side] + np.int64(ledger.games[side]) * GAME_POINTS + 2 * above_line


def check_opening(rules: BiritchRules, opening: Any) -> None:
    """Raise ``OptionError`` for a dealer who is not the declarer of a given contract (B-9)."""
    if opening.contract != NO_BID and opening.dealer not in (None, opening.declarer):
        raise OptionError("dealer and declarer differ: in Biritch the dealer is declarer, so leave the dealer out")


GAME = Game(
    name="biritch", title="Biritch", rules=BiritchRules, state=STATE, planes=PLANES, action=ACTION, phases=PHASES, lines=LINES,
    calls=("P", *CONTRACT_NAMES, "X"), contracts=CONTRACT_NAMES,
    worst_deal=7 * 10 + SLAMS[13] + ACES_TOGETHER + GAME_PRIZES[1],  # biritch; hearts with honours and chicane: 6 less
    check_opening=check_opening, ledger_limits={"below": GAME_POINTS, "games": len(GAME_PRIZES)},
    reset=reset, deal=deal, begin=begin, legal=legal, step=step,
    observe=observe, derive=derive, hide=hide, determinize=determinize, standing=standing, award=award, claim=claim, imagine=imagine,
)

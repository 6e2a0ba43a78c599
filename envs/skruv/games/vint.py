"""Vint, in the order in which a deal is played: words, numbers of the law, kernels.

The dealer speaks first; twelve passes in a row close the auction; nobody lays down a hand; every trick of both sides counts below
the line, whether or not the contract is made.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from ..engine.auction import AUCTION_FIELDS, clear_auction, make_bid
from ..engine.bits import ONE, above, count, first, only
from ..engine.cards import (
    ACES, CARDS, CLUBS, DIAMONDS, HEARTS, HONOURS, NO_BID, NO_CARDS, NO_SIDE, NO_TRUMP, SEATS, SIDES, SPADES, STRAIN_LETTERS,
    left_of, of_suit, seat_at, session_stream, shuffle_into_hands, side_of, uniform,
)
from ..engine.game import (
    Game, ScoreLine, action_dtype, close_session, deal_leader, first_of, open_session, pass_out, record_deal, state_dtype,
)
from ..engine.kernel import kernel
from ..engine.rules import check_rules
from ..engine.sight import (
    CHAIRS, DEAL_PLANES, DERIVED_PLANES, OURS_THEIRS, STRAIN_NAMES, Plane, chair_seen, derive_deal, hide_hands, margin_seen, see_deal,
    tricks_for, unseen_from,
)
from ..engine.tricks import TRICK_FIELDS, clear_tricks, gather, lay, playable
from ..engine.worlds import deal_hidden, hidden_in, room_of

# ---- words ------------------------------------------------------------------------------------------------------------------

PHASES = ("auction", "play")
AUCTION, PLAY = range(len(PHASES))

DENOMINATIONS = (SPADES, CLUBS, DIAMONDS, HEARTS, NO_TRUMP)
"""From the lowest to the highest (V-2)."""
LEVELS = tuple(range(1, 8))
BIDS = tuple(range(len(LEVELS) * len(DENOMINATIONS)))
"""A bid is 5 * (level - 1) + the place of its denomination (V-2)."""
BID_NAMES = tuple(f"{level}{STRAIN_LETTERS[strain]}" for level in LEVELS for strain in DENOMINATIONS)

ACTION = action_dtype([("pass_", "i1"), ("bid", "i1", len(BIDS))])
PASS = first_of(ACTION, "pass_")
FIRST_BID = first_of(ACTION, "bid")
PASS_CALL = ONE << (PASS - len(CARDS))
BID_CALLS = np.int64(FIRST_BID - len(CARDS))
ALL_BIDS = np.int64(2 ** len(BIDS) - 1)

LINES = (
    ScoreLine("below", "tricks", "V-12"),
    ScoreLine("above", "slam", "V-13"),
    ScoreLine("above", "bid_slam", "V-14"),
    ScoreLine("above", "undertricks", "V-15"),
    ScoreLine("above", "failed_slam", "V-15"),
    ScoreLine("above", "honours", "V-17"),
    ScoreLine("above", "aces", "V-18, V-19"),
    ScoreLine("above", "game", "V-26"),
)
TRICKS, SLAM, BID_SLAM, UNDERTRICKS, FAILED_SLAM, HONOUR_PRIZE, ACE_PRIZE, GAME_PRIZE = range(len(LINES))

# ---- the numbers of the law -------------------------------------------------------------------------------------------------

PASSES_TO_VOID = 8
"""Passes without a bid that void the deal (V-4)."""
TRICK_VALUES = (4, 6, 8, 10, 12)
"""Of each trick at level 1, by denomination from spades up (V-11)."""
PER_LEVEL = 10
"""More for each level above the first (V-11)."""
SMALL_SLAM, GRAND_SLAM = 500, 1000
"""For 12 and for 13 tricks, to either side, whatever was bid (V-13)."""
SMALL_SLAM_BID, GRAND_SLAM_BID = 3000, 5000
"""For a level of 6 or 7: to the declaring side if made (V-14), to the defence if not (V-15)."""
UNDERTRICK = 500
"""Times the level, for each trick short (V-15)."""
HONOUR_TRICKS = (0, 0, 0, 20, 30, 40)
"""Times the trick value, for so many trump honours in a side's hands (V-17)."""
ACE_TRICKS = 10
"""Times the trick value, for each ace of the side with more of them (V-18); two are counted on equality (V-19)."""
GAME_POINTS = 500
"""Below the line (V-22)."""
GAME_PRIZES = (500, 1000)
"""For a side's first and second game (V-26)."""


@dataclass(frozen=True, kw_only=True)
class VintRules:
    """The options of Vint."""

    episode: Literal["deal", "rubber"] = "deal"
    """One deal, or a rubber: until a side has won two games (V-28)."""
    end_passes: Literal[12, 8] = 12
    """Passes in a row after a bid that close the auction; 8 is another code's (V-6)."""
    first_dealer: Literal["N", "E", "S", "W"] | None = None
    """Who deals first; ``None``: drawn for each session (C-5)."""

    def __post_init__(self) -> None:
        check_rules(self)


DEAL, RUBBER = range(2)

LEDGER_FIELDS = [
    ("below", "i4", len(SIDES)),  # points below the current line, by side
    ("games", "i1", len(SIDES)),  # games won in this rubber, by side
]

STATE = state_dtype(
    VintRules, LEDGER_FIELDS, LINES, TRICK_FIELDS, AUCTION_FIELDS,
    [
        ("rounds", "i8", 2),  # bitboards over the bids: made after one, after two full rounds of passes
        ("crossed", "i1"),  # the side that was first to reach a game in this deal, -1 none (V-23)
    ],
)

# ---- the deal and the auction -----------------------------------------------------------------------------------------------


@kernel
def level_of(bid):
    return np.int64(bid) // 5 + 1


@kernel
def strain_of(bid):
    return DENOMINATIONS[bid % 5]


@kernel
def trick_value(bid):
    """V, the value of one trick (V-11)."""
    return TRICK_VALUES[bid % 5] + PER_LEVEL * (level_of(bid) - 1)


@kernel
def tricks_to_make(bid):
    return 6 + level_of(bid)


@kernel
def reset(state):
    """A new session: a clean line, no games, the first dealer, the first deal."""
    open_session(state)
    state.ledger.below[:] = 0
    state.ledger.games[:] = 0
    deal(state)


@kernel
def deal(state):
    """Thirteen cards each (C-3, C-4)."""
    shuffle_into_hands(state, 13)
    begin(state)


@kernel
def begin(state):
    """The hands are dealt; the dealer speaks first (V-1)."""
    clear_tricks(state)
    clear_auction(state)
    state.rounds[:] = 0
    state.crossed = NO_SIDE
    state.begun += 1
    state.phase = AUCTION
    state.seat = state.dealer


@kernel
def legal(state):
    """The legal actions, as a bitboard of cards and one of calls (bit 0 the pass)."""
    if state.phase == PLAY:
        return playable(state, state.hand[state.seat]), NO_CARDS
    if state.phase == AUCTION:
        higher = ALL_BIDS if state.bid == NO_BID else ALL_BIDS & above(state.bid)  # V-2; never final (V-3)
        return NO_CARDS, PASS_CALL | higher << BID_CALLS
    return NO_CARDS, NO_CARDS


@kernel
def step(state, action):
    """Make a legal action."""
    if state.phase == PLAY:
        play(state, action)
    elif action == PASS:
        say_pass(state)
    else:
        say_bid(state, action - FIRST_BID)


@kernel
def say_pass(state):
    """Eight passes void a deal without a bid (V-4), twelve close the auction after one (V-6)."""
    state.passes += 1
    if state.bid == NO_BID and state.passes == PASSES_TO_VOID:
        pass_out(state)
        next_deal(state)
    elif state.bid != NO_BID and state.passes == state.rules.end_passes:
        start_play(state)
    else:
        state.seat = left_of(state.seat)


@kernel
def say_bid(state, bid):
    """A bid; the count of passes starts again (V-5)."""
    for rounds in range(min(state.passes // 4, 2)):
        state.rounds[rounds] |= ONE << bid
    make_bid(state, state.seat, bid)
    state.seat = left_of(state.seat)


# ---- the play of the cards --------------------------------------------------------------------------------------------------


@kernel
def start_play(state):
    """The last bidder is declarer (V-7); the player on the left leads (V-30)."""
    state.phase = PLAY
    state.strain = strain_of(state.bid)
    state.leader = left_of(state.bidder)
    state.seat = state.leader


@kernel
def play(state, card):
    """A card; the winner of a full trick leads to the next. All thirteen are played (V-10)."""
    lay(state, state.seat, card)
    state.seat = left_of(state.seat)
    if state.laid == len(SEATS):
        finish_trick(state)
    if state.done == 13:
        finish_deal(state)


@kernel
def finish_trick(state):
    """The winner's side adds V to its line, and may be the first to reach a game (V-23)."""
    gather(state)
    state.seat = state.leader
    side = side_of(state.leader)
    if state.crossed == NO_SIDE and points_below(state, side) >= GAME_POINTS:
        state.crossed = side


@kernel
def points_below(state, side):
    """Below the current line, this deal's tricks included (V-12)."""
    return state.ledger.below[side] + np.int64(state.tricks[side]) * trick_value(state.bid)


# ---- the score --------------------------------------------------------------------------------------------------------------


@kernel
def finish_deal(state):
    """Score, then draw a new line if a game was won (V-24); a second game ends the rubber (V-26)."""
    score(state)
    ledger = state.ledger
    if state.crossed != NO_SIDE:
        ledger.games[state.crossed] += 1
        ledger.below[:] = 0
    else:
        for side in SIDES:
            ledger.below[side] = points_below(state, side)
    record_deal(state, state.bid, state.bidder, 0)
    if state.rules.episode == RUBBER and (ledger.games[0] == 2 or ledger.games[1] == 2):
        close_session(state, np.int64(ledger.games[1] == 2))
    else:
        next_deal(state)


@kernel
def next_deal(state):
    """The deal passes to the left, after a void one too (V-4)."""
    if state.rules.episode == DEAL:
        close_session(state, deal_leader(state.result))
    else:
        state.dealer = left_of(state.dealer)
        deal(state)


@kernel
def score(state):
    """Write the lines of the deal. Nothing that a side has won is taken away by failing (V-21)."""
    lines = state.result.lines
    lines[:] = 0
    value = trick_value(state.bid)
    for side in SIDES:
        lines[TRICKS, side] = value * np.int64(state.tricks[side])
        if state.tricks[side] >= 12:
            lines[SLAM, side] = GRAND_SLAM if state.tricks[side] == 13 else SMALL_SLAM
    score_contract(state, lines)
    score_honours(state, lines, value)
    if state.crossed != NO_SIDE:
        lines[GAME_PRIZE, state.crossed] = GAME_PRIZES[state.ledger.games[state.crossed]]


@kernel
def score_contract(state, lines):
    """Levels 6 and 7 pay the declarer if made (V-14); a failed contract pays the defence (V-15, V-16)."""
    level = level_of(state.bid)
    side = side_of(state.bidder)
    short = tricks_to_make(state.bid) - state.tricks[side]
    prize = 0
    if level >= 6:
        prize = GRAND_SLAM_BID if level == 7 else SMALL_SLAM_BID
    if short > 0:
        lines[UNDERTRICKS, 1 - side] = UNDERTRICK * level * short
        lines[FAILED_SLAM, 1 - side] = prize
    else:
        lines[BID_SLAM, side] = prize


@kernel
def score_honours(state, lines, value):
    """Trump honours and aces in the hands as dealt; the ace of trumps counts in both (V-17..V-20)."""
    aces = np.zeros(2, np.int64)
    for side in SIDES:
        held = state.dealt[side] | state.dealt[side + 2]
        aces[side] = count(held & ACES)
        if state.strain != NO_TRUMP:
            lines[HONOUR_PRIZE, side] = HONOUR_TRICKS[count(held & of_suit(HONOURS, state.strain))] * value
    if aces[0] == aces[1]:
        lines[ACE_PRIZE, np.int64(state.tricks[1] > state.tricks[0])] = 2 * ACE_TRICKS * value
    else:
        side = np.int64(aces[1] > aces[0])
        lines[ACE_PRIZE, side] = aces[side] * ACE_TRICKS * value


# ---- what a seat sees -------------------------------------------------------------------------------------------------------

MARGIN_BITS, MARGIN_STEP = 20, 1000
"""The running margin, points to a bit."""
BELOW_BITS, BELOW_STEP = 24, 20
"""Points below the line, points to a bit."""

PLANES = (
    *DEAL_PLANES,
    Plane("phase", (PHASES,), "public", "auction or play"),
    Plane("margin", (MARGIN_BITS,), "public", f"our running margin, {MARGIN_STEP} points a bit, ten bits at 0"),
    Plane("bids", (CHAIRS, BID_NAMES), "public", "bids made"),
    Plane("after_one_round", (BID_NAMES,), "public", "bids made after a full round of passes"),
    Plane("after_two_rounds", (BID_NAMES[1:],), "public", "bids made after two full rounds of passes; the lowest bid can't be"),
    Plane("passes", (2,), "public", "full rounds of passes since the last bid"),
    Plane("level", (tuple(map(str, LEVELS)),), "public", "level of the standing bid or the contract"),
    Plane("strain", (STRAIN_NAMES,), "public", "its strain"),
    Plane("declarer", (CHAIRS,), "public", "who made it"),
    Plane("below", (OURS_THEIRS, BELOW_BITS), "public", f"points below the line with this deal's tricks, {BELOW_STEP} a bit"),
    Plane("games", (OURS_THEIRS,), "public", "who has won a game"),
    Plane("crossed", (OURS_THEIRS,), "public", "who was the first to reach 500 in this deal"),
    *DERIVED_PLANES,
    Plane("needed", (OURS_THEIRS, 13), "derived", "tricks that the side still needs to make or to break the contract"),
    Plane("game_needed", (OURS_THEIRS, 13), "derived", "tricks at this contract that the side still needs for game"),
)


@kernel
def observe(state, seat, view):
    """The facts that ``seat`` knows."""
    see_deal(state, seat, view)
    side = side_of(seat)
    ledger = state.ledger
    view.margin = margin_seen(ledger.total, side, MARGIN_BITS, MARGIN_STEP)
    for chair in SEATS:
        view.bids[chair] = state.bids[seat_at(chair, seat)]
    view.after_one_round = state.rounds[0]
    view.after_two_rounds = state.rounds[1] >> 1
    view.passes = first(state.passes // 4)
    view.declarer = chair_seen(state.bidder, seat)
    if state.bid != NO_BID:
        view.level = only(level_of(state.bid) - 1)
        view.strain = only(strain_of(state.bid))
    for place in SIDES:
        whose = side_of(side + place)
        view.below[place] = first((points_below(state, whose) + BELOW_STEP - 1) // BELOW_STEP)
        view.games |= (ledger.games[whose] > 0) << place
    if state.crossed != NO_SIDE:
        view.crossed = only(side_of(state.crossed + side))


@kernel
def derive(state, seat, view):
    """What follows from the facts."""
    derive_deal(state, seat, state.hand[seat], unseen_from(state, seat), view)
    if state.bid != NO_BID:
        value = trick_value(state.bid)
        for place in SIDES:
            side = side_of(seat + place)
            view.needed[place] = first(tricks_needed(state, side))
            if state.crossed == NO_SIDE:
                view.game_needed[place] = first(tricks_for(GAME_POINTS - points_below(state, side), value))


@kernel
def tricks_needed(state, side):
    """To make the contract, or to break it."""
    to_make = tricks_to_make(state.bid)
    goal = to_make if side == side_of(state.bidder) else 14 - to_make
    return goal - state.tricks[side]


@kernel
def hide(state, seat):
    """Blank what ``seat`` does not know (C-8, V-30)."""
    hide_hands(state, seat)


@kernel
def determinize(state, seat, stream):
    """Deal what :func:`hide` has blanked, one of the ways that ``seat`` must reckon with."""
    state.stream, _ = deal_hidden(state, seat, room_of(state, 13), hidden_in(state), stream)


@kernel
def standing(state):
    """The standing bid or the contract: its number, who made it, no doublings (V-9)."""
    return state.bid, state.bidder, 0


# ---- where a session may start ----------------------------------------------------------------------------------------------


@kernel
def award(state, contract, declarer):
    """A contract that is given: the play of the cards begins."""
    make_bid(state, declarer, contract)
    start_play(state)


@kernel
def claim(state, more):
    """End the deal, side 0 taking ``more`` of the tricks that are left; who reaches a game first is reckoned at an even pace."""
    left = np.array([more, 13 - state.done - more])
    pace = np.full(len(SIDES), 2.0)
    for side in SIDES:
        needed = GAME_POINTS - points_below(state, side)
        state.tricks[side] += left[side]
        if points_below(state, side) >= GAME_POINTS:
            pace[side] = needed / (left[side] * trick_value(state.bid))
    if state.crossed == NO_SIDE and min(pace[0], pace[1]) <= 1:
        state.crossed = side_of(state.leader) if pace[0] == pace[1] else np.int64(pace[1] < pace[0])
    finish_deal(state)


@kernel
def imagine(state):
    """A plausible running score, so that an agent of one-deal episodes meets part scores and games."""
    stream = session_stream(state)
    ledger = state.ledger
    for side in SIDES:
        stream, ledger.games[side] = uniform(stream, 2)
        stream, clean = uniform(stream, 3)
        stream, below = uniform(stream, GAME_POINTS // 2)
        stream, above_line = uniform(stream, 4000)
        ledger.below[side] = 2 * below * (clean > 0)
        ledger.total[side] = ledger.below[side] + np.int64(ledger.games[side]) * GAME_POINTS + above_line


GAME = Game(
    name="vint", title="Vint", rules=VintRules, state=STATE, planes=PLANES, action=ACTION, phases=PHASES, lines=LINES,
    calls=("P", *BID_NAMES), contracts=BID_NAMES,
    worst_deal=(
        13 * 70  # 7H failed without a trick, the defence holding all honours and aces: tricks,
        + UNDERTRICK * 7 * 13 + GRAND_SLAM_BID + GRAND_SLAM  # the failure and the slam,
        + HONOUR_TRICKS[5] * 70 + ACE_TRICKS * 4 * 70 + GAME_PRIZES[1]  # honours, aces, the rubber
    ),
    ledger_limits={"below": GAME_POINTS, "games": len(GAME_PRIZES)}, passes_to_void=PASSES_TO_VOID,
    reset=reset, deal=deal, begin=begin, legal=legal, step=step,
    observe=observe, derive=derive, hide=hide, determinize=determinize, standing=standing, award=award, claim=claim, imagine=imagine,
)

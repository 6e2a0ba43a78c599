"""Skruuvi, in the order in which a deal is played: words, numbers of the law, kernels.

The declarer takes the kotka and lays four cards away, the thirteenth trick; his side alone may raise its bid then, and redouble
when the defence knocks. Special contracts are played solo. The last four deals of a match have no kotka.
"""

from dataclasses import dataclass
from typing import Annotated, Any, Literal

import numpy as np

from ..engine.auction import AUCTION_FIELDS, clear_auction, make_bid
from ..engine.bits import ONE, above, count, first, only
from ..engine.cards import (
    ACES, CARD_NAMES, CARDS, CLUBS, DIAMONDS, HEARTS, HONOURS, NO_BID, NO_CARDS, NO_SEAT, NO_TRUMP, SEATS, SIDES, SPADES,
    STRAIN_LETTERS, left_of, of_suit, partner_of, seat_at, session_stream, shuffle_into_hands, side_of, suit_of, uniform,
)
from ..engine.game import (
    Game, ScoreLine, action_dtype, close_session, deal_leader, first_of, leading_side, open_session, pass_out, record_deal,
    state_dtype,
)
from ..engine.kernel import kernel, python_of
from ..engine.rules import NONE, Between, OptionError, check_rules, rules_record
from ..engine.sight import (
    CHAIRS, DEAL_PLANES, DERIVED_PLANES, OURS_THEIRS, YES, Plane, chair_seen, derive_deal, hide_hands, margin_seen, see_deal,
    unseen_from,
)
from ..engine.tricks import TRICK_FIELDS, clear_tricks, gather, lay, playable, suit_led
from ..engine.worlds import APART, deal_hidden, draw_cards, hidden_in, room_of

# ---- words ------------------------------------------------------------------------------------------------------------------

PHASES = ("auction", "exchange", "raise", "knock", "redouble", "play")
AUCTION, EXCHANGE, RAISE, KNOCK, REDOUBLE, PLAY = range(len(PHASES))

DENOMINATIONS = (CLUBS, DIAMONDS, HEARTS, SPADES, NO_TRUMP)
"""From the lowest to the highest (K-3)."""


def _positive(*numbers: int) -> list[tuple[str, int, int]]:
    return [(f"{tricks}{STRAIN_LETTERS[strain]}", tricks, strain) for tricks in numbers for strain in DENOMINATIONS]


BIDS = (
    *_positive(7, 8, 9, 10, 11), ("misaari", 0, NO_TRUMP),
    *_positive(12, 13), ("bolshevik", 0, NO_TRUMP), ("mussolini", 13, NO_TRUMP),
)
"""Name, tricks promised of thirteen (K-2), strain (K-9); rising, the special ones above the bids of their class (K-7, K-8)."""
BID_NAMES = tuple(name for name, _, _ in BIDS)
BID_TRICKS = np.array([tricks for _, tricks, _ in BIDS])
BID_STRAINS = np.array([strain for _, _, strain in BIDS])
MISAARI, BOLSHEVIK, MUSSOLINI = (BID_NAMES.index(name) for name in ("misaari", "bolshevik", "mussolini"))
MISAARI_BIT, BOLSHEVIK_BIT, MUSSOLINI_BIT = ONE << MISAARI, ONE << BOLSHEVIK, ONE << MUSSOLINI
SPECIAL_BIDS = MISAARI_BIT | BOLSHEVIK_BIT | MUSSOLINI_BIT
POSITIVE_BIDS = np.int64(2 ** len(BIDS) - 1) & ~SPECIAL_BIDS

ACTION = action_dtype([("pass_", "i1"), ("bid", "i1", len(BIDS)), ("double", "i1"), ("redouble", "i1")])
PASS = first_of(ACTION, "pass_")
FIRST_BID = first_of(ACTION, "bid")
BID_CALLS = np.int64(FIRST_BID - len(CARDS))
PASS_CALL, DOUBLE_CALL, REDOUBLE_CALL = (ONE << first_of(ACTION, call) - len(CARDS) for call in ("pass_", "double", "redouble"))

LINES = tuple(
    ScoreLine("score", kind, ruling)
    for kind, ruling in (
        ("tricks", "K-23"), ("slam", "K-25"), ("undertricks", "K-24, K-27"), ("misaari", "K-26"), ("second_best", "K-26"),
        ("special", "K-28"), ("aces", "K-29"), ("honours", "K-29"),
    )
)
TRICKS, SLAM, UNDERTRICKS, ZERO_TRICKS, SECOND_BEST, SPECIAL, FOUR_ACES, FIVE_HONOURS = range(len(LINES))

# ---- the numbers of the law -------------------------------------------------------------------------------------------------

PASSES_TO_VOID, PASSES_TO_CLOSE = 4, 3
"""Passes without a bid that void the deal (K-5), in a row after a bid that close the auction (K-4)."""
KOTKA, TRICKS_IN_DEAL = 4, 13
"""Cards that the declarer takes, and lays away (K-10): one trick, where only twelve are played (RULINGS 3.2)."""
BOOK, TRICK_VALUES = 6, (1, 2, 3, 4, 5)
"""Of each trick above the book, by denomination from clubs up (K-23)."""
UNDERTRICK = 50
"""Lost for each trick short (K-24), in misääri for each trick taken (K-27)."""
SLAM_PRIZES = 12 * (0,) + (500, 1000)
"""For a bid of so many tricks that is made (K-25)."""
ZERO_TRICKS_PRIZE, SECOND_BEST_PRIZE = 100, 50
"""For a made misääri, and for each trick in it that the declarer all but won (K-26)."""
SPECIAL_PRIZE = 2000
"""Won or lost with bolshevik and mussolini (K-28)."""
HONOUR_PRIZE = 100
"""For all aces, and for all trump honours, in one hand (K-29, K-31)."""
MOST_RUBBERS = 100
"""That an option can ask for."""
RUBBER_DEALS, KITTY_DEALS, MATCH_DEALS = 8, 24, 28
"""Deals of a rubber (K-36); deals with a kotka, and all deals, of a match (K-34, K-35)."""


@dataclass(frozen=True, kw_only=True)
class SkruuviRules:
    """The options of Skruuvi."""

    episode: Literal["deal", "rubber", "match"] = "deal"
    """One deal, a rubber of 8 kitty deals (K-36), or a match: 24 kitty deals and 4 without (K-34)."""
    rubbers: Annotated[int | None, Between(1, MOST_RUBBERS)] = None
    """So many rubbers instead of the match (K-36)."""
    kitty: bool = True
    """Deals with a kotka (K-42)."""
    misaari: bool = True
    """The contract to take no trick, for points (K-41, K-43)."""
    bolshevik: bool = True
    """The contract to take no trick, all or nothing (K-41)."""
    mussolini: bool = True
    """The contract to take every trick alone (K-41, K-43)."""
    honours: bool = True
    """Prizes for aces and honours (K-44)."""
    solo_partner: Literal["out", "opponent"] = "out"
    """The partner in a special contract sits out, or is a third defender and is paid as one (K-20)."""
    misere_bonus: Literal["second_best", "all_defender_tricks", "none"] = "second_best"
    """The tricks that pay more in a made misääri (K-26)."""
    special_rank: Literal["by_class", "top"] = "by_class"
    """The special contracts stand above the bids of their class, or above all (K-7)."""
    all_pass: Literal["count", "redeal"] = "count"
    """A passed-out deal counts as one of the session, or does not (K-6)."""
    first_dealer: Literal["N", "E", "S", "W"] | None = None
    """Who deals first; ``None``: drawn for each session (C-5)."""

    def __post_init__(self) -> None:
        check_rules(self)
        if self.rubbers is not None and self.episode != "match":
            raise OptionError(f"SkruuviRules.rubbers = {self.rubbers} with episode = {self.episode!r}: give episode='match'")


DEAL, RUBBER, MATCH = range(3)
OUT, OPPONENT = range(2)
BY_CLASS, TOP = range(2)
COUNT, REDEAL = range(2)

VARIANTS: dict[str, dict[str, object]] = {
    "simplified": {"misaari": False, "bolshevik": False, "mussolini": False},
    "no_kotka": {"kitty": False},
    "bolshevik_only": {"misaari": False, "mussolini": False},
    "university": {"honours": False},
}
"""Presets of the rules (K-41, K-42, K-43, K-44)."""

LEDGER_FIELDS = [("deal", "i4")]  # deals counted so far in this session

STATE = state_dtype(
    SkruuviRules, LEDGER_FIELDS, LINES, TRICK_FIELDS, AUCTION_FIELDS,
    [
        ("kitty", "i1"),  # whether this deal has a kotka
        ("kotka", "i8"),  # bitboard: the kotka as dealt
        ("declarer", "i1"),  # who won the first auction, whoever raises later (K-15); -1 nobody yet
        ("discards", "i8"),  # bitboard: what the declarer has laid away
        ("discards_left", "i1"),  # cards that he still has to lay away
        ("raised", "i8"),  # bitboard over the bids: made after the exchange
        ("knocker", "i1"),  # who has knocked, -1 nobody
        ("redoubler", "i1"),  # who has redoubled, -1 nobody
        ("doublings", "i1"),  # 0, 1 after a knock, 2 after a redouble
        ("second_best", "i1"),  # tricks of a misääri that the declarer all but won (K-26)
    ],
)

# ---- the deal and the auctions ----------------------------------------------------------------------------------------------


@kernel
def is_solo(bid):
    """Whether it is a special contract, which the declarer plays alone (K-20)."""
    return bid == MISAARI or bid >= BOLSHEVIK


@kernel
def reset(state):
    """A new session: a clean sheet, the first dealer, the first deal."""
    open_session(state)
    state.ledger.deal = 0
    deal(state)


@kernel
def deal(state):
    """Twelve cards each and the kotka (C-3, C-4); thirteen each in the final deals of a match (K-35) and by option (K-42)."""
    kitty = state.rules.kitty and (state.ledger.deal < KITTY_DEALS or state.rules.rubbers != NONE)
    state.kotka = shuffle_into_hands(state, 12 if kitty else 13)
    begin(state)


@kernel
def begin(state):
    """Hands and kotka are dealt; the forehand, left of the dealer, speaks first (K-1)."""
    clear_tricks(state)
    clear_auction(state)
    state.kitty = state.kotka != NO_CARDS
    state.declarer = state.knocker = state.redoubler = NO_SEAT
    state.discards = state.raised = NO_CARDS
    state.discards_left = state.doublings = state.second_best = 0
    state.begun += 1
    ask(state, AUCTION, left_of(state.dealer))


@kernel
def ask(state, phase, seat):
    """A phase opens; ``seat`` decides first."""
    state.phase = phase
    state.seat = seat
    state.passes = 0


@kernel
def legal(state):
    """The legal actions, as a bitboard of cards and one of calls (bit 0 the pass)."""
    if state.phase == PLAY:
        return playable(state, state.hand[state.seat]), NO_CARDS
    if state.phase == EXCHANGE:
        return state.hand[state.seat], NO_CARDS
    if state.phase == KNOCK:
        return NO_CARDS, PASS_CALL | DOUBLE_CALL
    if state.phase == REDOUBLE:
        return NO_CARDS, PASS_CALL | REDOUBLE_CALL
    if state.phase == AUCTION or state.phase == RAISE:
        return NO_CARDS, PASS_CALL | higher_bids(state) << BID_CALLS
    return NO_CARDS, NO_CARDS


@kernel
def higher_bids(state):
    """The bids that may be made (K-3, K-7); in the second auction a special one by the declarer alone (K-14)."""
    rules = state.rules
    bids = above(state.bid)
    if rules.special_rank == TOP:
        bids = bids & SPECIAL_BIDS if is_solo(state.bid) else bids | SPECIAL_BIDS
    allowed = POSITIVE_BIDS
    if state.phase == AUCTION or state.seat == state.declarer:
        allowed |= rules.misaari * MISAARI_BIT | rules.bolshevik * BOLSHEVIK_BIT | rules.mussolini * MUSSOLINI_BIT
    return bids & allowed


@kernel
def step(state, action):
    """Make a legal action."""
    if state.phase == PLAY:
        play(state, action)
    elif state.phase == EXCHANGE:
        discard(state, action)
    elif action == PASS:
        say_pass(state)
    elif state.phase == AUCTION or state.phase == RAISE:
        say_bid(state, action - FIRST_BID)
    else:
        double(state)


@kernel
def say_bid(state, bid):
    """A bid; in the second auction the partner speaks next, over a special bid the declarer himself (K-13)."""
    make_bid(state, state.seat, bid)
    if state.phase == AUCTION:
        state.seat = left_of(state.seat)
        return
    state.raised |= ONE << bid
    if not is_solo(bid):
        state.seat = partner_of(state.seat)


@kernel
def say_pass(state):
    """Passes close the first auction (K-4, K-5), a later phase two of a side, or one of a solo declarer's (K-13, K-17)."""
    state.passes += 1
    if state.phase == AUCTION and state.passes == (PASSES_TO_VOID if state.bid == NO_BID else PASSES_TO_CLOSE):
        close_auction(state)
    elif state.phase == AUCTION:
        state.seat = left_of(state.seat)
    elif state.passes < 2 and (state.phase == KNOCK or not is_solo(state.bid)):
        state.seat = partner_of(state.seat)
    elif state.phase == RAISE:
        ask(state, KNOCK, left_of(state.declarer))
    else:
        start_play(state)


@kernel
def close_auction(state):
    """The last bidder is declarer and takes the kotka (K-10); where there is none, nobody may raise (K-16)."""
    if state.bid == NO_BID:
        pass_out(state)
        state.ledger.deal += np.int64(state.rules.all_pass == COUNT)
        next_deal(state)
        return
    state.declarer = state.bidder
    state.hand[state.declarer] |= state.kotka
    if state.kitty:
        state.discards_left = KOTKA
        ask(state, EXCHANGE, state.declarer)
    else:
        ask(state, KNOCK, left_of(state.declarer))


@kernel
def discard(state, card):
    """A card is laid away, face down; after the fourth the declarer opens the second auction (K-10, K-13)."""
    state.hand[state.declarer] &= ~(ONE << card)
    state.discards |= ONE << card
    state.discards_left -= 1
    if state.discards_left == 0:
        ask(state, RAISE, state.declarer)


@kernel
def double(state):
    """A knock, and the other side is asked clockwise from there, a solo declarer alone; or a redouble, the last word (K-17)."""
    state.doublings += 1
    if state.phase == KNOCK:
        state.knocker = state.seat
        ask(state, REDOUBLE, np.int64(state.declarer) if is_solo(state.bid) else left_of(state.seat))
    else:
        state.redoubler = state.seat
        start_play(state)


# ---- the play of the cards --------------------------------------------------------------------------------------------------


@kernel
def start_play(state):
    """The discards are a trick of the declarer's, save in a misère (K-12); the player on his left leads (K-19)."""
    state.tricks[side_of(state.declarer)] = state.kitty * (BID_TRICKS[state.bid] > 0)
    state.strain = BID_STRAINS[state.bid]
    state.leader = left_of(state.declarer)
    ask(state, PLAY, state.leader)


@kernel
def play(state, card):
    """A card; the partner in a special contract may sit out (K-20). The winner of a full trick leads; all are played (C-7)."""
    lay(state, state.seat, card)
    three = is_solo(state.bid) and state.rules.solo_partner == OUT
    state.seat = left_of(state.seat)
    if three and state.seat == partner_of(state.declarer):
        state.seat = left_of(state.seat)
    if state.laid == len(SEATS) - three:
        finish_trick(state)
    if state.done + state.kitty == TRICKS_IN_DEAL:
        finish_deal(state)


@kernel
def finish_trick(state):
    """In a special contract the declarer's tricks are his own; one that his partner wins is the defence's (K-20, K-22)."""
    if state.bid == MISAARI:
        state.second_best += is_second_best(state)
    gather(state)
    state.seat = state.leader
    if is_solo(state.bid) and state.leader == partner_of(state.declarer):
        state.tricks[side_of(state.declarer)] -= 1
        state.tricks[1 - side_of(state.declarer)] += 1


@kernel
def is_second_best(state):
    """Whether the declarer has followed suit and a single card beats his: without it he would have won (K-26)."""
    card = state.trick[state.declarer]
    better = 0
    for other in state.trick:
        better += other > card and suit_of(other) == suit_of(card)
    return better == 1 and suit_of(card) == suit_led(state)


# ---- the score --------------------------------------------------------------------------------------------------------------


@kernel
def finish_deal(state):
    """Score and record; where the partner was an opponent, the declarer is paid alone (K-20)."""
    score(state)
    record_deal(state, state.bid, state.declarer, state.doublings)
    if is_solo(state.bid) and state.rules.solo_partner == OPPONENT:
        state.result.alone = state.declarer
    state.ledger.deal += 1
    next_deal(state)


@kernel
def next_deal(state):
    """The deal passes to the left until the session is complete; equal totals are a draw (K-34, K-36, K-37)."""
    if state.rules.episode == DEAL:
        close_session(state, deal_leader(state.result))
    elif state.ledger.deal >= session_deals(state.rules):
        close_session(state, leading_side(state))
    else:
        state.dealer = left_of(state.dealer)
        deal(state)


@kernel
def session_deals(rules):
    """Of a rubber, of so many rubbers, or of a match, in which a single deal finds its place too."""
    if rules.rubbers != NONE:
        return RUBBER_DEALS * np.int64(rules.rubbers)
    return RUBBER_DEALS if rules.episode == RUBBER else MATCH_DEALS


@kernel
def score(state):
    """Write the lines of the deal: the declaring side's, made or failed (K-24, K-33), all doubled (K-18); honours (K-32)."""
    lines = state.result.lines
    lines[:] = 0
    side = side_of(state.declarer)
    factor = ONE << state.doublings
    promised = BID_TRICKS[state.bid]
    taken = np.int64(state.tricks[side])
    if state.bid >= BOLSHEVIK:
        lines[SPECIAL, side] = factor * (SPECIAL_PRIZE if taken == promised else -SPECIAL_PRIZE)  # K-28
    elif state.bid == MISAARI and taken == 0:
        bonus = (np.int64(state.second_best), np.int64(state.tricks[1 - side]), NO_CARDS)[state.rules.misere_bonus]
        lines[ZERO_TRICKS, side] = factor * ZERO_TRICKS_PRIZE  # K-26
        lines[SECOND_BEST, side] = factor * SECOND_BEST_PRIZE * bonus
    elif state.bid == MISAARI or taken < promised:
        lines[UNDERTRICKS, side] = -factor * UNDERTRICK * abs(promised - taken)  # K-24, K-27
    else:
        lines[TRICKS, side] = factor * TRICK_VALUES[state.strain] * (taken - BOOK)  # K-23
        lines[SLAM, side] = factor * SLAM_PRIZES[promised]  # K-25
    if state.rules.honours:
        score_honours(state, lines)


@kernel
def score_honours(state, lines):
    """In a hand as it was when the play began (K-30), in any contract, made or not, for the holder's side (K-32)."""
    for seat in SEATS:
        held = state.hand[seat] | state.played[seat]
        if count(held & ACES) == 4:
            lines[FOUR_ACES, side_of(seat)] = HONOUR_PRIZE
        if state.strain != NO_TRUMP and count(held & of_suit(HONOURS, state.strain)) == 5:
            lines[FIVE_HONOURS, side_of(seat)] = HONOUR_PRIZE


# ---- what a seat sees -------------------------------------------------------------------------------------------------------

MARGIN_BITS, MARGIN_STEP = 20, 200
"""The running margin, points to a bit."""

PLANES = (
    *DEAL_PLANES,
    Plane("phase", (PHASES,), "public", "auction, exchange, second auction, knock, redouble or play"),
    Plane("margin", (MARGIN_BITS,), "public", f"our running margin, {MARGIN_STEP} points a bit, ten bits at 0"),
    Plane("bids", (CHAIRS, BID_NAMES), "public", "bids made"),
    Plane("raised", (BID_NAMES[1:],), "public", "bids made after the exchange; the lowest bid can't be"),
    Plane("contract", (BID_NAMES,), "public", "the standing bid or the contract"),
    Plane("declarer", (CHAIRS,), "public", "the declarer; in the first auction, who made the standing bid"),
    Plane("knock", (CHAIRS,), "public", "who has knocked"),
    Plane("redouble", (CHAIRS,), "public", "who has redoubled"),
    Plane("discards", (CARD_NAMES,), "private", "cards that I have laid away"),
    Plane("discards_left", (KOTKA,), "public", "cards that the declarer still has to lay away"),
    Plane("kitty", (YES,), "public", "this deal has a kotka"),
    Plane("second_best", (12,), "public", "tricks of a misääri that the declarer all but won"),
    Plane("deal", (tuple(map(str, range(1, MATCH_DEALS + 1))),), "public", "which deal of the session; later ones as the last"),
    *DERIVED_PLANES,
    Plane("needed", (OURS_THEIRS, 13), "derived", "tricks that the side still needs to make or to break the contract"),
)


@kernel
def observe(state, seat, view):
    """The facts that ``seat`` knows."""
    see_deal(state, seat, view)
    view.margin = margin_seen(state.ledger.total, side_of(seat), MARGIN_BITS, MARGIN_STEP)
    contract, declarer, _ = standing(state)
    view.contract = only(contract)
    view.declarer = chair_seen(declarer, seat)
    view.knock = chair_seen(state.knocker, seat)
    view.redouble = chair_seen(state.redoubler, seat)
    for chair in SEATS:
        view.bids[chair] = state.bids[seat_at(chair, seat)]
    view.raised = state.raised >> 1
    if seat == state.declarer:
        view.discards = state.discards
    view.discards_left = first(state.discards_left)
    view.kitty = state.kitty
    view.second_best = first(state.second_best)
    view.deal = only(min(state.ledger.deal, MATCH_DEALS - 1))


@kernel
def derive(state, seat, view):
    """What follows from the facts."""
    unseen = unseen_from(state, seat)
    if seat == state.declarer:
        unseen &= ~state.discards
    derive_deal(state, seat, state.hand[seat], unseen, view)
    if state.bid != NO_BID:
        for place in SIDES:
            view.needed[place] = first(tricks_needed(state, side_of(seat + place)))


@kernel
def tricks_needed(state, side):
    """To make the contract or to break it; a misère is broken by the declarer's first trick."""
    declaring = side_of(state.bidder)
    promised = BID_TRICKS[state.bid]
    if promised == 0:
        return 0 if side == declaring else 1 - state.tricks[declaring]
    return (promised if side == declaring else TRICKS_IN_DEAL + 1 - promised) - state.tricks[side]


@kernel
def hide(state, seat):
    """Blank what ``seat`` does not know (C-8); kotka and discards are the declarer's secret (K-10)."""
    hide_hands(state, seat)
    if seat != state.declarer:
        state.kotka = state.discards = NO_CARDS


@kernel
def determinize(state, seat, stream):
    """Deal what :func:`hide` has blanked, one of the ways that ``seat`` must reckon with; any four of the declarer's were the kotka."""
    declarer = state.declarer
    room = room_of(state, TRICKS_IN_DEAL - state.kitty)
    if declarer != NO_SEAT:
        room[declarer] += state.discards_left
    if state.kitty and seat != declarer:
        room[APART] = KOTKA - state.discards_left
    stream, apart = deal_hidden(state, seat, room, hidden_in(state) & ~state.discards, stream)
    if state.kitty and declarer == NO_SEAT:
        state.kotka = apart
    elif state.kitty and seat != declarer:
        state.discards = apart
        stream, state.kotka = draw_cards(state.dealt[declarer] | apart, KOTKA, stream)
        state.dealt[declarer] = (state.dealt[declarer] | apart) & ~state.kotka
    state.stream = stream


@kernel
def standing(state):
    """The standing bid or the contract, who declares it, how often it is doubled."""
    return state.bid, state.bidder if state.declarer == NO_SEAT else state.declarer, state.doublings


# ---- where a session may start ----------------------------------------------------------------------------------------------


@kernel
def award(state, contract, declarer):
    """A contract that is given: the play of the cards begins; the kotka lies as the declarer's discards."""
    make_bid(state, declarer, contract)
    state.declarer = declarer
    state.discards = state.kotka
    start_play(state)


@kernel
def claim(state, more):
    """End the deal, side 0 taking ``more`` of the tricks that are left; no more of a misääri are all but won by the declarer."""
    state.tricks[0] += more
    state.tricks[1] += TRICKS_IN_DEAL - state.kitty - state.done - more
    finish_deal(state)


@kernel
def imagine(state):
    """A plausible running score among the kitty deals of a match, so that an agent of one-deal episodes meets leads."""
    ledger = state.ledger
    stream, ledger.deal = uniform(session_stream(state), KITTY_DEALS)
    for side in SIDES:
        stream, points = uniform(stream, 150)
        ledger.total[side] = ledger.deal * (points - 75)


def check_opening(rules: SkruuviRules, opening: Any) -> None:
    """Raise ``OptionError`` for a given contract, kotka or number of the deal that these rules do not have (K-34, K-41..K-43)."""
    name = BID_NAMES[opening.contract]
    if opening.contract in (MISAARI, BOLSHEVIK, MUSSOLINI) and not getattr(rules, name):
        raise OptionError(f"contract = {name!r} with {name} = False: these rules do not have it")
    if opening.kotka and not rules.kitty:
        raise OptionError("a deal with a kotka, with kitty = False: give hands of 13 cards")
    deals = int(python_of(session_deals)(rules_record(rules).view(np.recarray)))
    if opening.ledger.get("deal", 0) >= deals:
        raise OptionError(f"ledger['deal'] = {opening.ledger['deal']}: it must be 0..{deals - 1}")


GAME = Game(
    name="skruuvi", title="Skruuvi", rules=SkruuviRules, state=STATE, planes=PLANES, action=ACTION, phases=PHASES, lines=LINES,
    calls=("P", *BID_NAMES, "X", "XX"), contracts=BID_NAMES,
    worst_deal=SPECIAL_PRIZE + HONOUR_PRIZE,  # a special contract that failed, all aces in one hand of the defence
    check_opening=check_opening, ledger_limits={"deal": RUBBER_DEALS * MOST_RUBBERS}, variants=VARIANTS, passes_to_void=PASSES_TO_VOID,
    reset=reset, deal=deal, begin=begin, legal=legal, step=step,
    observe=observe, derive=derive, hide=hide, determinize=determinize, standing=standing, award=award, claim=claim, imagine=imagine,
)

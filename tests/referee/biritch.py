"""Biritch by its rule text: the dealer's side names the strain, the sides double in turn, dummy plays."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from .common import (
    ACES,
    NO_TRUMP,
    PASS,
    SEATS,
    SIDES,
    Asks,
    Entry,
    Line,
    Result,
    Source,
    Table,
    held,
    honours_of,
    leader,
    left_of,
    other_side,
    partner_of,
    play,
    read_rules,
    right_of,
    sheet,
    side_of,
    winner_of,
)


@dataclass(frozen=True)
class Rules:
    max_doublings: int | None = None
    """The phase ends at once when so many raises are made (B-6)."""
    episode: Literal["deal", "rubber"] = "deal"


STRAINS = ("S", "C", "D", "H", "N")
RAISE = "X"
ROOM = 40  # section 5: after so many raises none is offered; the seats are still asked (G-1)

BOOK = 6  # B-11, tricks that score nothing
VALUE = {"S": 2, "C": 4, "D": 6, "H": 8, "N": 10}  # B-11, an odd trick undoubled
SLAM = {12: 20, 13: 40}  # B-12
DIVIDED = {3: 2, 4: 4, 5: 5}  # B-15, honours of a side, in trick values
FOUR_IN_ONE_HAND = {4: 8, 5: 9}  # B-15, B-16
ACE_PRIZE = {3: 30, 4: 40}  # B-14
FOUR_ACES_PRIZE = 80  # B-14
CHICANE = 2  # B-17, in trick values
GAME = 30  # B-13, below the line
RUBBER = 2  # B-24, games that win it
RUBBER_PRIZE = 40  # B-24

COLUMNS = {
    "tricks": "below",
    "slam": "above",
    "honours": "above",
    "aces": "above",
    "chicane": "above",
    "rubber": "above",
}


def opened(options: Mapping[str, Any], source: Source, dealer: int, ledger: Mapping[str, Any]) -> Table:
    """A Biritch table, waiting for the dealer to name the strain."""
    table = Table(source, dealer, ledger)
    return table.start(session(table, read_rules(Rules, options)))


def session(table: Table, rules: Rules) -> Asks[None]:
    """One deal, or deals until a side has won the rubber (B-24, B-26)."""
    while True:
        table.record((yield from deal(table, rules)))
        if rules.episode == "deal":
            table.winner = leader(table.totals)
            return
        if RUBBER in table.games:
            table.winner = table.games.index(RUBBER)  # B-25, whatever the totals
            return
        table.dealer = left_of(table.dealer)


def deal(table: Table, rules: Rules) -> Asks[Result]:
    dealer = table.dealer
    dealt = table.deal(kotka=0)
    strain, namer = yield from naming(table)
    doublings = yield from contre(table, namer, rules)

    def decides(seat: int) -> int:
        return dealer if seat == partner_of(dealer) else seat  # B-9

    tricks = yield from play(table, left_of(dealer), strain, decides=decides)  # B-2
    winners = [side_of(winner_of(trick, strain)) for trick in tricks]
    taken = (winners.count(0), winners.count(1))
    counted = ACES if strain == NO_TRUMP else honours_of(strain)
    lines = score(
        strain,
        doublings,
        taken,
        honours=[held(hand, counted) for hand in dealt],
        voids=[seat for seat in SEATS if all(card[0] != strain for card in dealt[seat])],
        below=table.below,
        games=table.games,
    )
    settle(table, strain, doublings, taken)
    return Result(strain, dealer, doublings, taken, lines, False)


def naming(table: Table) -> Asks[tuple[str, int]]:
    """The strain and who named it: the dealer, or his partner, who may not pass back (B-1)."""
    table.phase = "naming"
    namer = table.dealer
    strain = yield namer, {PASS, *STRAINS}
    if strain == PASS:
        namer = partner_of(namer)
        strain = yield namer, set(STRAINS)
    return strain, namer


def contre(table: Table, namer: int, rules: Rules) -> Asks[int]:
    """How often the strain was raised: the sides answer in turn until both of a side decline."""
    table.phase = "contre"
    answering = [left_of(table.dealer), right_of(table.dealer)]  # B-2, B-5
    waiting = [namer, partner_of(namer)]  # B-4
    raises = 0
    while raises != rules.max_doublings:
        raised = False
        for seat in answering:
            call = yield seat, {PASS, RAISE} if raises < ROOM else {PASS}
            raised = call == RAISE
            if raised:
                break
        if not raised:
            break
        raises += 1
        answering, waiting = waiting, answering
    return raises


def odd_trick_points(strain: str, doublings: int, tricks: int) -> int:
    """What a side with so many tricks marks below the line (B-7, B-11)."""
    return max(0, tricks - BOOK) * VALUE[strain] * 2**doublings


def game_winner(strain: str, doublings: int, tricks: Sequence[int], below: Sequence[int]) -> int | None:
    """The side that marks below the line in this deal, if that makes its game (B-13)."""
    for side in SIDES:
        points = odd_trick_points(strain, doublings, tricks[side])
        if points and below[side] + points >= GAME:
            return side
    return None


def score(
    strain: str,
    doublings: int,
    tricks: Sequence[int],
    honours: Sequence[int],
    voids: Collection[int] = (),
    below: Sequence[int] = (0, 0),
    games: Sequence[int] = (0, 0),
) -> list[Line]:
    """The score lines of one deal.

    `tricks`, `below` and `games` go by side, the last two as they stood before. `honours` are the trump
    honours (the aces at no trump) in the four dealt hands, by seat; `voids` the seats dealt no trump.
    """
    entries: list[Entry] = []
    for side in SIDES:
        hands = (honours[side], honours[partner_of(side)])
        entries.append((side, "tricks", odd_trick_points(strain, doublings, tricks[side])))
        entries.append((side, "slam", SLAM.get(tricks[side], 0)))
        if strain == NO_TRUMP:
            prize = FOUR_ACES_PRIZE if max(hands) == 4 else ACE_PRIZE.get(sum(hands), 0)
            entries.append((side, "aces", prize))
        elif sum(hands) >= 3:
            factors = FOUR_IN_ONE_HAND if max(hands) >= 4 else DIVIDED
            entries.append((side, "honours", factors[sum(hands)] * VALUE[strain]))
            entries.append((side, "chicane", chicane(side, voids) * VALUE[strain]))
    won = game_winner(strain, doublings, tricks, below)
    if won is not None and games[won] + 1 == RUBBER:
        entries.append((won, "rubber", RUBBER_PRIZE))
    return sheet(entries, COLUMNS)


def chicane(holding: int, voids: Collection[int]) -> int:
    """What voids change in the honour prize of `holding`, in trick values: once a side (B-17 to B-20)."""
    void_sides = {side_of(seat) for seat in voids}
    own = CHICANE if holding in void_sides else 0
    theirs = CHICANE if other_side(holding) in void_sides else 0
    return own - theirs


def settle(table: Table, strain: str, doublings: int, tricks: Sequence[int]) -> None:
    """Bring the line up to date; a game draws a new one, both at 0 (B-13)."""
    won = game_winner(strain, doublings, tricks, table.below)
    if won is None:
        for side in SIDES:
            table.below[side] += odd_trick_points(strain, doublings, tricks[side])
    else:
        table.games[won] += 1
        table.below = [0, 0]

"""Vint by its rule text: twelve passes, no dummy, both sides score every trick."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from .common import (
    ACES,
    NO_TRUMP,
    PASS,
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
    passed_out,
    play,
    read_rules,
    sheet,
    side_of,
    winner_of,
)


@dataclass(frozen=True)
class Rules:
    end_passes: Literal[12, 8] = 12
    """Consecutive passes that end an auction with a bid (V-6)."""
    episode: Literal["deal", "rubber"] = "deal"


STRAINS = "SCDHN"  # V-2
BIDS = [f"{level}{strain}" for level in range(1, 8) for strain in STRAINS]  # V-2, rising

PASSES_WITHOUT_BID = 8  # V-4
BOOK = 6  # a level promises so many tricks more

BASE = {"S": 4, "C": 6, "D": 8, "H": 10, "N": 12}  # V-11, a trick at level 1
LEVEL_STEP = 10  # V-11, a trick more for each level above 1
SLAM = {12: 500, 13: 1000}  # V-13, by tricks won
BID_SLAM = {6: 3000, 7: 5000}  # V-14, by level bid and made
UNDERTRICK = 500  # V-15, times level times tricks short
FAILED_SLAM = {6: 3000, 7: 5000}  # V-15, once
HONOURS_PRIZE = {3: 20, 4: 30, 5: 40}  # V-17, in trick values
ACE_PRIZE = 10  # V-18, in trick values, for each ace
TIED_ACES = 2  # V-19, counted by the side with more tricks
GAME = 500  # V-22, below the line
GAME_PRIZE = (500, 1000)  # V-26, a side's first game and its second
RUBBER = 2  # V-26, games that win it

COLUMNS = {
    "tricks": "below",
    "slam": "above",
    "bid_slam": "above",
    "undertricks": "above",
    "failed_slam": "above",
    "honours": "above",
    "aces": "above",
    "game": "above",
}


def opened(options: Mapping[str, Any], source: Source, dealer: int, ledger: Mapping[str, Any]) -> Table:
    """A Vint table, waiting for its first call."""
    table = Table(source, dealer, ledger)
    return table.start(session(table, read_rules(Rules, options)))


def session(table: Table, rules: Rules) -> Asks[None]:
    """One deal, or deals until a side has won the rubber (V-28); a void deal moves the dealer on (V-4)."""
    while True:
        table.record((yield from deal(table, rules)))
        if rules.episode == "deal":
            table.winner = leader(table.totals)
            return
        if RUBBER in table.games:
            table.winner = table.games.index(RUBBER)  # V-27, whatever the totals
            return
        table.dealer = left_of(table.dealer)


def deal(table: Table, rules: Rules) -> Asks[Result]:
    dealt = table.deal(kotka=0)
    won = yield from auction(table, rules)
    if won is None:
        return passed_out()
    contract, declarer = won
    strain = contract[1]
    tricks = yield from play(table, left_of(declarer), strain)
    winners = [side_of(winner_of(trick, strain)) for trick in tricks]
    pairs = [dealt[side] + dealt[side + 2] for side in SIDES]
    lines = score(
        contract,
        side_of(declarer),
        winners,
        honours=[held(pair, honours_of(strain)) for pair in pairs],
        aces=[held(pair, ACES) for pair in pairs],
        below=table.below,
        games=table.games,
    )
    settle(table, contract, winners)
    return Result(contract, declarer, 0, (winners.count(0), winners.count(1)), lines, False)


def auction(table: Table, rules: Rules) -> Asks[tuple[str, int] | None]:
    """The last bid and its maker (V-7); None if nobody bid. A pass is never final (V-3)."""
    table.phase = "auction"
    seat = table.dealer  # V-1
    bids: list[tuple[str, int]] = []
    passes = 0
    while passes < (rules.end_passes if bids else PASSES_WITHOUT_BID):
        higher = BIDS[BIDS.index(bids[-1][0]) + 1 :] if bids else BIDS
        call = yield seat, {PASS, *higher}
        if call == PASS:
            passes += 1
        else:
            bids.append((call, seat))
            passes = 0  # V-5
        seat = left_of(seat)
    return bids[-1] if bids else None


def trick_value(contract: str) -> int:
    """V of the contract (V-11)."""
    return BASE[contract[1]] + LEVEL_STEP * (int(contract[0]) - 1)


def game_winner(contract: str, winners: Sequence[int], below: Sequence[int]) -> int | None:
    """The side that first reaches the game in the order of the tricks (V-23)."""
    running = list(below)
    for side in winners:
        running[side] += trick_value(contract)
        if running[side] >= GAME:
            return side
    return None


def score(
    contract: str,
    declaring: int,
    winners: Sequence[int],
    honours: Sequence[int],
    aces: Sequence[int],
    below: Sequence[int] = (0, 0),
    games: Sequence[int] = (0, 0),
) -> list[Line]:
    """The score lines of one deal.

    `declaring` is the declarer's side, `winners` the side that won each of the 13 tricks in order;
    `honours` and `aces` are counted by side in the dealt hands; `below` and `games` stood before.
    """
    level, strain = int(contract[0]), contract[1]
    value = trick_value(contract)
    tricks = [winners.count(side) for side in SIDES]
    defending = other_side(declaring)
    short = max(0, BOOK + level - tricks[declaring])
    entries: list[Entry] = []

    for side in SIDES:
        entries.append((side, "tricks", tricks[side] * value))  # V-12
        entries.append((side, "slam", SLAM.get(tricks[side], 0)))
        if strain != NO_TRUMP:  # V-20
            entries.append((side, "honours", HONOURS_PRIZE.get(honours[side], 0) * value))

    if short:
        entries.append((defending, "undertricks", UNDERTRICK * level * short))
        entries.append((defending, "failed_slam", FAILED_SLAM.get(level, 0)))
    else:
        entries.append((declaring, "bid_slam", BID_SLAM.get(level, 0)))

    if aces[0] == aces[1]:
        more = 0 if tricks[0] > tricks[1] else 1
        entries.append((more, "aces", TIED_ACES * ACE_PRIZE * value))
    else:
        most = 0 if aces[0] > aces[1] else 1
        entries.append((most, "aces", aces[most] * ACE_PRIZE * value))

    won = game_winner(contract, winners, below)
    if won is not None:
        entries.append((won, "game", GAME_PRIZE[games[won]]))
    return sheet(entries, COLUMNS)


def settle(table: Table, contract: str, winners: Sequence[int]) -> None:
    """Bring the line up to date; a game draws a new one, both at 0 (V-24)."""
    won = game_winner(contract, winners, table.below)
    if won is None:
        for side in winners:
            table.below[side] += trick_value(contract)
    else:
        table.games[won] += 1
        table.below = [0, 0]

"""Skruuvi by its rule text: a kotka of four, a second auction, knocks, and three solo contracts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from .common import (
    ACES,
    NO_TRUMP,
    PASS,
    RANKS,
    SEATS,
    Asks,
    Entry,
    Line,
    Result,
    Source,
    Table,
    Trick,
    held,
    honours_of,
    leader,
    left_of,
    partner_of,
    passed_out,
    play,
    read_rules,
    right_of,
    sheet,
    side_of,
    winner_of,
)


@dataclass(frozen=True)
class Rules:
    kitty: bool = True
    """Deals with a kotka (K-42)."""
    misaari: bool = True
    bolshevik: bool = True
    mussolini: bool = True
    """Which special contracts there are (K-41, K-43)."""
    honours: bool = True
    """Four aces or five trump honours in a hand score (K-44)."""
    solo_partner: Literal["out", "opponent"] = "out"
    """What a solo declarer's partner does (K-20)."""
    misere_bonus: Literal["second_best", "all_defender_tricks", "none"] = "second_best"
    """What earns the 50s of a made misaari (K-26)."""
    special_rank: Literal["by_class", "top"] = "by_class"
    """Where the special contracts stand among the bids (K-7)."""
    all_pass: Literal["count", "redeal"] = "count"
    """Whether a passed-out deal counts as one of the match (K-6)."""
    episode: Literal["deal", "rubber", "match"] = "deal"
    rubbers: int | None = None
    """So many rubbers in place of the match (K-36)."""


STRAINS = "CDHSN"  # K-3
MISAARI, BOLSHEVIK, MUSSOLINI = "misaari", "bolshevik", "mussolini"
SPECIALS = (MISAARI, BOLSHEVIK, MUSSOLINI)
KNOCK, REDOUBLE = "X", "XX"

PASSES_WITHOUT_BID = 4  # K-5
PASSES_AFTER_BID = 3  # K-4
KOTKA = 4
RUBBER_DEALS = 8  # K-36
KITTY_DEALS = 24  # K-34, the rest of a match is dealt without kotka (K-35)
MATCH_DEALS = 28  # K-34

BOOK = 6
TRICK = {"C": 1, "D": 2, "H": 3, "S": 4, "N": 5}  # K-23, each trick above the book
UNDERTRICK = 50  # K-24, K-27
SLAM = {12: 500, 13: 1000}  # K-25, by bid
MISAARI_PRIZE = 100  # K-26
SPOIL = 50  # K-26, for each trick that counts
SPECIAL_PRIZE = 2000  # K-28
HONOURS_PRIZE = 100  # K-29

COLUMNS: dict[str, str] = dict.fromkeys(
    ("tricks", "slam", "undertricks", "misaari", "second_best", "special", "aces", "honours"), "score"
)


def opened(options: Mapping[str, Any], source: Source, dealer: int, ledger: Mapping[str, Any]) -> Table:
    """A Skruuvi table, waiting for the forehand's first call."""
    rules = read_rules(Rules, options)
    if rules.rubbers is not None and rules.episode != "match":
        raise ValueError('rubbers=R goes with episode="match"')
    table = Table(source, dealer, ledger)
    return table.start(session(table, rules))


def session(table: Table, rules: Rules) -> Asks[None]:
    """One deal, a rubber, or a match; the higher total wins, level totals are a draw (K-37)."""
    while True:
        result = yield from deal(table, rules)
        table.record(result)
        if not (result.passed_out and rules.all_pass == "redeal"):
            table.number += 1
        if rules.episode == "deal" or table.number >= length(rules):
            table.winner = leader(table.totals)
            return
        table.dealer = left_of(table.dealer)


def length(rules: Rules) -> int:
    """Deals of a rubber, of R rubbers, or of a match."""
    if rules.episode == "rubber":
        return RUBBER_DEALS
    return MATCH_DEALS if rules.rubbers is None else RUBBER_DEALS * rules.rubbers


def has_kotka(rules: Rules, number: int) -> bool:
    """Whether the deal of this number has a kotka; rubbers have no final deals without one."""
    in_rubbers = rules.episode == "rubber" or rules.rubbers is not None
    return rules.kitty and (in_rubbers or number < KITTY_DEALS)


def is_solo(contract: str) -> bool:
    return contract in SPECIALS


def strain_of(contract: str) -> str:
    """Special contracts are played at no trump (K-9)."""
    return NO_TRUMP if is_solo(contract) else contract[-1]


def deal(table: Table, rules: Rules) -> Asks[Result]:
    kitty = has_kotka(rules, table.number)
    table.deal(kotka=KOTKA if kitty else 0)
    won = yield from auction(table, rules)
    if won is None:
        return passed_out()
    contract, declarer = won  # K-15: he stays the declarer
    if kitty:
        yield from exchange(table, declarer)
        contract = yield from second_auction(table, rules, contract, declarer)
    doublings = yield from knocks(table, contract, declarer)

    at_lead = [list(hand) for hand in table.hands]  # K-30
    partner = partner_of(declarer)
    outside = is_solo(contract) and rules.solo_partner == "out"
    players = [seat for seat in SEATS if not (outside and seat == partner)]  # K-20
    tricks = yield from play(table, left_of(declarer), strain_of(contract), players)  # K-19

    taken = declaring_tricks(contract, declarer, tricks, kitty)
    defended = sum(not is_declaring(contract, declarer, trick) for trick in tricks)
    lines = score(
        contract,
        side_of(declarer),
        doublings,
        taken,
        rules,
        second_best=sum(is_second_best(trick, declarer) for trick in tricks),
        defended=defended,
        hands=at_lead,
    )
    tally = (taken, defended) if side_of(declarer) == 0 else (defended, taken)
    return Result(contract, declarer, doublings, tally, lines, False)


# The auctions.


def ladder(rules: Rules) -> list[str]:
    """The bids there are, rising (K-3, K-7, K-8)."""
    ordinary = [f"{tricks}{strain}" for tricks in range(7, 12) for strain in STRAINS]
    slams = [f"{tricks}{strain}" for tricks in (12, 13) for strain in STRAINS]
    if rules.special_rank == "top":
        rising = [*ordinary, *slams, MISAARI, BOLSHEVIK, MUSSOLINI]
    else:
        rising = [*ordinary, MISAARI, *slams, BOLSHEVIK, MUSSOLINI]
    return [bid for bid in rising if not is_solo(bid) or getattr(rules, bid)]


def above(bids: list[str], contract: str) -> list[str]:
    return bids[bids.index(contract) + 1 :]


def auction(table: Table, rules: Rules) -> Asks[tuple[str, int] | None]:
    """The last bid and its maker; None if nobody bid. A pass is not final (K-4)."""
    table.phase = "auction"
    bids = ladder(rules)
    seat = left_of(table.dealer)  # K-1
    won: tuple[str, int] | None = None
    passes = 0
    while passes < (PASSES_AFTER_BID if won else PASSES_WITHOUT_BID):
        call = yield seat, {PASS, *(above(bids, won[0]) if won else bids)}
        if call == PASS:
            passes += 1
        else:
            won = (call, seat)
            passes = 0
        seat = left_of(seat)
    return won


def exchange(table: Table, declarer: int) -> Asks[None]:
    """The declarer takes the kotka and lays away any four cards, one after the other (K-10)."""
    table.phase = "exchange"
    hand = table.hands[declarer]
    hand += table.kotka
    table.kotka = []
    for _ in range(KOTKA):
        card = yield declarer, set(hand)
        hand.remove(card)


def second_auction(table: Table, rules: Rules, contract: str, declarer: int) -> Asks[str]:
    """The contract as the declaring side leaves it (K-13). While a special contract stands the declarer
    speaks alone; a positive bid over it gives the partner his turns back, and he is the next to speak."""
    table.phase = "raise"
    bids = ladder(rules)
    seat = declarer
    passes = 0
    while passes < (1 if is_solo(contract) else 2):
        higher = [bid for bid in above(bids, contract) if seat == declarer or not is_solo(bid)]  # K-14
        call = yield seat, {PASS, *higher}
        if call == PASS:
            passes += 1
        else:
            contract = call
            passes = 0
        seat = declarer if is_solo(contract) else partner_of(seat)
    return contract


def knocks(table: Table, contract: str, declarer: int) -> Asks[int]:
    """0 without a knock, 1 knocked, 2 redoubled (K-17)."""
    table.phase = "knock"
    for knocker in (left_of(declarer), right_of(declarer)):
        call = yield knocker, {PASS, KNOCK}
        if call == KNOCK:
            return (yield from redoubling(table, contract, declarer, knocker))
    return 0


def redoubling(table: Table, contract: str, declarer: int, knocker: int) -> Asks[int]:
    table.phase = "redouble"
    pair = (left_of(knocker), right_of(knocker))
    for seat in (declarer,) if is_solo(contract) else pair:
        call = yield seat, {PASS, REDOUBLE}
        if call == REDOUBLE:
            return 2
    return 1


# The tricks, counted.


def is_declaring(contract: str, declarer: int, trick: Trick) -> bool:
    """Whether the trick is the declaring side's; in a solo contract the declarer's own (K-20, K-22)."""
    winner = winner_of(trick, strain_of(contract))
    return winner == declarer or (winner == partner_of(declarer) and not is_solo(contract))


def declaring_tricks(contract: str, declarer: int, tricks: Sequence[Trick], kitty: bool) -> int:
    """Tricks of the declaring side, with the trick of the discards where it counts (K-12)."""
    discards = int(kitty and contract not in (MISAARI, BOLSHEVIK))
    return discards + sum(is_declaring(contract, declarer, trick) for trick in tricks)


def is_second_best(trick: Trick, declarer: int) -> bool:
    """Whether the declarer would have taken this no-trump trick but for the card that won it (K-26)."""
    led = trick[0][1][0]
    following = [(seat, card) for seat, card in trick if card[0] == led]
    rising = sorted(following, key=lambda played: RANKS.index(played[1][1]))
    return len(rising) >= 2 and rising[-2][0] == declarer


# The score.


def score(
    contract: str,
    declaring: int,
    doublings: int,
    taken: int,
    rules: Rules,
    second_best: int = 0,
    defended: int = 0,
    hands: Sequence[Sequence[str]] = ((), (), (), ()),
) -> list[Line]:
    """The score lines of one deal.

    `declaring` is the declarer's side, `doublings` 0, 1 (knocked) or 2 (redoubled), `taken` the tricks
    of the declaring side with the discard trick where it counts. `second_best` are the tricks in which
    the declarer was second-best, `defended` those the defenders took: only a made misaari asks for them.
    `hands` are the four hands as play begins.
    """
    factor = 2**doublings  # K-18
    entries: list[Entry] = []
    if contract == MISAARI:
        entries += misaari_entries(declaring, factor, taken, spoils(rules, second_best, defended))
    elif is_solo(contract):
        wanted = 0 if contract == BOLSHEVIK else 13
        sign = 1 if taken == wanted else -1
        entries.append((declaring, "special", sign * SPECIAL_PRIZE * factor))
    else:
        bid, strain = int(contract[:-1]), contract[-1]
        if taken >= bid:
            entries.append((declaring, "tricks", TRICK[strain] * (taken - BOOK) * factor))
            entries.append((declaring, "slam", SLAM.get(bid, 0) * factor))
        else:
            entries.append((declaring, "undertricks", -UNDERTRICK * (bid - taken) * factor))
    if rules.honours:
        entries += honour_entries(strain_of(contract), hands)
    return sheet(entries, COLUMNS)


def spoils(rules: Rules, second_best: int, defended: int) -> int:
    """Tricks that earn a 50 in a made misaari (K-26)."""
    return {"second_best": second_best, "all_defender_tricks": defended, "none": 0}[rules.misere_bonus]


def misaari_entries(declaring: int, factor: int, taken: int, spoilt: int) -> list[Entry]:
    if taken:
        return [(declaring, "undertricks", -UNDERTRICK * taken * factor)]
    return [
        (declaring, "misaari", MISAARI_PRIZE * factor),
        (declaring, "second_best", SPOIL * spoilt * factor),
    ]


def honour_entries(strain: str, hands: Sequence[Sequence[str]]) -> list[Entry]:
    """All four aces, all five trump honours, each in one hand; never doubled (K-29 to K-32)."""
    entries: list[Entry] = []
    for seat in SEATS:
        if held(hands[seat], ACES) == 4:
            entries.append((side_of(seat), "aces", HONOURS_PRIZE))
        if held(hands[seat], honours_of(strain)) == 5:
            entries.append((side_of(seat), "honours", HONOURS_PRIZE))
    return entries

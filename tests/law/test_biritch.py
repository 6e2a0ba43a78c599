"""Biritch by number: the scoring cases BT, the order cases BA, and the rulings B that show at the table."""

from typing import Any, NamedTuple

import numpy as np
import pytest
from agreement import cards_in, lines_of
from referee import biritch
from referee.common import ACES, held, honours_of

from skruv import OptionError, Tables

from .staging import (
    SEATS, asked, column, deal, legal, margin, passes, phase, play_out, play_rubber, say, seated, sees, standing, table, won_by,
)

Pair = tuple[int, int]
"""Side A, the dealer's, and side B."""


class Case(NamedTuple):
    """A row of the table of worked cases."""

    number: str
    strain: str
    """N is biritch."""
    doublings: int
    tricks: int
    """Of side A."""
    holding: str
    """Honours, at biritch aces, of A's hands and of B's: dealer + partner | left + right."""
    below: Pair
    above: Pair
    game: str | None = None
    partials: Pair = (0, 0)
    games: Pair = (0, 0)
    void: str = ""
    """Hands without trumps: L left of the dealer, P partner, R right."""


CASES = (
    Case("BT-01", "H", 0, 9, "1+1|2+1", (24, 0), (0, 16)),
    Case("BT-02", "H", 1, 9, "1+1|2+1", (48, 0), (0, 16), "A"),
    Case("BT-03", "S", 2, 6, "2+1|1+1", (0, 8), (4, 0)),
    Case("BT-04", "N", 0, 10, "2+1|1+0", (40, 0), (30, 0), "A"),
    Case("BT-05", "N", 0, 9, "3+1|0+0", (30, 0), (40, 0), "A"),
    Case("BT-06", "N", 0, 7, "0+0|4+0", (10, 0), (0, 80)),
    Case("BT-07", "N", 1, 7, "1+1|2+0", (20, 0), (0, 0)),
    Case("BT-08", "D", 0, 12, "4+0|1+0", (36, 0), (68, 0), "A"),
    Case("BT-09", "C", 0, 13, "3+1|1+0", (28, 0), (56, 0)),
    Case("BT-10", "C", 1, 13, "3+1|1+0", (56, 0), (56, 0), "A"),
    Case("BT-11", "S", 0, 0, "1+0|2+2", (0, 14), (0, 48)),
    Case("BT-12", "H", 0, 8, "3+2|0+0", (16, 0), (40, 0)),
    Case("BT-13", "H", 0, 8, "4+1|0+0", (16, 0), (72, 0)),
    Case("BT-14", "H", 0, 8, "5+0|0+0", (16, 0), (72, 0)),
    Case("BT-15", "D", 0, 8, "3+0|1+1", (12, 0), (24, 0), void="P"),
    Case("BT-16", "D", 0, 8, "2+1|2+0", (12, 0), (0, 0), void="R"),
    Case("BT-17", "H", 0, 10, "4+0|1+0", (32, 0), (64, 0), "A", void="PR"),
    Case("BT-18", "H", 0, 11, "3+2|0+0", (40, 0), (24, 0), "A", void="LR"),
    Case("BT-19", "S", 0, 13, "5+0|0+0", (14, 0), (58, 0), void="LPR"),
    Case("BT-20", "S", 0, 9, "2+1|1+1", (6, 0), (4, 0), "A", partials=(24, 0)),
    Case("BT-21", "S", 0, 9, "2+1|1+1", (6, 0), (4, 0), partials=(22, 0)),
    Case("BT-22", "H", 0, 8, "2+0|2+1", (16, 0), (0, 16), "A", partials=(20, 26), games=(0, 1)),
    Case("BT-23", "H", 0, 10, "2+2|1+0", (32, 0), (72, 0), "A", games=(1, 1)),
    Case("BT-24", "D", 3, 8, "1+1|2+1", (96, 0), (0, 12), "A"),
    Case("BT-25", "H", 2, 7, "4+0|1+0", (32, 0), (48, 0), "A", void="R"),
    Case("BT-26", "C", 0, 6, "3+0|1+1", (0, 4), (8, 0)),
    Case("BT-27", "H", 1, 12, "3+1|1+0", (96, 0), (52, 0), "A"),
)


def hands(strain: str, holding: str, dealer: int, void: str = "") -> dict[str, str]:
    """A deal in which the hands - dealer + partner | left + right - hold so many honours, at biritch so many aces."""
    cards = iter(ACES if strain == "N" else honours_of(strain))
    counts = zip("DPLR", map(int, holding.replace("|", "+").split("+")), strict=True)
    dealt = {role: " ".join(next(cards) for _ in range(count)) for role, count in counts}
    return deal(**seated(dealer, dealt), void=" ".join(f"{SEATS[(dealer + 'DLPR'.index(role)) % 4]}:{strain}" for role in void))


def counted(tables: Tables, row: int, strain: str) -> tuple[list[int], list[int]]:
    """Of the dealt hands by seat: honours or aces, and the seats without a trump."""
    dealt = [cards_in(hand) for hand in tables.states["dealt"][row]]
    cards = ACES if strain == "N" else honours_of(strain)
    return [held(hand, cards) for hand in dealt], [seat for seat in range(4) if all(card[0] != strain for card in dealt[seat])]


def by_side(pair: Pair, dealer: int) -> list[int]:
    """What is A's and B's as North and South's, East and West's."""
    return list(pair if dealer % 2 == 0 else pair[::-1])


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.number)
def test_scoring_case(case: Case) -> None:
    """Each seat in turn is the dealer."""
    tables = Tables("biritch", 4, seed=0, autoreset=False, episode="rubber")
    tables.reset(deals=[
        {
            **hands(case.strain, case.holding, dealer, case.void), "contract": case.strain, "declarer": name,
            "ledger": {"below": by_side(case.partials, dealer), "games": by_side(case.games, dealer)},
        }
        for dealer, name in enumerate(SEATS)
    ])
    tables.states["doublings"] = case.doublings
    before = [counted(tables, dealer, case.strain) for dealer in range(4)]
    chairs = np.array(case.tricks * [0] + (13 - case.tricks) * [1])
    play_out(tables, won_by((chairs + np.arange(4)[:, None]) % 4))
    for dealer, (honours, voids) in enumerate(before):
        below, above = by_side(case.below, dealer), by_side(case.above, dealer)
        partials, games = by_side(case.partials, dealer), by_side(case.games, dealer)
        tricks = by_side((case.tricks, 13 - case.tricks), dealer)
        winner = -1 if case.game is None else (dealer + "AB".index(case.game)) % 2
        after = [count + (side == winner) for side, count in enumerate(games)]
        ledger = tables.states["ledger"][dealer]
        assert column(tables, "below")[dealer].tolist() == below
        assert column(tables, "above")[dealer].tolist() == above
        assert lines_of(tables, dealer) == biritch.score(case.strain, case.doublings, tricks, honours, voids, partials, games)
        assert ledger["games"].tolist() == after
        assert ledger["below"].tolist() == ([0, 0] if case.game else np.add(partials, below).tolist())
        assert ledger["total"].tolist() == np.add(np.add(partials, below), above).tolist()
        assert tables.states["winner"][dealer] == (winner if 2 in after else -1)


@pytest.mark.parametrize("doublings", range(7))
def test_scores_of_all_strains_and_tricks__P32(doublings: int) -> None:
    plays = [(strain, tricks) for strain in biritch.STRAINS for tricks in range(14)]
    rng = np.random.default_rng(doublings)
    below, games = 2 * rng.integers(15, size=(len(plays), 2)), rng.integers(2, size=(len(plays), 2))
    tables = Tables("biritch", len(plays), seed=doublings, autoreset=False)
    tables.reset(deals=[
        {"contract": strain, "declarer": SEATS[row % 4], "ledger": {"below": below[row], "games": games[row]}}
        for row, (strain, _) in enumerate(plays)
    ])
    tables.states["doublings"] = doublings
    play_out(tables, won_by([tricks * [0] + (13 - tricks) * [1] for _, tricks in plays]))
    for row, (strain, tricks) in enumerate(plays):
        score = biritch.score(
            strain, doublings, (tricks, 13 - tricks), *counted(tables, row, strain), below[row].tolist(), games[row].tolist()
        )
        assert lines_of(tables, row) == score, plays[row]


def test_rubber_won_with_fewer_points__BT28() -> None:
    tables = Tables("biritch", 1, seed=0, autoreset=False, episode="rubber", first_dealer="N")
    marks = play_rubber(tables, [
        (hands("N", "1+1|1+1", 0), "N P P", 9 * [0] + 4 * [1]),
        (hands("H", "4+1|0+0", 1), "H P P", 5 * [0] + 8 * [1]),
        (hands("S", "2+1|1+1", 2), "S P P", 7 * [0] + 6 * [1]),
        (hands("H", "4+1|0+0", 3), "H P P", 6 * [0] + 7 * [1]),
        (hands("N", "1+1|1+1", 0), "N P P", 10 * [0] + 3 * [1]),
    ])
    assert marks == [([30, 0], [0, 0]), ([0, 16], [0, 72]), ([2, 0], [4, 0]), ([0, 8], [0, 72]), ([40, 0], [40, 0])]
    assert tables.states["ledger"]["total"][0].tolist() == [116, 168]
    assert margin(tables) == -52
    assert tables.states["winner"][0] == 0
    assert tables.states["seat"][0] == -1


def test_equal_totals_keep_the_winner__BT29() -> None:
    tables = Tables("biritch", 1, seed=0, autoreset=False, episode="rubber")
    ledger = {"below": (0, 0), "games": (1, 1), "total": (0, 104)}
    tables.reset(deals={**hands("H", "2+2|1+0", 0), "ledger": ledger, "contract": "H", "declarer": "N"})
    play_out(tables, won_by([10 * [0] + 3 * [1]]))
    assert margin(tables) == 0
    assert tables.states["winner"][0] == 0


# The naming and the contre.


def test_defence_declines_in_order__BA1_B2() -> None:
    env = table("biritch")
    say(env, "N H, E P, W P")
    assert standing(env) == ("H", "N", 0)
    assert (phase(env), asked(env)) == ("play", "E")


def test_partner_names_and_answers_first__BA2_B1_B4() -> None:
    env = table("biritch")
    assert legal(env) == {"P", *biritch.STRAINS}
    say(env, "N P")
    assert legal(env) == {*biritch.STRAINS}
    say(env, "S S, E P, W X, S P, N P")
    assert standing(env) == ("S", "N", 1)
    say(env, f"E {min(legal(env))}")
    assert asked(env) == "N"
    assert sees(env.tables, "E")["for_dummy"] == ["yes"]
    assert legal(env) <= set(sees(env.tables, "S")["hand"])


def test_sides_raise_in_turn__BA3() -> None:
    env = table("biritch")
    say(env, "N H, E X, N X, E P, W X, N P, S P")
    assert standing(env) == ("H", "N", 3)
    assert (phase(env), asked(env)) == ("play", "E")


def test_who_declined_may_raise_later__B3_B5() -> None:
    env = table("biritch")
    say(env, "N H, E P, W X, N P, S X, E X, N P, S P")
    assert standing(env) == ("H", "N", 3)


def test_no_doubling_is_offered_where_none_is_allowed__B6() -> None:
    env = table("biritch", max_doublings=0)
    say(env, "N P, S D")
    assert (phase(env), asked(env)) == ("play", "E")


def test_play_begins_at_once_after_the_last_doubling_allowed__B6() -> None:
    env = table("biritch", max_doublings=2)
    say(env, "N D, E X, N X")
    assert (phase(env), asked(env)) == ("play", "E")
    assert standing(env) == ("D", "N", 2)


def test_doubling_has_no_ceiling__B6() -> None:
    """But after forty, which a score has room for, the seats are asked in vain."""
    env = table("biritch")
    say(env, "N D")
    for _ in range(20):
        say(env, "E X, N X")
    assert legal(env) == {"P"}
    say(env, "E P, W P")
    assert standing(env) == ("D", "N", 40)


def test_forty_doublings_are_scored__B6_B7() -> None:
    tables = Tables("biritch", 1, seed=0, autoreset=False)
    tables.reset(deals={**hands("N", "1+1|1+1", 0), "contract": "N", "declarer": "N"})
    tables.states["doublings"] = 40
    play_out(tables, won_by([13 * [0]]))
    assert column(tables, "below")[0].tolist() == [70 * 2**40, 0]
    assert column(tables, "above")[0].tolist() == [40, 0]


# The play of the cards.


def test_a_trump_takes_the_trick__BA4() -> None:
    given = deal(E="CK", S="H2", W="CA", N="C7", void="S:C")
    env = table("biritch", given)
    say(env, "N H, E P, W P, E CK")
    assert legal(env) == set(sees(env.tables, "S")["hand"])
    say(env, "N H2, W CA, N C7")
    assert env.tables.states["winners"][0, 0] == SEATS.index("S")
    assert legal(env) == set(sees(env.tables, "S")["hand"])


def test_dealer_plays_dummy__BA5_B8_B9_B10() -> None:
    env = table("biritch", deal(E="C2", S="CA", W="C3", N="C4"))
    say(env, "N H, E P, W P")
    assert [sees(env.tables, seat)["dummy"] for seat in SEATS] == [[], [], [], []]
    say(env, "E C2")
    dummy = sees(env.tables, "S")["hand"]
    assert [sees(env.tables, seat)["dummy"] for seat in SEATS] == [dummy] * 4
    say(env, "N CA, W C3, N C4")
    assert asked(env) == "N"
    assert legal(env) == set(dummy) - {"CA"}


@pytest.mark.parametrize("naming", ["N H", "N P, S H"])
def test_partner_decides_nothing_after_the_contre__B9(naming: str) -> None:
    env = table("biritch")
    say(env, naming)
    passes(env, 2)
    while not any(env.terminations.values()):
        assert asked(env) != "S"
        env.step(env.legal_actions()[-1])


def test_left_of_the_dealer_leads_whoever_named__B2() -> None:
    env = table("biritch", first_dealer="W")
    say(env, "W P, E C, N P, S P")
    assert standing(env) == ("C", "W", 0)
    assert (phase(env), asked(env)) == ("play", "N")


def test_deal_goes_to_the_left_until_a_rubber_is_won__B26_B27() -> None:
    tables = Tables("biritch", 1, seed=0, autoreset=False, episode="rubber", first_dealer="N")
    dealers = []
    for _ in range(5):
        dealers.append(SEATS[tables.states["dealer"][0]])
        play_rubber(tables, [(hands("S", "1+1|2+1", 0), "S P P", 7 * [0] + 6 * [1])])
    assert dealers == ["N", "E", "S", "W", "N"]
    assert tables.states["ledger"]["below"][0].tolist() == [10, 0]
    assert tables.states["winner"][0] == -1


@pytest.mark.parametrize(("options", "name"), [
    ({"max_doublings": 41}, "max_doublings"),
    ({"max_doublings": -1}, "max_doublings"),
    ({"max_doublings": True}, "max_doublings"),
    ({"episode": "match"}, "episode"),
    ({"rubbers": 2}, "rubbers"),
    ({"variant": "simplified"}, "variant"),
    ({"max_doubling": 2}, "max_doublings"),
])
def test_options_that_do_not_exist(options: dict[str, Any], name: str) -> None:
    with pytest.raises(OptionError, match=name):
        Tables("biritch", **options)

"""Skruuvi by number: the scoring cases KT, and the tricks KM that pay in a made misääri."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import pytest
from agreement import cards_in, lines_of
from referee import skruuvi

from skruv import Tables
from skruv.arena import margin_of

from .staging import SEATS, asked, column, deal, passes, play_out, say, seated, sees, standing, table, won_by

NO_OPTIONS: Mapping[str, Any] = MappingProxyType({})
SPREAD = MappingProxyType({"D": "SA", "L": "HA", "P": "DA", "R": "CA"})
"""Hands of declarer, left, partner and right that hold no honours together."""


class Case(NamedTuple):
    """A row of the table of worked cases."""

    number: str
    contract: str
    played: int
    """Tricks of the declaring side that are played."""
    doublings: int
    points: int
    """Of the declaring side."""
    defence: int = 0
    kitty: bool = True
    second_best: int = 0
    """Tricks in which a misääri's declarer is second-best."""
    hands: Mapping[str, str] = SPREAD
    options: Mapping[str, Any] = NO_OPTIONS


CASES = (
    Case("KT-01", "9S", 9, 0, 16),
    Case("KT-02", "9S", 8, 0, 12),
    Case("KT-03", "7C", 6, 0, 1),
    Case("KT-04", "7N", 12, 0, 35),
    Case("KT-05", "9S", 7, 0, -50),
    Case("KT-06", "9S", 5, 1, -300),
    Case("KT-07", "9S", 5, 2, -600),
    Case("KT-08", "12H", 11, 0, 518),
    Case("KT-09", "12H", 12, 0, 521),
    Case("KT-10", "13N", 12, 0, 1035),
    Case("KT-11", "13D", 11, 0, -50),
    Case("KT-12", "11S", 11, 0, 24),
    Case("KT-13 knocked", "9S", 9, 1, 32),
    Case("KT-13 redoubled", "9S", 9, 2, 64),
    Case("KT-14", "12H", 11, 1, 1036),
    Case("KT-15", "13C", 12, 2, 4028),
    Case("KT-16", "13N", 0, 0, -600),
    Case("KT-16 redoubled", "13N", 0, 2, -2400),
    Case("KT-17", "13N", 0, 0, -650, kitty=False),
    Case("KT-18", "9S", 9, 0, 12, kitty=False),
    Case("KT-19", "9S", 8, 0, -50, kitty=False),
    Case("KT-20", "misaari", 0, 0, 100),
    Case("KT-21", "misaari", 0, 0, 250, second_best=3),
    Case("KT-21 knocked", "misaari", 0, 1, 500, second_best=3),
    Case("KT-21 redoubled", "misaari", 0, 2, 1000, second_best=3),
    Case("KT-21 all_defender_tricks", "misaari", 0, 0, 700, second_best=3, options={"misere_bonus": "all_defender_tricks"}),
    Case(
        "KT-21 all_defender_tricks without kotka", "misaari", 0, 0, 750, kitty=False, second_best=3,
        options={"misere_bonus": "all_defender_tricks"},
    ),
    Case("KT-21 none", "misaari", 0, 0, 100, second_best=3, options={"misere_bonus": "none"}),
    Case("KT-22", "misaari", 1, 0, -50, second_best=3),
    Case("KT-23 knocked", "misaari", 2, 1, -200, second_best=3),
    Case("KT-23 redoubled", "misaari", 4, 2, -800, second_best=3),
    Case("KT-24", "bolshevik", 0, 0, 2000),
    Case("KT-24 one trick", "bolshevik", 1, 0, -2000),
    Case("KT-24 five tricks", "bolshevik", 5, 0, -2000),
    Case("KT-25 knocked", "bolshevik", 0, 1, 4000),
    Case("KT-25 redoubled", "bolshevik", 0, 2, 8000),
    Case("KT-25 knocked, failed", "bolshevik", 1, 1, -4000),
    Case("KT-25 redoubled, failed", "bolshevik", 1, 2, -8000),
    Case("KT-26", "mussolini", 12, 0, 2000),
    Case("KT-26 failed", "mussolini", 11, 0, -2000),
    Case("KT-27", "mussolini", 13, 0, 2000, kitty=False),
    Case("KT-27 failed", "mussolini", 12, 0, -2000, kitty=False),
    Case("KT-28", "9S", 8, 0, 112, hands={"D": "SA HA DA CA"}),
    Case("KT-29 left", "9H", 7, 0, -50, 100, hands={"L": "HA HK HQ HJ HT", "D": "SA", "P": "DA", "R": "CA"}),
    Case("KT-29 right", "9H", 7, 0, -50, 100, hands={"R": "HA HK HQ HJ HT", "D": "SA", "P": "DA", "L": "CA"}),
    Case("KT-30 declarer", "9S", 8, 0, 212, hands={"D": "SA HA DA CA SK SQ SJ ST"}),
    Case("KT-30 partner", "9S", 8, 0, 212, hands={"P": "SA HA DA CA SK SQ SJ ST"}),
    Case("KT-31", "10N", 9, 0, 20, hands={"D": "SA HA DA SK SQ SJ ST", "L": "CA"}),
    Case("KT-32", "8H", 7, 0, 6, hands={"D": "HA HK HQ SA", "P": "HJ HT CA DA"}),
    Case("KT-34", "8H", 7, 1, 112, hands={"P": "SA HA DA CA"}),
    Case("KT-35", "misaari", 0, 0, 100, 100, hands={"L": "SA HA DA CA"}),
    Case("K-32 partner sits out", "misaari", 0, 0, 200, hands={"P": "SA HA DA CA"}),
    Case("K-32 failed", "mussolini", 11, 0, -1900, hands={"D": "SA HA DA CA"}),
    Case("KT-37", "9S", 8, 0, 12, hands={"D": "SA HA DA CA SK SQ SJ ST"}, options={"variant": "university"}),
    Case("KT-39", "10N", 8, 2, -200),
)


def chairs(contract: str, played: int, second_best: int, tricks: int) -> list[int]:
    """Who wins each trick - 0 declarer, 1 left, 2 partner, 3 right; the defence's first ``second_best`` tricks are left's.

    Where the declarer sits on a winner's right, he is second-best.
    """
    ours = played * [0] if contract in skruuvi.SPECIALS else [2 * (place % 2) for place in range(played)]
    theirs = tricks - played
    return [*ours, *[1] * min(second_best, theirs), *[3] * (theirs - second_best), *[3] * (13 - tricks)]


def referee_lines(tables: Tables, row: int, contract: str, played: int, second_best: int) -> list[Any]:
    """What the referee writes down for a table's last deal."""
    state = tables.states[row]
    rules = {name: getattr(tables.rules, name) for name in ("honours", "misere_bonus")}
    discards = state["kotka"] != 0 and contract not in ("misaari", "bolshevik")
    return skruuvi.score(
        contract, int(state["declarer"]) % 2, int(state["doublings"]), played + discards, skruuvi.Rules(**rules),
        second_best, int(state["done"]) - played, [cards_in(hand) for hand in state["dealt"]],
    )


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.number)
def test_scoring_case(case: Case) -> None:
    """Each seat in turn is the declarer."""
    tables = Tables("skruuvi", 4, seed=0, autoreset=False, kitty=case.kitty, **case.options)
    kotka = "" if case.kitty else None
    tables.reset(deals=[
        {**deal(kotka=kotka, **seated(seat, case.hands)), "contract": case.contract, "declarer": name}
        for seat, name in enumerate(SEATS)
    ])
    tables.states["doublings"] = case.doublings
    winners = np.array(chairs(case.contract, case.played, case.second_best, 12 + (not case.kitty)))
    play_out(tables, won_by((winners + np.arange(4)[:, None]) % 4))
    for seat in range(4):
        points = column(tables, "score")[seat].tolist()
        assert (points[seat % 2], points[1 - seat % 2]) == (case.points, case.defence)
        assert lines_of(tables, seat) == referee_lines(tables, seat, case.contract, case.played, case.second_best)
        assert tables.states["ledger"]["total"][seat].tolist() == points


@pytest.mark.parametrize("kitty", [True, False])
@pytest.mark.parametrize("doublings", [0, 1, 2])
def test_scores_of_all_contracts_and_tricks__P32(kitty: bool, doublings: int) -> None:
    tricks = 12 + (not kitty)
    plays = [
        (contract, played, (played + place) % (tricks - played + 1))
        for place, contract in enumerate(skruuvi.ladder(skruuvi.Rules())) for played in range(tricks + 1)
    ]
    tables = Tables("skruuvi", len(plays), seed=0, autoreset=False, kitty=kitty)
    tables.reset(deals=[{"contract": contract, "declarer": SEATS[row % 4]} for row, (contract, *_) in enumerate(plays)])
    tables.states["doublings"] = doublings
    winners = np.array([chairs(*play, tricks) for play in plays])
    play_out(tables, won_by((winners + np.arange(len(plays))[:, None]) % 4))
    for row, play in enumerate(plays):
        assert lines_of(tables, row) == referee_lines(tables, row, *play), play


@pytest.mark.parametrize(
    ("discards", "points"), [("C2 C3 C4 C5", 112), ("CA C2 C3 C4", 12)], ids=["KT-33 keeps all", "KT-33 discards one"]
)
def test_the_fourth_ace_comes_from_the_kotka(discards: str, points: int) -> None:
    env = table("skruuvi", deal(E="SA HA DA C2 C3 C4 C5", kotka="CA C6 D2 D3"))
    say(env, "E 9S, S P, W P, N P")
    say(env, ", ".join(f"E {card}" for card in discards.split()))
    passes(env, 4)
    play_out(env.tables, won_by([8 * [1] + 5 * [0]]))
    assert column(env.tables, "score")[0].tolist() == [0, points]


def test_discarded_aces_do_not_count__K30() -> None:
    env = table("skruuvi", deal(E="SA HA DA CA", kotka="D2 D3 D4 D5"))
    say(env, "E 9S, S P, W P, N P, E CA, E D2, E D3, E D4")
    passes(env, 4)
    play_out(env.tables, won_by([8 * [1] + 5 * [0]]))
    assert column(env.tables, "score")[0].tolist() == [0, 12]


def test_four_passes_score_nothing_and_count__KT36() -> None:
    env = table("skruuvi", episode="match")
    say(env, "E P, S P, W P, N P")
    assert env.ledger == {"total": [0, 0], "deal": 1, "lines": [[]]}


def test_the_raised_bid_binds__KT38() -> None:
    env = table("skruuvi", deal(E="SA", S="HA", W="DA", N="CA", kotka="D2 D3 D4 D5"))
    say(env, "E 9S, S P, W P, N P, E D2, E D3, E D4, E D5, E P, W 10S, E P, W P, S P, N P")
    play_out(env.tables, won_by([8 * [1] + 5 * [0]]))
    assert standing(env) == ("10S", "E", 0)
    assert column(env.tables, "score")[0].tolist() == [0, -50]


def test_duplicate_board__KT40() -> None:
    """North and South are pair A at the first table, pair B at the second."""
    tables = Tables("skruuvi", 2, seed=0, autoreset=False)
    tables.reset(deals={**deal(kotka="", **seated(0, SPREAD)), "contract": "9S", "declarer": "N"})
    play_out(tables, won_by([chairs("9S", 9, 0, 12), chairs("9S", 7, 0, 12)]))
    first, second = margin_of(tables.results)
    assert (first, second) == (16, -50)
    assert first - second == 66


@pytest.mark.parametrize(("dialogue", "hands", "void", "counts"), [
    ("W D9, E D4, S D8", {"W": "D9", "E": "D4", "S": "D8"}, "", 1),
    ("W D9, E DJ, S D8", {"W": "D9", "E": "DJ", "S": "D8"}, "", 0),
    ("W D9, E DJ, S DT", {"W": "D9", "E": "DJ", "S": "DT"}, "", 1),
    ("W D9, E SJ, S D8", {"W": "D9", "E": "SJ", "S": "D8"}, "E:D", 1),
    ("W D9, E D4, S C5", {"W": "D9", "E": "D4", "S": "C5"}, "S:D", 0),
    ("W D9, E CJ, S C5", {"W": "D9", "E": "CJ", "S": "C5"}, "E:D S:D", 0),
    ("W D9, E D4, S DT", {"W": "D9", "E": "D4", "S": "DT"}, "", 0),
    ("W C4, E CA, S C2, E D4, S D8, W D9", {"W": "C4 D9", "E": "CA D4", "S": "C2 D8"}, "", 1),
    ("W C4, E CA, S C2, E DJ, S D8, W D9", {"W": "C4 D9", "E": "CA DJ", "S": "C2 D8"}, "", 0),
    ("W C4, E CA, S C2, E DJ, S DT, W D9", {"W": "C4 D9", "E": "CA DJ", "S": "C2 DT"}, "", 1),
    ("W C4, E CA, S C2, E D4, S C5, W D9", {"W": "C4 D9", "E": "CA D4", "S": "C2 C5"}, "S:D", 0),
], ids=[
    "KM-1", "KM-2", "KM-3", "KM-4", "KM-5", "KM-5 right discards too", "K-26 declarer wins",
    "KM-1 right leads", "KM-2 right leads", "KM-3 right leads", "KM-5 right leads",
])
def test_second_best_in_misaari(dialogue: str, hands: dict[str, str], void: str, counts: int) -> None:
    """South declares, West is on his left, East on his right; North sits out."""
    env = table("skruuvi", {**deal(kotka="", void=void, **hands), "contract": "misaari", "declarer": "S"})
    say(env, dialogue)
    trick = [(SEATS.index(phrase[0]), phrase[2:]) for phrase in dialogue.split(", ")[-3:]]
    assert sees(env.tables, "N")["second_best"] == counts
    assert skruuvi.is_second_best(trick, SEATS.index("S")) == counts
    assert asked(env) == SEATS[skruuvi.winner_of(trick, "N")]

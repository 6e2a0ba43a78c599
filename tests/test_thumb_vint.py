"""The player thumb at Vint: written positions, each with what any good player would choose, and properties over random deals."""

from typing import Any, NamedTuple

import numpy as np
import pytest
from playing import draw, make_tables, margins, running
from positions import position

from skruv import Tables
from skruv.arena import contracts_of, is_failed, level_of, play_match, play_tables
from skruv.engine.cards import ACES, HONOURS, NO_TRUMP, SEAT_LETTERS, SEATS
from skruv.engine.kernel import python_of, records
from skruv.games import load
from skruv.games.vint import GAME_POINTS, strain_of, trick_value
from skruv.notation import action_text
from skruv.players import ThumbPlayer, player
from skruv.players.thumb import vint

VINT = load("vint")
CLEAN: dict[str, Any] = {}


class Call(NamedTuple):
    """A seat that is to call; North deals."""

    hand: str
    calls: str
    expected: str
    """One action, or several that are as good."""
    why: str
    ledger: dict[str, Any] = CLEAN


CALLS = (
    Call("AQJ76.K85.A73.92", "", "1S", "an opening hand names its longest suit"),
    Call("AKJ764.AQ5.K73.2", "", "2S", "17 points: one level left out"),
    Call("AKQJ6.AKQ.A73.92", "", "3S", "23 points: two levels left out"),
    Call("98765.AKQJT.3.A2", "", "1H", "of two suits the one with the honours, 40 trick values of them"),
    Call("9764.K85.Q73.J92", "", "P", "6 points: nothing to show"),
    Call("Q65.832.K974.Q83", "P P P P P P P", "P", "the last speaker: void pays nothing, which is more than such a hand makes"),
    Call("A65.832.A974.A83", "P P P P", "1S 1D 1N", "three aces pay 30 trick values at any contract, nothing in a void deal"),
    Call("A4.K852.Q973.J92", "1H P", "2H", "four cards of the partner's suit and 10 points: a raise"),
    Call("A4.K852.AQ73.942", "1H P", "3H", "13 points: one level more"),
    Call("KQT98.3.A965.J82", "1H P", "2S", "no support: the own suit"),
    Call("7632.85.T97432.4", "1H P", "P", "no points, no support"),
    Call("A84.AQJ74.K85.92", "1H P 2H P", "P", "14 points opposite some eight: two is enough"),
    Call("A4.AQJ742.KJ5.92", "1H P 2H P", "3H", "a sixth trump and a doubleton: nine tricks"),
    Call("84.AKJ974.A85.92", "1S", "1H", "their bid does not keep a good suit from being named"),
    Call("A4.AKJ764.K85.92", "1H P P 2S P P", "3H 4H", "compete: honours and aces are ours"),
    Call("84.KQJ974.Q85.92", "P 4S", "P", "an auction that is lost: five costs 2500 for each trick short"),
    Call("2.3.KQJT9876.962", "4S P 5S", "P", "eight sure tricks are three short, 3000 each at level six"),
    Call("KT84.KQ32.9.AK74", "3S P", "6S", "15 points and four trumps opposite 19 or more: a slam, 3500 and more"),
    Call("AKQJ62.A3.A84.K2", "3S P 5S P", "6S", "the strong hand hears of twelve points and support"),
    Call("93.K87432.A64.Q7", "", "P", "7 points on a clean sheet: no opening"),
    Call("93.K87432.A64.Q7", "", "1H", "with 440 below, six tricks at any contract are a game", {"below": [440, 0]}),
    Call("A8.KT853.KT6.K63", "", "P", "they need 20: whatever is played wins them a game, a void deal does not", {"below": [0, 480]}),
    Call("AQJ953.A.AK8.Q72", "", "3S", "such a hand bids all the same: its honours and aces outweigh their game", {"below": [0, 480]}),
)


class Play(NamedTuple):
    """A seat that is to play, at a contract of North's; East leads first."""

    seat: str
    hand: str
    """As dealt."""
    contract: str
    before: str
    expected: str
    why: str


PLAYS = (
    Play("E", "65.QJT98.654.K65", "4S", "", "HQ HJ HT", "lead from a sequence"),
    Play("N", "AKQJT.K43.A32.42", "4S", "HQ H2 H5 HK", "SA SK SQ SJ ST", "declarer draws trumps"),
    Play("W", "T9.8762.JT9.AJT9", "1N", "C5 CQ", "CA", "third hand high"),
    Play("N", "AQ32.K43.A32.432", "1N", "S4 S6 S9", "SQ", "fourth hand wins as cheaply as it can"),
    Play("N", "AQ32.K43.A32.432", "1N", "HA H9 H8", "H3", "fourth hand low, where it can't win"),
    Play("N", "AQ32.K43.A32.432", "1N", "D4 DQ D9", "D2", "the trick is the partner's"),
    Play("W", "987654..7.JT9876", "1S", "H7 H2", "S4", "ruff low"),
)


def chosen(tables: Tables) -> str:
    """The action of thumb."""
    return action_text(VINT, int(player("thumb", VINT).act(tables.views())[0]))


@pytest.mark.parametrize("case", CALLS, ids=lambda case: case.why)
def test_calls(case: Call) -> None:
    seat = SEAT_LETTERS[len(case.calls.split()) % len(SEATS)]
    assert chosen(position("vint", {seat: case.hand}, case.calls, dealer="N", ledger=case.ledger)) in case.expected.split()


@pytest.mark.parametrize("case", PLAYS, ids=lambda case: case.why)
def test_plays(case: Play) -> None:
    table = position("vint", {case.seat: case.hand}, case.before, case.contract[-1], contract=case.contract, declarer="N")
    assert chosen(table) in case.expected.split()


def test_full_and_veiled_states_are_answered_alike() -> None:
    """It reads what its seat knows, and nothing else; every answer is legal."""
    tables = make_tables("vint", 60, seed=4, autoreset=False, ledger="random")
    who = ThumbPlayer(VINT)
    while len(rows := running(tables)):
        views = tables.views(rows)
        actions = who.act(views)
        full = np.empty(len(rows), np.int64)
        who.loop(records(tables.states[rows]), views.seat, full)
        assert np.array_equal(full, actions)
        assert views.mask[np.arange(len(rows)), actions].all()
        tables.step(actions, rows)


def test_every_position_of_random_auctions_has_a_legal_answer() -> None:
    """However senseless the calls before."""
    tables = make_tables("vint", 200, seed=5, autoreset=False, ledger="random")
    rng = np.random.default_rng(5)
    who = ThumbPlayer(VINT)
    while len(rows := running(tables)):
        views = tables.views(rows)
        answers = np.empty(len(rows), np.int64)
        who.loop(records(views.state), views.seat, answers)
        assert views.mask[np.arange(len(rows)), answers].all()
        tables.step(draw(views.mask, rng), rows)


@pytest.mark.parametrize("other", ["pass", "random"])
@pytest.mark.parametrize("ledger", ["zero", "random"])
def test_thumb_beats(other: str, ledger: str) -> None:
    match = play_match("vint", player("thumb", VINT), player(other, VINT, 1), deals=1000, seed=5000, ledger=ledger)
    assert match.interval[0] > 0


def test_thumb_plays_contracts_of_all_levels_and_makes_most() -> None:
    who = player("thumb", VINT)
    results = play_tables(VINT, {0: who, 1: who}, 2000, 8, {})
    contracts = contracts_of(VINT, results)
    levels = np.repeat([level_of(contract) for contract in contracts], list(contracts.values()))
    assert (levels == 0).mean() < 0.1
    assert 2 < levels[levels > 0].mean() < 3.5
    assert (levels >= 6).any()
    assert is_failed(VINT, results).mean() < 0.35


# ---- the arithmetic under the bids ------------------------------------------------------------------------------------------


def test_mean_worth_is_a_binomial_mean() -> None:
    mean = python_of(vint.mean_worth)
    assert mean((0, 1, 2, 3, 4), 1, 3, 0.25) == pytest.approx(1 + 3 * 0.25)
    assert mean(vint.ACE_WORTHS, 4, 0, 0.5) == 40


def test_contract_worth_is_the_law__V13_V16() -> None:
    worth = python_of(vint.contract_worth)
    assert worth(6, 12) == 500 + 3000
    assert worth(7, 12) == 500 - 3500 - 5000
    assert worth(6, 11) == -3000 - 3000
    assert worth(4, 9) == -2000
    assert worth(4, 13) == 1000


def test_deal_worth_is_the_score_sheet__V11_V26() -> None:
    """What the bids reckon with is what the law pays, but for the order of the tricks where both sides reach a game (V-23)."""
    who = player("thumb", VINT)
    tables = make_tables("vint", 400, seed=6, autoreset=False, ledger="random")
    start = tables.states.copy()
    while len(rows := running(tables)):
        tables.step(who.act(tables.views(rows)), rows)
    compared = 0
    for state, result, margin in zip(records(start), tables.results, margins(tables), strict=True):
        side = result["declarer"] % 2
        tricks = int(result["tricks"][side])
        points = python_of(trick_value)(int(result["contract"])) * result["tricks"].astype(np.int64)
        if result["contract"] < 0 or (state["ledger"]["below"] + points >= GAME_POINTS).all():
            continue
        held = [int(state["dealt"][seat] | state["dealt"][seat + 2]) for seat in (side, 1 - side)]
        aces = (held[0] & int(ACES)).bit_count()
        strain = python_of(strain_of)(int(result["contract"]))
        extras = vint.ACE_WORTHS[aces]
        if strain != NO_TRUMP:
            extras += vint.HONOUR_WORTHS[(held[0] & int(HONOURS) << 13 * strain).bit_count()]
        worth = vint.deal_worth(state, side, int(result["contract"]), tricks, extras, vint.EVEN_ACES[aces])
        assert worth == (margin if side == 0 else -margin)
        compared += 1
    assert compared > 300

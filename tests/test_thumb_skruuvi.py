"""The player ``thumb`` at Skruuvi: written positions, and what holds in all of them."""

from typing import Any, NamedTuple

import numpy as np
import pytest
from playing import make_tables, running, wander

from skruv import Tables
from skruv.arena import is_failed, play_match, play_tables
from skruv.engine.cards import ALL_CARDS, CARD_NAMES, RANKS, SEAT_LETTERS
from skruv.engine.kernel import records
from skruv.games import load
from skruv.games.skruuvi import BOLSHEVIK
from skruv.notation import action_text, cards_text, deal_text, parse_action, parse_cards, parse_hand
from skruv.players import ThumbPlayer, player

GAME = load("skruuvi")
NO_RULES: dict[str, Any] = {}
SIMPLIFIED = {"variant": "simplified"}
NO_KOTKA = {"variant": "no_kotka"}


class Case(NamedTuple):
    """North deals, so that East speaks first, or North declares what ``contract`` names, so that East leads."""

    hands: dict[str, str]
    """Cards that matter, spades to clubs; the seats and the kotka are filled up with the rest from the deuces up."""
    before: str
    """Calls and cards."""
    action: str
    why: str
    rules: dict[str, Any] = NO_RULES
    kotka: str = ""
    contract: str = ""


def position(case: Case) -> Tables:
    """The table of ``case`` after its calls and cards."""
    tables = Tables("skruuvi", autoreset=False, **case.rules)
    boards = [parse_hand(case.hands.get(seat, "...")) for seat in SEAT_LETTERS] + [parse_cards(case.kotka)]
    sizes = (12, 12, 12, 12, 4) if tables.rules.kitty else (13, 13, 13, 13, 0)
    for card in sorted(range(len(CARD_NAMES)), key=lambda card: card % len(RANKS)):
        if not sum(boards) >> card & 1:
            place = max(range(len(boards)), key=lambda place: sizes[place] - boards[place].bit_count())
            boards[place] |= 1 << card
    assert sum(boards) == ALL_CARDS
    opening = {"deal": deal_text(boards[:4]), "dealer": "N"}
    if boards[4]:
        opening["kotka"] = cards_text(boards[4])
    if case.contract:
        opening |= {"contract": case.contract, "declarer": "N"}
    tables.reset(deals=opening)
    for name in case.before.split():
        tables.step([parse_action(GAME, name)])
    return tables


CASES = (
    # the first auction
    Case({"E": "AKQJ2.AK2.KQ2.3"}, "", "7S", "the best suit, low: there is time to raise when the kotka is seen", SIMPLIFIED),
    Case({"E": "AQ2.AK2.KQ2.AJ3"}, "", "7N", "strong and even: every trick pays most without a trump suit", SIMPLIFIED),
    Case({"E": "J976.Q98.J97.T76"}, "", "P", "neither tricks nor a misère, and a failed 7 costs 50 a trick", NO_KOTKA),
    Case({"E": "AKQJ976.A.AKQ.97"}, "", "12S", "eleven tricks in hand, and without a kotka nobody raises later", NO_KOTKA),
    Case({"W": "KQ76.2.A9876.T94"}, "7S P", "P", "support, but no slam: what is taken above seven pays as if it were bid", NO_KOTKA),
    Case({"W": "KQ765.A.AK987.A4"}, "7S P", "12S", "five trumps and four tricks outside for a partner with spades", NO_KOTKA),
    Case({"W": "J6.QJ42.J9876.T9"}, "7S P", "P", "nothing for the partner", NO_KOTKA),
    # special contracts
    Case({"E": "T542.K43.732.62"}, "", "misaari", "the two high cards can be laid away; bolshevik, if the kotka is kind"),
    Case({"E": "5432.642.532.532"}, "", "bolshevik", "low cards in all suits: 2000 points, and no exchange could improve them", NO_KOTKA),
    Case({"S": "5432.432.532.32"}, "misaari", "bolshevik", "the same misère for twenty times the points, over an opponent"),
    Case({"E": "AKQJT98.A.AKQ.AK"}, "", "mussolini", "thirteen tricks alone, whatever is led", NO_KOTKA),
    Case({"E": "A32.A32.A32.A432"}, "", "7S", "four aces are no misère, however low the rest", NO_KOTKA),
    # the exchange
    Case({"E": "AKQJ76.AK2.K2.3"}, "7S P P P C3 C7", "C8", "clubs go, for a void; aces, kings and trumps stay", SIMPLIFIED, "C8 C7 H6 D5"),
    Case({"E": "5432.432.732.62"}, "misaari P P P", "SA", "in a misère the dangerous cards go", kotka="SA HK DQ C9"),
    Case({"E": "5432.432.732.62"}, "misaari P P P SA HK DQ", "C9", "the last of them", kotka="SA HK DQ C9"),
    # the second auction
    Case({"E": "5432.432.732.62"}, "misaari P P P SA HK DQ C9", "bolshevik", "nothing can go wrong any more", kotka="SA HK DQ C9"),
    Case({"E": "QJ32.K43.Q32.62"}, "misaari P P P SK SA HA C9", "P", "queens are left over a hole: not for 2000", kotka="SK SA HA C9"),
    Case(
        {"E": "AKQJ762.AK2.2.3"}, "7S P P P C3 C8 D2 D5", "12S",
        "one heart may be lost, one trick lies with the discards", SIMPLIFIED, "C8 HQ HJ D5",
    ),
    Case(
        {"E": "AQJ762.K2.K92.3"}, "7S P P P C3 C8 H2 H5", "P",
        "a slam needs more from the partner than he has on average", SIMPLIFIED, "C8 H5 C4 D5",
    ),
    Case({"E": "AKQJT9.AK.AK.A3"}, "7S P P P C3 D2 H2 C8", "mussolini", "twelve tops", kotka="H2 D2 C8 CK"),
    # knock and redouble
    Case({"S": "QJT9.AK3.AQ2.A32"}, "9S P P P", "X", "five tricks against a contract that can afford four", NO_KOTKA),
    Case({"S": "543.J432.J32.432"}, "8S P P P", "P", "no trick in sight", NO_KOTKA),
    Case({"S": "432.432.5432.432"}, "bolshevik P P P", "X", "low cards to lead in every suit: the declarer can't have them", NO_KOTKA),
    Case({"S": "AKQ.AKQ.AKQT.AKJ"}, "bolshevik P P P", "P", "he must have the low cards", NO_KOTKA),
    Case({"E": "AKQJT98.A.AKQ.32"}, "8S P P P X P", "XX", "eleven tricks in hand", NO_KOTKA),
    Case({"E": "AQ765.43.KQ2.432"}, "8S P P P X P", "P", "the knock is right", NO_KOTKA),
    Case({"E": "T8632.742.T6.962"}, "bolshevik P P P X", "P", "too many holes", NO_KOTKA),
    # the play of the cards
    Case({"E": "KQJ7.A43.432.32"}, "", "SK", "the top of touching honours", contract="9N"),
    Case({"N": "AKQJ98.A2.A2.32", "E": "7.KQJ3..", "S": "5.7..", "W": "6.6.."}, "HK H7 H6 HA", "SA", "draw trumps", contract="9S"),
    Case({"N": "2.T82.432.65432", "E": ".J..", "W": ".Q.."}, "HJ HQ", "HT", "in a misère the highest card that loses", contract="misaari"),
    Case({"N": "2.T52.432.65432", "E": ".7..", "W": ".9.."}, "H7 H9", "H5", "the ten would win", contract="misaari"),
    Case(
        {"N": "2.T8.432.65432", "E": ".7..", "W": ".6.."}, "H7 H6", "HT",
        "the trick is lost: with the card that would lose more", contract="misaari",
    ),
    Case({"N": "A732..5432.5432", "E": ".7..", "W": ".6.."}, "H7 H6", "SA", "void: the dangerous card goes", contract="misaari"),
    Case({"E": "AK.Q2.QJT98.KQJ"}, "", "H2", "the deuce: the declarer can't stay below", contract="misaari"),
    Case(
        {"E": ".7..", "W": "K.K64.AKQ.AKQJT"}, "H7", "H6",
        "below the partner's seven, so that the declarer has to be too", contract="misaari",
    ),
    Case(
        {"N": "2.T8.5432.65432", "E": ".K74..", "W": ".9653.."}, "H7 H9 H8 H3 HT", "H4",
        "the ten wins: leave it to him", contract="misaari",
    ),
    Case(
        {"E": ".7..", "S": ".9653..", "W": ".J..", "N": ".T8.."}, "H7", "H6",
        "a partner who opposes defends as well", {"solo_partner": "opponent"}, contract="misaari",
    ),
    Case({"E": "QJT9.32.A432.J3"}, "", "DA", "one trick breaks a mussolini", contract="mussolini"),
    Case({"N": "A.A2.AK.AKQJT98", "E": "KQ2.K..", "W": ".QJT.."}, "HK HQ HA", "CA", "the long suit, from the top", contract="mussolini"),
    Case(
        {"N": "AKQJT98.A2.A.A2", "E": "654.K..", "W": "32.Q9.K32.QJ543"}, "HK H9 HA SA S4 S2 SK S5 S3 SQ S6", "C3",
        "clubs can spare a card; the queen is good, the king needs his guard", contract="mussolini",
    ),
)


def answer(case: Case) -> str:
    """What the player does, whoever is to act."""
    return action_text(GAME, int(player("thumb", GAME).act(position(case).views())[0]))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.why)
def test_positions(case: Case) -> None:
    assert answer(case) == case.action


# ---- everywhere -------------------------------------------------------------------------------------------------------------

OPTIONS: tuple[dict[str, Any], ...] = (
    *({"variant": variant} for variant in GAME.variants), {"solo_partner": "opponent"}, {"special_rank": "top"},
    {"misere_bonus": "none"}, {"bolshevik": False}, {"misere_bonus": "all_defender_tricks", "kitty": False, "solo_partner": "opponent"},
)


def thumb() -> ThumbPlayer:
    return ThumbPlayer(GAME)


@pytest.mark.parametrize("rules", OPTIONS, ids=str)
def test_what_it_does_is_legal_and_known_to_its_seat(rules: dict[str, Any]) -> None:
    """On the states as they are, on what the seat knows of them: the same legal action, wherever random calls and cards lead."""
    rng = np.random.default_rng(4)
    tables = make_tables("skruuvi", 300, seed=4, autoreset=False, **rules)
    while len(rows := running(tables)):
        views = tables.views(rows)
        knowing, veiled = np.empty(len(rows), np.int64), np.empty(len(rows), np.int64)
        thumb().loop(records(tables.states[rows]), views.seat, knowing)
        thumb().loop(records(views.state), views.seat, veiled)
        assert np.array_equal(knowing, veiled)
        assert views.mask[np.arange(len(rows)), veiled].all()
        tables.step(np.where(rng.random(len(rows)) < 0.5, veiled, wander(views.mask, rng)), rows)


@pytest.mark.parametrize("rules", [{}, NO_KOTKA, SIMPLIFIED], ids=str)
@pytest.mark.parametrize("other", ["pass", "random"])
def test_it_beats_the_players_below_it(rules: dict[str, Any], other: str) -> None:
    match = play_match("skruuvi", thumb(), player(other, GAME, 1), deals=1000, **rules)
    assert match.interval[0] > 0


def test_its_special_contracts_are_made_more_often_than_not() -> None:
    results = play_tables(GAME, {0: thumb(), 1: thumb()}, 1000, 99, {})
    bolsheviks = results["contract"] == BOLSHEVIK
    assert bolsheviks.mean() > 0.1
    assert is_failed(GAME, results)[bolsheviks].mean() < 0.5

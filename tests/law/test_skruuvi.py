"""Skruuvi by number: the auction cases KA, and the rulings K that show at the table; the scores are in their own file."""

from collections import Counter
from typing import Any

import numpy as np
import pytest
from agreement import cards_in
from referee import skruuvi

from skruv import OptionError, TableEnv, Tables

from .staging import SEATS, asked, column, deal, legal, passes, phase, play_out, say, sees, standing, table, won_by


def declared(auction: str, **rules: Any) -> TableEnv:
    """A table after the first auction, whose winner has laid away his four lowest cards."""
    env = table("skruuvi", **rules)
    say(env, auction)
    for _ in range(4 if phase(env) == "exchange" else 0):
        env.step(env.legal_actions()[0])
    return env


WEST_8C = "E P, S P, W 8C, N P, E P, S P"
WEST_MISAARI = "E P, S P, W misaari, N P, E P, S P"


# The first auction.


def test_four_passes_void_the_deal__KA1_K5_K6() -> None:
    env = table("skruuvi", episode="match")
    say(env, "E P, S P, W P, N P")
    assert env.infos["player_0"]["deal"]["contract"] is None
    assert env.ledger["deal"] == 1
    assert asked(env) == "S"
    assert sees(env.tables, "E")["dealer"] == ["me"]


def test_dealer_has_his_turn_after_three_passes__KA2() -> None:
    env = table("skruuvi")
    say(env, "E P, S P, W P, N 7C, E P, S P, W P")
    assert (phase(env), asked(env)) == ("exchange", "N")
    for _ in range(4):
        env.step(env.legal_actions()[0])
    say(env, "N P, S P, E P, W P")
    assert standing(env) == ("7C", "N", 0)
    assert (phase(env), asked(env)) == ("play", "E")


def test_who_passed_may_bid_again__KA3_K4() -> None:
    env = table("skruuvi")
    say(env, "E 7S, S P, W P, N 8C, E P, S 8D")
    assert standing(env) == ("8D", "S", 0)


def test_order_of_the_suits__KA4_K3() -> None:
    env = table("skruuvi")
    say(env, "E 9S")
    assert {"9H", "9S", "8N"}.isdisjoint(legal(env))
    assert {"9N", "10C"} <= legal(env)


def test_rank_of_the_special_contracts__KA5_K7_K8() -> None:
    env = table("skruuvi")
    say(env, "E misaari")
    assert "11N" not in legal(env)
    assert "12C" in legal(env)
    say(env, "S 13N")
    assert legal(env) == {"P", "bolshevik", "mussolini"}
    say(env, "W bolshevik")
    assert legal(env) == {"P", "mussolini"}
    say(env, "N mussolini")
    for seat in "ESW":
        assert legal(env) == {"P"}
        say(env, f"{seat} P")
    assert (phase(env), asked(env)) == ("exchange", "N")


def test_special_contracts_on_top_by_option__K7() -> None:
    env = table("skruuvi", special_rank="top")
    say(env, "E 11N")
    assert {"12C", "misaari"} <= legal(env)
    say(env, "S 13N")
    assert legal(env) == {"P", *skruuvi.SPECIALS}
    say(env, "W misaari")
    assert legal(env) == {"P", "bolshevik", "mussolini"}


# The exchange and the second auction.


def test_declarer_alone_sees_kotka_and_discards__K10() -> None:
    env = table("skruuvi", deal(E="C2 D2", kotka="SA SK SQ SJ"))
    say(env, "E 7C, S P, W P, N P")
    assert len(legal(env)) == 16
    say(env, "E SA, E C2, E D2, E SK")
    for seat, name in enumerate(SEATS):
        mine = name == "E"
        assert sees(env.tables, name)["discards"] == (["C2", "D2", "SK", "SA"] if mine else [])
        known = env.tables.known(seat)[0]
        assert cards_in(known["kotka"]) == (["SJ", "SQ", "SK", "SA"] if mine else [])
        assert cards_in(known["discards"]) == (["C2", "D2", "SK", "SA"] if mine else [])


@pytest.mark.parametrize("contract", skruuvi.SPECIALS)
def test_special_declarer_takes_the_kotka__K10(contract: str) -> None:
    env = table("skruuvi")
    say(env, f"E {contract}, S P, W P, N P")
    assert (phase(env), asked(env), len(legal(env))) == ("exchange", "E", 16)


def test_partner_keeps_his_cards__K11() -> None:
    env = declared(WEST_8C)
    partner = SEATS.index("E")
    assert env.tables.states["hand"][0, partner] == env.tables.states["dealt"][0, partner]


def test_declarer_stays_declarer_after_a_raise__KA6_K13_K15() -> None:
    env = declared(WEST_8C)
    assert phase(env) == "raise"
    say(env, "W 9C, E 10C, W P, E P, N P, S P")
    assert standing(env) == ("10C", "W", 0)
    assert (phase(env), asked(env)) == ("play", "N")


def test_a_pass_in_the_second_auction_is_not_final__K13() -> None:
    env = declared(WEST_8C)
    say(env, "W P, E 8D, W 9C, E P, W P")
    assert phase(env) == "knock"
    assert standing(env)[0] == "9C"


def test_only_declarer_goes_special_in_the_second_auction__K14() -> None:
    env = declared(WEST_8C)
    assert {"8D", *skruuvi.SPECIALS} <= legal(env)
    say(env, "W P")
    assert "13N" in legal(env)
    assert legal(env).isdisjoint(skruuvi.SPECIALS)


def test_partner_speaks_no_more_over_a_special_contract__K13() -> None:
    env = declared(WEST_8C)
    say(env, "W misaari, W bolshevik, W P")
    assert (phase(env), asked(env)) == ("knock", "N")


def test_partner_speaks_again_over_a_positive_raise__K13() -> None:
    env = declared(WEST_MISAARI)
    say(env, "W 12C, E 12D, W P, E P")
    assert (phase(env), standing(env)) == ("knock", ("12D", "W", 0))


def test_no_second_auction_without_kotka__K16_K42() -> None:
    env = table("skruuvi", variant="no_kotka")
    say(env, WEST_8C)
    assert (phase(env), asked(env)) == ("knock", "N")


# Knock, redouble, play.


@pytest.mark.parametrize(("dialogue", "doublings"), [
    ("N P, S P", 0),
    ("N X, E P, W P", 1),
    ("N X, E XX", 2),
    ("N X, E P, W XX", 2),
    ("N P, S X, W P, E P", 1),
    ("N P, S X, W XX", 2),
    ("N P, S X, W P, E XX", 2),
])
def test_order_of_knock_and_redouble__KA7_K17(dialogue: str, doublings: int) -> None:
    env = declared(WEST_8C)
    say(env, "W P, E P")
    say(env, dialogue)
    assert standing(env) == ("8C", "W", doublings)
    assert (phase(env), asked(env)) == ("play", "N")


def order_of_a_trick(env: TableEnv, cards: int) -> str:
    """The seats that lay the next cards."""
    order = ""
    for _ in range(cards):
        order += asked(env)
        env.step(env.legal_actions()[0])
    return order


@pytest.mark.parametrize("answer", ["P", "XX"])
def test_special_contract_is_played_solo__KA8_K19_K20(answer: str) -> None:
    env = declared(WEST_MISAARI)
    say(env, f"W P, N P, S X, W {answer}")
    assert order_of_a_trick(env, 3) == "NSW"
    assert env.tables.states["done"][0] == 1
    while env.tables.states["done"][0] < 11:
        assert asked(env) != "E"
        env.step(env.legal_actions()[0])
    assert env.tables.states["hand"][0, SEATS.index("E")].item().bit_count() == 12


def test_partner_is_a_third_defender_by_option__K20() -> None:
    env = declared(WEST_MISAARI, solo_partner="opponent")
    say(env, "W P, N P, S X, W P")
    assert order_of_a_trick(env, 4) == "NESW"


def test_an_opposing_partner_shares_the_defenders_reward__K20() -> None:
    rules = {"solo_partner": "opponent", "misere_bonus": "all_defender_tricks", "honours": False}
    tables = Tables("skruuvi", 2, seed=0, autoreset=False, **rules)
    tables.reset(deals={"contract": "misaari", "declarer": "W"})
    paid = play_out(tables, won_by([13 * [1], [3] + 12 * [1]]))
    assert column(tables, "score").tolist() == [[0, 700], [0, -50]]
    assert tables.results["tricks"].tolist() == [[12, 0], [11, 1]]
    np.testing.assert_allclose(paid, [[-700 / 3] * 3 + [700], [50 / 3] * 3 + [-50]], rtol=1e-6)


# Sessions.


def sessions(**rules: Any) -> tuple[TableEnv, list[bool], Counter[str]]:
    """A session in which every deal is passed out: which deals had a kotka, how often each seat dealt."""
    env = table("skruuvi", **rules)
    kitties, dealers = [], Counter[str]()
    while not any(env.terminations.values()):
        kitties.append(sees(env.tables, "N")["kitty"] == ["yes"])
        dealers[SEATS[env.tables.states["dealer"][0]]] += 1
        passes(env, 4)
    return env, kitties, dealers


def test_match_is_twenty_four_deals_with_kotka_and_four_without__K34() -> None:
    _, kitties, dealers = sessions(episode="match")
    assert kitties == 24 * [True] + 4 * [False]
    assert dealers == dict.fromkeys("NESW", 7)


def test_final_deals_are_of_thirteen_cards__K35() -> None:
    env = table("skruuvi", {"ledger": {"deal": 24}}, episode="match")
    assert [hand.bit_count() for hand in env.tables.states["hand"][0].tolist()] == [13] * 4
    assert env.tables.states["kotka"][0] == 0


@pytest.mark.parametrize(("rules", "deals"), [
    ({"episode": "rubber"}, 8), ({"episode": "match", "rubbers": 1}, 8), ({"episode": "match", "rubbers": 4}, 32),
])
def test_rubber_is_eight_deals_with_kotka__K36(rules: dict[str, Any], deals: int) -> None:
    _, kitties, _ = sessions(**rules)
    assert kitties == deals * [True]


def test_equal_totals_are_a_draw__K37() -> None:
    env, *_ = sessions(episode="rubber", reward="winner")
    assert env.tables.states["winner"][0] == -1
    assert set(env.rewards.values()) == {0.0}


@pytest.mark.parametrize(("totals", "winner"), [((60, 10), 0), ((10, 60), 1)])
def test_higher_total_wins__K34(totals: tuple[int, int], winner: int) -> None:
    env = table("skruuvi", {"ledger": {"deal": 27, "total": totals}}, episode="match")
    passes(env, 4)
    assert env.tables.states["winner"][0] == winner


def test_passed_out_deal_is_dealt_again_by_option__K6() -> None:
    env = table("skruuvi", episode="rubber", all_pass="redeal")
    passes(env, 4 * 9)
    assert env.ledger["deal"] == 0
    assert asked(env) == "S"


@pytest.mark.parametrize("all_pass", ["count", "redeal"])
def test_passed_out_deal_ends_a_session_of_one__K6(all_pass: str) -> None:
    env = table("skruuvi", all_pass=all_pass)
    passes(env, 4)
    assert all(env.terminations.values())
    assert set(env.rewards.values()) == {0.0}


# Variants and options.


@pytest.mark.parametrize(("rules", "specials"), [
    ({"variant": "simplified"}, set()),
    ({"variant": "simplified", "misaari": True}, {"misaari"}),
    ({"variant": "no_kotka"}, {"misaari", "bolshevik", "mussolini"}),
    ({"variant": "bolshevik_only"}, {"bolshevik"}),
    ({"variant": "university"}, {"misaari", "bolshevik", "mussolini"}),
    ({"mussolini": False}, {"misaari", "bolshevik"}),
], ids=["K-41", "K-41 with misaari", "K-42", "K-43", "K-44", "mussolini"])
def test_special_contracts_of_the_variants(rules: dict[str, Any], specials: set[str]) -> None:
    env = table("skruuvi", **rules)
    assert legal(env) & set(skruuvi.SPECIALS) == specials
    assert env.tables.states["kitty"][0] == (rules.get("variant") != "no_kotka")


def test_deals_without_kotka_are_thirteen_tricks__K42() -> None:
    tables = Tables("skruuvi", 1, seed=0, autoreset=False, variant="no_kotka", honours=False)
    tables.reset(deals={"contract": "13C", "declarer": "N"})
    play_out(tables, won_by([13 * [0]]))
    assert tables.results["tricks"][0].tolist() == [13, 0]
    assert column(tables, "score")[0].tolist() == [1007, 0]


@pytest.mark.parametrize(("options", "name"), [
    ({"variant": "academy"}, "variant"),
    ({"solo_partner": "in"}, "solo_partner"),
    ({"misaari": 1}, "misaari"),
    ({"misere_bonus": "all"}, "misere_bonus"),
    ({"special_rank": None}, "special_rank"),
    ({"all_pass": "misere"}, "all_pass"),
    ({"rubbers": 0, "episode": "match"}, "rubbers"),
    ({"rubbers": 3}, "rubbers"),
    ({"rubbers": 3, "episode": "rubber"}, "rubbers"),
    ({"max_doublings": 2}, "max_doublings"),
])
def test_options_that_do_not_exist(options: dict[str, Any], name: str) -> None:
    with pytest.raises(OptionError, match=name):
        Tables("skruuvi", **options)

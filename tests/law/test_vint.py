"""Vint by number: the scoring cases VT, the auction cases VA, and the rulings V that show at the table."""

from typing import Any, NamedTuple

import numpy as np
import pytest
from agreement import cards_in, lines_of
from referee import vint
from referee.common import ACES, held, honours_of

from skruv import OptionError, Tables
from skruv.engine.cards import SIDE_NAMES

from .staging import (
    SEATS, asked, column, deal, legal, margin, passes, phase, play_out, play_rubber, say, sees, standing, table, won_by,
)

Pair = tuple[int, int]
"""North and South's, East and West's."""


class Case(NamedTuple):
    """A row of the table of worked cases."""

    number: str
    partials: Pair
    games: Pair
    contract: str
    declaring: str
    winners: str
    honours: Pair
    aces: Pair
    below: Pair
    above: Pair
    game: str | None


CLEAN = (0, 0)

CASES = tuple(Case(*row) for row in (
    ("VT-01", CLEAN, CLEAN, "3C", "NS", "N8 E5", (4, 1), (3, 1), (208, 130), (1560, 1500), None),
    ("VT-02", CLEAN, CLEAN, "1S", "NS", "N7 E6", (3, 2), (2, 2), (28, 24), (160, 0), None),
    ("VT-03", CLEAN, CLEAN, "1S", "NS", "N6 E7", (2, 3), (2, 2), (24, 28), (0, 660), None),
    ("VT-04", CLEAN, CLEAN, "4H", "EW", "N3 E10", (0, 5), (1, 3), (120, 400), (0, 2800), None),
    ("VT-05", CLEAN, CLEAN, "5N", "NS", "N11 E2", (0, 0), (4, 0), (572, 104), (2580, 0), "NS"),
    ("VT-06", CLEAN, CLEAN, "6D", "NS", "N12 E1", (4, 1), (3, 1), (696, 58), (7480, 0), "NS"),
    ("VT-07", CLEAN, CLEAN, "6D", "NS", "N13", (3, 2), (2, 2), (754, 0), (6820, 0), "NS"),
    ("VT-08", CLEAN, (0, 1), "7N", "EW", "E13", (0, 0), (0, 4), (0, 936), (0, 9880), "EW"),
    ("VT-09", CLEAN, CLEAN, "7H", "NS", "N12 E1", (5, 0), (3, 1), (840, 70), (5900, 8500), "NS"),
    ("VT-10", CLEAN, CLEAN, "6C", "NS", "N11 E2", (3, 2), (2, 2), (616, 112), (2740, 6000), "NS"),
    ("VT-11", CLEAN, CLEAN, "6C", "NS", "E13", (0, 5), (0, 4), (0, 728), (0, 44980), "EW"),
    ("VT-12", CLEAN, CLEAN, "1C", "EW", "N12 E1", (4, 1), (3, 1), (72, 6), (3860, 0), None),
    ("VT-13", CLEAN, CLEAN, "2S", "EW", "N13", (5, 0), (4, 0), (182, 0), (10120, 0), None),
    ("VT-14a", (440, 460), CLEAN, "2S", "NS", "E3 N8 E2", (3, 2), (2, 2), (112, 70), (560, 500), "EW"),
    ("VT-14b", (440, 460), CLEAN, "2S", "NS", "N5 E5 N3", (3, 2), (2, 2), (112, 70), (1060, 0), "NS"),
    ("VT-14c", (440, 460), CLEAN, "2S", "NS", "E2 N5 E3 N3", (3, 2), (2, 2), (112, 70), (1060, 0), "NS"),
    ("VT-15", (400, 0), CLEAN, "2H", "EW", "N5 E8", (2, 3), (1, 3), (100, 160), (500, 1000), "NS"),
    ("VT-16", (390, 0), CLEAN, "2D", "EW", "N6 E7", (1, 4), (1, 3), (108, 126), (1000, 1080), None),
    ("VT-17", CLEAN, CLEAN, "3N", "NS", "N6 E7", (0, 0), (2, 2), (192, 224), (0, 5140), None),
    ("VT-18", CLEAN, CLEAN, "2H", "NS", "N9 E4", (2, 3), (3, 1), (180, 80), (600, 400), None),
    ("VT-19", (480, 300), (0, 1), "1C", "NS", "N7 E6", (3, 2), (3, 1), (42, 36), (800, 0), "NS"),
    ("VT-20", CLEAN, (1, 1), "5N", "EW", "N1 E12", (0, 0), (0, 4), (52, 624), (0, 3580), "EW"),
    ("VT-21", CLEAN, CLEAN, "7S", "EW", "N12 E1", (5, 0), (4, 0), (768, 64), (53120, 0), "NS"),
    ("VT-22", CLEAN, CLEAN, "7S", "EW", "N2 E11", (1, 4), (1, 3), (128, 704), (12000, 4340), "EW"),
    ("VT-23", CLEAN, (1, 0), "5S", "NS", "N13", (5, 0), (4, 0), (572, 0), (5520, 0), "NS"),
    ("VT-26", CLEAN, CLEAN, "7C", "NS", "N13", (5, 0), (4, 0), (858, 0), (11780, 0), "NS"),
))


def hands(strain: str, honours: Pair, aces: Pair) -> dict[str, str]:
    """A deal in which the sides hold so many trump honours and so many aces."""
    if strain == "N":
        ours, theirs = list(ACES[: aces[0]]), list(ACES[aces[0] :])
    else:
        first = honours[0] > 0 and aces[0] > 0  # the ace of trumps is North and South's
        trumps = [strain + rank for rank in ("AKQJT" if first else "KQJTA")]
        others = [ace for ace in ACES if ace[0] != strain]
        ours = trumps[: honours[0]] + others[: aces[0] - first]
        theirs = trumps[honours[0] :] + others[aces[0] - first :]
    return deal(N=" ".join(ours[::2]), S=" ".join(ours[1::2]), E=" ".join(theirs[::2]), W=" ".join(theirs[1::2]))


def winners_of(tricks: str) -> list[int]:
    """``"N8 E5"`` as seats; the partners of a side take turns."""
    sides = [SEATS.index(word[0]) for word in tricks.split() for _ in range(int(word[1:]))]
    return [side + 2 * (place % 2) for place, side in enumerate(sides)]


def opened(case: Case) -> Tables:
    """Two tables at the play of the cards, either partner of the declaring side the declarer."""
    tables = Tables("vint", 2, seed=0, autoreset=False, episode="rubber")
    opening = {**hands(case.contract[1], case.honours, case.aces), "ledger": {"below": case.partials, "games": case.games}}
    tables.reset(deals=[{**opening, "contract": case.contract, "declarer": seat} for seat in case.declaring])
    return tables


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.number)
def test_scoring_case(case: Case) -> None:
    tables = opened(case)
    winners = winners_of(case.winners)
    play_out(tables, won_by(2 * [winners]))
    won = None if case.game is None else SIDE_NAMES.index(case.game)
    expected = vint.score(
        case.contract, SIDE_NAMES.index(case.declaring), [seat % 2 for seat in winners],
        case.honours, case.aces, case.partials, case.games,
    )
    games = [count + (side == won) for side, count in enumerate(case.games)]
    for row, ledger in enumerate(tables.states["ledger"]):
        assert column(tables, "below")[row].tolist() == list(case.below)
        assert column(tables, "above")[row].tolist() == list(case.above)
        assert lines_of(tables, row) == expected
        assert ledger["games"].tolist() == games
        assert ledger["below"].tolist() == ([0, 0] if case.game else np.add(case.partials, case.below).tolist())
        assert ledger["total"].tolist() == np.add(np.add(case.partials, case.below), case.above).tolist()
        assert tables.states["winner"][row] == (won if 2 in games else -1)


@pytest.mark.parametrize(("number", "trick"), [("VT-05", 10), ("VT-14a", 3), ("VT-14b", 5), ("VT-14c", 7)])
def test_game_is_won_in_the_order_of_the_tricks__V23(number: str, trick: int) -> None:
    case = next(case for case in CASES if case.number == number)
    for tricks, seen in ((trick - 1, []), (trick, ["ours"])):
        tables = opened(case)
        play_out(tables, won_by(2 * [winners_of(case.winners)]), tricks)
        assert sees(tables, "N" if case.game == "NS" else "E")["crossed"] == seen


def test_scores_of_all_contracts_and_tricks__P32() -> None:
    plays = [(contract, declarer, tricks) for contract in vint.BIDS for declarer in (0, 1) for tricks in range(14)]
    rng = np.random.default_rng(0)
    winners = np.array([rng.permutation([*[0] * tricks, *[1] * (13 - tricks)]) for *_, tricks in plays])
    below, games = 2 * rng.integers(250, size=(len(plays), 2)), rng.integers(2, size=(len(plays), 2))
    tables = Tables("vint", len(plays), seed=0, autoreset=False)
    tables.reset(deals=[
        {"contract": contract, "declarer": SEATS[declarer], "ledger": {"below": below[row], "games": games[row]}}
        for row, (contract, declarer, _) in enumerate(plays)
    ])
    play_out(tables, won_by(winners))
    for row, (contract, declarer, _) in enumerate(plays):
        pairs = [cards_in(tables.states["dealt"][row, side] | tables.states["dealt"][row, side + 2]) for side in (0, 1)]
        honours, aces = [held(pair, honours_of(contract[1])) for pair in pairs], [held(pair, ACES) for pair in pairs]
        assert lines_of(tables, row) == vint.score(
            contract, declarer, winners[row].tolist(), honours, aces, below[row].tolist(), games[row].tolist()
        ), plays[row]


# Rubbers.

TWELVE = 12 * " P"


def rubber() -> Tables:
    return Tables("vint", 1, seed=0, autoreset=False, episode="rubber", first_dealer="N")


def test_rubber_won_with_fewer_points__VT24() -> None:
    tables = rubber()
    marks = play_rubber(tables, [
        (hands("H", (5, 0), (3, 1)), "7H" + TWELVE, winners_of("N11 E2")),
        (hands("N", (0, 0), (2, 2)), "P 5N" + TWELVE, winners_of("N11 E2")),
    ])
    assert marks == [([770, 140], [5400, 12000]), ([572, 104], [2040, 0])]
    assert tables.states["ledger"]["total"][0].tolist() == [8782, 12244]
    assert margin(tables) == -3462
    assert tables.states["winner"][0] == 0
    assert tables.states["seat"][0] == -1


def test_rubber_of_two_games__VT25() -> None:
    tables = rubber()
    marks = play_rubber(tables, [
        (hands("N", (0, 0), (4, 0)), "5N" + TWELVE, winners_of("N11 E2")),
        (hands("D", (4, 1), (3, 1)), "P 6D" + TWELVE, winners_of("N12 E1")),
    ])
    assert marks == [([572, 104], [2580, 0]), ([696, 58], [7980, 0])]
    assert tables.states["ledger"]["total"][0].tolist() == [11828, 162]
    assert margin(tables) == 11666


def test_game_prizes_are_counted_by_side__VT27() -> None:
    tables = rubber()
    strong = hands("N", (0, 0), (4, 0))
    prizes = []
    for calls, tricks in (("5N" + TWELVE, "N11 E2"), ("5N" + TWELVE, "N2 E11"), ("5N" + TWELVE, "N11 E2")):
        assert tables.states["winner"][0] == -1
        play_rubber(tables, [(strong, calls, winners_of(tricks))])
        prizes.append(tables.results["lines"][0, -1].tolist())
    assert prizes == [[500, 0], [0, 500], [1000, 0]]
    assert tables.states["winner"][0] == 0


def test_failed_contract_wins_the_rubber__V21_V27() -> None:
    """VT-09 with a game won before: the defence has more points in this deal too."""
    case = next(case for case in CASES if case.number == "VT-09")
    tables = opened(case._replace(games=(1, 0)))
    play_out(tables, won_by(2 * [winners_of(case.winners)]))
    assert margin(tables) == 840 + 5900 + 500 - (70 + 8500)
    assert tables.states["winner"].tolist() == [0, 0]


def test_equal_totals_keep_the_winner__VT28() -> None:
    tables = rubber()
    case = next(case for case in CASES if case.number == "VT-23")
    ledger = {"below": (0, 0), "games": case.games, "total": (0, sum(case.below) + sum(case.above))}
    tables.reset(deals={**hands("S", case.honours, case.aces), "ledger": ledger, "contract": "5S", "declarer": "N"})
    play_out(tables, won_by([winners_of(case.winners)]))
    assert margin(tables) == 0
    assert tables.states["winner"][0] == 0


# The auction.


def test_eight_passes_void_the_deal__VA1_V4() -> None:
    env = table("vint", {"ledger": {"below": [120, 40], "games": [1, 0]}}, episode="rubber")
    say(env, "N P, E P, S P, W P, N P, E P, S P, W P")
    assert env.infos["player_0"]["deal"]["contract"] is None
    assert env.infos["player_0"]["deal"]["lines"] == []
    assert env.ledger == {"total": [120, 40], "below": [120, 40], "games": [1, 0], "lines": [[]]}
    assert asked(env) == "E"
    assert sees(env.tables, "E")["dealer"] == ["me"]


def test_seven_passes_do_not_void_the_deal__VA2() -> None:
    env = table("vint")
    say(env, "N P, E P, S P, W P, N P, E P, S P, W 1S")
    say(env, ", ".join(3 * ["N P, E P, S P, W P"]))
    assert standing(env) == ("1S", "W", 0)
    assert (phase(env), asked(env)) == ("play", "N")
    assert len(env.tables.trail(0).action) == 20


def test_a_bid_starts_the_count_again__VA3_V5() -> None:
    env = table("vint")
    say(env, "N 1C, E P, S P, W P, N 2C")
    passes(env, 11)
    assert phase(env) == "auction"
    passes(env, 1)
    assert phase(env) == "play"


@pytest.mark.parametrize("twelfth", ["1N", "P"])
def test_the_bidder_has_the_last_word__VA4_V6(twelfth: str) -> None:
    env = table("vint")
    say(env, "N 1H")
    passes(env, 11)
    say(env, f"N {twelfth}")
    assert phase(env) == ("play" if twelfth == "P" else "auction")
    if twelfth == "1N":
        passes(env, 11)
        assert asked(env) == "N"
        say(env, "N P")
        assert phase(env) == "play"


def test_order_of_the_bids__VA5_V2() -> None:
    env = table("vint")
    say(env, "N 3H")
    assert {"3D", "3H", "3S", "2N"}.isdisjoint(legal(env))
    assert {"3N", "4S", "7N", "P"} <= legal(env)


def test_last_bidder_is_declarer__VA6_V7() -> None:
    env = table("vint")
    say(env, "N 1S, E P, S 2S")
    passes(env, 12)
    assert standing(env) == ("2S", "S", 0)
    assert asked(env) == "W"


def test_twelve_passes_follow_seven_no_trump__VA7_V8() -> None:
    env = table("vint")
    say(env, "N 7N")
    for _ in range(12):
        assert legal(env) == {"P"}
        passes(env, 1)
    assert (phase(env), asked(env)) == ("play", "E")


def test_forced_passes_may_be_skipped__V8() -> None:
    env = table("vint", skip_forced=True)
    say(env, "N 7N")
    assert (phase(env), asked(env)) == ("play", "E")


def test_eight_passes_close_the_auction_by_option__V6() -> None:
    env = table("vint", end_passes=8)
    say(env, "N 1S")
    passes(env, 7)
    assert phase(env) == "auction"
    passes(env, 1)
    assert phase(env) == "play"


def test_declarer_raises_his_own_bid__V3() -> None:
    env = table("vint")
    say(env, "N 1S, E P, S P, W P, N 1C, E P, S P, W P, N P, E P, S P, W P, N 2N")
    assert standing(env) == ("2N", "N", 0)


def test_partner_and_returning_passer_overcall__V3() -> None:
    env = table("vint")
    say(env, "N P, E 1D, S P, W 1H, N 1N")
    assert standing(env) == ("1N", "N", 0)


def test_nobody_doubles__V9() -> None:
    env = table("vint")
    say(env, "N 1S")
    assert legal(env) == {"P", *vint.BIDS[1:]}


# The play, and what is known.


def test_all_tricks_are_played_after_the_game_is_decided__V10() -> None:
    tables = Tables("vint", 1, seed=0, autoreset=False)
    tables.reset(deals={"contract": "7N", "declarer": "N"})
    winners = winners_of("E2 N9 E2")
    play_out(tables, won_by([winners]))
    assert tables.states["done"][0] == 13
    assert tables.states["winners"][0].tolist() == winners


def test_hands_stay_hidden_all_through__V30() -> None:
    env = table("vint", {"contract": "1S", "declarer": "N"})
    while env.tables.states["done"][0] < 12:
        for seat, name in enumerate(SEATS):
            known = env.tables.known(seat)["hand"][0]
            assert sees(env.tables, name)["hand"] == cards_in(known[seat])
            assert np.flatnonzero(known).tolist() == [seat]
        env.step(env.legal_actions()[0])


def test_endless_pass_outs_may_be_cut_off__V29() -> None:
    env = table("vint", episode="rubber", max_deals=2)
    passes(env, 15)
    assert not any(env.truncations.values())
    passes(env, 1)
    assert all(env.truncations.values())
    assert not any(env.terminations.values())
    assert set(env.rewards.values()) == {0.0}
    assert env.tables.states["winner"][0] == -1


def test_pass_outs_have_no_limit__V29() -> None:
    env = table("vint", episode="rubber")
    passes(env, 100 * 8)
    assert asked(env) == "N"
    assert env.ledger["total"] == [0, 0]


@pytest.mark.parametrize(("options", "name"), [
    ({"end_passes": 10}, "end_passes"),
    ({"episode": "match"}, "episode"),
    ({"first_dealer": "X"}, "first_dealer"),
    ({"end_pases": 8}, "end_pases"),
    ({"kitty": True}, "kitty"),
    ({"max_deals": 0}, "max_deals"),
])
def test_options_that_do_not_exist(options: dict[str, Any], name: str) -> None:
    with pytest.raises(OptionError, match=name):
        Tables("vint", **options)

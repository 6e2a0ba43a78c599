"""The conventions C of the three games, and the general ruling G-1."""

from typing import Any

import numpy as np
import pytest

from skruv import NotationError, TableEnv, Tables
from skruv.games import VERSIONS

from .staging import SEATS, asked, deal, passes, play_out, table, won_by

GAMES = tuple(VERSIONS)


@pytest.mark.parametrize("game", GAMES)
def test_first_dealer_is_drawn__C5(game: str) -> None:
    dealers = np.bincount(Tables(game, 4000, seed=0).states["dealer"], minlength=4)
    assert (abs(dealers - 1000) < 150).all()


@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize("game", GAMES)
def test_first_dealer_is_named_by_option__C5(game: str, seat: str) -> None:
    dealers = Tables(game, 20, seed=0, first_dealer=seat).states["dealer"]
    assert (dealers == SEATS.index(seat)).all()


@pytest.mark.parametrize("game", GAMES)
def test_the_cards_are_dealt_uniformly__C3(game: str) -> None:
    hands = Tables(game, 4000, seed=0).states["hand"]
    held = (hands[:, :, None] >> np.arange(52) & 1).mean(axis=0)
    each = (12 if game == "skruuvi" else 13) / 52
    assert abs(held - each).max() < 0.04


@pytest.mark.parametrize("game", GAMES)
def test_a_pack_that_is_not_whole_is_refused__C6(game: str) -> None:
    hands = deal()["deal"].split()
    hands[1] = hands[2]
    with pytest.raises(NotationError, match="dealt twice"):
        Tables(game, 1, seed=0).reset(deals={"deal": " ".join(hands)})


@pytest.mark.parametrize("game", GAMES)
def test_the_other_hands_are_private__C8(game: str) -> None:
    tables = Tables(game, 1, seed=0)
    for seat in range(4):
        known = tables.known(seat)[0]
        assert np.flatnonzero(known["hand"]).tolist() == [seat]
        assert known["hand"][seat] == tables.states["hand"][0, seat]
        assert known["stream"] == 0


CONTRACTS = {"vint": "3C", "skruuvi": "9S", "biritch": "H"}


@pytest.mark.parametrize("game", GAMES)
def test_margin_of_a_deal_is_paid_to_both_partners__C11(game: str) -> None:
    tables = Tables(game, 1, seed=0, autoreset=False)
    tables.reset(deals={"contract": CONTRACTS[game], "declarer": "E"})
    paid = play_out(tables, won_by([4 * [0] + 9 * [1]]))
    lines = tables.results["lines"][0].sum(axis=0)
    assert paid[0].tolist() == [lines[0] - lines[1], lines[1] - lines[0]] * 2


@pytest.mark.parametrize("game", GAMES)
def test_winner_is_paid_at_the_end_by_option__C11(game: str) -> None:
    tables = Tables(game, 1, seed=0, autoreset=False, reward="winner", reward_scale=2.0)
    tables.reset(deals={"contract": CONTRACTS[game], "declarer": "E"})
    paid = play_out(tables, won_by([13 * [1]]))
    assert tables.states["winner"][0] == 1
    assert paid[0].tolist() == [-2, 2, -2, 2]


def finished(env: TableEnv) -> tuple[int, Any]:
    """Play on with the highest action of every mask: how many decisions it took, and the result."""
    decisions = 0
    while not any(env.terminations.values()):
        env.step(env.legal_actions()[-1])
        decisions += 1
    return decisions, env.tables.results[0]


@pytest.mark.parametrize("game", GAMES)
def test_skipping_forced_actions_changes_no_result__G1(game: str) -> None:
    decisions, result = finished(table(game))
    fewer, same = finished(table(game, skip_forced=True))
    assert result == same
    assert fewer < decisions


@pytest.mark.parametrize("game", GAMES)
def test_forced_actions_are_asked_for__G1(game: str) -> None:
    env = table(game)
    forced = 0
    while not any(env.terminations.values()):
        forced += len(env.legal_actions()) == 1
        env.step(env.legal_actions()[-1])
    assert forced > 4


@pytest.mark.parametrize(("game", "order"), [("vint", "NESW"), ("skruuvi", "ESWN")])
def test_the_auction_turns_clockwise__C2_V1_K1(game: str, order: str) -> None:
    env = table(game)
    seats = ""
    for _ in range(4):
        seats += asked(env)
        passes(env, 1)
    assert seats == order

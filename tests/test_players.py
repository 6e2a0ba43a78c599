"""The built-in players: legal, repeatable, and as their words say."""

from typing import Any

import numpy as np
import pytest
from positions import position
from playing import GAMES, PASS, PLAYER_NAMES, SLOW_PLAYERS, at, make_tables, running

from skruv import Tables
from skruv.arena import contracts_of, level_of, play_all, play_match, play_tables
from skruv.games import load
from skruv.notation import action_text, parse_action
from skruv.players import Player, player
from skruv.tables import Views

games = pytest.mark.parametrize("game", GAMES)
names = pytest.mark.parametrize("name", PLAYER_NAMES)


class Answering:
    """Answers whatever it was told to."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def act(self, views: Views) -> Any:
        return self.answer


def play(tables: Tables, who: Player) -> list[bytes]:
    """Play every episode to its end; all actions."""
    story = []
    while len(rows := running(tables)):
        views = tables.views(rows)
        actions = who.act(views)
        assert actions.shape == (len(views),)
        assert actions.dtype == np.int64
        assert views.mask[np.arange(len(views)), actions].all()
        story.append(actions.tobytes())
        tables.step(actions, rows)
    return story


@games
@names
def test_players_play_legally(game: str, name: str) -> None:
    few, deals = (2, 2) if name in SLOW_PLAYERS else (100, 5)
    for ledger in ("zero", "random"):
        play(make_tables(game, few, seed=1, autoreset=False, ledger=ledger), player(name, load(game), 1))
    play(make_tables(game, 1, seed=1, autoreset=False, episode="rubber", max_deals=deals), player(name, load(game), 2))


@games
@names
def test_the_same_seed_plays_alike(game: str, name: str) -> None:
    stories = [
        play(make_tables(game, 2 if name in SLOW_PLAYERS else 20, seed=1, autoreset=False), player(name, load(game), seed))
        for seed in (5, 5, 6)
    ]
    assert stories[0] == stories[1]
    if name not in SLOW_PLAYERS:  # other worlds may lead to the same actions
        assert (stories[0] == stories[2]) == (name in ("pass", "thumb"))


@games
@names
def test_players_look_only_at_their_views__P12(game: str, name: str) -> None:
    """A choice depends on the row alone for the one that draws no lots; nobody writes into the arrays."""
    tables = make_tables(game, 2 if name in SLOW_PLAYERS else 30, seed=2, autoreset=False)
    mover, twin = player(name, load(game), 3), player("pass", load(game))
    while len(rows := running(tables)):
        views = tables.views(rows)
        before = tuple(array.tobytes() for array in (views.observation, views.mask, views.seat, tables.states))
        actions = mover.act(views)
        assert before == tuple(array.tobytes() for array in (views.observation, views.mask, views.seat, tables.states))
        whole = twin.act(views)
        assert np.array_equal(whole[::2], twin.act(views[np.arange(0, len(views), 2)]))
        tables.step(actions, rows)


def levels(game: str, name: str) -> np.ndarray:
    """Of the played positive contracts."""
    rules: dict[str, Any] = {"max_doublings": 3} if game == "biritch" else {}
    who = player(name, load(game), 7)
    results = play_tables(load(game), {0: who, 1: who}, 2000, 7, rules)
    counts = contracts_of(load(game), results)
    return np.repeat([level_of(contract) for contract in counts], list(counts.values()))


def test_random_bids_as_people_do__P30() -> None:
    vint, skruuvi = levels("vint", "random"), levels("skruuvi", "random")
    assert np.isin(vint[vint > 0], (1, 2, 3)).mean() > 0.6
    assert np.isin(skruuvi[skruuvi > 0], (7, 8, 9)).mean() > 0.6
    assert (vint == 0).mean() < 0.5  # passed out
    assert (skruuvi == 0).mean() < 0.5


def test_uniform_ends_at_the_top__P30() -> None:
    vint, skruuvi = levels("vint", "uniform"), levels("skruuvi", "uniform")
    assert (vint >= 6).mean() > 0.75
    assert np.isin(skruuvi, (0, 12, 13)).mean() > 0.75


@games
def test_random_and_uniform_are_uniform_over_cards(game: str) -> None:
    tables = make_tables(game, 4000, seed=0, autoreset=False)
    tables.reset(deals={"contract": load(game).contracts[0], "declarer": "N"})
    tables.load(np.repeat(tables.save(at(0)), 4000))
    views = tables.views()
    for name in ("random", "uniform"):
        counts = np.bincount(player(name, load(game), 1).act(views), minlength=tables.actions)
        expected = views.mask[0] / views.mask[0].sum() * 4000
        assert (np.abs(counts - expected) <= 5 * np.sqrt(expected)).all()


def test_unknown_players_are_named() -> None:
    with pytest.raises(ValueError, match="did you mean 'random'"):
        player("ramdom", load("vint"))
    with pytest.raises(ValueError, match="there are uniform, random, pass"):
        player("", load("vint"))


# ---- pass -------------------------------------------------------------------------------------------------------------------


@games
def test_pass_never_bids_or_doubles(game: str) -> None:
    tables = make_tables(game, 50, seed=3, autoreset=False)
    never, other = player("pass", load(game)), player("uniform", load(game), 1)
    while len(rows := running(tables)):
        views = tables.views(rows)
        may_pass = views.mask[:, PASS] == 1
        assert (never.act(views)[may_pass] == PASS).all()
        tables.step(other.act(views), rows)


def test_pass_names_its_longest_suit_in_biritch() -> None:
    tables = Tables("biritch", autoreset=False)
    for hands, strain in (
        ("N:AKQ.AKQ.AKQ.AKQJ JT987.JT9.JT98.T 65432.876.76.987 .5432.5432.65432", "S"),
        ("N:AKQ.AKQ.AKQ.AKQJ JT9.JT987.JT98.T 876.65432.76.987 5432..5432.65432", "H"),
        ("N:AKQ.AKQ.AKQJ.AKQ JT9.JT98.T.JT987 876.76.987.65432 5432.5432.65432.", "C"),
    ):
        tables.reset(deals={"dealer": "N", "deal": hands})
        for expected in ("P", strain):
            action = player("pass", tables.game).act(tables.views())
            assert action_text(tables.game, int(action[0])) == expected
            tables.step(action)


HANDS = "N:AQ32.K43.A32.432 K54.AQ5.654.8765 J876.JT9.KQ87.KQ T9.8762.JT9.AJT9"
"""North declares in Vint; East leads, then South, West, North."""

POSITIONS = {
    "lead low from the longest suit": ("1N", "", "C5"),
    "of equally long suits, from the lowest": ("1N", "C5 CQ C9 C2", "D7"),
    "second hand low": ("1N", "D4", "D7"),
    "third hand high": ("1N", "C5 CQ", "CA"),
    "third hand low, where it can't win": ("1N", "HQ HT", "H2"),
    "fourth hand wins as cheaply as it can": ("1N", "S4 S6 S9", "SQ"),
    "fourth hand low, where it can't win": ("1N", "HA H9 H8", "H3"),
    "fourth hand leaves the trick to the partner": ("1N", "D4 DQ D9", "D2"),
    "throw away the lowest card": ("1S", "S4 S6 S9 SQ S2 S5 S7 ST H2 H3 HA H9 SK S8", "H6"),
}


@pytest.mark.parametrize("position", POSITIONS)
def test_pass_plays_by_four_rules(position: str) -> None:
    contract, before, expected = POSITIONS[position]
    tables = Tables("vint", autoreset=False)
    tables.reset(deals={"deal": HANDS, "contract": contract, "declarer": "N"})
    for name in before.split():
        tables.step([parse_action(tables.game, name)])
    action = player("pass", tables.game).act(tables.views())
    assert action_text(tables.game, int(action[0])) == expected


def test_pass_counts_a_trump_as_dear() -> None:
    """The cheapest card that wins is no trump where another wins; a trump is thrown away last."""
    tables = Tables("vint", autoreset=False)
    tables.reset(deals={
        "deal": "N:.KJT98.AKQJT98.2 32.AQ7.65432.543 AKQJT.65432..AKQ 987654..7.JT9876", "contract": "1S", "declarer": "N",
    })
    who = player("pass", tables.game)
    for name, expected in (("H7", "H2"), ("H2", "S9")):
        tables.step([parse_action(tables.game, name)])
        assert action_text(tables.game, int(who.act(tables.views())[0])) == expected
    tables.step([parse_action(tables.game, "C6")])
    assert action_text(tables.game, int(who.act(tables.views())[0])) == "H8"


# ---- the part score ---------------------------------------------------------------------------------------------------------

PART_SCORES = {
    "vint, 440 below: six tricks are a game": ("vint", {"N": "93.K87432.A64.Q7"}, "", {"below": [440, 0]}, "1H"),
    "vint, they need 20: any contract is their game": ("vint", {"N": "A98.KQ853.KT6.K6"}, "", {"below": [0, 480]}, "P"),
    "biritch, 28 below: any odd trick is game, the surest strain": (
        "biritch", {"N": "AKQ9876.A2.432.2"}, "", {"below": [28, 0], "games": [1, 0]}, "S",
    ),
    "biritch, they have 16: doubled, one odd trick is their game": (
        "biritch", {"E": "KJ94.AQ32.KQ4.A2"}, "H", {"below": [16, 0], "games": [1, 0]}, "P",
    ),
}


@pytest.mark.parametrize("case", PART_SCORES)
def test_thumb_bids_by_the_part_score__P31(case: str) -> None:
    """It stands in the observation, and changes the call of the same hand."""
    game, hands, before, ledger, expected = PART_SCORES[case]
    with_it, clean = position(game, hands, before, dealer="N", ledger=ledger), position(game, hands, before, dealer="N")
    assert (with_it.observe().observation != clean.observe().observation).any()
    calls = [action_text(load(game), int(player("thumb", load(game)).act(tables.views())[0])) for tables in (with_it, clean)]
    assert calls[0] == expected
    assert calls[1] != expected


# ---- what can't be played ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["pass", "thumb", "search:rollout,worlds=1"])
def test_a_player_of_another_game_is_refused(name: str) -> None:
    vint = player(name, "vint")
    with pytest.raises(ValueError, match="was made for Vint and can't play Skruuvi"):
        play_match("skruuvi", vint, player("random", "skruuvi"), deals=1)


@pytest.mark.parametrize(("ours", "message"), [
    ("random", "is no player: give one that skruv.players.player makes"), (lambda views: views.seat, "is no player"),
    (Answering(None), "must give an integer for each"), (Answering(0), "must give an integer for each"),
    (Answering(np.zeros(2, np.int64)), "must give an integer for each"), (Answering(np.zeros(1)), "must give an integer for each"),
])
def test_what_is_no_player_is_refused(ours: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        play_match("vint", ours, player("random", "vint"), deals=1)


@pytest.mark.parametrize("wrong", [{"deals": 0}, {"deals": 2.5}, {"seed": -1}, {"seed": None}])
def test_a_match_of_no_deals_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises((TypeError, ValueError), match=next(iter(wrong))):
        play_match("vint", player("random", "vint"), player("pass", "vint"), **wrong)


def test_names_are_names() -> None:
    with pytest.raises(TypeError, match="it must be the name of one"):
        player(5, "vint")  # type: ignore[arg-type]
    for names in ("random", ["random", player("pass", "vint")]):
        with pytest.raises(ValueError, match="a list of players' names"):
            play_all("vint", names, deals=1)  # type: ignore[arg-type]
    table = play_all("vint", ["random", "pass"], deals=2)
    with pytest.raises(ValueError, match="there are random against pass"):
        table.match("pass", "random")


@pytest.mark.parametrize("name", ["search:worlds=1001", "search:worlds=2,worlds=3", "search:ms=0"])
def test_budgets_have_bounds(name: str) -> None:
    with pytest.raises(ValueError, match="is not known; the forms are"):
        player(name, "vint")

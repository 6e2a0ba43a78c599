"""Pictures show what their perspective knows, in every form, and nothing else."""

import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import render_test
from playing import BOUNDED, GAMES, LONGEST, PASS, at, make_env, make_tables, play_episode, positions, randomly, turns
from test_properties import make_at, redeal

from skruv import Tables
from skruv.aec import AGENTS
from skruv.engine.cards import CARDS, SEATS
from skruv.gym import SeatEnv
from skruv.notation import cards_of
from skruv.render import (
    MissingExtra, Scene, draw_figures, draw_html, draw_pixels, draw_text, raster, render_table, scene_of,
)
from skruv.render.scene import call_text, sights_of

games = pytest.mark.parametrize("game", GAMES)


def table_at(game: str, *names: str, begin: dict[str, Any] | None = None, **options: Any) -> Tables:
    """A table after some actions."""
    table = Tables(game, autoreset=False, trails=True, seed=1, **options)
    table.reset(seed=1, deals=begin or {})
    for name in names:
        table.step(np.array([table.game.actions.index(name)]))
    return table


def played_on(table: Tables, cards: int) -> Tables:
    """The first legal action, so many times."""
    for _ in range(cards):
        table.step(table.legal().argmax(axis=1))
    return table


def scenes(game: str, seat: int | None = None) -> Iterator[Scene]:
    """Some of the positions of a session."""
    env = make_env(game, episode=LONGEST[game], max_deals=3, perspective="all" if seat is None else AGENTS[seat])
    env.reset(seed=4)
    for number, _ in enumerate(turns(env, np.random.default_rng(4))):
        if number % 9 == 0:
            yield env._scene()
    yield env._scene()


# ---- the modes --------------------------------------------------------------------------------------------------------------


@games
def test_pettingzoo_render(game: str) -> None:
    make: Any = partial(make_env, game)
    render_test(make)


@games
@pytest.mark.parametrize("seat", [None, 2])
def test_every_position_is_drawn(game: str, seat: int | None) -> None:
    shapes = set()
    for scene in scenes(game, seat):
        pixels = draw_pixels(scene)
        shapes.add(pixels.shape)
        assert pixels.dtype == np.uint8
        assert scene.title in draw_text(scene)
        assert draw_html(scene).count("<svg") == 1
    assert shapes == {(532, 980, 3)}


@games
def test_a_drawing_changes_with_the_table(game: str) -> None:
    env = make_env(game, render_mode="rgb_array")
    env.reset(seed=1)
    before = env.render()
    env.step(env.legal_actions()[0])
    assert not np.array_equal(before, env.render())
    before[:] = 0
    assert env.render().any()


def test_pillow_is_asked_for_by_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    env = make_env("vint", render_mode="rgb_array")
    env.reset(seed=1)
    monkeypatch.setitem(sys.modules, "PIL", None)
    raster._page.cache_clear()
    with pytest.raises(MissingExtra, match=re.escape("skruv[render]")):
        env.render()


def test_text_is_plain_where_colours_are_not_wanted(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    env = make_env("vint", render_mode="human")
    env.reset(seed=1)
    env.render()
    assert "\x1b" not in capsys.readouterr().out
    assert "\x1b" in draw_text(env._scene())
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in draw_text(env._scene())


@games
def test_notebooks_draw_environments(game: str) -> None:
    env = make_env(game)
    assert "<svg" in env._repr_html_()
    env.reset(seed=1)
    assert env._repr_html_() == draw_html(scene_of(env.tables, AGENTS.index(env.agent_selection)))
    options: dict[str, Any] = BOUNDED.get(game, {})
    seat = SeatEnv(game, seat=1, **options)
    seat.reset(seed=1)
    assert seat._repr_html_() == draw_html(scene_of(seat.seats.tables, 1))


@games
def test_notebooks_draw_records(game: str) -> None:
    env = make_env(game)
    env.reset(seed=3)
    play_episode(env, randomly(3))
    (record,) = env.record()
    drawn: Any = record
    assert drawn._repr_html_().count("<g transform") >= len(CARDS)  # the hands as dealt
    assert all(line[2].replace("_", " ") in drawn._repr_html_() for line in record["lines"])


def test_markup_in_texts_is_escaped() -> None:
    bad = "<img src=x onerror=alert(1)>"
    scene = replace(scene_of(table_at("vint")), title=bad)
    drawn = draw_html(scene) + draw_figures(bad, [bad], [[bad]])
    assert "<img" not in drawn
    assert drawn.count("&lt;img") == 5


# ---- who sees what ----------------------------------------------------------------------------------------------------------


@games
def test_hidden_cards_change_no_picture__P12(game: str) -> None:
    rng = np.random.default_rng(5)
    tables = make_tables(game, 12, seed=5, autoreset=False, ledger="random")
    for number, rows in enumerate(positions(tables, np.random.default_rng(6))):
        for seat in SEATS:
            true, other = (make_at(game, tables.states[rows[:1]]) for _ in range(2))
            redeal(game, other.states[0], seat, rng)
            mine, again = scene_of(true, seat), scene_of(other, seat)
            assert mine == again
            if number % 10 == 0:
                assert np.array_equal(draw_pixels(mine), draw_pixels(again))
                assert draw_html(mine) == draw_html(again)
                assert render_table(true, seat) == render_table(other, seat)


@games
def test_open_hands_show_each_card_once(game: str) -> None:
    env = make_env(game)
    env.reset(seed=6)
    for _ in turns(env, np.random.default_rng(6)):
        scene = scene_of(env.tables)
        held = [card for hand in scene.hands for card in hand.cards or ()]
        state = env.tables.states[0]
        assert sorted(held) == sorted(cards_of(np.bitwise_or.reduce(state["hand"])))
        assert [hand.held for hand in scene.hands] == [int(board).bit_count() for board in state["hand"]]
        for hand, cards in ((hand, hand.cards or ()) for hand in scene.hands):
            suits = ["SHCD".index(env.game.actions[card][0]) for card in cards]
            assert suits == sorted(suits), hand
        assert scene.legal == {action for action in env.legal_actions() if action < len(CARDS)}


@games
def test_what_each_seat_sees_is_what_its_picture_shows(game: str) -> None:
    env = make_env(game)
    env.reset(seed=7)
    for _ in turns(env, np.random.default_rng(7)):
        for seat, sight in enumerate(sights_of(env.tables)):
            scene = scene_of(env.tables, seat)
            shown = {hand.seat for hand in scene.hands if hand.cards}
            assert shown == {each for each in sight.hands if scene.hands[each].held}
            assert {pile.name: pile.cards is not None for pile in scene.piles} == sight.piles


def test_dummy_is_open_after_the_lead__B8() -> None:
    table = table_at("biritch", begin={"dealer": "S", "contract": "H", "declarer": "S"})
    assert scene_of(table, 1).hands[0].cards is None
    played_on(table, 1)
    for seat in SEATS:
        scene = scene_of(table, seat)
        assert scene.hands[0].cards is not None
        assert "dummy" in scene.hands[0].marks
    scene = scene_of(table, 2)
    assert (scene.turn, scene.playing) == (2, 0)
    assert scene.headline[-1] == "S to act for N"
    assert scene.legal <= set(scene.hands[0].cards or ())


def test_a_partner_sits_out_of_a_misere__K20() -> None:
    table = played_on(table_at("skruuvi", begin={"contract": "misaari", "declarer": "W"}), 3)
    scene = scene_of(table)
    assert "sits out" in scene.hands[1].marks
    assert scene.hands[1].held == 12
    assert sum(card is not None for card in scene.last_trick) == 3


def test_the_kotka_and_the_discards_are_the_declarers__K10() -> None:
    table = table_at("skruuvi", begin={"dealer": "N"})
    assert [(pile.name, pile.cards, pile.size) for pile in scene_of(table, 1).piles] == [("kotka", None, 4)]
    for name in ("9S", "P", "P", "P"):
        table.step(np.array([table.game.actions.index(name)]))
    played_on(table, 2)
    mine, theirs = scene_of(table, 1), scene_of(table, 2)
    assert [(pile.name, len(pile.cards or ())) for pile in mine.piles] == [("kotka", 4), ("discards", 2)]
    assert [(pile.name, pile.cards, pile.size) for pile in theirs.piles] == [("discards", None, 2)]
    assert mine.hands[1].held == 14


def test_a_doubled_contract_says_so__B4() -> None:
    table = table_at("biritch", "H", "X", "X", "P", "P", begin={"dealer": "N"}, max_doublings=3)
    assert scene_of(table).headline[3] == "♥ by N, x4"
    assert "♥ by N, x4" in draw_text(scene_of(table), colour=False)


# ---- the auction and the sheet ----------------------------------------------------------------------------------------------

LONG = [name for bid in ("1S", "1C", "1D", "2S", "2C", "2H", "3D", "3N", "4C") for name in (bid, *"PPPPP")] + ["5D", *"PPPPP"]


def test_sixty_calls_stay_readable() -> None:
    table = table_at("vint", *LONG, begin={"dealer": "N"})
    scene = scene_of(table, 0)
    assert scene.calls == len(LONG) == 60
    shown = draw_text(scene, colour=False)
    assert len(shown.splitlines()) < 24
    assert "..." in shown
    words = re.sub("<[^>]*>", " ", draw_html(scene)).replace(" ♦", "♦").replace(" ♥", "♥")
    assert all(call_text(name) in words for name in LONG if name != "P")


def test_the_longest_auction_stays_readable__V6() -> None:
    table = Tables("vint", autoreset=False, trails=True, seed=1)
    calls = 0
    while table.phase[0] == 0:  # a bid as low as can be, after as many passes as there may be
        passes = int(table.states["passes"][0])
        most = 7 if table.states["bid"][0] < 0 else 11
        table.step(np.array([PASS if passes < most or table.legal()[0].sum() == 1 else PASS + 2 + int(table.states["bid"][0])]))
        calls += 1
    scene = scene_of(table)
    assert scene.calls == calls > 400
    assert sum(row.times for row in scene.auction) == -(-calls // 4)
    assert max(row.times for row in scene.auction) == 3
    assert len(draw_text(scene).splitlines()) < 24
    assert draw_pixels(scene).any()


def test_raises_after_the_exchange_begin_a_new_row__K13() -> None:
    table = table_at("skruuvi", "9S", "P", "P", "P", begin={"dealer": "N"})
    played_on(table, 4)
    table.step(np.array([table.game.actions.index("10S")]))
    rows = [row.calls for row in scene_of(table).auction]
    assert rows == [("9♠", "P", "P", "P"), ("10♠", "", "", "")]


@games
def test_the_sheet_adds_up(game: str) -> None:
    env = make_env(game, episode=LONGEST[game], max_deals=6)
    env.reset(seed=2)
    play_episode(env, randomly(2))
    sheet = env._scene().sheet
    assert len(sheet.deals) == len(env.record()) > 1
    assert sheet.carried == (0, 0)
    for side in (0, 1):
        assert sheet.total[side] == sum(line.points for deal in sheet.deals for line in deal.lines if line.side == side)
    assert sum(deal.won for deal in sheet.deals) == sum(row.won for row in sheet.below) == sum(env.ledger.get("games", [0]))
    texts = [text for text in (*sheet.above[0], *sheet.above[1], *(cell for row in sheet.below for cell in row.cells)) if text]
    assert sum(int(text.split()[0]) for text in texts) == sum(sheet.total)
    short = scene_of(env.tables).sheet
    assert (len(short.deals), short.total) == (1, sheet.total)


def test_a_running_score_is_carried() -> None:
    sheet = scene_of(table_at("vint", begin={"ledger": {"total": [700, 40], "below": [120, 0], "games": [0, 1]}})).sheet
    assert sheet.carried == sheet.total == (700, 40)
    assert sheet.kept == ("below 120 : 0", "games 0 : 1")
    assert sheet.above == (["700 carried"], ["40 carried"])


def test_a_table_among_others_is_drawn() -> None:
    tables = Tables("biritch", 3, seed=1, trails=True)
    tables.step(np.array([PASS]), at(2))
    assert scene_of(tables, None, 2).auction != scene_of(tables, None, 1).auction == ()

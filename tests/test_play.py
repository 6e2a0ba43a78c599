"""A seat at the table: the sitting, its screen driven by keys and mouse, the command."""

import asyncio
import json
import sys
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playing import GAMES
from textual.pilot import Pilot
from textual.widgets import Static

from skruv import cli
from skruv.cli import WHO, main
from skruv.engine.cards import CARDS
from skruv.notation import action_text, deal_text, parse_action
from skruv.play.app import DealOver, Notice, PlayApp, TableScreen
from skruv.play.panels import Choice, Place, auction_panel, calls_panel, sheet_panel, towards
from skruv.play.sitting import PERSON, Sitting, SittingError, seat_named
from skruv.players import PLAYERS, TAILORED, Player
from skruv.record import read_records, verify
from skruv.tables import IllegalAction, Views

games = pytest.mark.parametrize("game", GAMES)
BY_GAME: dict[str, dict[str, Any]] = {"vint": {}, "skruuvi": {"variant": "simplified"}, "biritch": {"max_doublings": 2}}
SOUTH = 2
OWN = {"skruuvi": "7C", "vint": "1S", "biritch": "S"}
"""By game, a contract."""


def sit(game: str, **options: Any) -> Sitting:
    """A person at South, with players that take no time."""
    others = dict.fromkeys(("partner", "left", "right"), "pass")
    return Sitting(game, **{"seed": 7, **others, **BY_GAME[game], **options})


def advance(sitting: Sitting) -> None:
    """Let the others move until the person is to act, or the deal is over."""
    while sitting.turn is not None and not sitting.is_persons_turn:
        sitting.let_move()


def play_deal(sitting: Sitting) -> None:
    """The person does what is hinted."""
    while sitting.turn is not None:
        if sitting.is_persons_turn:
            sitting.act(sitting.hint())
        else:
            sitting.let_move()


def contracted(game: str, **options: Any) -> Sitting:
    """The person is declarer, and the play has begun."""
    return sit(game, deal={"contract": OWN[game], "declarer": "S"}, **options)


def everywhere(sitting: Sitting, other: Player) -> None:
    """Put ``other`` at every seat but the person's."""
    sitting.players = dict.fromkeys(sitting.players, other)


# ---- the sitting ------------------------------------------------------------------------------------------------------------


@games
def test_deals_are_played_recorded_and_go_on(game: str, tmp_path: Path) -> None:
    file = tmp_path / "deals.jsonl"
    sitting = sit(game, partner="thumb", left="random", episode="rubber", record=file)
    for count in (1, 2, 3):
        play_deal(sitting)
        assert sitting.is_waiting
        assert len(sitting.deals) == count == len(read_records(file))
        assert not sitting.legal()
        for refused in (sitting.hint, sitting.undo, sitting.question, lambda: sitting.act(0)):
            with pytest.raises(SittingError):
                refused()
        sitting.next_deal()
    assert read_records(file) == sitting.records
    assert sitting.records[0]["notes"] == [{"seed": 7, "players": {"N": "thumb", "E": "pass", "S": PERSON, "W": "random"}}]
    with pytest.raises(SittingError, match="not finished"):
        sitting.next_deal()


@games
def test_each_episode_is_dealt_from_the_next_seed(game: str) -> None:
    sitting = sit(game, deal={"dealer": "N"})
    play_deal(sitting)
    assert sitting.is_over
    sitting.next_deal()
    play_deal(sitting)
    assert [deal.record["notes"][0]["seed"] for deal in sitting.deals] == [7, 8]
    assert sitting.records[0]["dealer"] == "N"
    assert sitting.records[1]["deal"] == deal_text(sit(game, seed=8).tables.states["hand"][0])
    for record in sitting.records:
        verify(record)


def test_a_given_contract_is_in_the_record() -> None:
    sitting = contracted("vint", left="random")
    play_deal(sitting)
    assert (sitting.records[0]["contract"], sitting.records[0]["declarer"]) == ("1S", "S")
    verify(sitting.records[0])


@games
def test_undo_takes_back_until_the_next_player_moves(game: str) -> None:
    sitting = contracted(game)
    advance(sitting)
    with pytest.raises(SittingError, match="nothing to take back"):
        sitting.undo()
    before, trail = sitting.tables.save(), sitting.tables.trail(0)
    first, second = sitting.legal()[0], sitting.legal()[-1]
    sitting.act(first)
    question = sitting.question() if not sitting.is_persons_turn else None
    sitting.undo()
    assert np.array_equal(sitting.tables.save(), before)
    assert all(map(np.array_equal, sitting.tables.trail(0), trail))
    if question is not None:
        assert not sitting.answer(question, question.think())
    sitting.act(second)
    assert sitting.tables.trail(0).action[-1] == second
    sitting.let_move() if not sitting.is_persons_turn else sitting.act(sitting.legal()[0])
    play_deal(sitting)
    verify(sitting.records[0])


def test_every_discard_can_be_taken_back__K10() -> None:
    sitting = sit("skruuvi")
    advance(sitting)
    sitting.act(parse_action(sitting.game, "9C"))
    advance(sitting)
    assert sitting.phase == "exchange"
    before = sitting.tables.save()
    laid = sitting.legal()[:3]
    for card in laid:
        sitting.act(card)
    assert [pile.size for pile in sitting.scene().piles if pile.name == "discards"] == [3]
    for _ in laid:
        sitting.undo()
    assert np.array_equal(sitting.tables.save(), before)
    assert not sitting.can_undo


def test_a_lead_that_has_opened_dummy_stays__B8() -> None:
    """What was seen can't be forgotten."""
    sitting = sit("biritch", deal={"contract": "S", "declarer": "E"})
    assert sitting.is_persons_turn
    sitting.act(sitting.legal()[0])
    assert "dummy" in sitting.scene().hands[3].marks
    assert not sitting.can_undo
    sitting = contracted("biritch")
    advance(sitting)
    sitting.act(sitting.legal()[0])
    assert sitting.can_undo


def test_illegal_actions_change_nothing() -> None:
    sitting = contracted("vint")
    advance(sitting)
    before = sitting.tables.save()
    with pytest.raises(IllegalAction, match="legal now"):
        sitting.act(sitting.game.groups["pass_"].start)
    assert np.array_equal(sitting.tables.save(), before)
    assert not sitting.can_undo


class Peeping:
    """Keeps what it is given."""

    def __init__(self) -> None:
        self.views: list[Views] = []

    def act(self, views: Views) -> np.ndarray:
        self.views.append(views)
        return views.mask.argmax(axis=1)


@games
def test_the_others_get_views_and_the_person_sees_no_more__P12(game: str) -> None:
    sitting = contracted(game)
    spy = Peeping()
    everywhere(sitting, spy)
    while sitting.turn is not None:
        scene = sitting.scene()
        hidden = [hand.seat for hand in scene.hands if hand.cards is None]
        assert SOUTH not in hidden
        if scene.hands[0].held == 13:
            assert len(hidden) >= 2
        if sitting.is_persons_turn:
            sitting.act(sitting.hint())
        else:
            sitting.let_move()
    assert spy.views
    for views in spy.views:
        hands = views.state["hand"][0]
        others = [seat for seat in range(4) if seat != views.seat[0] and "turn" not in (views.state.dtype.names or ())]
        assert not any(hands[seat] for seat in others)


@games
def test_four_players_are_watched_with_all_hands_open(game: str) -> None:
    sitting = sit(game, own="random")
    assert sitting.seat is None
    assert not sitting.legal()
    assert all(hand.cards for hand in sitting.scene().hands)
    play_deal(sitting)
    assert sitting.records[0]["notes"][0]["players"]["S"] == "random"
    verify(sitting.records[0])


def test_the_end_shows_the_last_trick_of_a_deal_in_a_session() -> None:
    sitting = contracted("vint", episode="rubber")
    play_deal(sitting)
    scene = sitting.scene()
    assert all(card is not None for card in scene.last_trick)
    assert (scene.turn, [hand.held for hand in scene.hands], sum(scene.tricks)) == (None, [0] * 4, 13)
    assert scene.sheet.deals[-1].text.startswith("1♠ by S")


def test_a_file_that_can_not_be_added_to_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "deals.jsonl"
    sit("vint", record=file)
    assert not file.exists()
    file.write_text('{"half": ')
    with pytest.raises(SittingError, match="does not end with a whole line"):
        sit("vint", record=file)
    with pytest.raises(OSError, match="directory"):
        sit("vint", record=tmp_path)


@pytest.mark.parametrize(("text", "seat"), [("N", 0), ("east", 1), ("S", 2), ("West", 3)])
def test_seats_have_names(text: str, seat: int) -> None:
    assert seat_named(text) == seat


# ---- the parts of the screen ------------------------------------------------------------------------------------------------


def test_arrows_lead_over_a_grid() -> None:
    places = {1: Place(0, 0), 2: Place(0, 5), 3: Place(1, 0), 4: Place(1, 5), 5: Place(2, 0)}
    assert towards(places, None, 0, 1) == 1
    assert towards(places, 2, 0, 1) == 3
    assert towards(places, 1, 0, -1) == 5
    assert towards(places, 2, 1, 0) == 4
    assert towards(places, 4, 1, 0) == 5
    assert towards(places, 1, -1, 0) == 1
    assert towards({}, None, 1, 0) is None


@pytest.mark.parametrize(("game", "phase", "rows", "words"), [
    ("vint", "auction", 8, ("1♠", "7NT", "P pass")),
    ("skruuvi", "auction", 10, ("7♣", "13NT", "misaari", "mussolini")),
    ("biritch", "naming", 2, ("NT", "P to partner")),
])
def test_the_ladder_has_a_row_for_each_level(game: str, phase: str, rows: int, words: tuple[str, ...]) -> None:
    law = sit(game).game
    everything = frozenset(range(len(CARDS), len(CARDS) + len(law.calls) - (2 if game == "skruuvi" else 1 if game == "biritch" else 0)))
    panel = calls_panel(law, phase, Choice(everything))
    assert len(panel.content.plain.splitlines()) == rows
    assert all(word in panel.content.plain for word in words)
    assert set(panel.places) == set(everything)
    assert max(map(len, panel.content.plain.splitlines())) <= 26


def test_a_long_auction_is_short_on_paper() -> None:
    sitting = sit("vint", own="pass")
    for call in ("1S", *["P"] * 11, "1C", *["P"] * 8):
        sitting.tables.step(np.array([parse_action(sitting.game, call)]))
    lines = auction_panel(sitting.scene()).plain.splitlines()
    assert len(lines) <= 6
    assert any("x" in line for line in lines)
    assert max(map(len, lines)) <= 24


def test_a_long_auction_is_turned_back() -> None:
    sitting = sit("vint", own="pass")
    for call in ("1S", "1C", "1D", "1H", "1N", "2S", "2C", "2D", "2H", "2N", "3S"):
        for name in (call, *["P"] * 8):
            sitting.tables.step(np.array([parse_action(sitting.game, name)]))

    async def script(app: PlayApp, pilot: Pilot[None]) -> None:
        table_of(app).stopped = True
        table_of(app).draw()
        await pilot.pause()
        calls = app.screen.query_one("#calls")
        assert calls.scroll_offset.y == calls.max_scroll_y > 0
        await pilot.press(*["pageup"] * 4)
        assert calls.scroll_offset.y == 0
        await pilot.press("pagedown")
        assert calls.scroll_offset.y > 0

    on_screen(sitting, script, pace=9)


def test_a_wide_sheet_says_what_points_are_for() -> None:
    sitting = contracted("vint")
    play_deal(sitting)
    sheet = sitting.scene().sheet
    assert "tricks" in sheet_panel(sheet, 40).plain
    assert "tricks" not in sheet_panel(sheet, 24).plain


# ---- the screen -------------------------------------------------------------------------------------------------------------

Script = Callable[[PlayApp, Pilot[None]], Awaitable[None]]


def on_screen(sitting: Sitting, script: Script, *, size: tuple[int, int] = (80, 24), pace: float = 0.0) -> PlayApp:
    """Run ``script`` on the screen of a sitting."""
    app = PlayApp(sitting, pace)

    async def run() -> None:
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await script(app, pilot)

    asyncio.run(run())
    return app


async def until(pilot: Pilot[None], condition: Callable[[], bool]) -> None:
    """Wait for what happens in threads and timers."""
    for _ in range(2000):
        await pilot.pause(0.005)
        if condition():
            return
    raise AssertionError("it has not happened in ten seconds")


def table_of(app: PlayApp) -> TableScreen:
    return next(screen for screen in app.screen_stack if isinstance(screen, TableScreen))


def text_of(app: PlayApp) -> str:
    """All that is on the screen."""
    return "\n".join("".join(segment.text for segment in strip) for strip in app.screen._compositor.render_strips())


async def settle(app: PlayApp, pilot: Pilot[None]) -> None:
    """Wait until the person is to act, or the end of the deal is shown."""
    sitting = app.sitting
    await until(pilot, lambda: sitting.is_persons_turn or (sitting.is_waiting and isinstance(app.screen, DealOver)))
    await pilot.pause()


def keys_for(sitting: Sitting, action: int) -> list[str]:
    """The keys that spell its name; a capital begins hearts."""
    name = action_text(sitting.game, action)
    return [name[0], *name[1:].lower()]


@games
def test_a_whole_deal_by_keys(game: str) -> None:
    sitting = sit(game, deal={"dealer": "S"})

    async def script(app: PlayApp, pilot: Pilot[None]) -> None:
        await settle(app, pilot)
        await pilot.press(*keys_for(sitting, parse_action(sitting.game, OWN[game])))
        await settle(app, pilot)
        assert sitting.scene().contract == OWN[game]
        while not sitting.is_waiting:
            await pilot.press("enter")
            await settle(app, pilot)
        shown = text_of(app)
        assert "Deal 1" in shown
        assert "ruling" in shown
        for line in sitting.scene().sheet.deals[-1].lines:
            assert line.ruling in shown
        await pilot.press("n")
        await pilot.pause()
        assert not sitting.is_waiting
        assert isinstance(app.screen, TableScreen)

    on_screen(sitting, script)
    verify(sitting.records[0])


@games
def test_cards_and_calls_are_clicked(game: str) -> None:
    sitting = contracted(game)

    async def script(app: PlayApp, pilot: Pilot[None]) -> None:
        for _ in range(6):
            await settle(app, pilot)
            wanted = sitting.legal()[-1]
            trail = len(sitting.tables.trail(0).action)
            await click(app, pilot, wanted)
            assert sitting.tables.trail(0).action[trail] == wanted

    on_screen(sitting, script, size=(120, 40))


async def click(app: PlayApp, pilot: Pilot[None], action: int) -> None:
    """Find the action on the screen, and click there."""
    for y, strip in enumerate(app.screen._compositor.render_strips()):
        x = 0
        for segment in strip:
            if segment.style is not None and segment.style.meta.get("action") == action:
                await pilot.click(offset=(x, y))
                await pilot.pause()
                return
            x += segment.cell_length
    raise AssertionError(f"{action} is not on the screen")


def test_an_auction_by_mouse_and_arrows() -> None:
    sitting = sit("vint")

    async def script(app: PlayApp, pilot: Pilot[None]) -> None:
        await settle(app, pilot)
        await click(app, pilot, parse_action(sitting.game, "2H"))
        await settle(app, pilot)
        assert sitting.scene().contract == "2H"
        assert table_of(app).name_of(table_of(app).cursor or 0) == "P"
        await pilot.press("up", "up")
        assert table_of(app).name_of(table_of(app).cursor or 0) == "6♠"
        await pilot.press("down", "right", "right", "left", "enter")
        await settle(app, pilot)
        assert sitting.scene().contract == "7C"

    on_screen(sitting, script)


def test_hint_undo_and_typing() -> None:
    sitting = contracted("vint")

    async def script(app: PlayApp, pilot: Pilot[None]) -> None:
        await settle(app, pilot)
        table = table_of(app)
        await pilot.press("h")
        assert f"thumb would play {table.name_of(sitting.hint())}" in text_of(app)
        assert table.cursor == sitting.hint()
        before = sitting.tables.save()
        await pilot.press("enter")
        await pilot.press("u")
        await pilot.pause()
        assert np.array_equal(sitting.tables.save(), before)
        assert "Taken back" in text_of(app)
        await pilot.press("z")
        assert "can't be chosen now" in text_of(app)
        legal = action_text(sitting.game, sitting.legal()[0])
        await pilot.press(legal[0])
        assert table.typed == legal[0]
        await pilot.press("escape")
        assert not table.typed
        await pilot.press("question_mark")
        assert isinstance(app.screen, Notice)
        assert "Ctrl-C" in text_of(app)
        await pilot.press("escape")

    on_screen(sitting, script, pace=0.5)


def test_undo_drops_what_another_player_has_thought() -> None:
    sitting = contracted("vint")
    gate = threading.Event()

    class Slow(Peeping):
        def act(self, views: Views) -> np.ndarray:
            gate.wait(5)
            return super().act(views)

    async def script(app: PlayApp, pilot: Pilot[None]) -> None:
        await settle(app, pilot)
        everywhere(sitting, Slow())
        before = sitting.tables.save()
        while sitting.is_persons_turn:
            before = sitting.tables.save()
            await pilot.press("enter")
        assert "West (pass) is to act" in text_of(app)
        await pilot.press("u")
        gate.set()
        await pilot.pause(0.1)
        assert np.array_equal(sitting.tables.save(), before)
        await pilot.press("enter")
        await settle(app, pilot)

    on_screen(sitting, script)


def test_the_dealer_plays_dummys_cards__B10() -> None:
    sitting = contracted("biritch")

    async def script(app: PlayApp, pilot: Pilot[None]) -> None:
        await settle(app, pilot)
        assert sitting.scene().playing == 0
        assert "play a card from dummy" in text_of(app)
        wanted = sitting.legal()[0]
        await pilot.press(*keys_for(sitting, wanted))
        await pilot.pause()
        assert sitting.tables.trail(0).action[1] == wanted

    on_screen(sitting, script)


def test_the_exchange_of_skruuvi__K10() -> None:
    sitting = sit("skruuvi")

    async def script(app: PlayApp, pilot: Pilot[None]) -> None:
        await settle(app, pilot)
        await pilot.press("1", "0", "h")
        await settle(app, pilot)
        assert "lay away 4 of your cards" in text_of(app)
        assert "kotka: " in text_of(app)
        await pilot.press("enter", "enter", "u", "enter", "enter")
        await pilot.pause()
        assert "lay away 1 of your cards" in text_of(app)
        await pilot.press("enter")
        await settle(app, pilot)
        assert sitting.phase == "raise"

    on_screen(sitting, script)


@games
def test_watching(game: str) -> None:
    sitting = sit(game, own="thumb")

    async def script(app: PlayApp, pilot: Pilot[None]) -> None:
        await pilot.press("space")
        await pilot.pause(0.05)
        place = len(sitting.tables.trail(0).action)
        await pilot.pause(0.05)
        assert len(sitting.tables.trail(0).action) == place
        assert "stopped" in text_of(app)
        assert isinstance(app.screen, TableScreen)
        app.screen.pace = app.screen.due = 0.0
        await pilot.press("space")
        await settle(app, pilot)
        assert "Deal 1" in text_of(app)
        await pilot.press("t")
        await pilot.pause()
        assert isinstance(app.screen, TableScreen)
        await pilot.press("q")

    on_screen(sitting, script, pace=600.0)
    assert len(sitting.deals) == 1


@pytest.mark.parametrize("keys", [["q", "q"], ["ctrl+c"], ["ctrl+q"]])
def test_leaving_in_the_midst_of_a_deal(keys: list[str], tmp_path: Path) -> None:
    """The finished deals are kept, and nobody waits for a player that thinks."""
    file = tmp_path / "deals.jsonl"
    sitting = contracted("biritch", record=file)
    play_deal(sitting)
    sitting.next_deal()
    gate = threading.Event()

    class Thinking:
        def act(self, views: Views) -> np.ndarray:
            gate.wait(30)
            return views.mask.argmax(axis=1)

    everywhere(sitting, Thinking())

    async def script(app: PlayApp, pilot: Pilot[None]) -> None:
        for key in keys:
            await pilot.press(key)
            await pilot.pause()

    app = on_screen(sitting, script)
    assert app._exit
    gate.set()
    assert len(read_records(file)) == 1


def test_a_player_that_fails_ends_the_sitting_by_name(capsys: pytest.CaptureFixture[str]) -> None:
    sitting = contracted("vint")

    class Failing:
        def act(self, views: Views) -> np.ndarray:
            raise RuntimeError("out of cards")

    everywhere(sitting, Failing())

    async def script(app: PlayApp, pilot: Pilot[None]) -> None:
        await until(pilot, lambda: app.return_code == 1)

    on_screen(sitting, script)
    assert "pass at West has failed: RuntimeError: out of cards" in capsys.readouterr().err


@games
@pytest.mark.parametrize("size", [(60, 18), (80, 24), (120, 40)])
def test_everything_fits(game: str, size: tuple[int, int]) -> None:
    """All calls, then all own cards, are on the screen."""

    async def calls(app: PlayApp, pilot: Pilot[None]) -> None:
        await settle(app, pilot)
        for action in app.sitting.legal():
            if size[0] >= 80 or action < len(CARDS):
                assert_shown(app, action)
        hand = [card for card in range(len(CARDS)) if int(app.sitting.tables.states["hand"][0, SOUTH]) >> card & 1]
        assert str(app.screen.query_one("#hand", Static).render()).count("♠") == sum(card >= 39 for card in hand)

    on_screen(sit(game), calls, size=size)


def assert_shown(app: PlayApp, action: int) -> None:
    for strip in app.screen._compositor.render_strips():
        if any(segment.style is not None and segment.style.meta.get("action") == action for segment in strip):
            return
    raise AssertionError(f"{app.sitting.game.actions[action]} is not on the screen")


# ---- the command ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("arguments", "reason"), [
    ("play vnt", "did you mean 'vint'?"),
    ("play vint --left serch", "did you mean 'search'?"),
    ("play vint --seat Soth", "did you mean 'S'?"),
    ("play vint --seat X", "there are N, E, S, W"),
    ("play vint --declarer Q --contract 1S", "no seat is called 'Q'"),
    ("play vint --option end_pases=8", "did you mean 'end_passes'?"),
    ("play vint --option skip_forced=true", "skip_forced is no option here"),
    ("play vint --episode rubber --option episode=deal", "differ: give one of them"),
    ("play vint --contract 3K --declarer N", "did you mean '3S'?"),
    ("play vint --pace -1", "0 or more seconds"),
    ("play vint --record none/deals.jsonl", "there is no folder none"),
    ("ply vint", "did you mean 'play'?"),
    ("dance", "there are "),
])
def test_wrong_names_get_the_nearest_right_ones(arguments: str, reason: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(arguments.split())
    assert caught.value.code == 2
    assert reason in capsys.readouterr().err


def test_the_command_seats_people(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    seen: list[PlayApp] = []

    def run(app: PlayApp) -> None:
        seen.append(app)
        play_deal(app.sitting)

    monkeypatch.setattr(PlayApp, "run", run)
    monkeypatch.setattr(cli, "has_terminal", lambda: True)
    file = tmp_path / "deals.jsonl"
    command = "play biritch --seat west --left random --partner pass --right uniform --dealer n --pace 0 --seed 5"
    assert main([*command.split(), "--record", str(file)]) == 0
    assert f"1 deal played, kept in {file}" in capsys.readouterr().out
    assert seen[0].sitting.names == {0: "random", 1: "pass", 2: "uniform", 3: PERSON}
    assert seen[0].pace == 0
    assert main(["verify", str(file)]) == 0
    assert main(["play", "biritch", "--watch", "--own", "pass", "--record", str(file)]) == 0
    assert seen[1].sitting.names[SOUTH] == "pass"
    assert [json.loads(line)["game"] for line in file.read_text().splitlines()] == ["biritch"] * 2


def test_without_textual_the_extra_is_named(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setitem(sys.modules, "textual", None)
    for name in ("skruv.play.app", "skruv.play.panels"):
        monkeypatch.delitem(sys.modules, name)
    assert main(["play", "vint"]) == 1
    assert "pip install 'skruv[play]'" in capsys.readouterr().err


def test_the_help_names_every_player() -> None:
    for name in {*PLAYERS, *TAILORED}:
        assert name in WHO


def test_help_fits_a_terminal(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    for command in ([], ["arena"], ["bench"], ["verify"], ["play"]):
        with pytest.raises(SystemExit) as caught:
            main([*command, "--help"])
        assert caught.value.code == 0
        assert max(map(len, capsys.readouterr().out.splitlines())) <= 80

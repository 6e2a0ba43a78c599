"""The arena: duplicate matches, cross tables, sessions and ratings; alike whoever plays them, stopped and gone on with."""

import json
import math
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib import pyplot
from playing import GAMES

from skruv import OptionError
from skruv.arena import (
    ArenaError, CrossTable, Match, MissingExtra, Sessions, WorkerError, play_all, play_match, play_sessions, records_of,
)
from skruv.engine.cards import SEAT_LETTERS, SIDE_NAMES
from skruv.games import load
from skruv.arena.jobs import SESSION_SEATS, Plan, play_job
from skruv.players import PLAYERS, player
from skruv.arena.plays import is_failed, play_tables
from skruv.arena.ratings import bootstrap_interval, team_ratings
from skruv.record import Record, read_records, verify, write_records
from skruv.tables import Views

games = pytest.mark.parametrize("game", GAMES)
pyplot.switch_backend("agg")


class LastPlayer:
    """The last legal action, a high bid or card; it draws no lots."""

    def __init__(self, game: Any = None, seed: int = 0) -> None:
        self.seed = seed

    def act(self, views: Views) -> np.ndarray:
        return views.mask.shape[1] - 1 - views.mask[:, ::-1].argmax(axis=1)


@pytest.fixture
def last(monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of a registered player that draws no lots."""
    monkeypatch.setitem(PLAYERS, "last", LastPlayer)
    return "last"


def files_in(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def points_of(record: Record) -> int:
    """North's and South's points minus the others', from the score lines."""
    return sum(points if side == SIDE_NAMES[0] else -points for side, _, _, points in record["lines"])


def stop_after(plays: int) -> Callable[[int, int], None]:
    """A progress that is like Ctrl-C once so many episodes are done."""

    def progress(done: int, total: int) -> None:
        if done >= plays:
            raise KeyboardInterrupt

    return progress


# ---- matches ----------------------------------------------------------------------------------------------------------------


@games
def test_the_sides_exchanged_are_the_same_match_from_the_other_side__K40(game: str) -> None:
    plain = player("pass", load(game))
    ours, theirs = (play_match(game, *pair, deals=30) for pair in ((plain, LastPlayer()), (LastPlayer(), plain)))
    assert ours.margins.any()
    assert np.array_equal(ours.margins, -theirs.margins)
    assert not play_match(game, plain, plain, deals=30).margins.any()


@games
def test_deals_are_those_of_the_seed_and_of_all_pairs(game: str, last: str) -> None:
    table = play_all(game, ["pass", last, "random"], deals=20, seed=5, chunk=7)
    alone = play_match(game, player("pass", load(game)), LastPlayer(), deals=20, seed=5)
    assert np.array_equal(table.match("pass", last).margins, alone.margins)
    assert table.match("pass", last).contracts == alone.contracts
    later = play_match(game, player("pass", load(game)), LastPlayer(), deals=15, seed=10)
    assert np.array_equal(alone.margins[5:], later.margins)


def test_whole_sessions_are_matched() -> None:
    for game, episode, deals in (("vint", "rubber", None), ("skruuvi", "rubber", 8), ("skruuvi", "match", 28), ("biritch", "rubber", None)):
        table = play_all(game, ["random", "pass"], deals=4, episode=episode, records=True)
        match = table.matches[0]
        assert match.n == 4
        assert match.deals == len(table.records)
        if deals is not None:
            assert match.deals == 4 * 2 * deals
        margins = np.zeros(4)
        for record in table.records:
            (note,) = record["notes"]
            margins[note["seed"]] += points_of(record) / 2 * (1 if note["players"]["N"] == "random" else -1)
        assert np.array_equal(match.margins, margins)
        assert f"points a {episode}" in str(table)
        assert f"n ({'matches' if episode == 'match' else 'rubbers'}" in str(table)


def test_sessions_that_are_cut_off_are_counted() -> None:
    match = play_match("vint", player("pass", load("vint")), player("pass", load("vint")), deals=3, episode="rubber", max_deals=5)
    assert (match.truncated, match.deals, match.passed_out) == (6, 30, 1.0)


def test_biritch_has_a_ceiling_and_says_so() -> None:
    plain, drawing = player("pass", load("biritch")), player("uniform", load("biritch"), 1)
    match = play_match("biritch", plain, drawing, deals=20)
    assert "max_doublings=3" in str(match)
    assert max(int(name.partition(" x")[2] or 1) for name in match.contracts) <= 8
    assert "the mean margin does not exist" in str(play_all("biritch", ["pass", "random"], deals=2))
    other = play_all("biritch", ["pass", "random"], deals=2, max_doublings=1)
    assert "max_doublings=1" in str(other)
    assert "does not exist" not in str(other)


@games
def test_contracts_are_told_by_declarer(game: str) -> None:
    table = play_all(game, ["random", "pass"], deals=60, records=True)
    match = table.matches[0]
    assert match.tallies is not None
    ours, theirs = match.tallies
    assert ours.played + theirs.played + match.contracts["passed out"] == match.deals == 120
    assert (ours.played - ours.made) + (theirs.played - theirs.made) == match.failed > 0
    assert ours.played > 0
    assert (theirs.played > 0) == (game == "biritch")
    assert math.isnan(ours.mean_level) == (game == "biritch")


def test_a_contract_of_biritch_is_made_with_seven_tricks() -> None:
    game = load("biritch")
    who = player("random", game, 1)
    results = play_tables(game, {0: who, 1: who}, 200, 0, {"max_doublings": 1})
    taken = results["tricks"][np.arange(200), results["declarer"] % 2]
    assert np.array_equal(is_failed(game, results), taken < 7)


# ---- what is said -----------------------------------------------------------------------------------------------------------

MEASURED = re.compile(r"[+-][\d.]+ .*\.\. +[+-][\d.]+.* \d+")


def told(result: Match | CrossTable | Sessions) -> list[str]:
    """The lines with a mean or a rating."""
    return [line for line in str(result).splitlines() if re.search(r"(^|\s)[+-]\d", line)]


def checked(figures: Any) -> int:
    """How many means and ratings ``figures`` holds; each stands beside its interval and n."""
    if isinstance(figures, list):
        return sum(map(checked, figures))
    if not isinstance(figures, dict):
        return 0
    value = figures.get("mean", figures.get("rating"))
    found = isinstance(value, float)
    if found:
        low, high = figures["interval"]
        assert low <= value <= high
        assert figures["n"] > 1
    return found + sum(map(checked, figures.values()))


def test_no_result_is_told_without_n_and_interval__P33() -> None:
    two, three = (play_all("skruuvi", names, deals=20) for names in (["random", "pass"], ["random", "pass", "uniform"]))
    sessions = play_sessions("biritch", ["random", "pass", "uniform", "pass"], sessions=5)
    for result, means in ((two.matches[0], 1), (two, 1 + 2), (three, 3 + 3), (sessions, 4 + 4)):
        assert checked(result.summary()) == means
    for result in (two.matches[0], two, sessions):
        assert told(result)
        for line in told(result):
            assert MEASURED.search(line), line
    cross, _, rest = str(three).partition("seed 0")
    intervals = {(float(low), float(high)) for low, high in re.findall(r"([+-][\d.]+) \.\. ([+-][\d.]+)", cross)}
    assert len(intervals) == cross.count("n = 20") == 6
    assert {(-high, -low) for low, high in intervals} == intervals
    assert all(low < high for low, high in intervals)
    assert all(MEASURED.search(line) for line in rest.splitlines() if re.search(r"\s[+-]\d", line))


def test_one_deal_proves_nothing__P33() -> None:
    table = play_all("biritch", ["random", "pass"], deals=1)
    assert table.matches[0].interval == (-math.inf, math.inf)
    assert np.isinf([table.rating.low, table.rating.high]).all()
    assert table.summary()["pairs"][0]["interval"] == [None, None]


@pytest.mark.parametrize("game", ["vint", "skruuvi"])
def test_the_share_of_auctions_that_end_high_is_told__P30(game: str) -> None:
    """By uniform most of them, by random hardly any; both stand in one table, with their manners below it."""
    shares = {}
    for name in ("uniform", "random"):
        who = player(name, load(game), 1)
        contracts = play_tables(load(game), {0: who, 1: who}, 500, 1, {})["contract"]
        shares[name] = (contracts >= len(load(game).contracts) * 5 // 6).mean()
    assert shares["uniform"] > 0.75
    assert shares["random"] < 0.1
    shown = str(play_all(game, ["uniform", "random"], deals=5))
    assert all(words in shown for words in ("at the top level", "random passes with weight", "uniform draws any legal action"))


# ---- ratings ----------------------------------------------------------------------------------------------------------------


def test_an_interval_is_that_of_the_mean() -> None:
    values = np.random.default_rng(1).normal(3, 10, 1000)
    low, high = bootstrap_interval(values)
    error = 1.96 * values.std() / math.sqrt(1000)
    assert abs(low - (values.mean() - error)) < 0.1
    assert abs(high - (values.mean() + error)) < 0.1


def test_ratings_are_found_again_from_pairs_and_from_partnerships() -> None:
    strength = np.array([150.0, 50.0, -50.0, -150.0])
    rng = np.random.default_rng(2)
    pairs = [((one, one), (two, two)) for one in range(4) for two in range(one + 1, 4)]
    partnerships = [((seats[0], seats[2]), (seats[1], seats[3])) for seats in SESSION_SEATS]
    for teams, bound in ((pairs, 25), (partnerships, 50)):
        edges = [strength[list(ours)].mean() - strength[list(theirs)].mean() for ours, theirs in teams]
        scores = np.array([rng.random(4000) < 1 / (1 + 10 ** (-edge / 400)) for edge in edges]).astype(np.float64)
        rating = team_ratings(4, teams, scores)
        assert (np.abs(rating.values - strength) < bound).all()
        assert ((rating.low < strength) & (strength < rating.high)).all()
        assert (rating.n == 3 * 4000).all()


def test_who_wins_everything_has_a_finite_rating_and_a_wide_interval() -> None:
    rating = team_ratings(2, [((0, 0), (1, 1))], np.ones((1, 50)))
    assert 200 < rating.values[0] < 2000
    assert rating.high[0] - rating.low[0] > 200


def test_equal_players_are_rated_alike() -> None:
    table = play_all("skruuvi", ["random", "random"], deals=200)
    assert table.names == ("random", "random 2")
    assert (table.rating.low < 0).all()
    assert (table.rating.high > 0).all()


def test_without_scipy_the_rest_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "scipy.optimize", None)
    table = play_all("biritch", ["random", "pass"], deals=5)
    assert "skruv[arena]" in str(table)
    assert "points a deal" in str(table)
    assert "rating" not in table.summary()
    with pytest.raises(MissingExtra, match=r"scipy.*skruv\[arena\]"):
        _ = table.rating


# ---- plots ------------------------------------------------------------------------------------------------------------------


def test_results_draw_themselves() -> None:
    table = play_all("biritch", ["random", "pass", "uniform"], deals=20)
    spread, running = table.matches[0].plot()
    assert spread.patches
    assert running.lines
    assert "n = 20" in spread.get_title()
    assert len(table.plot().get_yticks()) == 3
    assert all(name in table._repr_html_() for name in ("random", "pass", "uniform", "n = 20"))
    assert "n = 20 deals" in table.matches[0]._repr_html_()
    assert len(play_sessions("biritch", ["random", "pass", "uniform", "pass"], sessions=12).plot().get_legend().get_texts()) == 4
    pyplot.close("all")


def test_without_matplotlib_a_plot_is_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    table = play_all("biritch", ["random", "pass"], deals=2)
    for plot in (table.plot, table.matches[0].plot):
        with pytest.raises(MissingExtra, match=r"matplotlib.*skruv\[arena\]"):
            plot()


# ---- four single players ----------------------------------------------------------------------------------------------------


@games
def test_a_session_seats_every_partnership_once__V28(game: str) -> None:
    sessions = play_sessions(game, ["random", "pass", "uniform", "pass"], sessions=3, records=True)
    assert {frozenset((seats[0], seats[2])) for seats in sessions.seats} | {
        frozenset((seats[1], seats[3])) for seats in sessions.seats
    } == {frozenset((one, two)) for one in range(4) for two in range(4) if one < two}
    assert sessions.margins.shape == (3, 3, 4)
    assert not sessions.margins.sum(axis=2).any()
    for rubber, (one, left, two, right) in enumerate(sessions.seats):
        points = sessions.margins[:, rubber]
        assert np.array_equal(points[:, one], points[:, two])
        assert np.array_equal(points[:, left], -points[:, one])
        assert np.array_equal(points[:, left], points[:, right])
    margins = np.zeros((3, 3))
    for record in sessions.records:
        session, rubber = divmod(record["notes"][0]["seed"], 3)
        margins[session, rubber] += points_of(record)
    assert np.array_equal(margins, sessions.margins[:, range(3), [seats[0] for seats in sessions.seats]])
    assert "after the third" in str(sessions)


def test_who_plays_alone_has_it_from_three__K20() -> None:
    sessions = play_sessions("skruuvi", ["uniform"] * 4, sessions=6, records=True, solo_partner="opponent")
    assert np.allclose(sessions.margins.sum(axis=2), 0)
    assert any(
        not np.array_equal(points[seats[0]], points[seats[2]])
        for session in sessions.margins for points, seats in zip(session, sessions.seats, strict=True)
    )


# ---- records ----------------------------------------------------------------------------------------------------------------


@games
@pytest.mark.parametrize("options", [{}, {"episode": "rubber"}, {"ledger": "random", "skip_forced": True}])
def test_every_deal_is_recorded_and_verifies(game: str, options: dict[str, Any], tmp_path: Path) -> None:
    table = play_all(game, ["random", "pass", "uniform"], deals=4, seed=9, records=True, **options)
    assert len(table.records) == sum(match.deals for match in table.matches)
    write_records(tmp_path / "deals.jsonl", table.records)
    assert read_records(tmp_path / "deals.jsonl") == table.records
    for record in table.records:
        (note,) = record["notes"]
        assert set(note["players"]) == set(SEAT_LETTERS)
        assert note["players"]["N"] == note["players"]["S"] != note["players"]["E"]
        verify(record)


# ---- whoever plays it -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("session", [False, True])
def test_the_number_of_workers_changes_nothing(session: bool, tmp_path: Path) -> None:
    names = ["random", "uniform", "pass", "random"]
    results = []
    for workers in (1, 2, 3):
        settings: dict[str, Any] = {"seed": 4, "workers": workers, "folder": tmp_path / str(workers), "records": True, "chunk": 3}
        if session:
            results.append(play_sessions("biritch", names, sessions=10, **settings))
        else:
            results.append(play_all("biritch", names, deals=10, **settings))
    assert len({str(result) for result in results}) == 1
    one, *others = (files_in(tmp_path / str(workers)) for workers in (1, 2, 3))
    assert len(one) == 2 + (4 if session else 6 * 4)
    assert others == [one, one]
    assert results[0].records == results[1].records


def test_players_that_draw_lots_draw_others_in_every_chunk_play_and_seed() -> None:
    plan, other = (Plan(game="vint", names=["random", "random"], deals=4, seed=seed, chunk=2, records=True) for seed in (0, 1))
    for job in plan.jobs:
        assert play_job(plan, job) == play_job(plan, job)
    one, later, two, _ = records_of(play_job(plan, plan.jobs[0]))
    assert (one["notes"][0]["seed"], one["deal"]) == (two["notes"][0]["seed"], two["deal"])
    assert one["actions"] != two["actions"]
    elsewhere = records_of(play_job(other, other.jobs[0]))[0]
    assert elsewhere["deal"] == later["deal"]
    assert elsewhere["actions"] != later["actions"]


def test_a_worker_that_fails_says_why(last: str) -> None:
    """The registry of a worker does not hold the player."""
    with pytest.raises(WorkerError, match="no player is called 'last'"):
        play_all("biritch", ["pass", last], deals=4, chunk=2, workers=2)


@pytest.mark.parametrize("workers", [1, 2])
def test_what_was_stopped_is_kept_and_gone_on_with(workers: int, tmp_path: Path) -> None:
    whole = play_all("biritch", ["random", "pass", "uniform"], deals=12, chunk=4, records=True, folder=tmp_path / "whole")
    settings: dict[str, Any] = {"deals": 12, "chunk": 4, "records": True, "workers": workers, "folder": tmp_path / "parts"}
    part = play_all("biritch", ["random", "pass", "uniform"], progress=stop_after(30), **settings)
    assert not part.complete
    assert "Stopped early" in str(part)
    kept = files_in(tmp_path / "parts")
    assert sum(file.startswith("plays") for file in kept) >= 3
    again = play_all("biritch", ["random", "pass", "uniform"], resume=True, **settings)
    assert again.complete
    assert str(again) == str(whole)
    assert again.records == whole.records
    assert files_in(tmp_path / "parts") == files_in(tmp_path / "whole")
    assert all(kept[file] == now for file, now in files_in(tmp_path / "whole").items() if file in kept and file != "results.json")


def test_stopped_before_anything_was_played() -> None:
    with pytest.raises(KeyboardInterrupt):
        play_all("biritch", ["random", "pass"], deals=12, progress=stop_after(0))


@pytest.mark.parametrize("workers", [1, 2])
def test_ctrl_c_keeps_what_was_played(workers: int, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "skruv", "arena", "biritch", "random", "pass", "--deals", "100000", "--chunk", "8"]
    command += ["--workers", str(workers), "--out", str(tmp_path)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while process.poll() is None and len(list(tmp_path.glob("plays/*.jsonl"))) < 3:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    shown, said = process.communicate()
    assert process.returncode == 130, said
    assert "Stopped early: 100000 deals were to be played." in shown
    assert said.strip().endswith("stopped; go on with --resume")
    kept = list(tmp_path.glob("plays/*.jsonl"))
    assert len(kept) >= 3
    assert all(len(file.read_text().splitlines()) == 16 for file in kept)
    assert json.loads((tmp_path / "results.json").read_text())["pairs"][0]["n"] == 8 * len(kept)


# ---- what is refused --------------------------------------------------------------------------------------------------------

OTHER_SETTINGS = {
    "game": {"game": "vint"}, "players": {"names": ["random", "uniform"]}, "deals": {"deals": 5}, "seed": {"seed": 1},
    "options": {"max_doublings": 1}, "records": {"records": True}, "chunk": {"chunk": 2},
}


@pytest.mark.parametrize("name", OTHER_SETTINGS)
def test_a_folder_of_other_settings_is_refused(name: str, tmp_path: Path) -> None:
    settings: dict[str, Any] = {"game": "biritch", "names": ["random", "pass"], "deals": 4, "folder": tmp_path}
    play_all(**settings)
    before = files_in(tmp_path)
    with pytest.raises(ArenaError, match=f"was played with {name} = "):
        play_all(**{**settings, **OTHER_SETTINGS[name], "resume": True})
    with pytest.raises(ArenaError, match="holds results already"):
        play_all(**settings)
    assert files_in(tmp_path) == before


def test_folders_that_cannot_be_used_are_refused(tmp_path: Path) -> None:
    settings: dict[str, Any] = {"game": "biritch", "names": ["random", "pass"], "deals": 4}
    with pytest.raises(ArenaError, match="nothing to go on with"):
        play_all(**settings, folder=tmp_path / "none", resume=True)
    with pytest.raises(ArenaError, match="needs the folder"):
        play_all(**settings, resume=True)
    (tmp_path / "file").touch()
    with pytest.raises(ArenaError, match="is not a folder"):
        play_all(**settings, folder=tmp_path / "file")
    play_all(**settings, folder=tmp_path / "good")
    (tmp_path / "good" / "plays" / "000000.jsonl").write_text('{"number": 0, "se')
    with pytest.raises(ArenaError, match=r"000000\.jsonl is damaged"):
        play_all(**settings, folder=tmp_path / "good", resume=True)
    for text, reason in (("[]", "is not a JSON object"), ("{", "can't be read")):
        (tmp_path / "good" / "settings.json").write_text(text)
        with pytest.raises(ArenaError, match=reason):
            play_all(**settings, folder=tmp_path / "good", resume=True)


@pytest.mark.parametrize(("settings", "reason"), [
    ({"game": "vnt"}, "did you mean 'vint'"),
    ({"names": ["random", "pss"]}, "did you mean 'pass'"),
    ({"names": ["random"]}, "name another one"),
    ({"names": ["random", "policy:none.npz"]}, "no file none.npz"),
    ({"deals": 0}, "deals = 0"),
    ({"seed": -1}, "seed = -1"),
    ({"workers": 0}, "workers = 0"),
    ({"chunk": 0}, "chunk = 0"),
    ({"episode": "match"}, "episode = 'match'"),
    ({"kitty": True}, "no option 'kitty'"),
    ({"trails": True}, "trails is no option of a match"),
    ({"illegal": "terminate"}, "illegal is no option of a match"),
])
def test_what_cannot_be_played_is_refused(settings: dict[str, Any], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        play_all(**{"game": "vint", "names": ["random", "pass"], "deals": 2, **settings})


def test_a_session_is_for_four_and_has_rubbers() -> None:
    with pytest.raises(OptionError, match="four single players, not 2"):
        play_sessions("vint", ["random", "pass"])
    with pytest.raises(OptionError, match="a session has three rubbers"):
        play_sessions("skruuvi", ["random"] * 4, episode="match")


def test_pairs_that_have_not_met_yet_are_left_out() -> None:
    stopped = play_all("biritch", ["random", "pass", "uniform"], deals=8, chunk=2, progress=stop_after(1))
    assert not stopped.complete
    assert len(stopped.matches) == len(stopped.pairs) == 1
    assert "nan" not in str(stopped)
    assert "uniform" not in str(stopped).split("Rating")[1].split("Ratings are")[0]

"""The ``skruv`` command."""

import json
from pathlib import Path

import pytest

from skruv import TableEnv, bench, cli
from skruv.cli import main, read_options
from skruv.record import read_records, write_records


def test_verify_tells_how_many_deals_hold(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    env = TableEnv("biritch")
    env.reset(seed=1)
    while not any(env.terminations.values()):
        env.step(env.legal_actions()[0])
    path = tmp_path / "deals.jsonl"
    write_records(path, env.record())
    assert main(["verify", str(path)]) == 0
    assert "1 deals" in capsys.readouterr().out
    path.write_text(path.read_text().replace('"P"', '"X"', 1))
    assert main(["verify", str(path)]) == 1
    assert "line 1" in capsys.readouterr().err


def test_an_empty_file_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "deals.jsonl").touch()
    assert main(["verify", str(tmp_path / "deals.jsonl")]) == 1
    assert "the file is empty" in capsys.readouterr().err


def test_an_unknown_game_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["bench", "vnt"])
    assert "'vnt'" in capsys.readouterr().err


def test_bench_prints_and_writes_its_figures(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {"RUNS": 1, "DECISIONS": 64, "TURNS": 50, "SIZES": (1, 64, 1024, 1024)}.items():
        monkeypatch.setattr(bench, name, value)
    monkeypatch.setattr(bench, "start_times", lambda game: {"import": 0.1, "cold": 1.0, "warm": 0.1})
    path = tmp_path / "figures.json"
    assert main(["bench", "biritch", "--json", str(path)]) == 0
    assert "decisions/s" in capsys.readouterr().out
    figures = json.loads(path.read_text())
    assert figures["reference"] > 0
    assert figures["biritch"]["tables"]["1024"] > 0


def test_arena_prints_keeps_and_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, records = tmp_path / "out", tmp_path / "deals.jsonl"
    command = ["arena", "biritch", "random", "pass", "uniform", "--deals", "6", "--seed", "2", "--out", str(out), "--records", str(records)]
    assert main(command) == 0
    shown = capsys.readouterr().out
    for words in ("random v pass", "95 % interval", "n (deals, each twice)", "Rating", "max_doublings=3: between players that double"):
        assert words in shown
    assert len(read_records(records)) == 3 * 2 * 6
    assert main(["verify", str(records)]) == 0
    figures = json.loads((out / "results.json").read_text())
    assert [pair["n"] for pair in figures["pairs"]] == [6, 6, 6]
    capsys.readouterr()
    assert main([*command, "--resume"]) == 0
    assert capsys.readouterr().out == shown


def test_arena_plays_rubbers_and_sessions(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["arena", "skruuvi", "random", "pass", "--deals", "2", "--episode", "rubber", "--option", "variant=simplified"]) == 0
    shown = capsys.readouterr().out
    assert "points a rubber" in shown
    assert "variant=simplified, episode=rubber" in shown
    players = ["random", "pass", "uniform", "pass"]
    assert main(["arena", "biritch", *players, "--session", "--deals", "3", "--option", "max_doublings=none", "--chunk", "2"]) == 0
    shown = capsys.readouterr().out
    assert "after the third" in shown
    assert "max_doublings=None" in shown


@pytest.mark.parametrize(("arguments", "reason"), [
    ("vnt random pass", "did you mean 'vint'?"),
    ("vint random pas", "did you mean 'pass'?"),
    ("vint random", "name another one"),
    ("vint random pass --option kitty=false", "VintRules has no option 'kitty'"),
    ("vint random pass --option kitty", "it must be NAME=VALUE"),
    ("vint random pass --option max_deals=0", "max_deals = 0"),
    ("vint random pass --episode match", "it must be 'deal' or 'rubber'"),
    ("vint random pass --episode rubber --option episode=deal", "differ: give one of them"),
    ("vint random pass --deals 0", "deals = 0"),
    ("vint random pass --session", "four single players"),
    ("vint random pass --resume", "resume needs the folder"),
    ("vint random policy:none.npz", "there is no file none.npz"),
    ("vint random pass --records none/deals.jsonl", "there is no folder none"),
])
def test_arena_refuses_by_name(arguments: str, reason: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["arena", *arguments.split()])
    assert caught.value.code == 2
    assert reason in capsys.readouterr().err


def test_options_are_read_as_they_are_written() -> None:
    given = ["max_doublings=3", "kitty=false", "rubbers=None", "variant=simplified", "first_dealer=N", "ledger=random"]
    assert read_options(given) == {
        "max_doublings": 3, "kitty": False, "rubbers": None, "variant": "simplified", "first_dealer": "N", "ledger": "random",
    }


@pytest.mark.parametrize(("command", "message"), [
    ("arena vint random pass --option seed=5", "VintRules has no option 'seed'"),
    ("arena vint random pass --option deals=5", "VintRules has no option 'deals'"),
    ("arena vint random pass --option end_passes={[]:1}", "VintRules.end_passes"),
    ("play biritch --option record=x", "BiritchRules has no option 'record'"),
    ("arena vint random pass --records .", "no file can be written there"),
    ("play vint", "play needs a terminal"),
    ("play vint --own random", "give --watch too"),
    (f"arena vint random pass --resume --out {__file__}", "is not a folder"),
])
def test_slips_are_refused_before_anything_is_played(
    command: str, message: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cli, "has_terminal", lambda: False)
    with pytest.raises(SystemExit) as stopped:
        main(command.split())
    assert stopped.value.code == 2
    assert message in capsys.readouterr().err


def test_a_page_is_not_written_over_its_records(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "deals.html"
    path.write_text("records")
    with pytest.raises(SystemExit):
        main(["replay", str(path)])
    assert path.read_text() == "records"
    assert "name another file with -o" in capsys.readouterr().err

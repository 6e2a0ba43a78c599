"""The ``skruv`` command."""

import json
from pathlib import Path

import pytest

from skruv import TableEnv, bench
from skruv.cli import main
from skruv.record import write_records


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

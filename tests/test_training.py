"""Training runs, stops, goes on, and teaches."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sb3_contrib import MaskablePPO
from selfplay import add_set_bits, modest_calls
from train import Args, main, train

from skruv.arena import play_match
from skruv.games import VERSIONS, load
from skruv.players import player
from skruv.record import read_records, thoughts_of
from skruv.sb3 import PolicyPlayer, SeatVecEnv

ROOT = Path(__file__).resolve().parent.parent
SMALL = {"tables": 16, "turns": 8, "batch": 64, "width": 16, "deals": 20}


@pytest.mark.parametrize("game", VERSIONS)
def test_a_short_training_is_kept_measured_and_goes_on(game: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(Args(game=game, folder=tmp_path, steps=300, **SMALL))  # type: ignore[arg-type]
    shown = capsys.readouterr().out
    assert all(opponent in shown for opponent in ("uniform", "random", "pass", "itself"))
    before = json.loads((tmp_path / game / "progress.json").read_text())["steps"]
    train(Args(game=game, folder=tmp_path, steps=before + 200, resume=True, reward_scale=1.0, **SMALL))  # type: ignore[arg-type]
    after = json.loads((tmp_path / game / "progress.json").read_text())["steps"]
    assert after >= before + 200


def test_a_checkpoint_is_measured_by_the_command(tmp_path: Path) -> None:
    checkpoint = train(Args(game="vint", folder=tmp_path, steps=100, reward_scale=1.0, **SMALL))  # type: ignore[arg-type]
    records = tmp_path / "deals.jsonl"
    command = [sys.executable, "training/evaluate.py", str(checkpoint), "--deals", "10", "--records", str(records), "--recorded", "4"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert "n" in done.stdout
    assert "pass" in done.stdout
    read = read_records(records)
    assert len(read) == 4
    for record in read:
        for thought, action in zip(thoughts_of(record), record["actions"], strict=True):
            chances = (thought or {}).get("probabilities", {})
            assert (thought is None) == (not chances)
            assert not chances or sum(chances.values()) == pytest.approx(1, abs=0.01)
            assert not chances or chances[action] == max(chances.values())


def test_ctrl_c_saves(tmp_path: Path) -> None:
    command = [sys.executable, "-u", "training/train.py", "vint", "--folder", str(tmp_path), "--deals", "10", "--tables", "16"]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    logs = tmp_path / "vint"
    while process.poll() is None and not any(log.stat().st_size > 200 for log in logs.glob("events*")):
        time.sleep(0.1)  # until the first update is logged
    process.send_signal(signal.SIGINT)
    shown, _ = process.communicate()
    assert process.returncode == 0, shown
    assert "--resume" in shown
    assert (logs / "model.zip").exists()


def test_set_bits_are_added_like_a_matrix_product() -> None:
    rng = np.random.default_rng(0)
    bits = (rng.random((7, 40)) < 0.2).astype(np.int8)
    weights, bias = rng.random((40, 5), np.float32), rng.random(5, np.float32)
    sums = np.empty((7, 5), np.float32)
    add_set_bits(bits, weights, bias, sums)
    np.testing.assert_allclose(sums, bits @ weights + bias, rtol=1e-5)


@pytest.mark.parametrize("game", VERSIONS)
def test_the_first_calls_are_modest(game: str) -> None:
    bias = modest_calls(load(game))
    groups = load(game).groups
    assert bias[groups["pass_"]].min() > bias[groups["card"]].max() == 0
    if "bid" in groups:
        assert (np.diff(bias[groups["bid"]]) < 0).all()


@pytest.mark.slow
@pytest.mark.parametrize("game", VERSIONS)
def test_a_minute_of_training_beats_random(game: str, tmp_path: Path) -> None:
    options: dict[str, Any] = {"max_doublings": 2} if game == "biritch" else {}
    scale = {"vint": 1 / 1000, "skruuvi": 1 / 100, "biritch": 1 / 20}[game]
    checkpoint = train(Args(game=game, folder=tmp_path, minutes=1.0, reward_scale=scale))  # type: ignore[arg-type]
    trained = PolicyPlayer(MaskablePPO.load(checkpoint, device="cpu").policy, greedy=True)
    low, _ = play_match(game, trained, player("random", load(game), 1), deals=1000, ledger="random", **options).interval
    assert low > 0


def test_the_learner_sits_with_the_rules_that_are_given() -> None:
    env = SeatVecEnv("skruuvi", 4, variant="simplified")
    assert not env.seats.tables.rules.misaari
    env.seats.tables.change_rules(variant=None)
    env.reset()
    assert env.seats.tables.states["rules"]["misaari"].all()

"""Trained policies as arrays: they play as the network does, and one that does not fit is refused by name."""

import json
import re
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import export
import gymnasium
import numpy as np
import pytest
import torch
from export import layers_of
from playing import GAMES, make_tables, running
from sb3_contrib import MaskablePPO
from train import Args, LearningRate, make_model, train

import skruv
from skruv.arena import play_all
from skruv.games import load
from skruv.players import PolicyError, player
from skruv.players.policy import Layer, SavedPolicy, layout_hash, write_policy
from skruv.sb3 import PolicyPlayer, SeatVecEnv
from skruv.tables import FEATURES, Views

games = pytest.mark.parametrize("game", GAMES)
features_too = pytest.mark.parametrize("features", FEATURES)
VIEWS = 1000


@cache
def model_of(game: str, features: str = "full") -> MaskablePPO:
    """One that has learned nothing; its last layer is made large, so that its choices differ."""
    env = SeatVecEnv(game, 4, seed=0, features=features)
    args = Args(game=game, width=32, reward_scale=1.0)  # type: ignore[arg-type]
    model = make_model(args, env, LearningRate(1e-3))
    with torch.no_grad():
        model.policy.action_net.get_parameter("weight").mul_(100)
    return model


def written(game: str, folder: Path, features: str = "full") -> Path:
    path = folder / f"{game}-{features}.npz"
    write_policy(path, load(game), layers_of(model_of(game, features).policy), skruv=skruv.__version__)
    return path


def views_of(game: str, features: str = "full") -> Views:
    """From all phases of as many tables, each with a different number of actions behind it."""
    tables = make_tables(game, VIEWS, seed=3, autoreset=False, features=features)
    rng = np.random.default_rng(3)
    for turn in range(50):
        rows = np.intersect1d(running(tables), np.arange(20 * turn, VIEWS))
        mask = tables.observe(rows=rows).mask
        tables.step(np.where(mask, rng.random(mask.shape), -1).argmax(axis=1), rows)
    return tables.views(running(tables))


def torch_logits(model: MaskablePPO, observation: np.ndarray) -> np.ndarray:
    with torch.inference_mode():
        distribution: Any = model.policy.get_distribution(torch.as_tensor(observation))
        return distribution.distribution.logits.numpy()


def reshaped(source: Path, target: Path, change: Callable[[dict[str, Any], dict[str, np.ndarray]], None]) -> Path:
    """A copy of a policy file with another description or other arrays."""
    with np.load(source) as archive:
        arrays = dict(archive)
    about = json.loads(str(arrays.pop("about")))
    change(about, arrays)
    np.savez(target, about=np.array(json.dumps(about)), **arrays)
    return target


# ---- it plays as the network does -------------------------------------------------------------------------------------------


@games
@features_too
def test_the_arrays_give_the_network_s_logits_and_actions__P26(game: str, features: str, tmp_path: Path) -> None:
    model, views = model_of(game, features), views_of(game, features)
    assert len(views) > 0.9 * VIEWS
    mover = player(f"policy:{written(game, tmp_path, features)}", load(game))
    assert isinstance(mover, SavedPolicy)
    logits = mover.logits(views.observation).astype(np.float64)
    normal = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))
    np.testing.assert_allclose(normal, torch_logits(model, views.observation), atol=2e-4)
    actions = mover.act(views)
    assert actions.dtype == np.int64
    assert len(np.unique(actions)) > 10
    same = actions == PolicyPlayer(model.policy, greedy=True).act(views)
    close = np.sort(np.where(views.mask, logits, -np.inf), axis=1)
    assert (same | (close[:, -1] - close[:, -2] < 1e-3)).all()
    assert same.mean() > 0.99


@games
def test_a_policy_of_raw_bits_plays_where_all_bits_are_shown(game: str, tmp_path: Path) -> None:
    mover = player(f"policy:{written(game, tmp_path, 'raw')}", load(game))
    assert np.array_equal(mover.act(views_of(game, "raw")), mover.act(views_of(game, "full")))
    full = player(f"policy:{written(game, tmp_path)}", load(game))
    with pytest.raises(PolicyError, match="make them with features='full'"):
        full.act(views_of(game, "raw"))


@games
def test_a_row_is_the_same_alone_and_among_others__P12(game: str, tmp_path: Path) -> None:
    mover, views = SavedPolicy(load(game), 0, written(game, tmp_path)), views_of(game)
    logits = mover.logits(views.observation)
    for row in range(0, len(views), 97):
        assert np.array_equal(mover.logits(views.observation[row : row + 1])[0], logits[row])


def test_sampled_actions_have_the_policy_s_probabilities(tmp_path: Path) -> None:
    game = load("vint")
    path = written("vint", tmp_path)
    views = make_tables("vint", autoreset=False, seed=1).views()[np.zeros(20_000, np.int64)]
    mover = player(f"policy:{path}?sample", game, 1)
    assert isinstance(mover, SavedPolicy)
    logits = np.where(views.mask[0], mover.logits(views.observation[:1])[0], -np.inf)
    chances = np.exp(logits - logits.max()) / np.exp(logits - logits.max()).sum()
    actions = mover.act(views)
    counts = np.bincount(actions, minlength=len(chances))
    assert (np.abs(counts - 20_000 * chances) <= 5 * np.sqrt(20_000 * chances * (1 - chances)) + 1e-9).all()
    assert np.array_equal(actions, player(f"policy:{path}?sample", game, 1).act(views))
    assert not np.array_equal(actions, player(f"policy:{path}?sample", game, 2).act(views))


def test_layers_of_tanh_and_none(tmp_path: Path) -> None:
    game, rng = load("biritch"), np.random.default_rng(0)
    sizes = (game.size("raw"), 8, 5, len(game.actions))
    arrays = [(rng.normal(size=shape).astype(np.float32), rng.normal(size=shape[1]).astype(np.float32)) for shape in pairwise(sizes)]
    layers = [Layer(*pair, activation) for pair, activation in zip(arrays, ("tanh", "relu", "none"), strict=True)]
    write_policy(tmp_path / "net.npz", game, layers, skruv="0")
    bits = (rng.random((20, sizes[0])) < 0.1).astype(np.int8)
    expected = np.maximum(np.tanh(bits @ arrays[0][0] + arrays[0][1]) @ arrays[1][0] + arrays[1][1], 0) @ arrays[2][0] + arrays[2][1]
    np.testing.assert_allclose(SavedPolicy(game, 0, tmp_path / "net.npz").logits(bits), expected, rtol=1e-4, atol=1e-5)


# ---- from training to the table ---------------------------------------------------------------------------------------------


def test_a_checkpoint_is_exported_and_plays(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    args = Args(game="biritch", folder=tmp_path, steps=100, reward_scale=1.0, tables=16, turns=8, batch=64, width=16, deals=20)
    checkpoint, out = train(args), tmp_path / "biritch.npz"
    export.main(export.Args(checkpoint, out=out))
    assert f"policy:{out}" in capsys.readouterr().out
    views = views_of("biritch")
    network = PolicyPlayer(MaskablePPO.load(checkpoint, device="cpu").policy, greedy=True)
    assert (player(f"policy:{out}", load("biritch")).act(views) == network.act(views)).mean() > 0.99
    table = play_all("biritch", [f"policy:{out}", f"policy:{out}?sample", "random"], deals=8, folder=tmp_path / "out")
    assert table.complete
    assert len(json.loads((tmp_path / "out" / "settings.json").read_text())["files"]) == 2
    env = gymnasium.make("skruv/Biritch-v0", others=f"policy:{out}", max_doublings=2)
    _, info = env.reset(seed=1)
    assert info["action_mask"].any()
    with pytest.raises(PolicyError, match=r"checkpoint of Stable-Baselines3; write a policy with  python training/export\.py"):
        player(f"policy:{checkpoint}", load("biritch"))
    with pytest.raises(SystemExit, match="give --game"):
        export.main(export.Args(checkpoint.rename(tmp_path / "model.zip"), out=out))


def test_networks_of_other_kinds(tmp_path: Path) -> None:
    """Those of sb3-contrib's own policies are written too, as far as they have layers of ReLU and tanh."""
    env = SeatVecEnv("biritch", 2, features="raw")
    for activation, fits in ((torch.nn.Tanh, True), (torch.nn.ReLU, True), (torch.nn.ELU, False)):
        model = MaskablePPO("MlpPolicy", env, policy_kwargs={"activation_fn": activation, "net_arch": [8, 8]}, seed=1, device="cpu")
        if not fits:
            with pytest.raises(PolicyError, match="ELU"):
                layers_of(model.policy)
            continue
        write_policy(tmp_path / "net.npz", load("biritch"), layers_of(model.policy), skruv="0")
        views = views_of("biritch", "raw")
        logits = SavedPolicy(load("biritch"), 0, tmp_path / "net.npz").logits(views.observation)
        assert np.ptp(logits - torch_logits(model, views.observation), axis=1).max() < 1e-4


# ---- what is refused --------------------------------------------------------------------------------------------------------


def test_files_that_are_no_policies_are_refused__P26(tmp_path: Path) -> None:
    game, good = load("vint"), written("vint", tmp_path)
    torch.save({"weights": torch.zeros(3)}, tmp_path / "torch.pt")
    np.save(tmp_path / "one.npy", np.zeros(3))
    np.save(tmp_path / "pickle.npy", np.array([{}], dtype=object), allow_pickle=True)
    np.savez(tmp_path / "arrays.npz", weight=np.zeros(3))
    np.savez(tmp_path / "objects.npz", about=np.array([{}], dtype=object), allow_pickle=True)
    np.savez(tmp_path / "text.npz", about=np.array("no json"))
    (tmp_path / "pickle.pkl").write_bytes(b"\x80\x04N.")
    (tmp_path / "cut.npz").write_bytes(good.read_bytes()[:-40])
    flipped = bytearray(good.read_bytes())
    flipped[3000] ^= 255
    (tmp_path / "flipped.npz").write_bytes(flipped)
    reasons = {
        "none.npz": "there is no file", "torch.pt": "tells nothing of a policy", "one.npy": "pickles are never read",
        "pickle.npy": "pickles are never read", "pickle.pkl": "pickles are never read", "arrays.npz": "tells nothing of a policy",
        "objects.npz": "can't be read", "text.npz": "can't be read", "cut.npz": "training/export.py", "flipped.npz": "can't be read",
        ".": "can't be read",
    }
    for name, reason in reasons.items():
        with pytest.raises(PolicyError, match=reason):
            player(f"policy:{tmp_path / name}", game)


CHANGES: dict[str, tuple[Callable[[dict[str, Any], dict[str, np.ndarray]], Any], str]] = {
    "the format": (lambda about, _: about.update(format="other"), "its format is not 'skruv.policy'"),
    "a later format": (lambda about, _: about.update(version=2), "has version 2 of the format"),
    "a part left out": (lambda about, _: about.pop("env"), "'env' in its description is missing"),
    "features": (lambda about, _: about.update(features="some"), "unknown features"),
    "no layers": (lambda about, _: about.update(activations=[]), "no layers"),
    "the environment's version": (
        lambda about, _: about.update(env="skruv/vint-v7"),
        r"trained on skruv/vint-v7, and this is skruv/vint-v0: train again .* or use skruv",
    ),
    "an action": (
        lambda about, _: about.update(actions=["XX", *about["actions"][1:]], layout="x"),
        r"the actions differ \(it has 'XX', now 'C2'\): train again on skruv/vint-v0, or use skruv 0\.1\.0",
    ),
    "a plane's size": (
        lambda about, _: about.update(planes=[["hand", 51], ["extra", 1], *about["planes"][1:]], layout="x"),
        r"the planes of the observation differ \(it has 'hand 51', now 'hand 52', it has 'extra 1'\)",
    ),
    "planes that are none": (lambda about, _: about.update(planes=[1]), "can't be read"),
    "the layout": (lambda about, _: about.update(layout="x"), "the shapes of its planes differ"),
    "an activation": (lambda about, _: about.update(activations=["relu", "relu", "elu"]), "layer 2 has activation 'elu'"),
    "a layer too few": (lambda about, _: about.update(activations=["relu", "relu"]), "the last layer gives 16 numbers for 88 actions"),
    "a layer too many": (lambda about, _: about.update(activations=["relu"] * 4), "can't be read"),
    "another type": (lambda _, arrays: arrays.update(bias_0=arrays["bias_0"].astype(np.float64)), "layer 0 has float32 weights .* float64"),
    "another shape": (lambda _, arrays: arrays.update(weight_1=arrays["weight_1"][1:]), r"layer 1 has float32 weights \(31, 16\)"),
    "no number": (lambda _, arrays: arrays["weight_1"].fill(np.nan), "numbers that are not finite"),
}


@pytest.mark.parametrize("name", CHANGES)
def test_what_does_not_fit_is_refused_with_what_differs__P26(name: str, tmp_path: Path) -> None:
    change, reason = CHANGES[name]
    path = reshaped(written("vint", tmp_path), tmp_path / "changed.npz", change)
    with pytest.raises(PolicyError, match=reason):
        player(f"policy:{path}", load("vint"))


def test_a_policy_for_another_game_is_refused__P26(tmp_path: Path) -> None:
    path = written("vint", tmp_path)
    with pytest.raises(PolicyError, match="is a policy for vint, not for biritch"):
        player(f"policy:{path}", load("biritch"))


@pytest.mark.parametrize("more", ["", "?sample", "x.npz?greedy", "x.npz?"])
def test_names_that_say_too_much_or_nothing(more: str) -> None:
    with pytest.raises(PolicyError, match=re.escape("it must be policy:FILE, or policy:FILE?sample")):
        player(f"policy:{more}", load("vint"))


def test_layers_that_do_not_fit_the_game_are_not_written(tmp_path: Path) -> None:
    layer = Layer(np.zeros((7, 59), np.float32), np.zeros(59, np.float32), "none")
    with pytest.raises(PolicyError, match=r"takes 7 bits: observations of Biritch have 914 \(full\) or 682 \(raw\)"):
        write_policy(tmp_path / "net.npz", load("biritch"), [layer], skruv="0")
    with pytest.raises(PolicyError, match="gives 58 numbers for 59 actions"):
        write_policy(tmp_path / "net.npz", load("biritch"), [Layer(np.zeros((682, 58)), np.zeros(58), "none")], skruv="0")
    assert not (tmp_path / "net.npz").exists()


def test_each_layout_has_its_hash() -> None:
    assert len({layout_hash(load(game), features) for game in GAMES for features in FEATURES}) == 2 * len(GAMES)

"""The player ``policy:FILE``: a trained network, kept as arrays and JSON, run without the library that trained it.

The file is a numpy archive: ``weight_0`` (inputs, outputs) and ``bias_0`` of the first layer, and so on, and ``about``, a JSON text. It
says for which game and which observations the network is, and one that does not fit them is refused.
"""

import difflib
import hashlib
import json
import zipfile
import zlib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ..engine.game import Game
from ..engine.kernel import cached_kernel
from ..games import VERSIONS
from ..tables import FEATURES, Views

FORMAT = "skruv.policy"
VERSION = 1
"""Of the format."""
RELU, TANH, LINEAR = range(3)
ACTIVATIONS = ("relu", "tanh", "none")
"""By the numbers above."""
KINDS = {
    "version": int, "game": str, "env": str, "features": str, "layout": str, "planes": list, "actions": list, "activations": list,
    "skruv": str,
}
"""What ``about`` holds beside ``format``."""


class PolicyError(ValueError):
    """A policy file that can't be read, or is not for these observations; the message says what differs and what to do."""


class Layer(NamedTuple):
    """``activation(inputs @ weight + bias)``"""

    weight: np.ndarray
    """(inputs, outputs) float32"""
    bias: np.ndarray
    """(outputs,) float32"""
    activation: str
    """One of :data:`ACTIVATIONS`."""


def apply_layer(rows, weight, bias, activation, out):
    """One layer; inputs that are 0 cost nothing, and those past the weight's are left out.

    The sums run in the order of the inputs, whatever the number of rows: a row is the same alone and among others.
    """
    for row in range(rows.shape[0]):
        for place in range(bias.size):
            out[row, place] = bias[place]
        for source in range(weight.shape[0]):
            value = rows[row, source]
            if value != 0:
                for place in range(bias.size):
                    out[row, place] += value * weight[source, place]
        for place in range(bias.size):
            if activation == RELU:
                out[row, place] = max(out[row, place], np.float32(0))
            elif activation == TANH:
                out[row, place] = np.tanh(out[row, place])


@cache
def _loop() -> Any:
    return cached_kernel(apply_layer)


class SavedPolicy:
    """A policy from a file: the likeliest action, or one drawn by the policy's probabilities.

    Args:
        game: which it must be for.
        seed: of the draws.
        path: of the file.
        sample: draw.

    Raises:
        PolicyError: the file can't be read, or it is for another game, version or layout.
    """

    def __init__(self, game: Game, seed: int, path: str | Path, *, sample: bool = False) -> None:
        self.layers, about, self.fingerprint = _read(Path(path).expanduser())
        _check(Path(path), game, about)
        self.size = len(self.layers[0].weight)
        """Of the observations that it takes; the derived bits stand behind the others, so that raw ones begin full ones."""
        self.sample = sample
        self.rng = np.random.default_rng(seed)

    def logits(self, observation: np.ndarray) -> np.ndarray:
        """(n, A) float32 for (n, F) observations, full or raw."""
        if observation.shape[1] < self.size:
            raise PolicyError(
                f"the policy takes {self.size} bits, and the tables show {observation.shape[1]}: make them with features='full'"
            )
        values = observation
        for weight, bias, activation in self.layers:
            out = np.empty((len(values), len(bias)), np.float32)
            _loop()(values, weight, bias, ACTIVATIONS.index(activation), out)
            values = out
        return values

    def act(self, views: Views) -> np.ndarray:
        scores = self.logits(views.observation)
        if self.sample:  # the greatest of logits with such noise is a draw from the softmax over the legal actions
            scores = scores + self.rng.gumbel(size=scores.shape)
        return np.where(views.mask, scores, -np.inf).argmax(axis=1)


def saved_policy(game: Game, seed: int, more: str) -> SavedPolicy:
    """The player ``policy:FILE`` (greedy), or ``policy:FILE?sample``."""
    path, mark, manner = more.rpartition("?") if "?" in more else (more, "", "")
    if not path or (mark and manner != "sample"):
        raise PolicyError(f"'policy:{more}': it must be policy:FILE, or policy:FILE?sample for actions drawn by their probabilities")
    return SavedPolicy(game, seed, path, sample=bool(mark))


def write_policy(path: str | Path, game: Game, layers: Sequence[Layer], *, skruv: str) -> None:
    """Keep a network as a file that :func:`saved_policy` reads; ``skruv`` is the version that it was trained with.

    Raises :class:`PolicyError` where the layers do not fit together, or neither kind of the game's observations.
    """
    layers = [Layer(np.asarray(weight, np.float32), np.asarray(bias, np.float32), activation) for weight, bias, activation in layers]
    sizes = {game.size(features): features for features in FEATURES}
    inputs = len(layers[0].weight)
    if inputs not in sizes:
        named = " or ".join(f"{size} ({features})" for size, features in sizes.items())
        raise PolicyError(f"the first layer takes {inputs} bits: observations of {game.title} have {named}")
    _check_layers(str(path), layers, inputs, len(game.actions))
    about = {"format": FORMAT, "version": VERSION, "skruv": skruv, **_terms(game, sizes[inputs])}
    about["activations"] = [layer.activation for layer in layers]
    arrays = {f"{part}_{place}": getattr(layer, part) for place, layer in enumerate(layers) for part in ("weight", "bias")}
    with Path(path).open("wb") as file:
        np.savez(file, about=np.array(json.dumps(about)), **arrays)  # pyright: ignore[reportArgumentType]  (any name is an array's)


def layout_hash(game: Game, features: str) -> str:
    """Of the planes of an observation in their order, with their shapes, and of the actions."""
    terms = [[plane.name, plane.shape] for plane in _planes(game, features)]
    return hashlib.sha256(json.dumps([terms, game.actions]).encode()).hexdigest()[:16]


def _planes(game: Game, features: str) -> tuple[Any, ...]:
    return game.planes if features == "full" else game.facts


def _terms(game: Game, features: str) -> dict[str, Any]:
    """What a network must have been trained on."""
    return {
        "game": game.name, "env": f"skruv/{game.name}-v{VERSIONS.get(game.name, 0)}", "features": features,
        "layout": layout_hash(game, features), "planes": [[plane.name, plane.size] for plane in _planes(game, features)],
        "actions": list(game.actions),
    }


def _read(path: Path) -> tuple[list[Layer], dict[str, Any], str]:
    """The layers, what is said about them, and a hash of the file."""
    try:
        fingerprint = hashlib.sha256(path.read_bytes()).hexdigest()[:16]
        with path.open("rb") as file:
            if not zipfile.is_zipfile(file):
                raise PolicyError(f"{path} is no numpy archive: write one with training/export.py; pickles are never read")
        with np.load(path, allow_pickle=False) as archive:
            if "about" not in archive.files:
                hint = "it is a checkpoint of Stable-Baselines3" if "data" in archive.files else "it tells nothing of a policy"
                raise PolicyError(f"{path}: {hint}; write a policy with  python training/export.py RUN/model.zip --out FILE.npz")
            about = _read_about(path, str(archive["about"]))
            layers = [
                Layer(np.ascontiguousarray(archive[f"weight_{place}"]), np.ascontiguousarray(archive[f"bias_{place}"]), activation)
                for place, activation in enumerate(about["activations"])
            ]
        _check_layers(str(path), layers, sum(size for _, size in about["planes"]), len(about["actions"]))
        return layers, about, fingerprint
    except PolicyError:
        raise
    except FileNotFoundError as error:
        raise PolicyError(f"there is no file {path}: give the path of one that training/export.py has written") from error
    except (OSError, ValueError, TypeError, KeyError, EOFError, zipfile.BadZipFile, zlib.error) as error:
        raise PolicyError(f"{path} can't be read as a policy ({error}); write it again with training/export.py") from error


def _read_about(path: Path, text: str) -> dict[str, Any]:
    """The JSON text of a file of this format and version, its form checked."""
    about = json.loads(text)
    if not isinstance(about, dict) or about.get("format") != FORMAT:
        raise PolicyError(f"{path}: its format is not {FORMAT!r}; write a policy with training/export.py")
    if about.get("version") != VERSION:
        raise PolicyError(f"{path} has version {about.get('version')!r} of the format, and this skruv reads {VERSION}: export it again")
    for name, kind in KINDS.items():
        if not isinstance(about.get(name), kind):
            raise PolicyError(f"{path}: {name!r} in its description is missing or not of the right kind; export it again")
    if about["features"] not in FEATURES or not about["activations"]:
        raise PolicyError(f"{path}: its description has unknown features or no layers; export it again")
    return about


def _check_layers(path: str, layers: Sequence[Layer], inputs: int, outputs: int) -> None:
    """Raise :class:`PolicyError` unless they are finite float32 matrices and biases that fit together."""
    for place, (weight, bias, activation) in enumerate(layers):
        if activation not in ACTIVATIONS:
            raise PolicyError(f"{path}: layer {place} has activation {activation!r}; there are {', '.join(ACTIVATIONS)}")
        if weight.dtype != np.float32 or bias.dtype != np.float32 or weight.shape != (inputs, *bias.shape) or bias.ndim != 1:
            raise PolicyError(
                f"{path}: layer {place} has {weight.dtype} weights {weight.shape} and {bias.dtype} biases {bias.shape}:"
                f" they must be float32, from {inputs} inputs"
            )
        if not (np.isfinite(weight).all() and np.isfinite(bias).all()):
            raise PolicyError(f"{path}: layer {place} holds numbers that are not finite; train again")
        inputs = len(bias)
    if inputs != outputs:
        raise PolicyError(f"{path}: the last layer gives {inputs} numbers for {outputs} actions")


def _check(path: Path, game: Game, about: dict[str, Any]) -> None:
    """Raise :class:`PolicyError` unless the network was trained on the observations and actions of ``game`` as they are now."""
    now = _terms(game, about["features"])
    if about["game"] != game.name:
        raise PolicyError(f"{path} is a policy for {about['game']}, not for {game.name}: give one that was trained on {game.name}")
    fix = f"train again on {now['env']}, or use skruv {about['skruv']}, with which it was trained"
    if about["env"] != now["env"]:
        raise PolicyError(f"{path} was trained on {about['env']}, and this is {now['env']}: {fix}")
    if about["layout"] == now["layout"]:
        return
    for name, what in (("planes", "the planes of the observation"), ("actions", "the actions")):
        if about[name] != now[name]:
            raise PolicyError(f"{path}: {what} differ ({_difference(about[name], now[name])}): {fix}")
    raise PolicyError(f"{path}: the shapes of its planes differ (layout {about['layout']}, now {now['layout']}): {fix}")


def _difference(theirs: list[Any], ours: list[Any]) -> str:
    """The first lines of what was taken away and added."""
    then, now = ([" ".join(map(str, each)) if isinstance(each, list) else str(each) for each in side] for side in (theirs, ours))
    lines = [line for line in difflib.ndiff(then, now) if line[0] in "-+"]
    return ", ".join(f"{'it has' if line[0] == '-' else 'now'} {line[2:]!r}" for line in lines[:4])

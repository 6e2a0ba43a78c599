"""Keep a trained agent as arrays: ``python training/export.py runs/vint/model.zip --out vint.npz``.

The file is the player ``policy:vint.npz``, in the arena, in ``others=`` of the Gymnasium environments, in notebooks; it plays without
PyTorch.
"""

import json
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
import torch
import tyro
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from selfplay import SharedLayer
from stable_baselines3.common.torch_layers import FlattenExtractor
from torch import nn

import skruv
from skruv.games import load
from skruv.players.policy import Layer, PolicyError, write_policy


@dataclass(frozen=True)
class Args:
    checkpoint: tyro.conf.Positional[Path]
    """The model.zip that train.py wrote, or another one of MaskablePPO with layers of ReLU or tanh."""
    out: Path
    """The file to write."""
    game: Literal["vint", "skruuvi", "biritch"] | None = None
    """What it was trained on; None: what progress.json beside the checkpoint says."""


ACTIVATIONS: dict[type[nn.Module], str] = {nn.ReLU: "relu", nn.Tanh: "tanh"}


def layers_of(policy: MaskableActorCriticPolicy) -> list[Layer]:
    """The layers between an observation and the logits of the actions."""
    extractor = policy.pi_features_extractor
    if isinstance(extractor, SharedLayer):
        first: list[nn.Module] = [extractor.layer, nn.ReLU()]
    elif isinstance(extractor, FlattenExtractor):
        first = []
    else:
        raise PolicyError(f"the checkpoint begins with {type(extractor).__name__}: only SharedLayer and FlattenExtractor can be written")
    layers: list[Layer] = []
    for module in [*first, *policy.mlp_extractor.policy_net, policy.action_net]:
        if isinstance(module, nn.Linear):
            layers.append(Layer(_array(module.weight).T, _array(module.bias), "none"))
        elif type(module) in ACTIVATIONS and layers and layers[-1].activation == "none":
            layers[-1] = layers[-1]._replace(activation=ACTIVATIONS[type(module)])
        else:
            raise PolicyError(f"the checkpoint has {type(module).__name__} in its policy: only linear layers, each with ReLU or tanh")
    return layers


def _array(weights: torch.Tensor) -> np.ndarray:
    return weights.detach().cpu().numpy()


def main(args: Args) -> None:
    progress = args.checkpoint.parent / "progress.json"
    if args.game is None and not progress.exists():
        raise SystemExit(f"there is no {progress} to say what was played: give --game")
    if not args.checkpoint.is_file() or not zipfile.is_zipfile(args.checkpoint):
        raise SystemExit(f"{args.checkpoint} is no checkpoint: give the model.zip that train.py wrote")
    if not args.out.parent.is_dir():
        raise SystemExit(f"--out {args.out}: there is no folder {args.out.parent}")
    game = load(args.game or json.loads(progress.read_text())["args"]["game"])
    try:
        layers = layers_of(MaskablePPO.load(args.checkpoint, device="cpu").policy)
        write_policy(args.out, game, layers, skruv=skruv.__version__)
    except PolicyError as error:
        raise SystemExit(str(error)) from error
    sizes = " - ".join(map(str, [len(layers[0].weight), *(len(layer.bias) for layer in layers)]))
    print(f"{args.out}: a policy for {game.title}, {sizes}, {args.out.stat().st_size / 1e6:.1f} MB; it plays as  policy:{args.out}")


if __name__ == "__main__":
    main(tyro.cli(Args, description=__doc__))

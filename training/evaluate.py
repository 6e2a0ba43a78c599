"""Measure a trained agent: ``python training/evaluate.py runs/vint/model.zip``.

The trained pair meets each reference player over duplicate deals: every deal is played twice, the sides exchanged. With ``--records``
some deals that it plays among its own kind are kept with what it thought: ``skruv replay FILE`` shows them.
"""

import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
import tyro
from rich.console import Console
from rich.progress import Progress
from rich.table import Table
from sb3_contrib import MaskablePPO

from skruv.arena import Match, play_match
from skruv.games import load
from skruv.players import player
from skruv.record import Record, Thought, deal_record, with_thoughts, write_records
from skruv.sb3 import PolicyPlayer
from skruv.tables import Tables


OPPONENTS = ("uniform", "random", "pass", "thumb")
"""Whom the trained pair meets."""


@dataclass(frozen=True)
class Args:
    checkpoint: tyro.conf.Positional[Path]
    """The model.zip that train.py wrote."""
    deals: int = 1000
    """Duplicate deals against each player."""
    seed: int = 1_000_000
    """Of the first deal; training begins from 0."""
    threads: int = 1
    """Of torch."""
    records: Path | None = None
    """Write deals there that it plays at all four seats, with what it thought before each action."""
    recorded: int = 10
    """How many."""


def evaluate(checkpoint: Path, game_name: str, *, deals: int, options: dict[str, Any], seed: int = 1_000_000) -> dict[str, Match]:
    """Play, print the table, and return the matches by opponent; ``"itself"`` is one against its own kind."""
    game = load(game_name)
    trained = PolicyPlayer(MaskablePPO.load(checkpoint, device="cpu").policy, greedy=True)
    opponents = {name: player(name, game, seed) for name in OPPONENTS} | {"itself": trained}
    matches = {}
    with Progress(transient=True) as bar:
        task = bar.add_task("evaluating", total=deals * len(opponents))
        for place, (name, opponent) in enumerate(opponents.items()):
            matches[name] = play_match(
                game, trained, opponent, deals=deals, seed=seed,
                progress=lambda done, before=place * deals: bar.update(task, completed=before + done), **options,
            )
    show(game.title, matches)
    return matches


def think_aloud(game_name: str, who: PolicyPlayer, *, deals: int, options: dict[str, Any], seed: int = 1_000_000) -> list[Record]:
    """Records of deals in which ``who`` sits at every seat, with its thoughts where it had a choice."""
    tables = Tables(game_name, deals, seed=seed, autoreset=False, trails=True, **options)
    openings = tables.save()
    thoughts: list[list[Thought | None]] = [[] for _ in range(deals)]
    while len(rows := np.flatnonzero(tables.ended == 0)):
        views = tables.views(rows)
        for row, thought, choices in zip(rows.tolist(), who.think(views), views.mask.sum(axis=1).tolist(), strict=True):
            thoughts[row].append(thought if choices > 1 else None)
        tables.step(who.act(views), rows)
    return [
        with_thoughts(
            deal_record(tables.game, tables.rules, openings[row : row + 1], tables.trail(row, previous=True).action, tables.results[row]),
            thoughts[row],
        )
        for row in range(deals)
    ]


def show(title: str, matches: dict[str, Match]) -> None:
    """The table, and what the trained pair bids among its own kind."""
    columns = ("against", "points a deal", "95 % interval", "deals (each twice)", "passed out", "contracts")
    table = Table(*columns, title=f"{title}: the trained pair")
    for name, match in matches.items():
        low, high = match.interval
        ours = "" if name == "itself" else f"{match.mean:+.1f}", "" if name == "itself" else f"{low:+.1f} .. {high:+.1f}"
        table.add_row(name, *ours, str(match.n), f"{match.passed_out:.0%}", histogram(match.contracts))
    Console(width=160).print(table)


def histogram(contracts: Counter[str], most: int = 12) -> str:
    """The commonest contracts and their share of the plays."""
    plays = contracts.total()
    return ", ".join(f"{name} {count / plays:.0%}" for name, count in contracts.most_common(most))


def main(args: Args) -> None:
    torch.set_num_threads(args.threads)
    trained_with = json.loads((args.checkpoint.parent / "progress.json").read_text())
    game_name, options = trained_with["args"]["game"], trained_with["options"]
    if args.records is not None:
        policy = MaskablePPO.load(args.checkpoint, device="cpu").policy
        who = PolicyPlayer(policy, greedy=True, reward_scale=trained_with["args"]["reward_scale"])
        write_records(args.records, think_aloud(game_name, who, deals=args.recorded, options=options, seed=args.seed))
    evaluate(args.checkpoint, game_name, deals=args.deals, options=options, seed=args.seed)


if __name__ == "__main__":
    main(tyro.cli(Args, description=__doc__))

"""Perft: the numbers of legal action sequences from fixed positions, and what the finished deals among them are worth.

The engine walks whole levels of saved states, the referee single lines of play; both must find the numbers that stand here.
"""

from collections import Counter
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest
from agreement import referee_at
from referee import Table

from skruv import Tables
from skruv.engine.game import Game
from skruv.games import load
from skruv.notation import parse_action

Margins = dict[int, int]

# Two deals without a kotka, two with one; one in which West has low cards alone, and one in which he has the tops.
EVEN = {"deal": "N:A.QT52.KJT4.JT86 Q98743.76.973.A9 JT2.J9843.A6.K32 K65.AK.Q852.Q754"}
ROUGH = {"deal": "N:AQ6.AKJ5.J8.KJ74 KT932.82.AQT94.A 875.T93.763.Q532 J4.Q764.K52.T986"}
KOTKA = {"deal": "N:A.T52.KJT4.JT86 Q9873.Q76.97.A9 J42.J984.63.K32 T65.AK3.A852.Q4", "kotka": "SK DQ C7 C5"}
SPLIT = {"deal": "N:A.Q8542.J82.Q85 J7.97.KT76.K743 QT6542.3.A9.AJ9 K983.AJ6.Q53.62", "kotka": "HK HT D4 CT"}
LOW = {"deal": "N:Q.QJ95.QT85.A94 AT85..AK92.JT65 KJ2.AK87.J.KQ73 7643.6432.743.2", "kotka": "S9 HT D6 C8"}
TOPS = {"deal": "N:Q53.JT3.J86.QT2 8762.72.9432.74 94.9865.5.J9863 AKT.AKQ.AKQT.AK", "kotka": "SJ H4 D7 C5"}


class Position(NamedTuple):
    """A place in a deal that North has dealt, and what is found from there."""

    title: str
    game: str
    deal: dict[str, Any]
    before: str
    """The calls and discards that lead there."""
    cards: int
    """So many cards more, each picked by :func:`some_card`."""
    options: dict[str, Any]
    """Rules, and the ``ledger``."""
    counts: tuple[int, ...]
    """Sequences of one action, of two, and so on."""
    margins: Margins
    """Of the sequences that end the deal: how many there are of each margin."""

    @property
    def rules(self) -> dict[str, Any]:
        return {name: value for name, value in self.options.items() if name != "ledger"}

    @property
    def ledger(self) -> dict[str, Any]:
        return self.options.get("ledger", {})


# An auction from its start has C(bids + calls, calls) sequences of so many calls: 35 bids in Vint, 38 in Skruuvi.
POSITIONS = (
    Position(
        "vint auction", "vint", EVEN, "", 0, {},
        (36, 666, 8436), {},
    ),
    Position(
        "vint, six passes", "vint", EVEN, "P P P P P P", 0, {},
        (36, 666), {0: 1},
    ),
    Position(
        "vint, a bid and ten passes", "vint", EVEN, "7H P P P P P P P P P P", 0, {},
        (2, 3, 15, 42), {},
    ),
    Position(
        "vint, six of eight passes", "vint", EVEN, "7D P P P P P P", 0, {"end_passes": 8},
        (3, 6, 20, 49), {},
    ),
    Position(
        "vint lead", "vint", ROUGH, "7N P P P P P P P P P P P P", 0, {},
        (13, 40, 115), {},
    ),
    Position(
        "vint ending, 4D", "vint", EVEN, "4D P P P P P P P P P P P P", 40, {"ledger": {"below": [400, 410], "games": [0, 1]}},
        (3, 9, 24, 54, 108, 198, 372, 528, 528, 528, 528, 528), {-7158: 48, -3562: 168, -1486: 216, 590: 96},
    ),
    Position(
        "vint ending, 2N", "vint", EVEN, "2N P P P P P P P P P P P P", 40, {"ledger": {"below": [0, 300], "games": [1, 1]}},
        (3, 9, 24, 54, 108, 198, 372, 528, 528, 528, 528, 528), {-2462: 48, -538: 168, 506: 216, 550: 96},
    ),
    Position(
        "vint ending, 6H", "vint", ROUGH, "P P P 6H P P P P P P P P P P P P", 40,
        {"ledger": {"below": [120, 0], "games": [1, 0]}},
        (3, 7, 7, 15, 30, 50, 72, 96, 96, 96, 96, 96), {18540: 8, 25060: 36, 28180: 40, 31300: 12},
    ),
    Position(
        "skruuvi auction", "skruuvi", KOTKA, "", 0, {},
        (39, 780, 10660), {},
    ),
    Position(
        "skruuvi auction, specials on top", "skruuvi", KOTKA, "11D", 0, {"special_rank": "top"},
        (17, 153, 969), {},
    ),
    Position(
        "skruuvi auction, bolshevik only", "skruuvi", KOTKA, "11D", 0, {"misaari": False, "mussolini": False},
        (15, 120, 680), {},
    ),
    Position(
        "skruuvi, two passes", "skruuvi", KOTKA, "P P", 0, {},
        (39, 780), {0: 1},
    ),
    Position(
        "skruuvi exchange", "skruuvi", KOTKA, "13N P P P", 0, {},
        (16, 240, 3360), {},
    ),
    Position(
        "skruuvi raise", "skruuvi", KOTKA, "12S P P P C5 S3 S7 D7", 0, {},
        (9, 31, 138, 268), {},
    ),
    Position(
        "skruuvi raise, misaari", "skruuvi", KOTKA, "misaari P P P C5 S3 S7 D7", 0, {},
        (13, 60, 339), {},
    ),
    Position(
        "skruuvi raise, misaari on top", "skruuvi", KOTKA, "misaari P P P C5 S3 S7 D7", 0, {"special_rank": "top"},
        (3, 5, 9, 48, 209), {},
    ),
    Position(
        "skruuvi raise, 13S", "skruuvi", KOTKA, "13S P P P C5 S3 S7 D7", 0, {},
        (4, 6, 13, 23, 124), {},
    ),
    Position(
        "skruuvi knock", "skruuvi", KOTKA, "12S P P P C5 S3 S7 D7 P P", 0, {},
        (2, 4, 28, 108, 331), {},
    ),
    Position(
        "skruuvi knock, no kotka", "skruuvi", EVEN, "P 9D P P P", 0, {"kitty": False},
        (2, 4, 30, 127, 383), {},
    ),
    Position(
        "skruuvi knock, solo", "skruuvi", KOTKA, "bolshevik P P P C5 S3 S7 D7 P", 0, {},
        (2, 4, 38, 129, 370), {},
    ),
    Position(
        "skruuvi ending, 8S redoubled", "skruuvi", SPLIT, "8S P P P C3 C4 D4 D6 P P X XX", 36, {"ledger": {"deal": 3}},
        (3, 7, 15, 39, 78, 128, 222, 300, 300, 300, 300, 300), {-32: 128, 200: 172},
    ),
    Position(
        "skruuvi ending, misaari", "skruuvi", LOW, "P P misaari P P P HT S9 C8 D7 P P P", 24, {},
        (4, 10, 10, 30, 70, 138, 276, 436, 728, 728, 728, 728), {-300: 128, -250: 112, 50: 276, 100: 168, 150: 40, 200: 4},
    ),
    Position(
        "skruuvi ending, misaari against three", "skruuvi", LOW, "P P misaari P P P HT S9 C8 D7 P X P", 36,
        {"solo_partner": "opponent", "misere_bonus": "all_defender_tricks"},
        (3, 6, 18, 30, 60, 102, 192, 264, 264, 264, 264, 264), {-1400: 106, 100: 82, 200: 76},
    ),
    Position(
        "skruuvi ending, bolshevik", "skruuvi", LOW, "P P bolshevik P P P HT S9 C8 D7 P P X P", 24, {},
        (4, 10, 10, 30, 70, 138, 276, 436, 728, 728, 728, 728), {-4000: 240, 4000: 488},
    ),
    Position(
        "skruuvi ending, mussolini", "skruuvi", TOPS, "P P mussolini P P P H4 C5 D7 DT P X XX", 24, {},
        (4, 4, 14, 42, 62, 138, 276, 394, 664, 664, 664, 664), {-8100: 384, 7900: 280},
    ),
    Position(
        "skruuvi ending, final deal", "skruuvi", ROUGH, "7N P P P P P", 40, {"ledger": {"deal": 25}},
        (3, 7, 7, 15, 30, 51, 74, 96, 96, 96, 96, 96), {-5: 4, 50: 18, 100: 20, 150: 54},
    ),
    Position(
        "biritch naming", "biritch", EVEN, "", 0, {"max_doublings": 2},
        (6, 15, 30, 170, 755, 2555), {},
    ),
    Position(
        "biritch contre", "biritch", EVEN, "P H", 0, {},
        (2, 4, 19, 63, 204, 593, 4709), {},
    ),
    Position(
        "biritch lead", "biritch", ROUGH, "N P P", 0, {},
        (13, 40, 115), {},
    ),
    Position(
        "biritch ending, hearts", "biritch", EVEN, "P H X P P", 40, {"ledger": {"below": [12, 20], "games": [0, 1]}},
        (3, 8, 22, 66, 132, 234, 444, 840, 840, 840, 840, 840), {32: 600, 48: 216, 64: 24},
    ),
    Position(
        "biritch ending, no trump", "biritch", ROUGH, "N X X P X P P", 40, {"ledger": {"below": [0, 20], "games": [1, 1]}},
        (3, 4, 12, 18, 36, 66, 96, 132, 132, 132, 132, 132), {-120: 12, 120: 12, 200: 108},
    ),
)


def some_card(legal: np.ndarray, place: int) -> int:
    """A legal action, picked by no other rule than that it is not always the first one."""
    return int(legal[(5 * place + 2) % len(legal)])


def opened(position: Position) -> Tables:
    """The engine's table at a position; the actions that lead there are its trail."""
    tables = Tables(position.game, autoreset=False, trails=True, **position.rules)
    tables.reset(seed=0, deals={**position.deal, "dealer": "N", "ledger": position.ledger})
    for action in position.before.split():
        tables.step(np.array([parse_action(tables.game, action)]))
    for place in range(position.cards):
        tables.step(np.array([some_card(np.flatnonzero(tables.legal()[0]), place)]))
    return tables


def tables_at(game: Game, states: np.ndarray) -> Tables:
    tables = Tables(game, len(states), seed=0, autoreset=False)
    tables.load(states)
    return tables


def engine_perft(position: Position) -> tuple[list[int], Margins]:
    """Level by level: every legal action of every table that goes on."""
    game, states = load(position.game), opened(position).save()
    counts, margins = [], Counter[int]()
    for _ in position.counts:
        parents, actions = np.nonzero(tables_at(game, states).legal())
        tables = tables_at(game, states[parents])
        over = tables.step(actions).terminated
        lines = tables.results["lines"][over]
        margins.update((lines[:, :, 0] - lines[:, :, 1]).sum(axis=1).tolist())
        states = tables.save()[~over]
        counts.append(len(parents))
        if not len(states):
            break
    return counts, dict(margins)


def referee_perft(position: Position) -> tuple[list[int], Margins]:
    """Line by line, each played again from the first call on."""
    tables = opened(position)
    before = [tables.game.actions[action] for action in tables.trail(0).action]
    counts, margins = [0] * len(position.counts), Counter[int]()

    def walk(table: Table, line: list[str]) -> None:
        if table.over:
            margins[table.totals[0] - table.totals[1]] += 1
        elif len(line) < len(counts):
            actions = sorted(table.legal())
            counts[len(line)] += len(actions)
            for action in actions:
                follow(table if action == actions[-1] else replay(line), [*line, action])

    def follow(table: Table, line: list[str]) -> None:
        table.step(line[-1])
        walk(table, line)

    def replay(line: list[str]) -> Table:
        table = referee_at(tables, 0, position.rules, position.ledger)
        for action in before + line:
            table.step(action)
        return table

    walk(replay([]), [])
    return [count for count in counts if count], dict(margins)


@pytest.mark.parametrize("position", [pytest.param(position, id=position.title) for position in POSITIONS])
@pytest.mark.parametrize("perft", [engine_perft, referee_perft])
def test_perft(position: Position, perft: Callable[[Position], tuple[list[int], Margins]]) -> None:
    assert perft(position) == (list(position.counts), position.margins)

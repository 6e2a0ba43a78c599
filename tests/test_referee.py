"""The referee, a second implementation in plain Python, agrees with the engine on every legal action and every score line.

Options, ledgers and deals are drawn at random, many deals so uneven that slams, voids and held honours occur; the seats of a
table have a temper, so that every contract and every prize is met, and what was met is asserted.
"""

from collections import Counter
from functools import cache
from itertools import pairwise
from random import Random
from typing import Any, NamedTuple

import numpy as np
import pytest
from agreement import Pairing, lines_of, referee_at
from referee import Table

from skruv import OptionError, TableEnv, Tables
from skruv.engine.cards import CARDS, SEAT_LETTERS, SEATS
from skruv.engine.game import Game
from skruv.games import VERSIONS, load
from skruv.notation import board_of, cards_text, deal_text
from skruv.record import verify

Options = dict[str, Any]
Occurred = Counter[str]

GAMES = tuple(VERSIONS)
PASS = len(CARDS)
DEALERS = (None, *SEAT_LETTERS)

OPTIONS: dict[str, dict[str, tuple[Any, ...]]] = {
    "vint": {"end_passes": (12, 8), "first_dealer": DEALERS},
    "skruuvi": {
        "variant": (None, "simplified", "no_kotka", "bolshevik_only", "university"), "kitty": (True, False),
        "misaari": (True, False), "bolshevik": (True, False), "mussolini": (True, False), "honours": (True, False),
        "solo_partner": ("out", "opponent"), "misere_bonus": ("second_best", "all_defender_tricks", "none"),
        "special_rank": ("by_class", "top"), "all_pass": ("count", "redeal"), "first_dealer": DEALERS,
    },
    "biritch": {"max_doublings": (None, 0, 1, 2, 6, 40), "first_dealer": DEALERS},
}
"""What RULINGS section 5 builds, but for the length of a session."""

VARIANTS: dict[str | None, Options] = {
    None: {},
    "simplified": {"misaari": False, "bolshevik": False, "mussolini": False},  # K-41
    "no_kotka": {"kitty": False},  # K-42
    "bolshevik_only": {"misaari": False, "mussolini": False},  # K-43
    "university": {"honours": False},  # K-44
}

SESSIONS: dict[str, tuple[tuple[Options, int], ...]] = {
    "vint": (({"episode": "rubber"}, 0),),
    "skruuvi": (
        ({"episode": "rubber"}, 8), ({"episode": "match"}, 28),
        ({"episode": "match", "rubbers": 1}, 8), ({"episode": "match", "rubbers": 4}, 28),
    ),
    "biritch": (({"episode": "rubber"}, 0),),
}
"""Sessions of several deals; in Skruuvi the numbers of the deal from which they may go on are below the second number."""

EVENTS = {
    "vint": ["contract none", "below 500", "auction of 100 calls"],
    "skruuvi": [
        "contract none", "special -", "undertricks -", "doublings 1", "doublings 2", "alone", "raise", "positive over special",
        "special made and redoubled", *(f"deal {number}" for number in range(28)),
    ],
    "biritch": ["chicane -", *(f"doublings {doublings}" for doublings in (*range(9), 40))],
}
"""What has to occur besides every contract, every prize, every phase and every option."""


class Temper(NamedTuple):
    """How the four seats of a table choose."""

    passing: float
    """How often they pass where they may bid."""
    leap: float | None
    """How often a bid goes a step higher still; None: any higher bid."""
    doubling: float
    """How often they double where they may."""
    target: int | None
    """The only bid that they make."""
    cards: tuple[str, ...]
    """For each seat whether it plays low, high or any cards."""

    @classmethod
    def drawn(cls, rng: Random, game: Game) -> "Temper":
        return cls(
            passing=rng.choice((0.03, 0.3, 0.7, 0.9)),
            leap=rng.choice((None, 0.0, 0.7)),
            doubling=rng.choice((0.1, 0.5, 0.8, 0.99)),
            target=rng.choice(bids_of(game)) if rng.random() < 0.5 else None,
            cards=tuple(rng.choice(("any", "low", "high")) for _ in SEATS),
        )

    def choose(self, rng: Random, game: Game, legal: list[int], state: np.void) -> int:
        """One of the legal actions."""
        if legal[-1] < PASS:
            return self.card(rng, legal, self.cards[state["seat"]], game.phases[state["phase"]] == "exchange")
        bids = [action for action in legal if action in bids_of(game)]
        if not bids:
            return legal[-1] if rng.random() < self.doubling else legal[0]
        if self.target in bids:
            return self.target
        if legal[0] == PASS and (self.target is not None or rng.random() < self.passing):
            return PASS
        if self.leap is None:
            return rng.choice(bids)
        while len(bids) > 1 and rng.random() < self.leap:
            del bids[0]
        return bids[0]

    def card(self, rng: Random, legal: list[int], mood: str, exchange: bool) -> int:
        if mood == "any":
            return rng.choice(legal)
        lowest = (mood == "low") != exchange  # who plays low lays high cards away
        return (min if lowest else max)(legal, key=lambda card: (card % 13, card))


@cache
def bids_of(game: Game) -> range:
    """The actions that name a contract."""
    return range(game.actions.index(game.contracts[0]), game.actions.index(game.contracts[-1]) + 1)


def some_options(rng: Random, game: str) -> Options:
    return {name: rng.choice(values) for name, values in OPTIONS[game].items() if rng.random() < 0.4}


def some_ledger(rng: Random, game: str, deals: int) -> Options:
    if game == "skruuvi":
        return {"deal": rng.randrange(20, 28) if deals == 28 and rng.random() < 0.3 else rng.randrange(deals)}
    points = 500 if game == "vint" else 30
    return {
        "below": [rng.choice((0, rng.randrange(points), points - 1)) for _ in range(2)],
        "games": [rng.randrange(2) for _ in range(2)],
    }


def without_variant(options: Options) -> Options:
    """The options with the fields of the variant in its place; a single field given beside it wins."""
    return VARIANTS[options.get("variant")] | {name: value for name, value in options.items() if name != "variant"}


def uneven_deal(rng: Random, kotka: int) -> Options:
    """A deal in which suits or ranks lie together."""
    by_suit, noise = rng.random() < 0.5, rng.choice((0.3, 0.8, 2.0))
    pack = sorted(CARDS, key=lambda card: (card // 13 if by_suit else card % 13 / 3.25) + rng.gauss(0, noise))
    aside = rng.sample(pack, kotka)
    rest = [card for card in pack if card not in aside]
    size = len(rest) // len(SEATS)
    hands = [board_of(rest[size * place : size * (place + 1)]) for place in range(len(SEATS))]
    rng.shuffle(hands)
    return {"deal": deal_text(hands)} | ({"kotka": cards_text(board_of(aside))} if kotka else {})


def has_kotka(game: str, options: Options, number: int) -> bool:
    """Whether a single deal of this number has a kotka (K-35, K-42)."""
    return game == "skruuvi" and without_variant(options).get("kitty", True) and number < 24


def opened(tables: Tables, row: int, seed: int, options: Options, given: Options, occurred: Occurred) -> Table:
    """A new session at a table, and its referee."""
    tables.change_rules(**options)
    tables.reset(rows=np.array([row]), seed=seed, deals=given)
    occurred.update(f"{name}={value}" for name, value in options.items())
    if options.get("first_dealer"):
        assert SEAT_LETTERS[tables.states["dealer"][row]] == options["first_dealer"]
    return referee_at(tables, row, without_variant(options), given.get("ledger", {}))


def play(pairing: Pairing, rng: Random, occurred: Occurred) -> None:
    """Play every session to its end; the temper of a table changes with each deal."""
    tables, game = pairing.tables, pairing.tables.game
    tempers = [Temper.drawn(rng, game) for _ in range(tables.n)]
    while len(pairing.rows):
        occurred.update(f"phase {game.phases[phase]}" for phase in np.unique(tables.states["phase"][pairing.rows]))
        legal = [np.flatnonzero(mask).tolist() for mask in pairing.masks]
        chosen = [
            tempers[row].choose(rng, game, some, tables.states[row]) for row, some in zip(pairing.rows, legal, strict=True)
        ]
        for row in pairing.step(np.array(chosen)):
            tempers[row] = Temper.drawn(rng, game)
            note_deal(tables, int(row), occurred)


def note_deal(tables: Tables, row: int, occurred: Occurred) -> None:
    """Count what has happened in the last deal of a table."""
    game, result = tables.game, tables.states["result"][row]
    lines = lines_of(tables, row)
    trail = [game.actions[action] for action in tables.trail(row, previous=True).action]
    occurred["deals"] += 1
    occurred[f"contract {game.contracts[result['contract']] if result['contract'] >= 0 else 'none'}"] += 1
    occurred[f"doublings {result['doublings']}"] += 1
    occurred["alone"] += result["alone"] >= 0
    occurred["auction of 100 calls"] += len(trail) >= 152
    occurred.update(f"{kind} {'+' if points > 0 else '-'}" for _, _, kind, points in lines)
    occurred["below 500"] += any(400 < points < 500 and kind == "tricks" for _, _, kind, points in lines)
    occurred["special made and redoubled"] += any(kind == "special" and points == 8000 for _, _, kind, points in lines)
    if game.name == "skruuvi":
        note_raises([call for call in trail if call in game.contracts], trail, occurred)


def note_raises(bids: list[str], trail: list[str], occurred: Occurred) -> None:
    """Count the bids made after the exchange, and those in which a positive one is made over a special one."""
    first_card = next((place for place, action in enumerate(trail) if len(action) == 2 and action[0] in "CDHS"), len(trail))
    for before, bid in pairwise(bids):
        if trail.index(bid) > first_card:
            occurred["raise"] += 1
            occurred["positive over special"] += before == "misaari" and bid[0] == "1"


def check_occurred(name: str, occurred: Occurred) -> None:
    game = load(name)
    wanted = [
        *(f"contract {contract}" for contract in game.contracts),
        *(f"phase {phase}" for phase in game.phases),
        *(f"{line.kind} +" for line in game.lines if (name, line.kind) != ("skruuvi", "undertricks")),
        *(f"{option}={value}" for option, values in OPTIONS[name].items() for value in values),
        *EVENTS[name],
    ]
    assert [event for event in wanted if not occurred[event]] == []


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("count", [2000, pytest.param(10_000, marks=pytest.mark.slow)])
def test_referee_agrees_on_deals(name: str, count: int) -> None:
    rng, occurred = Random(count), Occurred()
    tables = Tables(name, count, seed=0, autoreset=False, max_deals=None, trails=True)
    referees = []
    for row in range(count):
        options, given = some_options(rng, name), {}
        if rng.random() < 0.6:
            given["ledger"] = some_ledger(rng, name, 28)
        number = given.get("ledger", {}).get("deal", 0)
        occurred[f"deal {number}"] += 1
        if rng.random() < 0.4:
            given |= uneven_deal(rng, 4 if has_kotka(name, options, number) else 0)
        referees.append(opened(tables, row, count + row, options, given, occurred))
    play(Pairing(tables, referees), rng, occurred)
    assert occurred["deals"] == count
    check_occurred(name, occurred)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("count", [50, pytest.param(500, marks=pytest.mark.slow)])
def test_referee_agrees_on_rubbers_and_matches(name: str, count: int) -> None:
    rng, occurred = Random(count), Occurred()
    tables = Tables(name, count, seed=0, autoreset=False, max_deals=None, trails=True)
    referees = []
    for row in range(count):
        length, deals = SESSIONS[name][row % len(SESSIONS[name])]
        given = {"ledger": some_ledger(rng, name, deals)} if rng.random() < 0.4 else {}
        referees.append(opened(tables, row, count + row, some_options(rng, name) | length, given, occurred))
    play(Pairing(tables, referees), rng, occurred)
    totals, winner = tables.states["ledger"]["total"], tables.states["winner"]
    assert {0, 1} <= set(winner.tolist())
    assert occurred["deals"] >= 3 * count
    leads = np.sign(totals[:, 0] - totals[:, 1]) * (1 - 2 * winner)
    assert (leads[winner >= 0] < 0).any() == (name != "skruuvi")  # a rubber can be won with fewer points (C-10)


def test_a_rubber_has_eight_deals_with_kotka__K36() -> None:
    tables = Tables("skruuvi", episode="rubber", autoreset=False)
    tables.reset(seed=1, deals={"ledger": {"deal": 7}})
    assert tables.states["kotka"][0]
    with pytest.raises(OptionError, match=r"0\.\.7"):
        tables.reset(seed=1, deals={"ledger": {"deal": 8}})


def test_deals_after_the_28th_of_many_rubbers_can_be_replayed__K36() -> None:
    env = TableEnv("skruuvi", episode="match", rubbers=4)
    env.reset(seed=1)
    while not any(env.terminations.values()):
        env.step(env.legal_actions()[0])
    assert len(env.record()) == 32
    verify(env.record()[-1])

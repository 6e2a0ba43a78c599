"""What holds at every table whatever is played: symmetry, secrecy, completeness, and where the cards come from."""

import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from playing import (
    GAMES, LONGEST, PLAYER_NAMES, SLOW_PLAYERS, draw, ledger_of, make_env, make_tables, opening_of, positions, running, turns, wander,
)

from skruv import Tables
from skruv.aec import AGENTS
from skruv.engine.cards import ALL_CARDS, CARDS, SEATS
from skruv.engine.game import field_names
from skruv.games import load
from skruv.notation import board_of, cards_of, parse_action, parse_hand
from skruv.players import player
from skruv.render import render_table

games = pytest.mark.parametrize("game", GAMES)


# ---- rotation ---------------------------------------------------------------------------------------------------------------


@games
@pytest.mark.parametrize("turned", [1, 2, 3])
def test_everything_turns_with_the_table__P11(game: str, turned: int) -> None:
    rng = np.random.default_rng(turned)
    here = make_tables(game, 60, seed=turned, autoreset=False, ledger="random")
    there = make_tables(game, 60, seed=99, autoreset=False)
    there.reset(deals=[opening_of(state, turned) for state in here.states])
    while True:
        for seat in SEATS:
            mine, theirs = here.observe(seat), there.observe((seat + turned) % 4)
            assert np.array_equal(mine.observation, theirs.observation)
            assert np.array_equal(mine.mask, theirs.mask)
        rows = running(here)
        assert np.array_equal(rows, running(there))
        if not len(rows):
            break
        seen, again = here.observe(rows=rows), there.observe(rows=rows)
        assert np.array_equal((seen.seat + turned) % 4, again.seat)
        assert np.array_equal(here.hidden()[rows], there.hidden()[rows])
        for name in PLAYER_NAMES:
            if name not in SLOW_PLAYERS:  # the worlds that they draw turn in distribution only
                mine, theirs = (player(name, load(game), 5).act(tables.views(rows)) for tables in (here, there))
                assert np.array_equal(mine, theirs)
        actions = wander(seen.mask, rng)
        outcome, other = here.step(actions, rows), there.step(actions, rows)
        assert np.array_equal(np.roll(outcome.reward, turned, axis=1), other.reward)
        assert np.array_equal(outcome.terminated, other.terminated)
    for mine, theirs in zip(here.states, there.states, strict=True):
        assert {name: np.roll(value, turned).tolist() for name, value in ledger_of(mine).items()} == ledger_of(theirs)


# ---- no leak ----------------------------------------------------------------------------------------------------------------


def known_cards(game: str, state: np.void, seat: int) -> int:
    """The cards that ``seat`` has seen, from the rules and not from the engine's veil."""
    known = int(np.bitwise_or.reduce(state["played"]) | state["hand"][seat])
    if game == "biritch" and (state["done"] or state["laid"]):
        known |= int(state["hand"][(state["dealer"] + 2) % 4])
    if "discards" in field_names(state.dtype) and state["declarer"] == seat:
        known |= int(state["kotka"] | state["discards"])
    return known


def redeal(game: str, state: np.void, seat: int, rng: np.random.Generator) -> None:
    """Deal the cards that ``seat`` has not seen anew, to where as many lie, and whatever comes after this deal."""
    known = known_cards(game, state, seat)
    hidden = iter(rng.permutation(cards_of(int(ALL_CARDS) & ~known)).tolist())
    apart = int(ALL_CARDS & ~np.bitwise_or.reduce(state["hand"] | state["played"]))
    piles = []
    for pile in [*state["hand"].tolist(), apart]:
        swapped = [next(hidden) if not known >> card & 1 else card for card in cards_of(pile)]
        piles.append(board_of(swapped))
    state["hand"] = piles[:4]
    state["stream"] = rng.integers(2**63)
    dealt = state["hand"] | state["played"]
    if "kotka" in field_names(state.dtype) and state["kitty"] and state["declarer"] != seat:
        if state["declarer"] < 0:
            state["kotka"] = piles[4]
        else:
            state["discards"] = piles[4]
            taken = cards_of(int(dealt[state["declarer"]]) | piles[4])
            state["kotka"] = board_of(rng.permutation(taken)[:4].tolist())
            dealt[state["declarer"]] = board_of(taken) & ~int(state["kotka"])
    for other in SEATS:
        if other != seat:
            state["dealt"][other] = dealt[other]


@games
def test_no_seat_sees_a_hidden_card__P12(game: str) -> None:
    rng = np.random.default_rng(12)
    tables = make_tables(game, 40, seed=12, autoreset=False, ledger="random")
    phases = set()
    for rows in positions(tables, np.random.default_rng(3)):
        phases |= set(tables.phase[rows].tolist())
        true, other = (make_at(game, tables.states[rows]) for _ in range(2))
        for seat in SEATS:
            other.load(true.states)
            for state in other.states:
                redeal(game, state, seat, rng)
            assert_looks_alike(true, other, seat)
    assert phases == set(range(len(load(game).phases)))


def make_at(game: str, states: np.ndarray) -> Tables:
    tables = make_tables(game, len(states), seed=0, autoreset=False)
    tables.load(states)
    return tables


def assert_looks_alike(true: Tables, other: Tables, seat: int) -> None:
    mine, again = true.observe(seat), other.observe(seat)
    assert np.array_equal(mine.observation, again.observation)
    assert np.array_equal(mine.mask, again.mask)
    assert (true.known(seat) == other.known(seat)).all()
    assert render_table(true, seat) == render_table(other, seat)
    rows = np.flatnonzero(true.states["seat"] == seat)
    if len(rows):
        for name in PLAYER_NAMES:
            asked = rows[:1] if name in SLOW_PLAYERS else rows
            mine, again = (player(name, true.game, 1).act(tables.views(asked)) for tables in (true, other))
            assert np.array_equal(mine, again)


@games
def test_infos_tell_no_hidden_card__P12(game: str) -> None:
    env = make_env(game, episode=LONGEST[game], max_deals=2)
    env.reset(seed=1)
    rng = np.random.default_rng(1)
    for actor in turns(env, rng):
        assert all(set(env.infos[agent]) <= {"action_mask", "deal"} for agent in AGENTS)
        twin = env.clone()
        redeal(game, twin.tables.states[0], AGENTS.index(actor), rng)
        assert np.array_equal(env.observe(actor)["action_mask"], twin.observe(actor)["action_mask"])
        assert env.legal_actions() == twin.legal_actions()


@games
def test_a_veiled_state_has_the_true_legal_actions__P12(game: str) -> None:
    tables = make_tables(game, 60, seed=2, autoreset=False)
    for rows in positions(tables, np.random.default_rng(2)):
        views = tables.views(rows)
        assert not views.state["stream"].any()
        veiled = make_at(game, views.state).observe()
        assert np.array_equal(veiled.mask, views.mask)
        assert np.array_equal(veiled.seat, views.seat)
        assert np.array_equal(veiled.observation, views.observation)


def cards_drawn(text: str | None) -> set[int]:
    """The cards in hands, kotka or discards of a rendered table."""
    drawn = {suit + rank for suit, ranks in re.findall(r"([♣♦♥♠]) ([2-9TJQKA]+)", text or "") for rank in ranks}
    cards = {13 * "♣♦♥♠".index(name[0]) + "23456789TJQKA".index(name[1]) for name in drawn}
    return cards.union(*(cards_of(parse_hand(hand)) for hand in re.findall(r"(?:kotka|discards): (\S+)", text or "")))


@games
def test_a_drawing_shows_what_its_perspective_knows__P12(game: str) -> None:
    env = make_env(game, render_mode="ansi")
    for seed in range(3):
        env.reset(seed=seed)
        for actor in turns(env, np.random.default_rng(seed)):
            env.perspective = "all"
            words = env.decode(env.observe(actor)["observation"])
            state = env.tables.states[0]
            everything = [*state["hand"], *(state[name] for name in ("kotka", "discards") if name in field_names(state.dtype))]
            assert cards_drawn(env.render()) == set(cards_of(np.bitwise_or.reduce(everything)))
            env.perspective = "actor"
            known = set(words["hand"]) | set(words.get("dummy", ())) | set(words.get("discards", ()))
            cards = {env.game.actions[card] for card in cards_drawn(env.render())}
            if "kotka" in field_names(state.dtype) and state["declarer"] == AGENTS.index(actor):
                known |= {env.game.actions[card] for card in cards_of(state["kotka"])}
            assert cards == known


# ---- the cards --------------------------------------------------------------------------------------------------------------


@games
def test_52_cards_at_each_step(game: str) -> None:
    tables = make_tables(game, 100, seed=4, autoreset=False, episode=LONGEST[game], max_deals=3)
    for rows in positions(tables, np.random.default_rng(4)):
        states = tables.states[rows]
        piles = [states["hand"], states["played"]]
        if "kotka" in field_names(tables.game.state):
            piles += [states["discards"][:, None], np.where(states["declarer"] < 0, states["kotka"], 0)[:, None]]
        boards = np.concatenate(piles, axis=1)
        assert (np.bitwise_count(boards).sum(axis=1) == 52).all()
        assert (np.bitwise_or.reduce(boards, axis=1) == ALL_CARDS).all()


def deals_of(tables: Tables, rng: np.random.Generator, moves: int) -> list[list[tuple[int, ...]]]:
    """The deals at each table while ``moves`` random actions are made."""
    found: list[list[tuple[int, ...]]] = [[] for _ in range(tables.n)]
    stream = np.zeros(tables.n, np.uint64)
    for _ in range(moves):
        for row in np.flatnonzero(tables.states["stream"] != stream):
            found[row].append(tuple(tables.states["dealt"][row].tolist()))
        stream = tables.states["stream"].copy()
        tables.step(wander(tables.observe().mask, rng))
    return found


@games
def test_deal_k_of_a_seed_is_the_same_whatever_is_played(game: str) -> None:
    tables = [
        make_tables(game, 8, seed=5), make_tables(game, 8, seed=5, skip_forced=True),
        make_tables(game, 8, seed=5, episode=LONGEST[game]), make_tables(game, 8, seed=5, ledger="random", reward="winner"),
    ]
    runs = [deals_of(some, np.random.default_rng(number), 600) for number, some in enumerate(tables)]
    for dealt in zip(*runs, strict=True):
        shortest = min(map(len, dealt))
        assert shortest >= 5
        assert all(deals[:shortest] == dealt[0][:shortest] for deals in dealt)
        assert len(set(dealt[0])) == len(dealt[0])


DEALS = 100_000


@games
def test_deals_are_uniform(game: str) -> None:
    """Chi-square of where each card lies in fixed deals: at most 52 x 4 degrees of freedom."""
    tables = make_tables(game, DEALS, seed=0)
    hands = tables.states["dealt"]
    size = int(np.bitwise_count(hands[0, 0]))
    places = np.array([[(hands[:, seat] >> card & 1).sum() for seat in SEATS] for card in CARDS])
    places = np.column_stack([places, DEALS - places.sum(axis=1)])[:, : 4 + (size < 13)]
    expected = DEALS * np.array([size, size, size, size, 52 - 4 * size])[: places.shape[1]] / 52
    freedom = 52 * (places.shape[1] - 1)
    assert abs(((places - expected) ** 2 / expected).sum() - freedom) < 4.5 * np.sqrt(2 * freedom)
    dealers = np.bincount(tables.states["dealer"], minlength=4)
    assert ((dealers - DEALS / 4) ** 2 / (DEALS / 4)).sum() < 22  # 3 degrees of freedom: once in 10,000
    before = hands.copy()
    tables.reset()
    for one, other in ((before, tables.states["dealt"]), (before[:-1], before[1:])):  # the next deal, and the next seed's
        same = np.bitwise_count(one & other).sum()
        mean, deviation = 4 * size * size / 52, np.sqrt(3 * 13 / 4)
        assert abs(same / len(one) - mean) < 5 * deviation / np.sqrt(len(one))


# ---- every bit is used ------------------------------------------------------------------------------------------------------


def follow(tables: Tables, names: list[str]) -> Iterator[None]:
    """Make the actions called ``names`` at one table, then and for ``"highest"`` the highest card that is legal."""
    for name in [*names, *["highest"] * 56]:
        yield
        if not len(running(tables)):
            return
        cards = np.flatnonzero(tables.legal()[0, : len(CARDS)])
        action = parse_action(tables.game, name) if name != "highest" else int(cards[-1])
        tables.step(np.array([action]))


def scripts(game: str) -> list[tuple[dict[str, Any], dict[str, Any], list[str]]]:
    """Rules, opening and calls that bring about what random play hardly ever does."""
    contracts = list(load(game).contracts)
    if game == "vint":  # every bid after one and after two rounds of passes
        first, *others = contracts
        rounds = [[*["P"] * 4, first, *(name for bid in others for name in (*["P"] * passes, bid))] for passes in (4, 8)]
        return [({}, {}, [*names, *["P"] * 12]) for names in rounds]
    if game == "skruuvi":  # every raise; a misääri in which the declarer is second-best in all tricks
        second_best = "N:..KJ9753.KJ9753 ..AQT864.AQT864 AKQJT9.AKQJT9.. 8765432.87654.."
        return [
            ({}, {}, ["7C", "P", "P", "P", *["highest"] * 4, *contracts[1:], "P", "P", "P"]),
            ({}, {"deal": second_best, "kotka": "H3 H2 D2 C2", "contract": "misaari", "declarer": "N"}, []),
        ]
    if game == "biritch":
        all_spades = "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"
        return [
            ({"max_doublings": 8}, {}, ["S", *["X"] * 8]),
            ({}, {"deal": all_spades, "contract": "S", "declarer": "N"}, []),
        ]
    return []


def watched(game: str) -> Iterator[np.ndarray]:
    """(k, F) observations of all seats, in random play and in what it hardly ever brings."""
    for number, episode in enumerate(("deal", LONGEST[game])):
        tables = make_tables(game, 200, seed=number, episode=episode, ledger="random", autoreset=False, max_deals=12)
        for rows in positions(tables, np.random.default_rng(number)):
            yield from (tables.observe(seat, rows).observation for seat in SEATS)
        yield from (tables.observe(seat).observation for seat in SEATS)
    openings = [{"contract": contract, "declarer": declarer} for contract in load(game).contracts for declarer in "NESW"]
    tables = make_tables(game, len(openings), seed=2, autoreset=False)
    tables.reset(deals=openings)
    for rows in positions(tables, np.random.default_rng(2)):
        yield from (tables.observe(seat, rows).observation for seat in SEATS)
    for rules, opening, names in scripts(game):
        table = make_tables(game, seed=3, autoreset=False, **rules)
        table.reset(deals=opening)
        for _ in follow(table, names):
            yield from (table.observe(seat).observation for seat in SEATS)


@games
def test_every_bit_takes_both_values__P13(game: str) -> None:
    size = make_tables(game).size
    lit, dark = np.zeros(size, np.bool_), np.zeros(size, np.bool_)
    for observations in watched(game):
        lit |= observations.any(axis=0)
        dark |= ~observations.all(axis=0)
    never = {
        name: (np.flatnonzero(~lit[place]).tolist(), np.flatnonzero(~dark[place]).tolist())
        for name, place in load(game).layout().items() if not (lit[place] & dark[place]).all()
    }
    assert never == {}, "bits that are never 1, and never 0, by plane"


@games
def test_the_mask_reaches_every_action(game: str) -> None:
    tables = make_tables(game, 100, seed=6, autoreset=False)
    legal = np.zeros(tables.actions, np.bool_)
    for rows in positions(tables, np.random.default_rng(6)):
        legal |= tables.observe(rows=rows).mask.any(axis=0)
    assert legal.all()
    assert draw(np.ones((3, tables.actions), np.int8), np.random.default_rng(0)).shape == (3,)

"""Determinizations: full states drawn uniformly from all deals that fit what a seat knows."""

import math
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from playing import GAMES, LONGEST, draw, make_env, make_tables, positions, running, wander
from test_properties import make_at, redeal

from skruv import IllegalAction, Tables
from skruv.aec import AGENTS
from skruv.engine.cards import ALL_CARDS, SEATS
from skruv.engine.game import field_names
from skruv.games import load
from skruv.notation import cards_of

games = pytest.mark.parametrize("game", GAMES)
RULES = [
    ("vint", {}), ("biritch", {}), ("skruuvi", {}), ("skruuvi", {"kitty": False}), ("skruuvi", {"solo_partner": "opponent"}),
]
NAMES = [" ".join((game, *given)) for game, given in RULES]
rules = pytest.mark.parametrize(("game", "given"), RULES, ids=NAMES)

MOST_CELLS = 5000
"""Deals that are enumerated, for one chi-square test."""
DRAWS_A_CELL = 8
LIMIT = 4.5
"""Standard deviations by which a sum of squares may pass its mean; the draws are fixed."""


def piles_of(game: str, state: np.void) -> list[int]:
    """The four hands, and the cards apart: the kotka before it is taken, the discards after that."""
    apart = 0
    if "discards" in field_names(state.dtype):
        apart = int(state["kotka"] if state["declarer"] < 0 else state["discards"])
    return [*state["hand"].tolist(), apart]


# ---- what a sample respects -------------------------------------------------------------------------------------------------


@rules
def test_a_sample_is_a_deal_that_fits__P14(game: str, given: dict[str, Any]) -> None:
    """Hand sizes, voids, own and open cards, own discards and kotka; every phase and every seat."""
    tables = make_tables(game, 25, seed=14, autoreset=False, ledger="random", **given)
    phases, voids = set(), 0
    for turn, rows in enumerate(positions(tables, np.random.default_rng(14))):
        phases |= set(tables.phase[rows].tolist())
        voids += np.count_nonzero(tables.states["voids"][rows])
        for seat in SEATS:
            samples = tables.determinize(seat, rows, seed=turn)
            assert (make_at(game, samples).known(seat) == tables.known(seat, rows)).all()
            for truth, sample in zip(tables.states[rows], samples, strict=True):
                assert_fits(game, truth, sample)
    assert voids > 500
    if game != "skruuvi" or given.get("kitty", True):
        assert phases == set(range(len(load(game).phases)))


def assert_fits(game: str, truth: np.void, sample: np.void) -> None:
    piles = piles_of(game, sample)
    everywhere = [*piles, *sample["played"].tolist()]
    assert sum(everywhere) == np.bitwise_or.reduce(everywhere) == ALL_CARDS  # each card once
    assert [pile.bit_count() for pile in piles] == [pile.bit_count() for pile in piles_of(game, truth)]
    for seat in SEATS:
        assert not any(truth["voids"][seat] >> card // 13 & 1 for card in cards_of(piles[seat]))
        mine = int(sample["hand"][seat] | sample["played"][seat])
        if "declarer" in field_names(sample.dtype) and sample["kitty"] and sample["declarer"] == seat:
            kotka = int(sample["kotka"])
            assert kotka.bit_count() == 4
            assert int(sample["dealt"][seat]) == (mine | int(sample["discards"])) & ~kotka
            assert not kotka & ~(mine | int(sample["discards"]))
        else:
            assert sample["dealt"][seat] == mine


@rules
def test_the_same_seed_draws_the_same__P14(game: str, given: dict[str, Any]) -> None:
    tables = make_tables(game, 30, seed=15, autoreset=False, **given)
    views = tables.views()
    assert (tables.determinize(seed=3) == tables.determinize(seed=3)).all()
    assert (tables.determinize(seed=np.random.default_rng(3)) == tables.determinize(seed=3)).all()
    assert (tables.determinize(seed=3) != tables.determinize(seed=4)).all()
    worlds = views.worlds(5, np.random.default_rng(3))
    assert worlds.shape == (30, 5)
    assert (worlds == views.worlds(5, np.random.default_rng(3))).all()
    assert len(np.unique(worlds["stream"])) == 150  # the deals to come are drawn too
    assert len(np.unique(worlds["hand"].reshape(150, 4), axis=0)) == 150


@rules
def test_the_true_deal_has_no_say__P14(game: str, given: dict[str, Any]) -> None:
    rng = np.random.default_rng(16)
    tables = make_tables(game, 30, seed=16, autoreset=False, **given)
    for turn, rows in enumerate(positions(tables, np.random.default_rng(5))):
        for seat in SEATS:
            other = make_at(game, tables.states[rows])
            for state in other.states:
                redeal(game, state, seat, rng)
            assert (other.determinize(seat, seed=turn) == tables.determinize(seat, rows, seed=turn)).all()


@rules
def test_a_sample_is_played_to_the_end__P14(game: str, given: dict[str, Any]) -> None:
    """From anywhere in a deal, and into the deals after it."""
    rng = np.random.default_rng(17)
    tables = make_tables(game, 300, seed=17, autoreset=False, episode=LONGEST[game], max_deals=3, **given)
    worlds = make_tables(game, 300, seed=0, autoreset=False, episode=LONGEST[game], max_deals=3, **given)
    for turn in range(60):
        rows = running(tables)
        if turn % 7 == 0:
            worlds.load(tables.determinize(rows=rows, seed=turn), rows)
            while len(live := running(worlds)):
                worlds.step(draw(worlds.observe(rows=live).mask, rng), live)
            assert (worlds.states["finished"][rows] >= 1).all()
        tables.step(wander(tables.observe(rows=rows).mask, rng), rows)


@games
def test_the_environment_draws_for_an_agent__P14(game: str) -> None:
    env = make_env(game)
    with pytest.raises(IllegalAction, match="call reset"):
        env.unwrapped.determinize("player_1", np.random.default_rng(1))
    env.reset(seed=5)
    for agent in AGENTS:
        sample = env.unwrapped.determinize(agent, np.random.default_rng(1))
        assert sample.shape == (1,)
        tables = make_at(game, sample)
        assert np.array_equal(tables.observe(AGENTS.index(agent)).observation[0], env.observe(agent)["observation"])
    with pytest.raises(ValueError, match="'north' is not an agent"):
        env.unwrapped.determinize("north", np.random.default_rng(1))


def test_what_is_refused() -> None:
    tables = Tables("vint", 3, autoreset=False)
    with pytest.raises(TypeError, match="seed = None"):
        tables.determinize(seed=None)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"seat = 4: it must be 0\.\.3"):
        tables.determinize(4, seed=1)
    with pytest.raises(ValueError, match="count = 0"):
        tables.views().worlds(0, np.random.default_rng(1))
    while len(rows := running(tables)):
        tables.step(tables.legal().argmax(axis=1)[rows], rows)
    with pytest.raises(ValueError, match="seat = "):
        tables.determinize(seed=1)  # nobody is to act
    assert tables.determinize(2, seed=1).shape == (3,)


# ---- every deal with the same chance ----------------------------------------------------------------------------------------


def deals_that_fit(hidden: list[int], room: list[int], barred: list[int]) -> Iterator[tuple[int, ...]]:
    """Every way to lay the cards ``hidden`` into places with so much room, suits being barred from some; as bitboards."""
    if not hidden:
        yield (0,) * len(room)
        return
    card = hidden[0]
    for place, free in enumerate(room):
        if free and not barred[place] >> card // 13 & 1:
            room[place] -= 1
            for rest in deals_that_fit(hidden[1:], room, barred):
                yield (*rest[:place], rest[place] | 1 << card, *rest[place + 1 :])
            room[place] += 1


def ways_of(hidden: list[int], room: list[int], barred: list[int]) -> int:
    """As many as there are, or more: only cards that can lie in one place alone are reckoned with."""
    left, loose = list(room), 0
    for card in hidden:
        open_to = [place for place, free in enumerate(room) if free and not barred[place] >> card // 13 & 1]
        if len(open_to) == 1:
            left[open_to[0]] -= 1
        else:
            loose += 1
    return math.factorial(loose) // math.prod(map(math.factorial, left))


def endings(game: str, given: dict[str, Any]) -> Iterator[tuple[np.void, int, list[int], list[int], list[int]]]:
    """States with at most three cards in a hand, a seat, and what is hidden from it: the cards, the room and the bars."""
    tables = make_tables(game, 150, seed=18, autoreset=False, **given)
    for rows in positions(tables, np.random.default_rng(18)):
        rows = rows[tables.states["done"][rows] >= 10 - (game == "skruuvi" and given.get("kitty", True))]
        for seat in SEATS:
            for state, veiled in zip(tables.states[rows], tables.known(seat, rows), strict=True):
                piles, known = piles_of(game, state), piles_of(game, veiled)
                room = [pile.bit_count() - own.bit_count() for pile, own in zip(piles, known, strict=True)]
                hidden = cards_of(int(ALL_CARDS) & ~int(np.bitwise_or.reduce([*known, *state["played"].tolist()])))
                yield state, seat, hidden, room, [*state["voids"].tolist(), 0]


@pytest.mark.parametrize(("game", "given"), RULES[:4], ids=NAMES[:4])
def test_every_deal_has_the_same_chance__P14(game: str, given: dict[str, Any]) -> None:
    """Chi-square against the enumeration of three-card endings, by how many suits are barred, with hidden discards in Skruuvi."""
    wanted = {(bars, False): 2 for bars in range(4)}
    if game == "skruuvi" and given.get("kitty", True):
        wanted |= {(bars, True): 2 for bars in (1, 2, 3)}
    for state, seat, hidden, room, barred in endings(game, given):
        suits = {card // 13 for card in hidden}
        bars = sum(any(barred[place] >> suit & 1 and room[place] for place in range(5)) for suit in suits)
        kind = bars, room[4] > 0
        if wanted.get(kind, 0) == 0 or not 2 < ways_of(hidden, room, barred) <= 4 * MOST_CELLS:
            continue
        deals = list(deals_that_fit(hidden, room, barred))
        if 4 < len(deals) <= MOST_CELLS:
            assert_uniform(game, state, seat, deals, room)
            wanted[kind] -= 1
        if not any(wanted.values()):
            break
    assert not any(wanted.values()), wanted


def assert_uniform(game: str, state: np.void, seat: int, deals: list[tuple[int, ...]], room: list[int]) -> None:
    """As many samples of each of the ``deals`` as chance allows."""
    samples = make_at(game, np.repeat(state.reshape(1), DRAWS_A_CELL * len(deals))).determinize(seat, seed=19)
    apart = np.zeros(len(samples), np.int64)
    if room[4]:
        apart = samples["kotka" if state["declarer"] < 0 else "discards"]
    piles = np.where(np.array(room) > 0, np.column_stack([samples["hand"], apart]), 0)
    counts = Counter(map(tuple, piles.tolist()))
    assert set(counts) <= set(deals)
    squares = sum((counts[deal] - DRAWS_A_CELL) ** 2 / DRAWS_A_CELL for deal in deals)
    freedom = len(deals) - 1
    assert abs(squares - freedom) < LIMIT * math.sqrt(2 * freedom) + LIMIT, (state, seat)

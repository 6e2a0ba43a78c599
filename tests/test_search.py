"""The player ``search``: its double dummy, its solver of solo contracts, what it believes, and what it does."""

from collections.abc import Iterator
from typing import Any

import numba
import numpy as np
import pytest
from playing import GAMES, draw, make_tables, positions, running
from test_properties import make_at, redeal

from skruv import Tables
from skruv.checks import MissingExtra
from skruv.engine.cards import SEATS, STRAIN_LETTERS
from skruv.engine.game import field_names
from skruv.engine.kernel import records
from skruv.games import load
from skruv.notation import action_text, parse_action, parse_hand
from skruv.players import SearchPlayer, doubledummy, player
from skruv.players.belief import loop_of
from skruv.players.rollout import estimates_of
from skruv.players.search import Budget, cards_of_turn, turn_of
from skruv.players.solver import SoloSolver, is_solo_play

games = pytest.mark.parametrize("game", GAMES)

ENDINGS = 500
BY_CARDS = {1: 0.04, 2: 0.16, 3: 0.3, 4: 0.3, 5: 0.16, 6: 0.04}
"""The share of endings with so many cards in the hand to play."""
SOLOS = ("misaari", "bolshevik", "mussolini")


# ---- all cards in sight -----------------------------------------------------------------------------------------------------


@numba.njit
def brute(hands, seat, strain, led, best, winner, laid, out, counted, eager, low, high):
    """Tricks that the seats ``counted`` (bits) win with best play, the seats ``eager`` wanting many and the others few; by plain minimax
    that leaves off where the result can't be between ``low`` and ``high``."""
    hand = hands[seat]
    if hand == 0 and laid == 0:
        return 0
    following = hand & (0x1FFF << (13 * led)) if laid > 0 else 0
    moves = following if following else hand
    wants_many = (eager >> seat) & 1 == 1
    result = -1 if wants_many else 99
    for card in range(52):
        if not (moves >> card) & 1:
            continue
        suit = card // 13
        wins = laid == 0 or (suit == best // 13 and card > best) or (suit == strain and best // 13 != strain)
        new_best, new_winner = (card, seat) if wins else (best, winner)
        hands[seat] = hand & ~(1 << card)
        if laid + 1 == (4 if out < 0 else 3):
            won = (counted >> new_winner) & 1
            value = won + brute(hands, new_winner, strain, -1, -1, -1, 0, out, counted, eager, low - won, high - won)
        else:
            following_seat = (seat + 1) & 3
            if following_seat == out:
                following_seat = (following_seat + 1) & 3
            new_led = suit if laid == 0 else led
            value = brute(hands, following_seat, strain, new_led, new_best, new_winner, laid + 1, out, counted, eager, low, high)
        hands[seat] = hand
        if wants_many:
            result = max(result, value)
            low = max(low, value)
        else:
            result = min(result, value)
            high = min(high, value)
        if low >= high:
            break
    return result


def brute_after(state: np.void, card: int, counted: int, eager: int, out: int) -> int:
    """The tricks of ``counted`` after ``card`` of the hand in turn."""
    hands = state["hand"].astype(np.int64)
    if out >= 0:
        hands[out] = 0
    turn = turn_of(state)
    full = hands[turn]
    hands[turn] = 1 << card
    others = full & ~(1 << card)
    laid, strain = int(state["laid"]), int(state["strain"])
    led = int(state["trick"][state["leader"]]) // 13 if laid else card // 13
    best, winner = (int(state["trick"][state["best"]]), int(state["best"])) if laid else (-1, -1)
    if laid == 0 or (card // 13 == best // 13 and card > best) or (card // 13 == strain and best // 13 != strain):
        best, winner = card, turn
    hands[turn] = others
    if laid + 1 == (4 if out < 0 else 3):
        return (counted >> winner & 1) + brute(hands, winner, strain, -1, -1, -1, 0, out, counted, eager, -1, 99)
    following = (turn + 1) % 4 if (turn + 1) % 4 != out else (turn + 2) % 4
    return brute(hands, following, strain, led, best, winner, laid + 1, out, counted, eager, -1, 99)


def endings(game: str, contracts: tuple[str, ...], most: int = 6, **rules: Any) -> Iterator[np.void]:
    """States in which a hand has up to ``most`` cards and a choice, from random play."""
    rng = np.random.default_rng(5)
    wanted = {cards: round(ENDINGS * share) for cards, share in BY_CARDS.items() if cards <= most}
    seed = 0
    while any(wanted.values()):
        tables = make_tables(game, 60, seed=(seed := seed + 60), autoreset=False, **rules)
        tables.reset(deals=[{"contract": str(rng.choice(contracts)), "declarer": "NESW"[rng.integers(4)]} for _ in range(60)])
        for rows in positions(tables, rng):
            for row, mask in zip(rows, tables.observe(rows=rows).mask, strict=True):
                state: Any = tables.states[row]
                cards = cards_of_turn(state)
                if wanted.get(cards, 0) and (mask.sum() > 1 or cards == 1) and rng.random() < 0.2:
                    wanted[cards] -= 1
                    yield state.copy()


def trick_contracts(game: str) -> tuple[str, ...]:
    return tuple(contract for contract in load(game).contracts if contract not in SOLOS)


@games
def test_double_dummy_agrees_with_brute_force(game: str) -> None:
    """With trumps and without, in the middle of a trick, dummy's turn."""
    states = np.array(list(endings(game, trick_contracts(game))))
    tricks = doubledummy.tricks_by_card(states)
    masks = make_at(game, states).observe().mask[:, :52]
    assert np.array_equal(tricks >= 0, masks > 0)
    for state, mask, row in zip(states, masks, tricks, strict=True):
        mine = 0b0101 if turn_of(state) % 2 == 0 else 0b1010
        for card in np.flatnonzero(mask).tolist():
            assert row[card] == brute_after(state, card, mine, mine, -1)
    assert {STRAIN_LETTERS[strain] for strain in states["strain"]} == set(STRAIN_LETTERS)
    assert set(states["laid"].tolist()) == {0, 1, 2, 3}
    if game == "biritch":
        assert (states["turn"] != states["seat"]).any()


@pytest.mark.parametrize(("partner", "most"), [("out", 6), ("opponent", 5)])
def test_the_solver_of_solo_contracts_agrees_with_brute_force(partner: str, most: int) -> None:
    """Three-handed and four-handed: misääri counts the declarer's tricks, the others ask for one that decides."""
    solver = SoloSolver(10**7)
    seen = set()
    for state in endings("skruuvi", SOLOS, most, solo_partner=partner):
        assert is_solo_play(load("skruuvi"), state)
        contract, declarer = load("skruuvi").contracts[state["bid"]], int(state["declarer"])
        out = (declarer + 2) % 4 if partner == "out" else -1
        legal = np.flatnonzero(make_at("skruuvi", state.reshape(1)).observe().mask[0])
        left = cards_of_turn(state)
        others = 0b1111 ^ 1 << declarer
        counted = others if contract == "mussolini" else 1 << declarer
        brutes = [brute_after(state, card, counted, others, out) for card in legal.tolist()]
        if contract != "misaari":
            brutes = [min(tricks, 1) for tricks in brutes]
        own = [left - tricks if contract == "mussolini" else tricks for tricks in brutes]
        side_0 = own if declarer % 2 == 0 else [left - tricks for tricks in own]
        assert solver.tricks(state.reshape(1), legal)[0].tolist() == side_0
        seen |= {(contract, min(tricks, 1)) for tricks in brutes}
    assert {(contract, trick) for contract in SOLOS for trick in (0, 1)} <= seen


def test_the_solver_gives_up_where_it_is_told_to() -> None:
    tables = make_tables("skruuvi", 20, seed=1, autoreset=False)
    tables.reset(deals={"contract": "misaari", "declarer": "N"})
    rows = [np.flatnonzero(mask) for mask in tables.legal()]
    solved = [SoloSolver(3).tricks(tables.states[row : row + 1], cards) for row, cards in enumerate(rows)]
    assert any((tricks == -1).any() for tricks in solved)


@games
def test_a_deal_that_is_shared_out_pays_what_a_played_one_does(game: str) -> None:
    """But for which side was the first to reach a game, and the second best of misääri."""
    rng = np.random.default_rng(6)
    tables = make_tables(game, 200, seed=6, autoreset=False, ledger="random")
    tables.reset(deals=[{"contract": contract, "declarer": "E"} for contract in rng.choice(load(game).contracts, 200)])
    before = []
    for turn, rows in enumerate(positions(tables, rng)):
        if turn % 5 == 0:
            before.append((rows, tables.save(rows)))
    left_out = {"game", "second_best"}
    lines = [number for number, line in enumerate(load(game).lines) if line.kind not in left_out]
    for rows, states in before:
        results = tables.results[rows]
        more = (results["tricks"][:, 0] - states["tricks"][:, 0]).astype(np.int64)
        estimates_of(load(game)).share_out(records(states), more, np.zeros(len(rows), np.int64), np.empty(len(rows)))
        assert np.array_equal(states["result"]["lines"][:, lines], results["lines"][:, lines])


# ---- what it believes -------------------------------------------------------------------------------------------------------


@games
def test_calls_are_read_off_the_state(game: str) -> None:
    """Where thumb sits in every seat, the true deal agrees with every call; another deal hardly ever does."""
    tables = make_tables(game, 60, seed=7, autoreset=False)
    thumb = player("thumb", load(game))
    true, other = [], []
    while len(rows := running(tables)):
        views = tables.views(rows)
        for states, found in ((tables.save(rows), true), (tables.determinize(rows=rows, seed=1), other)):
            misses = np.full(len(rows), -1)
            loop_of(load(game))(records(states), records(states.copy()), 9, misses)
            found += misses.tolist()
        tables.step(thumb.act(views), rows)
    assert not any(true)
    assert np.mean(other) > 0.1


# ---- what it does -----------------------------------------------------------------------------------------------------------


def story(game: str, name: str, seed: int) -> list[bytes]:
    tables = make_tables(game, 2, seed=8, autoreset=False)
    who = player(name, load(game), seed)
    actions = []
    while len(rows := running(tables)):
        views = tables.views(rows)
        actions.append(who.act(views))
        assert views.mask[np.arange(len(rows)), actions[-1]].all()
        tables.step(actions[-1], rows)
    return [action.tobytes() for action in actions]


@games
@pytest.mark.parametrize("name", ["search:worlds=1", "search:rollout,worlds=2"])
def test_the_same_seed_searches_alike(game: str, name: str) -> None:
    assert story(game, name, 5) == story(game, name, 5)


@games
def test_search_looks_only_at_its_views__P12(game: str) -> None:
    """Deal the hidden cards anew, and it chooses the same."""
    rng = np.random.default_rng(9)
    tables = make_tables(game, 6, seed=9, autoreset=False)
    for turn, rows in enumerate(positions(tables, rng)):
        if turn % 4:
            continue
        other = make_at(game, tables.states[rows])
        for state in other.states:
            redeal(game, state, int(state["seat"]), rng)
        mine, again = (player("search:worlds=2", load(game), 1).act(views) for views in (tables.views(rows), other.views()))
        assert np.array_equal(mine, again)


def ending(game: str, contract: str, hands: str, leader: int, voids: dict[int, str] | None = None) -> Tables:
    """A table at which North declares ``contract`` and only these ``hands`` (north, east, south, west) are left."""
    tables = make_tables(game, 1, seed=1, autoreset=False)
    tables.reset(deals={"contract": contract, "declarer": "N"})
    state = tables.save()
    boards = [parse_hand(hand) for hand in hands.split()]
    gone = iter([card for card in range(52) if not any(board >> card & 1 for board in boards)])
    state["hand"] = boards
    state["done"] = 13 - max(board.bit_count() for board in boards) - (game == "skruuvi")
    for seat in SEATS:
        state["played"][0, seat] = sum(1 << next(gone) for _ in range(int(state["done"][0])))
    if game == "skruuvi":
        state["discards"] = state["kotka"] = sum(1 << card for card in gone)
    state["dealt"] = state["hand"] | state["played"]
    state["leader"] = state["seat"] = leader
    if "turn" in field_names(state.dtype):
        state["turn"] = leader
    for seat, suits in (voids or {}).items():
        state["voids"][0, seat] = sum(1 << "CDHS".index(suit) for suit in suits)
    tables.load(state)
    return tables


def choice(tables: Tables, before: str, name: str = "search") -> str:
    """What search does after the cards ``before``."""
    for card in before.split():
        tables.step([parse_action(tables.game, card)])
    return action_text(tables.game, int(player(name, tables.game, 1).act(tables.views())[0]))


def test_a_marked_finesse() -> None:
    """West has shown a void in spades, so that East holds the king: the queen wins, and the ace would leave it the second trick."""
    tables = ending("biritch", "N", "32...2 K4.3.. AQ..2. .A.K.3", 0, {3: "S"})
    assert choice(tables, "S2 S4") == "SQ"


@pytest.mark.parametrize("name", ["bolshevik", "misaari"])
def test_a_misere_is_played_under(name: str) -> None:
    """East has led the nine and the others still hold lower cards: the highest card below it is thrown, never the one above."""
    tables = ending("skruuvi", name, "T8.2.. 95.7.. 76.A.. 4.KQ..", 1)
    assert choice(tables, "S9 S4") == "S8"


# ---- its forms --------------------------------------------------------------------------------------------------------------


def test_budgets_are_read() -> None:
    assert Budget.read("rollout") == Budget(rollout=True)
    assert Budget.read("worlds=20") == Budget(worlds=20)
    assert Budget.read("rollout,worlds=5,ms=50") == Budget(5, 50, True)
    assert Budget.read("ms=50").worlds > 100
    for wrong in ("", "worlds", "worlds=0", "worlds=-1", "worlds=x", "worlds=²", "rollouts", "ms=", "worlds=5 ms=50", "rollout=1"):
        with pytest.raises(ValueError, match=r"the forms are 'search'.*rollout, worlds=N and ms=N"):
            player(f"search:{wrong}", load("vint"))


def test_a_time_limit_is_kept_to_a_chunk() -> None:
    tables = make_tables("vint", 1, seed=3, autoreset=False)
    who = SearchPlayer(tables.game, 1, Budget(worlds=1000, milliseconds=1, rollout=True))
    views = tables.views()
    assert views.mask[0, who.act(views)[0]]


def test_without_the_extra_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise ImportError(name)

    doubledummy.solver.cache_clear()
    monkeypatch.setattr(doubledummy, "import_module", missing)
    with pytest.raises(MissingExtra, match=r"pip install 'skruv\[dds\]'; 'search:rollout' needs nothing"):
        player("search", load("vint"))
    with pytest.raises(ImportError, match="'search:rollout' needs nothing"):
        player("search:worlds=3", load("vint"))
    tables = make_tables("vint", 1, seed=3, autoreset=False)
    tables.step(draw(tables.legal(), np.random.default_rng(1)))
    assert len(player("search:rollout,worlds=1", tables.game).act(tables.views())) == 1

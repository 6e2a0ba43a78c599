"""Tables set up for a point of law: hands that are given, a dialogue round the table, tricks that fall as they should."""

from collections.abc import Mapping
from itertools import chain
from typing import Any

import numpy as np

from skruv import TableEnv, Tables
from skruv.aec import AGENTS
from skruv.engine.cards import CARD_NAMES
from skruv.engine.cards import SEAT_LETTERS as SEATS
from skruv.notation import deal_text, decode, parse_action, parse_cards, parse_deal


# Hands.


def deal(*, kotka: str | None = None, void: str = "", **hands: str) -> dict[str, str]:
    """A deal in the words of ``reset``: each seat holds at least its ``hands``; the other cards are dealt round.

    ``void="S:D"`` leaves South without diamonds. With a ``kotka``, which may be empty, the hands are of twelve cards.
    """
    room = dict.fromkeys(SEATS, 13) if kotka is None else dict.fromkeys(SEATS, 12) | {"kotka": 4}
    held = {place: (kotka or "").split() if place == "kotka" else hands.get(place, "").split() for place in room}
    forbidden = {(seat, suit) for seat, suit in (word.split(":") for word in void.split())}
    scarce = {suit for _, suit in forbidden}
    rest = [card for card in CARD_NAMES if card not in chain(*held.values())]
    for card in sorted(rest, key=lambda card: card[0] not in scarce):
        open_places = [place for place in room if (place, card[0]) not in forbidden]
        held[max(open_places, key=lambda place: room[place] - len(held[place]))].append(card)
    text = {place: " ".join(cards) for place, cards in held.items()}
    dealt = {"deal": deal_text(parse_cards(text[seat]) for seat in SEATS)}
    return dealt if kotka is None else dealt | {"kotka": text["kotka"]}


def seated(declarer: int, hands: Mapping[str, str]) -> dict[str, str]:
    """Hands by what the seat is to the declarer - D himself, L left, P partner, R right - as hands by seat."""
    return {SEATS[(declarer + "DLPR".index(role)) % 4]: cards for role, cards in hands.items()}


# A dialogue.


def table(game: str, options: Mapping[str, Any] | None = None, **rules: Any) -> TableEnv:
    """A table at which North deals first."""
    env = TableEnv(game, **{"first_dealer": "N", **rules})
    env.reset(seed=0, options=options)
    return env


def say(env: TableEnv, dialogue: str) -> None:
    """Make actions, as in ``"N 1C, E P"``; each seat must be the one that is asked, each action legal."""
    for phrase in dialogue.split(", "):
        seat, action = phrase.split()
        assert asked(env) == seat, phrase
        assert action in legal(env), phrase
        env.step(parse_action(env.game, action))


def passes(env: TableEnv, times: int) -> None:
    """So many passes, whoever is asked."""
    for _ in range(times):
        env.step(parse_action(env.game, "P"))


def asked(env: TableEnv) -> str:
    """The seat whose decision it is."""
    return SEATS[AGENTS.index(env.agent_selection)]


def legal(env: TableEnv) -> set[str]:
    """What it may do."""
    return {env.game.actions[action] for action in env.legal_actions()}


def phase(env: TableEnv) -> str:
    return env.game.phases[env.tables.phase[0]]


def standing(env: TableEnv) -> tuple[str, str, int]:
    """The contract, its declarer, how often it is doubled."""
    contract, declarer, doublings = env.game.standing_in(env.tables.states[0])
    return env.game.contracts[contract], SEATS[declarer], doublings


def sees(tables: Tables, seat: str) -> dict[str, Any]:
    """What a seat observes, in words."""
    return decode(tables.game, tables.observe(SEATS.index(seat)).observation[0])


# Tricks.


def won_by(winners: Any) -> np.ndarray:
    """(n, 13, 4) cards by seat for tricks that go to ``winners``, (n, 13) seats.

    The winner lays the five of clubs, the seats from his left on the two, the three and the four: his right is the second-best.
    """
    chairs = (np.arange(4) - np.asarray(winners)[..., None]) % 4
    return np.where(chairs == 0, 3, chairs - 1)


def play_out(tables: Tables, cards: np.ndarray, tricks: int = 13) -> np.ndarray:
    """Play on to the end of the deal, or to a number of tricks: in trick t of table i each seat lays ``cards[i, t, seat]``.

    Nobody has to hold these cards. The hands that the seats do hold count as played. Returns (n, 4) what each seat was paid.
    """
    paid = np.zeros((tables.n, 4))
    states = tables.states
    finished = states["finished"].copy()
    states["played"] = states["hand"]
    hand = "turn" if tables.game.name == "biritch" else "seat"
    while len(rows := np.flatnonzero((states["finished"] == finished) & (states["done"] < tricks))):
        seat = states[hand][rows]
        card = cards[rows, states["done"][rows], seat]
        states["hand"][rows, seat] = np.left_shift(1, card)
        tables.load(states[rows], rows)
        paid[rows] += tables.step(card, rows).reward
    return paid


def play_rubber(tables: Tables, deals: list[tuple[dict[str, str], str, list[int]]]) -> list[tuple[list[int], list[int]]]:
    """Play deals on one table, each of given hands, calls and winners; what each adds below and above the line."""
    marks = []
    for given, calls, winners in deals:
        tables.states["hand"] = tables.states["dealt"] = parse_deal(given["deal"]).hands
        for call in calls.split():
            tables.step(np.array([parse_action(tables.game, call)]))
        play_out(tables, won_by([winners]))
        marks.append((column(tables, "below")[0].tolist(), column(tables, "above")[0].tolist()))
    return marks


# The score.


def column(tables: Tables, name: str) -> np.ndarray:
    """(n, 2) points that the last deal added to a column, by side."""
    places = [place for place, line in enumerate(tables.game.lines) if line.column == name]
    return tables.results["lines"][:, places].sum(axis=1)


def margin(tables: Tables) -> int:
    """Points of North and South in the session, minus those of East and West."""
    ours, theirs = tables.states["ledger"]["total"][0].tolist()
    return ours - theirs

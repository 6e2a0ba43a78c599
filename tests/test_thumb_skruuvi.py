"""The player ``thumb`` at Skruuvi: written positions, and what holds in all of them."""

from typing import Any, NamedTuple

import numpy as np
import pytest
from playing import make_tables, running, wander

from skruv import Tables
from skruv.arena import play_match, play_tables
from skruv.engine.cards import ALL_CARDS, CARD_NAMES, SEAT_LETTERS
from skruv.engine.kernel import records
from skruv.games import load
from skruv.games.skruuvi import BOLSHEVIK, MISAARI, PHASES
from skruv.notation import action_text, board_of, deal_text, parse_action, parse_cards, parse_hand
from skruv.players import ThumbPlayer, player

GAME = load("skruuvi")


class Case(NamedTuple):
    """North deals, East speaks first. The hands and the kotka that matter, the calls and cards made, the action that follows."""

    hands: dict[str, str]
    kotka: str
    before: str
    action: str
    why: str
    rules: dict[str, Any] = {}  # noqa: RUF012 (never written)


NO_SOLO = {"variant": "simplified"}
NO_KOTKA = {"kitty": False}


def deal_around(case: Case) -> dict[str, str]:
    """A deal with what ``case`` names; the seats take the rest of the pack in turn, from the deuces up, with the cards they play."""
    each = 13 if case.rules.get("kitty") is False else 12
    boards = [parse_hand(case.hands.get(seat, "...")) for seat in SEAT_LETTERS]
    kotka = parse_cards(case.kotka)
    rest = [card for card in range(len(CARD_NAMES)) if not (sum(boards) | kotka) >> card & 1]
    rest.sort(key=lambda card: card % 13)
    for card in rest:
        if each == 12 and kotka.bit_count() < 4 and not case.kotka:
            kotka |= 1 << card
            continue
        seat = min((seat for seat in range(4) if boards[seat].bit_count() < each), key=lambda seat: boards[seat].bit_count())
        boards[seat] |= 1 << card
    assert sum(boards) | kotka == ALL_CARDS
    return {"deal": deal_text(boards), "dealer": "N"}


def position(case: Case) -> Tables:
    tables = Tables("skruuvi", autoreset=False, **case.rules)
    tables.reset(deals=deal_around(case))
    for name in case.before.split():
        tables.step([parse_action(GAME, name)])
    return tables


CASES = (
    # the first auction
    Case({"E": "5432.432.532.43"}, "", "", "bolshevik", "no card above a five: whatever is led, somebody is higher"),
    Case({"E": "A.A.A.A"}, "", "", "?", ""),
)


def answer(case: Case) -> str:
    return action_text(GAME, int(player("thumb", GAME).act(position(case).views())[0]))

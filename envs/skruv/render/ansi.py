"""A table as text: hands, auction, trick, contract, score sheet."""

import numpy as np

from ..engine.cards import CARDS, NO_CARD, NO_SEAT, RANK_LETTERS, SEAT_LETTERS, SEATS, SIDE_NAMES, SUIT_LETTERS
from ..engine.game import Game, field_names
from ..notation import PBN_SUITS, hand_text
from ..tables import Tables

PIPS = dict(zip("CDHSN", (*"♣♦♥♠", "NT"), strict=True))
ROWS_SHOWN = 12
"""Rows of an auction that are drawn; of a longer one the first and the last."""


def render_table(tables: Tables, seat: int | None, table: int = 0) -> str:
    """One table as text, with what ``seat`` knows, or with all hands (``None``); the auction where trails are kept."""
    state = tables.save(np.array([table])) if seat is None else tables.known(seat, np.array([table]))
    game = tables.game
    parts = [_heading(game, state[0]), _hands(game, state[0])]
    if tables.trails.size:
        parts.append(_auction(game, state[0], *tables.trail(table)))
    return "\n".join([*filter(None, parts), _sheet(state[0])])


def _heading(game: Game, state: np.void) -> str:
    words = [f"{game.title}, deal {state['begun']}, dealer {SEAT_LETTERS[state['dealer']]}"]
    if state["seat"] == NO_SEAT:
        words.append("over")
    else:
        words.append(f"{game.phases[state['phase']]}, {SEAT_LETTERS[state['seat']]} to act")
    contract, declarer, doublings = game.standing_in(state)
    if contract >= 0:
        words.append(f"{game.contracts[contract]} by {SEAT_LETTERS[declarer]}{'' if not doublings else f' x{2**doublings}'}")
    won = ", ".join(f"{name} {tricks}" for name, tricks in zip(SIDE_NAMES, state["tricks"], strict=True))
    return " | ".join([*words, f"tricks {won}"])


def _hands(game: Game, state: np.void) -> str:
    """The four hands on a compass, the cards on the table beside them."""
    north, east, south, west = (_hand(state, seat) for seat in SEATS)
    width = max(len(line) for line in (*west, *north, *south)) + 2
    middle = [w.ljust(2 * width) + e for w, e in zip(west, east, strict=True)]
    lines = [" " * width + line for line in north] + middle + [" " * width + line for line in south]
    for name in ("kotka", "discards"):
        if name in field_names(state.dtype) and state[name]:
            lines.append(f"{name}: {hand_text(state[name])}")
    return "\n".join(line.rstrip() for line in lines)


def _hand(state: np.void, seat: int) -> list[str]:
    """Five lines: the seat with its card on the table, then its suits, or how many cards it holds hidden."""
    card = state["trick"][seat]
    head = SEAT_LETTERS[seat] + ("" if card == NO_CARD else f" plays {card_text(card)}")
    if not state["hand"][seat]:
        return [head, "", "(hidden)" if state["done"] < 12 and state["seat"] != NO_SEAT else "", "", ""]
    holdings = hand_text(state["hand"][seat]).split(".")
    return [head] + [f"{PIPS[suit]} {ranks or '-'}" for suit, ranks in zip(PBN_SUITS, holdings, strict=True)]


def card_text(card: int) -> str:
    """``"♠A"``."""
    return PIPS[SUIT_LETTERS[card // len(RANK_LETTERS)]] + RANK_LETTERS[card % len(RANK_LETTERS)]


def _auction(game: Game, state: np.void, seats: np.ndarray, actions: np.ndarray) -> str:
    """The calls in four columns, from the dealer's; a seat that is skipped leaves its column empty."""
    columns = [(state["dealer"] + place) % len(SEATS) for place in SEATS]
    rows: list[list[str]] = []
    last = len(SEATS)
    for seat, action in zip(seats, actions, strict=True):
        if action < len(CARDS):
            continue
        column = columns.index(seat)
        if column <= last or not rows:
            rows.append([""] * len(SEATS))
        rows[-1][column] = game.actions[action]
        last = column
    if len(rows) > ROWS_SHOWN:
        rows[4 : 5 - ROWS_SHOWN] = [["..."] * len(SEATS)]
    if not rows:
        return ""
    return "\n".join("".join(word.ljust(11) for word in row).rstrip() for row in [[SEAT_LETTERS[seat] for seat in columns], *rows])


def _sheet(state: np.void) -> str:
    """The score sheet in a line."""
    sheet = state["ledger"]
    words = []
    for name in field_names(sheet.dtype):
        values = sheet[name]
        words.append(f"{name} {values}" if not values.shape else f"{name} " + ", ".join(
            f"{side} {value}" for side, value in zip(SIDE_NAMES, values, strict=True)
        ))
    return "score: " + " | ".join(words)

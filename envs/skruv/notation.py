"""Text for cards, hands, deals, calls and actions, and back.

Cards are suit and rank (``"SA"``, ``"DT"``), hands are PBN hands (``"AKQ.J2..T987"``: spades, hearts, diamonds, clubs), deals are PBN
deals (``"N:..."``, the letter is the seat of the first hand), actions have the names in ``game.actions``.
"""

import difflib
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from .engine.cards import ALL_CARDS, CARD_NAMES, RANK_LETTERS, SEAT_LETTERS, SUIT_LETTERS
from .engine.game import Game

PBN_SUITS = "SHDC"


class NotationError(ValueError):
    """Text that can't be read as what it should be; the message quotes the offending part."""


class Deal(NamedTuple):
    """Four hands, and the cards that lie apart; bitboards of ``1 << card``."""

    hands: tuple[int, int, int, int]
    """By seat N E S W."""
    kotka: int = 0
    """Skruuvi's four cards, 0 where there are none."""

    def _repr_html_(self) -> str:
        from .render.html import draw_deal

        return draw_deal(self.hands, self.kotka)


def card_text(card: int) -> str:
    """``"SA"`` for card 51."""
    return CARD_NAMES[card]


def parse_card(text: str) -> int:
    """The card called ``text`` (``"SA"``; lower case and ``10`` are read too); :class:`NotationError` if there is none."""
    name = text.strip().upper().replace("10", "T")
    if name not in CARD_NAMES:
        raise NotationError(f"{text!r} is not a card: a suit of C D H S and a rank of 2..9 T J Q K A, as in 'SA'")
    return CARD_NAMES.index(name)


def cards_of(board: int) -> list[int]:
    """The cards of a bitboard, from the lowest to the highest."""
    return [card for card in range(len(CARD_NAMES)) if int(board) >> card & 1]


def board_of(cards: Iterable[int]) -> int:
    """The bitboard of ``cards``; undoes :func:`cards_of`."""
    return sum({1 << card for card in cards})


def cards_text(board: int) -> str:
    """The cards of a bitboard, from the highest to the lowest: ``"SA DK D5"``."""
    return " ".join(card_text(card) for card in reversed(cards_of(board)))


def parse_cards(text: str) -> int:
    """The bitboard of the cards in ``text``; undoes :func:`cards_text`."""
    board = 0
    for word in text.split():
        bit = 1 << parse_card(word)
        if board & bit:
            raise NotationError(f"{word!r} stands twice in {text!r}")
        board |= bit
    return board


def hand_text(board: int) -> str:
    """A bitboard as a PBN hand: ``"AKQ.J2..T987"``."""
    return ".".join(
        "".join(rank for place, rank in enumerate(RANK_LETTERS) if int(board) >> (13 * SUIT_LETTERS.index(suit) + place) & 1)[::-1]
        for suit in PBN_SUITS
    )


def parse_hand(text: str) -> int:
    """The bitboard of a PBN hand; undoes :func:`hand_text`."""
    holdings = text.strip().upper().replace("10", "T").split(".")
    if len(holdings) != len(PBN_SUITS):
        raise NotationError(f"hand {text!r} has {len(holdings)} suits: four, spades to clubs, with a dot between them, as in 'AK.2..T9'")
    return parse_cards(" ".join(suit + rank for suit, ranks in zip(PBN_SUITS, holdings, strict=True) for rank in ranks))


def deal_text(hands: Iterable[int]) -> str:
    """Four hands by seat as a PBN deal that begins with North."""
    return "N:" + " ".join(hand_text(hand) for hand in hands)


def parse_deal(text: str, kotka: str = "") -> Deal:
    """A PBN deal, and Skruuvi's kotka as cards; undoes :func:`deal_text`.

    Raises :class:`NotationError` unless the hands hold 13 different cards each, or 12 each with the other four as the kotka (which may
    be left out then).
    """
    first, colon, rest = text.strip().partition(":")
    words = rest.split()
    if not colon or first.upper() not in tuple(SEAT_LETTERS) or len(words) != len(SEAT_LETTERS):
        raise NotationError(f"deal {text!r}: it must be a seat letter, a colon and four hands, as in 'N:AK.. ... ... ...'")
    hands = [0] * len(SEAT_LETTERS)
    for place, word in enumerate(words):
        hands[(SEAT_LETTERS.index(first.upper()) + place) % len(SEAT_LETTERS)] = parse_hand(word)
    aside = parse_cards(kotka)
    _check_disjoint([*hands, aside], text)
    sizes = [hand.bit_count() for hand in hands]
    if sizes == [12] * 4 and not aside:
        aside = int(ALL_CARDS) & ~(hands[0] | hands[1] | hands[2] | hands[3])
    if (sizes, aside.bit_count()) not in (([13] * 4, 0), ([12] * 4, 4)):
        raise NotationError(f"deal {text!r} has hands of {sizes} and {aside.bit_count()} cards apart: 13 each, or 12 each and a kotka of 4")
    return Deal((hands[0], hands[1], hands[2], hands[3]), aside)


def _check_disjoint(boards: list[int], text: str) -> None:
    seen = 0
    for board in boards:
        if seen & board:
            raise NotationError(f"{card_text(cards_of(seen & board)[0])} is dealt twice in {text!r}")
        seen |= board


def parse_seat(text: str) -> int:
    """0..3 for ``"N" "E" "S" "W"``."""
    if text not in tuple(SEAT_LETTERS):
        raise NotationError(f"{text!r} is not a seat: one of {', '.join(SEAT_LETTERS)}")
    return SEAT_LETTERS.index(text)


def action_text(game: Game, action: int) -> str:
    """The name of ``action`` in ``game``."""
    return game.actions[action]


def parse_action(game: Game, text: str) -> int:
    """The action of ``game`` called ``text``; :class:`NotationError` with the nearest name if there is none."""
    return _index(text, game.actions, f"action of {game.title}")


def parse_contract(game: Game, text: str) -> int:
    """The number of the contract of ``game`` called ``text``."""
    return _index(text, game.contracts, f"contract of {game.title}")


def _index(text: str, names: tuple[str, ...], what: str) -> int:
    if text in names:
        return names.index(text)
    near = difflib.get_close_matches(str(text), names, n=1, cutoff=0.5)
    hint = f"; did you mean {near[0]!r}?" if near else f", as {names[0]!r} or {names[-1]!r} are"
    raise NotationError(f"{text!r} is not an {what}{hint}" if what[0] == "a" else f"{text!r} is not a {what}{hint}")


def decode(game: Game, observation: np.ndarray) -> dict[str, Any]:
    """The bits of an observation in words, by plane: names that are set, numbers for thermometers, by chair or side where there is one."""
    layout = game.layout("full" if len(observation) > game.size("raw") else "raw")
    return {
        plane.name: _words(plane.axes, observation[layout[plane.name]].reshape(plane.shape))
        for plane in game.planes if plane.name in layout
    }


def _words(axes: tuple[tuple[str, ...] | int, ...], bits: np.ndarray) -> Any:
    axis, *inner = axes
    if isinstance(axis, int):
        return int(bits.sum())
    if not inner:
        return [name for name, bit in zip(axis, bits, strict=True) if bit]
    return {name: _words(tuple(inner), row) for name, row in zip(axis, bits, strict=True)}

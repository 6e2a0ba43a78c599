"""Positions for players, told by the hands that matter: N deals or declares, the others hold the rest of the pack."""

from typing import Any

from skruv import Tables
from skruv.engine.cards import ALL_CARDS, CARD_NAMES, SEAT_LETTERS, SEATS, STRAIN_LETTERS
from skruv.notation import board_of, deal_text, parse_action, parse_hand


def winner_of(trick: list[str], strain: str) -> int:
    """The place in ``trick`` of the card that wins it."""

    def strength(card: str) -> tuple[bool, bool, int]:
        return card[0] == strain, card[0] == trick[0][0], CARD_NAMES.index(card)

    return trick.index(max(trick, key=strength))


def deal_around(hands: dict[str, str], cards: list[str], strain: str) -> str:
    """A PBN deal in which the seats hold ``hands`` and can play ``cards``, E first; the rest is dealt out from the deuces up."""
    held = {seat: {CARD_NAMES[card] for card in range(52) if parse_hand(hands.get(seat, "...")) >> card & 1} for seat in SEAT_LETTERS}
    lacks: set[tuple[str, str]] = set()
    leader = 1
    for start in range(0, len(cards), len(SEATS)):
        trick = cards[start : start + len(SEATS)]
        for place, card in enumerate(trick):
            seat = SEAT_LETTERS[(leader + place) % len(SEATS)]
            held[seat].add(card)
            if card[0] != trick[0][0]:
                lacks.add((seat, trick[0][0]))
        leader = (leader + winner_of(trick, strain)) % len(SEATS)
    for card in CARD_NAMES:
        if not any(card in hand for hand in held.values()):
            takers = [seat for seat in SEAT_LETTERS if len(held[seat]) < 13 and (seat, card[0]) not in lacks]
            held[min(takers, key=lambda seat: len(held[seat]))].add(card)
    boards = [board_of(CARD_NAMES.index(card) for card in held[seat]) for seat in SEAT_LETTERS]
    assert sum(boards) == ALL_CARDS
    return deal_text(boards)


def position(game: str, hands: dict[str, str], before: str, strain: str = "N", **beginning: Any) -> Tables:
    """A table after the calls and cards of ``before``; ``strain`` is that of the contract, ``beginning`` goes to ``reset``."""
    assert strain in STRAIN_LETTERS
    actions = before.split()
    cards = [name for name in actions if name in CARD_NAMES]
    tables = Tables(game, autoreset=False)
    tables.reset(deals={"deal": deal_around(hands, cards, strain), **beginning})
    for name in actions:
        tables.step([parse_action(tables.game, name)])
    return tables

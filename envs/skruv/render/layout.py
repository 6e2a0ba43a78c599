"""Where everything lies on the table: a list of cards and words to be drawn, for the drawers of vectors and of pixels."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from ..engine.cards import RANKS, SEAT_LETTERS, SUIT_LETTERS
from .scene import Hand, Pile, Scene

WIDTH, HEIGHT = 720, 500
"""Of the table, pixels."""
CARD_WIDTH, CARD_HEIGHT = 46, 64
LIFT = 9
"""By which cards that may be played stand out among others."""
SIDE_ROOM = 196
"""For the hands at the left and the right."""
ROW = 40
"""From one suit of a hand at the side to the next."""
STEP, BACKS = 24, 11
"""From one card to the next, face up at most, and face down."""

PIP_PATHS = {
    "C": "M50 5C63 5 73 15 73 27C73 34 70 39 66 43C69 41 73 40 76 40C88 40 97 49 97 61C97 73 88 82 76 82C66 82 57 77 53 69"
         "C54 82 57 90 64 96L36 96C43 90 46 82 47 69C43 77 34 82 24 82C12 82 3 73 3 61C3 49 12 40 24 40C27 40 31 41 34 43"
         "C30 39 27 34 27 27C27 15 37 5 50 5Z",
    "D": "M50 3C58 21 71 37 88 50C71 63 58 79 50 97C42 79 29 63 12 50C29 37 42 21 50 3Z",
    "H": "M50 95C18 68 4 52 4 32C4 16 15 7 27 7C38 7 46 13 50 23C54 13 62 7 73 7C85 7 96 16 96 32C96 52 82 68 50 95Z",
    "S": "M50 4C58 23 94 41 94 64C94 77 85 84 74 84C64 84 57 79 53 71C54 82 57 90 64 96L36 96C43 90 46 82 47 71"
         "C43 79 36 84 26 84C15 84 6 77 6 64C6 41 42 23 50 4Z",
}
"""The pip of each suit in a square of 100, as the path of an SVG: M, C, L and Z alone."""
RED, BLACK = "#c62222", "#1d2430"
SUIT_COLOURS = {"C": BLACK, "D": RED, "H": RED, "S": BLACK}
FELT, FELT_EDGE, INK, QUIET, LIT = "#1f6b52", "#174f3d", "#f3f0e4", "#a9cbbd", "#ffd45a"
"""The table, its edge, words on it, quiet words, and what is lit up."""
PAPER, PAPER_INK, PAPER_QUIET, RULE = "#fbf9f2", "#22282e", "#7d8178", "#d9d4c4"
"""The sheet beside it."""
BACK, BACK_EDGE = "#39558c", "#ffffff"


class Placed(NamedTuple):
    """A card and its left upper corner."""

    card: int | None
    """``None``: face down."""
    x: int
    y: int
    lit: bool = False


class Label(NamedTuple):
    """Words and the middle of their line."""

    x: int
    y: int
    text: str
    anchor: str
    """Where ``x`` is: ``"start"``, ``"middle"`` or ``"end"``."""
    style: str = "plain"
    """``"plain"``, ``"seat"``, ``"turn"``."""


class Picture(NamedTuple):
    """The table from above."""

    cards: tuple[Placed, ...]
    """In the order of drawing."""
    labels: tuple[Label, ...]


def picture_of(scene: Scene) -> Picture:
    """What is drawn of ``scene`` on the table."""
    north, east, south, west = scene.hands
    bottom = HEIGHT - CARD_HEIGHT - 34
    cards = [
        *_fan(north, 36, scene), *_stack(west, 12, 172, scene), *_stack(east, WIDTH - 12 - SIDE_ROOM, 172, scene),
        *_fan(south, bottom, scene), *_trick(scene), *_piles(scene.piles), *_last_trick(scene, bottom),
    ]
    labels = [
        _name(scene, north, WIDTH // 2, 16, "middle"), _name(scene, south, WIDTH // 2, HEIGHT - 16, "middle"),
        _name(scene, west, 14, 152, "start"), _name(scene, east, WIDTH - 14, 152, "end"),
    ]
    for pile, (left, anchor) in zip(scene.piles, ((14, "start"), (WIDTH - 14, "end")), strict=False):
        labels.append(Label(left, 18, pile.name, anchor))
    if scene.last_leader is not None:
        labels.append(Label(14, HEIGHT - 16, f"last trick, {SEAT_LETTERS[scene.last_leader]} led", "start"))
    return Picture(tuple(cards), tuple(labels))


def _name(scene: Scene, hand: Hand, x: int, y: int, anchor: str) -> Label:
    """The seat and what it is."""
    text = " · ".join((SEAT_LETTERS[hand.seat], *hand.marks))
    return Label(x, y, text, anchor, "turn" if scene.playing == hand.seat else "seat")


def _fan(hand: Hand, y: int, scene: Scene) -> Iterator[Placed]:
    """A hand in a row."""
    step = min(STEP, (WIDTH - 2 * SIDE_ROOM - CARD_WIDTH - 12) // max(hand.held - 1, 1)) if hand.cards is not None else BACKS
    left = (WIDTH - CARD_WIDTH - step * (hand.held - 1)) // 2
    lift = LIFT if scene.legal < set(hand.cards or ()) else 0
    for place, card in enumerate(_faces(hand)):
        lit = scene.playing == hand.seat and card in scene.legal
        yield Placed(card, left + step * place, y - lift * lit, lit)


def _stack(hand: Hand, x: int, y: int, scene: Scene) -> Iterator[Placed]:
    """A hand in a row for each suit."""
    if hand.cards is None:
        left = x if x < WIDTH // 2 else x + SIDE_ROOM - CARD_WIDTH - BACKS * (hand.held - 1)
        for place in range(hand.held):
            yield Placed(None, left + BACKS * place, y + 40)
        return
    for row, (_, suit) in enumerate(groupby(hand.cards, key=lambda card: card // len(RANKS))):
        held = list(suit)
        step = min(STEP, (SIDE_ROOM - CARD_WIDTH) // max(len(held) - 1, 1))
        left = x if x < WIDTH // 2 else x + SIDE_ROOM - CARD_WIDTH - step * (len(held) - 1)
        for place, card in enumerate(held):
            yield Placed(card, left + step * place, y + ROW * row, scene.playing == hand.seat and card in scene.legal)


def _faces(hand: Hand) -> Sequence[int | None]:
    return [None] * hand.held if hand.cards is None else hand.cards


PLACES = ((WIDTH // 2, 178), (WIDTH // 2 + 62, 234), (WIDTH // 2, 290), (WIDTH // 2 - 62, 234))
"""The middles of the cards of a trick, N E S W."""


def _trick(scene: Scene) -> Iterator[Placed]:
    """The cards on the table, from the leader's."""
    for place in range(len(PLACES)):
        seat = ((scene.leader or 0) + place) % len(PLACES)
        card = scene.trick[seat]
        if card is not None:
            x, y = PLACES[seat]
            yield Placed(card, x - CARD_WIDTH // 2, y - CARD_HEIGHT // 2, seat == scene.leader)


def _piles(piles: Sequence[Pile]) -> Iterator[Placed]:
    """At the corners above, the first to the left."""
    for pile, side in zip(piles, (0, 1), strict=False):
        step = STEP if pile.cards is not None else BACKS
        left = 12 if side == 0 else WIDTH - 12 - CARD_WIDTH - step * (pile.size - 1)
        faces: Sequence[int | None] = [None] * pile.size if pile.cards is None else pile.cards
        for place, card in enumerate(faces):
            yield Placed(card, left + step * place, 34)


def _last_trick(scene: Scene, y: int) -> Iterator[Placed]:
    """At the corner to the left below, in the order in which it was played."""
    seats = ((scene.last_leader or 0) + place for place in range(len(scene.last_trick)))
    cards = [card for seat in seats if (card := scene.last_trick[seat % len(PLACES)]) is not None]
    for place, card in enumerate(cards):
        yield Placed(card, 12 + STEP * place, y)


def suit_letter(card: int) -> str:
    return SUIT_LETTERS[card // len(RANKS)]

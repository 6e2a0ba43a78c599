"""The rules of thumb of Biritch."""

from ...engine.bits import count
from ...engine.cards import suit_cards
from ...engine.kernel import kernel
from ...engine.sight import unseen_from
from ...games.biritch import FIRST_STRAIN, PASS, PLAY, STRAINS, legal, open_hand
from .cardplay import sound_card


@kernel
def decide(state, seat):
    """The action of ``seat``, which is to act."""
    cards, calls = legal(state)
    if state.phase == PLAY:
        return sound_card(state, state.turn, cards, unseen_from(state, seat) & ~open_hand(state), state.dealer)
    if calls & 1:
        return PASS
    best = 0
    for place in range(4):
        if count(state.hand[seat] & suit_cards(STRAINS[place])) > count(state.hand[seat] & suit_cards(STRAINS[best])):
            best = place
    return FIRST_STRAIN + best

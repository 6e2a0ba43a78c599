"""The card play that the rules of thumb share: written positions of Vint, where no hand lies open."""

from typing import NamedTuple

import numpy as np
import pytest
from playing import at, draw, make_tables, running
from positions import position

from skruv import Tables
from skruv.engine.kernel import records
from skruv.engine.sight import unseen_from
from skruv.notation import card_text
from skruv.players.thumb.cardplay import sound_card


class Case(NamedTuple):
    """North declares, East leads; the last card of ``before`` is followed by one of ``hand``, which ``seat`` was dealt (S.H.D.C)."""

    contract: str
    seat: str
    hand: str
    before: str
    card: str
    why: str


CASES = (
    Case("1N", "E", "QJT4.A32.A432.43", "", "SQ", "the top of a sequence: it forces an honour and leaves the next one high"),
    Case("1N", "E", "A43.KT742.43.Q43", "", "H4", "the fourth best of the longest suit, to make its long cards good"),
    Case("1S", "E", "543.2.AJ874.QT63", "", "H2", "a singleton against trumps, for a ruff"),
    Case("1S", "E", "543.A742.QJT8.42", "", "DQ", "never low from an ace against trumps: the sequence is safe"),
    Case("1S", "E", "43.AK42.T843.Q72", "", "HA", "ace and king: the ace holds, and shows what to do next"),
    Case("1N", "S", "A432.A32.432.KJ3", "C5", "C3", "second hand low: the partner is still to play"),
    Case("1N", "S", "A432.A32.432.KQ3", "C5", "CQ", "split touching honours, the lower of equals: it drives out the ace"),
    Case("1N", "W", "A432.A32.432.K93", "C5 C2", "CK", "third hand high: the nine would let the last hand win cheaply"),
    Case("1N", "W", "A432.A32.432.KQJ", "C5 C2", "CJ", "the cheapest of equals does the work of the king"),
    Case("1N", "W", "A432.A32.432.AQ2", "C5 C3", "CQ", "a finesse: the queen wins unless the king sits behind it"),
    Case("1N", "W", "A432.A32.432.AK2", "C5 C3", "CK", "nothing to finesse: the lower of two masters"),
    Case("1N", "W", "A432.A32.432.A32", "CK C4", "C2", "the partner's king wins as it is"),
    Case("1N", "N", "A43.A32.5432.AQ3", "C5 C2 CJ", "CQ", "fourth hand wins as cheaply as it can"),
    Case("1N", "N", "A43.A32.5432.AQ3", "C5 CK CJ", "C3", "fourth hand leaves the trick to the partner"),
    Case("1N", "N", "A43.A32.5432.Q73", "C5 C2 CK", "C3", "what can't win is thrown low"),
    Case("1S", "W", "Q93..AJ432.K5432", "HK HA", "S3", "ruff what the others win, with the lowest trump"),
    Case("1S", "W", "Q93..AJ432.K5432", "HA H4", "C2", "never ruff the partner's winner"),
    Case("1S", "W", "Q94..AJ432.K5432", "H5 S7", "S9", "overruff with the lowest trump that wins"),
    Case("1S", "N", "AKQJ96.A32.43.A2", "CK C3 C4 CA", "SA", "declaring with the trumps: draw them"),
    Case("1N", "N", "A2.KQ3.AKQJ95.A2", "CK C3 C4 CA", "DA", "run the suit that is good from the top"),
    Case("1N", "W", "J32.A85.8432.K32", "H4 H2 HA H3", "H8", "return the partner's suit, the higher of two"),
    Case("1N", "W", "K2.A98.85432.K32", "HQ H4", "H8", "low on the partner's queen: a king behind it wins in any case"),
    Case("1N", "S", "K2.A43.Q8432.K32", "CA C2 C6 C4 ST", "S2", "second hand low keeps the king guarded"),
    Case("1S", "W", "642.KQJ.A87542.3", "CA C5 C3 C4 CK C6", "D2", "the trick is the partner's: throw the card that is missed least"),
)


def card_of(tables: Tables, declarer: int, full: bool = False) -> int:
    """The card of the seat to move, from its view or, with ``full``, from the whole state."""
    views = tables.views()
    state = records(tables.states if full else views.state)[0]
    cards = np.int64(sum(1 << card for card in range(52) if views.mask[0, card]))
    seat = int(views.seat[0])
    return int(sound_card(state, seat, cards, unseen_from(state, seat), declarer))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.why)
def test_sound_cards(case: Case) -> None:
    tables = position("vint", {case.seat: case.hand}, case.before, case.contract[1], contract=case.contract, declarer="N")
    assert tables.views().seat[0] == "NESW".index(case.seat)
    assert card_text(card_of(tables, 0)) == case.card


def test_card_play_is_legal_and_never_reads_hidden_cards() -> None:
    rng = np.random.default_rng(5)
    for contract in ("3N", "4H"):
        tables = make_tables("vint", 40, seed=8, autoreset=False)
        tables.reset(deals={"contract": contract, "declarer": "N"})
        while len(rows := running(tables)):
            single = make_tables("vint", autoreset=False)
            for row in rows[:4]:
                single.load(tables.save(at(row)))
                card = card_of(single, 0)
                assert single.legal()[0, card]
                assert card == card_of(single, 0, full=True)
            tables.step(draw(tables.observe(rows=rows).mask, rng), rows)

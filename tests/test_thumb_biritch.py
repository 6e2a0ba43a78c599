"""The player ``thumb`` at Biritch: written positions, and what holds at every table."""

from typing import Any, NamedTuple

import numpy as np
import pytest
from playing import make_tables, running, wander
from positions import position

from skruv.arena import play_match
from skruv.engine.kernel import records
from skruv.games import load
from skruv.notation import action_text
from skruv.players import ThumbPlayer, player

GAME = load("biritch")
CLEAN: dict[str, Any] = {}


class Case(NamedTuple):
    """North deals, East leads. The hands that matter as dealt (S.H.D.C), the calls and cards made, the action of who is to act."""

    hands: dict[str, str]
    before: str
    action: str
    why: str
    ledger: dict[str, Any] = CLEAN


CASES = (
    # naming
    Case({"N": "2.AKQJ76.A32.432"}, "", "H", "six hearts and four honours in one hand: 64 points besides the tricks"),
    Case({"N": "A432.A32.A32.A32"}, "", "N", "four aces in one hand are 80 at biritch"),
    Case({"N": "AQ4.KQJ.AQJ2.KJ3"}, "", "N", "strong and even: ten a trick, the most there is"),
    Case({"N": "2.K2.AKQJ8765.32"}, "", "D", "eight diamonds to the four top honours, no stop elsewhere"),
    Case({"N": "5432.J43.J32.432"}, "", "P", "nothing: the partner can only be better"),
    Case({"S": "J98765.43.32.432"}, "P", "S", "must name, and will lose: spades cost two a trick"),
    Case({"S": "43.32.AKQJ765.K2"}, "P", "D", "must name: the long solid suit"),
    # naming at a part score
    Case({"N": "AKQ9876.A2.432.2"}, "", "N", "on a clean sheet an odd trick at biritch is worth five in spades"),
    Case({"N": "AKQ9876.A2.432.2"}, "", "S", "at 28 any odd trick is game: the surest strain", {"below": [28, 0], "games": [1, 0]}),
    Case({"S": "KJT987.32.432.A2"}, "P", "S", "two points are game for the others: the safest strain", {"below": [0, 28], "games": [0, 1]}),
    # contre
    Case({"E": "KQJT9.AK.AKQ.432"}, "S", "X", "seven tricks in one hand against spades"),
    Case({"E": "432.J32.5432.432"}, "H", "P", "no trick in sight"),
    Case({"W": "A2.AQJT9.AK2.432"}, "H P", "X", "the last chance of the side, and five sure tricks with the trumps behind"),
    Case({"E": "KJ94.AQ32.KQ4.A2"}, "H", "X", "strong, and four trumps under the namer"),
    Case({"E": "KJ94.AQ32.KQ4.A2"}, "H", "P", "doubled, a single odd trick would be their game", {"below": [16, 0], "games": [1, 0]}),
    Case({"N": "A.AKQJT98.AK.432"}, "H X", "X", "sur contre: ten tricks in one's own hand"),
    Case({"N": "432.AJT76.K32.43"}, "H X", "P", "a weak hand with five trumps, and the others are strong"),
    # leads
    Case({"E": "432.KQJ7.A43.432"}, "N P P", "HK", "the top of three touching honours"),
    Case({"E": "Q7532.A43.K4.432"}, "N P P", "S3", "fourth best of the longest suit at biritch"),
    Case({"E": "7.543.AJ94.KT652"}, "H P P", "S7", "a singleton, for a ruff"),
    # the play, with dummy open
    Case({"N": "A32.A32.A32.A432", "S": "654.654.KJ4.8765"}, "N P P D5", "D4", "dummy plays low, second hand, in front of the ace"),
    Case({"N": "A73.32.AQ4.AKQ32", "S": "K52.654.532.8764"}, "N P P SQ SK S6 S3 D2 D6", "DQ", "the finesse: the king may lie in front"),
    Case({"N": "AKQ65.A2.432.A32", "S": "8432.543.A65.654"}, "S P P HK H3 H6 HA", "SA", "nine trumps of ours: draw those of the others"),
    Case({"N": "A2.32.AKQ432.A32", "S": "K543.AQ4.J5.7654"}, "N P P S6 SK S7 S2", "DJ", "the long suit, from the short hand first"),
    Case({"N": "432.AKQ32.K82.A6", "S": ".J54.A76543.5432"}, "H P P SK", "H4", "dummy ruffs the king with its lowest trump"),
    Case({"N": "A32.A32.A32.5432", "S": "654.654.654.AJT9"}, "N P P CK CA C8 C2 D4 D7 DA D8", "C3", "towards the honours of dummy"),
    Case({"S": "K72.A43.A432.432", "W": "AQ3.652.8765.QJT"}, "N P P S4 S2", "SQ", "the king lies in dummy: the queen is enough"),
    Case({"S": "K72.A43.A432.432", "W": "QJ3.652.8765.QJT"}, "N P P S4 SK", "S3", "third hand can't win: low"),
    Case({"S": "432.A43.A432.K32", "W": "AJ5.652.8765.Q54"}, "N P P S6 S2", "SA", "third hand high: the queen and the king may lie behind"),
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.why)
def test_positions(case: Case) -> None:
    assert answer(case) == case.action


def answer(case: Case) -> str:
    """What the player does, whoever is to act."""
    strain = next((name for name in case.before.split() if name in ("S", "H", "D", "C", "N")), "N")
    tables = position("biritch", case.hands, case.before, strain, dealer="N", **({"ledger": case.ledger} if case.ledger else {}))
    return action_text(GAME, int(player("thumb", GAME).act(tables.views())[0]))


# ---- at every table ---------------------------------------------------------------------------------------------------------


def test_thumb_is_legal_and_never_reads_hidden_cards() -> None:
    """Its rules give the same legal action for the whole state as for what the seat may know, wherever the others lead it."""
    loop, rng = ThumbPlayer(GAME).loop, np.random.default_rng(3)
    tables = make_tables("biritch", 200, seed=3, autoreset=False, ledger="random")
    while len(rows := running(tables)):
        views = tables.views(rows)
        actions, twins = np.empty(len(views), np.int64), np.empty(len(views), np.int64)
        loop(records(views.state), views.seat, actions)
        loop(records(tables.save(rows)), views.seat, twins)
        assert np.array_equal(actions, twins)
        assert views.mask[np.arange(len(views)), actions].all()
        others = wander(views.mask, rng)
        tables.step(np.where(rng.random(len(rows)) < 0.5, actions, others), rows)


def test_thumb_doubles_no_end_of_times() -> None:
    """Without a ceiling its own doubt ends the doubling (B-6)."""
    tables = make_tables("biritch", 500, seed=4, autoreset=False, max_doublings=None)
    who = player("thumb", GAME)
    while len(rows := running(tables)):
        tables.step(who.act(tables.views(rows)), rows)
    assert tables.results["doublings"].max() <= 4
    assert (tables.results["doublings"] > 0).mean() < 0.4


@pytest.mark.parametrize("ledger", ["zero", "random"])
def test_thumb_beats_the_plain_players(ledger: str) -> None:
    for other in ("pass", "random"):
        match = play_match(GAME, player("thumb", GAME), player(other, GAME, 1), deals=500, seed=11, max_doublings=3, ledger=ledger)
        assert match.interval[0] > 0

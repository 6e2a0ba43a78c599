"""``docs/pitfalls.md`` lists what other packages made their users suffer from, and the tests that show that these do not.

A test shows row 7 when its name carries ``P7`` behind two underscores. ``python tests/test_pitfalls.py`` writes the table anew.
"""

import ast
import re
from pathlib import Path

import pytest
from pages import PART, table

TESTS = Path(__file__).resolve().parent
PAGE = TESTS.parent / "docs" / "pitfalls.md"

OWED = {
    1: "A learner is paid its own seat's reward, from its action to its next turn, and with its own eyes; the sum is the score sheet's.",
    2: "All four seats end in one step, each is yielded once more with its last reward; an action out of turn changes nothing.",
    3: "A reset after an illegal action is a fresh start; who wins a trick leads, so a seat may act twice running.",
    4: "The price of an illegal action is never paid to the offender's partner.",
    5: "Turn-based only: the parallel conversion that would mix up turns is refused, the turn-based one pays the same.",
    6: "Any seat may be looked at at any time: in its space, no action offered unless it is its turn, nothing changed by looking.",
    7: "Masks are int8, the same in the observation and in `info`, and always this turn's.",
    8: "For wrappers that take arrays there is `mask_in_info`; [compatibility.md](compatibility.md) tells which wrappers work.",
    9: "Whole numbers of every kind play the same game; what is not one, or no action, is a named error.",
    10: "PettingZoo's own tests pass, with no warning but the two that every Dict observation gets; spaces are the same objects.",
    11: "Turn the table by a seat, and every observation, mask and reward turns with it.",
    12: "Deal the hidden cards again: nothing that a seat sees, may do or is told changes, nor the choice of a player that is shipped.",
    13: "What an observation forgets is said on its page, and every bit of it takes both values.",
    14: "A determinization fits all that the seat knows, is drawn uniformly, repeats with its seed, and the true deal has no say in it.",
    15: "Copies and pickles go on alike from any moment, through wrappers, into the next deal.",
    16: "0 is a seed, numpy's integers are seeds, and the global random state has no say.",
    17: "Rules and reward options outlive reset, copy, pickle and autoreset.",
    18: "A change of deals, observations or rewards can't go unnoticed: it asks for a new version.",
    19: "A deal kept as JSON comes back with its turn, dealer, score sheet and rules; an unknown schema is a named error.",
    20: "Every autoreset mode of Gymnasium's vector environments does what Gymnasium says, and statistics equal the score sheets.",
    21: "What was returned is never written again.",
    22: "Stable-Baselines3 finds all that it asks a vector environment for, masks, seeds, options and episode infos.",
    23: "A learner or an evaluation that drops the masks is stopped, and told how to have them; our own programs use none.",
    24: "Masks belong to the observation that is returned, also after a reset by itself, and are never empty where an action is due.",
    26: "A trained policy is kept as arrays and JSON, and plays as the network does; a pickle, or another layout, is a named error.",
    27: "Plays without a home or a folder to write, in forked children, in threads, and in many processes that start cold at once.",
    28: "The core needs five packages, and importing it loads none of the heavy ones.",
    29: "The wheel, installed elsewhere, plays, draws, and writes and reads records.",
    30: "The random player bids as people do; the uniform one, whose auctions end near the top bid, has its own name; both are quoted.",
    31: "The part score is in the observation, and the player by rules of thumb bids by it.",
    32: "The score of every contract, number of tricks and doubling is a table, and each row a test.",
    33: "No mean, share of wins or rating without n and an interval; every deal is played with the sides exchanged.",
    34: "Deal files are read exactly, or refused with file, line and reason.",
}
"""By row. The one left out, 25, is about RLlib."""

NAME = re.compile(r"test_\w+?__(\w+)")
APART = re.compile(r"pytest\.mark\.(slow|compat)\b")


def shown() -> dict[int, list[str]]:
    """The tests of each row, by file."""
    found: dict[int, list[str]] = {}
    for path in sorted(TESTS.rglob("test_*.py")):
        body = ast.parse(path.read_text(encoding="utf-8")).body
        marks = [ast.unparse(node) for node in body if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "pytestmark"]
        for node in body:
            if isinstance(node, ast.FunctionDef) and (name := NAME.fullmatch(node.name)):
                apart = APART.search(" ".join([*marks, *map(ast.unparse, node.decorator_list)]))
                test = f"`{path.relative_to(TESTS).as_posix()}::{node.name}`" + (f" (`-m {apart[1]}`)" if apart else "")
                for part in name[1].split("_"):
                    if re.fullmatch(r"P\d+", part):
                        found.setdefault(int(part[1:]), []).append(test)
    return found


def pitfalls() -> str:
    """Each row with its tests."""
    tests = shown()
    return table(("row", "what is owed", "shown by"), [(row, owed, "<br>".join(tests.get(row, ()))) for row, owed in OWED.items()])


def renewed() -> str:
    """The page with its table made anew."""
    return PART.sub(lambda part: f"<!-- {part[1]} -->\n{pitfalls()}<!-- end -->\n", PAGE.read_text(encoding="utf-8"))


@pytest.mark.parametrize("row", OWED)
def test_every_row_is_shown(row: int) -> None:
    assert shown().get(row), f"no test carries __P{row}"


def test_the_page_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == renewed(), "run  python tests/test_pitfalls.py"


if __name__ == "__main__":
    PAGE.write_text(renewed(), encoding="utf-8")

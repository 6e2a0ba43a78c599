"""``docs/rulings.md`` holds every ruling that the code and the tests cite, once."""

import re
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
RULINGS = [f"{letter}-{number}" for letter, last in {"G": 1, "C": 11, "V": 30, "K": 45, "B": 27}.items() for number in range(1, last + 1)]

ROW = re.compile(r"^\| ([GCVKB]-\d+) \|", re.MULTILINE)
CITED = re.compile(r"(?<![\w-])([GCVKB])-(\d+)(?:[\s#]*(?:\.\.|…|–|to)[\s#]*\1-(\d+))?(?!\w)")
"""A ruling, or the first and the last of several, perhaps on two lines."""
TEST_NAME = re.compile(r"\bdef test_\w+__(\w+)\(")
PART_OF_NAME = re.compile(r"([GCVKB])(\d+)")


def cited(text: str) -> set[str]:
    """The rulings that a file cites, by number or in the names of its tests."""
    found = {f"{letter}-{n}" for letter, first, last in CITED.findall(text) for n in range(int(first), int(last or first) + 1)}
    parts = (PART_OF_NAME.fullmatch(part) for name in TEST_NAME.findall(text) for part in name.split("_"))
    return found | {f"{part[1]}-{part[2]}" for part in parts if part}


def test_each_ruling_is_one_row() -> None:
    rows = ROW.findall((ROOT / "docs" / "rulings.md").read_text(encoding="utf-8"))
    assert Counter(rows) == Counter(RULINGS)


def test_every_cited_ruling_is_a_row() -> None:
    rows = set(ROW.findall((ROOT / "docs" / "rulings.md").read_text(encoding="utf-8")))
    paths = [path for folder in ("envs", "tests") for path in sorted((ROOT / folder).rglob("*.py"))]
    found = {str(path.relative_to(ROOT)): cited(path.read_text(encoding="utf-8")) for path in paths}
    assert {"V-13", "K-20", "B-16", "C-5", "G-1"} <= set().union(*found.values())
    assert {path: unknown for path, named in found.items() if (unknown := sorted(named - rows))} == {}


@pytest.mark.parametrize(("text", "expected"), [
    ("the slam (V-13)", {"V-13"}),
    ("K-41, K-43; B-2.", {"K-41", "K-43", "B-2"}),
    ("V-4 .. V-6", {"V-4", "V-5", "V-6"}),
    ("(K-10 ..\n    K-12)", {"K-10", "K-11", "K-12"}),
    ("B-17..B-19, B-20 to B-21", {"B-17", "B-18", "B-19", "B-20", "B-21"}),
    ("def test_order__C2_VA1_V1_K1() -> None:", {"C-2", "V-1", "K-1"}),
    ("def test_a__P11() -> None:  # VT-01, BA-2, KM-3, P11, sub-B-1, 2V-1, B-1st, AC2", set()),
])
def test_citations_are_read(text: str, expected: set[str]) -> None:
    assert cited(text) == expected

"""The docs say what the code says."""

import inspect
from importlib import import_module
from pathlib import Path

import pytest

from skruv.games import VERSIONS
from pages import PART, pages, renewed

HEADINGS = ("Rules", "Arguments", "Observation", "Actions", "Rewards", "Start", "End", "Rendering", "Version history")


@pytest.mark.parametrize("path", pages(), ids=lambda path: path.name)
def test_generated_parts_are_up_to_date(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert PART.search(text)
    assert text == renewed(text, pages()[path]), "run  python tests/pages.py"


@pytest.mark.parametrize("name", VERSIONS)
def test_page_has_every_section(name: str) -> None:
    page = inspect.getdoc(import_module(f"skruv.{name}_v{VERSIONS[name]}")) or ""
    assert [line[3:] for line in page.splitlines() if line.startswith("## ")] == list(HEADINGS)

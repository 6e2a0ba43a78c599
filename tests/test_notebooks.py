"""The notebooks run from top to bottom, and each is a pair that tells the same."""

import re

import jupytext
import nbformat
import pytest
from notebooks import FOLDER, NAMES, executed, paired

KILOBYTES = 400
"""The most that a notebook with its outputs may weigh."""
PRIVATE = re.compile(r"(/home/|/root/|/tmp/|/work/|/Users/|0x[0-9a-f]{6,}|\b20\d\d-\d\d-\d\d[ T]\d\d:)")
"""Paths and times of the machine that ran a notebook."""


def test_there_are_five() -> None:
    assert [name[:2] for name in NAMES] == ["01", "02", "03", "04", "05"]
    assert sorted(path.stem for path in FOLDER.glob("*.ipynb")) == list(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_it_runs_in_the_small_setting(name: str) -> None:
    notebook = executed(name, small=True)
    assert all(cell.execution_count for cell in notebook.cells if cell.cell_type == "code" and cell.source)


@pytest.mark.parametrize("name", NAMES)
def test_the_pair_is_in_step(name: str) -> None:
    kept = nbformat.read(FOLDER / f"{name}.ipynb", as_version=4)
    assert [(cell.cell_type, cell.source) for cell in kept.cells] == [(cell.cell_type, cell.source) for cell in paired(name).cells], (
        f"{name}.ipynb is not what {name}.py says: python tests/notebooks.py {name}"
    )
    again = jupytext.reads(jupytext.writes(kept, "py:percent"), "py:percent")
    assert [cell.source for cell in again.cells] == [cell.source for cell in kept.cells]


@pytest.mark.parametrize("name", NAMES)
def test_its_outputs_are_whole_small_and_of_no_machine(name: str) -> None:
    file = FOLDER / f"{name}.ipynb"
    assert file.stat().st_size < 1000 * KILOBYTES
    kept = nbformat.read(file, as_version=4)
    nbformat.validate(kept)
    cells = [cell for cell in kept.cells if cell.cell_type == "code"]
    outputs = [output for cell in cells for output in cell.outputs]
    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1))
    assert not [output for output in outputs if output.output_type == "error" or output.get("name") == "stderr"]
    assert any("image/png" in output.get("data", {}) for output in outputs)
    for output in outputs:
        told = output.get("text", "") + "".join(output.get("data", {}).get(kind, "") for kind in ("text/plain", "text/html"))
        assert PRIVATE.search(told) is None, PRIVATE.search(told)
    assert not [cell for cell in cells if cell.metadata]


@pytest.mark.parametrize("name", NAMES)
def test_it_starts_from_a_question(name: str) -> None:
    first = paired(name).cells[0].source
    assert re.search(r"^\*\*.*\?\*\*", first, re.M | re.S), first

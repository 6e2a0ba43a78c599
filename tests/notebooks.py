"""The notebooks as pairs: ``python tests/notebooks.py [NAME ...]`` runs each .py (or those named) and writes its .ipynb with outputs."""

import os
import re
import sys
from pathlib import Path
from unittest.mock import patch

import jupytext
import nbformat
from nbclient import NotebookClient

FOLDER = Path(__file__).parent.parent / "notebooks"
NAMES = tuple(sorted(path.stem for path in FOLDER.glob("[0-9]*.py")))
MINUTES = 20
"""After which a cell counts as hung."""
PASSING = "skruv: compiling"
"""Begins a message that an installation gives once."""
KERNEL = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}, "language_info": {"name": "python"}}


def paired(name: str) -> nbformat.NotebookNode:
    """The .py as a notebook without outputs."""
    notebook = jupytext.read(FOLDER / f"{name}.py")
    notebook.metadata = nbformat.from_dict(KERNEL)
    notebook.nbformat_minor = 5
    for number, cell in enumerate(notebook.cells):
        cell.id = f"cell-{number:02}"
    return notebook


def executed(name: str, *, small: bool) -> nbformat.NotebookNode:
    """The .py run from top to bottom, with its outputs, in the small setting of the tests or the reader's.

    Raises ``nbclient.exceptions.CellExecutionError`` where a cell fails.
    """
    notebook = paired(name)
    client = NotebookClient(
        notebook, timeout=60 * MINUTES, kernel_name="python3", resources={"metadata": {"path": str(FOLDER)}}, record_timing=False
    )
    with patch.dict(os.environ, {"SKRUV_NOTEBOOK_SMALL": str(int(small))}):
        client.execute()
    notebook.metadata = nbformat.from_dict(KERNEL)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = [_portable(output) for output in cell.outputs if not output.get("text", "").startswith(PASSING)]
    return notebook


def _portable(output: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """``output`` without addresses in memory."""
    if "data" in output and "text/plain" in output.data:
        output.data["text/plain"] = re.sub(r" at 0x[0-9a-f]+", "", output.data["text/plain"])
    return output


def main() -> None:
    for name in sys.argv[1:] or NAMES:
        nbformat.write(executed(name, small=False), FOLDER / f"{name}.ipynb")
        print(f"{name}.ipynb: {(FOLDER / f'{name}.ipynb').stat().st_size // 1000} kB")


if __name__ == "__main__":
    main()

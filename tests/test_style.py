"""The lint rules hold, and imports point down."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.mark.parametrize("command", ["ruff check .", "lint-imports --no-cache"])
def test_rules_hold(command: str) -> None:
    tool, *arguments = command.split()
    done = subprocess.run([Path(sys.executable).parent / tool, *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr

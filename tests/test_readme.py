"""The README's programs run as they stand, and its commands name what there is."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
PROGRAMS = re.findall(r"```python\n(.*?)```", README, re.DOTALL)


@pytest.mark.parametrize("program", PROGRAMS, ids=[program.splitlines()[0] for program in PROGRAMS])
def test_program_runs(program: str, tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-W", "error", "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout


def test_files_that_are_named_exist() -> None:
    named = re.findall(r"\]\(((?!http)[^)#]+)\)|(?<![\w/])((?:training|tests|envs|docs|\.ci)/[\w/.]+\.\w+)", README)
    paths = {link or path for link, path in named if "NAME" not in path}
    assert paths
    assert [path for path in sorted(paths) if not (ROOT / path).exists()] == []

"""Other machines than the author's: users without a home, forks, threads, cold starts, edited sources, an installed wheel."""

import contextlib
import hashlib
import importlib.metadata
import inspect
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numba.core.errors import NumbaWarning
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import skruv
from skruv import Tables
from skruv.engine.kernel import cache_folder, cached_kernel
from skruv.games import VERSIONS

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = Path(skruv.__file__).resolve().parent
CORE = {"numpy", "numba", "gymnasium", "pettingzoo", "rich"}
COMPILING = "compiling the card engine"
"""What is said where the code is not found in a cache."""

NOBODY = 65534
NO_ENTRY = 54321
"""A user that the system's list does not hold, as containers have."""
NOTHING: Mapping[str, str] = {}


def story(seed: int) -> str:
    """A hash of some play of Biritch, which compiles quickest."""
    tables = Tables("biritch", 4, seed=seed, max_doublings=1)
    digest, rng = hashlib.sha256(), np.random.default_rng(seed)
    for _ in range(70):
        observation, mask, _ = tables.observe()
        reward, *_ = tables.step(np.where(mask, rng.random(mask.shape), -1).argmax(axis=1))
        digest.update(observation.tobytes() + reward.tobytes())
    return digest.hexdigest()


STORY = f"import hashlib, os, sys\nimport numpy as np\nfrom skruv import Tables\n{inspect.getsource(story)}\n"


# ---- another machine --------------------------------------------------------------------------------------------------------


@cache
def becoming(user: int) -> tuple[str, ...]:
    """The beginning of a command that runs the rest as ``user``, who may write nowhere; empty where we may not."""
    ids = (f"--reuid={user}", f"--regid={user}", "--clear-groups")
    reading = ("--inh-caps=-all,+dac_read_search", "--ambient-caps=-all,+dac_read_search")
    for command in (("setpriv", *ids), ("setpriv", *ids, *reading)):  # Python itself may lie where only root looks
        with contextlib.suppress(OSError):
            if subprocess.run([*command, sys.executable, "-c", "import numba"], capture_output=True, check=False).returncode == 0:
                return command
    return ()


def run(program: str, *arguments: str, package: Path = PACKAGE.parent, **settings: Any) -> subprocess.CompletedProcess[str]:
    """Run ``program`` with the skruv in ``package``, no HOME, and of the environment nothing but ``variables``."""
    done = start(program, *arguments, package=package, **settings)
    out, said = done.communicate()
    assert done.returncode == 0, said
    return subprocess.CompletedProcess(done.args, 0, out, said)


def start(
    program: str, *arguments: str, package: Path = PACKAGE.parent, folder: Path | None = None, user: int | None = None,
    variables: Mapping[str, str] = NOTHING,
) -> subprocess.Popen[str]:
    """The same, without waiting for it."""
    environment = {"PATH": os.defpath, "PYTHONPATH": str(package), "PYTHONDONTWRITEBYTECODE": "1", **variables}
    command = [*(becoming(user) if user else ()), sys.executable, "-c", program, *arguments]
    return subprocess.Popen(
        command, cwd=folder or package, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8",
    )


def copy_package(to: Path) -> Path:
    """The sources alone."""
    shutil.copytree(PACKAGE, to / "skruv", ignore=shutil.ignore_patterns("__pycache__"))
    return to


def copy_cached_code(to: Path) -> dict[str, str]:
    """The cached code of this process, as the variable that names its place."""
    folder = cache_folder()
    if folder is not None:
        shutil.copytree(folder, to / folder.name)
    return {"NUMBA_CACHE_DIR": str(to)}


def shared_cache() -> dict[str, str]:
    """Where this process keeps its code, as the same variable."""
    folder = cache_folder()
    return {} if folder is None else {"NUMBA_CACHE_DIR": str(folder.parent)}


def files_in(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


@pytest.fixture
def shelf() -> Iterator[Path]:
    """A folder that everybody may read; within it ``open``, where everybody may write, and ``package``, where nobody may."""
    with tempfile.TemporaryDirectory() as name:
        shelf = Path(name)
        package = copy_package(shelf / "package")
        (shelf / "open").mkdir()
        folders = [package, *(path for path in package.rglob("*") if path.is_dir())]
        for path in package.rglob("*"):
            path.chmod(0o555 if path.is_dir() else 0o444)
        package.chmod(0o555)
        shelf.chmod(0o755)
        (shelf / "open").chmod(0o777)
        yield shelf
        for folder in folders:
            folder.chmod(0o755)


# ---- whoever and wherever ---------------------------------------------------------------------------------------------------


def test_plays_without_a_home_or_a_folder_to_write__P27(shelf: Path) -> None:
    before = files_in(shelf)
    program = f"{STORY}from skruv.engine.kernel import cache_folder\nprint(os.geteuid(), story(5), cache_folder())"
    done = run(program, package=shelf / "package", folder=shelf / "open", user=NOBODY)
    who, told, kept = done.stdout.split()
    assert told == story(5)
    if becoming(NOBODY):
        assert (int(who), kept) == (NOBODY, "None")
        assert files_in(shelf) == before


@pytest.mark.parametrize("user", [NOBODY, NO_ENTRY])
def test_a_user_without_a_home_leaves_nothing_where_he_stands__P27(user: int, shelf: Path) -> None:
    program = "from skruv.engine.kernel import cache_folder; print(cache_folder())"
    done = run(program, package=shelf / "package", folder=shelf / "open", user=user)
    assert list((shelf / "open").iterdir()) == [], done.stdout


def test_code_that_cannot_be_kept_is_compiled_each_time__P27() -> None:
    """As with ``NUMBA_OPT=0``, or where a kernel reads a large global array: numba warns, and goes on."""
    large = np.arange(10**6)

    def entry(place: int) -> int:
        return large[place]

    with pytest.warns(NumbaWarning, match="Cannot cache compiled function"):
        assert cached_kernel(entry)(7) == 7  # type: ignore[arg-type]


FORK = """
tables = Tables("biritch", 8, seed=1, threads=int(sys.argv[1]), max_doublings=1)

def play_on():
    for _ in range(40):
        tables.step(tables.observe().mask.argmax(axis=1))
    return hashlib.sha256(tables.states.tobytes()).hexdigest()

first = play_on()
children = []
for child in range(2):
    to_read, to_write = os.pipe()
    if os.fork() == 0:
        import signal
        signal.alarm(20)
        os.write(to_write, f"{play_on()} {story(child)}".encode())
        os._exit(0)
    os.close(to_write)
    children.append(to_read)
for child, to_read in enumerate(children):
    print(child, os.read(to_read, 1000).decode(), os.waitstatus_to_exitcode(os.wait()[1]))
print(play_on())
"""


@pytest.mark.parametrize("threads", [1, 2])
def test_forked_children_play_on_as_their_parent_does__P27(threads: int) -> None:
    *children, parent = run(STORY + FORK, str(threads), variables=shared_cache()).stdout.splitlines()
    assert children == [f"{child} {parent} {story(child)} 0" for child in range(2)], f"{-signal.SIGALRM}: it hung"


def test_two_threads_each_with_their_own_tables__P27() -> None:
    """From the first use on, in a process that has loaded nothing yet."""
    program = f"{STORY}from concurrent.futures import ThreadPoolExecutor\nprint(*ThreadPoolExecutor(2).map(story, [5, 6]))"
    assert run(program, variables=shared_cache()).stdout.split() == [story(5), story(6)]


def test_eight_cold_processes_at_once__P27(tmp_path: Path) -> None:
    """Two loops are enough here: each process is busy with them for some seconds."""
    program = f"{STORY}print(hashlib.sha256(Tables('biritch', 4, seed=5).observe().observation.tobytes()).hexdigest())"
    variables = {"NUMBA_CACHE_DIR": str(tmp_path)}
    processes = [start(program, variables=variables) for _ in range(8)]
    told = [process.communicate() for process in processes]
    assert [process.returncode for process in processes] == [0] * 8, told
    expected = hashlib.sha256(Tables("biritch", 4, seed=5).observe().observation.tobytes()).hexdigest()
    assert {out.strip() for out, _ in told} == {expected}
    assert any(COMPILING in said for _, said in told)
    warm = run(program, variables=variables)
    assert (warm.stdout.strip(), warm.stderr) == (expected, "")
    assert {Path(name).suffix for name in files_in(tmp_path)} == {".nbi", ".nbc"}


MEET = """
import hashlib, sys, time
from pathlib import Path
from numba.core.caching import IndexDataCacheFile
from skruv import Tables

def save_index(file, overloads, save=IndexDataCacheFile._save_index):
    (place / game).touch()
    while len(list(place.iterdir())) < 2:
        time.sleep(0.01)
    time.sleep(0 if game == "biritch" else 0.5)
    save(file, overloads)

def save_data(file, name, code, save=IndexDataCacheFile._save_data):
    time.sleep(1 if game == "biritch" else 0)
    save(file, name, code)

game, *places = sys.argv[1:]
for place in map(Path, places):
    IndexDataCacheFile._save_index, IndexDataCacheFile._save_data = save_index, save_data
print(hashlib.sha256(Tables(game, 4, seed=5).states.tobytes()).hexdigest())
"""
"""The first loop of a game; with a place to meet, two games have both read the cache before either writes to it."""


def test_two_games_that_are_compiled_at_once_keep_their_own_code__P27(tmp_path: Path) -> None:
    place, variables, names = tmp_path / "place", {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}, ("biritch", "vint")
    place.mkdir()
    processes = [start(MEET, game, str(place), variables=variables) for game in names]
    told = [process.communicate()[0] for process in processes]
    assert [run(MEET, game, variables=variables).stdout for game in names] == told


TELL = """
import hashlib, sys
from skruv import Tables
for game in sys.argv[1:]:
    tables = Tables(game, 4, seed=5)
    for _ in range(30):
        seen = tables.observe()
        tables.step(seen.mask.argmax(axis=1))
    print(hashlib.sha256(seen.observation.tobytes() + seen.mask.tobytes()).hexdigest())
"""


def test_code_that_was_kept_by_several_processes_is_linked_rightly__P27(tmp_path: Path) -> None:
    variables = {"NUMBA_CACHE_DIR": str(tmp_path)}
    alone = [run(TELL, game, variables=variables).stdout for game in VERSIONS]
    assert run(TELL, *VERSIONS, variables=variables).stdout == "".join(alone)
    assert run(TELL, *VERSIONS, variables={"NUMBA_DISABLE_JIT": "1"}).stdout == "".join(alone)


EDITS = {
    "a price": ("games/biritch.py", "TRICK_VALUES = (2, ", "TRICK_VALUES = (3, "),
    "the shuffle": ("engine/cards.py", "stream, 52 - place)", "stream, 51 - place)"),
}
"""Neither file holds a function that numba keeps; those that it keeps are in ``engine/batch.py``."""


@pytest.mark.parametrize("edit", EDITS)
def test_edited_sources_are_compiled_anew__P27(edit: str, tmp_path: Path) -> None:
    package, variables = copy_package(tmp_path / "package"), copy_cached_code(tmp_path / "cache")
    program = f"{STORY}print(story(5))"
    assert run(program, package=package, variables=variables).stdout.strip() == story(5)
    name, old, new = EDITS[edit]
    source = package / "skruv" / name
    text = source.read_text(encoding="utf-8")
    assert text.count(old) == 1
    source.write_text(text.replace(old, new), encoding="utf-8")
    edited = run(program, package=package, variables=variables)
    assert COMPILING in edited.stderr
    assert edited.stdout.strip() != story(5)
    assert edited.stdout == run(program, package=package, variables={"NUMBA_DISABLE_JIT": "1"}).stdout
    source.write_text(text, encoding="utf-8")
    again = run(program, package=package, variables=variables)
    assert (again.stdout.strip(), again.stderr) == (story(5), "")


# ---- what is installed ------------------------------------------------------------------------------------------------------


def names_of(requirements: list[str]) -> set[str]:
    """What is required without any extra."""
    parsed = [Requirement(text) for text in requirements]
    return {canonicalize_name(each.name) for each in parsed if each.marker is None or "extra" not in str(each.marker)}


def project() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_the_core_needs_five_packages__P28() -> None:
    assert names_of(project()["dependencies"]) == CORE
    assert names_of(importlib.metadata.requires("skruv") or []) == CORE


def test_the_pinned_versions_are_allowed__P28() -> None:
    """Those of the constraints file by every extra that is installed with it."""
    text = (ROOT / ".ci" / "constraints.txt").read_text(encoding="utf-8")
    pinned = {canonicalize_name(name): version for name, version in re.findall(r"^([\w.-]+)==(\S+)$", text, re.MULTILINE)}
    extras = project()["optional-dependencies"]
    asked = [*project()["dependencies"], *(each for extra, needs in extras.items() if extra != "compat" for each in needs)]
    for each in map(Requirement, asked):
        assert each.name == "skruv" or each.specifier.contains(pinned[canonicalize_name(each.name)]), each


HEAVY = {"torch", "stable_baselines3", "sb3_contrib", "matplotlib", "pandas", "tensorboard", "tyro", "PIL", "playwright"}
IMPORTS = {
    "skruv": HEAVY | {"numba", "llvmlite", "rich"},
    "skruv.vint_v0, skruv.skruuvi_v0, skruv.biritch_v0, skruv.gym, skruv.arena, skruv.record, skruv.dealfiles, skruv.cli": HEAVY,
}


@pytest.mark.parametrize("modules", IMPORTS)
def test_imports_are_light__P28(modules: str) -> None:
    loaded = run(f"import sys, {modules}; print(*{{name.split('.')[0] for name in sys.modules}})").stdout.split()
    assert not IMPORTS[modules] & set(loaded)


# ---- the wheel --------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    pip("wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", str(folder), str(ROOT))
    (built,) = folder.iterdir()
    return built


def pip(*arguments: str) -> None:
    command = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", "--no-input", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_what_the_wheel_holds__P29(wheel: Path) -> None:
    assert wheel.name == f"skruv-{skruv.__version__}-py3-none-any.whl"
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        told = archive.read(f"skruv-{skruv.__version__}.dist-info/METADATA").decode()
    sources = {f"skruv/{path.relative_to(PACKAGE).as_posix()}" for path in PACKAGE.rglob("*.py")}
    assert {name for name in names if ".dist-info/" not in name} == sources | {"skruv/py.typed", "skruv/render/replay.html"}
    assert names_of(re.findall(r"^Requires-Dist: (.*)$", told, re.MULTILINE)) == CORE


VISIT = """
import json, sys, time
began = time.perf_counter()
import skruv
imported = time.perf_counter() - began
from skruv.record import read_records, write_records

env = skruv.biritch_v0.env(render_mode="ansi", episode="rubber", max_doublings=1)
env.reset(seed=7)
for agent in env.agent_iter():
    observation, reward, termination, truncation, info = env.last()
    env.action_space(agent).seed(len(env.record()[-1]["actions"]))
    env.step(None if termination or truncation else env.action_space(agent).sample(observation["action_mask"]))
write_records(sys.argv[1], env.record())
assert read_records(sys.argv[1]) == env.record()
told = {"file": skruv.__file__, "imported": imported, "deals": len(env.record()), "games": env.ledger["games"], "text": env.render()}
print(json.dumps(told))
"""


def test_the_installed_wheel_plays_draws_and_keeps_records__P29(wheel: Path, tmp_path: Path) -> None:
    place, deals = tmp_path / "site", tmp_path / "deals.jsonl"
    pip("install", "--no-deps", "--no-index", "--target", str(place), str(wheel))
    size = sum(path.stat().st_size for path in place.rglob("*") if path.is_file())
    told = json.loads(run(VISIT, str(deals), package=place, variables=shared_cache()).stdout)
    print(f"installed: {size // 1024} KiB; imported in {told['imported']:.2f} s")
    assert Path(told["file"]) == place / "skruv" / "__init__.py"
    assert max(told["games"]) == 2
    assert told["deals"] == len(deals.read_text(encoding="utf-8").splitlines()) > 1
    assert "Biritch" in told["text"]
    program = "import runpy, sys; sys.argv[0] = 'skruv'; runpy.run_module('skruv', run_name='__main__')"
    assert f"{told['deals']} deals" in run(program, "verify", str(deals), package=place, variables=shared_cache()).stdout

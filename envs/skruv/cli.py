"""The ``skruv`` command."""

import argparse
import json
import sys
from pathlib import Path

from .games import VERSIONS


def main(arguments: list[str] | None = None) -> int:
    """Run the command; returns the exit status."""
    parser = argparse.ArgumentParser(prog="skruv", description="Vint, Skruuvi and Biritch: environments, records, benchmarks.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    bench = commands.add_parser("bench", help="measure the speed on this machine", description="Measure the speed on this machine.")
    bench.add_argument("games", nargs="*", metavar="GAME", help=f"of {', '.join(VERSIONS)}; all by default")
    bench.add_argument("--json", type=Path, metavar="FILE", help="write the figures there too")
    bench.add_argument("--peers", action="store_true", help="other libraries beside it, where they are installed")
    bench.set_defaults(run=run_bench)

    replay = commands.add_parser("replay", help="a page to step through records", description="Write a page to step through records.")
    replay.add_argument("file", type=Path, metavar="FILE", help="JSON lines, one deal each")
    replay.add_argument("-o", "--output", type=Path, metavar="OUT", help="the HTML file; FILE with the ending .html by default")
    replay.set_defaults(run=run_replay)

    verify = commands.add_parser("verify", help="play records again and check them", description="Play records again and check them.")
    verify.add_argument("files", nargs="+", type=Path, metavar="FILE", help="JSON lines, one deal each")
    verify.set_defaults(run=run_verify)

    given = parser.parse_args(arguments)
    return given.run(given, parser)


def run_bench(given: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    """``skruv bench``"""
    unknown = [game for game in given.games if game not in VERSIONS]
    if unknown:
        parser.error(f"no game is called {unknown[0]!r}; there are {', '.join(VERSIONS)}")
    from .bench import measure, show

    results = measure(given.games or list(VERSIONS), peers=given.peers)
    show(results)
    if given.json is not None:
        given.json.write_text(json.dumps(results, indent=2), encoding="utf-8")
    return 0


def run_replay(given: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    """``skruv replay``"""
    from .record import RecordError, read_records
    from .render import replay

    output = given.output or given.file.with_suffix(".html")
    try:
        replay(read_records(given.file), title=given.file.name).save(output)
    except (RecordError, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    print(f"{output}: open it in a browser")
    return 0


def run_verify(given: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    """``skruv verify``"""
    from .record import RecordError, read_records

    for path in given.files:
        try:
            print(f"{path}: {len(read_records(path))} deals, all as the engine plays them")
        except (RecordError, OSError) as error:
            print(error, file=sys.stderr)
            return 1
    return 0

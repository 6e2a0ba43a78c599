"""The ``skruv`` command."""

import argparse
import ast
import json
import sys
from pathlib import Path
from typing import Any

from .games import VERSIONS

STOPPED = 130
"""The exit status after Ctrl-C, as shells have it."""
ARENA = """Matches between players, each deal played twice with the sides exchanged.

Every pair of the players that are named meets over the same deals: points a deal with a 95 % interval, the contracts of each, and a
rating. A player is one of uniform, random, pass, thumb, ..., or policy:FILE. Biritch is played with max_doublings=3, unless an --option
says something else: between players that double blindly the mean margin does not exist.
"""


def main(arguments: list[str] | None = None) -> int:
    """Run the command; returns the exit status."""
    parser = argparse.ArgumentParser(prog="skruv", description="Vint, Skruuvi and Biritch: environments, records, benchmarks.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    arena = commands.add_parser(
        "arena", help="matches between players", description=ARENA, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    arena.add_argument("game", metavar="GAME", help=f"one of {', '.join(VERSIONS)}")
    arena.add_argument("players", nargs="+", metavar="PLAYER", help="two or more; with --session four")
    arena.add_argument("--deals", type=int, default=500, metavar="N", help="of each pair; or rubbers, matches, sessions")
    arena.add_argument("--seed", type=int, default=0, help="of deals and players: deal i is that of env.reset(seed=SEED + i)")
    arena.add_argument("--episode", choices=("deal", "rubber", "match"), help="what is played twice; a deal by default")
    arena.add_argument("--session", action="store_true", help="single players: three rubbers, every partnership once")
    arena.add_argument("--workers", type=int, default=1, metavar="K", help="processes; the results do not depend on it")
    arena.add_argument("--out", type=Path, metavar="DIR", help="keep what is played there, chunk by chunk")
    arena.add_argument("--resume", action="store_true", help="go on with what DIR holds")
    arena.add_argument("--records", type=Path, metavar="FILE", help="write every deal there as JSON lines, for skruv verify")
    arena.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="of the game's rules, or ledger=random")
    arena.add_argument("--chunk", type=int, metavar="N", help="deals that are played and kept together; few for slow players")
    arena.set_defaults(run=run_arena)

    bench = commands.add_parser("bench", help="measure the speed on this machine", description="Measure the speed on this machine.")
    bench.add_argument("games", nargs="*", metavar="GAME", help=f"of {', '.join(VERSIONS)}; all by default")
    bench.add_argument("--json", type=Path, metavar="FILE", help="write the figures there too")
    bench.add_argument("--peers", action="store_true", help="other libraries beside it, where they are installed")
    bench.add_argument("--players", action="store_true", help="the built-in players instead: decisions a second of each")
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


def run_arena(given: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    """``skruv arena``"""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    from .arena import WorkerError, play_all, play_sessions
    from .record import write_records

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    try:
        options = read_options(given.option)
        if given.episode is not None and options.setdefault("episode", given.episode) != given.episode:
            raise ValueError(f"--episode {given.episode} and --option episode={options['episode']} differ: give one of them")
        if given.records is not None and not given.records.parent.is_dir():
            raise ValueError(f"--records {given.records}: there is no folder {given.records.parent}")
        with Progress(*columns, transient=True) as bar:
            task = bar.add_task(f"{given.game}: {' '.join(given.players)}", total=None)
            common: dict[str, Any] = {
                "seed": given.seed, "workers": given.workers, "folder": given.out, "resume": given.resume,
                "records": given.records is not None, "progress": lambda done, total: bar.update(task, completed=done, total=total),
                **({} if given.chunk is None else {"chunk": given.chunk}), **options,
            }
            if given.session:
                result = play_sessions(given.game, given.players, sessions=given.deals, **common)
            else:
                result = play_all(given.game, given.players, deals=given.deals, **common)
    except WorkerError as error:
        print(error, file=sys.stderr)
        return 1
    except (ValueError, OSError) as error:
        parser.error(str(error))
    except KeyboardInterrupt:
        print("stopped before anything was played", file=sys.stderr)
        return STOPPED
    print(result)
    if given.records is not None:
        write_records(given.records, result.records)
    if result.complete:
        return 0
    print("stopped; go on with --resume" if given.out else "stopped; with --out DIR it could go on later", file=sys.stderr)
    return STOPPED


def read_options(given: list[str]) -> dict[str, Any]:
    """``["max_doublings=3", "kitty=false"]`` as a mapping; ``ValueError`` for what has no name and value."""
    words = {"true": True, "false": False, "none": None}
    options: dict[str, Any] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not name or not equals:
            raise ValueError(f"--option {text!r}: it must be NAME=VALUE, as in max_doublings=3")
        if value.lower() in words:
            options[name] = words[value.lower()]
        else:
            try:
                options[name] = ast.literal_eval(value)
            except (ValueError, SyntaxError):
                options[name] = value
    return options


def run_bench(given: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    """``skruv bench``"""
    unknown = [game for game in given.games if game not in VERSIONS]
    if unknown:
        parser.error(f"no game is called {unknown[0]!r}; there are {', '.join(VERSIONS)}")
    from .bench import measure, measure_players, show, show_players

    if given.players:
        results = measure_players(given.games or list(VERSIONS))
        show_players(results)
    else:
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

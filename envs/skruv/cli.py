"""The ``skruv`` command."""

import argparse
import ast
import difflib
import json
import math
import os
import sys
from pathlib import Path
from typing import Any

from .games import VERSIONS, load

TABLE_OPTIONS = ("ledger", "max_deals", "skip_forced", "features")
"""What ``--option`` may say beside the fields of the game's rules."""
STOPPED = 130
"""The exit status after Ctrl-C, as shells have it."""
SKRUV = "Vint, Skruuvi and Biritch: a seat at the table, matches between players, records of deals, benchmarks."
WHO = """A player is one of uniform, random, pass, thumb, search, or policy:FILE; search
takes worlds=N, ms=N and rollout behind a colon, as in search:worlds=20."""
ARENA = f"""Matches between players, each deal played twice with the sides exchanged.

Every pair of the players that are named meets over the same deals: points a
deal with a 95 % interval, the contracts of each, and a rating.

{WHO}
Biritch is played with max_doublings=3, unless an --option says something else:
between players that double blindly the mean margin does not exist.
"""
BENCH = """Measure the speed on this machine: decisions a second at tables of several sizes, turns a second of the environments,
and how long a start takes. Some minutes a game."""
VERIFY = """Play records again and check that every action is legal and every score line is what the engine finds. The exit
status is 1 at the first deal that does not hold, with its file and line."""
PLAY = f"""A person and three players at one table, or with --watch four players.

Choose with arrows and Enter, by typing the name of a card or call (SA, D10, 3C,
P), or with the mouse. u takes your last action back until the next player
moves, h asks what thumb would do, ? tells the rest.

{WHO}
For example: skruv play vint --partner thumb --left search --right search
"""


def main(arguments: list[str] | None = None) -> int:
    """Run the command; returns the exit status."""
    parser = argparse.ArgumentParser(prog="skruv", description=SKRUV, epilog="skruv COMMAND --help tells more.")
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

    bench = commands.add_parser("bench", help="measure the speed on this machine", description=BENCH)
    bench.add_argument("games", nargs="*", metavar="GAME", help=f"of {', '.join(VERSIONS)}; all by default")
    bench.add_argument("--json", type=Path, metavar="FILE", help="write the figures there too")
    bench.add_argument("--peers", action="store_true", help="other libraries beside it, where they are installed")
    bench.add_argument("--players", action="store_true", help="the built-in players instead: decisions a second of each")
    bench.set_defaults(run=run_bench)

    replay = commands.add_parser("replay", help="a page to step through records", description="Write a page to step through records.")
    replay.add_argument("file", type=Path, metavar="FILE", help="JSON lines, one deal each")
    replay.add_argument("-o", "--output", type=Path, metavar="OUT", help="the HTML file; FILE with the ending .html by default")
    replay.set_defaults(run=run_replay)

    verify = commands.add_parser("verify", help="play records again and check them", description=VERIFY)
    verify.add_argument("files", nargs="+", type=Path, metavar="FILE", help="JSON lines, one deal each")
    verify.set_defaults(run=run_verify)

    play = commands.add_parser(
        "play", help="a seat at the table, in the terminal", description=PLAY, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    play.add_argument("game", metavar="GAME", help=f"one of {', '.join(VERSIONS)}")
    play.add_argument("--seat", default="S", metavar="SEAT", help="yours: N, E, S (by default) or W")
    for chair in ("partner", "left", "right"):
        play.add_argument(f"--{chair}", default="thumb", metavar="PLAYER", help="thumb by default")
    play.add_argument("--watch", action="store_true", help="no person: four players, all hands open")
    play.add_argument("--own", metavar="PLAYER", help="who has your seat with --watch; thumb by default")
    play.add_argument("--episode", choices=("deal", "rubber", "match"), help="a deal by default; after each, n begins another one")
    play.add_argument("--seed", type=int, help="deal i is that of env.reset(seed=SEED + i); drawn by default")
    play.add_argument("--deal", metavar="PBN", help='the first deal: "N:AKQ2.K3.T98.7654 ...", from that seat clockwise, spades first')
    play.add_argument("--kotka", metavar="CARDS", help='its four cards in Skruuvi: "D5 SA H3 C2"')
    play.add_argument("--dealer", metavar="SEAT", help="its dealer")
    play.add_argument("--contract", metavar="NAME", help="with --declarer: the first deal begins with the play of the cards")
    play.add_argument("--declarer", metavar="SEAT", help="of that contract")
    play.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="of the game's rules, or ledger=random")
    play.add_argument("--pace", type=float, metavar="SECONDS", help="between the moves of the others; 0.8 by default")
    play.add_argument("--record", type=Path, metavar="FILE", help="add every finished deal there as JSON lines, for skruv verify")
    play.set_defaults(run=run_play)

    words = sys.argv[1:] if arguments is None else arguments
    if words and words[0][:1] != "-" and words[0] not in commands.choices:
        near = difflib.get_close_matches(words[0], commands.choices, n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(commands.choices)}"
        parser.error(f"no command is called {words[0]!r}; {hint}")
    given = parser.parse_args(words)
    return given.run(given, parser)


def run_arena(given: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    """``skruv arena``"""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    from .arena import WorkerError, play_all, play_sessions
    from .record import write_records

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    try:
        options = options_of(given)
        if given.records is not None:
            check_output("--records", given.records)
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


def check_output(option: str, path: Path) -> None:
    """``ValueError`` where no file can be written at ``path``."""
    if not path.parent.is_dir():
        raise ValueError(f"{option} {path}: there is no folder {path.parent}")
    if path.is_dir() or not os.access(path if path.exists() else path.parent, os.W_OK):
        raise ValueError(f"{option} {path}: no file can be written there")


def options_of(given: argparse.Namespace) -> dict[str, Any]:
    """What ``--option`` and ``--episode`` say; ``ValueError`` where they differ, or name what is no option of a game."""
    options = read_options(given.option)
    load(given.game).make_rules({name: value for name, value in options.items() if name not in TABLE_OPTIONS})
    if given.episode is not None and options.setdefault("episode", given.episode) != given.episode:
        raise ValueError(f"--episode {given.episode} and --option episode={options['episode']} differ: give one of them")
    return options


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
            except (ValueError, SyntaxError, TypeError):
                options[name] = value
    return options


def has_terminal() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()


def run_play(given: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    """``skruv play``"""
    from .engine.cards import SEAT_LETTERS
    from .play.sitting import Sitting, seat_named

    try:
        from .play.app import PACE, PlayApp
    except ImportError as error:
        print(f"skruv play needs the extra 'play' ({error}): pip install 'skruv[play]'", file=sys.stderr)
        return 1
    names = ("deal", "kotka", "dealer", "contract", "declarer")
    deal = {name: getattr(given, name) for name in names if getattr(given, name) is not None}
    try:
        if given.pace is not None and not 0 <= given.pace < math.inf:
            raise ValueError(f"--pace {given.pace}: it must be 0 or more seconds")
        if given.record is not None:
            check_output("--record", given.record)
        if given.own is not None and not given.watch:
            raise ValueError(f"--own {given.own}: your seat is yours; give --watch too")
        sitting = Sitting(
            given.game, seat=seat_named(given.seat), partner=given.partner, left=given.left, right=given.right,
            own=(given.own or "thumb") if given.watch else None, seed=given.seed, record=given.record,
            deal={name: SEAT_LETTERS[seat_named(text)] if name in ("dealer", "declarer") else text for name, text in deal.items()},
            **options_of(given),
        )
    except ImportError as error:
        print(error, file=sys.stderr)
        return 1
    except (ValueError, OSError) as error:
        parser.error(str(error))
    if not has_terminal():
        parser.error("play needs a terminal to draw on and keys to listen to")
    app = PlayApp(sitting, PACE if given.pace is None else given.pace)
    try:
        sitting.warm_up()
        app.run()
    except KeyboardInterrupt:
        return STOPPED
    count = len(sitting.deals)
    print(f"{count} deal{'' if count == 1 else 's'} played" + (f", kept in {given.record}" if given.record and count else ""))
    return app.return_code or 0


def run_bench(given: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    """``skruv bench``"""
    try:
        for game in given.games:
            load(game)
    except ValueError as error:
        parser.error(str(error))
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

    output = given.output or given.file.parent / f"{given.file.stem}.html"
    if output.resolve() == given.file.resolve():
        parser.error(f"the page would be written over the records in {given.file}: name another file with -o")
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

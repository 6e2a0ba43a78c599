"""Episodes played to their end by four players, and what became of each of their deals."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, NotRequired, TypedDict

import numpy as np

from ..engine.batch import share
from ..engine.cards import NO_SEAT, SEAT_LETTERS, SEATS, side_of
from ..engine.game import Game
from ..engine.kernel import python_of
from ..engine.rules import OptionError
from ..players import Player, answer_of
from ..record import DealRecord, Record, deal_record
from ..tables import Tables

USUAL_OPTIONS: dict[str, dict[str, Any]] = {"biritch": {"max_doublings": 3}}
"""By game, the options of matches where no others are given: between players that double blindly the mean margin does not exist."""
KEPT = ("n", "seed", "autoreset", "trails", "illegal", "illegal_penalty", "reward", "reward_scale", "threads")
"""The options of :class:`~skruv.tables.Tables` that are not for a match to choose."""
ODD_TRICK = 7
"""What a side takes to make a contract in a game where a failed one has no line of its own."""
SLAM = 12
"""Tricks."""


class PlayedDeal(TypedDict):
    """A finished deal."""

    contract: str | None
    """``None``: passed out; so are ``declarer`` and ``made`` then."""
    declarer: str | None
    alone: str | None
    """The seat that played against the three others."""
    doublings: int
    tricks: list[int]
    """By side."""
    made: bool | None
    margin: int
    """Points of North and South minus those of East and West."""


class Play(TypedDict):
    """An episode: one deal, or a session of several."""

    number: int
    """Which deal or session it is, from 0; the plays of one number are counted as one."""
    seats: list[int]
    """Who sat N E S W, by place in the list of players."""
    truncated: bool
    """It was cut off after ``max_deals`` deals."""
    deals: list[PlayedDeal]
    records: NotRequired[list[Record]]
    """Of the deals, where they were asked for."""


class Played(NamedTuple):
    """What :func:`play_out` returns."""

    results: np.ndarray
    """(m,) the results of all finished deals, by table, and of a table in order."""
    table: np.ndarray
    """(m,) int64, where each was played."""
    truncated: np.ndarray
    """(n,) bool, by table."""
    records: list[list[Record]]
    """By table; empty unless they were asked for."""


def match_options(game: Game, given: Mapping[str, Any]) -> dict[str, Any]:
    """The options of a match's tables: those that are ``given``, and the usual ones; :class:`OptionError` for what is not allowed."""
    for name in KEPT:
        if name in given:
            raise OptionError(f"{name} is no option of a match: it is set by the match itself")
    options = {**USUAL_OPTIONS.get(game.name, {}), **given}
    Tables(game, **options)
    return options


def episode_of(game: Game, options: Mapping[str, Any]) -> str:
    """``"deal"``, ``"rubber"`` or ``"match"``: what an episode is with these options."""
    return options.get("episode", game.make_rules({}).episode)


def play_out(
    game: Game, players: Sequence[Player], seeds: np.ndarray, options: Mapping[str, Any], *, names: Sequence[str] | None = None
) -> Played:
    """Play an episode from each of the ``seeds``.

    Args:
        players: who sits N E S W; one that sits at several seats is asked for all of them at once.
        seeds: (n,) integers; table i is dealt what ``env.reset(seed=seeds[i])`` deals.
        options: of :class:`~skruv.tables.Tables`.
        names: of the players by seat: each deal is recorded, with these and its seed among the notes.
    """
    tables = Tables(game, len(seeds), seed=0, autoreset=False, trails=names is not None, **options)
    tables.reset(seed=seeds)
    openings = tables.save() if names is not None else tables.states[:0]
    sitting = [(player, [seat for seat in SEATS if players[seat] is player]) for player in {id(each): each for each in players}.values()]
    finished: list[tuple[np.ndarray, np.ndarray]] = []
    records: list[list[Record]] = [[] for _ in seeds] if names is not None else []
    truncated = np.zeros(len(seeds), np.bool_)
    while len(rows := np.flatnonzero(tables.ended == 0)):
        views = tables.views(rows)
        actions = np.empty(len(rows), np.int64)
        for player, seats in sitting:
            theirs = np.flatnonzero(np.isin(views.seat, seats))
            if len(theirs):
                actions[theirs] = answer_of(player, views[theirs])
        before = tables.states["finished"][rows]
        truncated[rows] = tables.step(actions, rows).truncated
        done = rows[tables.states["finished"][rows] > before]
        if len(done):
            finished.append((done, tables.results[done]))
        if names is not None:
            for row in done.tolist():
                trail = tables.trail(row, previous=True).action.tolist()
                record = deal_record(game, tables.rules, openings[row : row + 1], trail, tables.states["result"][row])
                notes = {"seed": int(seeds[row]), "players": dict(zip(SEAT_LETTERS, names, strict=True))}
                records[row].append(DealRecord(record | {"notes": [notes]}))
                openings[row] = tables.states[row]
    table = np.concatenate([done for done, _ in finished])
    order = np.argsort(table, kind="stable")
    return Played(np.concatenate([results for _, results in finished])[order], table[order], truncated, records)


def play_tables(game: Game, players: Mapping[int, Player], n: int, seed: int, options: Mapping[str, Any]) -> np.ndarray:
    """Play an episode at each of ``n`` tables, a player for each side; the results of their deals, table by table."""
    seated = [players[python_of(side_of)(seat)] for seat in SEATS]
    return play_out(game, seated, seed + np.arange(n), options).results


def plays_of(game: Game, played: Played, numbers: Iterable[int], seats: Sequence[int]) -> list[Play]:
    """``played`` table by table, as plain values that go into JSON."""
    deals = deals_of(game, played.results)
    bounds = np.searchsorted(played.table, np.arange(len(played.truncated) + 1)).tolist()
    plays: list[Play] = []
    for table, number in enumerate(numbers):
        play: Play = {
            "number": number, "seats": list(seats), "truncated": bool(played.truncated[table]),
            "deals": deals[bounds[table] : bounds[table + 1]],
        }
        if played.records:
            play["records"] = played.records[table]
        plays.append(play)
    return plays


def deals_of(game: Game, results: np.ndarray) -> list[PlayedDeal]:
    """The ``results`` in words."""
    columns = (*(results[name].tolist() for name in ("contract", "declarer", "alone", "doublings", "tricks")), is_failed(game, results))
    return [
        PlayedDeal(
            contract=game.contracts[contract] if contract >= 0 else None,
            declarer=SEAT_LETTERS[declarer] if declarer >= 0 else None,
            alone=SEAT_LETTERS[alone] if alone >= 0 else None,
            doublings=doublings, tricks=tricks, made=not failed if contract >= 0 else None, margin=margin,
        )
        for contract, declarer, alone, doublings, tricks, failed, margin in zip(*columns, margin_of(results).tolist(), strict=True)
    ]


def margin_of(results: np.ndarray) -> np.ndarray:
    """(n,) int64, the points of North and South minus those of East and West."""
    return (results["lines"][:, :, 0] - results["lines"][:, :, 1]).sum(axis=1)


def contract_text(deal: PlayedDeal) -> str:
    """The contract with its doublings, ``"passed out"`` where there is none."""
    if deal["contract"] is None:
        return "passed out"
    return deal["contract"] + (f" x{2 ** deal['doublings']}" if deal["doublings"] else "")


def contracts_of(game: Game, results: np.ndarray) -> Counter[str]:
    """How often each contract was played, with its doublings."""
    return Counter(contract_text(deal) for deal in deals_of(game, results))


def is_failed(game: Game, results: np.ndarray) -> np.ndarray:
    """(n,) bool, the contract was not made."""
    kinds = [line.kind for line in game.lines]
    if "undertricks" not in kinds:
        declaring = results["declarer"] % 2
        taken = np.take_along_axis(results["tricks"], declaring[:, None].astype(np.int64), axis=1)[:, 0]
        return (results["contract"] >= 0) & (taken < ODD_TRICK)
    failed = np.zeros(len(results), np.bool_)
    failed |= results["lines"][:, kinds.index("undertricks")].any(axis=1)
    if "special" in kinds:
        failed |= (results["lines"][:, kinds.index("special")] < 0).any(axis=1)
    return failed


def level_of(contract: str) -> int:
    """The number that a contract's name begins with, 0 where it has none."""
    digits = contract[: len(contract) - len(contract.lstrip("0123456789"))]
    return int(digits or 0)


def seat_points(deal: PlayedDeal) -> np.ndarray:
    """(4,) float64, the margin of a deal as each seat has it; who played alone has it from three."""
    points = np.zeros((1, len(SEATS)))
    python_of(share)(float(deal["margin"]), SEAT_LETTERS.index(deal["alone"]) if deal["alone"] else NO_SEAT, points, 0)
    return points[0]

"""The engine and the referee at the same table: moved together and compared after every action."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from referee import Line, Table, referee

from skruv import Tables
from skruv.engine.cards import CARD_NAMES, SEAT_LETTERS, SIDE_NAMES

Cards = list[str]


def cards_in(board: int) -> Cards:
    """The names of the cards of a bitboard."""
    return [name for card, name in enumerate(CARD_NAMES) if int(board) >> card & 1]


def dealt_at(tables: Tables, row: int) -> tuple[list[Cards], Cards]:
    """The hands as the engine has dealt them at a table, and the kotka."""
    state = tables.states[row]
    kotka = state["kotka"] if "kotka" in (state.dtype.names or ()) else 0
    return [cards_in(hand) for hand in state["dealt"]], cards_in(kotka)


def referee_at(tables: Tables, row: int, rules: Mapping[str, Any], ledger: Mapping[str, Any]) -> Table:
    """A referee for a table whose first deal has just begun. It is dealt what the engine deals there."""
    dealer = int(tables.states["dealer"][row])
    return referee(tables.game.name, dict(rules), lambda _: dealt_at(tables, row), dealer, dict(ledger))


def lines_of(tables: Tables, row: int) -> list[Line]:
    """The score lines of the last finished deal at a table, as the referee writes them."""
    lines = tables.states["result"]["lines"][row]
    return [
        (SIDE_NAMES[side], line.column, line.kind, int(lines[place, side]))
        for place, line in enumerate(tables.game.lines) for side in (0, 1) if lines[place, side]
    ]


class Pairing:
    """Some tables of the engine, each with a referee."""

    def __init__(self, tables: Tables, referees: list[Table]) -> None:
        self.tables = tables
        self.referees = referees
        self.actions = tables.game.actions
        self.rows = np.arange(tables.n)
        """The tables where the session goes on."""
        self._bits = {name: 1 << action for action, name in enumerate(self.actions)}
        self._first_totals = tables.states["ledger"]["total"].copy()
        self.compare()

    def compare(self) -> None:
        """Compare what stands at each table where the session goes on."""
        for row in self.rows.tolist():
            self._compare_position(row)
        _, masks, seats = self.tables.observe(rows=self.rows)
        self.masks = masks
        boards = np.packbits(masks, axis=1, bitorder="little")
        for row, seat, board in zip(self.rows.tolist(), seats, boards, strict=True):
            judge = self.referees[row]
            self._same(row, "seat", None if seat < 0 else int(seat), judge.seat)
            legal = judge.legal()
            if int.from_bytes(board.tobytes(), "little") != sum(self._bits[name] for name in legal):
                engine = {name for name, bit in self._bits.items() if int.from_bytes(board.tobytes(), "little") & bit}
                self._same(row, "legal actions", sorted(engine), sorted(legal))

    def step(self, chosen: np.ndarray) -> np.ndarray:
        """Make an action at each table where the session goes on; the rows that have finished a deal with it."""
        before = self.tables.states["finished"][self.rows]
        outcome = self.tables.step(chosen, self.rows)
        for row, action in zip(self.rows.tolist(), chosen, strict=True):
            self.referees[row].step(self.actions[action])
        finished = self.rows[self.tables.states["finished"][self.rows] > before]
        for row in finished.tolist():
            self._compare_deal(row)
        for row, over in zip(self.rows.tolist(), outcome.terminated, strict=True):
            self._same(row, "over", bool(over), self.referees[row].over)
        ended = self.rows[outcome.terminated]
        for row in ended.tolist():
            self._compare_position(row)
        self.rows = self.rows[~outcome.terminated]
        self.compare()
        return finished

    def _compare_position(self, row: int) -> None:
        state, judge = self.tables.states[row], self.referees[row]
        phase = "over" if state["phase"] < 0 else self.tables.game.phases[state["phase"]]
        self._same(row, "phase", phase, judge.phase)
        self._same(row, "dealer", int(state["dealer"]), judge.dealer)

    def _compare_deal(self, row: int) -> None:
        state, judge, game = self.tables.states[row], self.referees[row], self.tables.game
        result, verdict = state["result"], judge.results[-1]
        contract = int(result["contract"])
        self._same(row, "passed out", contract < 0, verdict.passed_out)
        self._same(row, "contract", None if contract < 0 else game.contracts[contract], verdict.contract)
        self._same(row, "declarer", None if contract < 0 else int(result["declarer"]), verdict.declarer)
        self._same(row, "doublings", int(result["doublings"]), verdict.doublings)
        self._same(row, "lines", lines_of(self.tables, row), verdict.lines)
        if not verdict.passed_out:
            self._same(row, "tricks", tuple(result["tricks"].tolist()), verdict.tricks)
        self._same(row, "deals", int(state["finished"]), len(judge.results))
        self._same(row, "totals", (state["ledger"]["total"] - self._first_totals[row]).tolist(), judge.totals)
        self._same(row, "winner", None if state["winner"] < 0 else int(state["winner"]), judge.winner)
        for field, value in (("below", judge.below), ("games", judge.games), ("deal", judge.number)):
            if field in (state["ledger"].dtype.names or ()):
                self._same(row, field, state["ledger"][field].tolist(), value)

    def _same(self, row: int, what: str, engine: object, verdict: object) -> None:
        if engine != verdict:
            raise AssertionError(f"{what}: the engine has {engine}, the referee {verdict}\n{self._describe(row)}")

    def _describe(self, row: int) -> str:
        """How to get there again."""
        state = self.tables.states[row]
        rules = {name: int(state["rules"][name]) for name in state["rules"].dtype.names}
        hands, kotka = dealt_at(self.tables, row)
        said = [self.actions[action] for page in (True, False) for action in self.tables.trail(int(row), previous=page).action]
        return "\n".join([
            f"{self.tables.game.name}, table {row}, rules {rules}, ledger {state['ledger']}, {state['finished']} deals done",
            f"dealer {SEAT_LETTERS[state['dealer']]}, hands {hands}, kotka {kotka}",
            f"actions of the last deal and of this one: {' '.join(said)}",
        ])

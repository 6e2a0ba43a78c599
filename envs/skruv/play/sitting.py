"""A sitting: one table, a person at one seat or at none, players at the others. What a screen needs, and no screen."""

import copy
import difflib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ..checks import seed_value, without
from ..engine.cards import SEAT_LETTERS, SEATS, left_of, partner_of, right_of
from ..engine.game import Game
from ..engine.kernel import python_of
from ..games import load
from ..players import Player, player
from ..players.thumb import ThumbPlayer
from ..record import Record, deal_record
from ..render.scene import Past, Scene, closing_scene, scene_of
from ..tables import Tables, Views

PERSON = "person"
"""Who sits at the person's seat, in records."""
SEAT_NAMES = ("North", "East", "South", "West")
CHAIRS = {"left": left_of, "partner": partner_of, "right": right_of}
KEPT = ("n", "seed", "autoreset", "trails", "illegal", "illegal_penalty", "reward", "reward_scale", "threads", "skip_forced", "max_deals")
"""The options of :class:`~skruv.tables.Tables` that are not for a sitting to choose."""


class SittingError(ValueError):
    """Something that can't be done now, or a seat that does not exist; the message says why."""


class Question(NamedTuple):
    """What another player is asked; it may be answered in any thread."""

    player: Player
    views: Views
    moment: int
    """How often the table had changed; an answer to an earlier moment is dropped."""

    def think(self) -> int:
        """The action that the player chooses."""
        return int(self.player.act(self.views)[0])


class Before(NamedTuple):
    """A table before an action of the person."""

    states: np.ndarray
    trails: np.ndarray


@dataclass(frozen=True)
class FinishedDeal:
    """A deal that has been played, or passed out."""

    opening: np.void
    """The state as it began."""
    result: np.void
    record: Record


def seat_named(text: str) -> int:
    """0..3 for ``"N"`` or ``"north"``; :class:`SittingError` with the nearest name where there is none."""
    names = {name.lower(): seat for seat, name in enumerate((*SEAT_LETTERS, *SEAT_NAMES))}
    if text.lower() not in names:
        near = difflib.get_close_matches(text.capitalize(), SEAT_NAMES, n=1)
        hint = f"did you mean {near[0][0]!r}?" if near else f"there are {', '.join(SEAT_LETTERS)}"
        raise SittingError(f"no seat is called {text!r}; {hint}")
    return names[text.lower()] % len(SEATS)


class Sitting:
    """One table.

    Args:
        game: its name or the :class:`~skruv.engine.game.Game`.
        seat: the person's, 0..3.
        partner: the name of a player, as :func:`~skruv.players.player` takes it; so are ``left`` and ``right``.
        own: who has the person's seat; ``None``: the person.
        seed: episode k is dealt what ``env.reset(seed=seed + k)`` deals; ``None``: from the system's entropy.
        deal: where the first episode begins, as the ``deals`` of :meth:`~skruv.tables.Tables.reset`.
        record: a file to which every finished deal is added at once, as a line of JSON.
        **options: of :class:`~skruv.tables.Tables`.

    Raises:
        OptionError, ValueError: of the options, the deal, the players and the file; each names what is wrong.
        OSError: ``record`` can't be written.
    """

    def __init__(
        self, game: str | Game, *, seat: int = 2, partner: str = "thumb", left: str = "thumb", right: str = "thumb",
        own: str | None = None, seed: int | None = None, deal: Mapping[str, Any] | None = None, record: Path | None = None, **options: Any,
    ) -> None:
        self.game = load(game) if isinstance(game, str) else game
        without(options, KEPT, "a sitting sets it itself")
        self.bottom = seat
        """The seat that is drawn at the bottom."""
        self.seat = seat if own is None else None
        """The person's; ``None``: there are four players."""
        self.seed = seed_value(int.from_bytes(os.urandom(4), "little") if seed is None else seed)
        chosen = {"partner": partner, "left": left, "right": right}
        self.names = {python_of(seat_of)(seat): chosen[chair] for chair, seat_of in CHAIRS.items()}
        self.names[seat] = PERSON if own is None else own
        """By seat, who sits there."""
        self.players: Mapping[int, Player] = {
            each: player(name, self.game, int(np.random.SeedSequence([self.seed, each]).generate_state(1)[0]))
            for each, name in self.names.items() if each != self.seat
        }
        self.adviser = ThumbPlayer(self.game)
        self.tables = Tables(self.game, 1, seed=self.seed, autoreset=False, trails=True, max_deals=None, **options)
        self.given = dict(deal or {})
        self.file = record
        if record is not None:
            check_file(record)
        self.deals: list[FinishedDeal] = []
        """All that are finished."""
        self.is_waiting = False
        """A deal is finished, and the next one is still to be asked for."""
        self._episode = -1
        self._moment = 0
        self._begin_episode()

    # ---- seeing -------------------------------------------------------------------------------------------------------------

    @property
    def turn(self) -> int | None:
        """Whose decision it is; ``None`` between two deals."""
        return None if self.is_waiting else int(self.tables.states["seat"][0])

    @property
    def is_persons_turn(self) -> bool:
        return self.turn is not None and self.turn == self.seat

    @property
    def is_over(self) -> bool:
        """The episode has ended: the next deal would begin another one."""
        return bool(self.tables.ended[0])

    @property
    def phase(self) -> str:
        return self.game.phases[self.tables.states["phase"][0]] if self.turn is not None else "over"

    def legal(self) -> list[int]:
        """The person's legal actions; none where another one is to act."""
        return np.flatnonzero(self.tables.legal()[0]).tolist() if self.is_persons_turn else []

    def scene(self) -> Scene:
        """The table as the person sees it; with four players all hands are open."""
        return self._closing if self.is_waiting else scene_of(self.tables, self.seat, past=self._session)

    @property
    def last_deal(self) -> FinishedDeal:
        """The deal that was finished last; :class:`SittingError` where none was."""
        if not self.deals:
            raise SittingError("no deal is finished yet")
        return self.deals[-1]

    @property
    def records(self) -> list[Record]:
        """Of the finished deals."""
        return [deal.record for deal in self.deals]

    def hint(self) -> int:
        """What the player ``thumb`` would do in the person's place."""
        self._check_turn()
        return int(self.adviser.act(self.tables.views())[0])

    # ---- moving -------------------------------------------------------------------------------------------------------------

    def act(self, action: int) -> None:
        """Make the person's ``action``.

        Raises:
            SittingError: another one is to act.
            IllegalAction: it may not be made now.
        """
        self._check_turn()
        before = Before(self.tables.save(), self.tables.trails.copy())
        seen = self._seen()
        self._step(action)
        if self.is_waiting or self._seen() & ~seen:
            self._undo.clear()
        else:
            self._undo.append(before)

    @property
    def can_undo(self) -> bool:
        """The person has acted, and since then nobody else, and no card was shown."""
        return bool(self._undo)

    def undo(self) -> None:
        """Take the person's last action back; :class:`SittingError` where it is too late."""
        if not self._undo:
            raise SittingError("there is nothing to take back: the next player has moved, or a card was shown")
        before = self._undo.pop()
        self.tables.load(before.states)
        self.tables.trails[:] = before.trails
        self._moment += 1

    def question(self) -> Question:
        """What is asked of the player to move; :class:`SittingError` where it is the person, or nobody."""
        if self.turn is None or self.turn == self.seat:
            raise SittingError("no other player is to move")
        return Question(self.players[self.turn], self.tables.views(), self._moment)

    def is_open(self, question: Question) -> bool:
        """Nothing has changed since it was asked."""
        return question.moment == self._moment

    def answer(self, question: Question, action: int) -> bool:
        """Make the ``action`` of the player that was asked; ``False``: it came too late, the table has changed since."""
        if not self.is_open(question):
            return False
        self._undo.clear()
        self._step(action)
        return True

    def let_move(self) -> int:
        """The player to move does so; its action."""
        question = self.question()
        action = question.think()
        self.answer(question, action)
        return action

    def next_deal(self) -> None:
        """Go on after a finished deal; :class:`SittingError` while one is played."""
        if not self.is_waiting:
            raise SittingError("this deal is not finished")
        self.is_waiting = False
        self._moment += 1
        if self.is_over:
            self._begin_episode()
        else:
            self._begin_deal()

    def warm_up(self) -> None:
        """Compile what the first turns need, on a copy of the table."""
        spare = copy.deepcopy(self.tables)
        views = spare.views()
        scene_of(spare, self.seat)
        for each in {id(each): each for each in (self.adviser, *self.players.values())}.values():
            each.act(views)
        spare.step(self.adviser.act(views))

    # ---- within -------------------------------------------------------------------------------------------------------------

    def _check_turn(self) -> None:
        if not self.is_persons_turn:
            raise SittingError("it is not your turn")

    def _seen(self) -> int:
        """The cards of this deal that the person has seen, as a bitboard."""
        known = self.tables.known(self.bottom)[0]
        return int(np.bitwise_or.reduce(known["hand"] | known["played"]))

    def _begin_episode(self) -> None:
        self._episode += 1
        self.tables.reset(seed=self.seed + self._episode, deals=self.given if self._episode == 0 else None)
        self._session: list[Past] = []
        self._begin_deal()

    def _begin_deal(self) -> None:
        self._opening = self.tables.save()
        self._undo: list[Before] = []

    def _step(self, action: int) -> None:
        state = self.tables.states
        finished = int(state["finished"][0])
        before = scene_of(self.tables, self.seat, past=self._session)
        self.tables.step(np.array([action]))
        self._moment += 1
        if state["finished"][0] > finished:
            self._finish_deal(closing_scene(self.tables, before, self._opening[0], action))

    def _finish_deal(self, closing: Scene) -> None:
        """Keep the deal, and the table as it lay in the end: in a longer session the next deal has been dealt already."""
        result = self.tables.results[0]
        first = self._episode == 0 and not self._session
        record = deal_record(
            self.game, self.tables.rules, self._opening, self.tables.trail(0, previous=True).action.tolist(), result,
            self.given if first else None,
        )
        players = {letter: self.names[seat] for seat, letter in enumerate(SEAT_LETTERS)}
        record["notes"] = [{"seed": self.seed + self._episode, "players": players}]
        deal = FinishedDeal(self._opening[0], result, record)
        self.deals.append(deal)
        self._session.append(Past(deal.opening, result))
        self.is_waiting = True
        self._closing = replace(closing, sheet=scene_of(self.tables, self.seat, past=self._session).sheet)
        if self.file is not None:
            add_record(self.file, record)


def check_file(path: Path) -> None:
    """Raise ``OSError`` where no line can be added, :class:`SittingError` where the last line is not whole; nothing is written."""
    is_new = not path.exists()
    with path.open("ab+") as file:
        if file.tell():
            file.seek(-1, os.SEEK_END)
            if file.read() != b"\n":
                raise SittingError(f"{path} does not end with a whole line: give another file")
    if is_new:
        path.unlink()


def add_record(path: Path, record: Record) -> None:
    """Add one line to a file of records."""
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(record, separators=(",", ":")) + "\n")


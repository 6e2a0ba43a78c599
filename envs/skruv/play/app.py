"""The screen of a sitting in a terminal."""

import threading
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import ClassVar

from textual import on
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.events import Click, Key, MouseMove
from textual.message import Message
from textual.screen import ModalScreen, Screen
from textual.widgets import Footer, Static

from ..engine.cards import CARDS, SEATS
from ..notation import NotationError, parse_card
from ..arena.plays import deals_of
from ..render.scene import call_text, card_text, sorted_cards
from ..tables import IllegalAction
from .panels import (
    NOTHING, Choice, Panel, Place, auction_panel, callers_panel, calls_panel, deal_title, dealt_panel, hand_row, heading, lines_panel,
    piles_panel, seat_panel, sheet_panel, towards, trick_panel,
)
from .sitting import SEAT_NAMES, Question, Sitting, SittingError

PACE = 0.8
"""Seconds between two moves of the others, in which a slip may be taken back."""
ASKED_AGAIN = 5.0
"""Seconds in which ``q`` is to be pressed again to leave in the midst of a deal."""
AFTER_TRICK = 2.0
"""Times as long: after a full trick."""
PAPER, WIDE_PAPER = 24, 40
"""Width of auction and score sheet, in characters; the second on a wide screen."""
WIDE, TALL = 110, 24
"""From these sizes on there is room for more words, and for boxes around the cards of the own hand."""
HELP = """\
[b]Choosing a card or a call[/b]
  arrows, Enter  move to one that may be made, and make it
  its name       SA, D10 or DT, 3C, 2N, P, X, misaari ... is made as soon as
                 it is complete; hearts begin with a capital: HA, H10
  mouse          click on it

[b]Other keys[/b]
  u              take back your last action, until the next player moves
  h              what the player thumb would do
  n              the next deal, when one is over
  PgUp, PgDn     look back in a long auction
  space          stop and go on, when you watch
  q, Ctrl-C      leave; finished deals are kept

What may be chosen is underlined; * has led the trick, ▶ is to act.
C D H S N are ♣ ♦ ♥ ♠ and no trump; P is pass, X double, XX redouble."""


class Notice(ModalScreen[None]):
    """Text over the table, closed by a key."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,enter,space,question_mark,q", "dismiss", "Close")]

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text

    def compose(self) -> ComposeResult:
        with Vertical(classes="box"):
            yield VerticalScroll(Static(self.text))
            yield Static("Enter closes", classes="keys")


class DealOver(ModalScreen[bool]):
    """The finished deal: all hands, its score lines, the sheet."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n,enter", "dismiss(True)", "Next deal"), Binding("t,escape", "dismiss(False)", "Table"),
        Binding("q", "app.quit", "Quit"),
    ]

    def __init__(self, parts: Iterable[Content], keys: str) -> None:
        super().__init__()
        self.parts = parts
        self.keys = keys

    def compose(self) -> ComposeResult:
        with Vertical(classes="box"):
            yield VerticalScroll(*(Static(part, classes="part") for part in self.parts))
            yield Static(self.keys, classes="keys")


class TableScreen(Screen[None]):
    """The table: seats around the trick or the calls, the auction and the score sheet beside them, the own hand below."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(-1, 0)", show=False), Binding("down", "move(1, 0)", show=False),
        Binding("left", "move(0, -1)", show=False), Binding("right", "move(0, 1)", show=False),
        Binding("enter", "take", "Choose"), Binding("u", "undo", "Undo"), Binding("h", "hint", "Hint"), Binding("n", "next", "Next deal"),
        Binding("space", "pause", "Stop/go"), Binding("question_mark", "help", "Help"), Binding("q", "leave", "Quit"),
        Binding("pageup", "turn(-1)", show=False), Binding("pagedown", "turn(1)", show=False),
        Binding("escape,backspace", "forget", show=False),
    ]

    class Thought(Message):
        """A player has answered, or failed."""

        def __init__(self, question: Question, action: int | None, error: Exception | None = None) -> None:
            super().__init__()
            self.question, self.action, self.error = question, action, error

    def __init__(self, sitting: Sitting, pace: float) -> None:
        super().__init__()
        self.sitting = sitting
        self.pace = pace
        self.cursor: int | None = None
        self.typed = ""
        self.said = ""
        """What was last told to the person."""
        self.places: dict[int, Place] = {}
        self.thinking = threading.Lock()
        """Held by the player that thinks: after an undo it may be asked anew before it has answered."""
        self.due = 0.0
        """When the next move may be shown, by the clock :func:`time.monotonic`."""
        self.asked = -ASKED_AGAIN
        """When the person has asked to leave."""
        self.stopped = False
        self.is_shown = False
        """The end of the finished deal is on the screen, or was."""

    def compose(self) -> ComposeResult:
        yield Static(id="head")
        with Horizontal(id="room"):
            with Vertical(id="table"):
                yield Static(id="top", classes="seat")
                with Horizontal(id="row"):
                    yield Static(id="left", classes="seat")
                    with Container(id="middle"):
                        yield Static(id="centre")
                        yield Static(id="piles")
                    yield Static(id="right", classes="seat")
            with Vertical(id="paper"):
                yield Static(id="callers")
                yield VerticalScroll(Static(id="auction"), id="calls", can_focus=False)
                yield VerticalScroll(Static(id="sheet"), id="score", can_focus=False)
        yield Static(id="bottom", classes="seat")
        yield Static(id="hand")
        yield Static(id="prompt")
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        for panel in self.query(Static):
            panel.auto_links = False
        self.proceed()

    def on_resize(self) -> None:
        self.set_class(self.size.width >= WIDE, "-wide")
        self.draw()

    # ---- drawing ------------------------------------------------------------------------------------------------------------

    def draw(self) -> None:
        """Every part anew."""
        sitting = self.sitting
        scene = sitting.scene()
        choice = Choice(frozenset(sitting.legal()), self.cursor)
        bottom, left, top, right = ((sitting.bottom + place) % len(SEATS) for place in SEATS)
        seats = {
            name: seat_panel(
                scene, seat, sitting.names[seat], choice if seat == scene.playing else NOTHING,
                is_wide=name in ("top", "bottom") or self.size.width >= WIDE, is_own=seat == sitting.seat,
            )
            for name, seat in (("top", top), ("left", left), ("right", right), ("bottom", bottom))
        }
        is_calling = sitting.turn is not None and sitting.phase not in ("play", "exchange")
        centre = calls_panel(sitting.game, sitting.phase, choice) if is_calling else Panel(trick_panel(scene, bottom))
        hand = Panel(Content(""))
        if sitting.seat is not None:
            its = choice if scene.playing == bottom else NOTHING
            hand = hand_row(scene, bottom, its, is_boxed=self.size.height >= TALL)
        self.places = {**centre.places, **hand.places}
        self._show("head", heading(scene, self.size.width))
        for name, panel in seats.items():
            self.places.update(panel.places)
            self._show(name, panel.content)
        self._show("centre", centre.content)
        self._show("piles", piles_panel(scene))
        self._show("hand", hand.content)
        self._show("callers", callers_panel(scene))
        self._show("auction", auction_panel(scene))
        self._show("sheet", sheet_panel(scene.sheet, WIDE_PAPER if self.size.width >= WIDE else PAPER))
        self._show("prompt", self.prompt())
        for name in ("calls", "score"):
            self.query_one(f"#{name}", VerticalScroll).scroll_end(animate=False)
        self.refresh_bindings()

    def _show(self, name: str, content: Content) -> None:
        self.query_one(f"#{name}", Static).update(content)

    def prompt(self) -> Content:
        """What is to be done now; what was typed, or what was told."""
        sitting = self.sitting
        if self.typed:
            return Content.assemble((f"> {self.typed}", "bold"), ("  Enter takes the marked one, Esc forgets it", "dim"))
        if sitting.turn is None:
            words = "The deal is over: n deals the next one"
        elif sitting.is_persons_turn:
            words = f"Your turn: {self.what_to_do()}"
        else:
            words = f"{SEAT_NAMES[sitting.turn]} ({sitting.names[sitting.turn]}) is to act" + (", stopped" if self.stopped else "")
        return Content.assemble(f"{self.said} · " if self.said else "", words)

    def what_to_do(self) -> str:
        scene, phase = self.sitting.scene(), self.sitting.phase
        if phase == "exchange":
            return f"lay away {int(self.sitting.tables.states['discards_left'][0])} of your cards"
        if phase != "play":
            return {"naming": "name trumps", "contre": "double or decline", "knock": "knock or pass"}.get(phase, "call")
        return "play a card" if scene.playing == scene.turn else "play a card from dummy"

    def name_of(self, action: int) -> str:
        """``"♠A"``, ``"3♥"``"""
        return card_text(action) if action < len(CARDS) else call_text(self.sitting.game.actions[action])

    # ---- the course of the sitting ------------------------------------------------------------------------------------------

    def proceed(self) -> None:
        """Draw, and see to it that whoever is next may act."""
        sitting = self.sitting
        self.typed = ""
        if self.cursor not in sitting.legal():
            self.cursor = self._first_choice()
        self.draw()
        if sitting.turn is None:
            if not self.is_shown:
                self.is_shown = True
                self._later(self.show_end)
        elif not sitting.is_persons_turn and not self.stopped:
            question = sitting.question()
            threading.Thread(target=self._think, args=(question,), daemon=True).start()

    def _first_choice(self) -> int | None:
        """A pass where there is one, else the first card or call."""
        legal = self.sitting.legal()
        passing = self.sitting.game.groups["pass_"].start
        if passing in legal:
            return passing
        if legal and legal[0] < len(CARDS):
            return sorted_cards(sum(1 << card for card in legal))[0]
        return legal[0] if legal else None

    def _think(self, question: Question) -> None:
        """In a thread of its own, which nobody waits for: the screen stays alive, and may be left."""
        with self.thinking:
            if not self.sitting.is_open(question):
                return
            try:
                thought = self.Thought(question, question.think())
            except Exception as error:  # whatever a player raises: the screen closes and tells it
                thought = self.Thought(question, None, error)
        with suppress(RuntimeError):  # the screen was left
            self.post_message(thought)

    @on(Thought)
    def weigh(self, thought: Thought) -> None:
        """Make the move of another player, when it is time."""
        if thought.error is not None:
            seat = int(thought.question.views.seat[0])
            words = f"{self.sitting.names[seat]} at {SEAT_NAMES[seat]} has failed: {type(thought.error).__name__}: {thought.error}"
            self.app.exit(return_code=1, message=words)
            return
        self._later(lambda: self.answer(thought))

    def _later(self, what: Callable[[], None]) -> None:
        self.set_timer(max(self.due - time.monotonic(), 0.0) + 1e-3, what)

    def answer(self, thought: Thought) -> None:
        assert thought.action is not None
        if not self.stopped and self.sitting.answer(thought.question, thought.action):
            self.said = ""
            self.moved()

    def moved(self) -> None:
        """Somebody has acted."""
        state = self.sitting.tables.states[0]
        full = self.sitting.is_waiting or (state["laid"] == 0 and state["done"] > 0)
        self.due = time.monotonic() + self.pace * (AFTER_TRICK if full else 1.0)
        self.proceed()

    def show_end(self) -> None:
        """The finished deal, over the table."""
        sitting = self.sitting
        if sitting.is_waiting:
            keys = "n next deal · t table · q quit" if not sitting.is_over else "n another one · t table · q quit"
            self.app.push_screen(DealOver(self.end_parts(), keys), lambda go_on: self.action_next() if go_on else None)

    def end_parts(self) -> list[Content]:
        """What is told of a finished deal."""
        sitting = self.sitting
        deal = sitting.last_deal
        sheet = sitting.scene().sheet
        told = deals_of(sitting.game, sitting.tables.results)[0]
        piles = {"kotka": deal.opening["kotka"]} if deal.record.get("kotka") else {}
        hands = {SEAT_NAMES[seat]: deal.opening["dealt"][seat] for seat in SEATS} | piles
        parts = [
            deal_title(sheet.deals[-1], made=told["made"], tricks=told["tricks"]),
            dealt_panel({name: " ".join(map(card_text, sorted_cards(int(board)))) for name, board in hands.items()}),
            lines_panel(sheet.deals[-1].lines, sheet),
        ]
        if sitting.is_over and (outcome := self.outcome()):
            parts.append(Content(outcome))
        kept = f", kept in {sitting.file}" if sitting.file is not None else ""
        return [*parts, Content.assemble((f"seed {deal.record['notes'][0]['seed']}{kept}", "dim"))]

    def outcome(self) -> str:
        """Who has won the episode."""
        winner = int(self.sitting.tables.states["winner"][0])
        what = self.sitting.tables.rules.episode
        if winner < 0:
            return "" if what == "deal" else f"The {what} is drawn."
        return f"{' and '.join(SEAT_NAMES[winner::2])} " + ("have more points." if what == "deal" else f"win the {what}.")

    # ---- keys and mouse -----------------------------------------------------------------------------------------------------

    def on_key(self, event: Key) -> None:
        """Letters and digits spell the name of a card or call."""
        sign = event.character or ""
        begins = sign.isalnum() and (sign not in "uhq" or bool(self.typed))
        if not self.sitting.is_persons_turn or not begins or not sign.isascii():
            return
        event.stop()
        self.typed += sign.upper()
        self.spell()

    def spell(self) -> None:
        """Make what was typed, or mark what begins so."""
        names = {self.sitting.game.actions[action].upper(): action for action in self.sitting.legal()}
        typed = self.typed
        with suppress(NotationError):
            typed = self.sitting.game.actions[parse_card(typed)]
        if typed in names:
            self.choose(names[typed])
            return
        nearest = [
            action for begun in (typed, typed.removesuffix("1")) for name, action in names.items() if name.startswith(begun)
        ]
        if nearest:
            self.cursor = nearest[0]
        else:
            self.typed = ""
            self.said = f"{typed} can't be chosen now" + ("; hearts begin with a capital H" if typed[0] in "23456789TJQKA" else "")
        self.draw()

    def on_click(self, event: Click) -> None:
        action = event.style.meta.get("action")
        if action is not None:
            self.choose(action)

    def on_mouse_move(self, event: MouseMove) -> None:
        action = event.style.meta.get("action")
        if action is not None and action != self.cursor and self.sitting.is_persons_turn:
            self.cursor = action
            self.draw()

    def choose(self, action: int) -> None:
        """The person's action."""
        try:
            self.sitting.act(action)
        except (SittingError, IllegalAction) as error:
            self.said = str(error)
            self.proceed()
            return
        self.said = ""
        self.moved()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Keys that mean nothing now are not offered."""
        sitting = self.sitting
        if action in ("take", "hint"):
            return sitting.is_persons_turn
        if action == "undo":
            return sitting.can_undo
        if action == "next":
            return sitting.is_waiting
        if action == "pause":
            return sitting.seat is None
        return True

    def action_move(self, rows: int, columns: int) -> None:
        self.cursor = towards(self.places, self.cursor, rows, columns)
        self.draw()

    def action_turn(self, pages: int) -> None:
        """Look back in a long auction."""
        calls = self.query_one("#calls", VerticalScroll)
        calls.scroll_relative(y=pages * (calls.size.height - 1), animate=False)

    def action_take(self) -> None:
        if self.cursor is not None:
            self.choose(self.cursor)

    def action_forget(self) -> None:
        self.typed = self.typed[:-1] if self.typed else ""
        self.said = ""
        self.draw()

    def action_undo(self) -> None:
        self.sitting.undo()
        self.said = "Taken back"
        self.proceed()

    def action_hint(self) -> None:
        self.cursor = self.sitting.hint()
        self.said = f"thumb would {'play' if self.sitting.phase == 'play' else 'choose'} {self.name_of(self.cursor)}"
        self.draw()

    def action_next(self) -> None:
        self.sitting.next_deal()
        self.is_shown = False
        self.said = ""
        self.due = time.monotonic() + self.pace
        self.proceed()

    def action_pause(self) -> None:
        self.stopped = not self.stopped
        self.proceed()

    def action_leave(self) -> None:
        """Leave; in the midst of a deal only when asked twice."""
        if self.sitting.is_waiting or self.sitting.seat is None or time.monotonic() < self.asked + ASKED_AGAIN:
            self.app.exit()
            return
        self.asked = time.monotonic()
        self.said = "This deal is not finished and won't be kept, q again leaves"
        self.draw()

    def action_help(self) -> None:
        self.app.push_screen(Notice(HELP))


class PlayApp(App[None]):
    """A sitting on the screen of a terminal.

    Args:
        sitting: the table and its players.
        pace: seconds between two moves of the others.
    """

    TITLE = "skruv"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+c,ctrl+q", "quit", show=False, priority=True)]
    CSS = f"$paper: {PAPER + 3}; $wide-paper: {WIDE_PAPER + 3};" """
    #head { background: $panel; height: 1; padding: 0 1; }
    #room { height: 1fr; }
    #table { width: 1fr; align: center middle; }
    #paper { width: $paper; border-left: solid $panel; padding: 0 0 0 1; }
    .-wide #paper { width: $wide-paper; }
    #calls { height: 1fr; }
    #score { height: auto; max-height: 60%; border-top: solid $panel; }
    VerticalScroll { scrollbar-size-vertical: 1; }
    #row { height: 1fr; max-height: 18; }
    .seat { height: auto; width: auto; }
    #top, #bottom { width: 100%; text-align: center; }
    #left, #right { width: 13; height: 100%; content-align: center middle; }
    .-wide #left, .-wide #right { width: 18; }
    #middle { width: 1fr; height: 100%; align: center middle; }
    #centre, #piles { width: auto; height: auto; }
    #hand { height: auto; width: 100%; content-align: center middle; text-align: center; }
    #prompt { height: 1; padding: 0 1; background: $boost; }
    DealOver, Notice { align: center middle; }
    .box { width: auto; max-width: 100%; height: auto; max-height: 100%; border: round $accent; padding: 0 1; background: $surface; }
    .box VerticalScroll { width: auto; height: auto; max-height: 100%; }
    .box Static { width: auto; height: auto; }
    .part { margin-bottom: 1; }
    """

    def __init__(self, sitting: Sitting, pace: float = PACE) -> None:
        super().__init__()
        self.sitting = sitting
        self.pace = pace

    def on_mount(self) -> None:
        self.push_screen(TableScreen(self.sitting, self.pace))

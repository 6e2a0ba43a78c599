"""The player ``search``: tries its actions in worlds that fit what it knows, and takes what pays best on average.

A world is a full deal, drawn uniformly from those that fit (:meth:`~skruv.tables.Views.worlds`); of many the most likely by the calls that
were made are kept (:mod:`.belief`). In each of them an action is worth the
margin of this deal in points of its game: of cards at a contract that counts tricks by double dummy, of cards in a solo contract by the
search of :mod:`.solver`, of everything else by playing the deal to its end with :mod:`.thumb` in all four seats.
"""

from dataclasses import dataclass
from time import perf_counter

import numpy as np

from ..engine.cards import side_of
from ..engine.game import Game, field_names
from ..engine.kernel import records
from ..tables import Views
from .belief import loop_of
from .doubledummy import solver, tricks_by_card
from .rollout import estimates_of
from .solver import SoloSolver, is_solo_play
from .thumb import ThumbPlayer

FORMS = "'search', or behind its colon, joined by commas, any of rollout, worlds=N and ms=N, as in 'search:rollout,worlds=20'"


@dataclass(frozen=True)
class Budget:
    """What a decision may cost, and by what cards are judged."""

    worlds: int = 12
    """For each decision, at most; :data:`CALLS_TAKE` times as many where actions are judged by rules of thumb, which costs less."""
    milliseconds: int | None = None
    """After which no more worlds are drawn; what is chosen depends on the machine then. ``None``: no limit."""
    rollout: bool = False
    """Cards too are judged by rules of thumb, without the extra ``dds``."""

    @classmethod
    def read(cls, text: str) -> "Budget":
        """From the name behind ``search:``; ``ValueError`` with the right forms."""
        given: dict[str, int | bool] = {}
        most = {"worlds": MOST_WORLDS, "milliseconds": MOST_MILLISECONDS}
        for part in text.split(","):
            name, equals, number = part.partition("=")
            field = {"worlds": "worlds", "ms": "milliseconds"}.get(name)
            if part == "rollout":
                given["rollout"] = True
            elif field and field not in given and equals and number.isascii() and number.isdecimal() and 0 < int(number) <= most[field]:
                given[field] = int(number)
            else:
                raise ValueError(f"no player is called 'search:{text}': {part!r} is not known; the forms are {FORMS}")
        if "milliseconds" in given:
            given.setdefault("worlds", MOST_WORLDS)
        return cls(**given)  # type: ignore[arg-type]  (the flag is a bool, the others are not)


MOST_WORLDS = 1000
"""Of a decision; within a time limit so many, if there is time."""
MOST_MILLISECONDS = 10**7
WORLDS_AT_ONCE = 4
"""Drawn between two looks at the clock."""
DRAWS = 20
"""Worlds that are drawn for each one that is kept."""
CALLS_TAKE = 4
"""Times the worlds, where actions are judged by rules of thumb."""
REACH = 2
"""Bids that are tried on each side of the one that thumb would make; where it would pass, so many of the lowest and one more."""
DOUBT = 4.0
"""Standard errors by which a gain that was found by rules of thumb must pass zero."""


class SearchPlayer:
    """Perfect-information Monte Carlo; where nothing is better it does what ``thumb`` does.

    Args:
        game: the game it plays.
        seed: of the worlds that are drawn.
        budget: what a decision may cost.

    Raises:
        MissingExtra: cards are to be judged by double dummy, and the extra ``dds`` is not installed.
    """

    def __init__(self, game: Game, seed: int = 0, budget: Budget | None = None) -> None:
        self.game = game
        self.budget = Budget() if budget is None else budget
        self.rng = np.random.default_rng(seed)
        self.thumb = ThumbPlayer(game)
        self.estimates = estimates_of(game)
        self.weigh = loop_of(game)
        self.solo = SoloSolver()
        if not self.budget.rollout:
            solver()

    def act(self, views: Views) -> np.ndarray:
        actions = self.thumb.act(views)
        for row in np.flatnonzero(views.mask.sum(axis=1) > 1):
            actions[row] = self.choose(views[np.array([row])], int(actions[row]))
        return actions

    def choose(self, view: Views, usual: int) -> int:
        """The action of the one seat of ``view``, for which thumb's would be ``usual``."""
        started = perf_counter()
        limit, clock = self.budget.worlds, self.budget.milliseconds
        candidates = self.candidates(view.mask[0], usual)
        exact = not self.budget.rollout and self.game.phases[view.state["phase"][0]] == "play"
        pays: list[np.ndarray] = []
        drawn = 0
        while drawn < limit and (clock is None or not drawn or 1000 * (perf_counter() - started) < clock):
            number = limit if clock is None else min(WORLDS_AT_ONCE, limit - drawn)
            worlds = self.likely_worlds(view, number if exact else CALLS_TAKE * number)
            pays.append(self.pays(worlds, int(view.seat[0]), candidates, exact))
            drawn += number
        gains = np.concatenate(pays)
        gains -= gains[:, candidates == usual]
        best = int(gains.mean(axis=0).argmax())
        doubt = 0.0 if exact else DOUBT * gains[:, best].std() / np.sqrt(len(gains))
        return int(candidates[best]) if gains[:, best].mean() > doubt + 1e-9 else usual

    def likely_worlds(self, view: Views, number: int) -> np.ndarray:
        """(number,) full states: of many that are drawn, those that agree best with the calls that were made."""
        worlds = view.worlds(DRAWS * number, self.rng)[0]
        misses = np.empty(len(worlds), np.int64)
        self.weigh(records(worlds), records(worlds.copy()), int(view.seat[0]), misses)
        return worlds[np.argsort(misses, kind="stable")[:number]]

    def candidates(self, mask: np.ndarray, usual: int) -> np.ndarray:
        """The actions that are tried: all cards, all calls but bids, and the bids near thumb's."""
        legal = np.flatnonzero(mask)
        ladder = self.game.groups.get("bid", slice(0, 0))
        bids = legal[(legal >= ladder.start) & (legal < ladder.stop)]
        if not len(bids):
            return legal
        near = bids[np.abs(bids - usual) <= REACH] if usual in bids else bids[: REACH + 1]
        return np.union1d(np.setdiff1d(legal, bids), near)

    def pays(self, worlds: np.ndarray, seat: int, candidates: np.ndarray, exact: bool) -> np.ndarray:
        """(n, k) points of ``seat`` in each of the n full states for each of the k actions: with all cards in sight, or by thumb."""
        if not exact:
            return self.played_on(worlds, seat, candidates)
        if not is_solo_play(self.game, worlds[0]):
            tricks = tricks_by_card(worlds)[:, candidates]
            return self.shared_out(worlds, seat, tricks if side_of(turn_of(worlds[0])) == 0 else cards_of_turn(worlds[0]) - tricks)
        tricks = self.solo.tricks(worlds, candidates)
        solved = (tricks >= 0).all(axis=1)
        pays = np.empty(tricks.shape)
        if solved.any():
            pays[solved] = self.shared_out(worlds[solved], seat, tricks[solved])
        if not solved.all():
            pays[~solved] = self.played_on(worlds[~solved], seat, candidates)
        return pays

    def played_on(self, worlds: np.ndarray, seat: int, candidates: np.ndarray) -> np.ndarray:
        """By rules of thumb in all seats."""
        states = np.repeat(worlds, len(candidates))
        pay = np.empty(len(states))
        actions = np.tile(candidates, len(worlds))
        self.estimates.play_on(records(states), actions, np.full(len(states), seat), pay)
        return pay.reshape(len(worlds), len(candidates))

    def shared_out(self, worlds: np.ndarray, seat: int, tricks: np.ndarray) -> np.ndarray:
        """By the ``tricks`` (n, k), of those that are left, that side 0 takes after each action."""
        most = 1 + cards_of_turn(worlds[0])
        states = np.repeat(worlds, most)
        pay = np.empty(len(states))
        more = np.tile(np.arange(most), len(worlds))
        self.estimates.share_out(records(states), more, np.full(len(states), seat), pay)
        return np.take_along_axis(pay.reshape(len(worlds), most), tricks, axis=1)


def turn_of(state: np.void) -> int:
    """The seat whose hand plays the next card: in Biritch it may be dummy's, while the dealer is to act."""
    return int(state["turn" if "turn" in field_names(state.dtype) else "seat"])


def cards_of_turn(state: np.void) -> int:
    """How many cards the hand to play holds: the tricks that are left."""
    return int(state["hand"][turn_of(state)]).bit_count()

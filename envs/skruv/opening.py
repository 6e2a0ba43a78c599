"""Where an episode may begin: a given deal, dealer, score sheet or contract, checked before anything is changed."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from .engine.game import Game, field_names
from .engine.rules import OptionError
from .notation import NotationError, cards_text, parse_contract, parse_deal, parse_seat

EXAMPLES = {"deal": "N:AK.. ... ... ...", "kotka": "D5 SA H3 C2", "dealer": "N", "declarer": "N"}
MOST_POINTS = 2**53
"""Totals lie below, so that floats hold them exactly."""


@dataclass(frozen=True)
class Opening:
    """Where an episode begins, read from the ``deals`` of :meth:`Tables.reset`."""

    dealer: int | None
    hands: tuple[int, int, int, int] | None
    kotka: int
    ledger: dict[str, np.ndarray]
    contract: int
    declarer: int

    @classmethod
    def read(cls, game: Game, rules: Any, options: Mapping[str, Any]) -> "Opening":
        """Check ``options``; raises :class:`OptionError` or :class:`~skruv.notation.NotationError`."""
        known = (*EXAMPLES, "ledger", "contract")
        if not isinstance(options, Mapping):
            raise OptionError(f"a deal {options!r}: it must be a mapping with some of {', '.join(known)}")
        for name, value in options.items():
            if name not in known:
                raise OptionError(f"a deal has no option {name!r}; there are {', '.join(known)}")
            if name == "ledger" and not isinstance(value, Mapping):
                raise OptionError(f"ledger = {value!r}: it must be a mapping with some of {', '.join(field_names(game.state['ledger']))}")
            if name != "ledger" and not isinstance(value, str):
                example = EXAMPLES.get(name, game.contracts[0])
                raise OptionError(f"{name} = {value!r}: it must be text, such as {example!r}")
        if ("contract" in options) != ("declarer" in options):
            raise OptionError("contract and declarer must be given together")
        if "kotka" in options and "deal" not in options:
            raise OptionError("a kotka must be given together with a deal")
        deal = parse_deal(options["deal"], options.get("kotka", "")) if "deal" in options else None
        if deal and deal.kotka and "kotka" not in field_names(game.state):
            raise NotationError(f"{game.title} is dealt without a kotka: 13 cards each, not {cards_text(deal.kotka)} apart")
        opening = cls(
            dealer=parse_seat(options["dealer"]) if "dealer" in options else None,
            hands=deal.hands if deal else None,
            kotka=deal.kotka if deal else 0,
            ledger=_read_ledger(game, options.get("ledger", {})),
            contract=parse_contract(game, options["contract"]) if "contract" in options else -1,
            declarer=parse_seat(options["declarer"]) if "declarer" in options else -1,
        )
        if game.check_opening is not None:
            game.check_opening(rules, opening)
        return opening

    def write(self, state: np.ndarray) -> None:
        """Put it into the one record of ``state``; the deal is still to be opened."""
        if self.dealer is not None:
            state["dealer"] = self.dealer
        for name, value in self.ledger.items():
            state["ledger"][name] = value
        if self.hands is not None:
            state["hand"] = self.hands
            if "kotka" in field_names(state.dtype):
                state["kotka"] = self.kotka


def _read_ledger(game: Game, given: Mapping[str, Any]) -> dict[str, np.ndarray]:
    """The fields of the score sheet that are given; the totals are what stands below the line, unless given too."""
    sheet = game.state["ledger"]
    ledger = {}
    for name, value in given.items():
        if name not in field_names(sheet):
            raise OptionError(f"the ledger of {game.title} has no {name!r}; there are {', '.join(field_names(sheet))}")
        array = np.array(value) if isinstance(value, np.ndarray) or _is_flat(value) or _is_flat([value]) else np.array(None)
        if array.shape != sheet[name].shape or array.dtype.kind not in "iu":
            raise OptionError(f"ledger[{name!r}] = {value!r}: it must be whole numbers of shape {sheet[name].shape}")
        least, limit = (0, game.ledger_limits[name]) if name in game.ledger_limits else (1 - MOST_POINTS, MOST_POINTS)
        if not (array.min() >= least and array.max() < limit):
            raise OptionError(f"ledger[{name!r}] = {value!r}: it must be {least}..{limit - 1}")
        ledger[name] = array
    if "below" in ledger and "total" not in ledger:
        ledger["total"] = ledger["below"]
    return ledger


def _is_flat(value: Any) -> bool:
    """Whether ``value`` is a list of whole numbers."""
    return isinstance(value, (list, tuple)) and all(
        isinstance(item, (int, np.integer)) and not isinstance(item, bool) for item in value
    )

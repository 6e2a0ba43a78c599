"""The referee: Vint, Skruuvi and Biritch played slowly and plainly, straight from the rule texts.

It shares no line with the package that it checks. Rulings (V-13, K-20, B-16) are cited where they decide.

>>> table = referee("vint", {"episode": "rubber"}, source, first_dealer=0)
>>> while not table.over:
...     table.step(choose(table.seat, table.legal()))
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import biritch, skruuvi, vint
from .common import Line, Result, Source, Table

__all__ = ["Line", "Result", "Source", "Table", "biritch", "referee", "skruuvi", "vint"]

OPENERS: dict[str, Callable[..., Table]] = {
    "vint": vint.opened,
    "skruuvi": skruuvi.opened,
    "biritch": biritch.opened,
}


def referee(
    game: str,
    rules: dict[str, object],
    source: Source,
    first_dealer: int,
    ledger: dict[str, Any] | None = None,
) -> Table:
    """A table of `game`, dealt and waiting for its first call.

    `rules` holds options of RULINGS section 5 by field name; what is missing has its default, and a
    `first_dealer` among them is ignored: the seat is given. `source(k)` deals the k-th deal begun in
    this session: four hands and the kotka ([] without one). `ledger` is the score to start from: Vint
    and Biritch {"below": [a, b], "games": [x, y]}, Skruuvi {"deal": number}. Raises ValueError for a
    value that an option does not have, TypeError for an unknown option, KeyError for an unknown game,
    RuntimeError for a deal that is none.
    """
    options = {name: value for name, value in rules.items() if name != "first_dealer"}
    return OPENERS[game](options, source, first_dealer, ledger or {})

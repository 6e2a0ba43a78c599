"""How results are printed and drawn."""

import io
import math
from collections.abc import Mapping
from html import escape
from typing import Any

import numpy as np
from rich import box
from rich.console import Console
from rich.table import Column, Table

from ..checks import MissingExtra
from ..render import draw_figures

WIDTH = 132
"""Of what is printed, characters."""
NORMAL = 1.96
"""Standard errors to each side in an interval of 95 %."""
FIRST_DRAWN = 10
"""Results after which a running mean is drawn."""


def plural(episode: str) -> str:
    """``"deals"``, ``"rubbers"`` or ``"matches"``."""
    return "matches" if episode == "match" else f"{episode}s"


def options_text(options: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}={value}" for name, value in options.items())


def number(value: float) -> float | None:
    """``value`` for JSON, which has no infinity."""
    return round(float(value), 4) if math.isfinite(value) else None


def measured(mean: float, low: float, high: float, n: int) -> str:
    """A mean with its interval and n."""
    return f"{mean:+.1f}\n{low:+.1f} .. {high:+.1f}\nn = {n}"


def new_table(title: str, *columns: str) -> Table:
    """An empty table, its first column to the left and the others to the right."""
    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    for place, column in enumerate(columns):
        table.add_column(column, justify="left" if place == 0 else "right")
    return table


def printed(*parts: Table | str) -> str:
    """Tables and lines as text."""
    console = Console(file=io.StringIO(), width=WIDTH, force_jupyter=False, force_terminal=False)
    for part in parts:
        console.print(part, highlight=False, markup=False)
    file = console.file
    assert isinstance(file, io.StringIO)
    return "\n".join(line.rstrip() for line in file.getvalue().splitlines())


def drawn(*parts: Table | str) -> str:
    """Tables and lines as HTML, for notebooks."""
    return "".join(
        f"<p>{escape(part)}</p>" if isinstance(part, str)
        else draw_figures(str(part.title), [str(column.header) for column in part.columns], zip(*map(_texts, part.columns), strict=True))
        for part in parts
    )


def _texts(column: Column) -> list[str]:
    return [str(cell) for cell in column.cells]


def new_axes(count: int) -> tuple[Any, ...]:
    """Empty axes side by side; :class:`~skruv.checks.MissingExtra` where matplotlib is not installed."""
    try:
        from matplotlib import pyplot
    except ImportError as error:
        raise MissingExtra("plot() needs matplotlib: pip install 'skruv[arena]'") from error
    _, axes = pyplot.subplots(1, count, figsize=(6 * count, 4), layout="constrained", squeeze=False)
    return tuple(axes[0])


def draw_running(axes: Any, values: np.ndarray, label: str | None) -> None:
    """The mean of the first k ``values`` for each k, with its 95 % interval by the normal distribution."""
    k = np.arange(1, len(values) + 1)
    means = values.cumsum() / k
    spread = np.sqrt(np.maximum((values**2).cumsum() / k - means**2, 0) / np.maximum(k - 1, 1))
    shown = slice(min(FIRST_DRAWN, len(values)) - 1, None)
    (line,) = axes.plot(k[shown], means[shown], label=label)
    axes.fill_between(k[shown], (means - NORMAL * spread)[shown], (means + NORMAL * spread)[shown], alpha=0.2, color=line.get_color())
    axes.axhline(0, linewidth=1, color="grey")

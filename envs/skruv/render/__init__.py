"""Pictures of a table: a neutral description (:mod:`.scene`), drawers that know no rules, and the replay page of records."""

import sys
from typing import Any

from ..checks import MissingExtra
from ..tables import Tables
from .ansi import draw_text
from .html import draw_figures, draw_html
from .page import Replay, replay
from .raster import draw_pixels
from .scene import Past, Scene, scene_of

__all__ = [
    "MissingExtra", "Past", "Replay", "Scene", "draw", "draw_figures", "draw_html", "draw_pixels", "draw_text", "render_table", "replay",
    "scene_of",
]


def render_table(tables: Tables, seat: int | None, table: int = 0) -> str:
    """One table as text, with what ``seat`` knows, or with all hands (``None``); the auction where trails are kept."""
    return draw_text(scene_of(tables, seat, table))


def draw(mode: str, scene: Scene) -> Any:
    """What ``render()`` returns in a render mode; for ``"human"`` it is printed, and ``None`` is returned."""
    if mode == "rgb_array":
        return draw_pixels(scene)
    if mode == "ansi":
        return draw_text(scene)
    print(draw_text(scene, colour=sys.stdout.isatty()), flush=True)
    return None

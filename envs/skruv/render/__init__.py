"""Pictures of a table, each drawn from its state alone."""

from .ansi import render_table

__all__ = ["render_table"]

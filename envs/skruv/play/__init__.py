"""A seat at the table: a person plays with three players, or four players are watched. ``skruv play`` is the command.

:class:`~skruv.play.sitting.Sitting` is one table without any user interface, :class:`~skruv.play.app.PlayApp` its screen in a terminal
(the extra ``play``).
"""

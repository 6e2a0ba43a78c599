"""Options of a game: checked when they are given, and carried by every state as a small record.

A rules class is a frozen, keyword-only dataclass whose fields are ``bool``, a ``Literal`` of names, or a bounded ``int``;
``None`` may be added to the last two.
"""

import difflib
from dataclasses import MISSING, fields
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NamedTuple, TypeVar, Union, get_args, get_origin, get_type_hints

import numpy as np

RulesType = TypeVar("RulesType")

NONE = -1
"""``None`` in a rules record."""


class OptionError(ValueError):
    """An option that does not exist, has a value that is not allowed, or contradicts another one."""


class Between(NamedTuple):
    """The bounds of an ``int`` option, both allowed."""

    low: int
    high: int


class Option(NamedTuple):
    """What one field of a rules class allows."""

    kind: type
    choices: tuple[Any, ...]
    bounds: Between | None

    def code(self, value: object) -> int:
        """The number that stands for ``value`` in a rules record."""
        if self.kind is str and value is not None:
            return [choice for choice in self.choices if choice is not None].index(value)
        return NONE if value is None else int(value)  # type: ignore[call-overload]

    def allows(self, value: object) -> bool:
        if any(type(value) is type(choice) and value == choice for choice in self.choices):
            return True
        whole = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
        return whole and self.bounds is not None and self.bounds.low <= value <= self.bounds.high  # type: ignore[operator]

    def __str__(self) -> str:
        words = [repr(choice) for choice in self.choices]
        if self.bounds:
            words.append(f"a whole number {self.bounds.low}..{self.bounds.high}")
        return " or ".join(words)


@cache
def options_of(rules_class: type) -> dict[str, Option]:
    """The fields of ``rules_class`` and what each allows."""
    return {name: _option(hint) for name, hint in get_type_hints(rules_class, include_extras=True).items()}


def _option(hint: Any) -> Option:
    bounds = None
    if get_origin(hint) is Annotated:
        hint, bounds = get_args(hint)
    parts = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    choices: list[Any] = [None] if NoneType in parts else []
    kind: type = int
    for part in parts:
        if get_origin(part) is Literal:
            choices += get_args(part)
            kind = type(get_args(part)[0])
        elif part is bool:
            choices += [True, False]
    return Option(kind, tuple(choices), bounds)


def check_rules(rules: object) -> None:
    """Raise :class:`OptionError` for the first field whose value is not allowed."""
    for name, option in options_of(type(rules)).items():
        value = getattr(rules, name)
        if not option.allows(value):
            raise OptionError(f"{type(rules).__name__}.{name} = {value!r}: it must be {option}")


def make_rules(rules_class: type[RulesType], given: dict[str, Any]) -> RulesType:
    """``rules_class(**given)``, with an :class:`OptionError` for a name that it does not have."""
    names = [field.name for field in fields(rules_class)]  # type: ignore[arg-type]
    for name in given:
        if name not in names:
            near = difflib.get_close_matches(name, names, n=1)
            hint = f"; did you mean {near[0]!r}?" if near else f"; there are {', '.join(names)}"
            raise OptionError(f"{rules_class.__name__} has no option {name!r}{hint}")
    return rules_class(**given)


def rules_dtype(rules_class: type) -> np.dtype:
    """The record that carries the rules in every state: one signed byte a field."""
    return np.dtype([(name, "i1") for name in options_of(rules_class)])


def rules_record(rules: object) -> np.ndarray:
    """``rules`` as a 0-d structured array: choices by their place in the ``Literal``, ``None`` as -1."""
    options = options_of(type(rules))
    codes = tuple(option.code(getattr(rules, name)) for name, option in options.items())
    return np.array(codes, rules_dtype(type(rules)))


def changed_rules(rules: object) -> dict[str, Any]:
    """The fields of ``rules`` that differ from their defaults."""
    return {
        field.name: getattr(rules, field.name)
        for field in fields(rules)  # type: ignore[arg-type]
        if field.default is MISSING or getattr(rules, field.name) != field.default
    }

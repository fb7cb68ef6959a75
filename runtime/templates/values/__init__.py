"""Kinds of fields: how what was read becomes a value. A module each, found by the name that a template gives."""

from __future__ import annotations

from ...listing import kind_of, modules_in
from .kind import AreaReader, Cell, Problem, Reader, Reading

__all__ = ["NAMES", "AreaReader", "Cell", "Problem", "Reader", "Reading", "value_kind"]

NAMES = modules_in(__path__)
"""Of all kinds."""


def value_kind(name: str) -> type[Reader] | type[AreaReader]:
    """The kind of that name.

    Raises:
        ValueError: this runtime knows none.
    """
    kind: type[Reader] | type[AreaReader] = kind_of(__name__, NAMES, name, of="field")
    return kind

"""Kinds of items: how bytes become what the graph takes. A package each, found by the name that a manifest gives."""

from __future__ import annotations

from ..listing import kind_of, modules_in
from .kind import Calls, Description, Items, PredictRequest

__all__ = ["NAMES", "Calls", "Description", "Items", "PredictRequest", "items_kind"]

NAMES = modules_in(__path__)
"""Of all kinds."""


def items_kind(name: str) -> type[Items]:
    """The kind of that name.

    Raises:
        ValueError: this runtime knows none.
    """
    kind: type[Items] = kind_of(__name__, NAMES, name, of="item")
    return kind

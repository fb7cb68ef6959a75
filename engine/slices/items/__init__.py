"""What is known of each kind of items that parts can be cut by. A package each, found by listing, with its ``KIND``."""

from __future__ import annotations

from automl.contracts.listing import kind_in
from engine.slices.items.kind import FactsKind

__all__ = ["FactsKind", "facts_kind"]


def facts_kind(name: str) -> FactsKind:
    """The kind of that name.

    Raises:
        ValueError: there is none; the message names it.
    """
    kind: FactsKind = kind_in(__name__, name)
    return kind

"""Kinds of items that models learn from in batches. A package each, found by listing. This file imports no torch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from automl.contracts.listing import kind_in

if TYPE_CHECKING:
    from engine.items.kind import ItemKind

__all__ = ["item_kind"]


def item_kind(name: str) -> ItemKind:
    """The kind of that name, as a manifest's ``decode`` gives it.

    Raises:
        ValueError: there is none; the message names it.
    """
    kind: ItemKind = kind_in(__name__, name)
    return kind

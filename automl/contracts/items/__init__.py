"""Kinds of items in the common language: what contracts and plans say of each. A module each, found by listing."""

from __future__ import annotations

from automl.contracts.items.kind import ItemKind
from automl.contracts.listing import kind_in
from automl.contracts.modality import Modality

__all__ = ["ItemKind", "items_of"]


def items_of(modality: Modality) -> ItemKind:
    """The kind of the items of a modality.

    Raises:
        ValueError: there is none yet; the message names it.
    """
    kind: ItemKind = kind_in(__name__, modality.items)
    return kind

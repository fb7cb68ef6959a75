"""Items as numbers for quick heads. A package a kind, found by listing, with its ``KIND``; models of others get no advice."""

from __future__ import annotations

from automl.contracts.listing import kind_in
from engine.advice.learner import ItemsKind


def items_kind(name: str) -> ItemsKind:
    """The kind of that name.

    Raises:
        UnknownNameError: there is none; the message names it.
    """
    kind: ItemsKind = kind_in(__name__, name)
    return kind

"""How items of each kind are made worse. A package each, found by listing, with its ``KIND``; kinds without one cannot be."""

from __future__ import annotations

from automl.contracts.listing import kind_in, kind_names
from engine.robustness.items.kind import AlterationsKind

__all__ = ["AlterationsKind", "alterations_kind", "can_be_altered"]


def can_be_altered(name: str) -> bool:
    """Whether there are alterations for items of this kind."""
    return name in kind_names(__name__)


def alterations_kind(name: str) -> AlterationsKind:
    """The kind of that name.

    Raises:
        ValueError: there is none; the message names it.
    """
    kind: AlterationsKind = kind_in(__name__, name)
    return kind

"""How items of each kind are made worse. A package each, found by listing, with its ``KIND``; kinds without one cannot be."""

from __future__ import annotations

from collections.abc import Sequence

from automl.contracts.listing import kind_in, kind_names
from engine.robustness.items.kind import AlterationsKind

__all__ = ["AlterationsKind", "alterations_kind", "can_be_altered"]


PIPELINES = frozenset({"tiles"})
"""Of the models of several files, those that are asked item by item as others are."""


def can_be_altered(name: str, files: Sequence[str] = (), pipeline: str | None = None) -> bool:
    """Whether there are alterations for items of this kind, for a model of these further files that a pipeline joins."""
    return name in kind_names(__name__) and (not files or pipeline in PIPELINES)


def alterations_kind(name: str) -> AlterationsKind:
    """The kind of that name.

    Raises:
        ValueError: there is none; the message names it.
    """
    kind: AlterationsKind = kind_in(__name__, name)
    return kind

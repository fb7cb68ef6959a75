"""Kinds of answers: how what the graph gives becomes annotations. A module each, found by the name that a manifest gives."""

from __future__ import annotations

from ..listing import kind_of, modules_in
from .kind import Answers, Item

__all__ = ["NAMES", "Answers", "Item", "answers_kind"]

NAMES = modules_in(__path__)
"""Of all kinds."""


def answers_kind(name: str) -> type[Answers]:
    """The kind of that name.

    Raises:
        ValueError: this runtime knows none.
    """
    kind: type[Answers] = kind_of(__name__, NAMES, name, of="answer")
    return kind

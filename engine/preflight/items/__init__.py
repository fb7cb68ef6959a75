"""What a pre-flight looks for on items of each kind. A module each, found by listing, with its ``KIND``."""

from __future__ import annotations

from automl.contracts.listing import kind_in
from engine.preflight.items.kind import FaultKind

__all__ = ["FaultKind", "fault_kind"]


def fault_kind(name: str) -> FaultKind:
    """The kind of that name.

    Raises:
        ValueError: there is none; the message names it.
    """
    kind: FaultKind = kind_in(__name__, name)
    return kind

"""Backends: what runs a model's graph. A module each, found by its name; each tells whether the machine has its library."""

from __future__ import annotations

from ..listing import kind_of, modules_in
from .kind import Backend, Graph, GraphError

__all__ = ["NAMES", "USUAL", "Backend", "Graph", "GraphError", "backend_kind"]

NAMES = modules_in(__path__)
"""Of all backends."""
USUAL = "onnxruntime_cpu"
"""The one that every machine has, and that others are held against."""


def backend_kind(name: str) -> type[Backend]:
    """The backend of that name.

    Raises:
        ValueError: this runtime knows none.
    """
    kind: type[Backend] = kind_of(__name__, NAMES, name, of="backend")
    return kind

"""What can go wrong while a graph is made for a phone."""

from __future__ import annotations


class GraphNotCutError(Exception):
    """The graph is not built as the models of pictures here are; says what was looked for."""

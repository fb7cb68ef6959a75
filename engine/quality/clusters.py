"""Items with the same content, and which of them to keep; for every kind of items."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Protocol

from automl.contracts.quality import QualityItem


class Pair(Protocol):
    """Two rows that hold the same."""

    @property
    def first(self) -> int:
        """Row of the first item."""

    @property
    def second(self) -> int:
        """Row of the second item."""


def clusters(copies: Iterable[Pair], items: Sequence[QualityItem]) -> list[tuple[list[int], int]]:
    """Rows that hold the same, with the row to keep: annotated before not, then the larger, then the elder."""
    parent: dict[int, int] = {}

    def root(row: int) -> int:
        parent.setdefault(row, row)
        while parent[row] != row:
            parent[row] = parent[parent[row]]
            row = parent[row]
        return row

    for copy in copies:
        parent[root(copy.first)] = root(copy.second)
    members: dict[int, list[int]] = defaultdict(list)
    for row in list(parent):
        members[root(row)].append(row)

    def rank(row: int) -> tuple[bool, int, int, str]:
        one = items[row]
        return (not one.is_annotated, -one.width * one.height, -one.size_bytes, one.item)

    return [(sorted(rows), min(rows, key=rank)) for rows in members.values()]

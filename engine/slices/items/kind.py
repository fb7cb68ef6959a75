"""What a kind of items knows of them before a model answers. A package beside this module each, with its ``KIND``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from automl.contracts.dataset import ItemRecord
from engine.slices.fact import Fact


class FactsKind(Protocol):
    """The facts of one kind of items."""

    def facts(self, records: Sequence[ItemRecord], content: Any) -> Iterable[Fact]:
        """What is known of these items.

        Args:
            records: the items.
            content: what a model reads: ``PackedItems`` of kinds that are learned from in batches, of rows their ``Table``.
        """

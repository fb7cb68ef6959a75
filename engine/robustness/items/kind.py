"""What a kind of items brings so that models can be tried on worse ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from numpy.typing import NDArray

from engine.robustness.alteration import Alteration


class AlterationsKind(Protocol):
    """See above."""

    def alterations(self) -> Sequence[Alteration]:
        """All that there are."""

    def example(self, item: NDArray[Any]) -> str | None:
        """A small view of an item, altered or not, as a data address; None where there is nothing to look at.

        Args:
            item: as the shipped graph takes it, without its batch axis.
        """

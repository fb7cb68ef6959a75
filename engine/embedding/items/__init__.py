"""Kinds of items that become vectors. A package each, found by listing: its ``Recipe`` as ``KIND``, and ``work`` with torch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Protocol

from automl.contracts.listing import kind_in
from automl.contracts.modality import Modality

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from engine.job import Job

Batches = Iterator[tuple[Sequence[int], "Sequence[NDArray[np.uint16] | None]"]]
"""Rows of what was asked for, and for each a feature, or None where it cannot be read."""


class Embed(Protocol):
    """What each ``work`` calls ``batches``."""

    def __call__(self, job: Job, hashes: Sequence[str]) -> Batches:
        """Features of items, given by their hashes.

        Raises:
            AssetMissingError: the backbone's weights are not in the store and cannot be had.
        """


def batches_of(modality: Modality) -> Embed:
    """What computes features of such items.

    Raises:
        ValueError: they do not become vectors; the message names the kind.
    """
    kind_in(__name__, modality.items)
    embed: Embed = import_module(f"{__name__}.{modality.items}.work").batches
    return embed

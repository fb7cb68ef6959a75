"""Parts of the items that take turns at being held back, so that each is answered by a model that never saw it."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from automl.contracts.dataset import ItemRecord

NUM_FOLDS = 5
_FOLDS_UP_TO = ((20_000, 100_000, NUM_FOLDS), (20_000, 500_000, 3))
"""(items, items times labels, parts). Beyond the last, one part that is held back says enough, and more cost too much."""


@dataclass(frozen=True)
class Fold:
    """Places of the items to learn from, and of those that are held back meanwhile."""

    learned: NDArray[np.int64]
    held_back: NDArray[np.int64]


def num_folds_for(num_items: int, num_labels: int) -> int:
    """Parts that take turns: five, three where there is much, one where there is very much."""
    fitting = (folds for items, cells, folds in _FOLDS_UP_TO if num_items <= items and num_items * num_labels <= cells)
    return next(fitting, 1)


def folds_of(records: Sequence[ItemRecord], targets: NDArray[np.generic], num_folds: int) -> list[Fold]:
    """Cuts items into parts: those of a group stay together, and each label is shared out evenly.

    The same items give the same parts, in whatever order they come.

    Args:
        records: the items.
        targets: one entry an item; equal entries are shared out evenly.
        num_folds: parts; of fewer groups as many as there are groups.

    Returns:
        A fold for each part; if one is requested, the first of five; none where all items are of one group.
    """
    first: dict[str, tuple[bytes, bytes]] = {}
    for record, target in zip(records, targets, strict=True):
        entry = np.asarray(target).tobytes(), hashlib.sha256(record.group.encode()).digest()
        first[record.group] = min(entry, first.get(record.group, entry))
    num_parts = min(NUM_FOLDS if num_folds == 1 else num_folds, len(first))
    if num_parts < 2:
        return []
    part_of = {group: place % num_parts for place, group in enumerate(sorted(first, key=first.__getitem__))}
    parts_N = np.array([part_of[record.group] for record in records])
    folds = [Fold(np.flatnonzero(parts_N != part), np.flatnonzero(parts_N == part)) for part in range(num_parts)]
    return folds[:1] if num_folds == 1 else folds

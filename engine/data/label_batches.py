"""Batches in which each label that occurs has several items, so that they can be compared with each other.

Shapes: N items, L labels.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.data.loader import BatchLoader

ITEMS_PER_LABEL = 4
"""In a batch (Hermans et al. 2017, https://arxiv.org/abs/1703.07737), but in small ones, which would show few labels."""
FEWEST_LABELS = 4


class LabelBatchLoader(BatchLoader):
    """See ``BatchLoader``: an epoch has as many items, but a label comes as often as any other, and its items in groups."""

    def __init__(self, *args: Any, batch_size: int, **kwargs: Any):
        super().__init__(*args, batch_size=batch_size, is_shuffled=True, drop_last=False, **kwargs)
        targets_N = self._targets_N.numpy()
        self._places_L = [np.flatnonzero(targets_N == label) for label in np.unique(targets_N)]

    def _order(self, epoch: int) -> NDArray[np.int64]:
        generator = np.random.default_rng((self._seed, epoch))
        per_label = min(ITEMS_PER_LABEL, max(2, self._batch_size // FEWEST_LABELS))
        groups_per_batch = max(1, self._batch_size // per_label)
        found: list[NDArray[np.int64]] = []
        for _ in range(len(self)):
            labels = generator.choice(len(self._places_L), min(groups_per_batch, len(self._places_L)), replace=False)
            batch = np.concatenate([_drawn(self._places_L[label], per_label, generator) for label in labels])
            found.append(np.resize(batch, self._batch_size))  # of few labels some items come twice
        return np.concatenate(found)[: len(self._indices_N)]


def _drawn(places: NDArray[np.int64], number: int, generator: np.random.Generator) -> NDArray[np.int64]:
    """Draws a number of places, each once if there are enough."""
    return generator.choice(places, number, replace=len(places) < number)

"""Which items of a dataset are most like something: the nearest of the embeddings, by angle."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from django.db.models import QuerySet
from numpy.typing import NDArray

from studio.datasets.embeddings.store import Embeddings
from studio.datasets.models import Dataset, Item


def items_like(
    dataset: Dataset, embeddings: Embeddings, query_D: NDArray[np.float32], *, limit: int
) -> list[tuple[Item, float]]:
    """Living items nearest to features, with the cosine."""
    cosines_N = embeddings.cosines(query_D)
    alive = Item.objects.filter(dataset=dataset, deleted_at=None)
    found: list[tuple[Item, float]] = []
    seen, step = 0, max(4 * limit, 64)
    while len(found) < limit and seen < len(cosines_N):
        top_M = _top(cosines_N, min(seen + step, len(cosines_N)))[seen:]
        value_of = {str(embeddings.blobs[row], "ascii"): float(cosines_N[row]) for row in top_M}
        found += [(one, value_of[one.blob]) for one in items_ordered(alive, list(value_of), dataset)]
        seen, step = seen + len(top_M), 4 * step
    return found[:limit]


def _top(values_N: NDArray[np.float32], count: int) -> NDArray[np.int64]:
    """Rows of the greatest values, the greatest first."""
    rows = np.argpartition(-values_N, count - 1)[:count]
    return np.asarray(rows[np.lexsort((rows, -values_N[rows]))], dtype=np.int64)


def items_ordered(rows: QuerySet[Item], blobs: Sequence[str], dataset: Dataset) -> list[Item]:
    """The items among ``rows`` that have these blobs, in their order."""
    by_blob = {item.blob: item for item in rows.filter(blob__in=blobs)}
    found = [by_blob[blob] for blob in blobs if blob in by_blob]
    for item in found:
        item.dataset = dataset
    return found

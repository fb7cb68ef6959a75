"""Approximate search in large galleries: short codes of all vectors are compared first, then the best of them exactly.

Codes are product quantisation, two numbers in four bits (Jegou et al. 2011, https://doi.org/10.1109/TPAMI.2010.57), compared in
registers (Andre et al. 2015, https://doi.org/10.14778/2856318.2856324) by faiss, where it is installed.
``docs/decisions/0076`` has the figures.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from functools import cache
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

FROM = 200_000
"""Vectors from which on codes pay: so many are compared exactly in six thousandths of a second."""
FEWEST, PER_FOUND = 160, 4
"""Vectors that are compared exactly: at least, and for each that is asked for."""
_LEARNED_FROM = 20_000
_STALE = 8
"""Codes are made anew when one in so many vectors has none, or is gone."""
_SAMPLE, _JUDGED = 20, 10
"""Own vectors by which the recall is measured, and how many neighbours of each count."""


@dataclass(frozen=True)
class Codes:
    """Codes of the first vectors of a gallery; nothing of it changes, so that searches need not wait for each other."""

    faiss: Any
    places: NDArray[np.int64]
    """Where the vector of each code stands; -1 where it is gone."""
    num_known: int
    """Vectors with a code: all before this place."""
    recall: float
    """Share of the ten nearest vectors that a search finds, on some of the gallery's own, 0..1."""

    def nearest(self, vector: NDArray[np.float32], number: int) -> NDArray[np.int64]:
        """Places of vectors among which the nearest are.

        Args:
            vector: of length one.
            number: how many of the nearest are wanted.
        """
        num_compared = max(FEWEST, PER_FOUND * number)
        if self.num_known < len(self.places):
            num_compared *= 2  # some of them are gone, and where one is, others may be
        _, found = self.faiss.search(vector[None], min(num_compared, len(self.places)))
        places: NDArray[np.int64] = self.places[found[0][found[0] >= 0]]
        return places[places >= 0]

    def without(self, stays: NDArray[np.bool_]) -> Codes:
        """After vectors have gone and the others have moved up.

        Args:
            stays: of the vectors before.
        """
        moved = np.where(stays, np.cumsum(stays) - 1, -1)
        places = np.where(self.places >= 0, moved[self.places], -1)
        return replace(self, places=places, num_known=int(stays[: self.num_known].sum()))

    def serve(self, num_vectors: int) -> bool:
        """Whether they are worth keeping for so many vectors."""
        num_gone = len(self.places) - self.num_known
        return num_vectors >= FROM and _STALE * max(num_gone, num_vectors - self.num_known) <= num_vectors


def codes_of(vectors: NDArray[np.float32]) -> Codes | None:
    """Codes of a gallery's vectors, in some seconds for a million; None where there are too few, or faiss is not installed."""
    number, num_numbers = vectors.shape
    if number < FROM or num_numbers % 2 or not has_faiss():
        return None
    logging.getLogger("faiss.loader").setLevel(logging.WARNING)  # it tells which processors it has no build for
    import faiss  # noqa: PLC0415 - only large galleries need it

    faiss.omp_set_num_threads(1)  # a request takes one core
    quantised = faiss.IndexPQFastScan(num_numbers, num_numbers // 2, 4, faiss.METRIC_INNER_PRODUCT)
    quantised.train(np.ascontiguousarray(vectors[:: max(1, number // _LEARNED_FROM)]))
    quantised.add(vectors)
    codes = Codes(quantised, np.arange(number), number, recall=0.0)
    return replace(codes, recall=_recall(codes, vectors))


@cache
def has_faiss() -> bool:
    """Whether the optional package is there."""
    return find_spec("faiss") is not None


def _recall(codes: Codes, vectors: NDArray[np.float32]) -> float:
    shares = []
    for vector in vectors[:: max(1, len(vectors) // _SAMPLE)]:
        similarities = vectors @ vector
        nearest = np.argpartition(similarities, -_JUDGED)[-_JUDGED:]
        shares.append(np.isin(nearest, codes.nearest(vector, _JUDGED)).mean())
    return float(np.mean(shares))

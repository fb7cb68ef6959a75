"""Pictures that are far from all others.

Two measures on the distances to the sixty nearest, in units of their own upper spread and averaged: the mean distance (S.
Ramaswamy, R. Rastogi, K. Shim, "Efficient algorithms for mining outliers from large data sets", SIGMOD 2000) and the local
outlier factor (M. Breunig, H.-P. Kriegel, R. Ng, J. Sander, "LOF: identifying density-based local outliers", SIGMOD 2000),
which knows that some kinds of pictures lie closer together than others. Sixty, since a few strange pictures of one kind are
each other's neighbours. Mahalanobis' distance with a shrunk covariance, the residue outside the principal axes and centred
cosines were tried and tell planted ones apart far less well. Copies are left out, since a strange picture that is there twice
has a near one.

Shapes: N items, D features, K neighbours.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from automl.contracts.quality import Finding, FindingKind, QualityItem
from engine.quality.neighbours import neighbours, unit_rows

NUM_NEIGHBOURS = 60
LEAST_ITEMS = 60
# Chosen on Fashion-MNIST and scenes with pictures of other sets among them; judged on others (benchmarks/results.md).
SPREADS = 3.25
"""How many upper spreads above the median count."""
_TAIL, _TAIL_SPREADS = 0.95, 1.645
"""The upper spread is the distance from the median to this quantile, as if the logarithms were normal."""


def outliers(items: Sequence[QualityItem], vectors_ND: NDArray[np.float32]) -> tuple[list[Finding], float | None]:
    """Findings and the limit in force, in spreads; nothing for fewer than ``LEAST_ITEMS``.

    Args:
        items: N of them, without copies.
        vectors_ND: their features.
    """
    if len(items) < LEAST_ITEMS:
        return [], None
    oddness_N = oddness(vectors_ND)
    return [
        Finding(
            item=items[row].item,
            kind=FindingKind.OUTLIER,
            severity=float(min(1.0, 1 - SPREADS / oddness_N[row] / 2)),
            detail={"value": round(float(oddness_N[row]), 3), "limit": SPREADS},
        )
        for row in map(int, np.flatnonzero(oddness_N > SPREADS))
    ], SPREADS


def oddness(vectors_ND: NDArray[np.float32]) -> NDArray[np.float64]:
    """How far out each vector lies ``_N``, in upper spreads above the median."""
    k = min(NUM_NEIGHBOURS, len(vectors_ND) // 4)
    cosines_NK, rows_NK = neighbours(unit_rows(vectors_ND), k)
    distances_NK = np.sqrt(np.maximum(2 - 2 * cosines_NK.astype(np.float64), 1e-6))
    reach_NK = np.maximum(distances_NK, distances_NK[:, -1][rows_NK])
    density_N = 1 / reach_NK.mean(axis=1)
    factor_N = density_N[rows_NK].mean(axis=1) / density_N
    return (_in_spreads((distances_NK**2).mean(axis=1)) + _in_spreads(factor_N)) / 2


def _in_spreads(values_N: NDArray[np.float64]) -> NDArray[np.float64]:
    logs_N = np.log(values_N)
    middle = float(np.median(logs_N))
    spread = max((float(np.quantile(logs_N, _TAIL)) - middle) / _TAIL_SPREADS, 0.01)
    return np.asarray((logs_N - middle) / spread)

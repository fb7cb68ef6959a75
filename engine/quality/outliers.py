"""Pictures that are far from all others.

The measure is the mean cosine distance to the twenty nearest that are no copies: S. Ramaswamy, R. Rastogi, K.
Shim ("Efficient algorithms for mining outliers from large data sets", SIGMOD 2000). Copies are left
out, since a strange picture that is there twice would have a near neighbour.

Shapes: N items, D features.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from automl.contracts.quality import Finding, FindingKind, QualityItem
from engine.quality.neighbours import neighbours, unit_rows

NUM_NEIGHBOURS = 20
LEAST_ITEMS = 60
SPREADS = 2.3
"""Robust standard deviations of the log distance above the median."""
_TO_DEVIATION = 1.4826


def outliers(items: Sequence[QualityItem], vectors_ND: NDArray[np.float32]) -> tuple[list[Finding], float | None]:
    """Findings and the distance beyond which an item counts; nothing for fewer than ``LEAST_ITEMS``.

    Args:
        items: N of them, without copies.
        vectors_ND: their features.
    """
    if len(items) < LEAST_ITEMS:
        return [], None
    cosines_NK, _ = neighbours(unit_rows(vectors_ND), NUM_NEIGHBOURS)
    distances_N = np.maximum(1 - cosines_NK.mean(axis=1), 1e-3)
    logs_N = np.log(distances_N)
    middle = float(np.median(logs_N))
    spread = _TO_DEVIATION * float(np.median(np.abs(logs_N - middle)))
    limit = float(np.exp(middle + SPREADS * max(spread, 0.05)))
    rows = [int(row) for row in np.flatnonzero(distances_N > limit)]
    findings = [
        Finding(
            item=items[row].item,
            kind=FindingKind.OUTLIER,
            severity=float(min(1.0, 1 - limit / distances_N[row] / 2)),
            detail={
                "value": round(float(distances_N[row]), 4),
                "limit": round(limit, 4),
                "usual": round(float(np.exp(middle)), 4),
            },
        )
        for row in rows
    ]
    return findings, limit

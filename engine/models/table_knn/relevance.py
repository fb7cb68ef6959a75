"""How relevant each feature alone is for the target, so that distances weigh features accordingly.

Mutual information of the feature and the target, both cut into a few parts of equal size, less what chance alone would give
(Miller 1955); over the target's entropy, so that it lies in 0..1. Distances weigh features by it (Wettschereck et al. 1997,
https://doi.org/10.1023/A:1006593614256).

Shapes: N rows, F features, P parts of a feature, Q parts of the target.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_NUM_PARTS = 16
_LOOKED_AT = 20_000


def relevance(x_NF: NDArray[np.float32], targets_N: NDArray, *, is_number: bool, seed: int) -> NDArray[np.float64]:
    """Normalised mutual information ``_F``, 0 where a feature is irrelevant.

    Args:
        x_NF: features.
        targets_N: indices of labels, or numbers.
        is_number: whether the targets are numbers.
        seed: of the rows that are looked at, at most 20,000.
    """
    if len(x_NF) > _LOOKED_AT:
        rows_N = np.random.default_rng(seed).choice(len(x_NF), _LOOKED_AT, replace=False)
        x_NF, targets_N = x_NF[rows_N], targets_N[rows_N]
    target_N = _parts(targets_N) if is_number else np.unique(targets_N, return_inverse=True)[1]
    entropy = _entropy(np.bincount(target_N))
    if entropy <= 0.0:
        return np.zeros(x_NF.shape[1])
    return np.array([max(0.0, _information(_parts(column_N), target_N) / entropy) for column_N in x_NF.T])


def _parts(values_N: NDArray) -> NDArray[np.int64]:
    """Cuts values at their quantiles; few values stay each for itself."""
    values, places_N = np.unique(values_N, return_inverse=True)
    if len(values) <= _NUM_PARTS:
        return places_N
    edges = np.unique(np.quantile(values_N, np.arange(1, _NUM_PARTS) / _NUM_PARTS))
    return np.searchsorted(edges, values_N, side="right")


def _entropy(counts: NDArray[np.int64]) -> float:
    """In nats."""
    shares = counts[counts > 0] / counts.sum()
    return float(-(shares * np.log(shares)).sum())


def _information(first_N: NDArray[np.int64], second_N: NDArray[np.int64]) -> float:
    """In nats, less its mean where the two have nothing to do with each other."""
    width = int(second_N.max()) + 1
    counts = np.bincount(first_N * width + second_N)
    found = _entropy(np.bincount(first_N)) + _entropy(np.bincount(second_N)) - _entropy(counts)
    num_cells = (len(np.unique(first_N)) - 1) * (len(np.unique(second_N)) - 1)
    return found - num_cells / (2 * len(first_N))

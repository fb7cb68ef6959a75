"""Statistics of targets by value of a column, without telling a row its own target.

A value's mean is drawn towards the mean of all rows, the more the fewer rows it has (Micci-Barreca 2001,
https://doi.org/10.1145/507533.507538); how strongly is estimated from the rows: the variance within values over that between
them, by the one-way random effects model. Training rows get the statistics of the other folds, with folds that hold equal
shares of each label, so that a fold does not give itself away by its mean.

Shapes: N rows, V values, R responses, K folds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

Style = Literal["trees", "dense"]
NUM_FOLDS = 10
_MAX_RESPONSES = 8
"""Of many labels the commonest have a statistic each; the others are described by the ranks of values."""
_LEAST_STRENGTH, _MOST_STRENGTH = 1.0, 1e5


@dataclass(frozen=True)
class Responses:
    """What is predicted, as numbers whose mean is worth knowing."""

    y_NR: NDArray[np.float64]
    """Of two labels whether it is the second; of more, one a label, of which at most eight; of numbers the number, less its
    mean, over its spread."""
    names: tuple[str, ...]
    folds_N: NDArray[np.int64]
    """0..``NUM_FOLDS`` - 1."""
    seed: int


def responses_of(targets_N: NDArray[Any], num_labels: int, *, seed: int) -> Responses:
    """Makes responses of labels' indices, or of numbers where ``num_labels`` is 0."""
    if num_labels == 0:
        spread = float(np.std(targets_N)) or 1.0
        y_NR = ((targets_N - np.mean(targets_N)) / spread)[:, None]
        names: tuple[str, ...] = ("mean",)
    else:
        counts_L = np.bincount(targets_N, minlength=num_labels)
        chosen = [1] if num_labels == 2 else np.sort(np.argsort(-counts_L, kind="stable")[:_MAX_RESPONSES]).tolist()
        y_NR = (np.asarray(targets_N)[:, None] == np.array(chosen)[None, :]).astype(np.float64)
        names = tuple(f"share of label {label}" for label in chosen)
    return Responses(y_NR=y_NR, names=names, folds_N=_folds(targets_N, seed), seed=seed)


def _folds(targets_N: NDArray[Any], seed: int) -> NDArray[np.int64]:
    """Deals rows to folds in the order of their targets, each run of ``NUM_FOLDS`` rows in an order of its own."""
    rng = np.random.default_rng(seed)
    num_rows = len(targets_N)
    order_N = np.lexsort((rng.random(num_rows), targets_N))
    num_runs = -(-num_rows // NUM_FOLDS)
    dealt = rng.permuted(np.tile(np.arange(NUM_FOLDS), (num_runs, 1)), axis=1).reshape(-1)[:num_rows]
    folds_N = np.empty(num_rows, dtype=np.int64)
    folds_N[order_N] = dealt
    return folds_N


def statistics_of(codes_N: NDArray[np.int64], num_values: int, responses: Responses) -> tuple[Any, Any]:
    """Smoothed means of the responses by value.

    Args:
        codes_N: index of each row's value, 0..V-1.
        num_values: V.
        responses: of the same rows.

    Returns:
        Means ``_(V+1)R`` float32, of which the last is that of a value never seen, and for the rows themselves the out-of-fold
        ones, ``_NR`` float32.
    """
    y_NR, folds_N = responses.y_NR, responses.folds_N
    num_rows, num_responses = y_NR.shape
    counts_V = np.bincount(codes_N, minlength=num_values).astype(np.float64)
    slots_N = codes_N * NUM_FOLDS + folds_N
    counts_VK = np.bincount(slots_N, minlength=num_values * NUM_FOLDS).reshape(num_values, NUM_FOLDS)
    means_VR = np.empty((num_values + 1, num_responses), dtype=np.float32)
    own_NR = np.empty((num_rows, num_responses), dtype=np.float32)
    for place in range(num_responses):
        y_N = y_NR[:, place]
        sums_VK = np.bincount(slots_N, weights=y_N, minlength=num_values * NUM_FOLDS).reshape(num_values, NUM_FOLDS)
        sums_V = sums_VK.sum(axis=1)
        prior = float(y_N.mean())
        strength = _strength(y_N, counts_V, sums_V)
        means_VR[:-1, place] = (sums_V + strength * prior) / (counts_V + strength)
        means_VR[-1, place] = prior
        others_VK = (sums_V[:, None] - sums_VK + strength * prior) / (counts_V[:, None] - counts_VK + strength)
        own_NR[:, place] = others_VK[codes_N, folds_N]
    return means_VR, own_NR


def _strength(y_N: NDArray[np.float64], counts_V: NDArray[np.float64], sums_V: NDArray[np.float64]) -> float:
    """How many rows of the prior a value's mean is mixed with: variance within values over variance between them."""
    num_rows, num_values = len(y_N), int((counts_V > 0).sum())
    if num_values < 2 or num_rows <= num_values:
        return _LEAST_STRENGTH if num_values < 2 else float(NUM_FOLDS)
    means_V = sums_V / np.maximum(counts_V, 1.0)
    mean = float(y_N.mean())
    between = float((counts_V * (means_V - mean) ** 2).sum())
    within = max(float(((y_N - mean) ** 2).sum()) - between, 0.0) / (num_rows - num_values)
    typical = (num_rows - float((counts_V**2).sum()) / num_rows) / (num_values - 1)
    spread = (between / (num_values - 1) - within) / typical
    if spread <= 0.0:
        return _MOST_STRENGTH
    return float(np.clip(within / spread, _LEAST_STRENGTH, _MOST_STRENGTH))

"""Numbers far from all others of their column: beyond ten times the middle half's width.

Positive numbers may be skewed, so that theirs must stand far out in their logarithms too. In a column that is learned from,
few such cells are worth a word; in the target a few per cent ruin what minimises squared errors, and their logarithms count as
far from five widths on: an error by a factor of ten or more, where a log-normal has one in a million. Where targets are spread
widely, such errors end below that: a few of them are far as well if a gap in the logarithms lies between them and all others.

Shapes: K different values in order.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

LEAST_ROWS, LEAST_VALUES = 50, 10
"""With fewer nothing is called far."""
_FAR, _FAR_LOG = 10.0, 5.0
_GAP, _APART, _LEAST_APART, _MOST_APART = 0.75, 2.0, 4, 0.1
"""Widths in logarithms: of a gap, and from the middle half to the middle of what lies beyond it; rows there, share of all."""
_LOOSE = 3.0
"""Of normal numbers none in 400,000 lies so many widths from the middle half."""


def is_far(values_K: NDArray[np.float64], counts_K: NDArray[np.int64], *, is_target: bool = False) -> NDArray[np.bool_]:
    """Which values are far from all others.

    Args:
        values_K: different ones, in order.
        counts_K: how often each occurs.
        is_target: whether they are to be predicted.
    """
    if int(counts_K.sum()) < LEAST_ROWS or len(values_K) < LEAST_VALUES:
        return np.zeros(len(values_K), dtype=bool)
    is_far_K = _is_beyond(values_K, counts_K, _FAR)
    if values_K[0] >= 0:
        is_far_K &= _is_beyond(np.log1p(values_K), counts_K, _FAR_LOG if is_target else _FAR)
        if is_target:
            is_far_K |= _is_apart(values_K, counts_K)
    return is_far_K


def _is_apart(values_K: NDArray[np.float64], counts_K: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which of the positive values lie above a gap, as few rows whose middle one is far from the middle half of all."""
    logs_K, num_above_K = np.log1p(values_K), counts_K[::-1].cumsum()[::-1]
    low, high = _middle_half(logs_K, counts_K)
    is_few_K = (num_above_K >= _LEAST_APART) & (num_above_K <= _MOST_APART * num_above_K[0])
    for place in np.flatnonzero(is_few_K & (np.diff(logs_K, prepend=logs_K[0]) > _GAP * (high - low))):
        middle = place + int(np.searchsorted(np.cumsum(counts_K[place:]), num_above_K[place] / 2))
        if _is_beyond(values_K, counts_K, _FAR)[middle] and _is_beyond(logs_K, counts_K, _APART)[middle]:
            return np.arange(len(values_K)) >= place
    return np.zeros(len(values_K), dtype=bool)


def far_targets(targets_N: NDArray[Any]) -> NDArray[np.bool_]:
    """Which of the numbers to predict are far from all others."""
    values_K, places_N, counts_K = np.unique(targets_N, return_inverse=True, return_counts=True)
    return is_far(values_K.astype(np.float64), counts_K, is_target=True)[places_N]


def has_loose(targets_N: NDArray[Any]) -> bool:
    """Whether some of the numbers to predict lie so far out that squared errors are mostly theirs, in their logarithms too."""
    values_K, counts_K = np.unique(targets_N, return_counts=True)
    values_K = values_K.astype(np.float64)
    if len(values_K) < LEAST_VALUES:
        return False
    is_loose_K = _is_beyond(values_K, counts_K, _LOOSE)
    if values_K[0] >= 0:
        is_loose_K &= _is_beyond(np.log1p(values_K), counts_K, _LOOSE)
    return bool(is_loose_K.any())


def _is_beyond(values_K: NDArray[np.float64], counts_K: NDArray[np.int64], widths: float) -> NDArray[np.bool_]:
    low, high = _middle_half(values_K, counts_K)
    width = high - low
    if width <= 0 or not np.isfinite(width):
        return np.zeros(len(values_K), dtype=bool)
    return (values_K < low - widths * width) | (values_K > high + widths * width)


def _middle_half(values_K: NDArray[np.float64], counts_K: NDArray[np.int64]) -> tuple[float, float]:
    ends_K = np.cumsum(counts_K)
    low, high = (float(values_K[np.searchsorted(ends_K, fraction * ends_K[-1])]) for fraction in (0.25, 0.75))
    return low, high

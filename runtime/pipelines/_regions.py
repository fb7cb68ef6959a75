"""Connected regions of a map, as runs of pixels in its rows, and the smallest rectangle around each.

Shapes: H height, W width, R runs, E edges between runs, P points.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class Region(NamedTuple):
    """Pixels that touch each other, also across corners."""

    points: Floats
    """The first and the last pixel of each run, as x and y ``_P2``."""
    mean: float
    """Of the map's values."""


def regions(values_HW: NDArray[np.float32], threshold: float) -> Iterator[Region]:
    """The regions of a map above a threshold, 0..1, from the top."""
    rows_R, starts_R, ends_R = _runs(values_HW > threshold)
    if not len(rows_R):
        return
    labels_R = _joined(len(rows_R), *_neighbours(rows_R, starts_R, ends_R, values_HW.shape[1]))
    width = values_HW.shape[1]
    sums = np.concatenate([[0.0], np.cumsum(values_HW.ravel(), dtype=np.float64)])
    sums_R = sums[rows_R * width + ends_R] - sums[rows_R * width + starts_R]
    order_R = np.argsort(labels_R, kind="stable")
    borders = np.flatnonzero(np.diff(labels_R[order_R])) + 1
    for own in np.split(order_R, borders):
        points_P2 = np.concatenate([np.stack([xs, rows_R[own]], axis=1) for xs in (starts_R[own], ends_R[own] - 1)])
        yield Region(points_P2.astype(np.float64), float(sums_R[own].sum() / (ends_R[own] - starts_R[own]).sum()))


def smallest_rectangle(points_P2: Floats) -> Floats:
    """The corners of the smallest rectangle around points, as x and y, in order around it.

    One of its sides lies on a side of the convex hull (Freeman and Shapira 1975), so each of these is tried.
    """
    hull_P2 = _hull(points_P2)
    sides_P2 = np.roll(hull_P2, -1, axis=0) - hull_P2
    lengths_P = np.hypot(sides_P2[:, 0], sides_P2[:, 1])
    along_P2 = sides_P2 / lengths_P[:, None] if lengths_P.all() else np.array([[1.0, 0.0]])
    across_P2 = np.stack([-along_P2[:, 1], along_P2[:, 0]], axis=1)
    alongs_PP, acrosses_PP = hull_P2 @ along_P2.T, hull_P2 @ across_P2.T
    low_P, high_P = alongs_PP.min(axis=0), alongs_PP.max(axis=0)
    near_P, far_P = acrosses_PP.min(axis=0), acrosses_PP.max(axis=0)
    best = int(((high_P - low_P) * (far_P - near_P)).argmin())
    corners = ((low_P, near_P), (high_P, near_P), (high_P, far_P), (low_P, far_P))
    return np.stack([one[best] * along_P2[best] + other[best] * across_P2[best] for one, other in corners])


def _runs(is_in_HW: NDArray[np.bool_]) -> tuple[Ints, Ints, Ints]:
    """Row, first column and the column behind the last of each run, row by row."""
    steps_HW = np.diff(np.pad(is_in_HW.astype(np.int8), ((0, 0), (1, 1))), axis=1)
    rows_R, starts_R = np.nonzero(steps_HW == 1)
    _, ends_R = np.nonzero(steps_HW == -1)
    return rows_R, starts_R, ends_R


def _neighbours(rows_R: Ints, starts_R: Ints, ends_R: Ints, width: int) -> tuple[Ints, Ints]:
    """Pairs of runs in rows that follow each other and touch, ``_E`` each."""
    stride = width + 2
    below_R = (rows_R + 1) * stride
    first_R = np.searchsorted(rows_R * stride + ends_R, below_R + starts_R)
    behind_R = np.searchsorted(rows_R * stride + starts_R, below_R + ends_R, side="right")
    counts_R = np.maximum(behind_R - first_R, 0)
    uppers_E = np.repeat(np.arange(len(rows_R)), counts_R)
    places_E = np.arange(len(uppers_E)) - np.repeat(np.cumsum(counts_R) - counts_R, counts_R)
    return uppers_E, first_R[uppers_E] + places_E


def _joined(num_runs: int, ones_E: Ints, others_E: Ints) -> Ints:
    """The same number for all runs that are joined by edges."""
    labels_R = np.arange(num_runs)
    while True:
        one_E, other_E = labels_R[ones_E], labels_R[others_E]
        if (one_E == other_E).all():
            return labels_R
        np.minimum.at(labels_R, np.maximum(one_E, other_E), np.minimum(one_E, other_E))
        while (labels_R != labels_R[labels_R]).any():
            labels_R = labels_R[labels_R]


def _hull(points_P2: Floats) -> Floats:
    """The convex hull (Andrew 1979)."""
    points = sorted(set(map(tuple, points_P2.tolist())))
    if len(points) < 3:
        return np.array(points)
    halves = []
    for ordered in (points, points[::-1]):
        half: list[tuple[float, ...]] = []
        for x, y in ordered:
            while len(half) > 1 and _turn(half[-2], half[-1], (x, y)) <= 0:
                half.pop()
            half.append((x, y))
        halves.append(half[:-1])
    return np.array(halves[0] + halves[1])


def _turn(one: tuple[float, ...], other: tuple[float, ...], point: tuple[float, ...]) -> float:
    return (other[0] - one[0]) * (point[1] - one[1]) - (other[1] - one[1]) * (point[0] - one[0])

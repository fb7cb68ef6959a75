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


def regions(values: NDArray[np.float32], threshold: float) -> Iterator[Region]:
    """The regions of a map above a threshold, 0..1, from the top."""
    rows, starts, ends = _runs(values > threshold)
    if not len(rows):
        return
    labels = _joined(len(rows), *_neighbours(rows, starts, ends, values.shape[1]))
    width = values.shape[1]
    sums = np.concatenate([[0.0], np.cumsum(values.ravel(), dtype=np.float64)])
    sums = sums[rows * width + ends] - sums[rows * width + starts]
    order = np.argsort(labels, kind="stable")
    borders = np.flatnonzero(np.diff(labels[order])) + 1
    for own in np.split(order, borders):
        points = np.concatenate([np.stack([xs, rows[own]], axis=1) for xs in (starts[own], ends[own] - 1)])
        yield Region(points.astype(np.float64), float(sums[own].sum() / (ends[own] - starts[own]).sum()))


def smallest_rectangle(points: Floats) -> Floats:
    """The corners of the smallest rectangle around points, as x and y, in order around it.

    One of its sides lies on a side of the convex hull (Freeman and Shapira 1975), so each of these is tried.
    """
    hull = _hull(points)
    sides = np.roll(hull, -1, axis=0) - hull
    lengths = np.hypot(sides[:, 0], sides[:, 1])
    along = sides / lengths[:, None] if lengths.all() else np.array([[1.0, 0.0]])
    across = np.stack([-along[:, 1], along[:, 0]], axis=1)
    alongs, acrosses = hull @ along.T, hull @ across.T
    low, high = alongs.min(axis=0), alongs.max(axis=0)
    near, far = acrosses.min(axis=0), acrosses.max(axis=0)
    best = int(((high - low) * (far - near)).argmin())
    corners = ((low, near), (high, near), (high, far), (low, far))
    return np.stack([one[best] * along[best] + other[best] * across[best] for one, other in corners])


def _runs(is_in: NDArray[np.bool_]) -> tuple[Ints, Ints, Ints]:
    """Row, first column and the column behind the last of each run, row by row."""
    steps = np.diff(np.pad(is_in.astype(np.int8), ((0, 0), (1, 1))), axis=1)
    rows, starts = np.nonzero(steps == 1)
    _, ends = np.nonzero(steps == -1)
    return rows, starts, ends


def _neighbours(rows: Ints, starts: Ints, ends: Ints, width: int) -> tuple[Ints, Ints]:
    """Pairs of runs in rows that follow each other and touch, ``_E`` each."""
    stride = width + 2
    below = (rows + 1) * stride
    first = np.searchsorted(rows * stride + ends, below + starts)
    behind = np.searchsorted(rows * stride + starts, below + ends, side="right")
    counts = np.maximum(behind - first, 0)
    uppers = np.repeat(np.arange(len(rows)), counts)
    places = np.arange(len(uppers)) - np.repeat(np.cumsum(counts) - counts, counts)
    return uppers, first[uppers] + places


def _joined(num_runs: int, ones: Ints, others: Ints) -> Ints:
    """The same number for all runs that are joined by edges."""
    labels = np.arange(num_runs)
    while True:
        one, other = labels[ones], labels[others]
        if (one == other).all():
            return labels
        np.minimum.at(labels, np.maximum(one, other), np.minimum(one, other))
        while (labels != labels[labels]).any():
            labels = labels[labels]


def _hull(given: Floats) -> Floats:
    """The convex hull (Andrew 1979)."""
    points = sorted({(x, y) for x, y in given.tolist()})
    if len(points) < 3:
        return np.array(points)
    halves = []
    for ordered in (points, points[::-1]):
        half: list[tuple[float, float]] = []
        for x, y in ordered:
            while len(half) > 1 and _turn(half[-2], half[-1], (x, y)) <= 0:
                half.pop()
            half.append((x, y))
        halves.append(half[:-1])
    return np.array(halves[0] + halves[1])


def _turn(one: tuple[float, float], other: tuple[float, float], point: tuple[float, float]) -> float:
    return (other[0] - one[0]) * (point[1] - one[1]) - (other[1] - one[1]) * (point[0] - one[0])

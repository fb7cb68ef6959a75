"""Truth as pixels: masks and polygons drawn into one picture of labels, and that picture as run lengths.

Numpy alone, so that the web process can import it. Shapes: H height, W width, N items, K numbers of an item's run lengths.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from automl.contracts.annotation import Annotation, Mask, Point, Polygon
from automl.contracts.dataset import ItemRecord
from runtime.run_lengths import pixels_of, runs_unpack

BACKGROUND = -1
"""Index of what carries no label."""
LONGEST_SIDE_PX = 1024
"""Truth of larger pictures is kept, and compared, at this size of the longer side."""
LabelMap = NDArray[np.int16]
"""Index of the label of each pixel, ``_HW``."""


def label_map(record: ItemRecord, index: Mapping[str, int]) -> LabelMap:
    """Draws an item's masks and polygons, the later ones over the earlier ones.

    Args:
        record: its picture is drawn at its own size, or with ``LONGEST_SIDE_PX`` where it is larger.
        index: of each label.
    """
    height, width = drawn_size(record)
    labels_HW = np.full((height, width), BACKGROUND, dtype=np.int16)
    scale = (width / record.media.width, height / record.media.height)
    for shape in shapes_of(record.annotations):
        is_inside_HW = (
            _mask_pixels(shape, height, width) if isinstance(shape, Mask) else _polygon_pixels(shape, height, width, scale)
        )
        labels_HW[is_inside_HW] = index[shape.label]
    return labels_HW


def shapes_of(annotations: Iterable[Annotation]) -> list[Mask | Polygon]:
    """What of an item's annotations labels pixels."""
    return [each for each in annotations if isinstance(each, Mask | Polygon)]


def drawn_size(record: ItemRecord) -> tuple[int, int]:
    """Height and width at which an item's truth is drawn."""
    sides = (record.media.height, record.media.width)
    scale = min(1.0, LONGEST_SIDE_PX / max(sides))
    return max(1, round(sides[0] * scale)), max(1, round(sides[1] * scale))


def nearest(num_before: int, num_after: int) -> NDArray[np.int64]:
    """For each place along an axis after a change of size, the place before it whose pixel covers its centre."""
    return (2 * np.arange(num_after) + 1) * num_before // (2 * num_after)


def runs_of(maps: Sequence[LabelMap]) -> NDArray[np.int32]:
    """Label maps as ``_NK``: height, width, then pairs of an index and of how many pixels in a row carry it, row by row.

    Zeros fill up what the longest one has more.
    """
    rows = [_runs(labels_HW) for labels_HW in maps]
    runs_NK = np.zeros((len(rows), max((len(row) for row in rows), default=2)), dtype=np.int32)
    for number, row in enumerate(rows):
        runs_NK[number, : len(row)] = row
    return runs_NK


def map_of(runs_K: NDArray[np.int32]) -> LabelMap:
    """The label map of one row of ``runs_of``."""
    height, width = runs_K[:2]
    return np.repeat(runs_K[2::2].astype(np.int16), runs_K[3::2]).reshape(height, width)


def pixels_by_label(runs_NK: NDArray[np.int32], num_labels: int) -> NDArray[np.int64]:
    """Pixels of each item without a label and of each label, ``_N(1+L)``."""
    values_NR, lengths_NR = runs_NK[:, 2::2] - BACKGROUND, runs_NK[:, 3::2]
    items_NR = np.repeat(np.arange(len(runs_NK)), values_NR.shape[1]).reshape(values_NR.shape)
    places = items_NR * (num_labels + 1) + values_NR
    counts = np.bincount(places.ravel(), weights=lengths_NR.ravel(), minlength=len(runs_NK) * (num_labels + 1))
    return counts.astype(np.int64).reshape(len(runs_NK), num_labels + 1)


def _runs(labels_HW: LabelMap) -> NDArray[np.int32]:
    flat = labels_HW.reshape(-1)
    starts = np.concatenate([[0], np.flatnonzero(flat[1:] != flat[:-1]) + 1])
    pairs_R2 = np.stack([flat[starts].astype(np.int32), np.diff(starts, append=len(flat)).astype(np.int32)], axis=1)
    return np.concatenate([np.array(labels_HW.shape, dtype=np.int32), pairs_R2.reshape(-1)])


def _mask_pixels(mask: Mask, height: int, width: int) -> NDArray[np.bool_]:
    """What of a mask of any size is seen at this one."""
    is_inside_HW = pixels_of(runs_unpack(mask.counts), width=mask.width, height=mask.height) != 0
    if (mask.height, mask.width) != (height, width):
        is_inside_HW = is_inside_HW[np.ix_(nearest(mask.height, height), nearest(mask.width, width))]
    return is_inside_HW


def _polygon_pixels(polygon: Polygon, height: int, width: int, scale: tuple[float, float]) -> NDArray[np.bool_]:
    """Pixels whose centre lies inside the outline and in none of its holes, by the even-odd rule, line by line."""
    is_turned_HW = np.zeros((height, width + 1), dtype=bool)
    for ring in (polygon.points, *polygon.holes):
        lines, columns = _crossings(ring, scale)
        is_seen = (lines >= 0) & (lines < height)
        np.logical_xor.at(is_turned_HW, (lines[is_seen], np.clip(columns[is_seen], 0, width)), True)
    return np.logical_xor.accumulate(is_turned_HW, axis=1)[:, :width]


def _crossings(ring: Sequence[Point], scale: tuple[float, float]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Where the lines through the pixels' centres meet a ring: the line, and the first column whose centre lies behind."""
    points_P2 = np.array(ring, dtype=np.float64) * scale
    ends_P2 = np.roll(points_P2, -1, axis=0)
    is_down_P = points_P2[:, 1] <= ends_P2[:, 1]
    upper_P2, lower_P2 = np.where(is_down_P[:, None], [points_P2, ends_P2], [ends_P2, points_P2])
    first_P, behind_P = (np.ceil(ends[:, 1] - 0.5).astype(np.int64) for ends in (upper_P2, lower_P2))
    counts_P = behind_P - first_P
    edges = np.repeat(np.arange(len(points_P2)), counts_P)
    lines = first_P[edges] + np.arange(len(edges)) - np.repeat(np.cumsum(counts_P) - counts_P, counts_P)
    share = (lines + 0.5 - upper_P2[edges, 1]) / (lower_P2[edges, 1] - upper_P2[edges, 1])
    x = upper_P2[edges, 0] + share * (lower_P2[edges, 0] - upper_P2[edges, 0])
    return lines, np.ceil(x - 0.5).astype(np.int64)

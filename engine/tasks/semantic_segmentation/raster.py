"""Truth as pixels: masks and polygons drawn into one picture of labels, and that picture as run lengths.

Numpy alone, so that the web process can import it. Shapes: H height, W width, N items, K numbers of an item's run lengths.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from automl.contracts.annotation import IGNORED_LABEL
from automl.contracts.dataset import ItemRecord
from engine.tasks.shared.raster import LONGEST_SIDE_PX, drawn_size, shape_pixels, shapes_of

BACKGROUND = -1
"""Index of what carries no label."""
IGNORED = -2
"""Index of pixels that count neither in training nor in metrics."""
LabelMap = NDArray[np.int16]
"""Index of the label of each pixel, ``_HW``; ``BACKGROUND`` or ``IGNORED`` of those without one."""


def label_map(record: ItemRecord, index: Mapping[str, int], longest_px: int = LONGEST_SIDE_PX) -> LabelMap:
    """Draws an item's masks and polygons, the later ones over the earlier ones.

    Args:
        record: its picture is drawn at its own size, or smaller where that is larger than ``longest_px``.
        index: of each label; a shape with ``IGNORED_LABEL`` marks what does not count, unless that is a label.
        longest_px: longer side of the map, at most.
    """
    labels_HW = np.full(drawn_size(record, longest_px), BACKGROUND, dtype=np.int16)
    index = {IGNORED_LABEL: IGNORED, **index}
    for shape in shapes_of(record.annotations):
        labels_HW[shape_pixels(shape, record, longest_px)] = index[shape.label]
    return labels_HW


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
    """Pixels of each item without a label and of each label, ``_N(1+L)``; without those that do not count."""
    values_NR = runs_NK[:, 2::2] - BACKGROUND
    lengths_NR, values_NR = np.where(values_NR < 0, 0, runs_NK[:, 3::2]), np.maximum(values_NR, 0)
    items_NR = np.repeat(np.arange(len(runs_NK)), values_NR.shape[1]).reshape(values_NR.shape)
    places = items_NR * (num_labels + 1) + values_NR
    counts = np.bincount(places.ravel(), weights=lengths_NR.ravel(), minlength=len(runs_NK) * (num_labels + 1))
    return counts.astype(np.int64).reshape(len(runs_NK), num_labels + 1)


def _runs(labels_HW: LabelMap) -> NDArray[np.int32]:
    flat = labels_HW.reshape(-1)
    starts = np.concatenate([[0], np.flatnonzero(flat[1:] != flat[:-1]) + 1])
    pairs_R2 = np.stack([flat[starts].astype(np.int32), np.diff(starts, append=len(flat)).astype(np.int32)], axis=1)
    return np.concatenate([np.array(labels_HW.shape, dtype=np.int32), pairs_R2.reshape(-1)])

"""Boxes of all places: the best pairs of box and label stay, without those that a better one of the same label covers.

Shapes: A places, L labels, K candidates.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray


def finish(tensors: Sequence[NDArray[np.float32]], settings: Mapping[str, Any]) -> NDArray[np.float32]:
    """Rows of x, y, width, height as shares of the picture, score, index of the label, best first; empty rows score 0."""
    boxes_A4, scores_AL = tensors[0][0], tensors[1][0]  # noqa: N806 - the suffixes are shapes
    lowest, max_boxes = np.array(settings["lowest_scores"], np.float32), int(settings["max_boxes"])
    num_labels = scores_AL.shape[1]
    order = np.argsort(-scores_AL.ravel(), kind="stable")[: len(lowest)]
    corners, labels, scores = boxes_A4[order // num_labels], order % num_labels, scores_AL.ravel()[order]
    waiting = list(np.flatnonzero((scores > lowest) & ((corners[:, 2:] - corners[:, :2]) > 0).all(axis=1)))
    rows = np.tile(np.array([0, 0, 0, 0, 0, -1], np.float32), (max_boxes, 1))
    for row in rows:
        if not waiting:
            break
        best = waiting.pop(0)
        row[:] = (*corners[best, :2], *(corners[best, 2:] - corners[best, :2]), scores[best], labels[best])
        waiting = [
            other
            for other in waiting
            if labels[other] != labels[best] or _overlap(corners[best], corners[other]) <= settings["max_overlap"]
        ]
    return rows[None]


def _overlap(one: NDArray[np.float32], other: NDArray[np.float32]) -> float:
    """Intersection over union."""
    width, height = np.minimum(one[2:], other[2:]) - np.maximum(one[:2], other[:2])
    shared = max(float(width), 0.0) * max(float(height), 0.0)
    areas = [float((box[2] - box[0]) * (box[3] - box[1])) for box in (one, other)]
    return shared / (sum(areas) - shared) if sum(areas) > shared else 0.0

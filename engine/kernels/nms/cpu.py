"""Greedy suppression in numpy, for which a small array costs a fifth of torch's time.

Only candidates of one label can suppress each other. For labels with few candidates all pairs are listed and their overlaps
computed at once; greedy suppression is then the one fixed point of "kept unless a better kept box covers it", reached by
repeating that sentence (Cluster-NMS, Zheng et al. 2020, https://arxiv.org/abs/2005.03572): as many rounds as the longest chain
of boxes that cover one another, three or four in pictures. Pairs grow with the square, so a label with many candidates is done
survivor by survivor.

Shapes: K candidates, P pairs.
"""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

_MAX_LISTED = 400
"""Candidates of one label whose pairs are listed; measured, one core."""


def nms(boxes_BK4: Tensor, scores_BK: Tensor, labels_BK: Tensor, iou_threshold: float) -> Tensor:
    """Says which candidates survive; see ``engine.kernels.nms.op.nms``."""
    boxes, scores, labels = boxes_BK4.detach().float().numpy(), scores_BK.detach().float().numpy(), labels_BK.numpy()
    kept_BK = np.zeros(scores.shape, dtype=bool)
    for row in range(len(boxes)):
        kept_BK[row] = _of_one(boxes[row], scores[row], labels[row], np.float32(iou_threshold))
    return torch.from_numpy(kept_BK)


def _of_one(boxes_K4: np.ndarray, scores_K: np.ndarray, labels_K: np.ndarray, threshold: np.float32) -> np.ndarray:
    kept_K = np.zeros(len(scores_K), dtype=bool)
    order = np.lexsort((-scores_K, labels_K))  # by label, then best first; stable, so that equal scores keep their order
    order = order[scores_K[order] > 0]
    if len(order) == 0:
        return kept_K
    sorted_K = labels_K[order]
    starts_G = np.flatnonzero(np.append(True, sorted_K[1:] != sorted_K[:-1]))
    sizes_G = np.diff(np.append(starts_G, len(order)))
    columns_4K = np.ascontiguousarray(boxes_K4[order].T)
    areas_K = (columns_4K[2] - columns_4K[0]) * (columns_4K[3] - columns_4K[1])
    is_listed_G = sizes_G <= _MAX_LISTED
    alive_K = _fixed_point(columns_4K, areas_K, starts_G, np.where(is_listed_G, sizes_G, 0), threshold)
    for start, size in zip(starts_G[~is_listed_G], sizes_G[~is_listed_G], strict=True):
        alive_K[start : start + size] = _one_by_one(
            columns_4K[:, start : start + size], areas_K[start : start + size], threshold
        )
    kept_K[order[alive_K]] = True
    return kept_K


def _fixed_point(
    columns_4K: np.ndarray, areas_K: np.ndarray, starts_G: np.ndarray, sizes_G: np.ndarray, threshold: np.float32
) -> np.ndarray:
    """Survivors of the groups ``starts_G``, of which each holds ``sizes_G`` candidates, best first."""
    members = np.repeat(starts_G, sizes_G) + np.arange(sizes_G.sum()) - np.repeat(np.cumsum(sizes_G) - sizes_G, sizes_G)
    counts = np.repeat(starts_G + sizes_G, sizes_G) - members - 1  # how many are worse than each
    better_P = np.repeat(members, counts)
    worse_P = better_P + 1 + np.arange(len(better_P)) - np.repeat(np.cumsum(counts) - counts, counts)
    is_covered_P = _iou(columns_4K[:, better_P], areas_K[better_P], columns_4K[:, worse_P], areas_K[worse_P]) > threshold
    better_P, worse_P = better_P[is_covered_P], worse_P[is_covered_P]
    alive_K = np.ones(len(areas_K), dtype=bool)
    while True:
        still_K = np.ones(len(areas_K), dtype=bool)
        still_K[worse_P[alive_K[better_P]]] = False
        if (still_K == alive_K).all():
            return alive_K
        alive_K = still_K


def _one_by_one(columns_4K: np.ndarray, areas_K: np.ndarray, threshold: np.float32) -> np.ndarray:
    """Survivors of one group, best first."""
    alive_K = np.zeros(len(areas_K), dtype=bool)
    waiting = np.arange(len(areas_K))
    while len(waiting):
        alive_K[waiting[0]] = True
        overlap = _iou(columns_4K[:, :1], areas_K[:1], columns_4K[:, 1:], areas_K[1:])
        is_left = overlap <= threshold
        waiting, columns_4K, areas_K = waiting[1:][is_left], columns_4K[:, 1:][:, is_left], areas_K[1:][is_left]
    return alive_K


def _iou(first_4P: np.ndarray, area_P: np.ndarray, second_4P: np.ndarray, other_area_P: np.ndarray) -> np.ndarray:
    width_P = np.minimum(first_4P[2], second_4P[2]) - np.maximum(first_4P[0], second_4P[0])
    height_P = np.minimum(first_4P[3], second_4P[3]) - np.maximum(first_4P[1], second_4P[1])
    inter_P = np.maximum(width_P, 0) * np.maximum(height_P, 0)
    union_P = area_P + other_area_P - inter_P
    return np.where(union_P > 0, inter_P / np.maximum(union_P, np.finfo(np.float32).tiny), np.float32(0))

"""Non-maximum suppression as the papers describe it, one box after the other. Nothing runs it but tests and benchmarks.

Shapes: B batch, K candidates.
"""

from __future__ import annotations

import torch
from torch import Tensor


def nms(boxes_BK4: Tensor, scores_BK: Tensor, labels_BK: Tensor, iou_threshold: float) -> Tensor:
    """Says which candidates survive; see ``engine.kernels.nms.op.nms``."""
    kept_BK = torch.zeros_like(scores_BK, dtype=torch.bool)
    for row in range(len(boxes_BK4)):
        for label in labels_BK[row].unique().tolist():
            of_label = torch.nonzero((labels_BK[row] == label) & (scores_BK[row] > 0))[:, 0]
            waiting = of_label[torch.sort(scores_BK[row, of_label], descending=True, stable=True).indices]
            while len(waiting):
                best = waiting[0]
                kept_BK[row, best] = True
                waiting = waiting[1:]
                overlap = iou(boxes_BK4[row, best], boxes_BK4[row, waiting])
                waiting = waiting[~(overlap > iou_threshold)]
    return kept_BK


def iou(box_4: Tensor, boxes_N4: Tensor) -> Tensor:
    """Intersection over union of one box with many, ``_N``; 0 where a box has no area."""
    width_N = (torch.minimum(box_4[2], boxes_N4[:, 2]) - torch.maximum(box_4[0], boxes_N4[:, 0])).clamp(min=0)
    height_N = (torch.minimum(box_4[3], boxes_N4[:, 3]) - torch.maximum(box_4[1], boxes_N4[:, 1])).clamp(min=0)
    inter_N = width_N * height_N
    area = (box_4[2] - box_4[0]) * (box_4[3] - box_4[1])
    area_N = (boxes_N4[:, 2] - boxes_N4[:, 0]) * (boxes_N4[:, 3] - boxes_N4[:, 1])
    union_N = area + area_N - inter_N
    return torch.where(union_N > 0, inter_N / union_N.clamp(min=torch.finfo(union_N.dtype).tiny), 0.0)

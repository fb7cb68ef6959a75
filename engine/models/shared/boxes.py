"""What the detector families share of boxes and of losses on them. Boxes are left, top, right, bottom.

Shapes: N boxes, M other boxes, and ``...`` for whatever stands in front.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F  # noqa: N812 (the name that everybody knows)
from torch import Tensor

_TINY = 1e-9


def pairwise_iou(boxes_N4: Tensor, others_M4: Tensor) -> Tensor:
    """Intersection over union of each with each, ``..._NM``."""
    corner = torch.maximum(boxes_N4[..., :, None, :2], others_M4[..., None, :, :2])
    far = torch.minimum(boxes_N4[..., :, None, 2:], others_M4[..., None, :, 2:])
    inter_NM = (far - corner).clamp(min=0).prod(dim=-1)
    return inter_NM / (_area(boxes_N4)[..., :, None] + _area(others_M4)[..., None, :] - inter_NM).clamp(min=_TINY)


def giou(boxes_N4: Tensor, others_N4: Tensor) -> Tensor:
    """Generalised IoU of each with its counterpart, -1..1 (Rezatofighi et al. 2019, https://arxiv.org/abs/1902.09630)."""
    corner = torch.maximum(boxes_N4[..., :2], others_N4[..., :2])
    far = torch.minimum(boxes_N4[..., 2:], others_N4[..., 2:])
    inter_N = (far - corner).clamp(min=0).prod(dim=-1)
    union_N = (_area(boxes_N4) + _area(others_N4) - inter_N).clamp(min=_TINY)
    hull_corner = torch.minimum(boxes_N4[..., :2], others_N4[..., :2])
    hull_far = torch.maximum(boxes_N4[..., 2:], others_N4[..., 2:])
    hull_N = (hull_far - hull_corner).clamp(min=0).prod(dim=-1).clamp(min=_TINY)
    return inter_N / union_N - (hull_N - union_N) / hull_N


def focal_loss(logits: Tensor, targets: Tensor, *, alpha: float = 0.25, gamma: float = 2.0) -> Tensor:
    """Sum of the focal losses of sigmoid logits (Lin et al. 2017, https://arxiv.org/abs/1708.02002).

    Args:
        logits: any shape.
        targets: of the same shape, 0 or 1.
        alpha: weight of the ones; the zeros get the rest.
        gamma: how little easy answers count.
    """
    wrong = torch.sigmoid(logits) * (1 - targets) + torch.sigmoid(-logits) * targets
    weight = (alpha * targets + (1 - alpha) * (1 - targets)) * wrong**gamma
    return (weight * F.binary_cross_entropy_with_logits(logits, targets, reduction="none")).sum()


def _area(boxes: Tensor) -> Tensor:
    return (boxes[..., 2:] - boxes[..., :2]).prod(dim=-1)

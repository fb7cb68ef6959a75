"""Blocks of labels whose logits stay in the processor's cache: every pass over them but the products is then nearly free.

Shapes: B batch, D numbers, K labels of a block.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor

_WIDTH = 1024
"""Measured for batches of 128 (one core): 512 to 2,048 are alike, 256 and 8,192 a tenth slower."""


def width(batch: int) -> int:
    """Labels of a block."""
    del batch
    return _WIDTH


def log_sums(cosines_BK: Tensor, targets_B: Tensor, scale: float, right_B: Tensor) -> Tensor:
    """See ``blocks.Device``."""
    logits_BK = _precise(cosines_BK).mul_(scale)
    rows, columns = _right(targets_B, logits_BK.shape[1])
    right_B[rows] = logits_BK[rows, columns] / scale
    logits_BK[rows, columns] = -math.inf
    highest_B1 = logits_BK.amax(dim=1, keepdim=True).clamp(min=torch.finfo(logits_BK.dtype).min)
    sums_B1 = logits_BK.sub_(highest_B1).exp_().sum(dim=1, keepdim=True)
    return sums_B1.log_().add_(highest_B1)


def shares(cosines_BK: Tensor, targets_B: Tensor, scale: float, kept_3B: tuple[Tensor, Tensor, Tensor]) -> Tensor:
    """See ``blocks.Device``."""
    log_sum_B, grad_B, to_right_B = kept_3B
    shares_BK = _precise(cosines_BK).mul_(scale).sub_(log_sum_B[:, None]).exp_().mul_(scale * grad_B[:, None])
    rows, columns = _right(targets_B, shares_BK.shape[1])
    shares_BK[rows, columns] = to_right_B[rows]
    return shares_BK.to(cosines_BK.dtype)


def project(grad_KD: Tensor, directions_KD: Tensor, norms_K1: Tensor) -> None:
    """See ``blocks.Device``."""
    along_K1 = (directions_KD * grad_KD).sum(dim=1, keepdim=True)
    grad_KD.addcmul_(directions_KD, along_K1, value=-1.0).div_(norms_K1)


def _precise(cosines_BK: Tensor) -> Tensor:
    return cosines_BK.to(torch.promote_types(cosines_BK.dtype, torch.float32))


def _right(targets_B: Tensor, num_labels: int) -> tuple[Tensor, Tensor]:
    rows = torch.nonzero((targets_B >= 0) & (targets_B < num_labels))[:, 0]
    return rows, targets_B[rows]

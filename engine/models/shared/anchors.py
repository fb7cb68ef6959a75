"""What the detectors with anchors share: boxes of fixed sizes on a grid, what each answers for, and offsets from them.

Boxes are left, top, right, bottom. An offset is the shift of the middle in sides of the anchor and the logarithm of the
factor of each side (Girshick et al. 2014, https://arxiv.org/abs/1311.2524). Everything is in fractions of the picture.

Shapes: B batch, A anchors, M true boxes, K offered, and ``...`` for whatever stands in front.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import torch
from torch import Tensor

from engine.models.shared.boxes import pairwise_iou

_MAX_EXPONENT = math.log(1000 / 16)
"""Of a side's factor; a step that went wrong cannot overflow."""
_TINY = 1e-6
NOBODY = -1


def grid(height: int, width: int, sides: Sequence[tuple[float, float]], device: torch.device) -> Tensor:
    """Anchors of one map, ``_A4``: row by row, and in each cell every size in turn.

    Args:
        height: cells.
        width: cells.
        sides: width and height of each size, as fractions of the picture.
        device: where they are needed.
    """
    x_W = (torch.arange(width, device=device, dtype=torch.float32) + 0.5) / width
    y_H = (torch.arange(height, device=device, dtype=torch.float32) + 0.5) / height
    middles_N2 = torch.stack([x_W.repeat(height), y_H.repeat_interleave(width)], dim=-1)
    half_S2 = torch.tensor(sides, device=device, dtype=torch.float32) / 2
    middle_A2, half_A2 = middles_N2.repeat_interleave(len(sides), dim=0), half_S2.repeat(len(middles_N2), 1)
    return torch.cat([middle_A2 - half_A2, middle_A2 + half_A2], dim=-1)


def encoded(boxes: Tensor, anchors: Tensor) -> Tensor:
    """Offsets ``..._4`` that lead from the anchors to the boxes."""
    size, own_size = _size(boxes), _size(anchors)
    shift = (_middle(boxes) - _middle(anchors)) / own_size
    return torch.cat([shift, torch.log(size / own_size)], dim=-1)


def decoded(offsets: Tensor, anchors: Tensor) -> Tensor:
    """Boxes ``..._4`` to which the offsets lead."""
    own_size = _size(anchors)
    middle = _middle(anchors) + offsets[..., :2] * own_size
    half = own_size * offsets[..., 2:].clamp(max=_MAX_EXPONENT).exp() / 2
    return torch.cat([middle - half, middle + half], dim=-1)


@torch.no_grad()
def owners(
    anchors: Tensor, targets_BM5: Tensor, *, own_from: float, nothing_below: float, every_box: bool
) -> tuple[Tensor, Tensor]:
    """Which true box each anchor answers for, ``_BA`` (``NOBODY``: none), and which anchors show nothing, ``_BA``.

    Args:
        anchors: ``_A4``, or ``_BA4`` where every picture has its own.
        targets_BM5: box, and label; -1 pads.
        own_from: least overlap with the box that it answers for.
        nothing_below: with less overlap it shows nothing; between the two it is neither.
        every_box: whether a true box also gets the anchor that overlaps it most, however little.
    """
    is_there_B1M = (targets_BM5[..., 4] >= 0)[:, None]
    overlap_BAM = torch.where(is_there_B1M, pairwise_iou(anchors, targets_BM5[..., :4]), -1.0)
    value_BA, place_BA = overlap_BAM.max(dim=-1)
    own_BA = torch.where(value_BA >= own_from, place_BA, NOBODY)
    if every_box:
        is_best_BAM = (overlap_BAM >= overlap_BAM.amax(dim=1, keepdim=True)) & (overlap_BAM > 0)
        best_BA, best_place_BA = torch.where(is_best_BAM, overlap_BAM, -1.0).max(dim=-1)
        own_BA = torch.where(best_BA > 0, best_place_BA, own_BA)
    return own_BA, (value_BA < nothing_below) & (own_BA == NOBODY)


def owned(targets_BM5: Tensor, own_BA: Tensor) -> tuple[Tensor, Tensor]:
    """The boxes ``_BA4`` and labels ``_BA`` that ``owners`` gave out; where it gave none, anything."""
    found_BA5 = targets_BM5.gather(1, own_BA.clamp(min=0)[..., None].expand(-1, -1, 5))
    return found_BA5[..., :4], found_BA5[..., 4].long()


@torch.no_grad()
def drawn(is_offered_BK: Tensor, most: int | Tensor) -> Tensor:
    """Draws at random at most so many of those offered in each picture, ``_BK``.

    Args:
        is_offered_BK: among which.
        most: one number, or one a picture, ``_B1``.
    """
    return foremost(torch.rand(is_offered_BK.shape, device=is_offered_BK.device), is_offered_BK, most)


@torch.no_grad()
def foremost(values_BK: Tensor, is_offered_BK: Tensor, most: int | Tensor) -> Tensor:
    """At most so many of those offered in each picture, ``_BK``: those with the largest values, which are not negative."""
    order_BK = torch.where(is_offered_BK, values_BK, -1.0).argsort(dim=1, descending=True)
    places_BK = torch.arange(order_BK.shape[1], device=order_BK.device).expand_as(order_BK)
    ranks_BK = torch.empty_like(order_BK).scatter_(1, order_BK, places_BK)
    return is_offered_BK & (ranks_BK < most)


def _middle(boxes: Tensor) -> Tensor:
    return (boxes[..., :2] + boxes[..., 2:]) / 2


def _size(boxes: Tensor) -> Tensor:
    return (boxes[..., 2:] - boxes[..., :2]).clamp(min=_TINY)

"""Anchors of detectors: boxes of fixed sizes on a grid, the true box that each is matched with, and offsets from them.

Boxes are left, top, right, bottom. An offset is the shift of the middle in sides of the anchor and the logarithm of the
factor of each side (Girshick et al. 2014, https://arxiv.org/abs/1311.2524). Everything is in fractions of the picture.

Shapes: B batch, A anchors, M true boxes, K candidates, and ``...`` for whatever stands in front.
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
NO_MATCH = -1


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
def match_anchors(
    anchors: Tensor, targets_BM5: Tensor, *, positive_from: float, negative_below: float, matches_every_box: bool
) -> tuple[Tensor, Tensor]:
    """The true box that each anchor is matched with, ``_BA`` (``NO_MATCH``: none), and whether it is background, ``_BA``.

    Args:
        anchors: ``_A4``, or ``_BA4`` where every picture has its own.
        targets_BM5: box, and label; -1 pads.
        positive_from: least IoU of an anchor with the box that it is matched with.
        negative_below: with less IoU an anchor is background; between the two it is neither.
        matches_every_box: whether each true box is also matched with the anchor that overlaps it most, however little.
    """
    is_there_B1M = (targets_BM5[..., 4] >= 0)[:, None]
    overlap_BAM = torch.where(is_there_B1M, pairwise_iou(anchors, targets_BM5[..., :4]), -1.0)
    value_BA, place_BA = overlap_BAM.max(dim=-1)
    match_BA = torch.where(value_BA >= positive_from, place_BA, NO_MATCH)
    if matches_every_box:
        is_best_BAM = (overlap_BAM >= overlap_BAM.amax(dim=1, keepdim=True)) & (overlap_BAM > 0)
        best_BA, best_place_BA = torch.where(is_best_BAM, overlap_BAM, -1.0).max(dim=-1)
        match_BA = torch.where(best_BA > 0, best_place_BA, match_BA)
    return match_BA, (value_BA < negative_below) & (match_BA == NO_MATCH)


def matched_targets(targets_BM5: Tensor, match_BA: Tensor) -> tuple[Tensor, Tensor]:
    """The boxes ``_BA4`` and labels ``_BA`` that anchors were matched with; arbitrary ones where there is no match."""
    found_BA5 = targets_BM5.gather(1, match_BA.clamp(min=0)[..., None].expand(-1, -1, 5))
    return found_BA5[..., :4], found_BA5[..., 4].long()


@torch.no_grad()
def sampled(is_candidate_BK: Tensor, most: int | Tensor) -> Tensor:
    """Samples at most so many of the candidates of each picture at random, ``_BK``.

    Args:
        is_candidate_BK: which are candidates.
        most: one number for all pictures, or one for each, ``_B1``.
    """
    return top_values(torch.rand(is_candidate_BK.shape, device=is_candidate_BK.device), is_candidate_BK, most)


@torch.no_grad()
def top_values(values_BK: Tensor, is_candidate_BK: Tensor, most: int | Tensor) -> Tensor:
    """Which candidates of each picture have the largest values, at most so many, ``_BK``; values are not negative."""
    order_BK = torch.where(is_candidate_BK, values_BK, -1.0).argsort(dim=1, descending=True)
    places_BK = torch.arange(order_BK.shape[1], device=order_BK.device).expand_as(order_BK)
    ranks_BK = torch.empty_like(order_BK).scatter_(1, order_BK, places_BK)
    return is_candidate_BK & (ranks_BK < most)


def _middle(boxes: Tensor) -> Tensor:
    return (boxes[..., :2] + boxes[..., 2:]) / 2


def _size(boxes: Tensor) -> Tensor:
    return (boxes[..., 2:] - boxes[..., :2]).clamp(min=_TINY)

"""Detectors without anchors: each point of a feature pyramid predicts the label of its object, and how far its sides are.

FCOS, Tian et al. 2019, https://arxiv.org/abs/1904.01355, with the paper's later improvements: centre sampling, GIoU loss,
centredness on the box branch, group norm in the towers. Smaller than the paper's: three levels, which is enough below 400 px,
and towers of two convolutions. Sizes are fractions of the picture outside and multiples of the level's stride inside, so that
one head serves all levels and resolutions.

Shapes: B batch, C channels, H height, W width, A points of all levels, M true boxes, L labels.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import ClassVar

import torch
import torch.nn.functional as F  # noqa: N812 (the name that everybody knows)
from torch import Tensor, nn

from engine.models.shared.anchors import NO_MATCH, matched_targets
from engine.models.shared.boxes import focal_loss, giou
from engine.models.shared.pyramid import STRIDES, Pyramid

NUM_FEATURES = 96
"""Of a pyramid for such a detector."""
TOWER_DEPTH = 2
CENTER_RADIUS = 1.5
"""In strides: a point nearer than this to a box's centre is a sample of it."""
LARGEST_IN_STRIDES = 8.0
"""The longest side distance that a level answers for; the next level takes over. As in the paper (64 px at stride 8)."""
PRIOR = 0.01
"""First score of everything, so that the many empty points do not drown the first steps (Lin et al. 2017)."""
_NUM_GROUPS = 8
_MAX_EXPONENT = 5.0
"""148 strides: no side is further away; a step that went wrong cannot overflow."""
_BOX, _POINT, _STRIDE, _CENTRED, _LOGITS = slice(0, 4), slice(4, 6), 6, 7, slice(8, None)
"""Columns of the raw output."""


class _Tower(nn.Sequential):
    """The convolutions between the pyramid and an answer."""

    def __init__(self, num_features: int):
        layers: list[nn.Module] = []
        for _ in range(TOWER_DEPTH):
            conv = nn.Conv2d(num_features, num_features, 3, 1, 1, bias=False)
            nn.init.kaiming_normal_(conv.weight, nonlinearity="relu")
            layers += [conv, nn.GroupNorm(_NUM_GROUPS, num_features), nn.ReLU()]
        super().__init__(*layers)


class PointDetector(nn.Module):
    """A pyramid and the head on it."""

    label_layers: ClassVar[Mapping[str, tuple[int, int, int]]] = {"labels": (1, 0, 0)}

    def __init__(self, pyramid: Pyramid, num_labels: int):
        super().__init__()
        num_features = pyramid.num_features
        self.pyramid = pyramid
        self.label_tower, self.box_tower = _Tower(num_features), _Tower(num_features)
        self.labels = nn.Conv2d(num_features, num_labels, 3, 1, 1)
        self.sides = nn.Conv2d(num_features, 4, 3, 1, 1)
        self.centred = nn.Conv2d(num_features, 1, 3, 1, 1)
        self.scales = nn.Parameter(torch.zeros(len(STRIDES)))
        for conv in (self.labels, self.sides, self.centred):
            nn.init.normal_(conv.weight, std=0.01)
            nn.init.zeros_(conv.bias)  # type: ignore[arg-type] # they have one
        nn.init.constant_(self.labels.bias, -math.log((1 - PRIOR) / PRIOR))  # type: ignore[arg-type] # it has one
        nn.init.constant_(self.sides.bias, 1.0)  # type: ignore[arg-type] # e strides: between the smallest and the largest

    def forward(self, pictures_BCHW: Tensor) -> Tensor:
        """Raw output ``_BA(8+L)``: box and point and stride in fractions of the picture, then logits.

        Args:
            pictures_BCHW: sRGB 0..255 as floats.
        """
        return self._predicted(pictures_BCHW, self.pyramid(pictures_BCHW))[0]

    def criterion(self, raw_BAC: Tensor, targets_BM5: Tensor) -> Tensor:
        """Mean loss over the batch's positive points: labels, boxes and centredness weigh the same.

        Args:
            raw_BAC: what ``forward`` returned.
            targets_BM5: left, top, right, bottom as fractions, label index; -1 pads.
        """
        return self._losses(raw_BAC.float(), targets_BM5, self._assigned(raw_BAC, targets_BM5))

    def candidates(self, raw_BAC: Tensor) -> tuple[Tensor, Tensor]:
        """Boxes ``_BA4`` in fractions and scores ``_BAL``, 0..1: how sure of the label and how central, as one mean."""
        centred_BA1 = torch.sigmoid(raw_BAC[..., _CENTRED : _CENTRED + 1])
        return raw_BAC[..., _BOX], torch.sqrt(torch.sigmoid(raw_BAC[..., _LOGITS]) * centred_BA1)

    def _predicted(self, pictures_BCHW: Tensor, maps_BCHW: list[Tensor]) -> tuple[Tensor, list[Tensor]]:
        """What ``forward`` returns, and by level what the branch of the boxes makes of the maps."""
        height, width = pictures_BCHW.shape[-2:]
        size_2 = torch.tensor([width, height], dtype=torch.float32, device=pictures_BCHW.device)
        towers = [(self.label_tower(map_BCHW), self.box_tower(map_BCHW)) for map_BCHW in maps_BCHW]
        raw_BAC = torch.cat([self._level(level, *pair, size_2) for level, pair in enumerate(towers)], dim=1)
        return raw_BAC, [of_box_BCHW for _, of_box_BCHW in towers]

    def _assigned(self, raw_BAC: Tensor, targets_BM5: Tensor) -> Tensor:
        return assigned(raw_BAC[..., _POINT], raw_BAC[..., _STRIDE], targets_BM5)

    def _losses(self, raw_BAC: Tensor, targets_BM5: Tensor, match_BA: Tensor) -> Tensor:
        boxes_BA4, labels_BA = matched_targets(targets_BM5, match_BA)
        is_positive_BA = match_BA != NO_MATCH
        target_BAL = F.one_hot(labels_BA.clamp(min=0), raw_BAC.shape[-1] - 8).float() * is_positive_BA[..., None]
        num_positive = is_positive_BA.sum().clamp(min=1)
        loss = focal_loss(raw_BAC[..., _LOGITS], target_BAL) / num_positive
        raw_PC, boxes_P4 = raw_BAC[is_positive_BA], boxes_BA4[is_positive_BA]
        centredness_P = centredness(raw_PC[:, _POINT], boxes_P4)
        fit_P = (1 - giou(raw_PC[:, _BOX], boxes_P4)) * centredness_P
        box_loss = fit_P.sum() / centredness_P.sum().clamp(min=1e-6)
        centred_loss = F.binary_cross_entropy_with_logits(raw_PC[:, _CENTRED], centredness_P, reduction="sum") / num_positive
        return loss + box_loss + centred_loss

    def _level(self, level: int, of_label_BCHW: Tensor, of_box_BCHW: Tensor, size_2: Tensor) -> Tensor:
        logits_BAL = flat(self.labels(of_label_BCHW))
        centred_BA1 = flat(self.centred(of_box_BCHW))
        exponent_BA4 = flat(self.sides(of_box_BCHW)) + self.scales[level]
        stride = STRIDES[level]
        sides_BA4 = exponent_BA4.clamp(max=_MAX_EXPONENT).exp() * stride
        points_1A2 = _points(of_box_BCHW.shape[-2], of_box_BCHW.shape[-1], stride, of_box_BCHW.device)[None]
        corner_BA2 = (points_1A2 - sides_BA4[..., :2]) / size_2
        far_BA2 = (points_1A2 + sides_BA4[..., 2:]) / size_2
        points_BA2 = (points_1A2 / size_2).expand_as(corner_BA2)
        strides_BA1 = (stride / size_2[:1]).expand_as(centred_BA1)
        return torch.cat([corner_BA2, far_BA2, points_BA2, strides_BA1, centred_BA1, logits_BAL], dim=-1)


@torch.no_grad()
def assigned(points_BA2: Tensor, strides_BA: Tensor, targets_BM5: Tensor) -> Tensor:
    """The place among the targets of the true box that each point is assigned to, ``_BA`` (``NO_MATCH``: none).

    A point belongs to a box when it lies inside, near its centre, and on the level for boxes of that size; where several fit,
    to the smallest.

    Args:
        points_BA2: x, y as fractions.
        strides_BA: of the point's level, as fractions.
        targets_BM5: as in ``PointDetector.criterion``.
    """
    boxes_B1M4, labels_BM = targets_BM5[:, None, :, :4], targets_BM5[..., 4].long()
    to_corner_BAM2 = points_BA2[:, :, None] - boxes_B1M4[..., :2]
    to_far_BAM2 = boxes_B1M4[..., 2:] - points_BA2[:, :, None]
    sides_BAM4 = torch.cat([to_corner_BAM2, to_far_BAM2], dim=-1)
    middle_B1M2 = (boxes_B1M4[..., :2] + boxes_B1M4[..., 2:]) / 2
    strides_BA1 = strides_BA[..., None]
    is_near_BAM = (points_BA2[:, :, None] - middle_B1M2).abs().amax(dim=-1) < CENTER_RADIUS * strides_BA1
    longest_BAM = sides_BAM4.amax(dim=-1) / strides_BA1
    is_finest_BA1, is_coarsest_BA1 = strides_BA1 <= strides_BA.min(), strides_BA1 >= strides_BA.max()
    is_of_size_BAM = (is_finest_BA1 | (longest_BAM >= LARGEST_IN_STRIDES / 2)) & (
        is_coarsest_BA1 | (longest_BAM < LARGEST_IN_STRIDES)
    )
    fits_BAM = (sides_BAM4.amin(dim=-1) > 0) & is_near_BAM & is_of_size_BAM & (labels_BM >= 0)[:, None]
    areas_B1M = (boxes_B1M4[..., 2:] - boxes_B1M4[..., :2]).prod(dim=-1)
    area_BA, place_BA = torch.where(fits_BAM, areas_B1M, torch.inf).min(dim=-1)
    return torch.where(area_BA < torch.inf, place_BA, NO_MATCH)


def centredness(points_P2: Tensor, boxes_P4: Tensor) -> Tensor:
    """1 in the middle of the box, 0 on its edge, ``_P``."""
    before_P2, after_P2 = points_P2 - boxes_P4[:, :2], boxes_P4[:, 2:] - points_P2
    ratio_P2 = torch.minimum(before_P2, after_P2) / torch.maximum(before_P2, after_P2).clamp(min=1e-9)
    return ratio_P2.clamp(min=0).prod(dim=-1).sqrt()


def flat(map_BCHW: Tensor) -> Tensor:
    """A map's points ``_BAC``, row by row."""
    return map_BCHW.permute(0, 2, 3, 1).flatten(1, 2).float()


def _points(height: int, width: int, stride: int, device: torch.device) -> Tensor:
    """Middles of the cells in pixels, ``_A2`` (x, y), row by row."""
    y_H = (torch.arange(height, device=device, dtype=torch.float32) + 0.5) * stride
    x_W = (torch.arange(width, device=device, dtype=torch.float32) + 0.5) * stride
    return torch.stack([x_W.repeat(height), y_H.repeat_interleave(width)], dim=-1)

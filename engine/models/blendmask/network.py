"""BlendMask: a detector without anchors whose points also say how masks are blended from maps that all objects share.

Chen et al. 2020, https://arxiv.org/abs/2001.00309, in its fast setting: four maps at a quarter of the picture's side, cut out
by each box to 28 x 28 cells, and at each point an attention of 7 x 7 cells a map, which is enlarged and weighs the maps
against one another. So an object costs two small products instead of convolutions of its own. Smaller than the paper: the
maps are made of the pyramid's finest level, and no loss of labels of pixels is added. In training, masks are those within the
boxes that points predict where these fit, and within the true ones elsewhere, instead of always the true ones.

Shapes: B batch, C channels, H height, W width, A points of all levels, M true objects, S sampled points, N boxes of all
pictures, D detections, K maps, Q cells of an attention's side, P cells of a mask's side.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import torch
import torch.nn.functional as F  # noqa: N812 (the name that everybody knows)
from torch import Tensor, nn

from engine.kernels.roi_align.op import roi_align
from engine.models.shared.anchors import NO_MATCH, sampled
from engine.models.shared.box_masks import MASK_SIDE, NUM_BOX_COLUMNS, masks_within
from engine.models.shared.boxes import giou
from engine.models.shared.point_detector import NUM_FEATURES, PointDetector, flat
from engine.models.shared.pyramid import TRUNKS, Pyramid

NUM_BASES = 4
"""K."""
ATTENTION_SIDE = 7
"""Q."""
NUM_SAMPLED = 32
"""Points of a picture whose masks are learned from."""
_NUM_BASE_FEATURES = 64
_NUM_GROUPS = 8
_FITTING = 0.5
"""GIoU with the true box from which on a predicted one is cut out while learning."""


class Raw(NamedTuple):
    """The network's output for a batch, before it becomes objects."""

    points_BAC: Tensor
    """As of ``PointDetector``."""
    attention_BAC: Tensor
    """Of each point one a map, Q x Q cells row by row."""
    bases_BKHW: Tensor


class _Bases(nn.Sequential):
    """The maps that all objects share, at twice the resolution of the pyramid's finest level."""

    def __init__(self, num_features: int):
        layers: list[nn.Module] = []
        for inputs in (num_features, _NUM_BASE_FEATURES):
            conv = nn.Conv2d(inputs, _NUM_BASE_FEATURES, 3, 1, 1, bias=False)
            nn.init.kaiming_normal_(conv.weight, nonlinearity="relu")
            layers += [conv, nn.GroupNorm(_NUM_GROUPS, _NUM_BASE_FEATURES), nn.ReLU()]
        layers.insert(3, nn.UpsamplingNearest2d(scale_factor=2))
        super().__init__(*layers, nn.Conv2d(_NUM_BASE_FEATURES, NUM_BASES, 1))


class InstanceDetector(PointDetector):
    """The detector with its attention and the maps."""

    def __init__(self, pyramid: Pyramid, num_labels: int):
        super().__init__(pyramid, num_labels)
        self.attention = nn.Conv2d(pyramid.num_features, NUM_BASES * ATTENTION_SIDE**2, 3, 1, 1)
        nn.init.normal_(self.attention.weight, std=0.01)
        nn.init.zeros_(self.attention.bias)  # type: ignore[arg-type] # it has one
        self.bases = _Bases(pyramid.num_features)

    def forward(self, pictures_BCHW: Tensor) -> Raw:  # type: ignore[override] # more than points
        """What points predict, and the maps.

        Args:
            pictures_BCHW: sRGB 0..255 as floats.
        """
        maps_BCHW = self.pyramid(pictures_BCHW)
        points_BAC, of_boxes_BCHW = self._predicted(pictures_BCHW, maps_BCHW)
        attention_BAC = torch.cat([flat(self.attention(map_BCHW)) for map_BCHW in of_boxes_BCHW], dim=1)
        return Raw(points_BAC, attention_BAC, self.bases(maps_BCHW[0]).float())

    def criterion(self, raw: Raw, targets_BMC: Tensor) -> Tensor:  # type: ignore[override] # as above
        """The detector's losses and that of the masks.

        Args:
            raw: what ``forward`` returned.
            targets_BMC: left, top, right, bottom as fractions, label index (-1 pads), then the object's mask within its box,
                row by row, 0 or 1.
        """
        targets_BM5 = targets_BMC[..., :NUM_BOX_COLUMNS]
        match_BA = self._assigned(raw.points_BAC, targets_BM5)
        return self._losses(raw.points_BAC.float(), targets_BM5, match_BA) + _mask_loss(raw, targets_BMC, match_BA)

    def candidates(self, raw: Raw) -> tuple[Tensor, Tensor]:  # type: ignore[override] # as above
        """Boxes ``_BA4`` in fractions and scores ``_BAL``, 0..1."""
        return super().candidates(raw.points_BAC)

    def masks(self, raw: Raw, rows_BD6: Tensor, places_BD: Tensor) -> Tensor:
        """How likely each cell of each detection's box shows the object, ``_BDPP``, 0..1; 0 in rows without a box.

        Args:
            raw: what ``forward`` returned.
            rows_BD6: x, y, width, height as fractions, score, label index (-1: no box).
            places_BD: of the points that predicted the rows.
        """
        boxes_BD4 = torch.cat([rows_BD6[..., :2], rows_BD6[..., :2] + rows_BD6[..., 2:4]], dim=-1)
        logits_NPP = _blended(raw.bases_BKHW, boxes_BD4, _at(raw.attention_BAC, places_BD))
        masks_BDPP = logits_NPP.sigmoid().unflatten(0, (rows_BD6.shape[0], rows_BD6.shape[1]))
        return masks_BDPP * (rows_BD6[..., 5] >= 0)[..., None, None]


class Network(Pyramid):
    """The trunk with its pyramid; a detector is made of it when the labels are known."""

    def detector(self, num_labels: int) -> InstanceDetector:
        """Puts fresh heads for so many labels on the pyramid."""
        return InstanceDetector(self, num_labels)


def build(size: str) -> Network:
    """Builds trunk and pyramid with fresh weights.

    Args:
        size: name of one of the family's sizes.
    """
    return Network(TRUNKS[size](), NUM_FEATURES)


def load_pretrained(network: Network, weights: Mapping[str, Tensor]) -> None:
    """Loads the trunk's ImageNet weights, strictly.

    Raises:
        RuntimeError: a tensor is missing, unknown or of another shape.
    """
    network.trunk.load_pretrained(weights)  # type: ignore[operator] # called only for sizes with pretrained weights


def _blended(bases_BKHW: Tensor, boxes_BD4: Tensor, attention_BDC: Tensor) -> Tensor:
    """Logits of masks ``_NPP`` within boxes, which are fractions of the picture."""
    batch, num_boxes = boxes_BD4.shape[:2]
    device = boxes_BD4.device
    size_4 = torch.tensor([bases_BKHW.shape[-1], bases_BKHW.shape[-2]] * 2, dtype=torch.float32, device=device)
    pictures_N = torch.arange(batch, device=device, dtype=torch.float32).repeat_interleave(num_boxes)
    where_N6 = torch.cat([boxes_BD4.flatten(0, 1) * size_4, pictures_N[:, None], torch.zeros_like(pictures_N)[:, None]], dim=-1)
    cut_NKPP = roi_align([bases_BKHW], where_N6, MASK_SIDE, [1.0], 1)
    attention_NKQQ = attention_BDC.flatten(0, 1).unflatten(1, (NUM_BASES, ATTENTION_SIDE, ATTENTION_SIDE))
    enlarge_PQ = _enlarging(device)
    weights_NKPP = (enlarge_PQ @ attention_NKQQ @ enlarge_PQ.T).softmax(dim=1)
    return (cut_NKPP * weights_NKPP).sum(dim=1)


def _enlarging(device: torch.device) -> Tensor:
    """Bilinear enlargement along one axis as a matrix ``_PQ``: alike in every runtime, as the resize of pictures is."""
    centres_P = (torch.arange(MASK_SIDE, device=device, dtype=torch.float32) + 0.5) * ATTENTION_SIDE / MASK_SIDE - 0.5
    cells_Q = torch.arange(ATTENTION_SIDE, device=device, dtype=torch.float32)
    return (1 - (centres_P.clamp(0, ATTENTION_SIDE - 1)[:, None] - cells_Q).abs()).clamp(min=0)


def _at(values_BAC: Tensor, places_BD: Tensor) -> Tensor:
    return values_BAC.gather(1, places_BD[..., None].expand(-1, -1, values_BAC.shape[-1]))


def _mask_loss(raw: Raw, targets_BMC: Tensor, match_BA: Tensor) -> Tensor:
    """Binary cross-entropy of the cells of masks of some of the points that lie on an object."""
    is_sampled_BA = sampled(match_BA != NO_MATCH, NUM_SAMPLED)
    most = max(1, int(is_sampled_BA.sum(dim=1).max()))
    is_sampled_BS, places_BS = is_sampled_BA.int().topk(min(most, is_sampled_BA.shape[1]), dim=1)
    targets_BSC = _at(targets_BMC, match_BA.gather(1, places_BS).clamp(min=0))
    with torch.no_grad():
        true_BS4, boxes_BS4 = targets_BSC[..., :4], _at(raw.points_BAC[..., :4].float(), places_BS).clamp(0.0, 1.0)
        boxes_BS4 = torch.where((giou(boxes_BS4, true_BS4) >= _FITTING)[..., None], boxes_BS4, true_BS4)
        masks_NPP = masks_within(targets_BSC.flatten(0, 1), boxes_BS4.flatten(0, 1))
    logits_NPP = _blended(raw.bases_BKHW, boxes_BS4, _at(raw.attention_BAC, places_BS))
    loss_N = F.binary_cross_entropy_with_logits(logits_NPP, masks_NPP, reduction="none").mean(dim=(1, 2))
    return (loss_N * is_sampled_BS.flatten()).sum() / is_sampled_BS.sum().clamp(min=1)

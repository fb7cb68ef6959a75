"""Mask R-CNN: a detector in two stages that also outlines each object within its box.

He et al. 2017, https://arxiv.org/abs/1703.06870: a small convolutional head on regions of 14 x 14 cells, a mask of 28 x 28 for
each label, and a loss of the true label's mask alone, so that labels do not compete for pixels. Smaller than the paper: two
convolutions of 48 features instead of four of 256. In training, masks are those of sampled regions; in inference, those of
the boxes that are left after suppression.

Shapes: B batch, C channels, M true objects, S sampled regions, N regions of all pictures, D detections, L labels, P cells of a
mask's side, T cells of a true mask's side.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import ClassVar

import torch
import torch.nn.functional as F  # noqa: N812 (the name that everybody knows)
from torch import Tensor, nn

from engine.models.shared.pyramid import TRUNKS, Pyramid
from engine.models.shared.two_stage import NUM_FEATURES, Raw, SampledRegions, TwoStageDetector, cut_out

MASK_SIDE = 28
"""P."""
_CUT_SIDE = MASK_SIDE // 2
_NUM_MASK_FEATURES = 48
_NUM_BOX_COLUMNS = 5
"""Of a target before its mask: box and label."""


class _MaskHead(nn.Sequential):
    """Features of regions ``_NCpp`` to logits of masks ``_NLPP``, with p half of P."""

    def __init__(self, num_features: int, num_labels: int):
        super().__init__()
        self.conv1 = nn.Conv2d(num_features, _NUM_MASK_FEATURES, 3, padding=1)
        self.relu1 = nn.ReLU()
        self.conv2 = nn.Conv2d(_NUM_MASK_FEATURES, _NUM_MASK_FEATURES, 3, padding=1)
        self.relu2 = nn.ReLU()
        self.enlarge = nn.ConvTranspose2d(_NUM_MASK_FEATURES, _NUM_MASK_FEATURES, 2, stride=2)
        self.relu3 = nn.ReLU()
        self.logits = nn.Conv2d(_NUM_MASK_FEATURES, num_labels, 1)
        for layer in (self.conv1, self.conv2, self.enlarge):
            nn.init.kaiming_normal_(layer.weight, mode="fan_out", nonlinearity="relu")
            nn.init.zeros_(layer.bias)  # type: ignore[arg-type] # it has one
        nn.init.normal_(self.logits.weight, std=0.01)
        nn.init.zeros_(self.logits.bias)  # type: ignore[arg-type] # as above


class InstanceDetector(TwoStageDetector):
    """The detector with its mask head."""

    label_layers: ClassVar[Mapping[str, tuple[int, int, int]]] = {
        **TwoStageDetector.label_layers,
        "mask_head.logits": (1, 0, 0),
    }

    def __init__(self, pyramid: Pyramid, num_labels: int):
        super().__init__(pyramid, num_labels)
        self.mask_head = _MaskHead(pyramid.num_features, num_labels)

    def criterion(self, raw: Raw, targets_BMC: Tensor) -> Tensor:
        """The detector's losses and that of the masks.

        Args:
            raw: what ``forward`` returned.
            targets_BMC: left, top, right, bottom as fractions, label index (-1 pads), then the object's mask within its box,
                T x T cells row by row, 0 or 1.
        """
        targets_BM5 = targets_BMC[..., :_NUM_BOX_COLUMNS]
        sampled = self._sampled_regions(raw, targets_BM5)
        losses = self._stage_losses(raw, targets_BM5, sampled)
        return losses + self._mask_loss(raw, targets_BMC, sampled)

    def masks(self, raw: Raw, rows_BD6: Tensor) -> Tensor:
        """How likely each cell of each detection's box shows the object, ``_BDPP``, 0..1; 0 in rows without a box.

        Args:
            raw: what ``forward`` returned.
            rows_BD6: x, y, width, height as fractions, score, label index (-1: no box).
        """
        boxes_BD4 = torch.cat([rows_BD6[..., :2], rows_BD6[..., :2] + rows_BD6[..., 2:4]], dim=-1)
        labels_BD = rows_BD6[..., 5].long()
        logits_NLPP = self._logits(raw.maps_BCHW, boxes_BD4)
        masks_BDPP = _of_labels(logits_NLPP, labels_BD.flatten()).sigmoid().unflatten(0, labels_BD.shape)
        return masks_BDPP * (labels_BD >= 0)[..., None, None]

    def _logits(self, maps_BCHW: list[Tensor], boxes_BR4: Tensor) -> Tensor:
        parts_NCpp = cut_out(maps_BCHW, boxes_BR4, _CUT_SIDE)
        logits_NLPP: Tensor = self.mask_head(parts_NCpp.to(self.mask_head.logits.weight.dtype)).float()
        return logits_NLPP

    def _mask_loss(self, raw: Raw, targets_BMC: Tensor, sampled: SampledRegions) -> Tensor:
        """Binary cross-entropy of the cells of regions that show a thing, each compared with its own label's mask."""
        most = max(1, int(sampled.is_thing_BS.sum(dim=1).max()))
        is_thing_BS, places_BS = sampled.is_thing_BS.int().topk(min(most, sampled.is_thing_BS.shape[1]), dim=1)
        regions_BS4 = sampled.regions_BS4.gather(1, places_BS[..., None].expand(-1, -1, 4))
        match_BS = sampled.match_BS.gather(1, places_BS).clamp(min=0)
        targets_BSC = targets_BMC.gather(1, match_BS[..., None].expand(-1, -1, targets_BMC.shape[-1]))
        labels_N = targets_BSC[..., 4].long().flatten()
        true_NPP = _masks_within(targets_BSC.flatten(0, 1), regions_BS4.flatten(0, 1))
        logits_NPP = _of_labels(self._logits(raw.maps_BCHW, regions_BS4), labels_N)
        loss_N = F.binary_cross_entropy_with_logits(logits_NPP, true_NPP, reduction="none").mean(dim=(1, 2))
        is_thing_N = is_thing_BS.flatten()
        return (loss_N * is_thing_N).sum() / is_thing_N.sum().clamp(min=1)


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


def _of_labels(logits_NLPP: Tensor, labels_N: Tensor) -> Tensor:
    """The mask of one label of each region, ``_NPP``; of the label -1 any."""
    places_N111 = labels_N.clamp(min=0)[:, None, None, None]
    return logits_NLPP.gather(1, places_N111.expand(-1, 1, *logits_NLPP.shape[2:]))[:, 0]


@torch.no_grad()
def _masks_within(targets_NC: Tensor, regions_N4: Tensor) -> Tensor:
    """What regions show of true objects, ``_NPP``, 0 or 1: a mask lies within its own box, and outside it nothing does."""
    side = math.isqrt(targets_NC.shape[1] - _NUM_BOX_COLUMNS)
    true_N1TT = targets_NC[:, _NUM_BOX_COLUMNS:].unflatten(1, (1, side, side))
    box_N4 = targets_NC[:, :4]
    centres_P = (torch.arange(MASK_SIDE, device=regions_N4.device) + 0.5) / MASK_SIDE
    size_N2 = (box_N4[:, 2:] - box_N4[:, :2]).clamp(min=1e-6)
    span_N2 = regions_N4[:, 2:] - regions_N4[:, :2]
    # Places of the cells' centres within the true box, 0..1 along both axes.
    places_NP2 = (regions_N4[:, None, :2] + centres_P[:, None] * span_N2[:, None] - box_N4[:, None, :2]) / size_N2[:, None]
    grid_NPP2 = torch.stack(
        [
            places_NP2[:, None, :, 0].expand(-1, MASK_SIDE, -1),
            places_NP2[:, :, None, 1].expand(-1, -1, MASK_SIDE),
        ],
        dim=-1,
    )
    found_N1PP = F.grid_sample(true_N1TT, 2 * grid_NPP2 - 1, mode="bilinear", padding_mode="zeros", align_corners=False)
    return (found_N1PP[:, 0] >= 0.5).to(targets_NC.dtype)

"""Detectors in two stages that also outline each object within its box.

He et al. 2017, https://arxiv.org/abs/1703.06870: a small convolutional head on regions of 14 x 14 cells, a mask of 28 x 28 for
each label, and a loss of the true label's mask alone, so that labels do not compete for pixels. Smaller than the paper: two
convolutions of 48 features instead of four of 256. In training, masks are those of the regions from which the last head of the
second stage learns; in inference, those of the boxes that are left after suppression.

Shapes: B batch, C channels, M true objects, S sampled regions, N regions of all pictures, D detections, L labels, P cells of a
mask's side, T cells of a true mask's side.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import torch
import torch.nn.functional as F  # noqa: N812 (the name that everybody knows)
from torch import Tensor, nn

from engine.models.shared.box_masks import MASK_SIDE, NUM_BOX_COLUMNS, masks_within
from engine.models.shared.pyramid import Pyramid
from engine.models.shared.two_stage import ONE_HEAD, Raw, SampledRegions, TwoStageDetector, cut_out

_CUT_SIDE = MASK_SIDE // 2
_NUM_MASK_FEATURES = 48


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

    def __init__(self, pyramid: Pyramid, num_labels: int, ious: Sequence[float] = ONE_HEAD):
        super().__init__(pyramid, num_labels, ious)
        self.mask_head = _MaskHead(pyramid.num_features, num_labels)

    @property
    def label_layers(self) -> Mapping[str, tuple[int, int, int]]:
        """As of the detector, and that of the masks."""
        return {**super().label_layers, "mask_head.logits": (1, 0, 0)}

    def criterion(self, raw: Raw, targets_BMC: Tensor) -> Tensor:
        """The detector's losses and that of the masks.

        Args:
            raw: what ``forward`` returned.
            targets_BMC: left, top, right, bottom as fractions, label index (-1 pads), then the object's mask within its box,
                T x T cells row by row, 0 or 1.
        """
        losses, sampled = self._losses(raw, targets_BMC[..., :NUM_BOX_COLUMNS])
        return losses + self._mask_loss(raw, targets_BMC, sampled)

    def masks(self, raw: Raw, rows_BD6: Tensor, places_BD: Tensor) -> Tensor:
        """How likely each cell of each detection's box shows the object, ``_BDPP``, 0..1; 0 in rows without a box.

        Args:
            raw: what ``forward`` returned.
            rows_BD6: x, y, width, height as fractions, score, label index (-1: no box).
            places_BD: of the candidates that the rows were; of no use here, since a mask is looked up by its box.
        """
        del places_BD
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
        true_NPP = masks_within(targets_BSC.flatten(0, 1), regions_BS4.flatten(0, 1))
        logits_NPP = _of_labels(self._logits(raw.maps_BCHW, regions_BS4), labels_N)
        loss_N = F.binary_cross_entropy_with_logits(logits_NPP, true_NPP, reduction="none").mean(dim=(1, 2))
        is_thing_N = is_thing_BS.flatten()
        return (loss_N * is_thing_N).sum() / is_thing_N.sum().clamp(min=1)


def _of_labels(logits_NLPP: Tensor, labels_N: Tensor) -> Tensor:
    """The mask of one label of each region, ``_NPP``; of the label -1 any."""
    places_N111 = labels_N.clamp(min=0)[:, None, None, None]
    return logits_NLPP.gather(1, places_N111.expand(-1, 1, *logits_NLPP.shape[2:]))[:, 0]

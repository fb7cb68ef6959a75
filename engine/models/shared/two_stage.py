"""Detectors in two stages on a feature pyramid: a small network proposes regions, a second looks into each and names it.

Ren et al. 2015, https://arxiv.org/abs/1506.01497; pyramid, and regions cut from the level that fits them, Lin et al. 2017,
https://arxiv.org/abs/1612.03144; regions cut by RoIAlign (He et al. 2017). Smaller than the papers: three levels, a head of
256 instead of 1024, a hundred regions. One correction of the box serves all labels, as in R-FCN (Dai et al. 2016), which needs
less data.

The second stage looks at what the first proposes, so its answers are part of ``forward`` when a model answers, and of
``criterion``, which samples its own regions, when it learns. Boxes are fractions of the picture.

Shapes: B batch, C channels, H height, W width, A anchors, R regions, S sampled regions, M true boxes, L labels, P cells of a
region's side.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import ClassVar, NamedTuple

import torch
import torch.nn.functional as F  # noqa: N812 (the name that everybody knows)
from torch import Tensor, nn

from engine.kernels.nms.op import nms
from engine.kernels.roi_align.op import roi_align
from engine.models.shared import anchors
from engine.models.shared.pyramid import STRIDES, Pyramid

NUM_FEATURES = 96
NUM_HIDDEN = 256
REGION_SIDE = 7
SIDES_IN_STRIDES = (3.0, 5.0)
ASPECTS = (0.5, 1.0, 2.0)
"""Height to width."""
MAX_PROPOSED = 400
"""Looked at before suppression."""
NUM_REGIONS = 100
PROPOSAL_IOU = 0.7
NUM_SAMPLED_ANCHORS, NUM_SAMPLED_REGIONS = 256, 64
"""From which a picture's loss is taken; at most half and a quarter of them show something."""
_FINEST_PX = 48.0
"""Regions up to twice as large are cut from the finest level, up to four times from the next."""
_OFFSET_SCALE = torch.tensor([10.0, 10.0, 5.0, 5.0])
"""Of the second stage's offsets, which are small (Girshick's code)."""
_BETA = 1 / 9
_TINY_PX = 1e-3


class Raw(NamedTuple):
    """The network's output for a batch, before it becomes boxes."""

    maps_BCHW: list[Tensor]
    anchors_A4: Tensor
    proposed_BA5: Tensor
    """Logit that an anchor shows a thing, and offsets."""
    regions_BR4: Tensor
    """Boxes of the best proposals; without size where there were fewer."""
    predicted_BRC: Tensor
    """Logits of the labels and of nothing, and offsets; of no regions while training."""


class _Proposer(nn.Module):
    """The region proposal network: one head on all levels."""

    def __init__(self, num_features: int, num_sizes: int):
        super().__init__()
        self.conv = nn.Conv2d(num_features, num_features, 3, 1, 1)
        self.predictor = nn.Conv2d(num_features, num_sizes * 5, 1)
        for conv in (self.conv, self.predictor):
            nn.init.normal_(conv.weight, std=0.01)
            nn.init.zeros_(conv.bias)  # type: ignore[arg-type] # it has one

    def forward(self, map_BCHW: Tensor) -> Tensor:
        predicted_BHWC = self.predictor(F.relu(self.conv(map_BCHW))).permute(0, 2, 3, 1)
        return predicted_BHWC.float().unflatten(-1, (-1, 5)).flatten(1, 3)


class SampledRegions(NamedTuple):
    """Regions from which the second stage learns, ``_BS``: proposals and true boxes."""

    regions_BS4: Tensor
    is_sampled_BS: Tensor
    """False where a row is padding."""
    is_thing_BS: Tensor
    """Sampled, and matched with a true box."""
    match_BS: Tensor
    """Place of the true box among the targets; of use where ``is_thing_BS``."""


class TwoStageDetector(nn.Module):
    """Pyramid, proposer, and the head that looks into regions."""

    former_names: ClassVar[Mapping[str, str]] = {"said": "predictor"}
    """Names of layers in weights of earlier releases; of the proposer too."""
    label_layers: ClassVar[Mapping[str, tuple[int, int, int]]] = {"predictor": (1, 0, 1 + 4)}

    def __init__(self, pyramid: Pyramid, num_labels: int):
        super().__init__()
        self.pyramid = pyramid
        self.num_labels = num_labels
        self.proposer = _Proposer(pyramid.num_features, len(SIDES_IN_STRIDES) * len(ASPECTS))
        self.hidden = nn.Sequential(
            nn.Linear(pyramid.num_features * REGION_SIDE**2, NUM_HIDDEN),
            nn.ReLU(),
            nn.Linear(NUM_HIDDEN, NUM_HIDDEN),
            nn.ReLU(),
        )
        self.predictor = nn.Linear(NUM_HIDDEN, num_labels + 1 + 4)
        nn.init.normal_(self.predictor.weight, std=0.01)
        nn.init.zeros_(self.predictor.bias)

    def forward(self, pictures_BCHW: Tensor) -> Raw:
        """What both stages predict; the second one only where nothing is learned.

        Args:
            pictures_BCHW: sRGB 0..255 as floats.
        """
        maps_BCHW = self.pyramid(pictures_BCHW)
        height, width = pictures_BCHW.shape[-2:]
        anchors_A4 = torch.cat([_anchors(map_BCHW, level, height, width) for level, map_BCHW in enumerate(maps_BCHW)])
        proposed_BA5 = torch.cat([self.proposer(map_BCHW) for map_BCHW in maps_BCHW], dim=1)
        regions_BR4 = _proposals(anchors_A4, proposed_BA5.detach())
        raw = Raw(maps_BCHW, anchors_A4, proposed_BA5, regions_BR4, proposed_BA5.new_zeros((0, 0, self.num_labels + 5)))
        return raw if self.training else raw._replace(predicted_BRC=self._looked(maps_BCHW, regions_BR4))

    def criterion(self, raw: Raw, targets_BM5: Tensor) -> Tensor:
        """The sum of both stages' losses of labels and boxes.

        Args:
            raw: what ``forward`` returned.
            targets_BM5: left, top, right, bottom as fractions, label index; -1 pads.
        """
        return self._stage_losses(raw, targets_BM5, self._sampled_regions(raw, targets_BM5))

    def candidates(self, raw: Raw) -> tuple[Tensor, Tensor]:
        """Boxes ``_BR4`` in fractions and scores ``_BRL``, 0..1."""
        logits_BRL, offsets_BR4 = raw.predicted_BRC[..., : self.num_labels + 1], raw.predicted_BRC[..., self.num_labels + 1 :]
        boxes_BR4 = anchors.decoded(offsets_BR4 / _OFFSET_SCALE.to(offsets_BR4), raw.regions_BR4)
        is_region_BR1 = ((raw.regions_BR4[..., 2:] - raw.regions_BR4[..., :2]) > 0).all(dim=-1, keepdim=True)
        return boxes_BR4, logits_BRL.softmax(dim=-1)[..., : self.num_labels] * is_region_BR1

    def _looked(self, maps_BCHW: list[Tensor], regions_BR4: Tensor) -> Tensor:
        """What the second stage predicts of regions, ``_BRC``."""
        parts_NCPP = cut_out(maps_BCHW, regions_BR4, REGION_SIDE)
        predicted_NC = self.predictor(self.hidden(parts_NCPP.flatten(1).to(self.predictor.weight.dtype)))
        return predicted_NC.float().unflatten(0, regions_BR4.shape[:2])

    @torch.no_grad()
    def _sampled_regions(self, raw: Raw, targets_BM5: Tensor) -> SampledRegions:
        """Sampled among the proposals and the true boxes: at first, no proposal may overlap these."""
        offered_BR4 = torch.cat([raw.regions_BR4, targets_BM5[..., :4]], dim=1)
        match_BR, is_nothing_BR = anchors.match_anchors(
            offered_BR4, targets_BM5, positive_from=0.5, negative_below=0.5, matches_every_box=False
        )
        is_region_BR = ((offered_BR4[..., 2:] - offered_BR4[..., :2]) > 0).all(dim=-1)
        is_thing_BR = anchors.sampled(is_region_BR & (match_BR >= 0), NUM_SAMPLED_REGIONS // 4)
        left_B1 = NUM_SAMPLED_REGIONS - is_thing_BR.sum(dim=1, keepdim=True)
        is_sampled_BR = is_thing_BR | anchors.sampled(is_region_BR & is_nothing_BR, left_B1)
        number = min(NUM_SAMPLED_REGIONS, is_sampled_BR.shape[1])
        places_BS = is_sampled_BR.int().topk(number, dim=1).indices
        return SampledRegions(
            offered_BR4.gather(1, places_BS[..., None].expand(-1, -1, 4)),
            is_sampled_BR.gather(1, places_BS),
            is_thing_BR.gather(1, places_BS),
            match_BR.gather(1, places_BS),
        )

    def _stage_losses(self, raw: Raw, targets_BM5: Tensor, sampled: SampledRegions) -> Tensor:
        return _proposal_loss(raw, targets_BM5) + self._region_loss(raw, targets_BM5, sampled)

    def _region_loss(self, raw: Raw, targets_BM5: Tensor, sampled: SampledRegions) -> Tensor:
        with torch.no_grad():
            boxes_BS4, labels_BS = anchors.matched_targets(targets_BM5, sampled.match_BS)
            labels_BS = torch.where(sampled.is_thing_BS, labels_BS, self.num_labels)
        predicted_BSC = self._looked(raw.maps_BCHW, sampled.regions_BS4)
        num_sampled = sampled.is_sampled_BS.sum().clamp(min=1)
        logits_BSL, offsets_BS4 = predicted_BSC[..., : self.num_labels + 1], predicted_BSC[..., self.num_labels + 1 :]
        label_BS = F.cross_entropy(logits_BSL.transpose(1, 2), labels_BS, reduction="none")
        target_BS4 = anchors.encoded(boxes_BS4, sampled.regions_BS4) * _OFFSET_SCALE.to(boxes_BS4)
        box_BS = F.smooth_l1_loss(offsets_BS4, target_BS4, reduction="none").sum(dim=-1)
        box_loss = torch.where(sampled.is_thing_BS, box_BS, 0.0).sum() / num_sampled
        return (label_BS * sampled.is_sampled_BS).sum() / num_sampled + box_loss


def cut_out(maps_BCHW: list[Tensor], regions_BR4: Tensor, side: int) -> Tensor:
    """Regions cut from the levels that fit them, ``_NCPP`` with N the regions of all pictures, picture by picture.

    Args:
        maps_BCHW: of the pyramid, the finest first.
        regions_BR4: boxes as fractions of the picture.
        side: P.
    """
    batch, num_regions = regions_BR4.shape[:2]
    # The finest map's size times its stride is the picture's, to the cell that a side may be rounded up by.
    size_4 = torch.tensor([maps_BCHW[0].shape[-1], maps_BCHW[0].shape[-2]] * 2, device=regions_BR4.device) * STRIDES[0]
    boxes_N4 = regions_BR4.flatten(0, 1) * size_4
    side_N = (boxes_N4[:, 2:] - boxes_N4[:, :2]).clamp(min=_TINY_PX).prod(dim=-1).sqrt()
    levels_N = torch.log2(side_N / _FINEST_PX).floor().clamp(0, len(STRIDES) - 1)
    pictures_N = torch.arange(batch, device=regions_BR4.device, dtype=torch.float32).repeat_interleave(num_regions)
    where_N6 = torch.cat([boxes_N4, pictures_N[:, None], levels_N[:, None]], dim=-1)
    return roi_align(maps_BCHW, where_N6, side, [1.0 / stride for stride in STRIDES], 2)


def _anchors(map_BCHW: Tensor, level: int, height_px: int, width_px: int) -> Tensor:
    sides = []
    for strides in SIDES_IN_STRIDES:
        for aspect in ASPECTS:
            side_px = strides * STRIDES[level]
            sides.append((side_px / math.sqrt(aspect) / width_px, side_px * math.sqrt(aspect) / height_px))
    return anchors.grid(map_BCHW.shape[-2], map_BCHW.shape[-1], sides, map_BCHW.device)


@torch.no_grad()
def _proposals(anchors_A4: Tensor, proposed_BA5: Tensor) -> Tensor:
    """The best regions that do not cover one another, ``_BR4``, best first."""
    # Not by sigmoids: onnxruntime's are all alike below a logit of -18, which is common where there is nothing to see.
    order_BA = (1 + F.softsign(proposed_BA5[..., 0])) / 2
    scores_BK, places_BK = order_BA.topk(min(MAX_PROPOSED, order_BA.shape[1]), dim=1)
    offsets_BK4 = proposed_BA5[..., 1:].gather(1, places_BK[..., None].expand(-1, -1, 4))
    boxes_BK4 = anchors.decoded(offsets_BK4, anchors_A4[places_BK]).clamp(0.0, 1.0)
    has_area_BK = ((boxes_BK4[..., 2:] - boxes_BK4[..., :2]) > 0).all(dim=-1)
    scores_BK = torch.where(has_area_BK, scores_BK, torch.zeros_like(scores_BK))
    kept_BK = nms(boxes_BK4, scores_BK, torch.zeros_like(places_BK), 1, PROPOSAL_IOU)
    kept_BR, order_BR = torch.where(kept_BK, scores_BK, torch.zeros_like(scores_BK)).topk(
        min(NUM_REGIONS, scores_BK.shape[1]), dim=1
    )
    regions_BR4 = boxes_BK4.gather(1, order_BR[..., None].expand(-1, -1, 4))
    return torch.where(kept_BR[..., None] > 0, regions_BR4, torch.zeros_like(regions_BR4))


def _proposal_loss(raw: Raw, targets_BM5: Tensor) -> Tensor:
    match_BA, is_nothing_BA = anchors.match_anchors(
        raw.anchors_A4, targets_BM5, positive_from=0.7, negative_below=0.3, matches_every_box=True
    )
    is_thing_BA = anchors.sampled(match_BA >= 0, NUM_SAMPLED_ANCHORS // 2)
    left_B1 = NUM_SAMPLED_ANCHORS - is_thing_BA.sum(dim=1, keepdim=True)
    is_sampled_BA = is_thing_BA | anchors.sampled(is_nothing_BA, left_B1)
    num_sampled = is_sampled_BA.sum().clamp(min=1)
    loss_BA = F.binary_cross_entropy_with_logits(raw.proposed_BA5[..., 0], is_thing_BA.float(), reduction="none")
    boxes_BA4, _ = anchors.matched_targets(targets_BM5, match_BA)
    target_BA4 = anchors.encoded(boxes_BA4, raw.anchors_A4)
    box_BA = F.smooth_l1_loss(raw.proposed_BA5[..., 1:], target_BA4, beta=_BETA, reduction="none").sum(dim=-1)
    return (loss_BA * is_sampled_BA).sum() / num_sampled + torch.where(is_thing_BA, box_BA, 0.0).sum() / num_sampled

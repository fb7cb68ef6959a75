"""Detectors in two stages on a feature pyramid: a small network proposes regions, a second looks into each and names it.

Ren et al. 2015, https://arxiv.org/abs/1506.01497; pyramid, and regions cut from the level that fits them, Lin et al. 2017,
https://arxiv.org/abs/1612.03144; regions cut by RoIAlign (He et al. 2017). Smaller than the papers: three levels, a head of
256 instead of 1024, a hundred regions. One correction of the box serves all labels, as in R-FCN (Dai et al. 2016), which needs
less data.

The second stage may be a cascade (Cai and Vasconcelos 2018, https://arxiv.org/abs/1712.00726): several heads, each of which
looks at the boxes that the one before corrected and learns from those that overlap a true box more. Scores are the mean of
all heads, boxes those of the last.

The second stage looks at what the first proposes, so its answers are part of ``forward`` when a model answers, and of
``criterion``, which samples its own regions, when it learns. Boxes are fractions of the picture.

Shapes: B batch, C channels, H height, W width, A anchors, R regions, S sampled regions, M true boxes, L labels, P cells of a
region's side.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
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
ONE_HEAD = (0.5,)
"""Least IoU with a true box of regions that show it, of a second stage of one head."""
CASCADE = (0.5, 0.6, 0.7)
"""The same of each head of a cascade, as in the paper."""
_OFFSET_SCALE = torch.tensor([10.0, 10.0, 5.0, 5.0])
"""Of the first head's offsets, which are small (Girshick's code); those of the heads behind it are smaller still."""
_LATER_WEIGHT = 0.5
"""Of a head's losses, for each head before it (the paper's authors' own code)."""
_BETA = 1 / 9
_TINY_PX = 1e-3


class Look(NamedTuple):
    """What one head of the second stage predicts of regions."""

    logits_BRL: Tensor
    """Of the labels, and of nothing as the last."""
    offsets_BR4: Tensor
    """From the regions to the boxes, times the head's scale."""
    boxes_BR4: Tensor
    """The corrected regions; no gradient goes through them."""


class Raw(NamedTuple):
    """The network's output for a batch, before it becomes boxes."""

    maps_BCHW: list[Tensor]
    anchors_A4: Tensor
    proposed_BA5: Tensor
    """Logit that an anchor shows a thing, and offsets."""
    regions_BR4: Tensor
    """Boxes of the best proposals; without size where there were fewer."""
    looks: list[Look]
    """One a head; none while training."""


class _Proposer(nn.Module):
    """The region proposal network: one head on all levels."""

    former_names: ClassVar[Mapping[str, str]] = {"said": "predictor"}

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


class _RegionHead(nn.Module):
    """Parts of maps ``_NCPP`` to logits of the labels and of nothing, and offsets, ``_NC``."""

    def __init__(self, num_features: int, num_labels: int):
        super().__init__()
        self.hidden = nn.Sequential(
            nn.Linear(num_features * REGION_SIDE**2, NUM_HIDDEN),
            nn.ReLU(),
            nn.Linear(NUM_HIDDEN, NUM_HIDDEN),
            nn.ReLU(),
        )
        self.predictor = nn.Linear(NUM_HIDDEN, num_labels + 1 + 4)
        nn.init.normal_(self.predictor.weight, std=0.01)
        nn.init.zeros_(self.predictor.bias)

    def forward(self, parts_NCPP: Tensor) -> Tensor:
        predicted_NC: Tensor = self.predictor(self.hidden(parts_NCPP.flatten(1).to(self.predictor.weight.dtype)))
        return predicted_NC.float()


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
    """Pyramid, proposer, and the heads that look into regions.

    Args:
        pyramid: with its trunk.
        num_labels: at least 1.
        ious: of each head the least IoU with a true box of the regions that it learns to take for that one.
    """

    former_names: ClassVar[Mapping[str, str]] = {
        "said": "heads.0.predictor",
        "predictor": "heads.0.predictor",
        "hidden": "heads.0.hidden",
    }
    """Layers in weights of earlier releases, which had one head."""

    def __init__(self, pyramid: Pyramid, num_labels: int, ious: Sequence[float] = ONE_HEAD):
        super().__init__()
        self.pyramid = pyramid
        self.num_labels = num_labels
        self.ious = tuple(ious)
        self.proposer = _Proposer(pyramid.num_features, len(SIDES_IN_STRIDES) * len(ASPECTS))
        self.heads = nn.ModuleList(_RegionHead(pyramid.num_features, num_labels) for _ in self.ious)

    @property
    def label_layers(self) -> Mapping[str, tuple[int, int, int]]:
        """Of every head the last layer, see ``engine.training.freezing.HasLabelLayers``."""
        return {f"heads.{number}.predictor": (1, 0, 1 + 4) for number in range(len(self.heads))}

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
        raw = Raw(maps_BCHW, anchors_A4, proposed_BA5, regions_BR4, [])
        if not self.training:
            for number in range(len(self.heads)):
                regions_BR4 = raw.looks[-1].boxes_BR4.clamp(0.0, 1.0) if raw.looks else raw.regions_BR4
                raw.looks.append(self._look(number, maps_BCHW, regions_BR4))
        return raw

    def criterion(self, raw: Raw, targets_BM5: Tensor) -> Tensor:
        """The sum of both stages' losses of labels and boxes.

        Args:
            raw: what ``forward`` returned.
            targets_BM5: left, top, right, bottom as fractions, label index; -1 pads.
        """
        return self._losses(raw, targets_BM5)[0]

    def candidates(self, raw: Raw) -> tuple[Tensor, Tensor]:
        """Boxes ``_BR4`` in fractions and scores ``_BRL``, 0..1."""
        is_region_BR1 = ((raw.regions_BR4[..., 2:] - raw.regions_BR4[..., :2]) > 0).all(dim=-1, keepdim=True)
        scores_BRL = torch.stack([look.logits_BRL.softmax(dim=-1) for look in raw.looks]).mean(dim=0)
        return raw.looks[-1].boxes_BR4, scores_BRL[..., : self.num_labels] * is_region_BR1

    def _look(self, number: int, maps_BCHW: list[Tensor], regions_BR4: Tensor) -> Look:
        """What a head predicts of regions."""
        parts_NCPP = cut_out(maps_BCHW, regions_BR4, REGION_SIDE)
        predicted_BRC = self.heads[number](parts_NCPP).unflatten(0, regions_BR4.shape[:2])
        logits_BRL, offsets_BR4 = predicted_BRC[..., : self.num_labels + 1], predicted_BRC[..., self.num_labels + 1 :]
        boxes_BR4 = anchors.decoded(offsets_BR4.detach() / _offset_scale(number).to(offsets_BR4), regions_BR4)
        return Look(logits_BRL, offsets_BR4, boxes_BR4)

    def _losses(self, raw: Raw, targets_BM5: Tensor) -> tuple[Tensor, SampledRegions]:
        """The losses of both stages, and the regions from which the last head learns."""
        sampled, loss = self._sampled_regions(raw, targets_BM5), _proposal_loss(raw, targets_BM5)
        look = None
        for number, iou in enumerate(self.ious):
            if look is not None:
                sampled = _corrected(sampled, look, targets_BM5, iou)
            look = self._look(number, raw.maps_BCHW, sampled.regions_BS4)
            loss = loss + _LATER_WEIGHT**number * _region_loss(look, sampled, targets_BM5, _offset_scale(number))
        return loss, sampled

    @torch.no_grad()
    def _sampled_regions(self, raw: Raw, targets_BM5: Tensor) -> SampledRegions:
        """Sampled among the proposals and the true boxes: at first, no proposal may overlap these."""
        offered_BR4 = torch.cat([raw.regions_BR4, targets_BM5[..., :4]], dim=1)
        match_BR, is_nothing_BR = anchors.match_anchors(
            offered_BR4, targets_BM5, positive_from=self.ious[0], negative_below=self.ious[0], matches_every_box=False
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


@torch.no_grad()
def _corrected(sampled: SampledRegions, look: Look, targets_BM5: Tensor, iou: float) -> SampledRegions:
    """The same regions as a head corrected them, matched anew."""
    regions_BS4 = look.boxes_BR4.clamp(0.0, 1.0)
    match_BS, _ = anchors.match_anchors(
        regions_BS4, targets_BM5, positive_from=iou, negative_below=iou, matches_every_box=False
    )
    return SampledRegions(regions_BS4, sampled.is_sampled_BS, sampled.is_sampled_BS & (match_BS >= 0), match_BS)


def _region_loss(look: Look, sampled: SampledRegions, targets_BM5: Tensor, scale_4: Tensor) -> Tensor:
    with torch.no_grad():
        boxes_BS4, labels_BS = anchors.matched_targets(targets_BM5, sampled.match_BS)
        labels_BS = torch.where(sampled.is_thing_BS, labels_BS, look.logits_BRL.shape[-1] - 1)
    num_sampled = sampled.is_sampled_BS.sum().clamp(min=1)
    label_BS = F.cross_entropy(look.logits_BRL.transpose(1, 2), labels_BS, reduction="none")
    target_BS4 = anchors.encoded(boxes_BS4, sampled.regions_BS4) * scale_4.to(boxes_BS4)
    box_BS = F.smooth_l1_loss(look.offsets_BR4, target_BS4, reduction="none").sum(dim=-1)
    box_loss = torch.where(sampled.is_thing_BS, box_BS, 0.0).sum() / num_sampled
    return (label_BS * sampled.is_sampled_BS).sum() / num_sampled + box_loss


def _offset_scale(number: int) -> Tensor:
    """Of the offsets of the heads in turn 10, 20 and 30 times the shift, and half as much of the sides."""
    return _OFFSET_SCALE * (number + 1)

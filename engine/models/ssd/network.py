"""SSD: every cell of maps from fine to coarse predicts labels and offsets of boxes of a few shapes.

Liu et al. 2016, https://arxiv.org/abs/1512.02325: default boxes by fractions of the picture, a softmax with a class for
nothing, the hardest of the empty boxes learned beside the others. The trunk is one of ours instead of VGG, with two coarser
maps on top of it; group norm in these, because the coarsest has a single cell.

Shapes: B batch, C channels, H height, W width, A default boxes of all maps, M true boxes, L labels.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import ClassVar

import torch
import torch.nn.functional as F  # noqa: N812 (the name that everybody knows)
from torch import Tensor, nn

from engine.models.shared import anchors
from engine.models.shared.pyramid import TRUNKS, Trunk

NUM_EXTRA = (256, 128)
"""Channels of the maps at strides 64 and 128."""
SIDES = (0.1, 0.2, 0.37, 0.54, 0.71, 0.88)
"""Of the default boxes of each map and of the one after the last, as fractions: the paper's, with small ones first."""
ASPECTS = (1.0, 2.0, 0.5)
"""Width to height. A larger square is the fourth shape of a cell."""
NUM_SHAPES = len(ASPECTS) + 1
EMPTY_TO_FULL = 3
"""So many of the empty boxes are learned for each that shows something."""
MIN_EMPTY = 8
"""Learned on a picture that shows nothing."""
_OFFSET_SCALE = torch.tensor([10.0, 10.0, 5.0, 5.0])
"""One over what the paper's code calls variances."""
_NUM_GROUPS = 8
_DEFAULT, _OFFSET, _LOGITS = slice(0, 4), slice(4, 8), slice(8, None)
"""Columns of the raw output."""


class _Coarser(nn.Module):
    """A map of half the side, rounded up.

    Every second cell of a convolution of stride 1, which is one of stride 2: in bf16 oneDNN leaves the gradients of that one's
    outer taps unset, often not even numbers, where a map has a single cell (torch 2.13). The maps are tiny.
    """

    def __init__(self, inputs: int, outputs: int):
        super().__init__()
        self.narrow = nn.Conv2d(inputs, outputs // 2, 1, bias=False)
        self.narrow_norm = nn.GroupNorm(_NUM_GROUPS, outputs // 2)
        self.wide = nn.Conv2d(outputs // 2, outputs, 3, 1, 1, bias=False)
        self.wide_norm = nn.GroupNorm(_NUM_GROUPS, outputs)
        for conv in (self.narrow, self.wide):
            nn.init.kaiming_normal_(conv.weight, nonlinearity="relu")

    def forward(self, map_BCHW: Tensor) -> Tensor:
        narrow_BCHW = F.relu(self.narrow_norm(self.narrow(map_BCHW)))
        return F.relu(self.wide_norm(self.wide(narrow_BCHW)[..., ::2, ::2]))


class Network(nn.Module):
    """The trunk and the coarser maps on top of it."""

    def __init__(self, trunk: Trunk):
        super().__init__()
        self.trunk = trunk
        self.num_channels = (*trunk.num_channels, *NUM_EXTRA)
        self.num_features = self.num_channels[-1]
        before = (trunk.num_channels[-1], *NUM_EXTRA)
        self.coarser = nn.ModuleList(_Coarser(*pair) for pair in zip(before, NUM_EXTRA, strict=False))

    @property
    def stem(self) -> nn.Module:
        """The first convolution, which sees the normalised picture."""
        return self.trunk.stem

    def forward(self, pictures_BCHW: Tensor) -> list[Tensor]:
        """Maps ``_BCHW`` at strides 8 to 128 of sRGB pictures 0..255."""
        maps = self.trunk(pictures_BCHW)
        for coarser in self.coarser:
            maps.append(coarser(maps[-1]))
        return maps

    def detector(self, num_labels: int) -> Detector:
        """Puts a fresh head for so many labels on each map."""
        return Detector(self, num_labels)


class Detector(nn.Module):
    """The maps and a convolution on each."""

    label_layers: ClassVar[Mapping[str, tuple[int, int, int]]] = {"heads": (NUM_SHAPES, 4, 1)}

    def __init__(self, network: Network, num_labels: int):
        super().__init__()
        self.network = network
        self.num_labels = num_labels
        outputs = NUM_SHAPES * (4 + num_labels + 1)
        heads = [nn.Conv2d(channels, outputs, 3, 1, 1) for channels in network.num_channels]
        self.heads = nn.ModuleList(heads)
        for head in heads:
            nn.init.normal_(head.weight, std=0.01)
            nn.init.zeros_(head.bias)  # type: ignore[arg-type] # it has one

    def forward(self, pictures_BCHW: Tensor) -> Tensor:
        """Raw output ``_BA(8+L+1)``: default box in fractions of the picture, offsets, logits of labels and of nothing.

        Args:
            pictures_BCHW: sRGB 0..255 as floats.
        """
        maps = zip(self.heads, self.network(pictures_BCHW), strict=True)
        return torch.cat([_level(head(map_BCHW), level) for level, (head, map_BCHW) in enumerate(maps)], dim=1)

    def criterion(self, raw_BAC: Tensor, targets_BM5: Tensor) -> Tensor:
        """Mean loss over the batch's boxes that show something: what they show, and where it is.

        Args:
            raw_BAC: what ``forward`` returned.
            targets_BM5: left, top, right, bottom as fractions, label index; -1 pads.
        """
        raw_BAC = raw_BAC.float()
        defaults_A4 = raw_BAC[0, :, _DEFAULT].detach()
        match_BA, is_empty_BA = anchors.match_anchors(
            defaults_A4, targets_BM5, positive_from=0.5, negative_below=0.5, matches_every_box=True
        )
        boxes_BA4, labels_BA = anchors.matched_targets(targets_BM5, match_BA)
        is_full_BA = match_BA >= 0
        labels_BA = torch.where(is_full_BA, labels_BA, self.num_labels)
        label_BA = F.cross_entropy(raw_BAC[..., _LOGITS].transpose(1, 2), labels_BA, reduction="none")
        num_empty_B1 = (EMPTY_TO_FULL * is_full_BA.sum(dim=1, keepdim=True)).clamp(min=MIN_EMPTY)
        is_learned_BA = is_full_BA | anchors.top_values(label_BA, is_empty_BA, num_empty_B1)  # the hardest of the empty ones
        target_BA4 = anchors.encoded(boxes_BA4, defaults_A4) * _OFFSET_SCALE.to(raw_BAC)
        box_BA = F.smooth_l1_loss(raw_BAC[..., _OFFSET], target_BA4, reduction="none").sum(dim=-1)
        total = (label_BA * is_learned_BA).sum() + torch.where(is_full_BA, box_BA, 0.0).sum()
        return total / is_full_BA.sum().clamp(min=1)

    def candidates(self, raw_BAC: Tensor) -> tuple[Tensor, Tensor]:
        """Boxes ``_BA4`` in fractions and scores ``_BAL``, 0..1."""
        offsets_BA4 = raw_BAC[..., _OFFSET] / _OFFSET_SCALE.to(raw_BAC)
        boxes_BA4 = anchors.decoded(offsets_BA4, raw_BAC[..., _DEFAULT])
        return boxes_BA4, raw_BAC[..., _LOGITS].softmax(dim=-1)[..., : self.num_labels]


def build(size: str) -> Network:
    """Builds trunk and coarser maps with fresh weights.

    Args:
        size: name of one of the family's sizes.
    """
    return Network(TRUNKS[size]())


def load_pretrained(network: Network, weights: Mapping[str, Tensor]) -> None:
    """Loads the trunk's ImageNet weights, strictly.

    Raises:
        RuntimeError: a tensor is missing, unknown or of another shape.
    """
    network.trunk.load_pretrained(weights)  # type: ignore[operator] # called only for sizes with pretrained weights


def _level(raw_BCHW: Tensor, level: int) -> Tensor:
    height, width = raw_BCHW.shape[-2:]
    raw_BAC = raw_BCHW.permute(0, 2, 3, 1).float().unflatten(-1, (NUM_SHAPES, -1)).flatten(1, 3)
    side, larger = SIDES[level], math.sqrt(SIDES[level] * SIDES[level + 1])
    shapes = [(side * math.sqrt(aspect), side / math.sqrt(aspect)) for aspect in ASPECTS] + [(larger, larger)]
    defaults_A4 = anchors.grid(height, width, shapes, raw_BCHW.device)
    return torch.cat([defaults_A4.expand(raw_BAC.shape[0], -1, -1), raw_BAC], dim=-1)

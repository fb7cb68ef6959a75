"""YOLOv3-tiny: a plain column of convolutions, with boxes predicted against fixed sizes at two strides.

Redmon & Farhadi 2018, https://arxiv.org/abs/1804.02767; the published COCO weights load. Two things differ in training: boxes
are fitted by GIoU instead of squared errors, and every size that resembles a box by half learns it, not the best alone (as
YOLOv4 does), which helps where there are few boxes.

Shapes: B batch, C channels, H height, W width, A anchors (cells times sizes), M true boxes, L labels.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import ClassVar

import torch
import torch.nn.functional as F  # noqa: N812 (the name that everybody knows)
from torch import Tensor, nn

from engine.models.shared.boxes import giou, pairwise_iou

_PUBLISHED_LABELS = 80
_LEAK = 0.1
_ANCHORS_PX = {32: ((81, 82), (135, 169), (344, 319)), 16: ((23, 27), (37, 58), (81, 82))}
"""Sizes by stride. At stride 16 the published file has the three smallest, but the weights were trained with these."""
_TRUNK = ((3, 16), (16, 32), (32, 64), (64, 128), (128, 256), (256, 512), (512, 1024))
"""Channels in and out of the 3x3 convolutions before the first branch."""
_NUM_COARSE, _NUM_FINE = 512, 256
_FINE_FROM = 4
"""The convolution of the trunk whose map the second branch takes up."""
_MAX_EXPONENT = 4.0
_IGNORED_FROM = 0.6
"""An anchor whose box overlaps a true one by more, without being its own, is neither right nor wrong."""
_ALIKE_FROM = 0.5
_BOX_WEIGHT = 2.0
PRIOR = 0.01
_BOX, _CELL, _SIZE, _STRIDE, _THING, _LOGITS = slice(0, 4), slice(4, 6), slice(6, 8), slice(8, 10), 10, slice(11, None)
"""Columns of the raw output."""


class _ConvNorm(nn.Module):
    """Convolution, batch norm, leaky ReLU."""

    def __init__(self, inputs: int, outputs: int, kernel: int):
        super().__init__()
        self.conv = nn.Conv2d(inputs, outputs, kernel, 1, kernel // 2, bias=False)
        self.norm = nn.BatchNorm2d(outputs)
        nn.init.kaiming_normal_(self.conv.weight, a=_LEAK)

    def forward(self, x_BCHW: Tensor) -> Tensor:
        return F.leaky_relu(self.norm(self.conv(x_BCHW)), _LEAK)


class Network(nn.Module):
    """Pictures in, the maps of both branches out."""

    def __init__(self) -> None:
        super().__init__()
        self.num_features = _NUM_COARSE
        self.trunk = nn.ModuleList(_ConvNorm(inputs, outputs, 3) for inputs, outputs in _TRUNK)
        self.narrow = _ConvNorm(1024, 256, 1)
        self.coarse = _ConvNorm(256, _NUM_COARSE, 3)
        self.lateral = _ConvNorm(256, 128, 1)
        self.fine = _ConvNorm(256 + 128, _NUM_FINE, 3)

    @property
    def stem(self) -> nn.Module:
        """The first convolution, which sees the normalised picture."""
        return self.trunk[0]

    def forward(self, pictures_BCHW: Tensor) -> tuple[Tensor, Tensor]:
        """Maps at strides 32 and 16.

        Args:
            pictures_BCHW: sRGB 0..255 as floats; sides are multiples of 32.
        """
        x_BCHW = pictures_BCHW / 255.0
        fine_BCHW = x_BCHW
        for number, conv in enumerate(self.trunk):
            x_BCHW = conv(x_BCHW)
            if number == _FINE_FROM:
                fine_BCHW = x_BCHW
            if number < _FINE_FROM + 1:
                x_BCHW = F.max_pool2d(x_BCHW, 2)
            elif number == _FINE_FROM + 1:  # Darknet's pool of stride 1 looks right and down
                x_BCHW = F.max_pool2d(F.pad(x_BCHW, (0, 1, 0, 1), mode="replicate"), 2, 1)
        narrow_BCHW = self.narrow(x_BCHW)
        lateral_BCHW = F.interpolate(self.lateral(narrow_BCHW), size=fine_BCHW.shape[-2:], mode="nearest")
        return self.coarse(narrow_BCHW), self.fine(torch.cat([lateral_BCHW, fine_BCHW], dim=1))

    def detector(self, num_labels: int) -> Detector:
        """Puts a fresh head for so many labels on both maps."""
        return Detector(self, num_labels)


class Detector(nn.Module):
    """The network and a 1x1 convolution on each of its maps."""

    label_layers: ClassVar[Mapping[str, tuple[int, int, int]]] = {"heads": (3, 5, 0)}

    def __init__(self, network: Network, num_labels: int):
        super().__init__()
        self.network = network
        self.num_labels = num_labels
        heads = [nn.Conv2d(width, 3 * (5 + num_labels), 1) for width in (_NUM_COARSE, _NUM_FINE)]
        self.heads = nn.ModuleList(heads)
        for head in heads:
            nn.init.normal_(head.weight, std=0.01)
            bias_3C = torch.zeros(3, 5 + num_labels)
            bias_3C[:, 4] = -math.log((1 - PRIOR) / PRIOR)
            head.bias = nn.Parameter(bias_3C.flatten())

    def forward(self, pictures_BCHW: Tensor) -> Tensor:
        """Raw output ``_BA(11+L)``: box, cell, anchor's size and stride in fractions of the picture, then logits.

        Args:
            pictures_BCHW: sRGB 0..255 as floats; sides are multiples of 32.
        """
        height, width = pictures_BCHW.shape[-2:]
        size_2 = torch.tensor([width, height], dtype=torch.float32, device=pictures_BCHW.device)
        maps = zip(_ANCHORS_PX.items(), self.heads, self.network(pictures_BCHW), strict=True)
        return torch.cat(
            [self._level(head(map_BCHW), stride, sizes, size_2) for (stride, sizes), head, map_BCHW in maps], dim=1
        )

    def criterion(self, raw_BAC: Tensor, targets_BM5: Tensor) -> Tensor:
        """Mean loss over the batch's positive anchors: box, whether there is a thing, label.

        Args:
            raw_BAC: what ``forward`` returned.
            targets_BM5: left, top, right, bottom as fractions, label index; -1 pads.
        """
        raw_BAC = raw_BAC.float()
        own_BA, is_ignored_BA = _assigned(raw_BAC, targets_BM5)
        is_positive_BA = own_BA >= 0
        num_positive = is_positive_BA.sum().clamp(min=1)
        thing_BA = F.binary_cross_entropy_with_logits(raw_BAC[..., _THING], is_positive_BA.float(), reduction="none")
        thing_loss = torch.where(is_ignored_BA, 0.0, thing_BA).sum() / num_positive
        found_BA5 = targets_BM5.gather(1, own_BA.clamp(min=0)[..., None].expand(-1, -1, 5))
        raw_PC, found_P5 = raw_BAC[is_positive_BA], found_BA5[is_positive_BA]
        box_loss = (1 - giou(raw_PC[:, _BOX], found_P5[:, :4])).sum() / num_positive
        target_PL = F.one_hot(found_P5[:, 4].long().clamp(min=0), self.num_labels).float()
        label_loss = F.binary_cross_entropy_with_logits(raw_PC[:, _LOGITS], target_PL, reduction="sum") / num_positive
        return _BOX_WEIGHT * box_loss + thing_loss + label_loss

    def candidates(self, raw_BAC: Tensor) -> tuple[Tensor, Tensor]:
        """Boxes ``_BA4`` in fractions and scores ``_BAL``, 0..1: that there is a thing, times what it is."""
        return raw_BAC[..., _BOX], torch.sigmoid(raw_BAC[..., _THING : _THING + 1]) * torch.sigmoid(raw_BAC[..., _LOGITS])

    def _level(self, map_BCHW: Tensor, stride: int, sizes: tuple[tuple[int, int], ...], size_2: Tensor) -> Tensor:
        height, width = map_BCHW.shape[-2:]
        map_BHW3C = map_BCHW.float().permute(0, 2, 3, 1).unflatten(-1, (3, 5 + self.num_labels))
        raw_BAC = map_BHW3C.flatten(1, 3)
        cells_A2, sizes_A2 = _grid(height, width, sizes, size_2.device)
        middle_BA2 = (cells_A2 + torch.sigmoid(raw_BAC[..., :2])) * stride / size_2
        half_BA2 = sizes_A2 / size_2 * raw_BAC[..., 2:4].clamp(max=_MAX_EXPONENT).exp() / 2
        about = [(cells_A2 + 0.5) * stride / size_2, sizes_A2 / size_2, (stride / size_2).expand_as(cells_A2)]
        fixed_BA6 = torch.cat(about, dim=-1).expand(raw_BAC.shape[0], -1, -1)
        return torch.cat([middle_BA2 - half_BA2, middle_BA2 + half_BA2, fixed_BA6, raw_BAC[..., 4:]], dim=-1)


def build(size: str) -> Network:
    """Builds the network with fresh weights.

    Args:
        size: name of the family's one size.
    """
    assert size == "tiny"
    return Network()


def pretrained(size: str) -> nn.ModuleList:
    """The published network's convolutions in Darknet's order, as the card's file names them, with fresh weights."""
    detector = build(size).detector(_PUBLISHED_LABELS)
    network = detector.network
    first, second = detector.heads
    return nn.ModuleList([*network.trunk, network.narrow, network.coarse, first, network.lateral, network.fine, second])


def load_pretrained(network: Network, weights: Mapping[str, Tensor]) -> None:
    """Loads the COCO weights but for the published heads, strictly.

    Raises:
        RuntimeError: a tensor is missing, unknown or of another shape.
    """
    whole = pretrained("tiny")
    whole.load_state_dict(dict(weights), strict=True)
    places = (*range(len(_TRUNK)), 7, 8, 10, 11)
    own = (*network.trunk, network.narrow, network.coarse, network.lateral, network.fine)
    for module, place in zip(own, places, strict=True):
        module.load_state_dict(whole[place].state_dict())


@torch.no_grad()
def _assigned(raw_BAC: Tensor, targets_BM5: Tensor) -> tuple[Tensor, Tensor]:
    """For each anchor the true box it answers for, ``_BA`` (-1: none), and whether it is left alone, ``_BA``."""
    boxes_BM4, is_there_B1M = targets_BM5[..., :4], (targets_BM5[..., 4] >= 0)[:, None]
    middle_B1M2 = ((boxes_BM4[..., :2] + boxes_BM4[..., 2:]) / 2)[:, None]
    size_B1M2 = (boxes_BM4[..., 2:] - boxes_BM4[..., :2])[:, None]
    away_BAM2 = (raw_BAC[:, :, None, _CELL] - middle_B1M2).abs() / raw_BAC[:, :, None, _STRIDE]
    is_here_BAM = (away_BAM2.amax(dim=-1) <= 0.5) & is_there_B1M
    inter_BAM = torch.minimum(raw_BAC[:, :, None, _SIZE], size_B1M2).prod(dim=-1)
    alike_BAM = inter_BAM / (raw_BAC[:, :, None, _SIZE].prod(dim=-1) + size_B1M2.prod(dim=-1) - inter_BAM).clamp(min=1e-9)
    alike_BAM = torch.where(is_here_BAM, alike_BAM, -1.0)
    is_best_BAM = is_here_BAM & (alike_BAM >= alike_BAM.amax(dim=1, keepdim=True))
    fits_BAM = is_best_BAM | (alike_BAM > _ALIKE_FROM)
    value_BA, place_BA = torch.where(fits_BAM, alike_BAM + is_best_BAM.float(), -1.0).max(dim=-1)
    own_BA = torch.where(value_BA >= 0, place_BA, -1)
    overlap_BAM = pairwise_iou(raw_BAC[..., _BOX], boxes_BM4) * is_there_B1M
    return own_BA, (overlap_BAM.amax(dim=-1) > _IGNORED_FROM) & (own_BA < 0)


def _grid(height: int, width: int, sizes: tuple[tuple[int, int], ...], device: torch.device) -> tuple[Tensor, Tensor]:
    """Column and row of each anchor's cell, and its size in pixels, ``_A2`` each; row by row, sizes innermost."""
    x_W = torch.arange(width, device=device, dtype=torch.float32)
    y_H = torch.arange(height, device=device, dtype=torch.float32)
    cells_N2 = torch.stack([x_W.repeat(height), y_H.repeat_interleave(width)], dim=-1)
    sizes_32 = torch.tensor(sizes, device=device, dtype=torch.float32)
    return cells_N2.repeat_interleave(len(sizes), dim=0), sizes_32.repeat(len(cells_N2), 1)

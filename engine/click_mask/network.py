"""The network of click to mask: an encoder that sees the picture once, and a decoder that answers every click.

The encoder is the front of EfficientNet-Lite0 (https://arxiv.org/abs/1905.11946), which starts from ImageNet weights. The
decoder follows interactive segmentation with iterative clicks (RITM, https://arxiv.org/abs/2102.06583): clicks as discs and
the mask so far as input. Two things are ours: the clicks enter after the encoder, so that a later click costs the decoder
alone; and the features below the clicks are compared with those everywhere, which tells the decoder what is alike.

Shapes: B batch, C channels, H height, W width, N cells of the coarsest grid. Grids are named by their step: ``x16`` has one
cell for 16 x 16 pixels of the window.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
import torch.nn.functional as F  # noqa: N812 (the name that everybody knows)
from torch import Tensor, nn

from engine.models.efficientnet_lite.network import EfficientNetLite, build

SIDE_PX = 256
"""Side of the square window that the network sees."""
GRID = 128
"""Side of the grid on which clicks come in and logits go out."""
CLICK_RADIUS = 3
"""Of a click's disc, in cells of the grid."""

_FRONT = 11
"""Blocks of Lite0 that are kept: those with steps of 2 to 16 pixels."""
_TAPS = {0: "x2", 2: "x4", 4: "x8", 10: "x16"}
_TAPPED = {"x2": 16, "x4": 24, "x8": 40, "x16": 112}
_NARROWED = {"x2": 8, "x4": 24, "x8": 32, "x16": 64}
_NUM_HEADS = 4
_NUM_MAPS = 3
"""Positive clicks, negative clicks, the mask so far."""


class Features(NamedTuple):
    """What the encoder knows of a window, by step in pixels."""

    x2: Tensor
    x4: Tensor
    x8: Tensor
    x16: Tensor


class Encoder(nn.Module):
    """Pictures in, features out."""

    def __init__(self) -> None:
        super().__init__()
        lite = build("0")
        self.stem = lite.stem
        self.blocks = front_of(lite)
        self.narrow = nn.ModuleDict({step: nn.Conv2d(_TAPPED[step], _NARROWED[step], 1) for step in _NARROWED})

    def forward(self, pictures_BCHW: Tensor) -> Features:
        """Runs the encoder.

        Args:
            pictures_BCHW: sRGB 0..255 as floats; sides are multiples of 16.
        """
        x_BCHW = F.relu6(self.stem((pictures_BCHW - 127.0) / 128.0))
        tapped: dict[str, Tensor] = {}
        for index, block in enumerate(self.blocks.children()):
            x_BCHW = block(x_BCHW)
            if index in _TAPS:
                step = _TAPS[index]
                tapped[step] = self.narrow[step](x_BCHW)
        return Features(**tapped)


class _Mix(nn.Module):
    """Residual: filter each channel, then mix them."""

    def __init__(self, channels: int, kernel: int):
        super().__init__()
        self.depthwise = nn.Conv2d(channels, channels, kernel, padding=kernel // 2, groups=channels, bias=False)
        self.norm = nn.BatchNorm2d(channels)
        self.widen = nn.Conv2d(channels, 2 * channels, 1)
        self.narrow = nn.Conv2d(2 * channels, channels, 1)

    def forward(self, x_BCHW: Tensor) -> Tensor:
        return x_BCHW + self.narrow(F.relu(self.widen(self.norm(self.depthwise(x_BCHW)))))


class _Attention(nn.Module):
    """Residual: every cell of the coarsest grid looks at every other, so that what belongs together can say so."""

    def __init__(self, channels: int):
        super().__init__()
        self.norm = nn.BatchNorm2d(channels)
        self.ask = nn.Conv2d(channels, 3 * channels, 1)
        self.answer = nn.Conv2d(channels, channels, 1)

    def forward(self, x_BCHW: Tensor) -> Tensor:
        batch, channels, height, width = x_BCHW.shape
        parts = self.ask(self.norm(x_BCHW)).reshape(batch, 3, _NUM_HEADS, channels // _NUM_HEADS, height * width)
        query, key, value = parts.unbind(1)
        weights = (query.transpose(-1, -2) @ key / (channels // _NUM_HEADS) ** 0.5).softmax(dim=-1)
        seen = (value @ weights.transpose(-1, -2)).reshape(batch, channels, height, width)
        return x_BCHW + self.answer(seen)


class _Join(nn.Module):
    """What comes from the coarser grid, the encoder's features and the maps, made one."""

    def __init__(self, below: int, features: int, channels: int):
        super().__init__()
        self.mix = nn.Conv2d(below + features + _NUM_MAPS + 2, channels, 1, bias=False)
        self.norm = nn.BatchNorm2d(channels)

    def forward(self, below_BCHW: Tensor | None, features_BCHW: Tensor, maps_BCHW: Tensor) -> Tensor:
        parts = [features_BCHW, maps_BCHW, alike(features_BCHW, maps_BCHW[:, 0:1]), alike(features_BCHW, maps_BCHW[:, 1:2])]
        if below_BCHW is not None:
            parts.append(F.interpolate(below_BCHW, scale_factor=2, mode="bilinear", align_corners=False))
        return F.relu(self.norm(self.mix(torch.cat(parts, dim=1))))


class Decoder(nn.Module):
    """Features, clicks and the mask so far in, logits of the mask out."""

    def __init__(self) -> None:
        super().__init__()
        self.join16 = _Join(0, _NARROWED["x16"], 64)
        self.think16 = nn.Sequential(_Mix(64, 5), _Attention(64), _Mix(64, 5), _Attention(64), _Mix(64, 5))
        self.join8 = _Join(64, _NARROWED["x8"], 48)
        self.think8 = nn.Sequential(_Mix(48, 5), _Mix(48, 5))
        self.join4 = _Join(48, _NARROWED["x4"], 32)
        self.think4 = _Mix(32, 5)
        self.join2 = _Join(32, _NARROWED["x2"], 16)
        self.think2 = _Mix(16, 3)
        self.say = nn.Conv2d(16, 1, 1)

    def forward(self, features: Features, clicks_BCHW: Tensor, mask_BCHW: Tensor) -> Tensor:
        """Runs the decoder.

        Args:
            features: of the encoder.
            clicks_BCHW: discs of the positive and of the negative clicks, 0 or 1, on the grid (half the window's side).
            mask_BCHW: probabilities of the mask so far, 0..1, on the grid; zeros when there is none.

        Returns:
            Logits on the grid, one channel.
        """
        maps2 = torch.cat([clicks_BCHW, mask_BCHW], dim=1)
        maps4, maps8, maps16 = (_shrunk(maps2, step) for step in (2, 4, 8))
        x_BCHW = self.think16(self.join16(None, features.x16, maps16))
        x_BCHW = self.think8(self.join8(x_BCHW, features.x8, maps8))
        x_BCHW = self.think4(self.join4(x_BCHW, features.x4, maps4))
        x_BCHW = self.think2(self.join2(x_BCHW, features.x2, maps2))
        return self.say(x_BCHW)


def front_of(lite: EfficientNetLite) -> nn.Sequential:
    """The blocks of a whole Lite0 that the encoder has."""
    return nn.Sequential(*list(lite.blocks.children())[:_FRONT])


def alike(features_BCHW: Tensor, where_B1HW: Tensor) -> Tensor:
    """How much the features everywhere agree with their mean below the clicks, -1..1; nothing where there is no click."""
    weights = where_B1HW.sum(dim=(2, 3), keepdim=True)
    mean = (features_BCHW * where_B1HW).sum(dim=(2, 3), keepdim=True) / (weights + 1e-3)
    return F.cosine_similarity(features_BCHW, mean.expand_as(features_BCHW), dim=1, eps=1e-3).unsqueeze(1)


def _shrunk(maps_BCHW: Tensor, step: int) -> Tensor:
    """Clicks never fade on coarser grids, the mask is averaged."""
    clicks, mask = maps_BCHW[:, :2], maps_BCHW[:, 2:]
    return torch.cat([F.max_pool2d(clicks, step), F.avg_pool2d(mask, step)], dim=1)

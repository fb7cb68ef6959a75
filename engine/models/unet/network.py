"""U-Net: features are brought back to the pixels step by step, each with those that the encoder had at that stride.

Ronneberger et al. 2015, https://arxiv.org/abs/1505.04597, smaller: a pretrained encoder or a plain one, one convolution a step
of the decoder, bilinear enlargement, and logits at every second pixel, enlarged.

Shapes: B batch, C channels, H height, W width.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar

import torch
from torch import Tensor, nn

from engine.models.shared.enlarge import doubled
from engine.models.shared.pyramid import LiteTrunk

NUM_FEATURES = 32
"""Of each second pixel."""
PRIOR = 0.1
"""First score of each label against none, so that the many pixels without one do not drown the first steps."""
_DECODER_CHANNELS = (96, 64, 48, NUM_FEATURES)
"""From the coarsest step to the finest."""
_PLAIN_CHANNELS = (32, 64, 96, 128, 160)


class _Convolution(nn.Sequential):
    """Convolution, norm and what is positive of it."""

    def __init__(self, inputs: int, outputs: int, *, kernel: int = 3, stride: int = 1):
        conv = nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, bias=False)
        nn.init.kaiming_normal_(conv.weight, nonlinearity="relu")
        super().__init__(conv, nn.BatchNorm2d(outputs), nn.ReLU())


class PlainTrunk(nn.Module):
    """An encoder without pretrained weights: two convolutions a stride."""

    def __init__(self) -> None:
        super().__init__()
        self.num_channels = _PLAIN_CHANNELS
        inputs = (3, *_PLAIN_CHANNELS[:-1])
        self.steps = nn.ModuleList(
            nn.Sequential(_Convolution(before, behind, stride=2), _Convolution(behind, behind))
            for before, behind in zip(inputs, _PLAIN_CHANNELS, strict=True)
        )

    def forward(self, pictures_BCHW: Tensor) -> list[Tensor]:
        """Features at strides 2, 4, 8, 16 and 32 of sRGB pictures 0..255."""
        x_BCHW, maps = (pictures_BCHW - 127.0) / 64.0, []
        for step in self.steps:
            x_BCHW = step(x_BCHW)
            maps.append(x_BCHW)
        return maps


def _lite_trunk() -> LiteTrunk:
    return LiteTrunk(strides=(2, 4, 8, 16, 32))


TRUNKS: Mapping[str, Callable[[], LiteTrunk | PlainTrunk]] = {"lite0": _lite_trunk, "plain": PlainTrunk}
"""By size."""


class Decoder(nn.Module):
    """Features of the encoder in, features of each second pixel out."""

    def __init__(self, num_channels: Sequence[int]):
        """Makes it with fresh weights.

        Args:
            num_channels: of the encoder's features, from the finest to the coarsest.
        """
        super().__init__()
        coarsest, *beside = reversed(num_channels)
        self.entry = _Convolution(coarsest, _DECODER_CHANNELS[0], kernel=1)
        below = (_DECODER_CHANNELS[0], *_DECODER_CHANNELS[:-1])
        self.steps = nn.ModuleList(
            _Convolution(channels + skipped, outputs)
            for channels, skipped, outputs in zip(below, beside, _DECODER_CHANNELS, strict=True)
        )

    def forward(self, maps: Sequence[Tensor]) -> Tensor:
        """Features ``_BCHW`` of the finest size.

        Args:
            maps: from the finest to the coarsest.
        """
        coarsest, *beside = reversed(maps)
        x_BCHW = self.entry(coarsest)
        for step, skipped_BCHW in zip(self.steps, beside, strict=True):
            x_BCHW = step(torch.cat([doubled(x_BCHW), skipped_BCHW], dim=1))
        return x_BCHW


class Network(nn.Module):
    """Encoder and decoder; a segmenter is made of it when the labels are known."""

    def __init__(self, trunk: LiteTrunk | PlainTrunk):
        super().__init__()
        self.num_features = NUM_FEATURES
        self.trunk = trunk
        self.decoder = Decoder(trunk.num_channels)

    @property
    def stem(self) -> nn.Module:
        """The first convolution, which sees the normalised picture."""
        return self.trunk.stem if isinstance(self.trunk, LiteTrunk) else self.trunk.steps[0]

    def forward(self, pictures_BCHW: Tensor) -> Tensor:
        """Features ``_BCHW`` at stride 2 of sRGB pictures 0..255."""
        return self.decoder(self.trunk(pictures_BCHW))

    def segmenter(self, num_labels: int) -> Segmenter:
        """Puts a fresh head for so many labels on the decoder."""
        return Segmenter(self, num_labels)


class Segmenter(nn.Module):
    """A network and the head on it."""

    label_layers: ClassVar[Mapping[str, tuple[int, int, int]]] = {"pixels": (1, 1, 0)}

    def __init__(self, network: Network, num_labels: int):
        super().__init__()
        self.network = network
        self.pixels = nn.Conv2d(network.num_features, 1 + num_labels, 1)
        nn.init.zeros_(self.pixels.bias)  # type: ignore[arg-type] # it has one
        nn.init.constant_(self.pixels.bias[1:], -math.log((1 - PRIOR) / PRIOR))  # type: ignore[index] # as above

    def forward(self, pictures_BCHW: Tensor) -> Tensor:
        """Logits ``_B(1+L)HW`` of each pixel: for none of the labels, then for each.

        Args:
            pictures_BCHW: sRGB 0..255 as floats; both sides are multiples of 32.
        """
        return doubled(self.pixels(self.network(pictures_BCHW)))


def build(size: str) -> Network:
    """Builds encoder and decoder with fresh weights.

    Args:
        size: name of one of the family's sizes.
    """
    return Network(TRUNKS[size]())


def load_pretrained(network: Network, weights: Mapping[str, Tensor]) -> None:
    """Loads the encoder's ImageNet weights, strictly.

    Raises:
        RuntimeError: a tensor is missing, unknown or of another shape.
    """
    network.trunk.load_pretrained(weights)  # type: ignore[operator] # called only for sizes with pretrained weights

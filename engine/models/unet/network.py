"""U-Net: features are brought back to the pixels step by step, each with those that the encoder had at that stride.

Ronneberger et al. 2015, https://arxiv.org/abs/1505.04597, smaller: a pretrained encoder or a plain one, one convolution a step
of the decoder, bilinear enlargement, and logits at every second pixel, enlarged.

Shapes: B batch, C channels, H height, W width.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from engine.models.shared import segmenter
from engine.models.shared.enlarge import doubled
from engine.models.shared.layers import Convolution
from engine.models.shared.pyramid import TRUNKS
from engine.models.shared.segmenter import Network, load_pretrained

__all__ = ["build", "load_pretrained"]

_STRIDES = (2, 4, 8, 16, 32)
_DECODER_CHANNELS = (96, 64, 48, 32)
"""From the coarsest step to the finest."""


class Decoder(segmenter.Decoder):
    """Features of the encoder in, features of each second pixel out."""

    stride = 2

    def __init__(self, num_channels: Sequence[int]):
        """Makes it with fresh weights.

        Args:
            num_channels: of the encoder's features, from the finest to the coarsest.
        """
        super().__init__()
        coarsest, *beside = reversed(num_channels)
        self.num_features = _DECODER_CHANNELS[-1]
        self.entry = Convolution(coarsest, _DECODER_CHANNELS[0], kernel=1)
        below = (_DECODER_CHANNELS[0], *_DECODER_CHANNELS[:-1])
        self.steps = nn.ModuleList(
            Convolution(channels + skipped, outputs)
            for channels, skipped, outputs in zip(below, beside, _DECODER_CHANNELS, strict=True)
        )

    def forward(self, maps: Sequence[Tensor]) -> Tensor:
        """As of every decoder."""
        coarsest, *beside = reversed(maps)
        x_BCHW = self.entry(coarsest)
        for step, skipped_BCHW in zip(self.steps, beside, strict=True):
            x_BCHW = step(torch.cat([doubled(x_BCHW), skipped_BCHW], dim=1))
        return x_BCHW


def build(size: str) -> Network:
    """Builds encoder and decoder with fresh weights.

    Args:
        size: name of one of the family's sizes.
    """
    trunk = TRUNKS[size](_STRIDES)
    return Network(trunk, Decoder(trunk.num_channels))

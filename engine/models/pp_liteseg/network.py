"""PP-LiteSeg: a light decoder that weighs, cell by cell, what it brought back against what the trunk had at that stride.

Peng et al. 2022, https://arxiv.org/abs/2204.02681: pooled context on the coarsest features (SPPM), a decoder whose channels
grow fewer towards the pixels (FLD), and fusion by an attention of four numbers a cell (UAFM). One step more than in the paper,
down to stride 4, as pictures are smaller.

Shapes: B batch, C channels, H height, W width.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from engine.models.shared import segmenter
from engine.models.shared.enlarge import doubled, pooled, stretched
from engine.models.shared.layers import Convolution, PooledConvolution
from engine.models.shared.pyramid import TRUNKS
from engine.models.shared.segmenter import Network, load_pretrained

__all__ = ["build", "load_pretrained"]

_STRIDES = (4, 8, 16, 32)
_GRIDS = (1, 2, 4)
"""Parts along each side whose means are the context."""
_CHANNELS = (96, 64, 48, 32)
"""From the coarsest step to the finest."""


class Context(nn.Module):
    """SPPM: the sum of means of ever larger parts."""

    def __init__(self, inputs: int, outputs: int):
        super().__init__()
        self.parts = nn.ModuleList(PooledConvolution(inputs, outputs) for _ in _GRIDS)
        self.here = Convolution(inputs, outputs, kernel=1)
        self.mix = Convolution(outputs, outputs)

    def forward(self, x_BCHW: Tensor) -> Tensor:
        """Features of the same size."""
        height, width = x_BCHW.shape[-2:]
        sum_BCHW = self.here(x_BCHW)
        for grid, part in zip(_GRIDS, self.parts, strict=True):
            sum_BCHW = sum_BCHW + stretched(part(pooled(x_BCHW, grid)), height, width)
        return self.mix(sum_BCHW)


class Fusion(nn.Module):
    """UAFM: a share for each cell of what comes from the coarser step, the rest for what the trunk has there."""

    def __init__(self, coarse: int, fine: int, outputs: int):
        super().__init__()
        self.fine = Convolution(fine, coarse, kernel=1)
        self.share = nn.Sequential(Convolution(4, 2), nn.Conv2d(2, 1, 3, 1, 1))
        self.out = Convolution(coarse, outputs)

    def forward(self, coarse_BCHW: Tensor, fine_BCHW: Tensor) -> Tensor:
        """Features of the finer size."""
        coarse_BCHW, fine_BCHW = doubled(coarse_BCHW), self.fine(fine_BCHW)
        looks = [look for each in (coarse_BCHW, fine_BCHW) for look in (each.mean(1, keepdim=True), each.amax(1, keepdim=True))]
        share_B1HW = self.share(torch.cat(looks, dim=1)).sigmoid()
        return self.out(fine_BCHW + share_B1HW * (coarse_BCHW - fine_BCHW))


class Decoder(segmenter.Decoder):
    """Features of each fourth pixel, of the trunk's at strides 4 to 32."""

    stride = _STRIDES[0]

    def __init__(self, num_channels: Sequence[int]):
        """Makes it with fresh weights.

        Args:
            num_channels: of the trunk's features, from the finest to the coarsest.
        """
        super().__init__()
        coarsest, *beside = reversed(num_channels)
        self.num_features = _CHANNELS[-1]
        self.context = Context(coarsest, _CHANNELS[0])
        self.steps = nn.ModuleList(
            Fusion(before, fine, behind) for before, fine, behind in zip(_CHANNELS[:-1], beside, _CHANNELS[1:], strict=True)
        )

    def forward(self, maps: Sequence[Tensor]) -> Tensor:
        """As of every decoder."""
        coarsest, *beside = reversed(maps)
        x_BCHW: Tensor = self.context(coarsest)
        for step, fine_BCHW in zip(self.steps, beside, strict=True):
            x_BCHW = step(x_BCHW, fine_BCHW)
        return x_BCHW


def build(size: str) -> Network:
    """Builds trunk and decoder with fresh weights.

    Args:
        size: name of one of the family's sizes.
    """
    trunk = TRUNKS[size](_STRIDES)
    return Network(trunk, Decoder(trunk.num_channels))

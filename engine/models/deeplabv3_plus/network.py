"""DeepLabv3+: features seen at several distances at once, then sharpened by those of a fine stride.

Chen et al. 2018, https://arxiv.org/abs/1802.02611: the trunk keeps the cells of stride 16 and dilates, separable dilated
convolutions and the mean of the whole picture look at its features side by side (ASPP), and a decoder joins the features of
stride 4. Distances are a third of the paper's, as pictures are; half as many channels.

Shapes: B batch, C channels, H height, W width.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from engine.models.shared import segmenter
from engine.models.shared.enlarge import enlarged
from engine.models.shared.layers import Convolution, PooledConvolution, SeparableConvolution
from engine.models.shared.pyramid import TRUNKS
from engine.models.shared.segmenter import Network, load_pretrained

__all__ = ["build", "load_pretrained"]

_FINE, _COARSE = 4, 16
"""Strides of the features that the decoder joins."""
_DISTANCES = (2, 4, 6)
"""Cells from one tap of the dilated convolutions to the next; the paper has 6, 12, 18 of pictures of 513 pixels."""
_NUM_FEATURES = 128
_NUM_FINE = 48
"""Of the features of the fine stride that are joined: few, so that the coarse ones have their say."""


class SpatialPyramid(nn.Module):
    """ASPP: a 1x1 convolution, dilated ones and the mean of all cells, side by side, then mixed."""

    def __init__(self, inputs: int, outputs: int):
        super().__init__()
        self.here = Convolution(inputs, outputs, kernel=1)
        self.around = nn.ModuleList(SeparableConvolution(inputs, outputs, dilation=distance) for distance in _DISTANCES)
        self.everywhere = PooledConvolution(inputs, outputs)
        self.mix = Convolution((2 + len(_DISTANCES)) * outputs, outputs, kernel=1)

    def forward(self, x_BCHW: Tensor) -> Tensor:
        """Features of the same size."""
        mean_BC11 = self.everywhere(x_BCHW.mean(dim=(2, 3), keepdim=True))
        seen = [self.here(x_BCHW), *(each(x_BCHW) for each in self.around)]
        return self.mix(torch.cat([*seen, mean_BC11.expand_as(seen[0])], dim=1))


class Decoder(segmenter.Decoder):
    """Features of each fourth pixel, of the trunk's at strides 4 and 16."""

    stride = _FINE

    def __init__(self, num_channels: Sequence[int]):
        """Makes it with fresh weights.

        Args:
            num_channels: of the trunk's features, the finer first.
        """
        super().__init__()
        fine, coarse = num_channels
        self.num_features = _NUM_FEATURES
        self.pyramid = SpatialPyramid(coarse, _NUM_FEATURES)
        self.fine = Convolution(fine, _NUM_FINE, kernel=1)
        self.join = nn.Sequential(
            SeparableConvolution(_NUM_FEATURES + _NUM_FINE, _NUM_FEATURES),
            SeparableConvolution(_NUM_FEATURES, _NUM_FEATURES),
        )

    def forward(self, maps: Sequence[Tensor]) -> Tensor:
        """As of every decoder."""
        fine_BCHW, coarse_BCHW = maps
        wide_BCHW = enlarged(self.pyramid(coarse_BCHW), _COARSE // _FINE)
        joined_BCHW: Tensor = self.join(torch.cat([wide_BCHW, self.fine(fine_BCHW)], dim=1))
        return joined_BCHW


def build(size: str) -> Network:
    """Builds trunk and decoder with fresh weights.

    Args:
        size: name of one of the family's sizes.
    """
    trunk = TRUNKS[size]((_FINE, 32), coarsest=_COARSE)
    return Network(trunk, Decoder(trunk.num_channels))

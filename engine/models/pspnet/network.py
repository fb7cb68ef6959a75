"""PSPNet: each cell is judged with the means of ever larger parts of the picture, up to all of it.

Zhao et al. 2017, https://arxiv.org/abs/1612.01105: the trunk keeps the cells of stride 8 and dilates; means of grids of 1, 2, 3
and 6 parts are laid over its features. The trunk's blocks of stride 32 are left out: kept at stride 8 they would be most of the
work. Half as many channels, and no loss on the way.

Shapes: B batch, C channels, H height, W width.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from engine.models.shared import segmenter
from engine.models.shared.enlarge import pooled, stretched
from engine.models.shared.layers import Convolution, PooledConvolution
from engine.models.shared.pyramid import TRUNKS
from engine.models.shared.segmenter import Network, load_pretrained

__all__ = ["build", "load_pretrained"]

_STRIDE = 8
_GRIDS = (1, 2, 3, 6)
"""Parts along each side."""
_NUM_FEATURES = 128


class Decoder(segmenter.Decoder):
    """Features of each eighth pixel, of the trunk's at that stride."""

    stride = _STRIDE

    def __init__(self, num_channels: Sequence[int]):
        """Makes it with fresh weights.

        Args:
            num_channels: of the trunk's features, which are one map.
        """
        super().__init__()
        (inputs,) = num_channels
        self.num_features = _NUM_FEATURES
        self.parts = nn.ModuleList(PooledConvolution(inputs, inputs // len(_GRIDS)) for _ in _GRIDS)
        self.mix = Convolution(inputs + inputs // len(_GRIDS) * len(_GRIDS), _NUM_FEATURES)

    def forward(self, maps: Sequence[Tensor]) -> Tensor:
        """As of every decoder."""
        (x_BCHW,) = maps
        height, width = x_BCHW.shape[-2:]
        means = [stretched(part(pooled(x_BCHW, grid)), height, width) for grid, part in zip(_GRIDS, self.parts, strict=True)]
        mixed_BCHW: Tensor = self.mix(torch.cat([x_BCHW, *means], dim=1))
        return mixed_BCHW


def build(size: str) -> Network:
    """Builds trunk and decoder with fresh weights.

    Args:
        size: name of one of the family's sizes.
    """
    trunk = TRUNKS[size]((16,), coarsest=_STRIDE)
    return Network(trunk, Decoder(trunk.num_channels))

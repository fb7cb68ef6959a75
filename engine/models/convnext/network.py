"""ConvNeXt (Liu et al. 2022, https://arxiv.org/abs/2201.03545) to train from scratch.

Convolutions arranged as a transformer is. The sizes below *tiny* are those of ConvNeXt V2 (Woo et al. 2023,
https://arxiv.org/abs/2301.00808) with the blocks of the first. Blocks are never skipped at random, as the published training
does. With a head for 1,000 classes each size has as many parameters as published: *tiny* and *small* by torchvision's
documentation, the others by timm's table of models; ``tests/engine/test_published_networks.py`` has the numbers.

Shapes: B batch, C channels, H height, W width.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F  # noqa: N812 (the name that everybody knows)
from torch import Tensor, nn

_SIZES: dict[str, tuple[tuple[int, ...], tuple[int, ...]]] = {
    "atto": ((2, 2, 6, 2), (40, 80, 160, 320)),
    "femto": ((2, 2, 6, 2), (48, 96, 192, 384)),
    "pico": ((2, 2, 6, 2), (64, 128, 256, 512)),
    "nano": ((2, 2, 8, 2), (80, 160, 320, 640)),
    "tiny": ((3, 3, 9, 3), (96, 192, 384, 768)),
    "small": ((3, 3, 27, 3), (96, 192, 384, 768)),
}
"""Blocks and channels of each stage."""
_EPSILON = 1e-6
_FIRST_SCALE = 1e-6
"""Of what a block adds: it starts as the identity."""
_INIT_STD = 0.02


class _Norm(nn.LayerNorm):
    """Layer norm over the channels of each place."""

    def forward(self, x_BCHW: Tensor) -> Tensor:
        return super().forward(x_BCHW.permute(0, 2, 3, 1)).permute(0, 3, 1, 2)


class _Block(nn.Module):
    """Filters each channel over 7x7 places, then widens and narrows each place."""

    def __init__(self, channels: int):
        super().__init__()
        self.depthwise = nn.Conv2d(channels, channels, 7, 1, 3, groups=channels)
        self.norm = nn.LayerNorm(channels, eps=_EPSILON)
        self.widen, self.narrow = nn.Linear(channels, 4 * channels), nn.Linear(4 * channels, channels)
        self.scale_C = nn.Parameter(torch.full((channels,), _FIRST_SCALE))

    def forward(self, x_BCHW: Tensor) -> Tensor:
        y_BHWC = self.norm(self.depthwise(x_BCHW).permute(0, 2, 3, 1))
        y_BHWC = self.scale_C * self.narrow(F.gelu(self.widen(y_BHWC)))
        return x_BCHW + y_BHWC.permute(0, 3, 1, 2)


class ConvNeXt(nn.Module):
    """Pictures in, one vector each out (or ``num_outputs`` numbers when it has a head)."""

    def __init__(self, depths: tuple[int, ...], widths: tuple[int, ...], num_outputs: int):
        super().__init__()
        self.num_features = widths[-1]
        self.stem = nn.Sequential(nn.Conv2d(3, widths[0], 4, 4), _Norm(widths[0], eps=_EPSILON))
        blocks: list[nn.Module] = []
        channels = widths[0]
        for width, depth in zip(widths, depths, strict=True):
            if width != channels:
                blocks.append(nn.Sequential(_Norm(channels, eps=_EPSILON), nn.Conv2d(channels, width, 2, 2)))
            blocks += [_Block(width) for _ in range(depth)]
            channels = width
        self.blocks = nn.Sequential(*blocks)
        self.last_norm = nn.LayerNorm(channels, eps=_EPSILON)
        self.head: nn.Module = nn.Linear(channels, num_outputs) if num_outputs else nn.Identity()
        for module in self.modules():
            if isinstance(module, nn.Conv2d | nn.Linear):
                nn.init.trunc_normal_(module.weight, std=_INIT_STD)
                nn.init.zeros_(module.bias)  # type: ignore[arg-type] # all have one

    def forward(self, pictures_BCHW: Tensor) -> Tensor:
        """Runs the network.

        Args:
            pictures_BCHW: sRGB 0..255 as floats.
        """
        x_BCHW = (pictures_BCHW - 127.0) / 64.0  # about zero mean and unit variance on photographs
        x_BCHW = self.blocks(self.stem(x_BCHW))
        return self.head(self.last_norm(x_BCHW.mean(dim=(2, 3))))


def build(size: str, num_outputs: int = 0) -> ConvNeXt:
    """Builds the network with fresh weights.

    Args:
        size: name of one of the family's sizes.
        num_outputs: width of a linear head; 0 gives the features themselves.
    """
    depths, widths = _SIZES[size]
    return ConvNeXt(depths, widths, num_outputs)

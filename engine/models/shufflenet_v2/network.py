"""ShuffleNet V2 (Ma et al. 2018, https://arxiv.org/abs/1807.11164) to train from scratch.

Half of the channels pass a block as they are, and what both halves hold is mixed by taking their channels in turn. With a head
for 1,000 classes each size has as many parameters as torchvision's documentation says;
``tests/engine/test_published_networks.py`` has the numbers. Shapes: B batch, C channels, H height, W width.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F  # noqa: N812 (the name that everybody knows)
from torch import Tensor, nn

from engine.models.shared.layers import Convolution

_DEPTHS = (4, 8, 4)
_STEM = 24
_SIZES: dict[str, tuple[int, int, int, int]] = {
    "050": (48, 96, 192, 1024),
    "100": (116, 232, 464, 1024),
    "150": (176, 352, 704, 1024),
    "200": (244, 488, 976, 2048),
}
"""Channels of the three stages and of the convolution behind them, by the width in per cent."""


class _Depthwise(nn.Sequential):
    """Filters each channel by itself, then batch norm."""

    def __init__(self, channels: int, stride: int):
        conv = nn.Conv2d(channels, channels, 3, stride, 1, groups=channels, bias=False)
        nn.init.kaiming_normal_(conv.weight, nonlinearity="linear")
        super().__init__(conv, nn.BatchNorm2d(channels))


class _Block(nn.Module):
    """One half of the channels as it is and the other filtered; at a stride both are filtered, and there are twice as many."""

    def __init__(self, inputs: int, outputs: int, stride: int):
        super().__init__()
        half = outputs // 2
        self._is_halved = stride == 1
        read = half if self._is_halved else inputs
        self.passed = (
            nn.Identity() if self._is_halved else nn.Sequential(_Depthwise(inputs, stride), Convolution(inputs, half, kernel=1))
        )
        self.filtered = nn.Sequential(
            Convolution(read, half, kernel=1), _Depthwise(half, stride), Convolution(half, half, kernel=1)
        )

    def forward(self, x_BCHW: Tensor) -> Tensor:
        passed_BCHW, read_BCHW = x_BCHW.chunk(2, dim=1) if self._is_halved else (x_BCHW, x_BCHW)
        both_BCHW = torch.cat([self.passed(passed_BCHW), self.filtered(read_BCHW)], dim=1)
        return both_BCHW.unflatten(1, (2, -1)).transpose(1, 2).flatten(1, 2)  # a channel of one, a channel of the other


class ShuffleNetV2(nn.Module):
    """Pictures in, one vector each out (or ``num_outputs`` numbers when it has a head)."""

    def __init__(self, widths: tuple[int, int, int, int], num_outputs: int):
        super().__init__()
        self.num_features = widths[-1]
        self.stem = Convolution(3, _STEM, stride=2)
        blocks: list[nn.Module] = []
        channels = _STEM
        for width, depth in zip(widths[:3], _DEPTHS, strict=True):
            for number in range(depth):
                blocks.append(_Block(channels, width, 2 if number == 0 else 1))
                channels = width
        self.blocks = nn.Sequential(*blocks)
        self.last = Convolution(channels, self.num_features, kernel=1)
        self.head: nn.Module = nn.Linear(self.num_features, num_outputs) if num_outputs else nn.Identity()

    def forward(self, pictures_BCHW: Tensor) -> Tensor:
        """Runs the network.

        Args:
            pictures_BCHW: sRGB 0..255 as floats.
        """
        x_BCHW = (pictures_BCHW - 127.0) / 64.0  # about zero mean and unit variance on photographs
        x_BCHW = self.blocks(F.max_pool2d(self.stem(x_BCHW), 3, 2, 1))
        return self.head(self.last(x_BCHW).mean(dim=(2, 3)))


def build(size: str, num_outputs: int = 0) -> ShuffleNetV2:
    """Builds the network with fresh weights.

    Args:
        size: name of one of the family's sizes.
        num_outputs: width of a linear head; 0 gives the features themselves.
    """
    return ShuffleNetV2(_SIZES[size], num_outputs)

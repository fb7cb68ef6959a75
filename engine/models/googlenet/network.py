"""GoogLeNet (Szegedy et al. 2014, https://arxiv.org/abs/1409.4842) with batch norm, to train from scratch.

As torchvision has it: 3x3 convolutions in place of 5x5, and a norm behind each. The auxiliary heads are left out: they were to
carry gradients through a network without norms. With a head for 1,000 classes it has as many parameters as torchvision's
documentation says; ``tests/engine/test_published_networks.py`` has the number. Shapes: B batch, C channels, H height, W width.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F  # noqa: N812 (the name that everybody knows)
from torch import Tensor, nn

from engine.models.shared.layers import Convolution

_STAGES = (
    ((64, 96, 128, 16, 32, 32), (128, 128, 192, 32, 96, 64)),
    (
        (192, 96, 208, 16, 48, 64),
        (160, 112, 224, 24, 64, 64),
        (128, 128, 256, 24, 64, 64),
        (112, 144, 288, 32, 64, 64),
        (256, 160, 320, 32, 128, 128),
    ),
    ((256, 160, 320, 32, 128, 128), (384, 192, 384, 48, 128, 128)),
)
"""Channels of each block: of its 1x1 branch, of the second before and at its 3x3, of the third likewise, behind its pooling."""


class _Inception(nn.Module):
    """Four branches that look at a place in different ways, side by side."""

    def __init__(self, inputs: int, widths: tuple[int, int, int, int, int, int]):
        super().__init__()
        one, two_narrow, two, three_narrow, three, pooled = widths
        self.num_outputs = one + two + three + pooled
        self.one = Convolution(inputs, one, kernel=1)
        self.two = nn.Sequential(Convolution(inputs, two_narrow, kernel=1), Convolution(two_narrow, two))
        self.three = nn.Sequential(Convolution(inputs, three_narrow, kernel=1), Convolution(three_narrow, three))
        self.pooled = nn.Sequential(nn.MaxPool2d(3, 1, 1), Convolution(inputs, pooled, kernel=1))

    def forward(self, x_BCHW: Tensor) -> Tensor:
        return torch.cat([branch(x_BCHW) for branch in (self.one, self.two, self.three, self.pooled)], dim=1)


class GoogLeNet(nn.Module):
    """Pictures in, one vector each out (or ``num_outputs`` numbers when it has a head)."""

    def __init__(self, num_outputs: int):
        super().__init__()
        self.stem = Convolution(3, 64, kernel=7, stride=2)
        self.second = nn.Sequential(Convolution(64, 64, kernel=1), Convolution(64, 192))
        stages: list[nn.Module] = []
        channels = 192
        for blocks in _STAGES:
            built: list[nn.Module] = []
            for widths in blocks:
                block = _Inception(channels, widths)
                built.append(block)
                channels = block.num_outputs
            stages.append(nn.Sequential(*built))
        self.stages = nn.ModuleList(stages)
        self.num_features = channels
        self.head: nn.Module = nn.Linear(channels, num_outputs) if num_outputs else nn.Identity()

    def forward(self, pictures_BCHW: Tensor) -> Tensor:
        """Runs the network.

        Args:
            pictures_BCHW: sRGB 0..255 as floats.
        """
        x_BCHW = (pictures_BCHW - 127.0) / 64.0  # about zero mean and unit variance on photographs
        x_BCHW = self.second(F.max_pool2d(self.stem(x_BCHW), 3, 2, 1))
        for stage in self.stages:
            x_BCHW = stage(F.max_pool2d(x_BCHW, 3, 2, 1))
        return self.head(x_BCHW.mean(dim=(2, 3)))


def build(size: str, num_outputs: int = 0) -> GoogLeNet:
    """Builds the network with fresh weights.

    Args:
        size: the family's only one.
        num_outputs: width of a linear head; 0 gives the features themselves.
    """
    del size
    return GoogLeNet(num_outputs)

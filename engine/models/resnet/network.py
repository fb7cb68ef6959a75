"""Residual networks (He et al. 2015, https://arxiv.org/abs/1512.03385) to train from scratch.

The stride of a bottleneck sits on its 3x3 convolution, and the last batch norm of each block starts at zero, so that a block
starts as the identity (Goyal et al. 2017, https://arxiv.org/abs/1706.02677). Dense convolutions only: this is the family
that gains from bf16 on a CPU with matrix units. Shapes: B batch, C channels, H height, W width.
"""

from __future__ import annotations

import torch.nn.functional as F  # noqa: N812 (the name that everybody knows)
from torch import Tensor, nn

_WIDTHS = (64, 128, 256, 512)


class _Shortcut(nn.Sequential):
    """Brings the input to the shape of the block's output."""

    def __init__(self, inputs: int, outputs: int, stride: int):
        super().__init__(nn.Conv2d(inputs, outputs, 1, stride, bias=False), nn.BatchNorm2d(outputs))


class _Basic(nn.Module):
    """Two 3x3 convolutions."""

    expansion = 1

    def __init__(self, inputs: int, width: int, stride: int):
        super().__init__()
        self.conv1 = nn.Conv2d(inputs, width, 3, stride, 1, bias=False)
        self.norm1 = nn.BatchNorm2d(width)
        self.conv2 = nn.Conv2d(width, width, 3, 1, 1, bias=False)
        self.last_norm = nn.BatchNorm2d(width)
        self.shortcut = _Shortcut(inputs, width, stride) if stride != 1 or inputs != width else nn.Identity()

    def forward(self, x_BCHW: Tensor) -> Tensor:
        y_BCHW = F.relu(self.norm1(self.conv1(x_BCHW)))
        y_BCHW = self.last_norm(self.conv2(y_BCHW))
        return F.relu(y_BCHW + self.shortcut(x_BCHW))


class _Bottleneck(nn.Module):
    """Narrow, 3x3, widen."""

    expansion = 4

    def __init__(self, inputs: int, width: int, stride: int):
        super().__init__()
        outputs = width * self.expansion
        self.conv1 = nn.Conv2d(inputs, width, 1, bias=False)
        self.norm1 = nn.BatchNorm2d(width)
        self.conv2 = nn.Conv2d(width, width, 3, stride, 1, bias=False)
        self.norm2 = nn.BatchNorm2d(width)
        self.conv3 = nn.Conv2d(width, outputs, 1, bias=False)
        self.last_norm = nn.BatchNorm2d(outputs)
        self.shortcut = _Shortcut(inputs, outputs, stride) if stride != 1 or inputs != outputs else nn.Identity()

    def forward(self, x_BCHW: Tensor) -> Tensor:
        y_BCHW = F.relu(self.norm1(self.conv1(x_BCHW)))
        y_BCHW = F.relu(self.norm2(self.conv2(y_BCHW)))
        y_BCHW = self.last_norm(self.conv3(y_BCHW))
        return F.relu(y_BCHW + self.shortcut(x_BCHW))


_SIZES: dict[str, tuple[type[_Basic] | type[_Bottleneck], tuple[int, ...]]] = {
    "18": (_Basic, (2, 2, 2, 2)),
    "34": (_Basic, (3, 4, 6, 3)),
    "50": (_Bottleneck, (3, 4, 6, 3)),
}


class ResNet(nn.Module):
    """Pictures in, one vector each out (or ``num_outputs`` numbers when it has a head)."""

    def __init__(self, block: type[_Basic] | type[_Bottleneck], depths: tuple[int, ...], num_outputs: int):
        super().__init__()
        self.num_features = _WIDTHS[-1] * block.expansion
        self.stem = nn.Conv2d(3, _WIDTHS[0], 7, 2, 3, bias=False)
        self.stem_norm = nn.BatchNorm2d(_WIDTHS[0])
        blocks: list[nn.Module] = []
        channels = _WIDTHS[0]
        for stage, (width, depth) in enumerate(zip(_WIDTHS, depths, strict=True)):
            for number in range(depth):
                blocks.append(block(channels, width, 2 if stage > 0 and number == 0 else 1))
                channels = width * block.expansion
        self.blocks = nn.Sequential(*blocks)
        self.head: nn.Module = nn.Linear(channels, num_outputs) if num_outputs else nn.Identity()
        _initialise(self)

    def forward(self, pictures_BCHW: Tensor) -> Tensor:
        """Runs the network.

        Args:
            pictures_BCHW: sRGB 0..255 as floats.
        """
        x_BCHW = (pictures_BCHW - 127.0) / 64.0  # about zero mean and unit variance on photographs
        x_BCHW = F.relu(self.stem_norm(self.stem(x_BCHW)))
        x_BCHW = self.blocks(F.max_pool2d(x_BCHW, 3, 2, 1))
        return self.head(x_BCHW.mean(dim=(2, 3)))


def build(size: str, num_outputs: int = 0) -> ResNet:
    """Builds the network with fresh weights.

    Args:
        size: name of one of the family's sizes.
        num_outputs: width of a linear head; 0 gives the features themselves.
    """
    block, depths = _SIZES[size]
    return ResNet(block, depths, num_outputs)


def _initialise(network: nn.Module) -> None:
    for module in network.modules():
        if isinstance(module, nn.Conv2d):
            nn.init.kaiming_normal_(module.weight, mode="fan_out", nonlinearity="relu")
        elif isinstance(module, _Basic | _Bottleneck):
            nn.init.zeros_(module.last_norm.weight)

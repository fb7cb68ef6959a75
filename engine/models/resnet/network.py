"""Residual networks (He et al. 2015, https://arxiv.org/abs/1512.03385) and their variants to train from scratch.

The stride of a bottleneck sits on its 3x3 convolution, and the last batch norm of each block starts at zero, so that a block
starts as the identity (Goyal et al. 2017, https://arxiv.org/abs/1706.02677). Dense convolutions only, but for ResNeXt: this is
the family that gains from bf16 on a CPU with matrix units. Variants, which the names of sizes combine:

- ``d`` ("vd"): a stem of three 3x3 convolutions, and shortcuts that pool before they mix channels (He et al. 2018, ResNet-D,
  https://arxiv.org/abs/1812.01187);
- ``se_``: channels are weighed by what all of the picture shows, a sixteenth as wide inside (Hu et al. 2017,
  https://arxiv.org/abs/1709.01507);
- ``next..._GxWd``: the 3x3 convolution of a bottleneck in G groups, W channels each in the first stage (Xie et al. 2016,
  https://arxiv.org/abs/1611.05431);
- ``wide..._2``: twice as wide within the bottleneck (Zagoruyko and Komodakis 2016, https://arxiv.org/abs/1605.07146).

With a head for 1,000 classes each has as many parameters as published: by torchvision's documentation, of ``d`` by timm's
table of models, of ``se_`` and of ResNeXt-101 (32x4d) by the table of pytorchcv
(https://github.com/osmr/imgclsmob); ``tests/engine/test_published_networks.py`` has the numbers.

Shapes: B batch, C channels, H height, W width.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
import torch.nn.functional as F  # noqa: N812 (the name that everybody knows)
from torch import Tensor, nn

_WIDTHS = (64, 128, 256, 512)
_SQUEEZE = 16
"""How many times narrower the weighing of channels is inside."""


@dataclass(frozen=True)
class _Shape:
    """What tells the sizes apart."""

    depths: tuple[int, int, int, int]
    """Blocks of each stage."""
    is_bottleneck: bool
    num_groups: int = 1
    group_width: int = 64
    """Channels of a group within the bottlenecks of the first stage."""
    is_d: bool = False
    is_squeezed: bool = False
    """Whether channels are weighed."""

    @property
    def expansion(self) -> int:
        """Channels of a block's output by those of its stage's name."""
        return 4 if self.is_bottleneck else 1


class _Squeeze(nn.Module):
    """Weighs channels by what all of the picture shows."""

    def __init__(self, channels: int):
        super().__init__()
        self.narrow = nn.Conv2d(channels, channels // _SQUEEZE, 1)
        self.wide = nn.Conv2d(channels // _SQUEEZE, channels, 1)

    def forward(self, x_BCHW: Tensor) -> Tensor:
        mean_BC11 = x_BCHW.mean(dim=(2, 3), keepdim=True)
        return x_BCHW * torch.sigmoid(self.wide(F.relu(self.narrow(mean_BC11))))


def _shortcut(inputs: int, outputs: int, stride: int, *, is_d: bool) -> nn.Module:
    """Brings the input to the shape of the block's output."""
    if stride == 1 and inputs == outputs:
        return nn.Identity()
    pools = is_d and stride != 1
    mixed = nn.Conv2d(inputs, outputs, 1, 1 if pools else stride, bias=False)
    pooled = (nn.AvgPool2d(stride, stride, ceil_mode=True, count_include_pad=False),) if pools else ()
    return nn.Sequential(*pooled, mixed, nn.BatchNorm2d(outputs))


class _Basic(nn.Module):
    """Two 3x3 convolutions."""

    def __init__(self, inputs: int, width: int, stride: int, shape: _Shape):
        super().__init__()
        self.conv1 = nn.Conv2d(inputs, width, 3, stride, 1, bias=False)
        self.norm1 = nn.BatchNorm2d(width)
        self.conv2 = nn.Conv2d(width, width, 3, 1, 1, bias=False)
        self.last_norm = nn.BatchNorm2d(width)
        self.squeeze: nn.Module = _Squeeze(width) if shape.is_squeezed else nn.Identity()
        self.shortcut = _shortcut(inputs, width, stride, is_d=shape.is_d)

    def forward(self, x_BCHW: Tensor) -> Tensor:
        y_BCHW = F.relu(self.norm1(self.conv1(x_BCHW)))
        y_BCHW = self.squeeze(self.last_norm(self.conv2(y_BCHW)))
        return F.relu(y_BCHW + self.shortcut(x_BCHW))


class _Bottleneck(nn.Module):
    """Narrow, 3x3, widen."""

    def __init__(self, inputs: int, width: int, stride: int, shape: _Shape):
        super().__init__()
        outputs, groups = width * shape.expansion, shape.num_groups
        inner = groups * shape.group_width * width // _WIDTHS[0]
        self.conv1 = nn.Conv2d(inputs, inner, 1, bias=False)
        self.norm1 = nn.BatchNorm2d(inner)
        self.conv2 = nn.Conv2d(inner, inner, 3, stride, 1, groups=groups, bias=False)
        self.norm2 = nn.BatchNorm2d(inner)
        self.conv3 = nn.Conv2d(inner, outputs, 1, bias=False)
        self.last_norm = nn.BatchNorm2d(outputs)
        self.squeeze: nn.Module = _Squeeze(outputs) if shape.is_squeezed else nn.Identity()
        self.shortcut = _shortcut(inputs, outputs, stride, is_d=shape.is_d)

    def forward(self, x_BCHW: Tensor) -> Tensor:
        y_BCHW = F.relu(self.norm1(self.conv1(x_BCHW)))
        y_BCHW = F.relu(self.norm2(self.conv2(y_BCHW)))
        y_BCHW = self.squeeze(self.last_norm(self.conv3(y_BCHW)))
        return F.relu(y_BCHW + self.shortcut(x_BCHW))


_18, _34, _101, _152 = (2, 2, 2, 2), (3, 4, 6, 3), (3, 4, 23, 3), (3, 8, 36, 3)
_50 = _34

_SIZES: dict[str, _Shape] = {
    "18": _Shape(_18, is_bottleneck=False),
    "34": _Shape(_34, is_bottleneck=False),
    "50": _Shape(_50, is_bottleneck=True),
    "101": _Shape(_101, is_bottleneck=True),
    "152": _Shape(_152, is_bottleneck=True),
    "18d": _Shape(_18, is_bottleneck=False, is_d=True),
    "34d": _Shape(_34, is_bottleneck=False, is_d=True),
    "50d": _Shape(_50, is_bottleneck=True, is_d=True),
    "101d": _Shape(_101, is_bottleneck=True, is_d=True),
    "152d": _Shape(_152, is_bottleneck=True, is_d=True),
    "next50_32x4d": _Shape(_50, is_bottleneck=True, num_groups=32, group_width=4),
    "next101_32x4d": _Shape(_101, is_bottleneck=True, num_groups=32, group_width=4),
    "next101_64x4d": _Shape(_101, is_bottleneck=True, num_groups=64, group_width=4),
    "next101_32x8d": _Shape(_101, is_bottleneck=True, num_groups=32, group_width=8),
    "wide50_2": _Shape(_50, is_bottleneck=True, group_width=128),
    "wide101_2": _Shape(_101, is_bottleneck=True, group_width=128),
    "se_18": _Shape(_18, is_bottleneck=False, is_squeezed=True),
    "se_34": _Shape(_34, is_bottleneck=False, is_squeezed=True),
    "se_50": _Shape(_50, is_bottleneck=True, is_squeezed=True),
    "se_101": _Shape(_101, is_bottleneck=True, is_squeezed=True),
    "se_152": _Shape(_152, is_bottleneck=True, is_squeezed=True),
    "se_next50_32x4d": _Shape(_50, is_bottleneck=True, num_groups=32, group_width=4, is_squeezed=True),
    "se_next101_32x4d": _Shape(_101, is_bottleneck=True, num_groups=32, group_width=4, is_squeezed=True),
    "se_next101_64x4d": _Shape(_101, is_bottleneck=True, num_groups=64, group_width=4, is_squeezed=True),
}


class ResNet(nn.Module):
    """Pictures in, one vector each out (or ``num_outputs`` numbers when it has a head)."""

    def __init__(self, shape: _Shape, num_outputs: int):
        super().__init__()
        self.num_features = _WIDTHS[-1] * shape.expansion
        self.stem: nn.Module = _deep_stem() if shape.is_d else nn.Conv2d(3, _WIDTHS[0], 7, 2, 3, bias=False)
        self.stem_norm = nn.BatchNorm2d(_WIDTHS[0])
        block = _Bottleneck if shape.is_bottleneck else _Basic
        blocks: list[nn.Module] = []
        channels = _WIDTHS[0]
        for stage, (width, depth) in enumerate(zip(_WIDTHS, shape.depths, strict=True)):
            for number in range(depth):
                blocks.append(block(channels, width, 2 if stage > 0 and number == 0 else 1, shape))
                channels = width * shape.expansion
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
    return ResNet(_SIZES[size], num_outputs)


def _deep_stem() -> nn.Sequential:
    """Three convolutions up to the norm that follows any stem."""
    half = _WIDTHS[0] // 2
    return nn.Sequential(
        nn.Conv2d(3, half, 3, 2, 1, bias=False),
        nn.BatchNorm2d(half),
        nn.ReLU(),
        nn.Conv2d(half, half, 3, 1, 1, bias=False),
        nn.BatchNorm2d(half),
        nn.ReLU(),
        nn.Conv2d(half, _WIDTHS[0], 3, 1, 1, bias=False),
    )


def _initialise(network: nn.Module) -> None:
    for module in network.modules():
        if isinstance(module, nn.Conv2d):
            nn.init.kaiming_normal_(module.weight, mode="fan_out", nonlinearity="relu")
            if module.bias is not None:
                nn.init.zeros_(module.bias)
        elif isinstance(module, _Basic | _Bottleneck):
            nn.init.zeros_(module.last_norm.weight)

"""MobileNet: networks for small devices whose convolutions filter each channel by itself, to train from scratch.

- ``v1_...``: a depthwise and a 1x1 convolution a layer (Howard et al. 2017, https://arxiv.org/abs/1704.04861);
- ``v2_...``: inverted residuals, wide within a block and narrow between (Sandler et al. 2018, https://arxiv.org/abs/1801.04381);
- ``v3_small_...``, ``v3_large_...``: the same with channels weighed by all of the picture and hard-swish (Howard et al. 2019,
  https://arxiv.org/abs/1905.02244).

The number behind is the width in per cent. Channels are multiples of eight, and never a tenth fewer than asked for. With a head
for 1,000 classes each has as many parameters as published: MobileNetV1 by Keras' applications, whose totals count the norms'
statistics too, v2 and v3 at full width by torchvision's documentation, at other widths by timm's table of models;
``tests/engine/test_published_networks.py`` has the numbers.

Shapes: B batch, C channels, H height, W width.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch.nn.functional as F  # noqa: N812 (the name that everybody knows)
from torch import Tensor, nn

Activation = Callable[[Tensor], Tensor]


@dataclass(frozen=True)
class _Stage:
    """A run of blocks at one width; the first may halve the picture."""

    num_blocks: int
    kernel: int
    stride: int
    expansion: float
    """Channels within a block by those that it reads; 0: a depthwise and a 1x1 convolution, nothing more."""
    channels: int
    is_squeezed: bool = False
    """Whether channels are weighed."""
    activation: Activation = F.relu


_V1 = tuple(
    _Stage(num_blocks, 3, stride, 0, channels, activation=F.relu6)
    for num_blocks, stride, channels in ((1, 1, 64), (2, 2, 128), (2, 2, 256), (6, 2, 512), (2, 2, 1024))
)
_V2 = tuple(
    _Stage(num_blocks, 3, stride, expansion, channels, activation=F.relu6)
    for num_blocks, stride, expansion, channels in (
        (1, 1, 1, 16),
        (2, 2, 6, 24),
        (3, 2, 6, 32),
        (4, 2, 6, 64),
        (3, 1, 6, 96),
        (3, 2, 6, 160),
        (1, 1, 6, 320),
    )
)
_V3_SMALL = (
    _Stage(1, 3, 2, 1, 16, is_squeezed=True),
    _Stage(1, 3, 2, 72 / 16, 24),
    _Stage(1, 3, 1, 88 / 24, 24),
    _Stage(1, 5, 2, 4, 40, is_squeezed=True, activation=F.hardswish),
    _Stage(2, 5, 1, 6, 40, is_squeezed=True, activation=F.hardswish),
    _Stage(2, 5, 1, 3, 48, is_squeezed=True, activation=F.hardswish),
    _Stage(3, 5, 2, 6, 96, is_squeezed=True, activation=F.hardswish),
)
_V3_LARGE = (
    _Stage(1, 3, 1, 1, 16),
    _Stage(1, 3, 2, 4, 24),
    _Stage(1, 3, 1, 3, 24),
    _Stage(3, 5, 2, 3, 40, is_squeezed=True),
    _Stage(1, 3, 2, 6, 80, activation=F.hardswish),
    _Stage(1, 3, 1, 2.5, 80, activation=F.hardswish),
    _Stage(2, 3, 1, 2.3, 80, activation=F.hardswish),
    _Stage(2, 3, 1, 6, 112, is_squeezed=True, activation=F.hardswish),
    _Stage(3, 5, 2, 6, 160, is_squeezed=True, activation=F.hardswish),
)


@dataclass(frozen=True)
class _Shape:
    """What tells the versions apart."""

    stages: tuple[_Stage, ...]
    stem: int
    """Channels of the first convolution."""
    stem_activation: Activation
    last: int = 0
    """Channels of the convolution behind the blocks; 0: none. Those of version 3 are six times those of the last block."""
    features: int = 0
    """Width of the layer on the pooled picture; 0: none."""


_SHAPES = {
    "v1": _Shape(_V1, 32, F.relu6),
    "v2": _Shape(_V2, 32, F.relu6, last=1280),
    "v3_small": _Shape(_V3_SMALL, 16, F.hardswish, last=576, features=1024),
    "v3_large": _Shape(_V3_LARGE, 16, F.hardswish, last=960, features=1280),
}


class _ConvNorm(nn.Module):
    """Convolution, then batch norm."""

    def __init__(self, inputs: int, outputs: int, kernel: int, stride: int = 1, groups: int = 1):
        super().__init__()
        self.conv = nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, groups=groups, bias=False)
        self.norm = nn.BatchNorm2d(outputs)

    def forward(self, x_BCHW: Tensor) -> Tensor:
        return self.norm(self.conv(x_BCHW))


class _Squeeze(nn.Module):
    """Weighs channels by what all of the picture shows."""

    def __init__(self, channels: int):
        super().__init__()
        inner = _rounded(channels / 4)
        self.narrow = nn.Conv2d(channels, inner, 1)
        self.wide = nn.Conv2d(inner, channels, 1)

    def forward(self, x_BCHW: Tensor) -> Tensor:
        mean_BC11 = x_BCHW.mean(dim=(2, 3), keepdim=True)
        return x_BCHW * F.hardsigmoid(self.wide(F.relu(self.narrow(mean_BC11))))


class _Separable(nn.Module):
    """Filters each channel, then mixes them."""

    def __init__(self, inputs: int, outputs: int, stage: _Stage, stride: int):
        super().__init__()
        self.depthwise = _ConvNorm(inputs, inputs, stage.kernel, stride, groups=inputs)
        self.mix = _ConvNorm(inputs, outputs, 1)
        self._activation = stage.activation

    def forward(self, x_BCHW: Tensor) -> Tensor:
        return self._activation(self.mix(self._activation(self.depthwise(x_BCHW))))


class _Inverted(nn.Module):
    """Widens, filters each channel, narrows; adds the input where shapes allow."""

    def __init__(self, inputs: int, outputs: int, stage: _Stage, stride: int):
        super().__init__()
        inner = _rounded(inputs * stage.expansion)
        self.expand = _ConvNorm(inputs, inner, 1) if stage.expansion != 1 else None
        self.depthwise = _ConvNorm(inner, inner, stage.kernel, stride, groups=inner)
        self.squeeze: nn.Module = _Squeeze(inner) if stage.is_squeezed else nn.Identity()
        self.project = _ConvNorm(inner, outputs, 1)
        self._activation = stage.activation
        self._has_skip = stride == 1 and inputs == outputs

    def forward(self, x_BCHW: Tensor) -> Tensor:
        y_BCHW = self._activation(self.expand(x_BCHW)) if self.expand is not None else x_BCHW
        y_BCHW = self.project(self.squeeze(self._activation(self.depthwise(y_BCHW))))
        return y_BCHW + x_BCHW if self._has_skip else y_BCHW


class MobileNet(nn.Module):
    """Pictures in, one vector each out (or ``num_outputs`` numbers when it has a head)."""

    def __init__(self, shape: _Shape, width: float, num_outputs: int):
        super().__init__()
        self._activation = shape.stem_activation
        channels = _rounded(shape.stem * width)
        self.stem = _ConvNorm(3, channels, 3, 2)
        blocks: list[nn.Module] = []
        for stage in shape.stages:
            outputs = _rounded(stage.channels * width)
            block = _Inverted if stage.expansion else _Separable
            for number in range(stage.num_blocks):
                blocks.append(block(channels, outputs, stage, stage.stride if number == 0 else 1))
                channels = outputs
        self.blocks = nn.Sequential(*blocks)
        self.last = None
        if shape.last:  # version 2 keeps its features where the network is narrower
            last = _rounded(shape.last * (width if shape.features else max(1.0, width)))
            self.last, channels = _ConvNorm(channels, last, 1), last
        self.pooled = nn.Linear(channels, shape.features) if shape.features else None
        self.num_features = shape.features or channels
        self.head: nn.Module = nn.Linear(self.num_features, num_outputs) if num_outputs else nn.Identity()
        for module in self.modules():
            if isinstance(module, nn.Conv2d):
                nn.init.kaiming_normal_(module.weight, mode="fan_out")
                if module.bias is not None:
                    nn.init.zeros_(module.bias)

    def forward(self, pictures_BCHW: Tensor) -> Tensor:
        """Runs the network.

        Args:
            pictures_BCHW: sRGB 0..255 as floats.
        """
        x_BCHW = (pictures_BCHW - 127.0) / 64.0  # about zero mean and unit variance on photographs
        x_BCHW = self.blocks(self._activation(self.stem(x_BCHW)))
        if self.last is not None:
            x_BCHW = self._activation(self.last(x_BCHW))
        x_BD = x_BCHW.mean(dim=(2, 3))
        if self.pooled is not None:
            x_BD = self._activation(self.pooled(x_BD))
        return self.head(x_BD)


def build(size: str, num_outputs: int = 0) -> MobileNet:
    """Builds the network with fresh weights.

    Args:
        size: name of one of the family's sizes.
        num_outputs: width of a linear head; 0 gives the features themselves.
    """
    name, percent = size.rsplit("_", 1)
    return MobileNet(_SHAPES[name], int(percent) / 100, num_outputs)


def _rounded(channels: float) -> int:
    """The nearest multiple of eight that is at most a tenth smaller."""
    nearest = max(8, int(channels + 4) // 8 * 8)
    return nearest + 8 if nearest < 0.9 * channels else nearest

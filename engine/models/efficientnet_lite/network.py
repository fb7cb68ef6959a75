"""EfficientNet-Lite: EfficientNet without squeeze-and-excitation, with ReLU6 and a stem and head of fixed width.

Written after the published TensorFlow network (https://github.com/tensorflow/tpu, models/official/efficientnet/lite), so that
the converted ImageNet weights load strictly. Shapes: B batch, C channels, H height, W width, D features.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import torch.nn.functional as F  # noqa: N812 (the name that everybody knows)
from torch import Tensor, nn

BN_EPSILON = 1e-3
STEM_CHANNELS = 32
NUM_FEATURES = 1280


@dataclass(frozen=True)
class _Stage:
    """A run of blocks at one width; the first may halve the picture."""

    num_blocks: int
    kernel: int
    stride: int
    expansion: int
    channels: int


_STAGES = (
    _Stage(1, 3, 1, 1, 16),
    _Stage(2, 3, 2, 6, 24),
    _Stage(2, 5, 2, 6, 40),
    _Stage(3, 3, 2, 6, 80),
    _Stage(3, 5, 1, 6, 112),
    _Stage(4, 5, 2, 6, 192),
    _Stage(1, 3, 1, 6, 320),
)
_SCALES = {"0": (1.0, 1.0), "1": (1.0, 1.1), "2": (1.1, 1.2), "3": (1.2, 1.4), "4": (1.4, 1.8)}
"""Width and depth by size."""


class _SameConv(nn.Conv2d):
    """Convolution with TensorFlow's SAME padding. Odd padding goes right and below."""

    def forward(self, x_BCHW: Tensor) -> Tensor:
        stride, dilation = self.stride[0], self.dilation[0]
        reach = (self.kernel_size[0] - 1) * dilation + 1
        pad_h, pad_w = (_same_padding(side, reach, stride) for side in x_BCHW.shape[-2:])
        if pad_h % 2 == 0 and pad_w % 2 == 0:  # the convolution pads by itself without a copy
            return F.conv2d(x_BCHW, self.weight, self.bias, stride, (pad_h // 2, pad_w // 2), dilation, self.groups)
        padded_BCHW = F.pad(x_BCHW, (pad_w // 2, pad_w - pad_w // 2, pad_h // 2, pad_h - pad_h // 2))
        return F.conv2d(padded_BCHW, self.weight, self.bias, stride, 0, dilation, self.groups)


class _ConvNorm(nn.Module):
    """Convolution, then batch norm."""

    def __init__(self, inputs: int, outputs: int, kernel: int, stride: int = 1, groups: int = 1):
        super().__init__()
        self.conv = _SameConv(inputs, outputs, kernel, stride, groups=groups, bias=False)
        self.norm = nn.BatchNorm2d(outputs, eps=BN_EPSILON)

    def forward(self, x_BCHW: Tensor) -> Tensor:
        return self.norm(self.conv(x_BCHW))


class _Block(nn.Module):
    """Inverted residual: widen, filter each channel, narrow; add the input where shapes allow."""

    def __init__(self, inputs: int, outputs: int, kernel: int, stride: int, expansion: int):
        super().__init__()
        inner = inputs * expansion
        self.expand = _ConvNorm(inputs, inner, 1) if expansion != 1 else None
        self.depthwise = _ConvNorm(inner, inner, kernel, stride, groups=inner)
        self.project = _ConvNorm(inner, outputs, 1)
        self.has_skip = stride == 1 and inputs == outputs

    def forward(self, x_BCHW: Tensor) -> Tensor:
        y_BCHW = F.relu6(self.expand(x_BCHW)) if self.expand is not None else x_BCHW
        y_BCHW = F.relu6(self.depthwise(y_BCHW))
        y_BCHW = self.project(y_BCHW)
        return y_BCHW + x_BCHW if self.has_skip else y_BCHW


class EfficientNetLite(nn.Module):
    """Pictures in, one vector each out (or ``num_outputs`` numbers when it has a head)."""

    def __init__(self, width: float, depth: float, num_outputs: int):
        super().__init__()
        self.num_features = NUM_FEATURES
        self.stem = _ConvNorm(3, STEM_CHANNELS, 3, 2)
        blocks, channels = [], STEM_CHANNELS
        for index, stage in enumerate(_STAGES):
            outputs = _round_channels(stage.channels * width)
            is_fixed = index in {0, len(_STAGES) - 1}  # the first and last stage keep their depth
            for number in range(stage.num_blocks if is_fixed else math.ceil(stage.num_blocks * depth)):
                stride = stage.stride if number == 0 else 1
                blocks.append(_Block(channels, outputs, stage.kernel, stride, stage.expansion))
                channels = outputs
        self.blocks = nn.Sequential(*blocks)
        self.last = _ConvNorm(channels, NUM_FEATURES, 1)
        self.head: nn.Module = nn.Linear(NUM_FEATURES, num_outputs) if num_outputs else nn.Identity()

    def forward(self, pictures_BCHW: Tensor) -> Tensor:
        """Runs the network.

        Args:
            pictures_BCHW: sRGB 0..255 as floats.
        """
        x_BCHW = (pictures_BCHW - 127.0) / 128.0
        x_BCHW = F.relu6(self.stem(x_BCHW))
        x_BCHW = F.relu6(self.last(self.blocks(x_BCHW)))
        return self.head(x_BCHW.mean(dim=(2, 3)))


def build(size: str, num_outputs: int = 0) -> EfficientNetLite:
    """Builds the network with random weights.

    Args:
        size: name of one of the family's sizes.
        num_outputs: width of a linear head; 0 gives the features themselves.
    """
    width, depth = _SCALES[size]
    return EfficientNetLite(width, depth, num_outputs)


def load_pretrained(network: EfficientNetLite, weights: Mapping[str, Tensor]) -> None:
    """Loads the converted ImageNet weights, strictly; the published head is left out where the network has none.

    Raises:
        RuntimeError: a tensor is missing, unknown or of another shape.
    """
    own = {_own_name(name): tensor for name, tensor in weights.items()}
    if isinstance(network.head, nn.Identity):
        own = {name: tensor for name, tensor in own.items() if not name.startswith("head.")}
    network.load_state_dict(own, strict=True)


_NAMES = (
    ("_conv_stem.", "stem.conv."),
    ("_conv_head.", "last.conv."),
    ("_fc.", "head."),
    ("_blocks.", "blocks."),
    ("._expand_conv.", ".expand.conv."),
    ("._depthwise_conv.", ".depthwise.conv."),
    ("._project_conv.", ".project.conv."),
    ("._bn0.", ".expand.norm."),
    ("._bn1.", ".depthwise.norm."),
    ("._bn2.", ".project.norm."),
)


def _own_name(name: str) -> str:
    """The published name of a tensor in our words; our own names stay."""
    if name.startswith("_bn0."):
        return name.replace("_bn0.", "stem.norm.")
    if name.startswith("_bn1."):
        return name.replace("_bn1.", "last.norm.")
    for theirs, ours in _NAMES:
        name = name.replace(theirs, ours)
    return name


def _same_padding(side: int, kernel: int, stride: int) -> int:
    return max((math.ceil(side / stride) - 1) * stride + kernel - side, 0)


def _round_channels(channels: float, divisor: int = 8) -> int:
    """Rounds to a multiple of ``divisor`` without losing more than a tenth."""
    rounded = max(divisor, int(channels + divisor / 2) // divisor * divisor)
    return rounded + divisor if rounded < 0.9 * channels else rounded

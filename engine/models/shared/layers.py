"""Layers that networks for pixels are made of. Shapes: B batch, C channels, H height, W width."""

from __future__ import annotations

from torch import nn


class Convolution(nn.Sequential):
    """Convolution, norm and what is positive of it."""

    def __init__(self, inputs: int, outputs: int, *, kernel: int = 3, stride: int = 1):
        conv = nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, bias=False)
        nn.init.kaiming_normal_(conv.weight, nonlinearity="relu")
        super().__init__(conv, nn.BatchNorm2d(outputs), nn.ReLU())


class SeparableConvolution(nn.Sequential):
    """Each channel filtered by itself, then all of them mixed, each with its norm and what is positive of it.

    Args:
        inputs: channels.
        outputs: channels.
        dilation: cells from one tap of the 3x3 filter to the next.
    """

    def __init__(self, inputs: int, outputs: int, *, dilation: int = 1):
        conv = nn.Conv2d(inputs, inputs, 3, 1, dilation, dilation, groups=inputs, bias=False)
        nn.init.kaiming_normal_(conv.weight, nonlinearity="relu")
        super().__init__(conv, nn.BatchNorm2d(inputs), nn.ReLU(), Convolution(inputs, outputs, kernel=1))


class PooledConvolution(nn.Sequential):
    """A 1x1 convolution of a map of very few cells and what is positive of it: a norm over so few would be noise."""

    def __init__(self, inputs: int, outputs: int):
        conv = nn.Conv2d(inputs, outputs, 1)
        nn.init.kaiming_normal_(conv.weight, nonlinearity="relu")
        nn.init.zeros_(conv.bias)  # type: ignore[arg-type] # it has one
        super().__init__(conv, nn.ReLU())

"""Networks that find and read lines of text, with their pre- and post-processing, as each is exported.

Shapes: B batch, H height, W width, C colour channels, T steps along a line.
"""

from __future__ import annotations

from copy import deepcopy

import torch
from torch import Tensor, nn
from torch.nn.utils.fusion import fuse_conv_bn_eval


class LineFinder(nn.Module):
    """uint8 pictures ``_BHWC`` to how likely each pixel lies in the core of a line, ``_BHW``."""

    def __init__(self, detector: nn.Module):
        super().__init__()
        self.detector = detector

    def forward(self, picture: Tensor) -> Tensor:
        """Probabilities."""
        return torch.sigmoid(self.detector(picture.permute(0, 3, 1, 2).to(torch.float32)))


class LineReader(nn.Module):
    """uint8 lines ``_BHWC`` to the likeliest symbol of each step and its probability, ``_BT2``; 0 is none."""

    def __init__(self, recogniser: nn.Module):
        super().__init__()
        self.recogniser = recogniser

    def forward(self, line: Tensor) -> Tensor:
        """Symbols and probabilities."""
        probabilities = torch.softmax(self.recogniser(line.permute(0, 3, 1, 2).to(torch.float32)), dim=-1)
        best, symbols = probabilities.max(dim=-1)
        return torch.stack([symbols.to(torch.float32), best], dim=-1)


def folded(network: nn.Module) -> nn.Module:
    """A copy in inference mode, in which a convolution with its norm behind it is one convolution.

    It answers alike but for rounding. Tracing a norm takes several times as long as tracing a convolution.
    """
    copy = deepcopy(network).eval()
    for pair in [module for module in copy.modules() if isinstance(module, nn.Sequential)]:
        match list(pair):
            case [nn.Conv2d() as convolution, nn.BatchNorm2d() as norm]:
                pair[0] = fuse_conv_bn_eval(convolution, norm)
                del pair[1]
    return copy

"""Networks that find and read lines of text, with their pre- and post-processing, as each is exported.

Shapes: B batch, H height, W width, C colour channels, T steps along a line, V symbols and the blank.
"""

from __future__ import annotations

from copy import deepcopy

import torch
import torch.nn.functional as F  # noqa: N812 (the name that everybody knows)
from torch import Tensor, nn
from torch.nn.utils.fusion import fuse_conv_bn_eval

_BLOCK = 128


class LineFinder(nn.Module):
    """uint8 pictures ``_BHWC`` to how likely each pixel lies in the core of a line, ``_BHW``."""

    def __init__(self, detector: nn.Module):
        super().__init__()
        self.detector = detector

    def forward(self, picture: Tensor) -> Tensor:
        """Probabilities."""
        return torch.sigmoid(self.detector(picture.permute(0, 3, 1, 2).to(torch.float32)))


class LineReader(nn.Module):
    """uint8 lines ``_BHWC`` to the likeliest symbol of each step and its probability, ``_BT2``; 0 is none.

    The likeliest of thousands of symbols is looked for in blocks, the best of each first: runtimes find the largest value of
    many with vector instructions, but its place without. In OpenVINO the place took over a quarter of the whole network's time.
    """

    def __init__(self, recogniser: nn.Module):
        super().__init__()
        self.recogniser = recogniser

    def forward(self, line: Tensor) -> Tensor:
        """Symbols and probabilities."""
        probabilities_BTV = torch.softmax(self.recogniser(line.permute(0, 3, 1, 2).to(torch.float32)), dim=-1)
        num_symbols = probabilities_BTV.shape[-1]
        length = min(_BLOCK, num_symbols)  # OpenVINO takes no window that is longer than what it moves over
        blocks = F.max_pool1d(probabilities_BTV, length, length, ceil_mode=True)
        best, block = blocks.max(dim=-1, keepdim=True)
        # The last block may be shorter: its last symbol is repeated, and the first of equals is taken.
        places = (block * length + torch.arange(length, device=block.device)).clamp(max=num_symbols - 1)
        symbols = block * length + probabilities_BTV.gather(2, places).argmax(dim=-1, keepdim=True)
        return torch.cat([symbols.to(torch.float32), best], dim=-1)


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

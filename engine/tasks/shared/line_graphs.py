"""Networks that find and read lines of text, with their pre- and post-processing, as each is exported.

Shapes: B batch, H height, W width, C colour channels, T steps along a line.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn


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

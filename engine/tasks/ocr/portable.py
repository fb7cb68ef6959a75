"""The model as it is shipped: two graphs, one that finds lines and one that reads them; ``pipeline.json`` joins them.

Shapes: B batch, H height, W width, C colour channels, T steps along a line.
"""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor, nn

from automl.contracts.artefact import ImageDecode, TensorSpec
from automl.contracts.task import OutputKind
from runtime.answers.quads import MAX_LINES, ROW_LENGTH

MIN_SIDE_PX = 1536
"""A runtime shrinks only pictures that are at least twice as large while it decodes them: small print stays legible."""


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


def decode() -> ImageDecode:
    """How a runtime turns a file into the input."""
    return ImageDecode(min_side_px=MIN_SIDE_PX)


def output_kind(options: Mapping[str, str]) -> OutputKind:
    """What the numbers mean."""
    del options
    return OutputKind.QUADS


def inputs() -> tuple[TensorSpec, ...]:
    """What the pipeline takes."""
    return (TensorSpec(name="picture", dtype="uint8", axes=("batch", "height", "width", 3), unit="sRGB 0..255"),)


def outputs(num_labels: int) -> tuple[TensorSpec, ...]:
    """What the pipeline gives."""
    del num_labels
    unit = "x and y of four corners as fractions of the picture, score, characters as Unicode numbers"
    return (TensorSpec(name="lines", dtype="float32", axes=("batch", MAX_LINES, ROW_LENGTH), unit=unit),)

"""What segmentation networks share: any trunk, any decoder, and the head that says of each pixel what it belongs to.

Shapes: B batch, C channels, H height, W width, L labels.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import ClassVar

from torch import Tensor, nn

from engine.models.shared.enlarge import enlarged
from engine.models.shared.pyramid import Trunk

PRIOR = 0.1
"""First score of each label against none, so that the many pixels without one do not drown the first steps."""


class Decoder(nn.Module):
    """Features of the trunk in, features of cells a few pixels apart out."""

    num_features: int
    stride: int
    """Pixels from one cell to the next, a power of two."""

    def forward(self, maps: Sequence[Tensor]) -> Tensor:
        """Features ``_BCHW`` at its stride.

        Args:
            maps: from the finest to the coarsest.
        """
        raise NotImplementedError


class Network(nn.Module):
    """Trunk and decoder; a segmenter is made of it when the labels are known."""

    def __init__(self, trunk: Trunk, decoder: Decoder):
        super().__init__()
        self.num_features = decoder.num_features
        self.trunk = trunk
        self.decoder = decoder

    @property
    def stem(self) -> nn.Module:
        """The first convolution, which sees the normalised picture."""
        return self.trunk.stem

    def forward(self, pictures_BCHW: Tensor) -> Tensor:
        """Features ``_BCHW`` at the decoder's stride of sRGB pictures 0..255."""
        features_BCHW: Tensor = self.decoder(self.trunk(pictures_BCHW))
        return features_BCHW

    def segmenter(self, num_labels: int) -> Segmenter:
        """Puts a fresh head for so many labels on the decoder."""
        return Segmenter(self, num_labels)


class Segmenter(nn.Module):
    """A network and the head on it."""

    label_layers: ClassVar[Mapping[str, tuple[int, int, int]]] = {"pixels": (1, 1, 0)}

    def __init__(self, network: Network, num_labels: int):
        super().__init__()
        self.network = network
        self.pixels = nn.Conv2d(network.num_features, 1 + num_labels, 1)
        nn.init.zeros_(self.pixels.bias)  # type: ignore[arg-type] # it has one
        nn.init.constant_(self.pixels.bias[1:], -math.log((1 - PRIOR) / PRIOR))  # type: ignore[index] # as above

    def forward(self, pictures_BCHW: Tensor) -> Tensor:
        """Logits ``_B(1+L)HW`` of each pixel: for none of the labels, then for each. In training those of cells, ``_B(1+L)hw``.

        A loss enlarges cells by itself, a few rows at a time (``engine.kernels.segmentation_loss``).

        Args:
            pictures_BCHW: sRGB 0..255 as floats; both sides are multiples of 32.
        """
        cells_BChw: Tensor = self.pixels(self.network(pictures_BCHW))
        return cells_BChw if self.training else enlarged(cells_BChw, self.network.decoder.stride)


def load_pretrained(network: Network, weights: Mapping[str, Tensor]) -> None:
    """Loads the trunk's ImageNet weights, strictly.

    Raises:
        RuntimeError: a tensor is missing, unknown or of another shape.
    """
    network.trunk.load_pretrained(weights)  # type: ignore[operator] # called only for sizes with pretrained weights

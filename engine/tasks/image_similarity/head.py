"""The last layer: a vector of features to a direction. Shapes: B batch, C channels, H height, W width, D numbers."""

from __future__ import annotations

import torch.nn.functional as F  # noqa: N812 (the name that everybody knows)
from torch import Tensor, nn

NUM_DIMENSIONS = 128
"""Of the direction: enough to tell a hundred thousand products apart, and half a kilobyte each in a gallery."""


class Embedder(nn.Module):
    """A backbone and a linear layer; what is trained and exported. The labels are not part of it."""

    def __init__(self, backbone: nn.Module, num_features: int):
        super().__init__()
        self.backbone = backbone
        self.head = nn.Linear(num_features, NUM_DIMENSIONS)

    def forward(self, pictures_BCHW: Tensor) -> Tensor:
        """Directions ``_BD`` of length one of sRGB pictures 0..255."""
        return self.directions(self.backbone(pictures_BCHW))

    def directions(self, features_BF: Tensor) -> Tensor:
        """The same of what the backbone made of pictures."""
        return F.normalize(self.head(features_BF), dim=1)


def build(backbone: nn.Module, num_features: int, num_labels: int) -> Embedder:
    """Puts a fresh layer on a backbone that yields ``num_features`` numbers a picture, whatever the number of labels."""
    del num_labels
    return Embedder(backbone, num_features)

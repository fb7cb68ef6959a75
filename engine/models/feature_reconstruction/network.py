"""Feature reconstruction error (Ndiour et al. 2022, https://arxiv.org/abs/2211.12650): normal places lie near a subspace.

Shapes: B batch, C channels, H height and W width of the grid of places, D features, K directions of the subspace.
"""

from __future__ import annotations

import torch
from torch import Tensor

from engine.models.shared.patches import Detector, FilterFeatures, LiteFeatures, PlaceNetwork, load_pretrained

__all__ = ["SubspaceDetector", "build", "load_pretrained"]


class SubspaceDetector(Detector):
    """The distance of each place from the subspace of normal ones."""

    def __init__(self, features: LiteFeatures | FilterFeatures):
        super().__init__(features)
        self.register_buffer("directions", torch.zeros(features.num_features, 1))

    def span(self, directions_DK: Tensor) -> None:
        """Takes orthonormal directions, along which normal places differ."""
        self.register_buffer("directions", directions_DK.contiguous())

    def place_distances(self, pictures_BCHW: Tensor) -> Tensor:
        """See ``Detector``: what the subspace leaves of the features."""
        features_BHWD = self.standardised(pictures_BCHW)
        directions_DK = self.get_buffer("directions")
        left_BHWD = features_BHWD - (features_BHWD @ directions_DK) @ directions_DK.T
        return left_BHWD.square().sum(dim=3).clamp(min=1e-12).sqrt()


def build(size: str) -> PlaceNetwork:
    """Builds the features with fresh weights.

    Args:
        size: name of one of the family's sizes.
    """
    return PlaceNetwork(size, SubspaceDetector)

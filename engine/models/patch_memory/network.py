"""PatchCore (Roth et al. 2022, https://arxiv.org/abs/2106.08265): what normal places look like is remembered.

Unlike there, distances are Mahalanobis's, as in PaDiM (Defard et al. 2020, https://arxiv.org/abs/2011.08785): in what normal
places vary by themselves, such as the weave of a fabric, a difference counts less (``docs/experiments.md``).

Shapes: B batch, C channels, H height and W width of the grid of places, P places, M places in memory, D features, K neighbours.
"""

from __future__ import annotations

import torch
from torch import Tensor

from engine.models.shared.patches import Detector, FilterFeatures, LiteFeatures, PlaceNetwork, load_pretrained

__all__ = ["MemoryDetector", "build", "load_pretrained"]

NUM_NEIGHBOURS = 9
"""Places in memory that the score of a picture is weighed by."""
SHRINKAGE = 0.1
"""Added to the variance along each principal direction, of a mean of one: those in which nothing varies do not decide alone."""


class MemoryDetector(Detector):
    """The distance of each place to the nearest one in memory."""

    def __init__(self, features: LiteFeatures | FilterFeatures, num_remembered: int = 1):
        super().__init__(features)
        self.register_buffer("whitening", torch.eye(features.num_features))
        self._remember(torch.zeros(num_remembered, features.num_features))

    def whiten(self, standard_MD: Tensor) -> Tensor:
        """Learns in which directions standardised features of normal places vary, and gives them with like variances in all."""
        standard_MD = standard_MD.double()
        num_places, num_features = standard_MD.shape
        variances_D, directions_DD = torch.linalg.eigh(standard_MD.T @ standard_MD * (num_features / num_places))
        scales_D = (variances_D.clamp(min=0.0) + SHRINKAGE).rsqrt()
        self.get_buffer("whitening").copy_(directions_DD * scales_D @ directions_DD.T)
        return standard_MD.float() @ self.get_buffer("whitening")

    def remember(self, memory_MD: Tensor) -> None:
        """Takes whitened features of normal places for its memory."""
        self._remember(memory_MD)

    def place_distances(self, pictures_BCHW: Tensor) -> Tensor:
        """See ``Detector``: where the nearest place in memory lies apart from others, the picture is farther than that."""
        features_BHWD = self.standardised(pictures_BCHW)
        batch, height, width, _ = features_BHWD.shape
        features_BPD = features_BHWD.reshape(batch, height * width, -1) @ self.get_buffer("whitening")
        memory_MD = self.get_buffer("memory")
        squares_BPM = self._squares(features_BPD, memory_MD)
        nearest_BP, places_BP = squares_BPM.min(dim=2)
        distances_BP = nearest_BP.clamp(min=0.0).sqrt()
        weights_B = self._weights(features_BPD, distances_BP, places_BP)
        return (distances_BP * weights_B[:, None]).reshape(batch, height, width)

    def _weights(self, features_BPD: Tensor, distances_BP: Tensor, places_BP: Tensor) -> Tensor:
        """The paper's weight of each picture's score: less where memory is dense around the place nearest to its farthest."""
        farthest_B1 = distances_BP.argmax(dim=1, keepdim=True)
        nearest_B = places_BP.gather(1, farthest_B1)[:, 0]
        neighbours_BK = self.get_buffer("neighbours").index_select(0, nearest_B)
        num_features = features_BPD.shape[2]
        feature_B1D = features_BPD.gather(1, farthest_B1[:, :, None].expand(-1, -1, num_features))
        near_BKD = self.get_buffer("memory")[neighbours_BK]
        apart_BK = (near_BKD - feature_B1D).square().sum(dim=2).clamp(min=1e-12).sqrt()
        return 1.0 - apart_BK.softmax(dim=1)[:, 0]

    @staticmethod
    def _squares(features_BPD: Tensor, memory_MD: Tensor) -> Tensor:
        products_BPM = features_BPD @ memory_MD.T
        return features_BPD.square().sum(dim=2, keepdim=True) - 2.0 * products_BPM + memory_MD.square().sum(dim=1)

    def _remember(self, memory_MD: Tensor) -> None:
        squares_MM = torch.cdist(memory_MD, memory_MD)
        squares_MM.fill_diagonal_(-1.0)  # each is its own nearest, even beside its equal
        neighbours_MK = squares_MM.topk(min(NUM_NEIGHBOURS, len(memory_MD)), largest=False).indices
        self.register_buffer("memory", memory_MD.contiguous())
        self.register_buffer("neighbours", neighbours_MK)


def build(size: str) -> PlaceNetwork:
    """Builds the features with fresh weights.

    Args:
        size: name of one of the family's sizes.
    """
    return PlaceNetwork(size, MemoryDetector)

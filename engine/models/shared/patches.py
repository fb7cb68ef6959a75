"""Features of the places of a picture by networks that are not trained, and a detector's scores made of distances.

Shapes: B batch, C channels, H height and W width of the grid of places, P places, D features.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import ClassVar

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812 (the name that everybody knows)
from torch import Tensor, nn

from engine.models.shared.enlarge import doubled
from engine.models.shared.pyramid import LiteTrunk

STRIDE = 8
"""Pixels of the picture from one place to the next."""
FARTHEST_SHARE = 16
"""One of so many places is among the farthest, whose mean distance is the picture's."""
_TINY = 1e-6


class LiteFeatures(nn.Module):
    """Two middle layers of EfficientNet-Lite, each averaged over 3 x 3 places.

    The coarser layer is enlarged to the finer one (Roth et al. 2022, https://arxiv.org/abs/2106.08265).
    """

    def __init__(self) -> None:
        super().__init__()
        self.trunk = LiteTrunk(strides=(STRIDE, 2 * STRIDE))
        self.num_features = sum(self.trunk.num_channels)

    @property
    def stem(self) -> nn.Module:
        """The first convolution, which sees the normalised picture."""
        return self.trunk.stem

    def forward(self, pictures_BCHW: Tensor) -> Tensor:
        """Features ``_BHWD`` at ``STRIDE`` of sRGB pictures 0..255, whose sides are multiples of 32."""
        fine_BCHW, coarse_BCHW = (_averaged(each) for each in self.trunk(pictures_BCHW))
        return torch.cat([fine_BCHW, doubled(coarse_BCHW)], dim=1).permute(0, 2, 3, 1)

    def load_pretrained(self, weights: Mapping[str, Tensor]) -> None:
        """Takes the ImageNet weights; errors as of ``LiteTrunk.load_pretrained``."""
        self.trunk.load_pretrained(weights)


class FilterFeatures(nn.Module):
    """Edges, bars and spots of two widths, and the mean colour: a bank of filters that needs no weights from elsewhere.

    First and second derivatives of Gaussians in six directions and the Laplacian (Leung and Malik 2001), their strength
    averaged over each place.
    """

    _SIGMAS: ClassVar[tuple[float, ...]] = (1.0, 2.0)
    _DIRECTIONS: ClassVar[int] = 6
    _RADIUS: ClassVar[int] = 6

    def __init__(self) -> None:
        super().__init__()
        bank_KHW = np.stack([kernel for sigma in self._SIGMAS for kernel in _kernels(sigma, self._DIRECTIONS, self._RADIUS)])
        self.register_buffer("bank", torch.from_numpy(bank_KHW.astype(np.float32))[:, None])
        self.num_features = len(bank_KHW) + 3

    def forward(self, pictures_BCHW: Tensor) -> Tensor:
        """Features ``_BHWD`` at ``STRIDE`` of sRGB pictures 0..255, whose sides are multiples of 32."""
        x_BCHW = pictures_BCHW / 255.0
        grey_BCHW = x_BCHW.mean(dim=1, keepdim=True)
        radius = self._RADIUS
        strength_BCHW = F.conv2d(F.pad(grey_BCHW, (radius,) * 4, mode="replicate"), self.get_buffer("bank")).abs()
        places_BCHW = F.avg_pool2d(torch.cat([strength_BCHW, x_BCHW], dim=1), STRIDE)
        return _averaged(places_BCHW).permute(0, 2, 3, 1)


FEATURES: Mapping[str, Callable[[], LiteFeatures | FilterFeatures]] = {"lite0": LiteFeatures, "filters": FilterFeatures}
"""By size."""


class Detector(nn.Module, ABC):
    """Scores 0..1 of places, from how far they are from normal ones. A family defines the distance.

    Distances become scores by a curve whose middle and steepness ``calibrate`` sets.
    """

    def __init__(self, features: LiteFeatures | FilterFeatures):
        super().__init__()
        self.features = features
        self.register_buffer("mean", torch.zeros(features.num_features))
        self.register_buffer("spread", torch.ones(features.num_features))
        self.register_buffer("limit", torch.ones(()))
        self.register_buffer("steepness", torch.ones(()))

    def standardised(self, pictures_BCHW: Tensor) -> Tensor:
        """Features ``_BHWD`` of mean 0 and spread 1 on normal places, divided so that distances do not grow with D."""
        features_BHWD = (self.features(pictures_BCHW) - self.get_buffer("mean")) / self.get_buffer("spread")
        scaled: Tensor = features_BHWD / math.sqrt(features_BHWD.shape[-1])
        return scaled

    def standardise(self, features_MD: Tensor) -> Tensor:
        """Learns mean and spread of normal places, and gives their features so."""
        mean_D, spread_D = features_MD.mean(dim=0), features_MD.std(dim=0, correction=0).clamp(min=_TINY)
        self.get_buffer("mean").copy_(mean_D)
        self.get_buffer("spread").copy_(spread_D)
        return (features_MD - mean_D) / spread_D / math.sqrt(features_MD.shape[-1])

    def calibrate(self, limit: float, steepness: float) -> None:
        """Sets the distance that has the score one half, and how fast scores rise with the distance's logarithm."""
        self.get_buffer("limit").fill_(limit)
        self.get_buffer("steepness").fill_(steepness)

    @abstractmethod
    def place_distances(self, pictures_BCHW: Tensor) -> Tensor:
        """How far each place ``_BHW`` is from normal ones by itself."""

    def distances(self, pictures_BCHW: Tensor) -> Tensor:
        """How far each place ``_BHW`` is, scaled so that the largest is the picture's distance: the mean of its farthest.

        Normal pictures have single odd places too, and defects seldom have one place alone: the mean of one in 16 finds more
        than the maximum that the papers take (``docs/experiments.md``).
        """
        distances_BHW = self.place_distances(pictures_BCHW)
        distances_BP = distances_BHW.flatten(1)
        farthest_BK = distances_BP.topk(max(1, distances_BP.shape[1] // FARTHEST_SHARE), dim=1).values
        factors_B = farthest_BK.mean(dim=1) / farthest_BK[:, 0].clamp(min=_TINY)
        scaled: Tensor = distances_BHW * factors_B[:, None, None]
        return scaled

    def forward(self, pictures_BCHW: Tensor) -> Tensor:
        """Anomaly scores ``_BHW`` of sRGB pictures 0..255 as floats, whose sides are multiples of 32."""
        return self.scores(self.distances(pictures_BCHW))

    def scores(self, distances_BHW: Tensor) -> Tensor:
        """Scores of distances."""
        ratio_BHW = (distances_BHW / self.get_buffer("limit")).clamp(min=_TINY)
        return torch.sigmoid(self.get_buffer("steepness") * ratio_BHW.log())


class PlaceNetwork(nn.Module):
    """Features of places; a detector is made of it."""

    def __init__(self, size: str, detector: Callable[[LiteFeatures | FilterFeatures], Detector]):
        """Builds the features with fresh weights.

        Args:
            size: a key of ``FEATURES``.
            detector: makes the family's own of features, which has learned nothing yet.
        """
        super().__init__()
        self.features = FEATURES[size]()
        self.num_features = self.features.num_features
        self._detector = detector

    @property
    def stem(self) -> nn.Module:
        """The first convolution, which sees the normalised picture."""
        assert isinstance(self.features, LiteFeatures)
        return self.features.stem

    def forward(self, pictures_BCHW: Tensor) -> Tensor:
        """Features ``_BHWD`` of sRGB pictures 0..255."""
        found: Tensor = self.features(pictures_BCHW)
        return found

    def anomaly_detector(self, num_labels: int) -> Detector:
        """A detector that has learned nothing yet; it knows one thing from all others, whatever the labels."""
        del num_labels
        return self._detector(self.features)


def load_pretrained(network: PlaceNetwork, weights: Mapping[str, Tensor]) -> None:
    """Loads the ImageNet weights, strictly.

    Raises:
        RuntimeError: a tensor is missing, unknown or of another shape.
    """
    assert isinstance(network.features, LiteFeatures)  # called only for sizes with pretrained weights
    network.features.load_pretrained(weights)


def _averaged(map_BCHW: Tensor) -> Tensor:
    """Mean of each place and its neighbours; beyond the edge there are none."""
    return F.avg_pool2d(map_BCHW, 3, 1, 1, count_include_pad=False)


def _kernels(sigma: float, num_directions: int, radius: int) -> list[np.ndarray]:
    """Derivatives of a Gaussian, each of mean 0 and absolute sum 1."""
    y_HW, x_HW = np.mgrid[-radius : radius + 1, -radius : radius + 1].astype(np.float64)
    found = []
    for number in range(num_directions):
        angle = math.pi * number / num_directions
        along_HW = x_HW * math.cos(angle) + y_HW * math.sin(angle)
        across_HW = y_HW * math.cos(angle) - x_HW * math.sin(angle)
        bell_HW = np.exp(-(along_HW**2 + (across_HW / 3) ** 2) / (2 * sigma**2))
        found += [-along_HW * bell_HW, (along_HW**2 / sigma**2 - 1) * bell_HW]
    square_HW = (x_HW**2 + y_HW**2) / (2 * sigma**2)
    found.append((square_HW - 1) * np.exp(-square_HW))
    centred = [kernel - kernel.mean() for kernel in found]
    return [kernel / np.abs(kernel).sum() for kernel in centred]

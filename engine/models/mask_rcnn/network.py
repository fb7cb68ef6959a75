"""Mask R-CNN: a detector in two stages that also outlines each object within its box (``shared.two_stage_masks``)."""

from __future__ import annotations

from collections.abc import Mapping

from torch import Tensor

from engine.models.shared.pyramid import TRUNKS, Pyramid
from engine.models.shared.two_stage import NUM_FEATURES
from engine.models.shared.two_stage_masks import InstanceDetector


class Network(Pyramid):
    """The trunk with its pyramid; a detector is made of it when the labels are known."""

    def detector(self, num_labels: int) -> InstanceDetector:
        """Puts fresh heads for so many labels on the pyramid."""
        return InstanceDetector(self, num_labels)


def build(size: str) -> Network:
    """Builds trunk and pyramid with fresh weights.

    Args:
        size: name of one of the family's sizes.
    """
    return Network(TRUNKS[size](), NUM_FEATURES)


def load_pretrained(network: Network, weights: Mapping[str, Tensor]) -> None:
    """Loads the trunk's ImageNet weights, strictly.

    Raises:
        RuntimeError: a tensor is missing, unknown or of another shape.
    """
    network.trunk.load_pretrained(weights)  # type: ignore[operator] # called only for sizes with pretrained weights

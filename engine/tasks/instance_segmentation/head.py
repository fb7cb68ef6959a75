"""Makes a detector of a family's trunk and neck: how boxes are predicted is the family's own business."""

from __future__ import annotations

from torch import nn


def build(network: nn.Module, num_features: int, num_labels: int) -> nn.Module:
    """The family's detector for so many labels.

    Args:
        network: of a family that yields boxes.
        num_features: of the network; its head knows them by itself.
        num_labels: at least 1.
    """
    detector: nn.Module = network.detector(num_labels)  # type: ignore[operator] # every such family's network has it
    return detector

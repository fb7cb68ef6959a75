"""Makes a segmenter of a family's network: how labels come to pixels is the family's own business."""

from __future__ import annotations

from torch import nn


def build(network: nn.Module, num_features: int, num_labels: int) -> nn.Module:
    """The family's segmenter for so many labels.

    Args:
        network: of a family that yields masks.
        num_features: of the network; its head knows them by itself.
        num_labels: at least 1.
    """
    segmenter: nn.Module = network.segmenter(num_labels)  # type: ignore[operator] # every such family's network has it
    return segmenter

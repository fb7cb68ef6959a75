"""Makes a detector of a family's network: what normal pictures look like it learns later, in the family's ``fit.py``."""

from __future__ import annotations

from torch import nn


def build(network: nn.Module, num_features: int, num_labels: int) -> nn.Module:
    """The family's detector, which has learned nothing yet.

    Args:
        network: of a family that yields anomalies.
        num_features: of the network; its detector knows them by itself.
        num_labels: of no importance: whatever is not normal is one thing.
    """
    detector: nn.Module = network.anomaly_detector(num_labels)  # type: ignore[operator] # every such family's network has it
    return detector

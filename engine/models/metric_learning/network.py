"""The backbone of metric learning: a pretrained EfficientNet-Lite, or a ResNet that starts from nothing."""

from __future__ import annotations

from collections.abc import Mapping

from torch import Tensor, nn

from engine.models.efficientnet_lite import network as lite
from engine.models.resnet import network as resnet

_LITE_SIZES = {"lite0": "0", "lite2": "2"}
_RESNET_SIZES = {"resnet18": "18"}


def build(size: str, num_outputs: int = 0) -> nn.Module:
    """Builds the network with random weights.

    Args:
        size: name of one of the family's sizes.
        num_outputs: width of a linear head; 0 gives the features themselves.
    """
    if size in _LITE_SIZES:
        return lite.build(_LITE_SIZES[size], num_outputs)
    return resnet.build(_RESNET_SIZES[size], num_outputs)


def load_pretrained(network: nn.Module, weights: Mapping[str, Tensor]) -> None:
    """Takes over converted weights of ImageNet, all of them but those of the classifier."""
    assert isinstance(network, lite.EfficientNetLite)
    lite.load_pretrained(network, weights)

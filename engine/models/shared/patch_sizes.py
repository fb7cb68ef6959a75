"""Sizes of families that look at the places of a picture with a network that is not trained (``patches``). Without torch."""

from __future__ import annotations

from automl.contracts.family import Cost, SizeSpec
from automl.contracts.words import Words

words = Words(__file__)

RESOLUTIONS_PX = (96, 128, 160, 192, 256, 320)
"""Beside the sizes' own; multiples of 32."""
SIZES = (
    SizeSpec(
        name="lite0",
        title=words("size.lite0"),
        resolution_px=224,
        num_parameters=700_768,
        macs=243_268_928,
        asset="efficientnet_lite0",
    ),
    SizeSpec(name="filters", title=words("size.filters"), resolution_px=224, num_parameters=0, macs=220_473_344),
)
_LIVE_BYTES_PER_PIXEL = 500
"""The widest layer of the forward pass, in and out, fp32, and the distances of its places to a memory."""
_BY_NAME = {size.name: size for size in SIZES}


def place_cost(sample_shape: tuple[int, ...], size: str) -> Cost:
    """What the features of one picture need.

    Args:
        sample_shape: height, width, channels of what the network sees.
        size: name of one of the sizes.
    """
    spec, num_pixels = _BY_NAME[size], sample_shape[0] * sample_shape[1]
    return Cost(memory_bytes=_LIVE_BYTES_PER_PIXEL * num_pixels, flops=2 * spec.macs * num_pixels // spec.resolution_px**2)

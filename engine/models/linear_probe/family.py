"""A linear head on frozen EfficientNet-Lite features: seconds on a CPU, and hard to beat with few pictures."""

from __future__ import annotations

from automl.contracts.family import Cost, FamilySpec, FeatureKind, FirstTrial, SizeSpec
from automl.contracts.modality import Modality
from automl.contracts.words import Words
from engine.models.efficientnet_lite.family import FAMILY as BACKBONE
from engine.models.shared import params

words = Words(__file__)

_LIVE_BYTES_PER_PIXEL = 200
"""The widest layer of the forward pass, in and out, fp32: 96 channels at half the side. A trial of 260 px takes 1,020 MiB."""

FAMILY = FamilySpec(
    name="linear_probe",
    title=words("title"),
    summary=words("summary"),
    reads=Modality.IMAGE,
    yields=FeatureKind.VECTOR,
    is_frozen=True,
    preference=1,
    sizes=(
        SizeSpec(
            name="0",
            title=words("size.0"),
            resolution_px=BACKBONE.size("0").resolution_px,
            num_parameters=BACKBONE.size("0").num_parameters,
            macs=BACKBONE.size("0").macs,
            asset=BACKBONE.size("0").asset,
        ),
        SizeSpec(
            name="2",
            title=words("size.2"),
            resolution_px=BACKBONE.size("2").resolution_px,
            num_parameters=BACKBONE.size("2").num_parameters,
            macs=BACKBONE.size("2").macs,
            asset=BACKBONE.size("2").asset,
        ),
    ),
    params=(params.is_balanced(), params.resolution_px(128, 160, 192)),
    licences=BACKBONE.licences,
    first_trials=(
        FirstTrial(rank=10),
        FirstTrial(rank=20, params={"is_balanced": True}, is_for_rare=True),
        FirstTrial(rank=50, size_index=1),
    ),
)


def cost(sample_shape: tuple[int, ...], size: str) -> Cost:
    """What the features of one picture need.

    Args:
        sample_shape: height, width, channels of what the network sees.
        size: name of one of the sizes.
    """
    spec = FAMILY.size(size)
    num_pixels = sample_shape[0] * sample_shape[1]
    return Cost(memory_bytes=_LIVE_BYTES_PER_PIXEL * num_pixels, flops=2 * spec.macs * num_pixels // spec.resolution_px**2)

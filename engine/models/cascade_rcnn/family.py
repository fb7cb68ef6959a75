"""Cascade R-CNN: regions looked into three times, each time more strictly."""

from __future__ import annotations

from automl.contracts.family import Cost, FamilySpec, FeatureKind, FirstTrial, SizeSpec
from automl.contracts.modality import Modality
from automl.contracts.words import Words
from engine.models.shared import params
from engine.models.shared.cost import step_cost

words = Words(__file__)

_SAVED_BYTES_PER_PIXEL = {"lite0": 1689, "resnet18": 631}
"""What autograd keeps of one picture for the backward pass, fp32, counted with saved-tensor hooks."""

FAMILY = FamilySpec(
    name="cascade_rcnn",
    title=words("title"),
    summary=words("summary"),
    reads=Modality.IMAGE,
    yields=FeatureKind.BOXES,
    can_continue=True,
    sizes=(
        SizeSpec(
            name="lite0",
            title=words("size.lite0"),
            resolution_px=224,
            num_parameters=7_154_960,
            macs=925_511_456,
            asset="efficientnet_lite0",
        ),
        SizeSpec(
            name="resnet18",
            title=words("size.resnet18"),
            resolution_px=160,
            num_parameters=15_413_328,
            macs=1_403_880_000,
        ),
    ),
    params=params.detector(peak_lr=1e-3, resolutions_px=(64, 96, 128, 192, 320, 416)),
    licences=("Apache-2.0",),
    first_trials=(FirstTrial(rank=50),),
)


def cost(sample_shape: tuple[int, ...], size: str) -> Cost:
    """What one training step of one picture needs.

    Args:
        sample_shape: height, width, channels of what the network sees.
        size: name of one of the sizes.
    """
    return step_cost(FAMILY.size(size), _SAVED_BYTES_PER_PIXEL[size], sample_shape)

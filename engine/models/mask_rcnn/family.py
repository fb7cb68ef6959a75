"""Mask R-CNN: two looks at every object, and its outline."""

from __future__ import annotations

from automl.contracts.family import Cost, FamilySpec, FeatureKind, FirstTrial, SizeSpec
from automl.contracts.modality import Modality
from automl.contracts.words import Words
from engine.models.shared import params
from engine.models.shared.cost import step_cost

words = Words(__file__)

_SAVED_BYTES_PER_PIXEL = {"lite0": 1732, "resnet18": 722}
"""What autograd keeps of one picture with sixteen objects for the backward pass, fp32, counted with saved-tensor hooks."""

FAMILY = FamilySpec(
    name="mask_rcnn",
    title=words("title"),
    summary=words("summary"),
    reads=Modality.IMAGE,
    yields=FeatureKind.INSTANCES,
    can_continue=True,
    sizes=(
        SizeSpec(
            name="lite0",
            title=words("size.lite0"),
            resolution_px=224,
            num_parameters=4_682_949,
            macs=1_373_089_056,
            asset="efficientnet_lite0",
        ),
        SizeSpec(
            name="resnet18",
            title=words("size.resnet18"),
            resolution_px=160,
            num_parameters=12_941_317,
            macs=1_851_457_600,
        ),
    ),
    params=params.detector(peak_lr=1e-3, resolutions_px=(64, 96, 128, 192, 320, 416)),
    licences=("Apache-2.0",),
    first_trials=(
        FirstTrial(rank=10, params={"resolution_px": 128, "epochs": 16}),
        FirstTrial(rank=20),
        FirstTrial(rank=30, params={"resolution_px": 320}),
    ),
)


def cost(sample_shape: tuple[int, ...], size: str) -> Cost:
    """What one training step of one picture needs.

    Args:
        sample_shape: height, width, channels of what the network sees.
        size: name of one of the sizes.
    """
    return step_cost(FAMILY.size(size), _SAVED_BYTES_PER_PIXEL[size], sample_shape)

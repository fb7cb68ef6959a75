"""YOLOv3-tiny, pretrained on COCO: the quickest detector, which has seen boxes before."""

from __future__ import annotations

from automl.contracts.family import Cost, FamilySpec, FeatureKind, FirstTrial, SizeSpec
from automl.contracts.modality import Modality
from automl.contracts.words import Words
from engine.models.shared import params
from engine.models.shared.cost import step_cost

words = Words(__file__)

_SAVED_BYTES_PER_PIXEL = {"tiny": 532}
"""What autograd keeps of one picture for the backward pass, fp32, counted with saved-tensor hooks."""

FAMILY = FamilySpec(
    name="yolo",
    title=words("title"),
    summary=words("summary"),
    reads=Modality.IMAGE,
    yields=FeatureKind.BOXES,
    can_continue=True,
    sizes=(
        SizeSpec(
            name="tiny",
            title=words("size.tiny"),
            resolution_px=256,
            num_parameters=8_669_876,
            macs=1_030_422_528,
            asset="yolov3_tiny",
        ),
    ),
    params=params.detector(peak_lr=5e-4, resolutions_px=(96, 128, 160, 192, 320, 416)),
    licences=("LicenseRef-Darknet",),
    first_trials=(FirstTrial(rank=10),),
)


def cost(sample_shape: tuple[int, ...], size: str) -> Cost:
    """What one training step of one picture needs.

    Args:
        sample_shape: height, width, channels of what the network sees.
        size: name of one of the sizes.
    """
    return step_cost(FAMILY.size(size), _SAVED_BYTES_PER_PIXEL[size], sample_shape)

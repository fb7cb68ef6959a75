"""FCOS: an anchor-free detector on a feature pyramid, the usual first answer for boxes."""

from __future__ import annotations

from automl.contracts.base import Text
from automl.contracts.family import Cost, FamilySpec, FeatureKind, FirstTrial, SizeSpec
from automl.contracts.modality import Modality
from engine.models import params
from engine.models.cost import step_cost

_SAVED_BYTES_PER_PIXEL = {"lite0": 1657, "resnet18": 524}
"""What autograd keeps of one picture for the backward pass, fp32, counted with saved-tensor hooks."""

FAMILY = FamilySpec(
    name="fcos",
    title=Text(en="FCOS, anchor-free", zh="FCOS 无锚框检测"),
    summary=Text(
        en="Every point of the picture says what it lies on and how far its edges are. Needs no sizes of boxes to be set.",
        zh="由图片上的每个点判断所在物体及其边界的距离，无需预设框的大小。",
    ),
    reads=Modality.IMAGE,
    yields=FeatureKind.BOXES,
    sizes=(
        SizeSpec(
            name="lite0",
            title=Text(en="EfficientNet-Lite0, pretrained", zh="EfficientNet-Lite0，预训练"),
            resolution_px=224,
            num_parameters=3_591_305,
            macs=802_541_600,
            asset="efficientnet_lite0",
        ),
        SizeSpec(
            name="resnet18",
            title=Text(en="ResNet-18, from scratch", zh="ResNet-18，从零训练"),
            resolution_px=160,
            num_parameters=11_849_673,
            macs=1_154_337_600,
        ),
    ),
    params=params.detector(peak_lr=1e-3, resolutions_px=(64, 96, 128, 192, 320, 416)),
    licences=("Apache-2.0",),
    first_trials=(FirstTrial(rank=30),),
)


def cost(sample_shape: tuple[int, ...], size: str) -> Cost:
    """What one training step of one picture needs.

    Args:
        sample_shape: height, width, channels of what the network sees.
        size: name of one of the sizes.
    """
    return step_cost(FAMILY.size(size), _SAVED_BYTES_PER_PIXEL[size], sample_shape)

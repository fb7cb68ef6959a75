"""Faster R-CNN: two looks at every object, where one is not enough."""

from __future__ import annotations

from automl.contracts.base import Text
from automl.contracts.family import Cost, FamilySpec, FeatureKind, FirstTrial, SizeSpec
from automl.contracts.modality import Modality
from engine.models import params
from engine.models.cost import step_cost

_SAVED_BYTES_PER_PIXEL = {"lite0": 1683, "resnet18": 624}
"""What autograd keeps of one picture for the backward pass, fp32, counted with saved-tensor hooks."""

FAMILY = FamilySpec(
    name="faster_rcnn",
    title=Text(en="Faster R-CNN, two stages", zh="Faster R-CNN 两阶段检测"),
    summary=Text(
        en="Proposes regions first and then looks into each: careful with many or overlapping objects, slower than the others.",
        zh="先提出候选区域，再逐个细看：适合物体多或相互重叠的图片，速度慢于其他方法。",
    ),
    reads=Modality.IMAGE,
    yields=FeatureKind.BOXES,
    sizes=(
        SizeSpec(
            name="lite0",
            title=Text(en="EfficientNet-Lite0, pretrained", zh="EfficientNet-Lite0，预训练"),
            resolution_px=224,
            num_parameters=4_611_332,
            macs=671_252_256,
            asset="efficientnet_lite0",
        ),
        SizeSpec(
            name="resnet18",
            title=Text(en="ResNet-18, from scratch", zh="ResNet-18，从零训练"),
            resolution_px=160,
            num_parameters=12_869_700,
            macs=1_149_620_800,
        ),
    ),
    params=params.detector(peak_lr=1e-3, resolutions_px=(64, 96, 128, 192, 320, 416)),
    licences=("Apache-2.0",),
    first_trials=(FirstTrial(rank=40),),
)


def cost(sample_shape: tuple[int, ...], size: str) -> Cost:
    """What one training step of one picture needs.

    Args:
        sample_shape: height, width, channels of what the network sees.
        size: name of one of the sizes.
    """
    return step_cost(FAMILY.size(size), _SAVED_BYTES_PER_PIXEL[size], sample_shape)

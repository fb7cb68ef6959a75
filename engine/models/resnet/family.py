"""ResNet from scratch: for pictures unlike photographs, and the fastest family to train where the CPU has matrix units."""

from __future__ import annotations

from automl.contracts.family import Cost, FamilySpec, FeatureKind, FirstTrial, SizeSpec
from automl.contracts.modality import Modality
from automl.contracts.words import Words
from engine.models.shared import params
from engine.models.shared.cost import step_cost

words = Words(__file__)

_RESOLUTION_PX = 128
_SAVED_BYTES_PER_PIXEL = {"18": 445, "34": 647, "50": 1725}
"""What autograd keeps of one picture for the backward pass, fp32, counted with saved-tensor hooks."""

FAMILY = FamilySpec(
    name="resnet",
    title=words("title"),
    summary=words("summary"),
    reads=Modality.IMAGE,
    yields=FeatureKind.VECTOR,
    can_continue=True,
    sizes=(
        SizeSpec(
            name="18",
            title=words("size.18"),
            resolution_px=_RESOLUTION_PX,
            num_parameters=11_176_512,
            macs=592_183_296,
        ),
        SizeSpec(
            name="34",
            title=words("size.34"),
            resolution_px=_RESOLUTION_PX,
            num_parameters=21_284_672,
            macs=1_196_163_072,
        ),
        SizeSpec(
            name="50",
            title=words("size.50"),
            resolution_px=_RESOLUTION_PX,
            num_parameters=23_508_032,
            macs=1_334_575_104,
        ),
    ),
    params=(
        params.epochs(30),
        params.batch_size(32),
        params.lr(1e-3),
        params.weight_decay(2e-2),
        params.label_smoothing(0.05),
        params.augment("light"),
        params.mirror(),
        params.is_balanced(),
        params.resolution_px(64, 96, 160, 224),
        *params.classifier_pieces(),
        params.mixing(),
    ),
    first_trials=(
        FirstTrial(rank=40),
        FirstTrial(rank=70, size_index=1),
    ),
)


def cost(sample_shape: tuple[int, ...], size: str) -> Cost:
    """What one training step of one picture needs.

    Args:
        sample_shape: height, width, channels of what the network sees.
        size: name of one of the sizes.
    """
    return step_cost(FAMILY.size(size), _SAVED_BYTES_PER_PIXEL[size], sample_shape)

"""EfficientNet-Lite, pretrained on ImageNet and fine-tuned: the usual best answer for photographs."""

from __future__ import annotations

from automl.contracts.family import Cost, FamilySpec, FeatureKind, FirstTrial, SizeSpec
from automl.contracts.modality import Modality
from automl.contracts.words import Words
from engine.models.shared import params
from engine.models.shared.cost import step_cost

words = Words(__file__)

_SAVED_BYTES_PER_PIXEL = {"0": 1588, "2": 2236}
"""What autograd keeps of one picture for the backward pass, fp32, counted with saved-tensor hooks."""

FAMILY = FamilySpec(
    name="efficientnet_lite",
    title=words("title"),
    summary=words("summary"),
    reads=Modality.IMAGE,
    yields=FeatureKind.VECTOR,
    can_continue=True,
    preference=2,
    sizes=(
        SizeSpec(
            name="0",
            title=words("size.0"),
            resolution_px=224,
            num_parameters=3_371_008,
            macs=383_907_552,
            asset="efficientnet_lite0",
        ),
        SizeSpec(
            name="2",
            title=words("size.2"),
            resolution_px=260,
            num_parameters=4_811_072,
            macs=858_456_272,
            asset="efficientnet_lite2",
        ),
    ),
    params=(
        params.epochs(12),
        params.batch_size(16),
        params.lr(5e-4),
        params.weight_decay(1e-2),
        params.label_smoothing(0.05),
        params.augment("light"),
        params.mirror(),
        params.is_balanced(),
        params.resolution_px(96, 128, 160, 192),
        *params.classifier_pieces(),
        params.mixing(),
    ),
    licences=("Apache-2.0",),
    first_trials=(
        FirstTrial(rank=30, params_if_small={"lr": 3e-4}),
        FirstTrial(rank=60, size_index=1, params_if_small={"lr": 3e-4}),
    ),
)


def cost(sample_shape: tuple[int, ...], size: str) -> Cost:
    """What one training step of one picture needs.

    Args:
        sample_shape: height, width, channels of what the network sees.
        size: name of one of the sizes.
    """
    return step_cost(FAMILY.size(size), _SAVED_BYTES_PER_PIXEL[size], sample_shape)

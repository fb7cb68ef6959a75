"""EfficientNet-Lite, pretrained on ImageNet and fine-tuned: the usual best answer for photographs."""

from __future__ import annotations

from automl.contracts.family import Cost, FamilySpec, FeatureKind, FirstTrial
from automl.contracts.modality import Modality
from automl.contracts.words import Words
from engine.models.shared import params
from engine.models.shared.cost import Counted, sizes_of, step_cost

words = Words(__file__)

_COUNTED = {
    "0": Counted(224, 3_371_008, 383_907_552, 1587),
    "1": Counted(240, 4_135_680, 598_905_232, 2070),
    "2": Counted(260, 4_811_072, 858_456_272, 2236),
    "3": Counted(280, 6_916_096, 1_382_041_872, 2844),
    "4": Counted(300, 11_725_568, 2_551_754_336, 3751),
}
"""Without a head, in order of cost."""
_ASSETS = {"0": "efficientnet_lite0", "1": "efficientnet_lite1", "2": "efficientnet_lite2"}
"""Cards of pretrained weights; of the others there are none in the registries."""

FAMILY = FamilySpec(
    name="efficientnet_lite",
    title=words("title"),
    summary=words("summary"),
    reads=Modality.IMAGE,
    yields=FeatureKind.VECTOR,
    can_continue=True,
    preference=2,
    sizes=sizes_of(_COUNTED, {name: words(f"size.{name}") for name in _COUNTED}, assets=_ASSETS),
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
        FirstTrial(rank=60, size_index=2, params_if_small={"lr": 3e-4}),
    ),
)


def cost(sample_shape: tuple[int, ...], size: str) -> Cost:
    """What one training step of one picture needs.

    Args:
        sample_shape: height, width, channels of what the network sees.
        size: name of one of the sizes.
    """
    return step_cost(FAMILY.size(size), _COUNTED[size].saved_bytes_per_pixel, sample_shape)

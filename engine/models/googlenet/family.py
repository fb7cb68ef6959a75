"""GoogLeNet from scratch: a network to compare with."""

from __future__ import annotations

from automl.contracts.family import Cost, FamilySpec, FeatureKind
from automl.contracts.modality import Modality
from automl.contracts.words import Words
from engine.models.shared import params
from engine.models.shared.cost import Counted, sizes_of, step_cost

words = Words(__file__)

_COUNTED = {
    "1": Counted(128, 5_599_904, 488_931_328, 963),
}
"""Without a head, in order of cost."""

FAMILY = FamilySpec(
    name="googlenet",
    title=words("title"),
    summary=words("summary"),
    reads=Modality.IMAGE,
    yields=FeatureKind.VECTOR,
    can_continue=True,
    sizes=sizes_of(_COUNTED, {name: words(f"size.{name}") for name in _COUNTED}),
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
)


def cost(sample_shape: tuple[int, ...], size: str) -> Cost:
    """What one training step of one picture needs.

    Args:
        sample_shape: height, width, channels of what the network sees.
        size: name of one of the sizes.
    """
    return step_cost(FAMILY.size(size), _COUNTED[size].saved_bytes_per_pixel, sample_shape)

"""Vision transformer from scratch: for very many pictures."""

from __future__ import annotations

from automl.contracts.family import Cost, FamilySpec, FeatureKind
from automl.contracts.modality import Modality
from automl.contracts.words import Words
from engine.models.shared import params
from engine.models.shared.cost import Counted, sizes_of, step_cost

words = Words(__file__)

_COUNTED = {
    "small_32": Counted(224, 22_493_952, 1_142_525_952, 322),
    "tiny_16": Counted(224, 5_524_416, 1_253_491_200, 706),
    "small_16": Counted(224, 21_665_664, 4_598_498_304, 1399),
}
"""Without a head, in order of cost."""

FAMILY = FamilySpec(
    name="vit",
    title=words("title"),
    summary=words("summary"),
    reads=Modality.IMAGE,
    yields=FeatureKind.VECTOR,
    can_continue=True,
    sizes=sizes_of(_COUNTED, {name: words(f"size.{name}") for name in _COUNTED}),
    params=(
        params.epochs(40),
        params.batch_size(32),
        params.lr(5e-4),
        params.weight_decay(5e-2),
        params.label_smoothing(0.05),
        params.augment("light"),
        params.mirror(),
        params.is_balanced(),
        params.resolution_px(64, 96, 128, 160),
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

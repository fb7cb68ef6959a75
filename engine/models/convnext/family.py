"""ConvNeXt from scratch: modern convolutions, for many pictures."""

from __future__ import annotations

from automl.contracts.family import Cost, FamilySpec, FeatureKind
from automl.contracts.modality import Modality
from automl.contracts.words import Words
from engine.models.shared import params
from engine.models.shared.cost import Counted, sizes_of, step_cost

words = Words(__file__)

_COUNTED = {
    "atto": Counted(128, 3_374_520, 178_616_320, 630),
    "femto": Counted(128, 4_832_784, 254_447_616, 753),
    "pico": Counted(128, 8_532_672, 446_218_240, 999),
    "nano": Counted(128, 14_952_560, 798_330_880, 1365),
    "tiny": Counted(128, 27_820_128, 1_454_616_576, 2176),
    "small": Counted(128, 49_454_688, 2_835_247_104, 3472),
}
"""Without a head, in order of cost."""

FAMILY = FamilySpec(
    name="convnext",
    title=words("title"),
    summary=words("summary"),
    reads=Modality.IMAGE,
    yields=FeatureKind.VECTOR,
    can_continue=True,
    sizes=sizes_of(_COUNTED, {name: words(f"size.{name}") for name in _COUNTED}),
    params=(
        params.epochs(40),
        params.batch_size(32),
        params.lr(1e-3),
        params.weight_decay(5e-2),
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

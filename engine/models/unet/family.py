"""U-Net: an encoder and a small decoder that brings its features back to the pixels, the usual first answer for masks."""

from __future__ import annotations

from automl.contracts.family import Cost, FamilySpec, FeatureKind, FirstTrial
from automl.contracts.modality import Modality
from automl.contracts.words import Words
from engine.models.shared import params
from engine.models.shared.backbones import Counted, sizes
from engine.models.shared.cost import step_cost

words = Words(__file__)

_COUNTED = {
    "lite0": Counted(resolution_px=192, num_parameters=3_304_802, macs=597_462_912, saved_bytes_per_pixel=1778),
    "plain": Counted(resolution_px=192, num_parameters=1_276_866, macs=784_465_920, saved_bytes_per_pixel=466),
    "resnet18": Counted(resolution_px=192, num_parameters=11_747_106, macs=1_877_557_248, saved_bytes_per_pixel=706),
}
"""By backbone, the default first."""

FAMILY = FamilySpec(
    name="unet",
    title=words("title"),
    summary=words("summary"),
    reads=Modality.IMAGE,
    yields=FeatureKind.MASKS,
    can_continue=True,
    sizes=sizes(_COUNTED),
    params=params.segmenter(peak_lr=4e-3, resolutions_px=(64, 96, 128, 256, 320, 384, 512)),
    licences=("Apache-2.0",),
    first_trials=(FirstTrial(rank=10), FirstTrial(rank=20, params={"resolution_px": 320})),
)


def cost(sample_shape: tuple[int, ...], size: str) -> Cost:
    """What one training step of one picture needs.

    Args:
        sample_shape: height, width, channels of what the network sees.
        size: name of one of the sizes.
    """
    return step_cost(FAMILY.size(size), _COUNTED[size].saved_bytes_per_pixel, sample_shape)

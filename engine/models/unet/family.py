"""U-Net: an encoder and a small decoder that brings its features back to the pixels, the usual first answer for masks."""

from __future__ import annotations

from automl.contracts.family import FirstTrial
from automl.contracts.words import Words
from engine.models.shared.backbones import Counted, counted_cost
from engine.models.shared.segmenter_family import segmenter_family

words = Words(__file__)

_COUNTED = {
    "lite0": Counted(resolution_px=192, num_parameters=3_304_802, macs=597_462_912, saved_bytes_per_pixel=1778),
    "plain": Counted(resolution_px=192, num_parameters=1_276_866, macs=784_465_920, saved_bytes_per_pixel=466),
    "resnet18": Counted(resolution_px=192, num_parameters=11_747_106, macs=1_877_557_248, saved_bytes_per_pixel=706),
}
"""By backbone, the default first."""

FAMILY = segmenter_family(
    name="unet",
    title=words("title"),
    summary=words("summary"),
    counted=_COUNTED,
    first_trials=(FirstTrial(rank=10), FirstTrial(rank=20, params={"resolution_px": 320})),
)
cost = counted_cost(FAMILY, _COUNTED)

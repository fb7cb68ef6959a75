"""DeepLabv3+: features seen at several distances at once, and a decoder that sharpens them."""

from __future__ import annotations

from automl.contracts.family import FirstTrial
from automl.contracts.words import Words
from engine.models.shared.backbones import Counted, counted_cost
from engine.models.shared.segmenter_family import segmenter_family

words = Words(__file__)

_COUNTED = {
    "lite0": Counted(resolution_px=192, num_parameters=3_301_810, macs=636_412_672, saved_bytes_per_pixel=2356),
    "resnet18": Counted(resolution_px=192, num_parameters=11_650_610, macs=2_393_608_192, saved_bytes_per_pixel=924),
}
"""By backbone, the default first."""

FAMILY = segmenter_family(
    name="deeplabv3_plus",
    title=words("title"),
    summary=words("summary"),
    counted=_COUNTED,
    first_trials=(FirstTrial(rank=40),),
)
cost = counted_cost(FAMILY, _COUNTED)

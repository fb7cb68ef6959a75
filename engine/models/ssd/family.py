"""SSD: default boxes of a few shapes on maps from fine to coarse; light on every device."""

from __future__ import annotations

from automl.contracts.family import FirstTrial
from automl.contracts.words import Words
from engine.models.shared.backbones import Counted, counted_cost
from engine.models.shared.detector_family import detector_family

words = Words(__file__)

_COUNTED = {
    "lite0": Counted(resolution_px=224, num_parameters=3_571_000, macs=397_634_272, saved_bytes_per_pixel=1585),
    "resnet18": Counted(resolution_px=160, num_parameters=11_904_824, macs=955_070_464, saved_bytes_per_pixel=452),
}
"""By backbone, the default first."""

FAMILY = detector_family(
    name="ssd",
    title=words("title"),
    summary=words("summary"),
    counted=_COUNTED,
    first_trials=(FirstTrial(rank=20),),
)
cost = counted_cost(FAMILY, _COUNTED)

"""FCOS: an anchor-free detector on a feature pyramid, the usual first answer for boxes."""

from __future__ import annotations

from automl.contracts.family import FirstTrial
from automl.contracts.words import Words
from engine.models.shared.backbones import Counted, counted_cost
from engine.models.shared.detector_family import detector_family

words = Words(__file__)

_COUNTED = {
    "lite0": Counted(resolution_px=224, num_parameters=3_591_305, macs=802_541_600, saved_bytes_per_pixel=1657),
    "resnet18": Counted(resolution_px=160, num_parameters=11_849_673, macs=1_154_337_600, saved_bytes_per_pixel=524),
}
"""By backbone, the default first."""

FAMILY = detector_family(
    name="fcos",
    title=words("title"),
    summary=words("summary"),
    counted=_COUNTED,
    first_trials=(FirstTrial(rank=30),),
)
cost = counted_cost(FAMILY, _COUNTED)

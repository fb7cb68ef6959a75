"""Cascade R-CNN: regions looked into three times, each time more strictly."""

from __future__ import annotations

from automl.contracts.family import FirstTrial
from automl.contracts.words import Words
from engine.models.shared.backbones import Counted, counted_cost
from engine.models.shared.detector_family import detector_family

words = Words(__file__)

_COUNTED = {
    "lite0": Counted(resolution_px=224, num_parameters=7_154_960, macs=925_511_456, saved_bytes_per_pixel=1689),
    "resnet18": Counted(resolution_px=160, num_parameters=15_413_328, macs=1_403_880_000, saved_bytes_per_pixel=631),
}
"""By backbone, the default first."""

FAMILY = detector_family(
    name="cascade_rcnn",
    title=words("title"),
    summary=words("summary"),
    counted=_COUNTED,
    first_trials=(FirstTrial(rank=50),),
)
cost = counted_cost(FAMILY, _COUNTED)

"""Faster R-CNN: two looks at every object, where one is not enough."""

from __future__ import annotations

from automl.contracts.family import FirstTrial
from automl.contracts.words import Words
from engine.models.shared.backbones import Counted, counted_cost
from engine.models.shared.detector_family import detector_family

words = Words(__file__)

_COUNTED = {
    "lite0": Counted(resolution_px=224, num_parameters=4_611_332, macs=671_252_256, saved_bytes_per_pixel=1683),
    "resnet18": Counted(resolution_px=160, num_parameters=12_869_700, macs=1_149_620_800, saved_bytes_per_pixel=624),
}
"""By backbone, the default first."""

FAMILY = detector_family(
    name="faster_rcnn",
    title=words("title"),
    summary=words("summary"),
    counted=_COUNTED,
    first_trials=(FirstTrial(rank=40),),
)
cost = counted_cost(FAMILY, _COUNTED)

"""Cascade Mask R-CNN: regions looked into three times, each time more strictly, and the outline of what they show."""

from __future__ import annotations

from automl.contracts.family import FeatureKind, FirstTrial
from automl.contracts.words import Words
from engine.models.shared.backbones import Counted, counted_cost
from engine.models.shared.detector_family import detector_family

words = Words(__file__)

_COUNTED = {
    "lite0": Counted(resolution_px=224, num_parameters=7_226_577, macs=1_627_348_256, saved_bytes_per_pixel=1782),
    "resnet18": Counted(resolution_px=160, num_parameters=15_484_945, macs=2_105_716_800, saved_bytes_per_pixel=740),
}
"""By backbone, the default first."""

FAMILY = detector_family(
    name="cascade_mask_rcnn",
    title=words("title"),
    summary=words("summary"),
    yields=FeatureKind.INSTANCES,
    counted=_COUNTED,
    first_trials=(FirstTrial(rank=40),),
)
cost = counted_cost(FAMILY, _COUNTED)

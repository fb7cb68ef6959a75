"""Mask R-CNN: two looks at every object, and its outline."""

from __future__ import annotations

from automl.contracts.family import FeatureKind, FirstTrial
from automl.contracts.words import Words
from engine.models.shared.backbones import Counted, counted_cost
from engine.models.shared.detector_family import detector_family

words = Words(__file__)

_COUNTED = {
    "lite0": Counted(resolution_px=224, num_parameters=4_682_949, macs=1_373_089_056, saved_bytes_per_pixel=1732),
    "resnet18": Counted(resolution_px=160, num_parameters=12_941_317, macs=1_851_457_600, saved_bytes_per_pixel=722),
}
"""By backbone, the default first."""

FAMILY = detector_family(
    name="mask_rcnn",
    title=words("title"),
    summary=words("summary"),
    yields=FeatureKind.INSTANCES,
    counted=_COUNTED,
    first_trials=(
        FirstTrial(rank=10, params={"resolution_px": 128, "epochs": 16}),
        FirstTrial(rank=20),
        FirstTrial(rank=30, params={"resolution_px": 320}),
    ),
)
cost = counted_cost(FAMILY, _COUNTED)

"""BlendMask: every point predicts an object and how to blend its mask from maps that all objects share."""

from __future__ import annotations

from automl.contracts.family import FeatureKind, FirstTrial
from automl.contracts.words import Words
from engine.models.shared.backbones import Counted, counted_cost
from engine.models.shared.detector_family import detector_family

words = Words(__file__)

_COUNTED = {
    "lite0": Counted(resolution_px=224, num_parameters=3_853_521, macs=1_137_928_960, saved_bytes_per_pixel=1755),
    "resnet18": Counted(resolution_px=160, num_parameters=12_111_889, macs=1_326_125_600, saved_bytes_per_pixel=639),
}
"""By backbone, the default first."""

FAMILY = detector_family(
    name="blendmask",
    title=words("title"),
    summary=words("summary"),
    yields=FeatureKind.INSTANCES,
    counted=_COUNTED,
    first_trials=(FirstTrial(rank=5, params={"resolution_px": 128, "epochs": 16}), FirstTrial(rank=15)),
)
cost = counted_cost(FAMILY, _COUNTED)

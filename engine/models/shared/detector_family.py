"""What the specs of detectors on a pyramid share, of boxes or of instances. A family adds its counts and its first trials."""

from __future__ import annotations

from collections.abc import Mapping

from automl.contracts.base import Text
from automl.contracts.family import FamilySpec, FeatureKind, FirstTrial
from automl.contracts.modality import Modality
from engine.models.shared import params
from engine.models.shared.backbones import Counted, sizes

_RESOLUTIONS_PX = (64, 96, 128, 192, 320, 416)
_PEAK_LR = 1e-3


def detector_family(
    *,
    name: str,
    title: Text,
    summary: Text,
    counted: Mapping[str, Counted],
    first_trials: tuple[FirstTrial, ...],
    yields: FeatureKind = FeatureKind.BOXES,
) -> FamilySpec:
    """The spec of a detector.

    Args:
        name: of its folder.
        title: shown to users.
        summary: in a sentence or two.
        counted: of the network on each backbone, the default first; of masks, with sixteen objects a picture.
        first_trials: tried before a search; their ranks decide among families.
        yields: boxes or instances.
    """
    return FamilySpec(
        name=name,
        title=title,
        summary=summary,
        reads=Modality.IMAGE,
        yields=yields,
        can_continue=True,
        sizes=sizes(counted),
        params=params.detector(peak_lr=_PEAK_LR, resolutions_px=_RESOLUTIONS_PX),
        licences=("Apache-2.0",),
        first_trials=first_trials,
    )

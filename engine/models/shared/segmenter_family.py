"""What the specs of segmentation families share: parameters and licence. A family adds its counts and its first trials."""

from __future__ import annotations

from collections.abc import Mapping

from automl.contracts.base import Text
from automl.contracts.family import FamilySpec, FeatureKind, FirstTrial
from automl.contracts.modality import Modality
from engine.models.shared import params
from engine.models.shared.backbones import Counted, sizes

_RESOLUTIONS_PX = (64, 96, 128, 256, 320, 384, 512)
_PEAK_LR = 4e-3


def segmenter_family(
    *, name: str, title: Text, summary: Text, counted: Mapping[str, Counted], first_trials: tuple[FirstTrial, ...]
) -> FamilySpec:
    """The spec of a segmentation family.

    Args:
        name: of its folder.
        title: shown to users.
        summary: in a sentence or two.
        counted: of the network on each backbone, the default first.
        first_trials: tried before a search; their ranks decide among families.
    """
    return FamilySpec(
        name=name,
        title=title,
        summary=summary,
        reads=Modality.IMAGE,
        yields=FeatureKind.MASKS,
        can_continue=True,
        sizes=sizes(counted),
        params=params.segmenter(peak_lr=_PEAK_LR, resolutions_px=_RESOLUTIONS_PX),
        licences=("Apache-2.0",),
        first_trials=first_trials,
    )

"""What the specs of segmentation families share: parameters, licence, cost. A family adds its counts and its first trials."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from automl.contracts.base import Text
from automl.contracts.family import Cost, FamilySpec, FeatureKind, FirstTrial
from automl.contracts.modality import Modality
from engine.models.shared import params
from engine.models.shared.backbones import Counted, sizes
from engine.models.shared.cost import step_cost

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


def segmenter_cost(family: FamilySpec, counted: Mapping[str, Counted]) -> Callable[[tuple[int, ...], str], Cost]:
    """The ``cost`` of a segmentation family; arguments as of ``segmenter_family``."""

    def cost(sample_shape: tuple[int, ...], size: str) -> Cost:
        """What one training step of one picture needs.

        Args:
            sample_shape: height, width, channels of what the network sees.
            size: name of one of the sizes.
        """
        return step_cost(family.size(size), counted[size].saved_bytes_per_pixel, sample_shape)

    return cost

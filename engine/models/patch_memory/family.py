"""PatchCore: remembers what the places of normal pictures look like; the usual first answer for parts without defects."""

from __future__ import annotations

from automl.contracts.family import Cost, FamilySpec, FeatureKind, FirstTrial, IntParam
from automl.contracts.modality import Modality
from automl.contracts.words import Words
from engine.models.shared import params, patch_sizes

words = Words(__file__)

FAMILY = FamilySpec(
    name="patch_memory",
    title=words("title"),
    summary=words("summary"),
    reads=Modality.IMAGE,
    yields=FeatureKind.ANOMALIES,
    is_frozen=True,
    preference=2,
    sizes=patch_sizes.SIZES,
    params=(
        IntParam(
            name="memory_size",
            title=words("memory_size.title"),
            help=words("memory_size.help"),
            low=100,
            high=4_000,
            is_log=True,
            default=1_000,
        ),
        params.resolution_px(*patch_sizes.RESOLUTIONS_PX),
    ),
    licences=("Apache-2.0",),
    first_trials=(FirstTrial(rank=10), FirstTrial(rank=30, params={"resolution_px": 320})),
)


def cost(sample_shape: tuple[int, ...], size: str) -> Cost:
    """What the features of one picture, and comparing them with the memory, need.

    Args:
        sample_shape: height, width, channels of what the network sees.
        size: name of one of the sizes.
    """
    return patch_sizes.place_cost(sample_shape, size)

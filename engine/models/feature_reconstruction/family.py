"""A subspace of what normal places look like: a small, fast model for small devices."""

from __future__ import annotations

from automl.contracts.family import Cost, FamilySpec, FeatureKind, FirstTrial, FloatParam
from automl.contracts.modality import Modality
from automl.contracts.words import Words
from engine.models.shared import params, patch_sizes

words = Words(__file__)

FAMILY = FamilySpec(
    name="feature_reconstruction",
    title=words("title"),
    summary=words("summary"),
    reads=Modality.IMAGE,
    yields=FeatureKind.ANOMALIES,
    is_frozen=True,
    preference=1,
    sizes=patch_sizes.SIZES,
    params=(
        FloatParam(
            name="kept_variance",
            title=words("kept_variance.title"),
            help=words("kept_variance.help"),
            low=0.5,
            high=0.99,
            default=0.9,
        ),
        params.resolution_px(*patch_sizes.RESOLUTIONS_PX),
    ),
    licences=("Apache-2.0",),
    first_trials=(FirstTrial(rank=20),),
)


def cost(sample_shape: tuple[int, ...], size: str) -> Cost:
    """What the features of one picture need.

    Args:
        sample_shape: height, width, channels of what the network sees.
        size: name of one of the sizes.
    """
    return patch_sizes.place_cost(sample_shape, size)

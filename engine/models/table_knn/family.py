"""The nearest rows answer: no training, and every answer can be led back to rows like it."""

from __future__ import annotations

from automl.contracts.family import ChoiceParam, Cost, FamilySpec, FeatureKind, FirstTrial, IntParam
from automl.contracts.modality import Modality
from automl.contracts.words import Words
from engine.models.shared import params

words = Words(__file__)

_FEATURES_PER_COLUMN = 4
"""Of prepared columns: a number and whether it is missing, or the commonest values of a category; a guess for most tables."""
_BYTES_PER_FEATURE = 16
_BYTES_PER_OUTPUT = 8

FAMILY = FamilySpec(
    name="table_knn",
    title=words("title"),
    summary=words("summary"),
    reads=Modality.TABULAR,
    yields=FeatureKind.ROWS,
    sizes=params.row_sizes({"10k": 10_000, "50k": 50_000}),
    params=(
        IntParam(
            name="max_neighbours",
            title=words("max_neighbours.title"),
            help=words("max_neighbours.help"),
            low=1,
            high=200,
            is_log=True,
            default=50,
        ),
        ChoiceParam(
            name="weights",
            title=words("weights.title"),
            help=words("weights.help"),
            choices=("distance", "uniform"),
            choice_titles={
                "distance": words("weights.distance"),
                "uniform": words("weights.uniform"),
            },
            default="distance",
        ),
        ChoiceParam(
            name="is_weighing_columns",
            title=words("is_weighing_columns.title"),
            help=words("is_weighing_columns.help"),
            choices=(True, False),
            default=True,
        ),
        params.learns_validation(),
    ),
    first_trials=(FirstTrial(rank=80),),
)


def cost(sample_shape: tuple[int, ...], size: str) -> Cost:
    """What one row needs: its place among the others, and its distances to all of them.

    Args:
        sample_shape: columns of a row, and of an answer.
        size: name of one of the sizes.

    Raises:
        ValueError: there is no such size.
    """
    num_features = sample_shape[0] * _FEATURES_PER_COLUMN
    flops = 4 * FAMILY.size(size).max_rows * num_features  # the product is computed twice
    return Cost(memory_bytes=_BYTES_PER_FEATURE * num_features + _BYTES_PER_OUTPUT * sample_shape[1], flops=flops)

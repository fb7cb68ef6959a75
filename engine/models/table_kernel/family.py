"""Kernel machine: a smooth answer from how like a row is to known ones; strong where few numbers together decide."""

from __future__ import annotations

from automl.contracts.family import ChoiceParam, Cost, FamilySpec, FeatureKind
from automl.contracts.modality import Modality
from automl.contracts.words import Words
from engine.models.shared import params

words = Words(__file__)

_FEATURES_PER_COLUMN = 4
"""Of prepared columns: a number and whether it is missing, or the commonest values of a category; a guess for most tables."""
_BYTES_PER_CENTRE = 32
"""Of one row: its likeness to every centre, and what the solution keeps of that."""
MOST_CENTRES = 1_500
"""Rows that others are compared with: the solution takes the third power of their number."""

FAMILY = FamilySpec(
    name="table_kernel",
    title=words("title"),
    summary=words("summary"),
    reads=Modality.TABULAR,
    yields=FeatureKind.ROWS,
    sizes=params.row_sizes({"5k": 5_000, "20k": 20_000}),
    params=(
        ChoiceParam(
            name="shape",
            title=words("shape.title"),
            help=words("shape.help"),
            choices=("auto", "gaussian", "exponential"),
            choice_titles={
                "auto": words("shape.auto"),
                "gaussian": words("shape.gaussian"),
                "exponential": words("shape.exponential"),
            },
            default="auto",
        ),
        ChoiceParam(
            name="weighs_columns",
            title=words("weighs_columns.title"),
            help=words("weighs_columns.help"),
            choices=("auto", "yes", "no"),
            choice_titles={
                "auto": words("weighs_columns.auto"),
                "yes": words("weighs_columns.yes"),
                "no": words("weighs_columns.no"),
            },
            default="auto",
        ),
        params.learns_validation(),
    ),
)


def cost(sample_shape: tuple[int, ...], size: str) -> Cost:
    """What one row needs: its likeness to all centres, and the sum of their weights for each answer.

    Args:
        sample_shape: columns of a row, and of an answer.
        size: name of one of the sizes.

    Raises:
        ValueError: there is no such size.
    """
    FAMILY.size(size)
    num_numbers = sample_shape[0] * _FEATURES_PER_COLUMN + sample_shape[1]
    return Cost(memory_bytes=(_BYTES_PER_CENTRE + 8 * num_numbers) * MOST_CENTRES, flops=2 * MOST_CENTRES * num_numbers)

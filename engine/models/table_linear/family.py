"""Logistic and ridge regression on prepared columns: seconds to train, a weight a column, the honest baseline of tables."""

from __future__ import annotations

from automl.contracts.family import Cost, FamilySpec, FeatureKind, FirstTrial, IntParam
from automl.contracts.modality import Modality
from automl.contracts.words import Words
from engine.models.shared import params

words = Words(__file__)

_FEATURES_PER_COLUMN = 6
"""Of prepared columns: 1 of numbers, 14 of mixed columns with words and moments, on tables that were looked at."""
_BYTES_PER_FEATURE = 24
"""Of one row: float32 as prepared, centred and turned, and what arises in between."""
_PASSES = 200
"""Over all rows, along the whole path: 64 to 356 on five tables."""
_FLOPS_PER_FEATURE = 60
"""Of one pass: forward and gradient for three labels, five times over, since products with so few columns wait for memory."""
_FLOPS_PER_WEIGHT = 4
"""Of one pass with many labels, where the product itself takes the time."""
_BYTES_PER_OUTPUT, _FLOPS_PER_OUTPUT = 24, 40
"""Of one pass: logits, probabilities and gradients, as often as they are kept, and their exponentials."""

FAMILY = FamilySpec(
    name="table_linear",
    title=words("title"),
    summary=words("summary"),
    reads=Modality.TABULAR,
    yields=FeatureKind.ROWS,
    sizes=params.row_sizes({"200k": 200_000, "1m": 1_000_000}),
    params=(
        IntParam(
            name="num_knots",
            title=words("num_knots.title"),
            help=words("num_knots.help"),
            low=0,
            high=8,
            default=0,
        ),
        params.is_balanced(),
        params.learns_validation(),
    ),
    first_trials=(
        FirstTrial(rank=20, is_for_rare=False),
        FirstTrial(rank=50, is_for_rare=True),
    ),
)


def cost(sample_shape: tuple[int, ...], size: str) -> Cost:
    """What learning from one row needs.

    Args:
        sample_shape: columns of a row, and of an answer.
        size: name of one of the sizes.

    Raises:
        ValueError: there is no such size.
    """
    FAMILY.size(size)
    num_features = sample_shape[0] * _FEATURES_PER_COLUMN
    num_outputs = sample_shape[1]
    pass_flops = num_features * max(_FLOPS_PER_FEATURE, _FLOPS_PER_WEIGHT * num_outputs) + num_outputs * _FLOPS_PER_OUTPUT
    memory_bytes = num_features * _BYTES_PER_FEATURE + num_outputs * _BYTES_PER_OUTPUT
    return Cost(memory_bytes=memory_bytes, flops=pass_flops * _PASSES)

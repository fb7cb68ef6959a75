"""Trains the other families of tables within a time, and lets those answer together that complement one another."""

from __future__ import annotations

from automl.contracts.family import ChoiceParam, Cost, FamilySpec, FeatureKind, FirstTrial, IntParam
from automl.contracts.modality import Modality
from automl.contracts.words import Words
from engine.models.shared import params

words = Words(__file__)

_FEATURES_PER_COLUMN = 4
"""Of prepared columns: a number and whether it is missing, or the commonest values of a category; a guess for most tables."""
_BYTES_PER_FEATURE = 24
"""Of one row: as prepared for trees, densely, and once more by a learner."""
_BYTES_PER_OUTPUT = 72
"""Of one row: what a dozen models answer, and what one of them keeps while it learns."""
_FLOPS_PER_COLUMN = 20_000_000
"""Of one row: a dozen models for up to three labels; as many products of matrices would take the time."""

FAMILY = FamilySpec(
    name="table_ensemble",
    title=words("title"),
    summary=words("summary"),
    reads=Modality.TABULAR,
    yields=FeatureKind.ROWS,
    sizes=params.row_sizes({"100k": 100_000, "1m": 1_000_000}),
    preference=1,
    is_ensemble=True,
    params=(
        IntParam(
            name="budget_s",
            title=words("budget_s.title"),
            help=words("budget_s.help"),
            low=2,
            high=3600,
            is_log=True,
            default=120,
        ),
        ChoiceParam(
            name="num_folds",
            title=words("num_folds.title"),
            help=words("num_folds.help"),
            choices=(0, 1, 3, 5, 8),
            choice_titles={
                "0": words("num_folds.0"),
                "1": words("num_folds.1"),
            },
            default=0,
        ),
        params.learns_validation(),
        ChoiceParam(
            name="is_stacked",
            title=words("is_stacked.title"),
            help=words("is_stacked.help"),
            choices=(False, True),
            default=False,
        ),
    ),
    first_trials=(FirstTrial(rank=30, rank_if_short=0),),
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
    num_columns, num_outputs = sample_shape
    memory_bytes = _BYTES_PER_FEATURE * _FEATURES_PER_COLUMN * num_columns + _BYTES_PER_OUTPUT * num_outputs
    return Cost(memory_bytes=memory_bytes, flops=_FLOPS_PER_COLUMN * num_columns * max(3, num_outputs) // 3)

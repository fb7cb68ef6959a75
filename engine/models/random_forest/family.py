"""Many trees that vote, each grown on its own draw of rows and columns (Breiman 2001; Geurts et al. 2006 for extra trees)."""

from __future__ import annotations

from automl.contracts.family import ChoiceParam, Cost, FamilySpec, FeatureKind, FirstTrial, IntParam
from automl.contracts.modality import Modality
from automl.contracts.words import Words
from engine.models.shared import params

words = Words(__file__)

_BYTES_PER_COLUMN = 16
"""Of one row: float32 once, and sorted while a tree is grown, on two threads."""
_FLOPS_PER_COLUMN = 4_000_000
"""Of one row and 300 random trees, as products of matrices that take the same time. Measured with 20,000 rows of 20 numbers on
one core, 50 trees: 3.6 s for labels and 12.4 s for numbers, extra trees a third of it; this estimate is 4.4 s."""
_BYTES_PER_OUTPUT = 8
_MANY_OUTPUTS = 100
"""Labels from which on counting them takes the time: 400 took 4.6 times as long as 10, and 100 1.7 times."""

FAMILY = FamilySpec(
    name="random_forest",
    title=words("title"),
    summary=words("summary"),
    reads=Modality.TABULAR,
    yields=FeatureKind.ROWS,
    sizes=params.row_sizes({"100k": 100_000, "500k": 500_000}),
    params=(
        ChoiceParam(
            name="trees",
            title=words("trees.title"),
            help=words("trees.help"),
            choices=("random", "extra"),
            choice_titles={
                "random": words("trees.random"),
                "extra": words("trees.extra"),
            },
            default="random",
        ),
        IntParam(
            name="num_trees",
            title=words("num_trees.title"),
            help=words("num_trees.help"),
            low=50,
            high=1000,
            is_log=True,
            default=300,
        ),
        IntParam(
            name="min_samples_leaf",
            title=words("min_samples_leaf.title"),
            help=words("min_samples_leaf.help"),
            low=1,
            high=50,
            is_log=True,
            default=1,
        ),
        ChoiceParam(
            name="columns_per_split",
            title=words("columns_per_split.title"),
            help=words("columns_per_split.help"),
            choices=("auto", "root", "third", "all"),
            choice_titles={
                "auto": words("columns_per_split.auto"),
                "root": words("columns_per_split.root"),
                "third": words("columns_per_split.third"),
                "all": words("columns_per_split.all"),
            },
            default="auto",
        ),
        params.is_balanced(),
        params.learns_validation(),
    ),
    first_trials=(FirstTrial(rank=60),),
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
    flops = _FLOPS_PER_COLUMN * num_columns * max(_MANY_OUTPUTS, num_outputs) // _MANY_OUTPUTS
    return Cost(memory_bytes=_BYTES_PER_COLUMN * num_columns + _BYTES_PER_OUTPUT * num_outputs, flops=flops)

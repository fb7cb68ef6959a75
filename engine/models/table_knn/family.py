"""The nearest rows answer: no training, and every answer can be led back to rows like it."""

from __future__ import annotations

from automl.contracts.base import Text
from automl.contracts.family import ChoiceParam, Cost, FamilySpec, FeatureKind, FirstTrial, IntParam
from automl.contracts.modality import Modality
from engine.models import params

_FEATURES_PER_COLUMN = 4
"""Of prepared columns: a number and whether it is missing, or the commonest values of a category; a guess for most tables."""
_BYTES_PER_FEATURE = 16
_BYTES_PER_OUTPUT = 8

FAMILY = FamilySpec(
    name="table_knn",
    title=Text(en="Nearest rows", zh="最近邻"),
    summary=Text(
        en="Answers as the most similar known rows did. Good where like things behave alike and there are few columns.",
        zh="参照最相似的已知行作答，适合列数较少、相似者结果相近的数据。",
    ),
    reads=Modality.TABULAR,
    yields=FeatureKind.ROWS,
    sizes=params.row_sizes({"10k": 10_000, "50k": 50_000}),
    params=(
        IntParam(
            name="max_neighbours",
            title=Text(en="Neighbours at most", zh="最大邻居数"),
            help=Text(
                en="How many rows may answer together; the best number up to this is found on validation.",
                zh="最多由多少行共同作答，在验证集上选出不超过它的最佳数目。",
            ),
            low=1,
            high=200,
            is_log=True,
            default=50,
        ),
        ChoiceParam(
            name="weights",
            title=Text(en="Weights", zh="权重"),
            help=Text(
                en="Whether nearer rows count more, or all that answer count alike.",
                zh="距离更近的行权重更大，或所有参与回答的行权重相同。",
            ),
            choices=("distance", "uniform"),
            choice_titles={
                "distance": Text(en="by distance", zh="按距离"),
                "uniform": Text(en="all alike", zh="相同"),
            },
            default="distance",
        ),
        ChoiceParam(
            name="is_weighing_columns",
            title=Text(en="Weigh columns", zh="按列加权"),
            help=Text(
                en="Columns that say more of the target count more when rows are compared.",
                zh="比较各行时，与预测目标关系更大的列权重更大。",
            ),
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

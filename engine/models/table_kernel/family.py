"""Kernel machine: a smooth answer from how like a row is to known ones; strong where few numbers tell it together."""

from __future__ import annotations

from automl.contracts.base import Text
from automl.contracts.family import ChoiceParam, Cost, FamilySpec, FeatureKind
from automl.contracts.modality import Modality
from engine.models import params

_FEATURES_PER_COLUMN = 4
"""Of prepared columns: a number and whether it is missing, or the commonest values of a category; a guess for most tables."""
_BYTES_PER_CENTRE = 32
"""Of one row: its likeness to every centre, and what the solution keeps of that."""
MOST_CENTRES = 1_500
"""Rows that others are compared with: the solution takes the third power of their number."""

FAMILY = FamilySpec(
    name="table_kernel",
    title=Text(en="Kernel machine", zh="核方法"),
    summary=Text(
        en="Compares rows by all columns at once and answers smoothly. Strong on small tables of numbers.",
        zh="按所有列综合比较各行的相似程度，输出平滑，适合以数值列为主的小表。",
    ),
    reads=Modality.TABULAR,
    yields=FeatureKind.ROWS,
    sizes=params.row_sizes({"5k": 5_000, "20k": 20_000}),
    params=(
        ChoiceParam(
            name="shape",
            title=Text(en="Kernel", zh="核函数"),
            help=Text(
                en="How likeness falls with distance: Gaussian is smooth, exponential follows small differences.",
                zh="相似度随距离下降的方式：高斯核更平滑，指数核对细小差异更敏感。",
            ),
            choices=("auto", "gaussian", "exponential"),
            choice_titles={
                "auto": Text(en="by itself", zh="自动"),
                "gaussian": Text(en="Gaussian", zh="高斯核"),
                "exponential": Text(en="exponential", zh="指数核"),
            },
            default="auto",
        ),
        ChoiceParam(
            name="weighs_columns",
            title=Text(en="Weigh columns", zh="按列加权"),
            help=Text(
                en="Whether columns that say more of the target count more; by itself it takes what does better.",
                zh="与预测目标关系更大的列权重更大；自动时选择效果更好的方式。",
            ),
            choices=("auto", "yes", "no"),
            choice_titles={
                "auto": Text(en="by itself", zh="自动"),
                "yes": Text(en="yes", zh="是"),
                "no": Text(en="no", zh="否"),
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

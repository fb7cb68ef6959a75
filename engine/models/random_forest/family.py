"""Many trees that vote, each grown on its own draw of rows and columns (Breiman 2001; Geurts et al. 2006 for extra trees)."""

from __future__ import annotations

from automl.contracts.base import Text
from automl.contracts.family import ChoiceParam, Cost, FamilySpec, FeatureKind, FirstTrial, IntParam
from automl.contracts.modality import Modality
from engine.models import params

_BYTES_PER_COLUMN = 16
"""Of one row: float32 once, and sorted while a tree is grown, on two threads."""
_FLOPS_PER_COLUMN = 4_000_000
"""Of one row and 300 random trees, as products of matrices that take the same time. Measured with 20,000 rows of 20 numbers on
one core, 50 trees: 3.6 s for labels and 12.4 s for numbers, extra trees a third of it; this says 4.4 s."""
_BYTES_PER_OUTPUT = 8
_MANY_OUTPUTS = 100
"""Labels from which on counting them takes the time: 400 took 4.6 times as long as 10, and 100 1.7 times."""

FAMILY = FamilySpec(
    name="random_forest",
    title=Text(en="Random forest", zh="随机森林"),
    summary=Text(
        en="Hundreds of trees vote. Hardly needs tuning, copes with missing cells and odd scales, rarely goes far wrong.",
        zh="由数百棵决策树投票，几乎无需调参，能处理缺失值和不同量纲，表现稳定。",
    ),
    reads=Modality.TABULAR,
    yields=FeatureKind.ROWS,
    sizes=params.row_sizes({"100k": 100_000, "500k": 500_000}),
    params=(
        ChoiceParam(
            name="trees",
            title=Text(en="Kind of trees", zh="树的类型"),
            help=Text(
                en="Best splits of drawn rows, or drawn splits of all rows, which are faster and smoother.",
                zh="最佳分裂：抽取部分行并寻找最佳分裂点；随机分裂：使用全部行并随机取分裂点，更快也更平滑。",
            ),
            choices=("random", "extra"),
            choice_titles={
                "random": Text(en="best splits", zh="最佳分裂"),
                "extra": Text(en="drawn splits", zh="随机分裂"),
            },
            default="random",
        ),
        IntParam(
            name="num_trees",
            title=Text(en="Trees", zh="树的数量"),
            help=Text(
                en="More trees make steadier answers and a larger, slower model.",
                zh="树越多结果越稳定，模型也越大、越慢。",
            ),
            low=50,
            high=1000,
            is_log=True,
            default=300,
        ),
        IntParam(
            name="min_samples_leaf",
            title=Text(en="Rows in a leaf", zh="叶节点最少行数"),
            help=Text(
                en="Fewest rows behind one answer of a tree; more keeps it from learning single rows by heart.",
                zh="每个叶节点至少包含的行数，越大越不容易过拟合。",
            ),
            low=1,
            high=50,
            is_log=True,
            default=1,
        ),
        ChoiceParam(
            name="columns_per_split",
            title=Text(en="Columns tried at a split", zh="每次分裂的候选列"),
            help=Text(
                en="Fewer make the trees more different from one another. By itself it takes the square root of their number"
                " for categories, all for numbers.",
                zh="越少则各树差异越大。自动：预测类别时取列数的平方根，预测数值时取全部。",
            ),
            choices=("auto", "root", "third", "all"),
            choice_titles={
                "auto": Text(en="by itself", zh="自动"),
                "root": Text(en="square root", zh="平方根"),
                "third": Text(en="a third", zh="三分之一"),
                "all": Text(en="all", zh="全部"),
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

"""Trees that each mend what the ones before got wrong (LightGBM, Ke et al. 2017): what mostly wins on tables."""

from __future__ import annotations

from automl.contracts.base import Text
from automl.contracts.family import ChoiceParam, Cost, FamilySpec, FeatureKind, FirstTrial, FloatParam, IntParam
from automl.contracts.modality import Modality
from engine.models import params

_FEATURES_PER_COLUMN = 2
"""Of prepared columns: a number as it is, a moment in parts, a category with statistics; a guess for most tables."""
_BYTES_PER_FEATURE = 8
"""Of one row: float32, its bin and a copy while bins are made."""
_BYTES_PER_OUTPUT = 24
"""Of one row: its sum so far, and a gradient and a hessian."""
_ROUNDS = 400
"""Where early stopping ends on ten tables, at a learning rate of 0.05."""
_FLOPS_PER_FEATURE = 12
"""Of one row in one round: it goes into the histograms of about five levels, a gradient and a hessian each."""

FAMILY = FamilySpec(
    name="gradient_boosting",
    title=Text(en="Gradient boosting", zh="梯度提升树"),
    summary=Text(
        en="Each tree mends what the ones before got wrong: mostly the strongest single model of tables, fast on many rows.",
        zh="每棵树修正前面各树的误差：在多数表格上是最强的单一模型，百万行数据也很快。",
    ),
    reads=Modality.TABULAR,
    yields=FeatureKind.ROWS,
    sizes=params.row_sizes({"2m": 2_000_000}),
    params=(
        FloatParam(
            name="learning_rate",
            title=Text(en="Learning rate", zh="学习率"),
            help=Text(
                en="How much of its correction each tree may make; smaller is better and slower.",
                zh="每棵树修正误差的比例，越小效果越好，但越慢。",
            ),
            low=0.005,
            high=0.3,
            is_log=True,
            default=0.05,
        ),
        IntParam(
            name="num_leaves",
            title=Text(en="Leaves of a tree", zh="叶节点数"),
            help=Text(
                en="More leaves find finer rules, and learn more by heart.",
                zh="叶节点越多规则越细，也越容易过拟合。",
            ),
            low=4,
            high=255,
            is_log=True,
            default=31,
        ),
        IntParam(
            name="min_data_in_leaf",
            title=Text(en="Rows in a leaf", zh="叶节点最少行数"),
            help=Text(
                en="Fewest rows behind one leaf; more keeps it from learning single rows by heart.",
                zh="每个叶节点至少包含的行数，越大越不容易过拟合。",
            ),
            low=1,
            high=200,
            is_log=True,
            default=20,
        ),
        FloatParam(
            name="feature_fraction",
            title=Text(en="Columns of a tree", zh="每棵树的列比例"),
            help=Text(
                en="Share of the columns that each tree is shown; less makes the trees differ.",
                zh="每棵树使用的列所占比例，越小各树差异越大。",
            ),
            low=0.3,
            high=1.0,
            default=0.8,
        ),
        FloatParam(
            name="bagging_fraction",
            title=Text(en="Rows of a tree", zh="每棵树的行比例"),
            help=Text(
                en="Share of the rows that each tree is shown; less makes the trees differ.",
                zh="每棵树使用的行所占比例，越小各树差异越大。",
            ),
            low=0.5,
            high=1.0,
            default=0.8,
        ),
        FloatParam(
            name="lambda_l2",
            title=Text(en="Caution", zh="L2 正则"),
            help=Text(
                en="Draws the answers of small leaves towards nothing; helps with few or noisy rows.",
                zh="使样本少的叶节点输出趋向于零，适合数据少或噪声大的情况。",
            ),
            low=1e-3,
            high=100.0,
            is_log=True,
            default=1.0,
        ),
        IntParam(
            name="max_rounds",
            title=Text(en="Most trees", zh="最多轮数"),
            help=Text(
                en="It ends earlier, as soon as more trees no longer help on validation rows.",
                zh="若验证集不再改善，会提前结束。",
            ),
            low=50,
            high=5000,
            is_log=True,
            default=2000,
        ),
        ChoiceParam(
            name="extra_trees",
            title=Text(en="Drawn splits", zh="随机分裂"),
            help=Text(
                en="Tries one drawn threshold a column instead of all: smoother, and different from the usual.",
                zh="每列只尝试一个随机阈值：结果更平滑，与常规方式互补。",
            ),
            choices=(False, True),
            default=False,
        ),
        ChoiceParam(
            name="growth",
            title=Text(en="Growth", zh="生长方式"),
            help=Text(
                en="Leaf by leaf splits where it helps most. Symmetric asks one question a level, often better with few rows "
                "(up to a million cells); rows in a leaf and drawn splits do not apply.",
                zh="逐叶：在收益最大处分裂；对称：每层使用同一个条件，数据较少时往往更准"
                "（至多一百万个单元格），不使用叶节点最少行数和随机分裂。",
            ),
            choices=("leafwise", "symmetric"),
            choice_titles={
                "leafwise": Text(en="leaf by leaf", zh="逐叶"),
                "symmetric": Text(en="symmetric", zh="对称"),
            },
            default="leafwise",
        ),
        params.is_balanced(),
        params.learns_validation(),
    ),
    first_trials=(
        FirstTrial(rank=10),
        FirstTrial(rank=40, params={"is_balanced": True}, is_for_rare=True),
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
    num_trees = num_outputs if num_outputs > 2 else 1  # a round has one a label
    memory_bytes = num_features * _BYTES_PER_FEATURE + num_outputs * _BYTES_PER_OUTPUT
    return Cost(memory_bytes=memory_bytes, flops=num_features * _FLOPS_PER_FEATURE * _ROUNDS * num_trees)

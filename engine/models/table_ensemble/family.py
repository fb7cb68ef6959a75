"""Trains the other families of tables within a time, and lets those answer together that complement one another."""

from __future__ import annotations

from automl.contracts.base import Text
from automl.contracts.family import ChoiceParam, Cost, FamilySpec, FeatureKind, FirstTrial, IntParam
from automl.contracts.modality import Modality
from engine.models import params

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
    title=Text(en="Stacked ensemble", zh="堆叠集成"),
    summary=Text(
        en="Tries trees, linear models, kernels, networks, neighbours, and mixes the best: accurate, uses the time given.",
        zh="依次训练提升树、森林、线性模型、核方法、神经网络和近邻，并组合其中最好的：精度高，用满给定的时间。",
    ),
    reads=Modality.TABULAR,
    yields=FeatureKind.ROWS,
    sizes=params.row_sizes({"100k": 100_000, "1m": 1_000_000}),
    preference=1,
    params=(
        IntParam(
            name="budget_s",
            title=Text(en="Seconds to train", zh="训练秒数"),
            help=Text(
                en="Time for all models together; a job's own time limit holds too.",
                zh="训练所有模型的总时间，同时不超过任务的时间上限。",
            ),
            low=2,
            high=3600,
            is_log=True,
            default=120,
        ),
        ChoiceParam(
            name="num_folds",
            title=Text(en="Folds", zh="折数"),
            help=Text(
                en="Parts of the rows, each held back once. By itself it goes by rows and time.",
                zh="将数据分成若干份，每份轮流留出。自动：按行数和时间决定。",
            ),
            choices=(0, 1, 3, 5, 8),
            choice_titles={
                "0": Text(en="by itself", zh="自动"),
                "1": Text(en="none, validation judges", zh="不分折，仅用验证集评估"),
            },
            default=0,
        ),
        params.learns_validation(),
        ChoiceParam(
            name="is_stacked",
            title=Text(en="Second layer", zh="第二层模型"),
            help=Text(
                en="Also trains models that see the answers of the first ones; needs folds, and makes answering slower.",
                zh="再训练一层以第一层输出为输入的模型；需要分折，预测会变慢。",
            ),
            choices=(False, True),
            default=False,
        ),
    ),
    first_trials=(FirstTrial(rank=30),),
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

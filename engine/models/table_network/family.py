"""A small network for rows: slower to train than trees and often the best companion for them in an ensemble."""

from __future__ import annotations

from automl.contracts.base import Text
from automl.contracts.family import ChoiceParam, Cost, FamilySpec, FeatureKind, FirstTrial, FloatParam, IntParam
from automl.contracts.modality import Modality
from engine.models import params

NUM_LAYERS = 3
NUM_FREQUENCIES = 16
"""Waves that a number is turned into before it is embedded."""
_FEATURES_PER_COLUMN = 4
"""Of prepared columns: a number and whether it is missing, or the commonest values of a category; a guess for most tables."""
_BYTES_PER_FEATURE = 8
"""Of one row: float32, once as prepared and once as it was before."""
_BYTES_PER_OUTPUT = 12
_FLOPS_PER_OUTPUT = 2 * 3 * 128 * 128
"""Of the last layer, as below."""
_FLOPS_PER_FEATURE = 2 * 3 * 128 * 2 * 128
"""Of one row: forward, and backward for weights and activations; 128 units, inputs doubled by embeddings, 128 epochs."""

FAMILY = FamilySpec(
    name="table_network",
    title=Text(en="Neural network", zh="神经网络"),
    summary=Text(
        en="Reads all columns at once in three layers; sees smooth relations that trees cut into steps.",
        zh="用三层网络同时读取所有列，能学到树模型只能分段近似的平滑关系。",
    ),
    reads=Modality.TABULAR,
    yields=FeatureKind.ROWS,
    sizes=params.row_sizes({"100k": 100_000, "1m": 1_000_000}),
    params=(
        IntParam(
            name="epochs",
            title=Text(en="Epochs", zh="训练轮数"),
            help=Text(
                en="How often every row is seen at most; training ends earlier when nothing improves.",
                zh="每行数据最多被学习的次数，效果不再提升时会提前结束。",
            ),
            low=4,
            high=512,
            is_log=True,
            default=128,
        ),
        ChoiceParam(
            name="width",
            title=Text(en="Width", zh="层宽"),
            help=Text(en="Units in each layer.", zh="每层的单元数。"),
            choices=(64, 128, 256, 512),
            default=128,
        ),
        FloatParam(
            name="lr",
            title=Text(en="Learning rate", zh="学习率"),
            help=Text(en="Size of the steps at their largest.", zh="训练中最大的步长。"),
            low=1e-3,
            high=0.3,
            is_log=True,
            default=0.04,
        ),
        FloatParam(
            name="dropout",
            title=Text(en="Dropout", zh="随机失活"),
            help=Text(
                en="Share of the units left out at random while training; helps against learning by heart.",
                zh="训练时随机关闭的单元比例，防止过拟合。",
            ),
            low=0.0,
            high=0.5,
            default=0.15,
        ),
        FloatParam(
            name="weight_decay",
            title=Text(en="Weight decay", zh="权重衰减"),
            help=Text(en="Pulls weights towards zero; helps against learning by heart.", zh="使权重趋向于零，防止过拟合。"),
            low=1e-5,
            high=0.3,
            is_log=True,
            default=0.02,
        ),
        ChoiceParam(
            name="embedding_size",
            title=Text(en="Numbers embedded in", zh="数值嵌入维数"),
            help=Text(
                en="Values that a number becomes, so that sharp bends can be learned.",
                zh="每个数值被展开成的维数，便于学习剧烈变化。",
            ),
            choices=(1, 4, 8),
            choice_titles={"1": Text(en="as it is", zh="原值")},
            default=4,
        ),
        params.is_balanced(),
        params.learns_validation(),
    ),
    first_trials=(FirstTrial(rank=70),),
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
    features = _FEATURES_PER_COLUMN * sample_shape[0]
    memory_bytes = _BYTES_PER_FEATURE * features + _BYTES_PER_OUTPUT * sample_shape[1]
    return Cost(memory_bytes=memory_bytes, flops=_FLOPS_PER_FEATURE * features + _FLOPS_PER_OUTPUT * sample_shape[1])

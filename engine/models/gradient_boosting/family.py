"""Trees that each mend what the ones before got wrong (LightGBM, Ke et al. 2017): what mostly wins on tables."""

from __future__ import annotations

from automl.contracts.family import ChoiceParam, Cost, FamilySpec, FeatureKind, FirstTrial, FloatParam, IntParam
from automl.contracts.modality import Modality
from automl.contracts.words import Words
from engine.models.shared import params

words = Words(__file__)

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
    title=words("title"),
    summary=words("summary"),
    reads=Modality.TABULAR,
    yields=FeatureKind.ROWS,
    sizes=params.row_sizes({"2m": 2_000_000}),
    params=(
        FloatParam(
            name="learning_rate",
            title=words("learning_rate.title"),
            help=words("learning_rate.help"),
            low=0.005,
            high=0.3,
            is_log=True,
            default=0.05,
        ),
        IntParam(
            name="num_leaves",
            title=words("num_leaves.title"),
            help=words("num_leaves.help"),
            low=4,
            high=255,
            is_log=True,
            default=31,
        ),
        IntParam(
            name="min_data_in_leaf",
            title=words("min_data_in_leaf.title"),
            help=words("min_data_in_leaf.help"),
            low=1,
            high=200,
            is_log=True,
            default=20,
        ),
        FloatParam(
            name="feature_fraction",
            title=words("feature_fraction.title"),
            help=words("feature_fraction.help"),
            low=0.3,
            high=1.0,
            default=0.8,
        ),
        FloatParam(
            name="bagging_fraction",
            title=words("bagging_fraction.title"),
            help=words("bagging_fraction.help"),
            low=0.5,
            high=1.0,
            default=0.8,
        ),
        FloatParam(
            name="lambda_l2",
            title=words("lambda_l2.title"),
            help=words("lambda_l2.help"),
            low=1e-3,
            high=100.0,
            is_log=True,
            default=1.0,
        ),
        IntParam(
            name="max_rounds",
            title=words("max_rounds.title"),
            help=words("max_rounds.help"),
            low=50,
            high=5000,
            is_log=True,
            default=2000,
        ),
        ChoiceParam(
            name="extra_trees",
            title=words("extra_trees.title"),
            help=words("extra_trees.help"),
            choices=(False, True),
            default=False,
        ),
        ChoiceParam(
            name="growth",
            title=words("growth.title"),
            help=words("growth.help"),
            choices=("leafwise", "symmetric"),
            choice_titles={
                "leafwise": words("growth.leafwise"),
                "symmetric": words("growth.symmetric"),
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

"""A small network for rows: slower to train than trees and often the best companion for them in an ensemble."""

from __future__ import annotations

from automl.contracts.family import ChoiceParam, Cost, FamilySpec, FeatureKind, FirstTrial, FloatParam, IntParam
from automl.contracts.modality import Modality
from automl.contracts.words import Words
from engine.models.shared import params

words = Words(__file__)

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
    title=words("title"),
    summary=words("summary"),
    reads=Modality.TABULAR,
    yields=FeatureKind.ROWS,
    sizes=params.row_sizes({"100k": 100_000, "1m": 1_000_000}),
    params=(
        IntParam(
            name="epochs",
            title=words("epochs.title"),
            help=words("epochs.help"),
            low=4,
            high=512,
            is_log=True,
            default=128,
        ),
        ChoiceParam(
            name="width",
            title=words("width.title"),
            help=words("width.help"),
            choices=(64, 128, 256, 512),
            default=128,
        ),
        FloatParam(
            name="lr",
            title=words("lr.title"),
            help=words("lr.help"),
            low=1e-3,
            high=0.3,
            is_log=True,
            default=0.04,
        ),
        FloatParam(
            name="dropout",
            title=words("dropout.title"),
            help=words("dropout.help"),
            low=0.0,
            high=0.5,
            default=0.15,
        ),
        FloatParam(
            name="weight_decay",
            title=words("weight_decay.title"),
            help=words("weight_decay.help"),
            low=1e-5,
            high=0.3,
            is_log=True,
            default=0.02,
        ),
        ChoiceParam(
            name="embedding_size",
            title=words("embedding_size.title"),
            help=words("embedding_size.help"),
            choices=(1, 4, 8),
            choice_titles={"1": words("embedding_size.1")},
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

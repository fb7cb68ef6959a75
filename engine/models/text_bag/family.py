"""Runs of characters as a bag of learned numbers (Joulin et al. 2016, https://arxiv.org/abs/1607.01759): the fastest reader.

What it gains over ``tfidf_linear`` is time: no table is searched, and nothing as long as the table is ever made. It has many
numbers to learn, so that it needs thousands of texts, or a teacher.
"""

from __future__ import annotations

from automl.contracts.family import Cost, FamilySpec, FeatureKind, FirstTrial, SizeSpec
from automl.contracts.modality import Modality
from automl.contracts.words import Words
from engine.models.shared import params

words = Words(__file__)

MAX_TOKENS = 512
NUM_IDS = 4096
LONGEST = 3
"""Characters of the longest run."""
NUM_SLOTS = {"64k": 2**16, "256k": 2**18}
"""Rows of the table by size; runs that meet in one share it."""
CHANNELS = 16
"""Numbers a run; the measured time hardly depends on them, since a row is fetched whole."""
_SAVED_BYTES_PER_TOKEN = 4 * LONGEST * (2 * CHANNELS + 4)
"""What autograd keeps of one text: places and their numbers."""


FAMILY = FamilySpec(
    name="text_bag",
    title=words("title"),
    summary=words("summary"),
    reads=Modality.TEXT,
    yields=FeatureKind.VECTOR,
    can_continue=True,
    sizes=tuple(
        SizeSpec(
            name=name,
            title=words("size.slots", number=number),
            max_tokens=MAX_TOKENS,
            num_parameters=number * CHANNELS,
            macs=0,
        )
        for name, number in NUM_SLOTS.items()
    ),
    params=(
        params.epochs(10),
        params.batch_size(32),
        params.lr(5e-3),
        params.weight_decay(2e-2),
        params.label_smoothing(0.05),
        params.is_balanced(),
        params.max_tokens(128, 256),
        *params.classifier_pieces(),
    ),
    first_trials=(FirstTrial(rank=60, size_index=1),),
)


def cost(sample_shape: tuple[int, ...], size: str) -> Cost:
    """What one training step of one text needs.

    Args:
        sample_shape: tokens.
        size: name of one of the sizes.
    """
    num_runs = LONGEST * sample_shape[0]
    return Cost(memory_bytes=_SAVED_BYTES_PER_TOKEN * sample_shape[0], flops=3 * num_runs * CHANNELS)

"""Runs of characters as a bag of learned numbers (Joulin et al. 2016, https://arxiv.org/abs/1607.01759): the fastest reader.

What it gains over ``tfidf_linear`` is time: no table is searched, and nothing as long as the table is ever made. It has many
numbers to learn, so that it wants thousands of texts, or a teacher.
"""

from __future__ import annotations

from automl.contracts.base import Text
from automl.contracts.family import Cost, FamilySpec, FeatureKind, FirstTrial, SizeSpec
from automl.contracts.modality import Modality
from engine.models import params

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
    title=Text(en="Bag of n-grams", zh="N 元字符袋"),
    summary=Text(
        en="Adds up what runs of characters say: answers in microseconds; for thousands of texts, or taught by a large model.",
        zh="把连续字符的含义相加，几微秒即可给出答案，适合数千条以上的文本，或由大模型来教。",
    ),
    reads=Modality.TEXT,
    yields=FeatureKind.VECTOR,
    sizes=tuple(
        SizeSpec(
            name=name,
            title=Text(en=f"{number:,} slots", zh=f"{number:,} 个槽位"),
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

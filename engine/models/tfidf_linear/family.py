"""Counts of characters and their neighbours with a linear head: seconds to train, small to ship, the honest baseline."""

from __future__ import annotations

from automl.contracts.family import Cost, FamilySpec, FeatureKind, FirstTrial, IntParam, SizeSpec
from automl.contracts.modality import Modality
from automl.contracts.words import Words
from engine.models.shared import params

words = Words(__file__)

MAX_TOKENS = 16_384
"""Of characters: a chapter."""
MAX_WORDS = 4_096
SHORT_PARTS = 4
"""Rows of ids are no longer than this part of the most where no text is: they are stored, filled up, for every text."""
NUM_NGRAMS = {"64k": 2**16, "256k": 2**18, "words": 2**16}
"""Slots for n-grams by size; powers of two, so that the look-up halves them evenly. The last one stands for all others."""
BY_THEMSELVES = 0
"""Value of ``ngram_max`` that leaves it to the texts."""
_LOOKUPS_PER_TOKEN = 5
_OPERATIONS_PER_LOOKUP = 80
_BYTES_PER_TOKEN = 400
"""Keys, places and their intermediates, int64."""


def _size(name: str, number: int) -> SizeSpec:
    title = words("size.words" if name == "words" else "size.ngrams", number=number)
    max_tokens = MAX_WORDS if name == "words" else MAX_TOKENS
    return SizeSpec(name=name, title=title, max_tokens=max_tokens, num_parameters=number, macs=0)


FAMILY = FamilySpec(
    name="tfidf_linear",
    title=words("title"),
    summary=words("summary"),
    reads=Modality.TEXT,
    yields=FeatureKind.VECTOR,
    is_frozen=True,
    sizes=tuple(_size(name, number) for name, number in NUM_NGRAMS.items()),
    params=(
        IntParam(
            name="ngram_max",
            title=words("ngram_max.title"),
            help=words("ngram_max.help"),
            low=BY_THEMSELVES,
            high=5,
            default=BY_THEMSELVES,
        ),
        params.is_balanced(),
        params.max_tokens(256, 512, 1024),
    ),
    first_trials=(
        FirstTrial(rank=10),
        FirstTrial(rank=40, size_index=2),
    ),
)


def cost(sample_shape: tuple[int, ...], size: str) -> Cost:
    """What counting one text needs.

    Args:
        sample_shape: tokens.
        size: name of one of the sizes.
    """
    num_tokens = sample_shape[0]
    usual = min(num_tokens, FAMILY.size(size).max_tokens // SHORT_PARTS)  # most texts are no longer, and need no more time
    flops = usual * _LOOKUPS_PER_TOKEN * _OPERATIONS_PER_LOOKUP
    return Cost(memory_bytes=_BYTES_PER_TOKEN * num_tokens, flops=flops)

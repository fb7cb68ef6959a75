"""Counts of characters and their neighbours with a linear head: seconds to train, small to ship, the honest baseline."""

from __future__ import annotations

from automl.contracts.base import Text
from automl.contracts.family import Cost, FamilySpec, FeatureKind, FirstTrial, IntParam, SizeSpec
from automl.contracts.modality import Modality
from engine.models import params

MAX_TOKENS = 4096
"""Of characters: some pages. What a text does not have costs nothing."""
MAX_WORDS = 1024
NUM_NGRAMS = {"64k": 2**16, "256k": 2**18, "words": 2**16}
"""Slots for n-grams by size; powers of two, so that the look-up halves them evenly. The last one stands for all others."""
BY_THEMSELVES = 0
"""Value of ``ngram_max`` that leaves it to the texts."""
_LOOKUPS_PER_TOKEN = 5
_OPERATIONS_PER_LOOKUP = 80
_BYTES_PER_TOKEN = 400
"""Keys, places and their intermediates, int64."""


def _size(name: str, number: int) -> SizeSpec:
    if name == "words":
        title = Text(en=f"Words, up to {number:,} runs", zh=f"词，至多 {number:,} 个 N 元组")
    else:
        title = Text(en=f"Up to {number:,} n-grams", zh=f"至多 {number:,} 个 N 元组")
    max_tokens = MAX_WORDS if name == "words" else MAX_TOKENS
    return SizeSpec(name=name, title=title, max_tokens=max_tokens, num_parameters=number, macs=0)


FAMILY = FamilySpec(
    name="tfidf_linear",
    title=Text(en="Weighted n-grams", zh="加权 N 元组"),
    summary=Text(
        en="Counts runs of characters or words and weighs what is rare: trains in seconds, needs no ready-made model.",
        zh="统计连续的字符或词并加大少见者的权重，几秒完成训练，不依赖预训练模型。",
    ),
    reads=Modality.TEXT,
    yields=FeatureKind.VECTOR,
    is_frozen=True,
    sizes=tuple(_size(name, number) for name, number in NUM_NGRAMS.items()),
    params=(
        IntParam(
            name="ngram_max",
            title=Text(en="Longest run", zh="最长字符串"),
            help=Text(
                en="Characters or words in a row that count together. With 0 the texts decide: 5 characters of an alphabet,"
                " 3 Chinese ones, 2 words.",
                zh="作为一个整体统计的最多连续字符数或词数。0 表示由文本决定：字母文字 5 个字符，汉字 3 个字符，词 2 个。",
            ),
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
    flops = num_tokens * _LOOKUPS_PER_TOKEN * _OPERATIONS_PER_LOOKUP
    return Cost(memory_bytes=_BYTES_PER_TOKEN * num_tokens, flops=flops)

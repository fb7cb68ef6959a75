"""Counts of characters and their neighbours with a linear head: seconds to train, small to ship, the honest baseline."""

from __future__ import annotations

from automl.contracts.base import Text
from automl.contracts.family import Cost, FamilySpec, FeatureKind, IntParam, Modality, SizeSpec
from engine.models import params

MAX_TOKENS = 1024
NUM_NGRAMS = {"64k": 2**16, "256k": 2**18}
"""Slots for n-grams by size; powers of two, so that the look-up halves them evenly. The last one stands for all others."""
_LOOKUPS_PER_TOKEN = 5
_OPERATIONS_PER_LOOKUP = 80
_BYTES_PER_TOKEN = 400
"""Keys, places and their intermediates, int64."""

FAMILY = FamilySpec(
    name="tfidf_linear",
    title=Text(en="Weighted n-grams", zh="加权 N 元字符"),
    summary=Text(
        en="Counts runs of characters and weighs what is rare: trains in seconds, answers at once, needs no ready-made model.",
        zh="统计连续字符并加大少见者的权重，几秒完成训练，预测极快，不依赖预训练模型。",
    ),
    reads=Modality.TEXT,
    yields=FeatureKind.VECTOR,
    is_frozen=True,
    sizes=tuple(
        SizeSpec(
            name=name,
            title=Text(en=f"Up to {number:,} n-grams", zh=f"至多 {number:,} 个 N 元组"),
            max_tokens=MAX_TOKENS,
            num_parameters=number,
            macs=0,
        )
        for name, number in NUM_NGRAMS.items()
    ),
    params=(
        IntParam(
            name="ngram_max",
            title=Text(en="Longest run", zh="最长字符串"),
            help=Text(
                en="Characters in a row that count together; 3 suits Chinese, 5 suits English.",
                zh="作为一个整体统计的最多连续字符数，中文宜用 3，英文宜用 5。",
            ),
            low=1,
            high=5,
            default=3,
        ),
        params.is_balanced(),
        params.max_tokens(256, 512),
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

"""Convolutions over words, from scratch (Kim 2014, https://arxiv.org/abs/1408.5882): small and quick, for many texts."""

from __future__ import annotations

from automl.contracts.base import Text
from automl.contracts.family import Cost, FamilySpec, FeatureKind, FirstTrial, SizeSpec
from automl.contracts.modality import Modality
from automl.contracts.words import Words
from engine.models.shared import params

words = Words(__file__)

MAX_TOKENS = 128
NUM_IDS = 8192
WIDTHS = (2, 3, 4, 5)
"""Words that a kernel looks at together."""
CHANNELS = {"small": 64, "base": 128}
"""Numbers a word, and kernels of each width."""
_SAVED_BYTES_PER_TOKEN = {"small": 4 * 64 * 16, "base": 4 * 128 * 16}
"""What autograd keeps of one text: words, their windows, activations and their masks, fp32."""


def _size(name: str, title: Text) -> SizeSpec:
    channels, window = CHANNELS[name], sum(WIDTHS)
    return SizeSpec(
        name=name,
        title=title,
        max_tokens=MAX_TOKENS,
        num_parameters=NUM_IDS * channels + window * channels**2 + len(WIDTHS) * channels,
        macs=MAX_TOKENS * window * channels**2,
    )


FAMILY = FamilySpec(
    name="text_cnn",
    title=words("title"),
    summary=words("summary"),
    reads=Modality.TEXT,
    yields=FeatureKind.VECTOR,
    can_continue=True,
    sizes=(
        _size("small", words("size.small")),
        _size("base", words("size.base")),
    ),
    params=(
        params.epochs(15),
        params.batch_size(32),
        params.lr(2e-3),
        params.weight_decay(2e-2),
        params.label_smoothing(0.05),
        params.is_balanced(),
        params.max_tokens(64, 256, 512),
        *params.classifier_pieces(),
    ),
    first_trials=(FirstTrial(rank=70),),
)


def cost(sample_shape: tuple[int, ...], size: str) -> Cost:
    """What one training step of one text needs.

    Args:
        sample_shape: tokens.
        size: name of one of the sizes.
    """
    spec, num_tokens = FAMILY.size(size), sample_shape[0]
    flops = 6 * spec.macs * num_tokens // spec.max_tokens  # forward and backward: three passes of two operations
    return Cost(memory_bytes=_SAVED_BYTES_PER_TOKEN[size] * num_tokens, flops=flops)

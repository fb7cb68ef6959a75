"""A recurrent network over words, from scratch: gated units (Cho et al. 2014, https://arxiv.org/abs/1406.1078), both ways."""

from __future__ import annotations

from automl.contracts.base import Text
from automl.contracts.family import Cost, FamilySpec, FeatureKind, SizeSpec
from automl.contracts.modality import Modality
from automl.contracts.words import Words
from engine.models.shared import params

words = Words(__file__)

MAX_TOKENS = 128
NUM_IDS = 8192
CHANNELS = {"small": 64, "base": 128}
"""Numbers a word, and units of each direction."""
DIRECTIONS, GATES = 2, 3
"""Each gate of each direction has two matrices and two biases."""
_SAVED_BYTES_PER_TOKEN = {"small": 4 * 64 * 16, "base": 4 * 128 * 16}
"""What autograd keeps of one text: words, gates and states of both directions, fp32."""


def _size(name: str, title: Text) -> SizeSpec:
    channels = CHANNELS[name]
    matrices = DIRECTIONS * GATES * 2 * channels**2
    return SizeSpec(
        name=name,
        title=title,
        max_tokens=MAX_TOKENS,
        num_parameters=NUM_IDS * channels + matrices + DIRECTIONS * GATES * 2 * channels,
        macs=MAX_TOKENS * matrices,
    )


FAMILY = FamilySpec(
    name="text_gru",
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

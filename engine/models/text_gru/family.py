"""A recurrent network over words, from scratch: gated units (Cho et al. 2014, https://arxiv.org/abs/1406.1078), both ways."""

from __future__ import annotations

from automl.contracts.base import Text
from automl.contracts.family import Cost, FamilySpec, FeatureKind, SizeSpec
from automl.contracts.modality import Modality
from engine.models import params

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
    title=Text(en="Text GRU", zh="文本 GRU"),
    summary=Text(
        en="Reads your texts word by word from both ends: small, and for texts whose order of words matters.",
        zh="从两端逐词阅读您的文本，模型小巧，适合语序重要的文本。",
    ),
    reads=Modality.TEXT,
    yields=FeatureKind.VECTOR,
    sizes=(
        _size("small", Text(en="Small, fast", zh="小型，快速")),
        _size("base", Text(en="Base", zh="标准")),
    ),
    params=(
        params.epochs(15),
        params.batch_size(32),
        params.lr(2e-3),
        params.weight_decay(2e-2),
        params.label_smoothing(0.05),
        params.is_balanced(),
        params.max_tokens(64, 256, 512),
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

"""A pretrained transformer, all of it trained on: the most accurate family of texts, and the slowest."""

from __future__ import annotations

from automl.contracts.base import Text
from automl.contracts.family import Cost, FamilySpec, FeatureKind, FirstTrial, SizeSpec
from automl.contracts.modality import Modality
from automl.contracts.words import Words
from engine.models.shared import params

words = Words(__file__)

WIDTH, WIDTHS_WIDE = 384, 1536
WINDOW = 128
"""Tokens that are read at once: most reviews, messages and headlines are shorter."""
MOST_WINDOWS = 16
"""Of a longer text: 2,033 tokens, some pages. What is longer than that shows parts at even distances."""
MAX_TOKENS = 4096
"""How far the last window may lie."""
_SAVED_BYTES_PER_TOKEN = 4 * (16 * WIDTH + 3 * WIDTHS_WIDE) + 4 * 12 * 3 * WINDOW
"""What autograd keeps of one token in one layer, fp32: activations, and the attention of twelve heads."""
NUM_WORDS = {"multilingual": 250_037, "english": 30_522}
"""Of which there are vectors."""
_WORD_COPIES = 3
"""Of all word vectors, whole: in the network while it is exported and in the graph that the runtime opens; the tokenizer takes
as much. The multilingual probe was measured at 1.9 GB."""
_LAYERS = {"multilingual": 12, "english": 6}
NUM_PARAMETERS_PER_LAYER = 4 * (WIDTH * WIDTH + WIDTH) + 2 * WIDTH * WIDTHS_WIDE + WIDTHS_WIDE + WIDTH + 4 * WIDTH
_MACS_PER_TOKEN = 4 * WIDTH * WIDTH + 2 * WIDTH * WIDTHS_WIDE


def _size(name: str, title: Text, asset: str) -> SizeSpec:
    layers = _LAYERS[name]
    return SizeSpec(
        name=name,
        title=title,
        max_tokens=MAX_TOKENS,
        num_parameters=layers * NUM_PARAMETERS_PER_LAYER + 512 * WIDTH + 2 * WIDTH,  # word vectors are not trained
        macs=layers * MOST_WINDOWS * (WINDOW * _MACS_PER_TOKEN + 2 * WINDOW * WINDOW * WIDTH),
        asset=asset,
    )


FAMILY = FamilySpec(
    name="text_encoder",
    title=words("title"),
    summary=words("summary"),
    reads=Modality.TEXT,
    yields=FeatureKind.VECTOR,
    can_continue=True,
    is_probed_first=True,
    preference=2,
    sizes=(
        _size("multilingual", words("size.multilingual"), "multilingual_e5_small"),
        _size("english", words("size.english"), "minilm_l6"),
    ),
    params=(
        params.epochs(2),
        params.batch_size(16),
        params.lr(5e-5),
        params.weight_decay(1e-2),
        params.label_smoothing(0.0),
        params.is_balanced(),
        params.max_tokens(64, 128, 256, 512),
        *params.classifier_pieces(),
    ),
    licences=("MIT", "Apache-2.0"),
    first_trials=(FirstTrial(rank=50),),
)


def cost(sample_shape: tuple[int, ...], size: str) -> Cost:
    """What one training step of one text needs: of a longer one it sees one window.

    Args:
        sample_shape: tokens.
        size: name of one of the sizes.
    """
    return cost_at_once(min(sample_shape[0], WINDOW), size)


def cost_at_once(num_tokens: int, size: str) -> Cost:
    """What one training step of one text needs that is read at once."""
    layers = _LAYERS[size]
    macs = layers * num_tokens * _MACS_PER_TOKEN  # attention itself is a twentieth of it at 128 tokens
    words = _WORD_COPIES * NUM_WORDS[size] * WIDTH * 4
    return Cost(memory_bytes=layers * num_tokens * _SAVED_BYTES_PER_TOKEN, flops=6 * macs, fixed_bytes=words)

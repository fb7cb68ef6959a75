"""The model as it is shipped: tokens in, scores out.

The tokenizer travels beside the graph as a file of the library ``tokenizers``. onnxruntime knows none by itself, and its
extensions are a native library of their own for each platform. Batch and length stay free. Shapes: B batch, T tokens,
L labels.
"""

from __future__ import annotations

from collections.abc import Mapping

from torch import Tensor, nn

from automl.contracts.artefact import TensorSpec, TextDecode
from engine.tasks.shared.classification.loss import scores
from engine.tasks.shared.classification.options import output_kind

__all__ = ["Portable", "decode", "inputs", "output_kind", "outputs"]


class Portable(nn.Module):
    """int64 tokens ``_BT`` to scores ``_BL``."""

    def __init__(self, network: nn.Module, *, options: Mapping[str, str]):
        super().__init__()
        self.network = network
        self.options = options

    def forward(self, tokens: Tensor) -> Tensor:
        """Scores 0..1 of texts, padded at their ends to one length."""
        return scores(self.network(tokens), self.options)


def decode(*, max_tokens: int, pad_id: int) -> TextDecode:
    """How a runtime turns a text into the input."""
    return TextDecode(max_tokens=max_tokens, pad_id=pad_id)


def inputs() -> tuple[TensorSpec, ...]:
    """The graph's inputs."""
    return (TensorSpec(name="tokens", dtype="int64", axes=("batch", "length"), unit="ids of tokenizer.json"),)


def outputs(num_labels: int) -> tuple[TensorSpec, ...]:
    """The graph's outputs."""
    return (TensorSpec(name="scores", dtype="float32", axes=("batch", num_labels), unit="probability 0..1"),)

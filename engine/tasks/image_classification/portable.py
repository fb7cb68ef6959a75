"""The model as it is shipped: pictures of any size in, scores out, everything between inside the graph.

Resizing belongs to the graph so that every runtime resizes alike. Its batch, height and width stay free. Shapes: B batch,
H height, W width, C channels, L labels.
"""

from __future__ import annotations

from typing import Any

from torch import Tensor

from automl.contracts.artefact import TensorSpec
from engine.tasks.shared.classification.loss import scores
from engine.tasks.shared.classification.options import output_kind
from engine.tasks.shared.picture_graph import PictureGraph, decode, inputs

__all__ = ["Portable", "decode", "inputs", "output_kind", "outputs"]


class Portable(PictureGraph):
    """uint8 pictures ``_BHWC`` to scores ``_BL``."""

    def answers(self, raw: Any) -> Tensor:
        """Scores 0..1."""
        return scores(raw, self.options)


def outputs(num_labels: int) -> tuple[TensorSpec, ...]:
    """The graph's outputs."""
    return (TensorSpec(name="scores", dtype="float32", axes=("batch", num_labels), unit="probability 0..1"),)

"""The detector as it is shipped: pictures of any size in, boxes out, everything between inside the graph.

Resizing and suppression belong to the graph so that every runtime gives the same boxes. Its batch, height and width stay
free. Shapes: B batch, H height, W width, C channels, D detections.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from torch import Tensor

from automl.contracts.artefact import TensorSpec
from automl.contracts.task import OutputKind
from engine.tasks.object_detection.loss import answers
from engine.tasks.shared.picture_graph import PictureGraph, decode, inputs
from engine.tasks.shared.suppression import MAX_DETECTIONS, NUM_COLUMNS

__all__ = ["Portable", "decode", "inputs", "output_kind", "outputs"]


class Portable(PictureGraph):
    """uint8 pictures ``_BHWC`` to detections ``_BD6``."""

    def answers(self, raw: Any) -> Tensor:
        """Detections; boxes are fractions of the picture, so that its aspect does not matter."""
        return answers(self.network, raw, self.options)


def output_kind(options: Mapping[str, str]) -> OutputKind:
    """What the rows mean."""
    return OutputKind.BOXES


def outputs(num_labels: int) -> tuple[TensorSpec, ...]:
    """The graph's outputs."""
    unit = "x, y, width, height as fractions of the picture; score 0..1; label index, -1 in rows without a box"
    return (TensorSpec(name="detections", dtype="float32", axes=("batch", MAX_DETECTIONS, NUM_COLUMNS), unit=unit),)

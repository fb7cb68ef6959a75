"""The detector as it is shipped: pictures of any size in, objects with masks within their boxes out.

Masks are laid over the picture by the runtime. The batch, height and width of the graph stay free. Shapes: B batch, H height, W
width, C channels, D detections, P cells of a mask's side.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from torch import Tensor

from automl.contracts.artefact import TensorSpec
from automl.contracts.task import OutputKind
from engine.tasks.instance_segmentation.loss import MAX_INSTANCES, NUM_INSTANCE_COLUMNS, answers
from engine.tasks.shared.picture_graph import PictureGraph, decode, inputs

__all__ = ["Portable", "decode", "inputs", "output_kind", "outputs"]


class Portable(PictureGraph):
    """uint8 pictures ``_BHWC`` to rows ``_BD(6+PP)``."""

    def answers(self, raw: Any) -> Tensor:
        """Objects; boxes are fractions of the picture, so that its aspect does not matter."""
        return answers(self.network, raw, self.options)


def output_kind(options: Mapping[str, str]) -> OutputKind:
    """What the rows mean."""
    return OutputKind.INSTANCES


def outputs(num_labels: int) -> tuple[TensorSpec, ...]:
    """The graph's outputs."""
    unit = (
        "x, y, width, height as fractions of the picture; score 0..1; label index, -1 in rows without an object; then the mask "
        "within the box, row by row, 0..1"
    )
    axes = ("batch", MAX_INSTANCES, NUM_INSTANCE_COLUMNS)
    return (TensorSpec(name="instances", dtype="float32", axes=axes, unit=unit),)

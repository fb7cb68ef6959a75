"""The segmenter as it is shipped: pictures of any size in, a label a pixel out, everything between inside the graph.

Its batch, height and width stay free. Shapes: B batch, H height, W width, C channels, S side of what the network sees.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from torch import Tensor

from automl.contracts.artefact import TensorSpec
from automl.contracts.task import OutputKind
from engine.tasks.semantic_segmentation.loss import answers
from engine.tasks.shared.picture_graph import PictureGraph, decode, inputs

__all__ = ["Portable", "decode", "inputs", "output_kind", "outputs"]


class Portable(PictureGraph):
    """uint8 pictures ``_BHWC`` to planes ``_B2SS``."""

    def answers(self, raw: Any) -> Tensor:
        """Planes, which the runtime lays over the picture as it was sent."""
        return answers(self.network, raw, self.options)


def output_kind(options: Mapping[str, str]) -> OutputKind:
    """What the planes mean."""
    return OutputKind.MASK


def outputs(num_labels: int) -> tuple[TensorSpec, ...]:
    """The graph's outputs."""
    unit = "label index, -1 for none of them; then how likely it is, 0..1"
    return (TensorSpec(name="mask", dtype="float32", axes=("batch", 2, "mask_height", "mask_width"), unit=unit),)

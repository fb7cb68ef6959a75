"""The model as it is shipped: pictures of any size in, directions of length one out, everything between inside the graph.

Its batch, height and width stay free. Shapes: B batch, H height, W width, C channels, D numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from torch import Tensor

from automl.contracts.artefact import TensorSpec
from automl.contracts.task import OutputKind
from engine.tasks.image_similarity.head import NUM_DIMENSIONS
from engine.tasks.shared.picture_graph import PictureGraph, decode, inputs

__all__ = ["Portable", "decode", "inputs", "output_kind", "outputs"]


class Portable(PictureGraph):
    """uint8 pictures ``_BHWC`` to directions ``_BD``."""

    def answers(self, raw: Any) -> Tensor:
        """The directions, which the network gives."""
        answer: Tensor = raw
        return answer


def output_kind(options: Mapping[str, str]) -> OutputKind:
    """What the numbers mean."""
    return OutputKind.VECTOR


def outputs(num_labels: int) -> tuple[TensorSpec, ...]:
    """The graph's outputs."""
    unit = "a direction: the squares add up to one"
    return (TensorSpec(name="vector", dtype="float32", axes=("batch", NUM_DIMENSIONS), unit=unit),)

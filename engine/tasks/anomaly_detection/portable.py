"""The detector as it is shipped: pictures of any size in, a score for each place out, everything between inside the graph.

Its batch, height and width stay free. Shapes: B batch, H height, W width, C channels, S side of what the network sees.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from torch import Tensor

from automl.contracts.artefact import TensorSpec
from automl.contracts.task import OutputKind
from engine.tasks.shared.picture_graph import PictureGraph, decode, inputs

__all__ = ["Portable", "decode", "inputs", "output_kind", "outputs"]


class Portable(PictureGraph):
    """uint8 pictures ``_BHWC`` to planes of anomaly scores ``_BHW``, coarser than the picture."""

    def answers(self, raw: Any) -> Tensor:
        """The scores of the places, which the detector gives; the plane lies over the whole picture."""
        answer: Tensor = raw
        return answer


def output_kind(options: Mapping[str, str]) -> OutputKind:
    """What the planes mean."""
    return OutputKind.HEAT_MAP


def outputs(num_labels: int) -> tuple[TensorSpec, ...]:
    """The graph's outputs."""
    unit = "anomaly score of a place, 0..1; the picture's is the largest"
    return (TensorSpec(name="heat_map", dtype="float32", axes=("batch", "map_height", "map_width"), unit=unit),)

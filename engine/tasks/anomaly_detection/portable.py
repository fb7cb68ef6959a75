"""The detector as it is shipped: pictures of any size in, a score for each place out, everything between inside the graph.

Its batch, height and width stay free. Shapes: B batch, H height, W width, C channels, S side of what the network sees.
"""

from __future__ import annotations

from collections.abc import Mapping

from torch import Tensor, nn

from automl.contracts.artefact import ImageDecode, TensorSpec
from automl.contracts.task import OutputKind
from engine.data.resize import resize_by_products


class Portable(nn.Module):
    """uint8 pictures ``_BHWC`` to planes of anomaly scores ``_BHW``, coarser than the picture."""

    def __init__(self, network: nn.Module, *, resolution_px: int, options: Mapping[str, str]):
        super().__init__()
        self.network = network
        self.resolution_px = resolution_px
        self.options = options

    def forward(self, picture: Tensor) -> Tensor:
        """Planes of pictures of one size; the aspect is not kept: a plane lies over the whole picture."""
        scores: Tensor = self.network(resize_by_products(picture, self.resolution_px))
        return scores


def decode(resolution_px: int) -> ImageDecode:
    """How a runtime turns a file into the input."""
    return ImageDecode(min_side_px=resolution_px)


def output_kind(options: Mapping[str, str]) -> OutputKind:
    """What the planes mean."""
    return OutputKind.HEAT_MAP


def inputs() -> tuple[TensorSpec, ...]:
    """The graph's inputs."""
    return (TensorSpec(name="picture", dtype="uint8", axes=("batch", "height", "width", 3), unit="sRGB 0..255"),)


def outputs(num_labels: int) -> tuple[TensorSpec, ...]:
    """The graph's outputs."""
    unit = "anomaly score of a place, 0..1; the picture's is the largest"
    return (TensorSpec(name="heat_map", dtype="float32", axes=("batch", "map_height", "map_width"), unit=unit),)

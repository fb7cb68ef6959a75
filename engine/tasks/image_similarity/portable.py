"""The model as it is shipped: pictures of any size in, directions of length one out, everything between inside the graph.

Its batch, height and width stay free. Shapes: B batch, H height, W width, C channels, D numbers.
"""

from __future__ import annotations

from collections.abc import Mapping

from torch import Tensor, nn

from automl.contracts.artefact import ImageDecode, TensorSpec
from automl.contracts.task import OutputKind
from engine.data.resize import resize_by_products
from engine.tasks.image_similarity.head import NUM_DIMENSIONS


class Portable(nn.Module):
    """uint8 pictures ``_BHWC`` to directions ``_BD``."""

    def __init__(self, network: nn.Module, *, resolution_px: int, options: Mapping[str, str]):
        super().__init__()
        self.network = network
        self.resolution_px = resolution_px
        self.options = options

    def forward(self, picture: Tensor) -> Tensor:
        """Directions of pictures of one size; the aspect is not kept."""
        directions: Tensor = self.network(resize_by_products(picture, self.resolution_px))
        return directions


def decode(resolution_px: int) -> ImageDecode:
    """How a runtime turns a file into the input."""
    return ImageDecode(min_side_px=resolution_px)


def output_kind(options: Mapping[str, str]) -> OutputKind:
    """What the numbers mean."""
    return OutputKind.VECTOR


def inputs() -> tuple[TensorSpec, ...]:
    """The graph's inputs."""
    return (TensorSpec(name="picture", dtype="uint8", axes=("batch", "height", "width", 3), unit="sRGB 0..255"),)


def outputs(num_labels: int) -> tuple[TensorSpec, ...]:
    """The graph's outputs."""
    unit = "a direction: the squares add up to one"
    return (TensorSpec(name="vector", dtype="float32", axes=("batch", NUM_DIMENSIONS), unit=unit),)

"""The model as it is shipped: pictures of any size in, scores out, everything between inside the graph.

Resizing belongs to the graph so that every runtime resizes alike. Its batch, height and width stay free. Shapes: B batch,
H height, W width, C channels, L labels.
"""

from __future__ import annotations

from collections.abc import Mapping

from torch import Tensor, nn

from automl.contracts.artefact import ImageDecode, TensorSpec
from engine.data.resize import resize_by_products
from engine.tasks.shared.classification.loss import scores
from engine.tasks.shared.classification.options import output_kind

__all__ = ["Portable", "decode", "inputs", "output_kind", "outputs"]


class Portable(nn.Module):
    """uint8 pictures ``_BHWC`` to scores ``_BL``."""

    def __init__(self, network: nn.Module, *, resolution_px: int, options: Mapping[str, str]):
        super().__init__()
        self.network = network
        self.resolution_px = resolution_px
        self.options = options

    def forward(self, picture: Tensor) -> Tensor:
        """Scores 0..1 of pictures of one size; the aspect is not kept."""
        resized_BCHW = resize_by_products(picture, self.resolution_px)
        return scores(self.network(resized_BCHW), self.options)


def decode(resolution_px: int) -> ImageDecode:
    """How a runtime turns a file into the input."""
    return ImageDecode(min_side_px=resolution_px)


def inputs() -> tuple[TensorSpec, ...]:
    """The graph's inputs."""
    return (TensorSpec(name="picture", dtype="uint8", axes=("batch", "height", "width", 3), unit="sRGB 0..255"),)


def outputs(num_labels: int) -> tuple[TensorSpec, ...]:
    """The graph's outputs."""
    return (TensorSpec(name="scores", dtype="float32", axes=("batch", num_labels), unit="probability 0..1"),)

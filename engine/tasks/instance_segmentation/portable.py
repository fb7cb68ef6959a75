"""The detector as it is shipped: pictures of any size in, objects with masks within their boxes out.

Masks are laid over the picture by the runtime. The batch, height and width of the graph stay free. Shapes: B batch, H height, W
width, C channels, D detections, P cells of a mask's side.
"""

from __future__ import annotations

from collections.abc import Mapping

from torch import Tensor, nn

from automl.contracts.artefact import ImageDecode, TensorSpec
from automl.contracts.task import OutputKind
from engine.data.resize import resize_by_products
from engine.tasks.instance_segmentation.loss import MAX_INSTANCES, NUM_INSTANCE_COLUMNS, answers


class Portable(nn.Module):
    """uint8 pictures ``_BHWC`` to rows ``_BD(6+PP)``."""

    def __init__(self, network: nn.Module, *, resolution_px: int, options: Mapping[str, str]):
        super().__init__()
        self.network = network
        self.resolution_px = resolution_px
        self.options = options

    def forward(self, picture: Tensor) -> Tensor:
        """Objects of pictures of one size; the aspect is not kept, and boxes are fractions, so that it does not matter."""
        resized_BCHW = resize_by_products(picture, self.resolution_px)
        return answers(self.network, self.network(resized_BCHW), self.options)


def decode(resolution_px: int) -> ImageDecode:
    """How a runtime turns a file into the input."""
    return ImageDecode(min_side_px=resolution_px)


def output_kind(options: Mapping[str, str]) -> OutputKind:
    """What the rows mean."""
    return OutputKind.INSTANCES


def inputs() -> tuple[TensorSpec, ...]:
    """The graph's inputs."""
    return (TensorSpec(name="picture", dtype="uint8", axes=("batch", "height", "width", 3), unit="sRGB 0..255"),)


def outputs(num_labels: int) -> tuple[TensorSpec, ...]:
    """The graph's outputs."""
    unit = (
        "x, y, width, height as fractions of the picture; score 0..1; label index, -1 in rows without an object; then the mask "
        "within the box, row by row, 0..1"
    )
    axes = ("batch", MAX_INSTANCES, NUM_INSTANCE_COLUMNS)
    return (TensorSpec(name="instances", dtype="float32", axes=axes, unit=unit),)

"""The segmenter as it is shipped: pictures of any size in, a label a pixel out, everything between inside the graph.

Its batch, height and width stay free. Shapes: B batch, H height, W width, C channels, S side of what the network sees.
"""

from __future__ import annotations

from collections.abc import Mapping

from torch import Tensor, nn

from automl.contracts.artefact import ImageDecode, TensorSpec
from automl.contracts.task import OutputKind
from engine.data.resize import resize_by_products
from engine.tasks.semantic_segmentation.loss import answers


class Portable(nn.Module):
    """uint8 pictures ``_BHWC`` to planes ``_B2SS``."""

    def __init__(self, network: nn.Module, *, resolution_px: int, options: Mapping[str, str]):
        super().__init__()
        self.network = network
        self.resolution_px = resolution_px
        self.options = options

    def forward(self, picture: Tensor) -> Tensor:
        """Planes of pictures of one size; the aspect is not kept: the runtime lays them over the picture as it was sent."""
        resized_BCHW = resize_by_products(picture, self.resolution_px)
        return answers(self.network, self.network(resized_BCHW), self.options)


def decode(resolution_px: int) -> ImageDecode:
    """How a runtime turns a file into the input."""
    return ImageDecode(min_side_px=resolution_px)


def output_kind(options: Mapping[str, str]) -> OutputKind:
    """What the planes mean."""
    return OutputKind.MASK


def inputs() -> tuple[TensorSpec, ...]:
    """The graph's inputs."""
    return (TensorSpec(name="picture", dtype="uint8", axes=("batch", "height", "width", 3), unit="sRGB 0..255"),)


def outputs(num_labels: int) -> tuple[TensorSpec, ...]:
    """The graph's outputs."""
    unit = "label index, -1 for none of them; then how likely it is, 0..1"
    return (TensorSpec(name="mask", dtype="float32", axes=("batch", 2, "mask_height", "mask_width"), unit=unit),)

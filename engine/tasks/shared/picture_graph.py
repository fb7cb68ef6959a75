"""The graph of a model that reads pictures, as it is shipped: resizing, the network and its task's answers in one.

Resizing belongs to the graph so that every runtime resizes alike. Its batch, height and width stay free. Shapes: B batch, H
height, W width, C channels.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

from torch import Tensor, nn

from automl.contracts.artefact import ImageDecode, TensorSpec
from engine.data.resize import resize_by_products


class PictureGraph(nn.Module, ABC):
    """uint8 pictures ``_BHWC`` to the answers of a task; the aspect of a picture is not kept."""

    def __init__(self, network: nn.Module, *, resolution_px: int, options: Mapping[str, str]):
        """Puts a network into its graph.

        Args:
            network: takes square pictures ``_BCHW``.
            resolution_px: side of these.
            options: of the task.
        """
        super().__init__()
        self.network = network
        self.resolution_px = resolution_px
        self.options = options

    def forward(self, picture: Tensor) -> Tensor:
        """Answers to pictures of one size."""
        resized_BCHW = resize_by_products(picture, self.resolution_px)
        return self.answers(self.network(resized_BCHW))

    @abstractmethod
    def answers(self, raw: Any) -> Tensor:
        """The task's answers from the network's output."""


def decode(resolution_px: int, shrink: int | None = None) -> ImageDecode:
    """How a runtime turns a file into the input.

    Args:
        resolution_px: side of what the network sees.
        shrink: the factor by which every picture is shrunk, for a network that sees parts of it.
    """
    return ImageDecode(min_side_px=resolution_px, shrink=shrink)


def inputs() -> tuple[TensorSpec, ...]:
    """The graph's inputs."""
    return (TensorSpec(name="picture", dtype="uint8", axes=("batch", "height", "width", 3), unit="sRGB 0..255"),)

"""The segmenter as it is shipped: pictures of any size in, a label a pixel out, everything between inside the graph.

Its batch, height and width stay free. Shapes: B batch, H height, W width, C channels, S side of what the network sees.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from automl.contracts.artefact import TensorSpec
from automl.contracts.task import OutputKind
from automl.planning.tiles import STRIDE
from engine.tasks.semantic_segmentation.loss import answers
from engine.tasks.shared.picture_graph import PictureGraph, decode, inputs
from runtime.pipelines import pipeline_of
from runtime.pipelines.tiles import LOGITS, PICTURE, WINDOW

__all__ = ["PipelinedPortable", "Portable", "decode", "inputs", "output_kind", "outputs"]


class Portable(PictureGraph):
    """uint8 pictures ``_BHWC`` to planes ``_B2SS``."""

    def answers(self, raw: Any) -> Tensor:
        """Planes, which the runtime lays over the picture as it was sent."""
        return answers(self.network, raw, self.options)


class WindowGraph(nn.Module):
    """uint8 windows ``_BSSC`` to logits ``_B(1+L)SS``."""

    def __init__(self, network: nn.Module):
        super().__init__()
        self.network = network

    def forward(self, window: Tensor) -> Tensor:
        """Logits of each pixel."""
        logits_BCSS: Tensor = self.network(window.permute(0, 3, 1, 2).float())
        return logits_BCSS


class PipelinedPortable(nn.Module):
    """uint8 pictures ``_BHWC``, read in tiles, to planes ``_B2PP`` (P: their side); see ``runtime.pipelines.tiles``."""

    graph_output = LOGITS

    def __init__(self, network: nn.Module, *, resolution_px: int, planes_px: int, options: Mapping[str, str]):
        """Puts a network behind tiles.

        Args:
            network: takes square pictures ``_BCHW``.
            resolution_px: side of these.
            planes_px: side of the planes.
            options: of the task; it has none.
        """
        super().__init__()
        del options
        self.graph = WindowGraph(network)
        self.pipeline_spec = {
            "kind": "tiles",
            "window_px": resolution_px,
            "stride_px": max(1, round(resolution_px * STRIDE)),
            "planes_px": planes_px,
        }

    def forward(self, picture: Tensor) -> Tensor:
        """The planes, by the network that is not exported."""
        pipeline = pipeline_of(self.pipeline_spec, lambda name, output: _NetworkGraph(self.graph))
        return torch.from_numpy(pipeline.run({PICTURE: picture.numpy()}))


@dataclass(frozen=True)
class _NetworkGraph:
    """See ``runtime.backends.Graph``."""

    module: nn.Module

    def run(self, feeds: Mapping[str, np.ndarray]) -> np.ndarray:
        """See there."""
        with torch.no_grad():
            answer: np.ndarray = self.module(torch.from_numpy(feeds[WINDOW])).numpy()
        return answer


def output_kind(options: Mapping[str, str]) -> OutputKind:
    """What the planes mean."""
    return OutputKind.MASK


def outputs(num_labels: int) -> tuple[TensorSpec, ...]:
    """The graph's outputs."""
    unit = "label index, -1 for none of them; then how likely it is, 0..1"
    return (TensorSpec(name="mask", dtype="float32", axes=("batch", 2, "mask_height", "mask_width"), unit=unit),)

"""The networks as a pipeline takes graphs: not exported, whose answers the exported ones have to give, and exported."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from engine.artefact.graph import export_graph
from engine.tasks.shared.line_graphs import LineFinder, LineReader, folded
from runtime.pipelines import pipeline_of
from runtime.pipelines.text_lines import (
    DETECTOR_FILE,
    HEIGHT_PX,
    LINE,
    LINE_STRIDE_PX,
    MAP,
    PICTURE,
    STRIDE_PX,
    SYMBOLS,
    TextLines,
)

RECOGNISER_FILE = "recogniser.onnx"
_THRESHOLD, _LEAST_SCORE, _UNCLIP = 0.3, 0.5, 1.6
"""As PaddleOCR and RapidOCR have them."""
_WIDER = 1.0
"""Lines of one width are read together, so that nothing is read but what was written: a tenth of the time less than at 1.25."""


class TorchGraph:
    """See ``runtime.backends.Graph``."""

    def __init__(self, module: nn.Module) -> None:
        self._module = module.eval()

    def run(self, feeds: Mapping[str, NDArray[Any]]) -> NDArray[np.float32]:
        """See there."""
        (items,) = feeds.values()
        device = next(self._module.parameters()).device
        with torch.no_grad():
            answer: NDArray[np.float32] = self._module(torch.from_numpy(np.array(items)).to(device)).cpu().numpy()
        return answer


def spec_of(symbols: Sequence[str], side_px: int) -> dict[str, Any]:
    """Content of ``pipeline.json``."""
    return {
        "kind": "text_lines",
        "recogniser": RECOGNISER_FILE,
        "side_px": side_px,
        "threshold": _THRESHOLD,
        "least_score": _LEAST_SCORE,
        "unclip": _UNCLIP,
        "wider": _WIDER,
        "symbols": list(symbols),
    }


def torch_pipeline(reader: nn.Module, spec: Mapping[str, Any]) -> TextLines:
    """The pipeline of networks that are not exported, on the device where they are."""
    finder, reads = LineFinder(reader.get_submodule("detector")), LineReader(reader.get_submodule("recogniser"))
    pipeline = pipeline_of(spec, lambda name, _: TorchGraph(finder if name == DETECTOR_FILE else reads))
    assert isinstance(pipeline, TextLines)
    return pipeline


def graphs_write(reader: nn.Module, folder: Path, *, cache_dir: Path | None = None) -> None:
    """Writes both graphs as an artefact has them.

    Args:
        reader: the networks, on the CPU.
        folder: of the artefact.
        cache_dir: of the host, as ``export_graph`` takes it.

    Raises:
        ParityError: an axis cannot vary in a graph.
    """
    export_graph(
        LineFinder(folded(reader.get_submodule("detector"))),
        torch.zeros((2, 2 * STRIDE_PX, 3 * STRIDE_PX, 3), dtype=torch.uint8),
        folder / DETECTOR_FILE,
        input_name=PICTURE,
        output_name=MAP,
        dynamic_axes={0: "batch", 1: "height", 2: "width"},
        multiples={1: STRIDE_PX, 2: STRIDE_PX},
        cache_dir=cache_dir,
    )
    export_graph(
        LineReader(folded(reader.get_submodule("recogniser"))),
        torch.zeros((2, HEIGHT_PX, 20 * LINE_STRIDE_PX, 3), dtype=torch.uint8),
        folder / RECOGNISER_FILE,
        input_name=LINE,
        output_name=SYMBOLS,
        dynamic_axes={0: "batch", 2: "width"},
        multiples={2: LINE_STRIDE_PX},
        cache_dir=cache_dir,
    )

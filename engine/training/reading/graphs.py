"""The networks as a pipeline takes graphs, before they are exported: what they answer is what the exported ones have to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from engine.tasks.shared.line_graphs import LineFinder, LineReader
from runtime.pipelines import pipeline_of
from runtime.pipelines.text_lines import DETECTOR_FILE, TextLines

RECOGNISER_FILE = "recogniser.onnx"
_THRESHOLD, _LEAST_SCORE, _UNCLIP = 0.3, 0.5, 1.6
"""As PaddleOCR and RapidOCR have them."""


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
        "symbols": list(symbols),
    }


def torch_pipeline(reader: nn.Module, spec: Mapping[str, Any]) -> TextLines:
    """The pipeline of networks that are not exported, on the device where they are."""
    finder, reads = LineFinder(reader.get_submodule("detector")), LineReader(reader.get_submodule("recogniser"))
    pipeline = pipeline_of(spec, lambda name, _: TorchGraph(finder if name == DETECTOR_FILE else reads))
    assert isinstance(pipeline, TextLines)
    return pipeline

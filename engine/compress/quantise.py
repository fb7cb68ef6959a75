"""8-bit graphs by ONNX Runtime's tools: inputs unsigned, weights signed and with a range a channel.

Weights use 7 of their 8 bits: processors without VNNI add up pairs of products in 16 bits, which full weights overflow, without
a word. Wu et al. 2020, "Integer quantization for deep learning inference" (https://arxiv.org/abs/2004.09602), compares ways to
choose ranges; of few items the least and the largest values do as well as any.
"""

from __future__ import annotations

import logging
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import onnx
from onnxruntime.quantization import (
    CalibrationDataReader,
    CalibrationMethod,
    QuantFormat,
    QuantType,
    quantize_dynamic,
    quantize_static,
)

from engine.compress.graphs import carrying_nodes, inner_nodes, pooled_first, weighted_nodes
from engine.compress.smaller_graph import NoCandidateError, SmallerGraph
from engine.compress.source import SourceGraph

_RANGES_FILE = "ranges.json"
_DYNAMIC = ("Gather", "MatMul")
"""Look-ups of embeddings, and products with weights."""


class _Calibration(CalibrationDataReader):  # type: ignore[misc]  # the library has no types
    """Hands out the items of training one by one."""

    def __init__(self, graph: SourceGraph):
        self._job, self._left = graph.source.job, iter(graph.feeds)

    def get_next(self) -> Mapping[str, Any] | None:
        """The next feeds of the graph; None behind the last."""
        self._job.control.raise_if_stopped()
        feeds = next(self._left, None)
        return None if feeds is None else dict(feeds)


def static(graph: SourceGraph, *, spared: frozenset[str]) -> SmallerGraph:
    """The network in 8 bits, with the ranges that items of training showed.

    Args:
        graph: of the model; what it showed is kept in its folder of work, so that a second call is quick.
        spared: inner nodes that stay as they are too.

    Raises:
        NoCandidateError: no node is left to be changed, or the graph was asked nothing, so that no range is known.
        StoppedError: the job was asked to stop.
    """
    model = graph.model()
    known, num_weighted = inner_nodes(model), len(weighted_nodes(model))
    changed = [name for name in known if name not in spared]
    if not changed or not graph.feeds:
        raise NoCandidateError("nothing_to_change")
    nodes = [*changed, *carrying_nodes(model, frozenset(changed))]
    every = frozenset([*known, *carrying_nodes(model, frozenset(known))])
    types = sorted({node.op_type for node in model.graph.node if node.name in every})
    with _quiet(graph.work) as folder:
        out = folder / "smaller.onnx"
        quantize_static(
            _saved(pooled_first(model, frozenset(nodes)), folder),
            out,
            _Calibration(graph),
            quant_format=QuantFormat.QDQ,
            op_types_to_quantize=types,  # the same at each call: the ranges of all that may be asked for are kept
            per_channel=True,
            reduce_range=True,
            activation_type=QuantType.QUInt8,
            weight_type=QuantType.QInt8,
            nodes_to_quantize=nodes,
            calibrate_method=CalibrationMethod.MinMax,
            calibration_cache_path=graph.work / _RANGES_FILE,
        )
        return SmallerGraph(onnx.load(out), num_changed=len(changed), num_kept=num_weighted - len(changed))


def dynamic(graph: SourceGraph) -> SmallerGraph:
    """Look-ups and products in 8 bits, whose inputs get a range as they come.

    Raises:
        NoCandidateError: no such node has weights.
    """
    model = graph.model()
    tables = {tensor.name for tensor in model.graph.initializer if tensor.data_type == onnx.TensorProto.FLOAT}
    looked_up = [node.name for node in model.graph.node if node.op_type == "Gather" and node.input[0] in tables]
    multiplied = [name for name in weighted_nodes(model) if name in _of_types(model, _DYNAMIC)]
    changed = [*looked_up, *multiplied]
    if not changed:
        raise NoCandidateError("nothing_to_change")
    with _quiet(graph.work) as folder:
        out = folder / "smaller.onnx"
        quantize_dynamic(
            _saved(model, folder),
            out,
            op_types_to_quantize=list(_DYNAMIC),
            per_channel=True,
            reduce_range=True,
            weight_type=QuantType.QInt8,
            nodes_to_quantize=changed,
        )
        num_weighted = len(set(weighted_nodes(model)) | set(looked_up))
        return SmallerGraph(onnx.load(out), num_changed=len(changed), num_kept=num_weighted - len(changed))


def _of_types(model: onnx.ModelProto, types: tuple[str, ...]) -> set[str]:
    return {node.name for node in model.graph.node if node.op_type in types}


def _saved(model: onnx.ModelProto, folder: Path) -> Path:
    """The graph as a file, as the tools want it: one in memory they empty of its weights."""
    path = folder / "model.onnx"
    path.write_bytes(model.SerializeToString())
    return path


@contextmanager
def _quiet(work: Path) -> Iterator[Path]:
    """A folder for graphs; advice that nobody can follow stays out of the job's log."""
    root, level = logging.getLogger(), logging.getLogger().level
    root.setLevel(logging.ERROR)
    try:
        with tempfile.TemporaryDirectory(dir=work) as folder:
            yield Path(folder)
    finally:
        root.setLevel(level)

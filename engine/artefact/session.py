"""Runs an artefact's graph as a server would: onnxruntime on the CPU, one thread by default."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any, Protocol

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from automl.contracts.artefact import MODEL_FILE, PIPELINE_FILE
from runtime.pipelines import pipeline_of

LATENCY_ROUNDS = 15
LATENCY_S = 5.0
"""After which no further answer is measured."""


class GraphSession(Protocol):
    """Runs the graph, or the pipeline of graphs, of an artefact."""

    @property
    def inputs(self) -> tuple[str, ...]:
        """Names."""

    def answers(self, feeds: Mapping[str, NDArray[Any]]) -> NDArray[np.float32]:
        """See ``Session``."""

    def run(self, items_B: np.ndarray) -> np.ndarray:
        """See ``Session``."""

    def asked(self, feeds: Mapping[str, NDArray[Any]]) -> Mapping[str, Sequence[Mapping[str, NDArray[Any]]]]:
        """What each graph, by its file, is asked to answer these feeds: the same, or batches that a pipeline makes of them."""

    def latency_ms(self, item: np.ndarray) -> float:
        """See ``Session``."""


def graphs_bytes(folder: Path) -> int:
    """Of all graphs of an artefact."""
    return sum(path.stat().st_size for path in folder.glob("*.onnx"))


def session_of(
    folder: Path, *, num_threads: int = 1, is_optimised: bool = True, graphs: Mapping[str, Path] | None = None
) -> GraphSession:
    """Opens what an artefact's folder holds: its graph, or the pipeline that joins its graphs.

    Args:
        folder: of the artefact.
        num_threads: as of ``Session``.
        is_optimised: as of ``Session``.
        graphs: files that answer in place of the folder's own, by the names of these.
    """

    def opened(name: str) -> Session:
        return Session((graphs or {}).get(name, folder / name), num_threads=num_threads, is_optimised=is_optimised)

    pipeline = folder / PIPELINE_FILE
    return PipelineSession(json.loads(pipeline.read_bytes()), opened) if pipeline.exists() else opened(MODEL_FILE)


class PipelineSession:
    """A graph or several, and what is done around them, run as a server would.

    Args:
        spec: content of ``pipeline.json``.
        opened: opens a graph of the artefact by the name of its file.
    """

    def __init__(self, spec: Mapping[str, Any], opened: Callable[[str], Session]):
        graphs: dict[str, Session] = {}

        def graph(name: str, _: str) -> _PipelineGraph:
            graphs[name] = opened(name)
            return _PipelineGraph(graphs[name])

        self._spec, self._graphs = spec, graphs
        self._pipeline = pipeline_of(spec, graph)
        self.inputs: tuple[str, ...] = self._pipeline.inputs
        """Names."""

    def answers(self, feeds: Mapping[str, NDArray[Any]]) -> NDArray[np.float32]:
        """See ``Session``."""
        return self._pipeline.run(feeds)

    def run(self, items_B: np.ndarray) -> np.ndarray:
        """See ``Session``."""
        (name,) = self.inputs
        return self.answers({name: items_B})

    def asked(self, feeds: Mapping[str, NDArray[Any]]) -> Mapping[str, Sequence[Mapping[str, NDArray[Any]]]]:
        """See ``GraphSession``."""
        seen: dict[str, list[Mapping[str, NDArray[Any]]]] = {name: [] for name in self._graphs}
        pipeline_of(self._spec, lambda name, _: _PipelineGraph(self._graphs[name], seen[name])).run(feeds)
        return seen

    def latency_ms(self, item: np.ndarray) -> float:
        """See ``Session``."""
        return latency_ms(self, item)


@dataclass(frozen=True)
class _PipelineGraph:
    """See ``runtime.backends.Graph``."""

    session: Session
    seen: list[Mapping[str, NDArray[Any]]] | None = None
    """Takes what it is asked."""

    def run(self, feeds: Mapping[str, NDArray[Any]]) -> NDArray[np.float32]:
        """See there."""
        if self.seen is not None:
            self.seen.append(feeds)
        return self.session.answers(feeds)


def latency_ms(session: GraphSession, item: np.ndarray) -> float:
    """Median wall time of one answer; of slow models of fewer answers."""
    times_s: list[float] = []
    began_s = time.perf_counter()
    while len(times_s) <= LATENCY_ROUNDS and (len(times_s) < 2 or time.perf_counter() - began_s < LATENCY_S):
        start_s = time.perf_counter()
        session.run(item[None])
        times_s.append(time.perf_counter() - start_s)
    return 1000.0 * median(times_s[1:])  # the first one still allocates


class Session:
    """A loaded graph: a batch of items in, one row of answers each out.

    Args:
        path: of the graph.
        num_threads: of the runtime.
        is_optimised: whether the runtime fuses nodes; if not, it computes them one by one, and 8-bit numbers as float32.
    """

    def __init__(self, path: Path, *, num_threads: int = 1, is_optimised: bool = True):
        options = onnxruntime.SessionOptions()
        if not is_optimised:
            options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
        options.intra_op_num_threads = num_threads
        options.inter_op_num_threads = 1
        # A spinning thread takes the core from the other jobs of the host.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        options.log_severity_level = 3  # a graph written node by node gets warnings that nobody can act on
        self._session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
        self.inputs: tuple[str, ...] = tuple(each.name for each in self._session.get_inputs())
        """Names."""

    def answers(self, feeds: Mapping[str, NDArray[Any]]) -> NDArray[np.float32]:
        """Answers to the items of a batch, as the artefact's ``output`` says.

        Args:
            feeds: an array for each input, items along the first axis.
        """
        found: NDArray[np.float32] = self._session.run(None, {name: feeds[name] for name in self.inputs})[0]
        return found

    def run(self, items_B: np.ndarray) -> np.ndarray:
        """The same of a graph with one input."""
        (name,) = self.inputs
        return self.answers({name: np.ascontiguousarray(items_B)})

    def asked(self, feeds: Mapping[str, NDArray[Any]]) -> Mapping[str, Sequence[Mapping[str, NDArray[Any]]]]:
        """See ``GraphSession``."""
        return {MODEL_FILE: [feeds]}

    def latency_ms(self, item: np.ndarray) -> float:
        """Median wall time of one answer."""
        return latency_ms(self, item)

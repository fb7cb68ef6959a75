"""The graph of a model for rows: running it, its golden samples, and whether it answers like the model that was trained.

Shapes: N rows, K answers of a row (labels, or the one number).
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from automl.contracts.artefact import (
    EXPECTED_FILE,
    MODEL_FILE,
    SAMPLES_DIR,
    GoldenSample,
    GoldenSamples,
    RowColumn,
    TensorSpec,
)
from automl.contracts.table import Row
from engine.artefact.session import LATENCY_ROUNDS
from engine.errors import ParityError
from engine.table.graph import GraphWriter
from engine.table.reader import table_of
from engine.table.table import RowModel, Table

NUM_SAMPLES = 8
BATCH_CELLS = 400_000
"""Rows times columns that are answered at once: a graph of trees needs some memory for each row."""
_SHARE_OFF = 0.01
"""Of many rows that may differ from the trained model: ties that float32 decides the other way. None of the samples may."""


class RowSession:
    """A loaded graph: rows in, one row of answers each out. onnxruntime on the CPU, one thread unless told otherwise."""

    def __init__(self, path: Path, *, num_threads: int = 1):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = num_threads
        options.inter_op_num_threads = 1
        # A spinning thread takes the core from the other jobs of the host.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        options.log_severity_level = 3  # a graph written node by node gets warnings that nobody can act on
        self._session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
        self._inputs = tuple(each.name for each in self._session.get_inputs())

    def run(self, table: Table, *, between: Callable[[float], None] | None = None) -> NDArray[np.float32]:
        """Answers ``_NK`` to the rows.

        Args:
            table: at least one row.
            between: told, before each batch, which share is done; it may raise to end the work.
        """
        size = max(1, BATCH_CELLS // max(1, len(table.columns)))
        found = []
        for start in range(0, len(table), size):
            if between is not None:
                between(start / len(table))
            feeds: dict[str, NDArray[Any]] = table.take(slice(start, start + size)).feeds()
            found.append(self._session.run(None, {name: feeds[name] for name in self._inputs})[0])
        return np.concatenate(found)

    def latency_ms(self, row: Table) -> float:
        """Median wall time of one answer to one row."""
        times_s = []
        for _ in range(LATENCY_ROUNDS + 1):
            start_s = time.perf_counter()
            self.run(row)
            times_s.append(time.perf_counter() - start_s)
        return 1000.0 * median(times_s[1:])  # the first one still allocates


def graph_write(path: Path, model: RowModel, inputs: Sequence[TensorSpec], output: TensorSpec) -> None:
    """Writes a model as an ONNX file, whole or not at all; the same model gives the same bytes.

    Args:
        path: of the file.
        model: a fitted one.
        inputs: of the graph, one a kind of column.
        output: of the graph.

    Raises:
        onnx.checker.ValidationError: the family wrote what is no graph.
    """
    graph = GraphWriter({each.name: (each.dtype, int(each.axes[1])) for each in inputs})
    answers = model.write(graph)
    proto = graph.finish(answers, name=output.name, num_columns=int(output.axes[1]))
    partial = path.with_name(f"{path.name}.partial")
    partial.write_bytes(proto.SerializeToString(deterministic=True))
    partial.replace(path)


def samples_write(
    folder: Path, rows: Sequence[Mapping[str, str]], columns: Sequence[RowColumn], model: RowModel, labels: tuple[str, ...]
) -> None:
    """Writes golden rows with what the trained model says of them; each file is a ``Row``.

    Args:
        folder: of the artefact.
        rows: cells by column, at least one row.
        columns: that the model reads.
        model: that was trained.
        labels: names in the order of the scores.
    """
    samples = []
    answers_NK = model.answers(table_of(rows, columns))
    for number, (cells, answer_K) in enumerate(zip(rows, answers_NK, strict=True)):
        name = f"{number}.json"
        (folder / SAMPLES_DIR / name).write_text(Row(cells=dict(cells)).canonical(), encoding="utf-8", newline="")
        samples.append(GoldenSample(file=name, scores=tuple(float(answer) for answer in answer_K)))
    GoldenSamples(labels=labels, samples=tuple(samples)).write(folder / SAMPLES_DIR / EXPECTED_FILE)


def parity_check(folder: Path, columns: Sequence[RowColumn], *, tolerance: float) -> float:
    """Replays the golden rows as a runtime would, from their files, and returns the largest difference of an answer.

    Args:
        folder: holds ``model.onnx`` and ``samples/``.
        columns: that the graph reads.
        tolerance: largest difference that is allowed.

    Raises:
        ParityError: an answer differs by more, or is not a number.
    """
    golden = GoldenSamples.read(folder / SAMPLES_DIR / EXPECTED_FILE)
    session = RowSession(folder / MODEL_FILE)
    largest = 0.0
    for sample in golden.samples:
        cells = json.loads((folder / SAMPLES_DIR / sample.file).read_text(encoding="utf-8"))["cells"]
        answer_K = session.run(table_of([cells], columns))[0]
        found = float(np.abs(answer_K - np.array(sample.scores)).max())
        if not found <= tolerance:
            raise ParityError(f"The exported graph is off by {found:.2g} on sample {sample.file}; allowed are {tolerance:.2g}.")
        largest = max(largest, found)
    return largest


def likeness_check(session: RowSession, model: RowModel, table: Table, *, tolerance: float) -> float:
    """Compares graph and model on many rows, and returns the share on which they differ by more than the tolerance.

    Raises:
        ParityError: more than one row in a hundred differs, or an answer is not a number.
    """
    off_N = np.abs(session.run(table).astype(np.float64) - model.answers(table)).max(axis=1)
    share = float(np.mean(~(off_N <= tolerance)))
    if share > _SHARE_OFF or not np.isfinite(off_N).all():
        raise ParityError(
            f"The exported graph answers {share:.1%} of {len(table)} rows otherwise than the model; it is off by up to "
            f"{float(np.max(off_N)):.2g}, allowed are {tolerance:.2g}."
        )
    return share

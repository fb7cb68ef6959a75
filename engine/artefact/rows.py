"""The graph of a model for rows: writing it, running it, and checking that it answers like the trained model.

Shapes: N rows, K answers of a row (labels, or the one number).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median

import numpy as np
from numpy.typing import NDArray

from automl.contracts.artefact import TensorSpec
from engine.artefact.session import LATENCY_ROUNDS, Session
from engine.errors import ParityError
from engine.table.graph import GraphWriter
from engine.table.table import RowModel, Table

BATCH_CELLS = 400_000
"""Rows times columns that are answered at once: a graph of trees needs some memory for each row."""
_MOST_MISMATCHES = 0.01
"""Share of many rows whose answers may differ from the trained model's: float32 decides some ties the other way. No golden
sample may differ."""


class RowSession:
    """A loaded graph: rows in, one row of answers each out."""

    def __init__(self, path: Path, *, num_threads: int = 1):
        self._session = Session(path, num_threads=num_threads)

    def run(self, table: Table, *, on_progress: Callable[[float], None] | None = None) -> NDArray[np.float32]:
        """Answers ``_NK`` to the rows.

        Args:
            table: at least one row.
            on_progress: called before each batch with the share that is done; it may raise to end the work.
        """
        size = max(1, BATCH_CELLS // max(1, len(table.columns)))
        found = []
        for start in range(0, len(table), size):
            if on_progress is not None:
                on_progress(start / len(table))
            found.append(self._session.answers(table.take(slice(start, start + size)).feeds()))
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
        onnx.checker.ValidationError: the family wrote an invalid graph.
    """
    graph = GraphWriter({each.name: (each.dtype, int(each.axes[1])) for each in inputs})
    answers = model.write(graph)
    proto = graph.finish(answers, name=output.name, num_columns=int(output.axes[1]))
    partial = path.with_name(f"{path.name}.partial")
    partial.write_bytes(proto.SerializeToString(deterministic=True))
    partial.replace(path)


def parity_check(session: RowSession, model: RowModel, table: Table, *, tolerance: float) -> float:
    """Compares graph and model on many rows, and returns the share on which they differ by more than the tolerance.

    Raises:
        ParityError: more than one row in a hundred differs, or an answer is not a number.
    """
    off_N = np.abs(session.run(table).astype(np.float64) - model.answers(table)).max(axis=1)
    share = float(np.mean(~(off_N <= tolerance)))
    if share > _MOST_MISMATCHES or not np.isfinite(off_N).all():
        raise ParityError(
            f"The exported graph answers {share:.1%} of {len(table)} rows otherwise than the model; it is off by up to "
            f"{float(np.max(off_N)):.2g}, allowed are {tolerance:.2g}."
        )
    return share

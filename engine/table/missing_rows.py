"""Answers to rows with more missing cells than any that was learned from: less of the cells, and more of the mean.

A model that has seen no missing cells answers a row without any as surely as others, wherever its defaults lead. So an answer
is drawn to the mean of the answers to the rows that it learned from, by the third power of how far the share of missing cells
lies beyond the largest that was seen; a row with nothing in it gets that mean. Other rows are answered as ever.

Shapes: N rows, K answers of a row.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from automl.contracts.table import ColumnKind
from engine.table.graph import ML, GraphWriter
from engine.table.table import INPUTS, RowModel, Table
from runtime.cells import MISSING_TIME

_FLOAT = 1
"""Of ONNX."""
_AVERAGED_ROWS = 2_000
"""Whose answers are averaged, evenly drawn where there are more."""


@dataclass(frozen=True)
class CautiousModel:
    """A model whose answers move towards the mean for rows with many missing cells."""

    model: RowModel
    mean_K: NDArray[np.float32]
    """The mean of its answers."""
    seen: float
    """Largest share of missing cells among rows that were learned from, below 1."""
    num_columns: int

    def answers(self, table: Table) -> NDArray[np.float32]:
        """See ``RowModel``."""
        missing_N1 = (_num_missing(table) / np.float32(self.num_columns))[:, None]
        beyond_N1 = np.maximum((missing_N1 - np.float32(self.seen)) / np.float32(1.0 - self.seen), np.float32(0.0))
        pull_N1 = beyond_N1 * beyond_N1 * beyond_N1
        answers_NK = self.model.answers(table)
        return answers_NK + pull_N1 * (self.mean_K - answers_NK)

    def write(self, graph: GraphWriter) -> str:
        """See ``RowModel``."""
        counts = [_write_missing(graph, kind) for kind, name in INPUTS.items() if name in graph.inputs]
        count = graph.add("Sum", counts) if len(counts) > 1 else counts[0]
        missing = graph.add("Div", [count, graph.floats(self.num_columns)])
        beyond = graph.add("Div", [graph.add("Sub", [missing, graph.floats(self.seen)]), graph.floats(1.0 - self.seen)])
        beyond = graph.add("Relu", [beyond])
        pull = graph.add("Mul", [graph.add("Mul", [beyond, beyond]), beyond])
        answers = self.model.write(graph)
        away = graph.add("Sub", [graph.constant(self.mean_K), answers])
        return graph.add("Add", [answers, graph.add("Mul", [pull, away])])


def cautious(model: RowModel, table: Table) -> RowModel:
    """The model, cautious about rows with more missing cells than any that it learned from.

    Args:
        model: that was fitted.
        table: the rows that it learned from.
    """
    num_columns = len(table.columns)
    if not len(table) or not num_columns:
        return model
    seen = float(_num_missing(table).max()) / num_columns
    if seen >= 1.0:
        return model
    few = np.unique(np.linspace(0, len(table) - 1, min(len(table), _AVERAGED_ROWS)).astype(np.int64))
    mean_K = model.answers(table.take(few)).mean(axis=0, dtype=np.float64).astype(np.float32)
    return CautiousModel(model, mean_K, seen, num_columns)


def _num_missing(table: Table) -> NDArray[np.float32]:
    """Missing cells of each row."""
    counts_N = np.isnan(table.numbers_NA).sum(axis=1) + (table.datetimes_ND == MISSING_TIME).sum(axis=1)
    for words_NC in (table.categories_NC, table.texts_NT):
        counts_N = counts_N + (words_NC == "").sum(axis=1)
    found: NDArray[np.float32] = counts_N.astype(np.float32)
    return found


def _write_missing(graph: GraphWriter, kind: ColumnKind) -> str:
    """The same of the columns of one kind, ``[batch, 1]``."""
    cells = INPUTS[kind]
    if kind is ColumnKind.NUMBER:
        is_missing = graph.add("Cast", [graph.add("IsNaN", [cells])], to=_FLOAT)
    elif kind is ColumnKind.DATETIME:
        missing = graph.constant(np.array(MISSING_TIME, dtype=np.int64))
        is_missing = graph.add("Cast", [graph.add("Equal", [cells, missing])], to=_FLOAT)
    else:
        is_missing = graph.add("LabelEncoder", [cells], domain=ML, keys_strings=[""], values_floats=[1.0], default_float=0.0)
    return graph.add("ReduceSum", [is_missing, graph.ints(1)], keepdims=1)

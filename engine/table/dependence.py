"""The mean answer along a column (Friedman 2001): all rows get the same cell in it, one cell after the other.

Shapes: N rows, G cells along the axis, K answers of a row.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from automl.contracts.artefact import RowColumn
from automl.contracts.report import PartialDependence
from automl.contracts.table import ColumnKind
from engine.table.columns import moment_cell
from engine.table.importance import Predict, column_place
from engine.table.table import Table
from runtime.cells import ISO, MISSING_TIME, text_of

NUM_CELLS = 20
MAX_ROWS, MIN_ROWS = 500, 50
_LOOKED_AT = 20_000
"""Rows from whose quantiles the cells of the axis are taken."""


def partial_dependence(predict: Predict, table: Table, place: int, *, rows: Table) -> PartialDependence | None:
    """The curve of one column; None of a text, of a column without values, and of one that has a single value.

    Numbers and moments stand at quantiles, or at all values where there are few; of a category the commonest, in their order.

    Args:
        predict: the model.
        table: the rows from which the axis and its shares are taken.
        place: of the column.
        rows: in which the cell is put; at least one.
    """
    column, own = table.columns[place], column_place(table, place)
    looked_at = table.array(column.kind)[:: max(1, len(table) // _LOOKED_AT), own]
    cells, share_G = _axis(column, looked_at)
    if len(cells) < 2:
        return None
    means = []
    for cell in cells:
        array = rows.array(column.kind).copy()
        array[:, own] = cell
        means.append(predict(rows.with_array(column.kind, array)).astype(np.float64).mean(axis=0))
    return PartialDependence(
        column=column.name,
        kind=column.kind,
        cells=tuple(_written(column, cell) for cell in cells),
        mean=tuple(tuple(mean_K.tolist()) for mean_K in means),
        share=tuple(share_G.tolist()),
    )


def _axis(column: RowColumn, read_N: NDArray[Any]) -> tuple[list[Any], NDArray[np.float64]]:
    """The cells, and the share of all rows near each."""
    if column.kind is ColumnKind.TEXT:
        return [], np.zeros(0)
    if column.kind is ColumnKind.CATEGORY:
        counts = Counter(value for value in read_N.tolist() if value)
        common = sorted(counts, key=lambda value: (-counts[value], value))[:NUM_CELLS]
        return common, np.array([counts[value] for value in common]) / max(1, len(read_N))
    known_M = read_N[np.isfinite(read_N) if column.kind is ColumnKind.NUMBER else read_N != MISSING_TIME]
    axis_G = np.unique(known_M)
    if len(axis_G) > NUM_CELLS:
        axis_G = np.unique(np.quantile(known_M, np.linspace(0.01, 0.99, NUM_CELLS), method="nearest"))
    if not len(axis_G):
        return [], np.zeros(0)
    middles = axis_G[:-1] + (axis_G[1:] - axis_G[:-1]) / 2
    counts_G = np.bincount(np.searchsorted(middles, known_M), minlength=len(axis_G))
    return list(axis_G), counts_G / max(1, len(read_N))


def _written(column: RowColumn, cell: Any) -> str:
    """A cell of the axis: numbers with a point, moments in ISO."""
    if column.kind is ColumnKind.NUMBER:
        return text_of(float(str(cell)))
    return moment_cell(int(cell), ISO) if column.kind is ColumnKind.DATETIME else str(cell)

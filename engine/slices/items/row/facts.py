"""Rows of a table: each column that the model reads. Shapes: N rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from automl.contracts.base import Text
from automl.contracts.dataset import ItemRecord
from automl.contracts.table import ColumnKind
from automl.contracts.words import Words
from engine.slices.fact import Fact
from engine.table.table import Table
from runtime.cells import MISSING_TIME

words = Words(__file__)
MAX_COLUMNS = 200
"""Of each kind, the first: the more one looks at, the less can be said of any."""


class Rows:
    """See ``FactsKind``."""

    def facts(self, records: Sequence[ItemRecord], content: Table) -> Iterator[Fact]:
        """Numbers and moments by their quantiles, categories by their values, texts by their length; one column at a time."""
        del records
        for name, values_N in _columns(content, ColumnKind.NUMBER):
            yield Fact(f"column:{name}", Text.same(name), values_N.astype(np.float64), "number", reports_unknown=True)
        for name, values_N in _columns(content, ColumnKind.DATETIME):
            yield Fact(f"column:{name}", Text.same(name), _moments(values_N), "time", reports_unknown=True)
        for name, values_N in _columns(content, ColumnKind.CATEGORY):
            yield Fact(f"column:{name}", Text.same(name), values_N, reports_unknown=True)
        for name, values_N in _columns(content, ColumnKind.TEXT):
            yield Fact(f"length:{name}", words("length", column=name), _lengths(values_N), "number")


def _columns(table: Table, kind: ColumnKind) -> Iterator[tuple[str, NDArray]]:
    columns = table.of_kind(kind)[:MAX_COLUMNS]
    return ((column.name, table.array(kind)[:, place]) for place, column in enumerate(columns))


def _moments(seconds_N: NDArray[np.int64]) -> NDArray[np.float64]:
    return np.where(seconds_N == MISSING_TIME, np.nan, seconds_N.astype(np.float64))


def _lengths(texts_N: NDArray[np.object_]) -> NDArray[np.float64]:
    return np.array([len(text) for text in texts_N.tolist()], dtype=np.float64)

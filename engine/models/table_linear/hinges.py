"""Hinge functions: the slope of a column's effect may change at a few knots, so that a sum of columns need not be a plane.

Each knot adds a feature: by how much the number exceeds the knot, else 0 (the basis of Friedman 1991, https://doi.org/10.1214/aos/
1176347963, one column at a time). Shapes: N rows, F features, K knots of all columns together.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.table.graph import GraphWriter

_LOOKED_AT = 50_000
"""Rows that knots are chosen from."""
_MAX_PLACES = 2_000
"""Of all columns together; with many columns each has fewer."""


@dataclass(frozen=True)
class Hinges:
    """The knots of all columns."""

    columns_K: NDArray[np.int64]
    knots_K: NDArray[np.float32]

    @classmethod
    def learn(cls, x_NF: NDArray[np.float32], num_knots: int) -> Hinges:
        """Chooses at most ``num_knots`` knots a column, at quantiles of its values; a column with few values has none."""
        looked_at_NF = x_NF[:: max(1, len(x_NF) // _LOOKED_AT)]
        num_values_F = np.array([len(np.unique(column_N)) for column_N in looked_at_NF.T])
        bent = np.flatnonzero(num_values_F > 2 * num_knots)
        num_each = min(num_knots, _MAX_PLACES // max(1, len(bent)))
        columns: list[int] = []
        knots: list[NDArray[np.float32]] = []
        for column in bent if num_each else ():
            inner = np.arange(1, num_each + 1) / (num_each + 1)
            found = np.unique(np.quantile(looked_at_NF[:, column], inner).astype(np.float32))
            found = found[(found > looked_at_NF[:, column].min()) & (found < looked_at_NF[:, column].max())]
            knots.append(found)
            columns.extend([int(column)] * len(found))
        return cls(np.array(columns, np.int64), np.concatenate([np.empty(0, np.float32), *knots]))

    def apply(self, x_NF: NDArray[np.float32]) -> NDArray[np.float32]:
        """The features, followed by those of the knots."""
        if not len(self.columns_K):
            return x_NF
        return np.concatenate([x_NF, np.maximum(x_NF[:, self.columns_K] - self.knots_K, np.float32(0))], axis=1)

    def write(self, graph: GraphWriter, name: str) -> str:
        """Adds nodes that do the same."""
        if not len(self.columns_K):
            return name
        beyond = graph.add(
            "Sub", [graph.add("Gather", [name, graph.constant(self.columns_K)], axis=1), graph.constant(self.knots_K)]
        )
        return graph.add("Concat", [name, graph.add("Relu", [beyond])], axis=1)

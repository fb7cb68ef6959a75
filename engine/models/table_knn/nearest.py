"""The answer of the nearest rows, in numpy and as nodes.

Textbook neighbours jump: of rows that are equally near, and tables of categories have many, some are left out, and rounding
decides which. So here an answer is a continuous function of the cells, which numpy and every runtime agree on. The ``k``
nearest define the radius; all rows within that squared distance ``h`` answer, ties too, and those just beyond fade out, until
1.2 ``h``. Nearer rows weigh more, by the inverse of the squared distance, where that is requested (the idea is Dudani's, 1976,
https://doi.org/10.1109/TSMC.1976.5408784); a twin weighs a hundred times as much as a row at ``h``.

Distances are products of matrices, computed in parts of the known rows and twice, once to find ``h`` and once to answer: so a
batch of a thousand rows needs some 50 MB, not the 400 MB of all its distances, or more. They are float64: of rows far from the
mean and near to one another a product in float32 leaves too few digits for two programs to answer alike.

Shapes: N rows to answer, R known rows, F features, K neighbours, L labels (or 1 for a number).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import onnx
from numpy.typing import NDArray

from engine.table.graph import GraphWriter

_PART_ROWS = 2048
"""Known rows whose distances are computed at once."""
_QUERY_ROWS = 512
"""Rows that are answered at once outside a graph."""
_FADE = 0.2
"""Of ``h``, beyond it."""
_TWIN = 0.01
"""Of ``h``: added to squared distances whose inverse is taken."""
_SAME_PLACE = 1e-4
"""Of the mean squared length: rows that are nearer count as being at one place."""


@dataclass(frozen=True)
class Nearest:
    """Known rows that answer."""

    known_RF: NDArray[np.float32]
    """About 0 in the mean."""
    targets_RL: NDArray[np.float32]
    """Target of each row: 1 for its label, or its number."""
    num_neighbours: int
    """1..R."""
    is_by_distance: bool

    @property
    def floor(self) -> float:
        """Added to ``h``."""
        return _SAME_PLACE * max(float(np.square(self.known_RF, dtype=np.float64).sum(axis=1).mean()), 1e-6)

    def sums(self, queries_NF: NDArray[np.float32]) -> NDArray[np.float32]:
        """Weighted sums of the rows' targets, and behind them the sums of the weights, ``_N(L+1)``; weights at ``h`` are 1."""
        targets_RL = self._targets_and_ones()
        found_NL = np.empty((len(queries_NF), targets_RL.shape[1]), dtype=np.float32)
        for start in range(0, len(queries_NF), _QUERY_ROWS):
            distances_NR = self._distances(queries_NF[start : start + _QUERY_ROWS])
            last = self.num_neighbours - 1
            reach_N1 = np.partition(distances_NR, last, axis=1)[:, [last]] + self.floor
            weights_NR = weights_of(distances_NR / reach_N1, is_by_distance=self.is_by_distance)
            found_NL[start : start + _QUERY_ROWS] = weights_NR @ targets_RL
        return found_NL

    def sums_by_count(self, queries_NF: NDArray[np.float32], counts: Sequence[int]) -> list[NDArray[np.float32]]:
        """The same for several numbers of neighbours at the price of one, near enough to choose by.

        Rows beyond four times the largest number of neighbours do not count, although they may be as near as the others.
        """
        distances_NR = self._distances(queries_NF)
        num_near = min(len(self.known_RF), 4 * max(counts) + 50)
        near_NK = np.argpartition(distances_NR, num_near - 1, axis=1)[:, :num_near]
        distances_NK = np.take_along_axis(distances_NR, near_NK, axis=1)
        order_NK = np.argsort(distances_NK, axis=1)
        distances_NK = np.take_along_axis(distances_NK, order_NK, axis=1)
        targets_NKL = self._targets_and_ones()[np.take_along_axis(near_NK, order_NK, axis=1)]
        found = []
        for count in counts:
            reach_N1 = distances_NK[:, [count - 1]] + self.floor
            weights_NK = weights_of(distances_NK / reach_N1, is_by_distance=self.is_by_distance)
            found.append(np.matmul(weights_NK[:, None, :], targets_NKL)[:, 0, :])
        return found

    def _distances(self, queries_NF: NDArray[np.float32]) -> NDArray[np.float64]:
        """Squared distances to all known rows."""
        known_RF, queries_NF = self.known_RF.astype(np.float64), queries_NF.astype(np.float64)
        lengths_R = np.square(known_RF).sum(axis=1)
        distances_NR = lengths_R - 2 * queries_NF @ known_RF.T + np.square(queries_NF).sum(axis=1, keepdims=True)
        return np.maximum(distances_NR, 0)

    def _targets_and_ones(self) -> NDArray[np.float32]:
        """Targets of each row, and a column of ones."""
        return np.concatenate([self.targets_RL, np.ones((len(self.targets_RL), 1), np.float32)], axis=1)

    def write(self, graph: GraphWriter, queries: str) -> str:
        """Adds nodes that do the same to a tensor ``[batch, F]``; gives the name of ``[batch, L + 1]``."""
        axis = graph.ints(1)
        doubles_NF = graph.add("Cast", [queries], to=onnx.TensorProto.DOUBLE)
        length = graph.add("ReduceSum", [graph.add("Mul", [doubles_NF, doubles_NF]), axis], keepdims=1)
        one = graph.add("Add", [graph.add("Mul", [length, _double(graph, 0)]), _double(graph, 1)])
        queries_one = graph.add("Concat", [doubles_NF, one], axis=1)
        parts = [slice(start, start + _PART_ROWS) for start in range(0, len(self.known_RF), _PART_ROWS)]
        known = [self._write_known(graph, self.known_RF[part]) for part in parts]

        nearest = []
        for part, columns in zip(parts, known, strict=True):
            distances = graph.add("MatMul", [queries_one, columns])
            count = graph.ints(min(self.num_neighbours, len(self.known_RF[part])))
            nearest.append(graph.add_many("TopK", [distances, count], 2, axis=1, largest=0, sorted=0)[0])
        together = nearest[0] if len(nearest) == 1 else graph.add("Concat", nearest, axis=1)
        best = graph.add_many("TopK", [together, graph.ints(self.num_neighbours)], 2, axis=1, largest=0, sorted=0)[0]
        farthest = graph.add("Add", [graph.add("ReduceMax", [best, axis], keepdims=1), length])
        reach = graph.add("Add", [graph.add("Relu", [farthest]), _double(graph, self.floor)])

        # Queries are divided rather than distances: were it the same product as above, runtimes would keep all of those.
        scaled, own = graph.add("Div", [queries_one, reach]), graph.add("Div", [length, reach])
        targets_RL = self._targets_and_ones()
        sums = []
        for part, columns in zip(parts, known, strict=True):
            distances = graph.add("Add", [graph.add("MatMul", [scaled, columns]), own])
            single = graph.add("Cast", [graph.add("Relu", [distances])], to=onnx.TensorProto.FLOAT)
            sums.append(graph.add("MatMul", [self._write_weights(graph, single), graph.constant(targets_RL[part])]))
        return sums[0] if len(sums) == 1 else graph.add("Sum", sums)

    def _write_known(self, graph: GraphWriter, known_RF: NDArray[np.float32]) -> str:
        """Known rows as ``[F + 1, R]``: the product with an asked row and a 1 is a squared distance but for its own length."""
        lengths_1R = np.square(known_RF, dtype=np.float64).sum(axis=1)[None]
        columns = graph.add("Cast", [graph.constant(-2 * known_RF.T)], to=onnx.TensorProto.DOUBLE)
        return graph.add("Concat", [columns, graph.constant(lengths_1R)], axis=0)

    def _write_weights(self, graph: GraphWriter, distances: str) -> str:
        """See ``weights_of``."""
        beyond = graph.add("Sub", [graph.floats((1 + _FADE) / _FADE), graph.add("Mul", [distances, graph.floats(1 / _FADE)])])
        fading = graph.add("Clip", [beyond, graph.floats(0.0), graph.floats(1.0)])
        if not self.is_by_distance:
            return fading
        nearness = graph.add("Div", [graph.floats(1 + _TWIN), graph.add("Add", [distances, graph.floats(_TWIN)])])
        return graph.add("Mul", [fading, nearness])


def weights_of(scaled: NDArray[np.float64], *, is_by_distance: bool) -> NDArray[np.float32]:
    """Weights by squared distance in units of ``h``: 1 at ``h``, none from 1.2 on."""
    distances = scaled.astype(np.float32)
    fading = np.clip((1 + _FADE) / _FADE - distances * np.float32(1 / _FADE), 0, 1, dtype=np.float32)
    return fading * (np.float32(1 + _TWIN) / (distances + np.float32(_TWIN))) if is_by_distance else fading


def _double(graph: GraphWriter, value: float) -> str:
    """A scalar that is weighed with distances."""
    return graph.constant(np.array(value, dtype=np.float64))

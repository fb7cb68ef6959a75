"""Likeness of rows, and regularised least squares in it, judged by leaving each row out.

Ridge regression in the space of a kernel (Saunders et al. 1998); what it would have predicted for a row without having seen it
follows from the solution itself (Allen's PRESS, 1974), so that every penalty is judged at the price of one decomposition. Of
labels the columns of ones and zeros are what is regressed, which separates about as well as a support vector machine (Rifkin
and Klautau 2004). With more rows than centres the kernel is Nystroem's (Williams and Seeger 2001).

Shapes: N rows, M centres, F features, L columns of targets, K penalties.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import onnx
from numpy.typing import NDArray

from engine.table.graph import GraphWriter

Shape = Literal["gaussian", "exponential"]
_TINY_SHARE = 1e-10
"""Of the largest eigenvalue; what is smaller is rounding."""
_LEAST_FREE = 1e-9
"""Of a row's own pull on its answer, what is left of it at least; what is smaller is rounding."""


@dataclass(frozen=True)
class Kernel:
    """How likeness falls with distance."""

    shape: Shape
    reach: float
    """Squared distance at which likeness is ``1/e``."""

    def of(self, squared: NDArray[np.float64]) -> NDArray[np.float64]:
        """Likeness 0..1 of squared distances."""
        scaled = np.maximum(squared, 0.0) / self.reach
        return np.exp(-scaled if self.shape == "gaussian" else -np.sqrt(scaled))

    def write(self, graph: GraphWriter, squared: str) -> str:
        """The same as nodes, for a tensor of doubles that are not negative."""
        scaled = graph.add("Div", [squared, double(graph, self.reach)])
        return graph.add("Exp", [graph.add("Neg", [scaled if self.shape == "gaussian" else graph.add("Sqrt", [scaled])])])


def double(graph: GraphWriter, value: float) -> str:
    """A scalar beside doubles."""
    return graph.constant(np.array(value, dtype=np.float64))


def squared_distances(x_NF: NDArray, centres_MF: NDArray) -> NDArray[np.float64]:
    """In float64: of near rows that are far from the mean float32 leaves too few digits."""
    x_NF, centres_MF = x_NF.astype(np.float64), centres_MF.astype(np.float64)
    lengths_M = np.square(centres_MF).sum(axis=1)
    distances_NM = lengths_M - 2 * x_NF @ centres_MF.T + np.square(x_NF).sum(axis=1, keepdims=True)
    return np.maximum(distances_NM, 0.0)


def write_squared_distances(graph: GraphWriter, x: str, centres_MF: NDArray[np.float32]) -> str:
    """The same as nodes: ``[batch, M]`` of doubles."""
    doubles = graph.add("Cast", [x], to=onnx.TensorProto.DOUBLE)
    lengths = graph.add("ReduceSum", [graph.add("Mul", [doubles, doubles]), graph.ints(1)], keepdims=1)
    columns = graph.add("Cast", [graph.constant(-2 * centres_MF.T)], to=onnx.TensorProto.DOUBLE)
    own_1M = np.square(centres_MF, dtype=np.float64).sum(axis=1)[None]
    beyond = graph.add("Add", [graph.add("MatMul", [doubles, columns]), graph.constant(own_1M)])
    return graph.add("Max", [graph.add("Add", [beyond, lengths]), double(graph, 0.0)])


@dataclass(frozen=True)
class KernelSolution:
    """The least squares of one kernel, for any penalty."""

    left_NK: NDArray[np.float64]
    values_K: NDArray[np.float64]
    back_MK: NDArray[np.float64]
    """Maps coefficients of ``left`` to weights of centres."""

    @classmethod
    def of(cls, rows_NM: NDArray[np.float64], centres_MM: NDArray[np.float64]) -> KernelSolution:
        """Decomposes the likeness of rows to centres; where the centres are the rows, both are the same."""
        values_K, vectors_MK = _decomposed(centres_MM)
        if rows_NM is centres_MM:
            return cls(vectors_MK, values_K, vectors_MK / np.sqrt(values_K))
        features_NK = rows_NM @ (vectors_MK / np.sqrt(values_K))
        second_J, turned_KJ = _decomposed(features_NK.T @ features_NK)
        left_NJ = features_NK @ (turned_KJ / np.sqrt(second_J))
        return cls(left_NJ, second_J, (vectors_MK / np.sqrt(values_K)) @ turned_KJ)

    def left_out(self, encoded_NL: NDArray[np.float64], penalty: float) -> NDArray[np.float64]:
        """Predictions for each row by a solution that has not seen it."""
        shrunk_K = self.values_K / (self.values_K + penalty)
        fitted_NL = self.left_NK @ (shrunk_K[:, None] * (self.left_NK.T @ encoded_NL))
        pull_N1 = (np.square(self.left_NK) @ shrunk_K)[:, None]
        return encoded_NL - (encoded_NL - fitted_NL) / np.maximum(1.0 - pull_N1, _LEAST_FREE)

    def weights(self, encoded_NL: NDArray[np.float64], penalty: float) -> NDArray[np.float64]:
        """Of the centres, ``_ML``."""
        pull_K = np.sqrt(self.values_K) / (self.values_K + penalty)
        return self.back_MK @ (pull_K[:, None] * (self.left_NK.T @ encoded_NL))


def _decomposed(symmetric_MM: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    values_M, vectors_MM = np.linalg.eigh(symmetric_MM)
    is_large_M = values_M > _TINY_SHARE * max(float(values_M[-1]), 1e-12)
    return values_M[is_large_M], vectors_MM[:, is_large_M]


def softmax(scores_NL: NDArray[np.float64]) -> NDArray[np.float64]:
    """Probabilities, row by row."""
    powers_NL = np.exp(scores_NL - scores_NL.max(axis=1, keepdims=True))
    return powers_NL / powers_NL.sum(axis=1, keepdims=True)


def sharpened(
    scores_NL: NDArray[np.float64], targets_N: NDArray[np.int64], log_priors_L: NDArray[np.float64], grid: Sequence[float]
) -> tuple[float, float, float]:
    """Chooses the softmax with the least log loss: its steepness, the weight of the labels' shares, and the loss."""
    rows_N = np.arange(len(targets_N))
    best = (float(grid[0]), 0.0, float("inf"))
    for share in (0.0, 0.5, 1.0):
        for steepness in grid:
            right_N = softmax(steepness * scores_NL + share * log_priors_L)[rows_N, targets_N]
            loss = float(-np.log(np.maximum(right_N, 1e-7)).mean())
            if loss < best[2]:
                best = (float(steepness), share, loss)
    return best

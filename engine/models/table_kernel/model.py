"""What a kernel machine is once it has been found: settings, and rows with their weights.

Shapes: N rows, M centres, F features, L labels (or 1 for a number), P pairs of labels.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import onnx
from numpy.typing import NDArray

from engine.models.table_kernel.kernel import Kernel, Shape, softmax, squared_distances, write_squared_distances
from engine.table.encode import Preparation
from engine.table.graph import GraphWriter
from engine.table.table import Table


@dataclass(frozen=True)
class Settings:
    """What was found by leaving rows out."""

    shape: Shape
    reach: float
    """Times the median squared distance of two rows."""
    is_weighing: bool
    is_log: bool = False
    """Of a number, whether its logarithm is regressed."""
    penalty: float = 0.1
    steepness: float = 4.0
    prior_share: float = 0.0
    slope: float = 0.0
    """Of the scores of pairs of labels; 0 where each label is predicted against all others."""
    loss: float = float("inf")


@dataclass(frozen=True)
class KernelModel:
    """Centres with their weights."""

    preparation: Preparation
    means_F: NDArray[np.float32]
    scales_F: NDArray[np.float32]
    """What features are multiplied by, after their means are taken off."""
    centres_MF: NDArray[np.float32]
    kernel: Kernel
    weights_ML: NDArray[np.float32]
    offsets_L: NDArray[np.float32]
    """Added to the weighted sums over centres: for labels, part of the logarithms of their shares."""
    votes_PL: NDArray[np.float32] | None
    """Where weights are of pairs of labels, ``_MP``: what the tangents of their answers add to the labels."""
    settings: Settings
    log_unit: float = 0.0
    """Of a number whose logarithm is regressed, what 1 stands for; 0 where it is not."""
    low: float = 0.0
    high: float = 0.0
    """Of a number: nothing beyond is predicted."""

    @property
    def is_number(self) -> bool:
        """Whether there is one answer, not one a label."""
        return len(self.offsets_L) == 1

    def answers(self, table: Table) -> NDArray[np.float32]:
        """See ``RowModel``."""
        x_NF = (self.preparation.apply(table) - self.means_F) * self.scales_F
        likeness_NM = self.kernel.of(squared_distances(x_NF, self.centres_MF))
        scores_NL = (likeness_NM @ self.weights_ML.astype(np.float64)).astype(np.float32)
        scores_NL = (scores_NL if self.votes_PL is None else np.tanh(scores_NL) @ self.votes_PL) + self.offsets_L
        if not self.is_number:
            return softmax(scores_NL.astype(np.float64)).astype(np.float32)
        scores_NL = np.clip(scores_NL, np.float32(self.low), np.float32(self.high))
        return np.expm1(scores_NL) * np.float32(self.log_unit) if self.log_unit else scores_NL

    def write(self, graph: GraphWriter) -> str:
        """See ``RowModel``."""
        centred = graph.add("Sub", [self.preparation.write(graph), graph.constant(self.means_F)])
        x = graph.add("Mul", [centred, graph.constant(self.scales_F)])
        likeness = self.kernel.write(graph, write_squared_distances(graph, x, self.centres_MF))
        # Weights are large and take one another away: their sum in float32 would leave too few digits.
        weights = graph.add("Cast", [graph.constant(self.weights_ML)], to=onnx.TensorProto.DOUBLE)
        scores = graph.add("Cast", [graph.add("MatMul", [likeness, weights])], to=onnx.TensorProto.FLOAT)
        if self.votes_PL is not None:
            scores = graph.add("MatMul", [graph.add("Tanh", [scores]), graph.constant(self.votes_PL)])
        scores = graph.add("Add", [scores, graph.constant(self.offsets_L)])
        if not self.is_number:
            return graph.add("Softmax", [scores], axis=1)
        scores = graph.add("Clip", [scores, graph.floats(self.low), graph.floats(self.high)])
        if not self.log_unit:
            return scores
        powers = graph.add("Sub", [graph.add("Exp", [scores]), graph.floats(1.0)])
        return graph.add("Mul", [powers, graph.floats(self.log_unit)])

"""Calibrates the trees' shares of labels into probabilities, by two numbers that are chosen on validation.

The trees' shares of labels are drawn a little towards those of all rows: fully grown trees give 0 to labels that they
have not met. And they are raised to a power, like a temperature (Guo et al. 2017, https://arxiv.org/abs/1706.04599): the mean
of many trees is underconfident.

Shapes: N rows, L labels.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from engine.table.graph import GraphWriter

_DRAWS = (0.001, 0.003, 0.01, 0.03, 0.1)
_SHARPNESSES = (0.7, 1.0, 1.4, 2.0, 2.8, 4.0)
_TINY = 1e-7


@dataclass(frozen=True)
class Calibration:
    """How shares become probabilities."""

    prior_L: NDArray[np.float32]
    """Shares of all rows; none is 0."""
    draw: float = 0.01
    """0..1: the prior's part."""
    sharpness: float = 1.0

    def apply(self, shares_NL: NDArray[np.float64]) -> NDArray[np.float32]:
        """Probabilities, of shares that add up to one."""
        mixed_NL = shares_NL * (1.0 - self.draw) + self.prior_L.astype(np.float64) * self.draw
        raised_NL = (mixed_NL / mixed_NL.max(axis=1, keepdims=True)) ** self.sharpness
        return (raised_NL / raised_NL.sum(axis=1, keepdims=True)).astype(np.float32)

    def write(self, graph: GraphWriter, shares: str) -> str:
        """Adds nodes that do the same."""
        sample = graph.add("Mul", [shares, graph.floats(1.0 - self.draw)])
        mixed = graph.add("Add", [sample, graph.constant(self.prior_L * np.float32(self.draw))])
        powers = graph.add("Mul", [graph.add("Log", [mixed]), graph.floats(self.sharpness)])
        return graph.add("Softmax", [powers], axis=1)


def calibrated(
    prior_L: NDArray[np.float32],
    shares_NL: NDArray[np.float64],
    targets_N: NDArray[np.int64],
    weights_N: NDArray[np.float64] | None,
) -> Calibration:
    """Chooses the numbers with the least log loss on rows that the trees have not seen.

    If few rows are all answered right, the best sharpness would be infinite. So a row counts a little as one of the other
    labels too, by 1 / (n + 2) of n rows of its label, as in Platt 1999 (Probabilistic outputs for support vector machines).
    """
    num_labels = len(prior_L)
    if not len(targets_N) or num_labels < 2:
        return Calibration(prior_L)
    doubt_N = 1.0 / (np.bincount(targets_N, minlength=num_labels)[targets_N] + 2.0)

    def loss(tried: Calibration) -> float:
        logs_NL = -np.log(np.maximum(tried.apply(shares_NL).astype(np.float64), _TINY))
        right_N = logs_NL[np.arange(len(targets_N)), targets_N]
        others_N = (logs_NL.sum(axis=1) - right_N) / (num_labels - 1)
        return float(np.average(right_N * (1.0 - doubt_N) + others_N * doubt_N, weights=weights_N))

    return min((Calibration(prior_L, *pair) for pair in product(_DRAWS, _SHARPNESSES)), key=loss)

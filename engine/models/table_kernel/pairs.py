"""Regularised least squares of each pair of labels, by the rows of both alone, and the sum of the pairs' votes.

One against one (Knerr et al. 1990): with many labels the boundary of two is often smoother than that of one label and all
others. As there, what a pair predicts for its rows without having seen them follows from its solution; rows of other
labels it has never seen.

Shapes: N rows, L labels, P pairs of labels that occur.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.models.table_kernel.kernel import sharpened

_PENALTIES = (1e-4, 1e-2, 0.1, 1.0)
_SLOPES = (1.0, 2.0)
"""Factors of a pair's score before its hyperbolic tangent becomes a vote, so that all sure votes count alike."""


@dataclass(frozen=True)
class SolvedPairs:
    """The least squares of each pair of labels, 1 for the first and -1 for the second, for any penalty."""

    likeness_NN: NDArray[np.float64]
    pairs: tuple[tuple[int, int], ...]
    """Labels that occur."""
    parts: tuple[tuple[NDArray[np.intp], NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]], ...]
    """Of each pair: its rows, their targets (1 or -1), eigenvalues and eigenvectors of their likeness."""

    @classmethod
    def of(cls, likeness_NN: NDArray[np.float64], targets_N: NDArray[np.intp]) -> SolvedPairs:
        """Decomposes the likeness of the rows of each pair."""
        pairs = tuple(combinations(np.unique(targets_N).tolist(), 2))
        parts = []
        for first, second in pairs:
            rows = np.flatnonzero((targets_N == first) | (targets_N == second))
            values, vectors = np.linalg.eigh(likeness_NN[np.ix_(rows, rows)])
            parts.append((rows, np.where(targets_N[rows] == first, 1.0, -1.0), np.maximum(values, 0.0), vectors))
        return cls(likeness_NN, pairs, tuple(parts))

    def weights(self, penalty: float) -> NDArray[np.float64]:
        """Of the rows, ``_NP``."""
        weights_NP = np.zeros((len(self.likeness_NN), len(self.pairs)))
        for pair, (rows, signs, values, vectors) in enumerate(self.parts):
            weights_NP[rows, pair] = vectors @ ((vectors.T @ signs) / (values + penalty))
        return weights_NP

    def left_out(self, penalty: float) -> NDArray[np.float64]:
        """Each pair's prediction for each row by a solution that has not seen it, ``_NP``."""
        weights_NP = self.weights(penalty)
        predicted_NP = self.likeness_NN @ weights_NP
        for pair, (rows, signs, values, vectors) in enumerate(self.parts):
            predicted_NP[rows, pair] = signs - weights_NP[rows, pair] / (np.square(vectors) @ (1.0 / (values + penalty)))
        return predicted_NP

    def votes(self, num_labels: int) -> NDArray[np.float64]:
        """What each pair adds to the labels, ``_PL``: their mean over the other labels."""
        votes_PL = np.zeros((len(self.pairs), num_labels))
        for pair, (first, second) in enumerate(self.pairs):
            votes_PL[pair, first], votes_PL[pair, second] = 1.0 / num_labels, -1.0 / num_labels
        return votes_PL


class PairSettings(NamedTuple):
    """Settings that did best on rows that were left out."""

    penalty: float
    slope: float
    steepness: float
    prior_share: float
    loss: float


def best_of_pairs(
    solved: SolvedPairs, targets_N: NDArray[np.intp], log_priors_L: NDArray[np.float64], steepnesses: Sequence[float]
) -> PairSettings:
    """Penalty, slope and steepness by the log loss of rows that were left out."""
    votes_PL = solved.votes(len(log_priors_L))
    best = PairSettings(_PENALTIES[0], _SLOPES[0], 1.0, 0.0, float("inf"))
    for penalty in _PENALTIES:
        predicted_NP = solved.left_out(penalty)
        for slope in _SLOPES:
            steepness, share, loss = sharpened(np.tanh(slope * predicted_NP) @ votes_PL, targets_N, log_priors_L, steepnesses)
            best = min(best, PairSettings(penalty, slope, steepness, share, loss), key=lambda each: each.loss)
    return best

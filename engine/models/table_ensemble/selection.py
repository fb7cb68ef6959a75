"""Weights of models that answer together: greedy selection with replacement.

From Caruana et al. 2004, "Ensemble selection from libraries of models", ICML. Round by round the model is added that helps the
mean of those chosen most; a model may be added again, and its weight is how often it was. What a model answers of a row enters
as one number: the probability of the row's label, or the error of the number. Both mix linearly, so that a mean of models is a
mean of these.

Unlike the paper's, the choice pays for time: an ensemble that answers fewer rows a second than asked for must earn each halving
of its speed by ``COST_OF_HALVING`` of the loss.

Shapes: M models, N rows, L labels.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.table.outliers import has_loose

NUM_ROUNDS = 40
NUM_STARTS = 4
COST_OF_HALVING = 0.012
WORTHWHILE = 0.001
"""A model whose absence costs less than this share of the loss is left out."""
_LEAST = 1e-7
"""Probabilities below count as this."""

Loss = Callable[[NDArray[np.float64]], NDArray[np.float64]]
"""Of parts ``_MN`` the loss of each of M."""


@dataclass(frozen=True)
class HeldBackScores:
    """Scores of models for rows that they were not trained on, one number a row."""

    parts_MN: NDArray[np.float64]
    is_classifier: bool
    has_loose: bool = False
    """Whether numbers lie so far out that their size counts as much as their square."""

    @classmethod
    def of(cls, answers: list[NDArray[np.float32]], targets_N: NDArray[np.int64] | NDArray[np.float64]) -> HeldBackScores:
        """From answers ``_NL`` or ``_N1`` of each model."""
        is_classifier = answers[0].shape[1] > 1
        rows = np.arange(len(targets_N))
        if is_classifier:
            labels_N = targets_N.astype(np.intp)
            parts = [answer_NL[rows, labels_N].astype(np.float64) for answer_NL in answers]
        else:
            parts = [answer_N1[:, 0].astype(np.float64) - targets_N for answer_N1 in answers]
        return cls(np.stack(parts), is_classifier, not is_classifier and has_loose(targets_N))

    def loss(self, mixed_MN: NDArray[np.float64]) -> NDArray[np.float64]:
        """Log loss, or root of the mean squared error, of each of some mixtures.

        Where numbers lie far out, the geometric mean of that root and the mean absolute error: a few would decide otherwise.
        """
        if self.is_classifier:
            losses_M: NDArray[np.float64] = -np.log(np.maximum(mixed_MN, _LEAST)).mean(axis=1)
            return losses_M
        roots_M: NDArray[np.float64] = np.sqrt(np.square(mixed_MN).mean(axis=1))
        return np.sqrt(roots_M * np.abs(mixed_MN).mean(axis=1)) if self.has_loose else roots_M


def select(
    scores: HeldBackScores,
    seconds_per_row_M: NDArray[np.float64],
    *,
    rows_per_s: float,
    num_rounds: int = NUM_ROUNDS,
    cost_of_halving: float = COST_OF_HALVING,
) -> NDArray[np.float64]:
    """The weights of the models; they add up to one.

    Args:
        scores: of the models.
        seconds_per_row_M: what an answer of each costs.
        rows_per_s: speed up to which time costs nothing.
        num_rounds: models that are added, at most.
        cost_of_halving: share of the loss that each halving of the speed below that must bring.
    """
    judge = _Judge(scores, seconds_per_row_M, rows_per_s, cost_of_halving)
    alone_M = judge.values(scores.parts_MN, np.eye(len(scores.parts_MN), dtype=bool))
    best_value, best_M = math.inf, np.zeros(0)
    for start in np.argsort(alone_M, kind="stable")[:NUM_STARTS]:
        value, counts_M = _grown(judge, int(start), num_rounds)
        if value < best_value:
            best_value, best_M = value, counts_M / counts_M.sum()
    return _pruned(judge, best_M)


@dataclass(frozen=True)
class _Judge:
    """What a mixture is worth: its loss, dearer where it is slow."""

    scores: HeldBackScores
    seconds_M: NDArray[np.float64]
    rows_per_s: float
    cost_of_halving: float

    def values(self, mixed_KN: NDArray[np.float64], is_in_KM: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Of K mixtures, and the models in each."""
        slowness_K = np.maximum((is_in_KM @ self.seconds_M) * self.rows_per_s, 1.0)
        values_K: NDArray[np.float64] = self.scores.loss(mixed_KN) * (1 + self.cost_of_halving * np.log2(slowness_K))
        return values_K

    def value(self, weights_M: NDArray[np.float64]) -> float:
        """Of one mixture."""
        return float(self.values((weights_M @ self.scores.parts_MN)[None], (weights_M > 0)[None])[0])


def _grown(judge: _Judge, start: int, num_rounds: int) -> tuple[float, NDArray[np.float64]]:
    """Adds models to one of them; the best mixture on the way and how often each model is in it."""
    parts_MN = judge.scores.parts_MN
    num_models = len(parts_MN)
    counts_M = np.zeros(num_models)
    counts_M[start] = 1
    sum_N = parts_MN[start].copy()
    best_value, best_M = judge.value(counts_M), counts_M.copy()
    for number in range(2, num_rounds + 1):
        is_in_MM = (counts_M > 0)[None] | np.eye(num_models, dtype=bool)
        values_M = judge.values((sum_N + parts_MN) / number, is_in_MM)
        added = int(np.argmin(values_M))
        counts_M[added] += 1
        sum_N += parts_MN[added]
        if values_M[added] < best_value:
            best_value, best_M = float(values_M[added]), counts_M.copy()
    return best_value, best_M


def _pruned(judge: _Judge, weights_M: NDArray[np.float64]) -> NDArray[np.float64]:
    """Leaves models out whose absence costs next to nothing, the least first."""
    while (weights_M > 0).sum() > 1:
        allowed = judge.value(weights_M) * (1 + WORTHWHILE)
        tried = [
            (judge.value(without_M), model)
            for model in np.flatnonzero(weights_M).tolist()
            for without_M in [_without(weights_M, model)]
        ]
        value, model = min(tried)
        if value > allowed:
            break
        weights_M = _without(weights_M, model)
    return weights_M


def _without(weights_M: NDArray[np.float64], model: int) -> NDArray[np.float64]:
    rest_M = weights_M.copy()
    rest_M[model] = 0
    return rest_M / rest_M.sum()

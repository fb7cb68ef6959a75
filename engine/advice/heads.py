"""Quick heads: a logistic regression, and boosted trees of few rounds.

Shapes: N items, D features, M items asked about, L labels.
"""

from __future__ import annotations

import warnings

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression

from engine.advice.learner import Answers, Learner, Rows

STRENGTHS = (0.003, 0.03, 0.3)
_MAX_ITERATIONS = 60
_ALL_ROUNDS, _LEAST_ROUNDS = 30, 8
"""Each round grows a tree a label: of many labels there are fewer rounds."""
_LEAVES, _LEAST_IN_LEAF, _RATE = 8, 5, 0.2
_TINY = 1e-7


def class_scores(learner: Learner, rows_ND: Rows, targets_N: NDArray[np.int64], queries_MD: Rows, num_labels: int) -> Answers:
    """Scores ``_ML`` that add up to one; labels that were not among the rows get next to nothing."""
    present = np.unique(targets_N)
    scores_ML = np.full((len(queries_MD), num_labels), _TINY)
    if len(present) == 1:
        scores_ML[:, present] = 1.0
        return scores_ML
    head = _trees(num_labels) if learner.style == "trees" else _logistic(learner.strength)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # what is left to gain is below what draws differ by
        head.fit(rows_ND, targets_N)
    scores_ML[:, head.classes_] = np.maximum(head.predict_proba(queries_MD), _TINY)
    return scores_ML


def f1_of(predicted_N: NDArray[np.bool_], carried_N: NDArray[np.bool_]) -> float:
    """F1 of one label; 0 where it is neither carried nor predicted."""
    return float(2.0 * (predicted_N & carried_N).sum() / max(1, predicted_N.sum() + carried_N.sum()))


def _logistic(strength: float) -> LogisticRegression:
    return LogisticRegression(C=strength, max_iter=_MAX_ITERATIONS, tol=1e-3)


def _trees(num_labels: int) -> HistGradientBoostingClassifier:
    return HistGradientBoostingClassifier(
        max_iter=max(_LEAST_ROUNDS, _ALL_ROUNDS // max(1, num_labels - 1)),
        max_leaf_nodes=_LEAVES,
        min_samples_leaf=_LEAST_IN_LEAF,
        learning_rate=_RATE,
        early_stopping=False,
        random_state=0,
    )

"""What judges rows: boosted trees and a linear head, which err on different rows; and how far a row lies from the others.

The heads of pictures look at directions of vectors; columns of a table have scales and thresholds of their own.

Shapes: N rows, M rows judged, D features, L labels.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import HistGradientBoostingClassifier, IsolationForest
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression

from automl.contracts.quality import Finding, FindingKind, QualityItem
from engine.quality.heads import Head, Scores

LEAST_ITEMS = 60
SPREADS = 4.0
"""How many upper spreads above the median count as odd."""
_TREES, _LEAST_IN_LEAF = 300, 10
_ALL_ROUNDS, _LEAST_ROUNDS = 160, 20
"""Each round grows a tree a label: of many labels there are fewer rounds."""
_MAX_ITERATIONS = 300
_INVERSE_L2 = 0.1
_NEVER = -1e3
_MOST_TRIED, _REASONS, _TELLING = 10_000, 3, 0.4
"""Rows that are scored anew to explain odd ones, a second's worth; columns named at most, and the share of the first one's gain
from which another is."""
_TAIL, _TAIL_SPREADS = 0.95, 1.645
"""The upper spread is the distance from the median to this quantile, as if scores were normal."""


def heads(view_ND: NDArray[np.float32]) -> list[tuple[Head, NDArray[np.float32]]]:
    """The heads with what each looks at.

    Args:
        view_ND: prepared columns, finite, on one scale.
    """
    return [(_boosted, view_ND), (_linear, view_ND)]


def odd_rows(
    items: list[QualityItem], view_ND: NDArray[np.float32], columns_D: Sequence[str], *, seed: int
) -> tuple[list[Finding], float | None]:
    """Rows that few random cuts set apart from all others (Liu, Ting and Zhou 2008, isolation forest).

    Args:
        items: N of them, without copies.
        view_ND: their columns; not clipped, since what lies far out is sought.
        columns_D: the column that each feature comes from.
        seed: of the cuts.

    Returns:
        Findings and the limit in force, in spreads; nothing for fewer than ``LEAST_ITEMS``.
    """
    if len(items) < LEAST_ITEMS:
        return [], None
    forest = IsolationForest(n_estimators=_TREES, random_state=seed).fit(view_ND)
    apart_N = -forest.score_samples(view_ND)
    middle, tail = np.median(apart_N), np.quantile(apart_N, _TAIL)
    oddness_N = (apart_N - middle) / max(float(tail - middle) / _TAIL_SPREADS, 1e-3)
    odd = [int(row) for row in np.argsort(-oddness_N) if oddness_N[row] > SPREADS]
    reasons = _odd_columns(forest, view_ND, odd, columns_D)
    return [
        Finding(
            item=items[row].item,
            kind=FindingKind.OUTLIER,
            severity=float(min(1.0, 1 - SPREADS / oddness_N[row] / 2)),
            detail={"value": round(float(oddness_N[row]), 3), "limit": SPREADS, "columns": list(reasons.get(row, ()))},
        )
        for row in sorted(odd)
    ], SPREADS


def _odd_columns(
    forest: IsolationForest, view_ND: NDArray[np.float32], odd: Sequence[int], columns_D: Sequence[str]
) -> dict[int, list[str]]:
    """By row, the columns without whose cells it would be less odd, the most telling first; of as many as there is time for.

    Each column in turn gets its usual value, the median.
    """
    names = list(dict.fromkeys(columns_D))
    of_column = {name: np.array([one == name for one in columns_D]) for name in names}
    usual_D = np.median(view_ND, axis=0)
    explained = odd[: max(1, _MOST_TRIED // max(1, len(names)))]
    found: dict[int, list[str]] = {}
    for row in explained:
        tried_CD = np.stack([np.where(of_column[name], usual_D, view_ND[row]) for name in names])
        apart_C = -forest.score_samples(np.concatenate([view_ND[row : row + 1], tried_CD]))
        gain_C = apart_C[0] - apart_C[1:]
        best = np.argsort(-gain_C)[:_REASONS]
        found[row] = [names[place] for place in best if gain_C[place] > 0 and gain_C[place] >= _TELLING * gain_C[best[0]]]
    return found


def _boosted(
    rows_ND: NDArray[np.float32], targets_N: NDArray[np.int64], queries_MD: NDArray[np.float32], num_labels: int
) -> Scores:
    if len(np.unique(targets_N)) == 1:
        return _only(targets_N, len(queries_MD), num_labels)
    trees = HistGradientBoostingClassifier(
        max_iter=max(_LEAST_ROUNDS, _ALL_ROUNDS // num_labels),
        min_samples_leaf=_LEAST_IN_LEAF,
        l2_regularization=1.0,
        early_stopping=False,
        random_state=0,
    )
    trees.fit(rows_ND, targets_N)
    out_ML = np.full((len(queries_MD), num_labels), _NEVER)
    out_ML[:, trees.classes_] = np.log(np.maximum(trees.predict_proba(queries_MD), 1e-9))
    return out_ML


def _linear(
    rows_ND: NDArray[np.float32], targets_N: NDArray[np.int64], queries_MD: NDArray[np.float32], num_labels: int
) -> Scores:
    if len(np.unique(targets_N)) == 1:
        return _only(targets_N, len(queries_MD), num_labels)
    head = LogisticRegression(C=_INVERSE_L2, max_iter=_MAX_ITERATIONS)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # what is left to gain is below what folds differ by
        head.fit(rows_ND, targets_N)
    out_ML = np.full((len(queries_MD), num_labels), _NEVER)
    out_ML[:, head.classes_] = head.predict_log_proba(queries_MD)
    return out_ML


def _only(targets_N: NDArray[np.int64], num_queries: int, num_labels: int) -> Scores:
    """Where all rows but those left out carry one label."""
    out_ML = np.full((num_queries, num_labels), _NEVER)
    out_ML[:, targets_N[0]] = 0.0
    return out_ML

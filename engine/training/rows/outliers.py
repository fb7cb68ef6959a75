"""Leaves out rows whose number to predict is far from all others, where no column predicts which rows those are.

A few per cent of wild targets, such as those in another unit, decide what squared errors learn: the mean moves, thresholds are
spent on them, and early stopping on rows of the same kind ends at once. So they are left out of what is learned from and of
what says when to stop; reports judge all rows. Whether the columns predict them is tried: a forest that learns from all rows is
compared, by the mean absolute error of rows that it has not seen, with one that does not learn from the wild ones.

Shapes: N rows to train on, M of validation.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.table.encode import Preparation
from engine.table.outliers import far_targets
from engine.table.table import RowTask

WARNING = "targets_far"
_MOST_TRIED, _MOST_FAR_TRIED = 3_000, 500
_NUM_FOLDS, _NUM_TREES = 3, 40
_PREDICTABLE = 0.9
"""Of the error without wild rows, that learning from them must come down to."""
_LIMIT = np.finfo(np.float32).max


@dataclass(frozen=True)
class InlierTask:
    """The task without rows of wild targets."""

    task: RowTask
    is_inlier_M: NDArray[np.bool_]
    """Rows of validation that remain."""


def without_outliers(task: RowTask) -> InlierTask:
    """The task without rows of wild targets, where there are any and no column predicts them; with a warning then.

    Raises:
        NoColumnsError: there is nothing to learn from.
    """
    everything = InlierTask(task, np.ones(len(task.validation_targets_N), dtype=bool))
    if task.num_labels:
        return everything
    num_train = len(task.targets_N)
    is_far_NM = far_targets(np.concatenate([task.targets_N, task.validation_targets_N]))
    is_far_N, is_far_M = is_far_NM[:num_train], is_far_NM[num_train:]
    if not is_far_NM.any() or (is_far_N.any() and _are_predictable(task, is_far_N)):
        return everything
    rows_N, rows_M = np.flatnonzero(~is_far_N), np.flatnonzero(~is_far_M)
    number, share = int(is_far_NM.sum()), float(is_far_NM.mean())
    task.warn(
        WARNING,
        f"{number:,} rows ({share:.1%}) have targets far from all others, which no column tells apart: they are left out.",
    )
    inliers = replace(
        task,
        train=task.train.take(rows_N),
        targets_N=task.targets_N[rows_N],
        validation=task.validation.take(rows_M),
        validation_targets_N=task.validation_targets_N[rows_M],
    )
    return InlierTask(inliers, ~is_far_M)


def _are_predictable(task: RowTask, is_far_N: NDArray[np.bool_]) -> bool:
    """Whether rows that were not seen are answered better by who learned from the wild ones too."""
    random = np.random.default_rng(task.seed)
    far, others = (random.permutation(np.flatnonzero(which_N)) for which_N in (is_far_N, ~is_far_N))
    far = far[:_MOST_FAR_TRIED]
    rows = np.concatenate([far, others[: _MOST_TRIED - len(far)]])
    targets_R = np.asarray(task.targets_N[rows], dtype=np.float64)
    table = task.train.take(rows)
    _, x_RF = Preparation.learn(table, np.zeros(len(rows), np.float64), 0, style="trees", seed=task.seed)
    x_RF = np.clip(x_RF, -_LIMIT, _LIMIT)
    is_far_R, folds_R = np.arange(len(rows)) < len(far), np.arange(len(rows)) % _NUM_FOLDS
    with_all, without = (_error(x_RF, targets_R, learned_R, folds_R, task) for learned_R in (np.ones_like(is_far_R), ~is_far_R))
    return with_all < _PREDICTABLE * without


def _error(
    x_RF: NDArray[Any], targets_R: NDArray[np.float64], learned_R: NDArray[np.bool_], folds_R: NDArray[np.int64], task: RowTask
) -> float:
    """Mean absolute error of each fold, by a forest of those of the others that may be learned from."""
    from sklearn.ensemble import ExtraTreesRegressor  # noqa: PLC0415 - only where there are wild targets

    errors = []
    for fold in range(_NUM_FOLDS):
        is_here_R = folds_R == fold
        forest = ExtraTreesRegressor(_NUM_TREES, min_samples_leaf=2, n_jobs=task.num_threads, random_state=task.seed)
        forest.fit(x_RF[learned_R & ~is_here_R], targets_R[learned_R & ~is_here_R])
        errors.append(np.abs(forest.predict(x_RF[is_here_R]) - targets_R[is_here_R]))
        task.report(0.0, {})
    return float(np.concatenate(errors).mean())

"""What every family that learns from rows does: draw rows, weigh labels, measure on validation. In numpy alone.

Shapes: N rows, L labels (or 1 for a number).
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from engine.table.table import RowTask, Table

LEAST_OF_A_LABEL = 10
"""Rows of each label that are drawn whatever its share: a rare label is not lost."""
_TINY = 1e-7
"""As the metrics of the task have it."""


def training_rows(task: RowTask) -> tuple[Table, NDArray]:
    """The rows to train on and their targets: all, or ``max_rows`` of them drawn evenly, in their order.

    A few rows of every label are always among them.
    """
    num_rows = len(task.train)
    if num_rows <= task.max_rows:
        return task.train, task.targets_N
    order_N = np.random.default_rng(task.seed).permutation(num_rows)
    if task.num_labels:
        place_N = _place_within_label(task.targets_N[order_N])
        order_N = order_N[np.argsort(place_N >= LEAST_OF_A_LABEL, kind="stable")]
    rows_N = np.sort(order_N[: task.max_rows])
    return task.train.take(rows_N), task.targets_N[rows_N]


def with_validation(task: RowTask) -> RowTask:
    """All rows to train on, those of validation last, and none besides."""
    return replace(
        task,
        train=joined(task.train, task.validation),
        targets_N=np.concatenate([task.targets_N, task.validation_targets_N]),
        validation=task.validation.take(slice(0)),
        validation_targets_N=task.validation_targets_N[:0],
    )


def joined(first: Table, second: Table) -> Table:
    """The rows of two tables with the same columns."""
    return Table(
        first.columns,
        np.concatenate([first.numbers_NA, second.numbers_NA]),
        np.concatenate([first.datetimes_ND, second.datetimes_ND]),
        np.concatenate([first.categories_NC, second.categories_NC]),
        np.concatenate([first.texts_NT, second.texts_NT]),
    )


def balanced_weights(targets_N: NDArray[np.int64], num_labels: int) -> NDArray[np.float64]:
    """A weight for each row so that all labels that occur weigh the same together; the mean is 1."""
    counts_L = np.bincount(targets_N, minlength=num_labels)
    weights_L = len(targets_N) / (np.maximum(counts_L, 1) * max(1, np.count_nonzero(counts_L)))
    return weights_L[targets_N]


def priors(targets_N: NDArray[np.int64], num_labels: int, weights_N: NDArray[np.float64] | None = None) -> NDArray[np.float64]:
    """The share of each label, with half a row more for each, so that none is 0."""
    counts_L = np.bincount(targets_N, weights=weights_N, minlength=num_labels) + 0.5
    return counts_L / counts_L.sum()


def measured(answers_NL: NDArray, targets_N: NDArray, num_labels: int, weights_N: NDArray | None = None) -> dict[str, float]:
    """Log loss of labels or RMSE of numbers, by its name; empty without rows.

    Args:
        answers_NL: probabilities, or ``_N1`` numbers.
        targets_N: indices, or numbers.
        num_labels: 0 where a number is predicted.
        weights_N: of the rows; None weighs them alike.
    """
    if not len(targets_N):
        return {}
    if num_labels:
        right_N = np.clip(answers_NL[np.arange(len(targets_N)), targets_N].astype(np.float64), _TINY, 1.0)
        return {"log_loss": float(np.average(-np.log(right_N), weights=weights_N))}
    errors_N = answers_NL[:, 0].astype(np.float64) - targets_N
    return {"rmse": float(np.sqrt(np.average(np.square(errors_N), weights=weights_N)))}


def loss(answers_NL: NDArray, targets_N: NDArray, num_labels: int, weights_N: NDArray | None = None) -> float:
    """The number that ``measured`` gives; infinity where it is none."""
    value = next(iter(measured(answers_NL, targets_N, num_labels, weights_N).values()), float("inf"))
    return value if np.isfinite(value) else float("inf")


def _place_within_label(targets_N: NDArray[np.int64]) -> NDArray[np.int64]:
    """How many rows of the same label stand before each row."""
    by_label_N = np.argsort(targets_N, kind="stable")
    sorted_N = targets_N[by_label_N]
    starts_N = np.searchsorted(sorted_N, sorted_N, side="left")
    place_N = np.empty(len(targets_N), dtype=np.int64)
    place_N[by_label_N] = np.arange(len(targets_N)) - starts_N
    return place_N

"""How much worse the answers become when a column is shuffled (Breiman 2001): what a model leans on.

Shapes: N rows, C columns, K answers of a row.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.table.table import Table

Predict = Callable[[Table], NDArray[Any]]
"""Rows to answers ``_NK``."""
NUM_SHUFFLES = 3
MAX_ROWS, MIN_ROWS = 2_000, 100


@dataclass(frozen=True)
class Importance:
    """By column, in the table's order."""

    mean_C: NDArray[np.float64]
    """Score less the score with the column shuffled, mean over shuffles; may be below 0."""
    std_C: NDArray[np.float64]
    """Over the shuffles."""


def affordable(budget_s: float, *, rows_per_s: float, num_columns: int) -> tuple[int, int]:
    """Rows and shuffles that fit a time: first fewer rows, then a single shuffle; never fewer than ``MIN_ROWS`` of one."""
    answered = budget_s * rows_per_s / max(1, num_columns)
    rows = int(np.clip(answered / NUM_SHUFFLES, MIN_ROWS, MAX_ROWS))
    return rows, int(np.clip(answered / rows, 1, NUM_SHUFFLES))


def importance(
    predict: Predict,
    table: Table,
    score: Callable[[NDArray[Any]], float],
    *,
    num_shuffles: int = NUM_SHUFFLES,
    seed: int = 0,
    on_progress: Callable[[float], None] | None = None,
) -> Importance:
    """Shuffles one column at a time.

    Args:
        predict: the model.
        table: rows that it was not trained on, at least one.
        score: of answers ``_NK`` to these rows; the larger, the better.
        num_shuffles: of each column.
        seed: of the shuffles.
        on_progress: called before each column with the share that is done; it may raise to end the work.
    """
    whole = score(predict(table))
    losses_CS = np.zeros((len(table.columns), num_shuffles))
    for place, column in enumerate(table.columns):
        if on_progress is not None:
            on_progress(place / len(table.columns))
        generator = np.random.default_rng([seed, place])
        own = column_place(table, place)
        for shuffle in range(num_shuffles):
            array = table.array(column.kind).copy()
            array[:, own] = array[generator.permutation(len(table)), own]
            losses_CS[place, shuffle] = whole - score(predict(table.with_array(column.kind, array)))
    return Importance(losses_CS.mean(axis=1), losses_CS.std(axis=1))


def column_place(table: Table, place: int) -> int:
    """Where a column stands among those of its kind."""
    kind = table.columns[place].kind
    return sum(column.kind is kind for column in table.columns[:place])

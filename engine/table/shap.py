"""Shapley values of some rows: what each column added to the answer (``runtime.shapley``, as services find them).

All rows stand against the same background, so that their values add up to their answers less one base.
Shapes: R rows to explain, B rows of background, C columns, K answers of a row, N mixed rows.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from automl.contracts.table import ColumnKind
from engine.table.importance import Predict
from engine.table.table import Table
from runtime.shapley import Mixed, shapley

NUM_ROWS, MIN_ROWS = 100, 10
NUM_BACKGROUND, MIN_BACKGROUND = 30, 5
MAX_ROUNDS = 8
"""Pairs of orders a background row: beyond, the values hardly move any more."""


@dataclass(frozen=True)
class RowContributions:
    """What the columns added."""

    values_RCK: NDArray[np.float64]
    """In the unit of the answer; the sum over columns is the answer less the base. Fewer rows where time was short."""
    base_K: NDArray[np.float64]
    """The mean answer to the background."""
    num_background: int
    """Rows of the background that were used, from its beginning."""


def explain(
    predict: Predict,
    table: Table,
    background: Table,
    *,
    budget_s: float,
    seed: int = 0,
    on_progress: Callable[[float], None] | None = None,
) -> RowContributions:
    """Explains rows as well as a time allows.

    A slow model explains fewer rows against a smaller background, a fast one takes more orders; its speed is measured on the
    first row.

    Args:
        predict: the model.
        table: rows to explain, the most important first; at least one.
        background: rows that stand for the others, at least one; a beginning of them should stand for them too.
        budget_s: seconds to aim at; the first row is explained however long it takes.
        seed: of the orders.
        on_progress: called before each row with the share that is done; it may raise to end the work.

    Raises:
        ValueError: the model answers with what is no number.
    """
    num_columns = len(table.columns)
    speed = _rows_per_s(predict, background)
    fits = budget_s * speed / (min(MIN_ROWS, len(table)) * 2 * max(1, num_columns - 1))
    most = min(NUM_BACKGROUND, len(background))
    num_background = int(np.clip(fits, min(MIN_BACKGROUND, most), most))
    behind = background.take(slice(0, num_background))
    explained = table.take(slice(0, NUM_ROWS))
    found: list[NDArray[np.float64]] = []
    base_K: NDArray[np.float64] = np.zeros(0)
    num_rounds, num_rows, place = 1, len(explained), 0
    while place < num_rows:
        if on_progress is not None:
            on_progress(place / num_rows)
        started_s = time.perf_counter()
        own = shapley(
            mixed_of(predict, explained, place, behind),
            num_columns=num_columns,
            num_background=num_background,
            num_rounds=num_rounds,
            seed=seed + place,
        )
        seconds = time.perf_counter() - started_s
        if place == 0 and num_rounds == 1:
            num_rows = int(np.clip(budget_s / seconds, min(MIN_ROWS, len(explained)), len(explained)))
            spare = budget_s / (seconds * num_rows)
            if spare >= 2 and num_columns > 2:
                num_rounds = min(MAX_ROUNDS, int(spare))
                continue  # the first one again, as well as the others
        found.append(own.values_CK)
        base_K = own.base_K
        place += 1
    return RowContributions(np.stack(found), base_K, num_background)


def mixed_of(predict: Predict, table: Table, place: int, background: Table) -> Mixed:
    """The model as a function of which cells are a row's own and which a background row's.

    Args:
        predict: the model.
        table: holds the row.
        place: of the row.
        background: the others.
    """
    of_kind = {
        kind: np.array([i for i, column in enumerate(table.columns) if column.kind is kind], dtype=np.intp)
        for kind in ColumnKind
    }

    def mixed(is_own_NC: NDArray[np.bool_], background_N: NDArray[np.intp]) -> NDArray[np.float64]:
        rows = background.take(background_N)
        for kind, columns in of_kind.items():
            if len(columns):
                own_1 = table.array(kind)[place : place + 1]
                rows = rows.with_array(kind, np.where(is_own_NC[:, columns], own_1, rows.array(kind)))
        return predict(rows).astype(np.float64)

    return mixed


def _rows_per_s(predict: Predict, background: Table) -> float:
    """How many rows a second the model answers when it is asked of many at once."""
    many = background.take(np.arange(max(200, len(background))) % len(background))
    predict(many)
    started_s = time.perf_counter()
    predict(many)
    return len(many) / max(1e-9, time.perf_counter() - started_s)

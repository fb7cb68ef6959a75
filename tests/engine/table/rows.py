"""Tables made by code, with columns of every kind and cells that are missing, for whatever learns from rows."""

from __future__ import annotations

import numpy as np

from automl.contracts.artefact import RowColumn
from automl.contracts.table import ColumnKind
from engine.models import family_spec
from engine.table.table import Deadline, RowTask, Table
from runtime.cells import MISSING_TIME

COLUMNS = (
    RowColumn(name="weight", kind=ColumnKind.NUMBER),
    RowColumn(name="city", kind=ColumnKind.CATEGORY),
    RowColumn(name="income", kind=ColumnKind.NUMBER),
    RowColumn(name="seen", kind=ColumnKind.DATETIME),
    RowColumn(name="tag", kind=ColumnKind.CATEGORY),
    RowColumn(name="note", kind=ColumnKind.TEXT),
)
_CITIES = ("Oslo", "Wien", "Bern", "北京", "")
_BRIEF = {"table_ensemble": {"num_folds": 1}}
"""Values that spare time where a family would take as much as it is given."""
_WORDS = ("good", "poor", "late", "Fast", "好", "慢")


def made_table(num_rows, *, seed=0, missing=0.1):
    """A table, and a number for each row that hangs on every kind of column."""
    rng = np.random.default_rng(seed)
    numbers = np.stack([rng.normal(size=num_rows), np.exp(2 * rng.normal(size=num_rows))], axis=1).astype(np.float32)
    cities = rng.integers(len(_CITIES), size=num_rows)
    seconds = rng.integers(-(10**9), 10**9, size=(num_rows, 1))
    words = [rng.choice(_WORDS, size=rng.integers(1, 5)).tolist() for _ in range(num_rows)]
    score = 1.5 * numbers[:, 0] + np.log(numbers[:, 1]) / 2 + (cities % 3 == 0) + np.array(["good" in each for each in words])
    score = score + (seconds[:, 0] > 0) + rng.normal(size=num_rows) / 5
    numbers[rng.random(numbers.shape) < missing] = np.nan
    seconds[rng.random(seconds.shape) < missing] = MISSING_TIME
    tags = [f"t{number}" for number in rng.integers(max(2, num_rows // 3), size=num_rows)]
    categories = np.array([[_CITIES[city], tag] for city, tag in zip(cities, tags, strict=True)], dtype=object)
    texts = np.array([[" ".join(each)] for each in words], dtype=object)
    return Table(COLUMNS, numbers, seconds, categories.reshape(-1, 2), texts.reshape(-1, 1)), score


def targets_of(score, num_labels):
    """Numbers, or the index of the quantile as a label."""
    if num_labels == 0:
        return score.astype(np.float64)
    return np.searchsorted(np.quantile(score, np.arange(1, num_labels) / num_labels), score).astype(np.int64)


def row_task(family, num_labels, *, num_rows, seed=0, report=None, deadline=None, params=None):
    """What a family is asked to fit: the first of the rows train, a third as many validate."""
    spec = family_spec(family)
    table, score = made_table(num_rows + max(2, num_rows // 3), seed=seed)
    targets = targets_of(score, num_labels)
    return RowTask(
        train=table.take(slice(num_rows)),
        targets_N=targets[:num_rows],
        validation=table.take(slice(num_rows, None)),
        validation_targets_N=targets[num_rows:],
        num_labels=num_labels,
        params={param.name: param.default for param in spec.params} | _BRIEF.get(family, {}) | dict(params or {}),
        max_rows=spec.sizes[0].max_rows,
        deadline=deadline or Deadline.after(None),
        seed=seed,
        num_threads=1,
        report=report or (lambda fraction, values: None),
    )

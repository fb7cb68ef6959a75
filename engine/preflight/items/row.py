"""Rows of a table: what its profile warns of, on as many rows as take a few seconds."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyarrow as pa

from automl.contracts.dataset import Split
from automl.contracts.table import ColumnWarning, WarningCode
from automl.contracts.task import Problem, Severity
from automl.contracts.words import Words
from engine.job import Job
from engine.preflight.items.kind import Looked
from engine.preflight.part import VersionItems
from engine.table.profile import RowTargets, table_profile
from engine.table.reader import CellRows, read_cells
from engine.tasks import task_part

words = Words(__file__)

MOST_ROWS = 5_000


class Rows:
    """See ``FaultKind``."""

    def look(self, items: VersionItems, job: Job, *, time_s: float) -> Looked:
        """See ``FaultKind``; the number of rows keeps to the time."""
        del time_s
        schema = items.version.manifest.columns
        if schema is None or not schema.columns or not len(items):
            return Looked((), 0)
        rows = read_cells(items.version)
        rows = rows.take(np.unique(np.linspace(0, len(rows) - 1, min(MOST_ROWS, len(rows))).astype(np.intp)))
        profile = table_profile(
            schema,
            rows.cells,
            is_held_back_N=rows.splits != Split.TRAIN.value,
            targets=_targets(items, rows),
            seed=job.spec.seed,
            on_progress=lambda _done, _total: job.control.raise_if_stopped(),
        )
        return Looked(tuple(_problems(profile.warnings)), len(rows))


def _targets(items: VersionItems, rows: CellRows) -> RowTargets | None:
    """The labels or numbers that the rows carry; None where they carry none."""
    labels = task_part(items.version.manifest.task, "data").labels_of(items.version.manifest)
    if labels:
        indices_N = rows.label_indices(labels)
        return RowTargets(pa.array([None if place < 0 else labels[place] for place in indices_N], pa.string()), None)
    values_N = rows.values()
    return None if np.isnan(values_N).all() else RowTargets(None, values_N)


def _problems(warnings: tuple[ColumnWarning, ...]) -> Iterator[Problem]:
    for warning in warnings:
        if warning.code in _LEFT_TO_OTHERS:
            continue
        column = warning.column or ""
        share = f"{100 * (warning.share or 0.0):.3g} %"
        values = {"column": column, "other": warning.other or "", "value": warning.value or "", "share": share}
        yield Problem(
            code=warning.code.value,
            severity=Severity.ADVISORY,
            field=warning.column,
            message=words(f"row.{warning.code.value}", **values),
            remedy=words(f"row.{warning.code.value}.remedy", **values),
        )


_LEFT_TO_OTHERS = frozenset({WarningCode.RARE_CLASS, WarningCode.IMBALANCED_TARGET})
"""The task's checker says the same of all rows."""

KIND = Rows()

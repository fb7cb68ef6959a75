"""Asks a model about rows, altered as the model reads them."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from automl.contracts.artefact import MODEL_FILE, ArtefactManifest, RowDecode
from automl.contracts.table import ColumnKind
from engine.artefact.rows import RowSession
from engine.data.version import DatasetVersion
from engine.errors import DataInvalidError
from engine.job import Job
from engine.robustness.alteration import Alter
from engine.robustness.items.kind import Example, Questions, Span, places_drawn
from engine.robustness.items.row.alterations import alterations
from engine.table.reader import read_rows
from engine.table.table import Table
from engine.training.rows.data import RowRecords, targets_of
from runtime.cells import MISSING_TIME

MOST_ROWS = 2_000
_NUM_DRAWS = 5
_EXAMPLE_CELLS = 3


class Rows:
    """See ``AlterationsKind``."""

    def questions(self, job: Job, folder: Path, manifest: ArtefactManifest, version: DatasetVersion) -> Questions:
        """See ``AlterationsKind``."""
        decode = manifest.decode
        assert isinstance(decode, RowDecode)  # as its kind says
        own = read_rows(version, decode.columns)[job.spec.split]
        if not len(own):
            raise DataInvalidError(f"The version has no items in the split {job.spec.split}.")
        places = places_drawn(len(own), MOST_ROWS)
        rows, table = own.rows.take(places), own.table.take(places)
        session = RowSession(folder / MODEL_FILE, num_threads=job.spec.limits.num_threads)

        def asked(alter: Alter | None, generator: np.random.Generator, span: Span) -> NDArray[Any]:
            def on_progress(share: float) -> None:
                job.control.raise_if_stopped()
                job.progress("evaluate", span[0] + (span[1] - span[0]) * share)

            return session.run(table if alter is None else alter(table, generator), on_progress=on_progress)

        def example(alter: Alter | None) -> Example:
            return Example() if alter is None else Example(text=_changes(table, alter(table, np.random.default_rng(0))))

        targets = targets_of(rows, manifest.label_set.names)
        changing = alterations(table)
        return Questions(RowRecords(rows), len(own), targets, changing, num_draws=_NUM_DRAWS, answers=asked, example=example)


def _changes(before: Table, after: Table) -> str:
    """The first cells that were changed, of the first row that was."""
    for row in range(len(before)):
        cells = zip(_cells(before, row), _cells(after, row), strict=True)
        changes = [f"{name}: {was} → {became}" for (name, was), (_, became) in cells if was != became]
        if changes:
            return "\n".join(changes[:_EXAMPLE_CELLS])
    return ""


def _cells(table: Table, row: int) -> list[tuple[str, str]]:
    """Names of the columns and what stands in them."""
    return [
        (column.name, _shown(kind, cell))
        for kind in ColumnKind
        for column, cell in zip(table.of_kind(kind), table.array(kind)[row], strict=True)
    ]


def _shown(kind: ColumnKind, cell: Any) -> str:
    if kind is ColumnKind.NUMBER:
        return "–" if np.isnan(cell) else f"{cell:.4g}"
    if kind is ColumnKind.DATETIME:
        return "–" if cell == MISSING_TIME else datetime.fromtimestamp(int(cell), UTC).date().isoformat()
    return str(cell) or "–"

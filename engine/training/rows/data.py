"""What a model of rows is trained on: the version, checked, its columns, its rows by split and their targets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast, overload

import numpy as np
from numpy.typing import NDArray

from automl.contracts.annotation import Annotation
from automl.contracts.artefact import RowColumn
from automl.contracts.dataset import ItemRecord, MediaFacts, Split
from automl.contracts.table import TableSchema
from automl.contracts.task import Problem
from engine.data.version import DatasetVersion
from engine.errors import DataInvalidError
from engine.job import Job
from engine.models.shared.rows import joined
from engine.table.columns import row_columns, spelled
from engine.table.reader import CellRows, SplitRows, read_rows
from engine.table.table import Table
from engine.tasks import task_part
from engine.training.config import TrainingRequest, training_request
from engine.training.prepare import raise_if_blocked, version_of

_ROW = MediaFacts(format="row", size_bytes=0, num_cells=0)


@dataclass(frozen=True)
class PreparedRows(TrainingRequest):
    """The material of one trial."""

    version: DatasetVersion
    labels: tuple[str, ...]
    """Names in the order of the answers; none where a number is predicted."""
    columns: tuple[RowColumn, ...]
    rows: Mapping[Split, SplitRows]
    targets: Mapping[Split, NDArray]
    """Indices of labels (int64) or numbers (float64)."""

    @property
    def options(self) -> Mapping[str, str]:
        """The task's options."""
        return self.version.manifest.task_options

    @property
    def target(self) -> str:
        """Name of the column that is predicted."""
        column = (self.version.manifest.columns or TableSchema()).target
        assert column is not None  # the checker has seen to it
        return column.name

    def table(self, split: Split) -> Table:
        """The rows of a split as the model takes them."""
        return self.rows[split].table


@dataclass(slots=True)
class _RecordColumns:
    """What a walk over many rows looks at; whole records would take ten times as long."""

    item: str
    split: Split
    annotations: tuple[Annotation, ...]
    media: MediaFacts = _ROW

    @property
    def name(self) -> str:
        return self.item


class RowRecords(Sequence[ItemRecord]):
    """Rows as records, made when they are asked for: most are only counted. What nobody asks of a row is left blank."""

    def __init__(self, rows: CellRows):
        self._rows = rows

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[ItemRecord]:
        """All rows, with item, name, kind, split and annotations alone."""
        splits = {split.value: split for split in Split}
        rows = zip(self._rows.items.tolist(), self._rows.splits.tolist(), self._rows.all_annotations(), strict=True)
        return (cast("ItemRecord", _RecordColumns(item, splits[split], annotations)) for item, split, annotations in rows)

    @overload
    def __getitem__(self, place: int) -> ItemRecord: ...
    @overload
    def __getitem__(self, place: slice) -> list[ItemRecord]: ...
    def __getitem__(self, place: int | slice) -> ItemRecord | list[ItemRecord]:
        """One row, or several."""
        if isinstance(place, slice):
            return [self[each] for each in range(*place.indices(len(self)))]
        if not 0 <= place < len(self):
            raise IndexError(place)
        item = str(self._rows.items[place])
        return ItemRecord.model_construct(
            item=item,
            name=item,
            blob="",
            media=_ROW,
            split=Split(self._rows.splits[place]),
            group="",
            annotations=self._rows.annotations(place),
            provenance="",
        )


def prepare(job: Job) -> PreparedRows:
    """Reads and checks everything that training needs.

    Raises:
        JobInvalidError: the job asks for a task, family, size or value that is not there.
        DataInvalidError: the version has blocking problems.
        VersionDamagedError: the folder is no version of a table.
    """
    job.progress("load", 0.0)
    request = training_request(job)
    task = request.task
    version = version_of(job, task.name)
    manifest = version.manifest
    rows = read_rows(version)
    labels: tuple[str, ...] = task_part(task.name, "data").labels_of(manifest)
    if job.refuses_problems:
        raise_if_blocked(problems_of(version, rows))
    seen = rows[Split.TRAIN].table
    if request.params.get("learns_validation"):
        seen = joined(seen, rows[Split.VALIDATION].table)
    columns = row_columns(manifest.columns or TableSchema(), seen)
    rows = {split: replace(own, table=spelled(own.table, columns)) for split, own in rows.items()}
    return PreparedRows(
        **vars(request),
        version=version,
        labels=labels,
        columns=columns,
        rows=rows,
        targets={split: targets_of(own.rows, labels) for split, own in rows.items()},
    )


def problems_of(version: DatasetVersion, rows: Mapping[Split, SplitRows]) -> list[Problem]:
    """What the task's checker finds in the rows of a version."""
    manifest = version.manifest
    records = (record for own in rows.values() for record in RowRecords(own.rows))
    found: list[Problem] = task_part(manifest.task, "check").problems(
        records, manifest.label_set, manifest.task_options, columns=manifest.columns
    )
    return found


def targets_of(rows: CellRows, labels: Sequence[str]) -> NDArray:
    """What a model should answer: indices of labels, or numbers where there are no labels, ``_N``.

    Raises:
        DataInvalidError: a row carries none of the labels, or no number.
    """
    targets_N = rows.label_indices(labels) if labels else rows.values()
    is_wrong_N = targets_N < 0 if labels else np.isnan(targets_N)
    if is_wrong_N.any():
        items = tuple(str(item) for item in rows.items[is_wrong_N][:100])
        what = "none of the labels" if labels else "no number"
        raise DataInvalidError(f"{int(is_wrong_N.sum())} rows carry {what}.", items=items)
    return targets_N

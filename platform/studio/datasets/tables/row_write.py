"""Writes rows of tables into a dataset: as items where they are none yet, labelled by the dataset's target."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.utils import timezone

from automl.contracts.annotation import Annotations
from automl.contracts.dataset import Split, split_of_group
from studio.common.events import event_record
from studio.common.ids import new_id
from studio.common.sql import dialect
from studio.datasets.files.formats import LabelFileProblem
from studio.datasets.files.rows import WrittenRow
from studio.datasets.hooks import annotations_changed
from studio.datasets.items.annotations import AnnotationRow, ItemAnnotations, annotation_rows_write, labels_named
from studio.datasets.items.announced import upload_kept
from studio.datasets.items.label_set import labels_extend
from studio.datasets.items.shares import dataset_shares
from studio.datasets.items.table_schema import schema_of
from studio.datasets.models import Dataset, SplitSource, Upload
from studio.datasets.tables.bulk_rows import NewRow, StoredRow, rows_insert, rows_restore, rows_stored
from studio.datasets.tables.columns import dataset_lock
from studio.datasets.tables.target import TargetReader, target_reader

MOST_S = 0.1
"""A transaction of SQLite may hold the one lock for about so long."""
LEAST_ROWS = 100
MOST_ROWS = 2_000


@dataclass
class RowCounts:
    """What tables have brought."""

    items: int = 0
    duplicates: int = 0
    labelled: int = 0


@dataclass(frozen=True)
class IncomingRow:
    """A row that is being imported."""

    name: str
    row: WrittenRow
    split: Split | None
    target: str = ""
    """What the file says of the target, in place of the cell."""


@dataclass
class BatchSizer:
    """How many rows a transaction has where only one may write: people who label beside it wait for the whole of it."""

    size: int = 500

    def parts(self, rows: Sequence[IncomingRow]) -> Iterator[Sequence[IncomingRow]]:
        """Parts of the rows, each written while the next is waited for; where many may write all of them at once."""
        if not dialect().has_one_writer:
            yield rows
            return
        start = 0
        while start < len(rows):
            part = rows[start : start + self.size]
            began = time.perf_counter()
            yield part
            took_s = time.perf_counter() - began
            start += len(part)
            self.size = round(min(max(self.size * MOST_S / max(took_s, 1e-3), LEAST_ROWS), MOST_ROWS, 2 * self.size))
            # Nobody queues for SQLite's lock: others ask again and again, so it must be free for a while.
            time.sleep(min(took_s / 3, MOST_S))


@dataclass(frozen=True)
class RowWriter:
    """Writes the rows of an upload in short transactions, and adds to what it has brought."""

    upload: Upload
    counts: RowCounts
    complain: Callable[[LabelFileProblem], None]
    sizer: BatchSizer = field(default_factory=BatchSizer)

    def write(self, rows: Sequence[IncomingRow]) -> None:
        """Makes items of rows that are none yet, restores those that were deleted, and labels both.

        Raises:
            StorageQuotaError, ItemsQuotaError: they are more than a quota of the workspace holds; parts before them stay.
        """
        for part in self.sizer.parts(rows):
            self._write(part)

    def _write(self, rows: Sequence[IncomingRow]) -> None:
        with upload_kept(self.upload):
            dataset = dataset_lock(self.upload.dataset)
            dataset.project = self.upload.dataset.project
            reader = target_reader(dataset.project, schema_of(dataset))
            stored = rows_stored(dataset.id, [one.row.blob for one in rows])
            rows_restore([row.item for row in stored.values() if not row.is_living])
            by_blob = {one.row.blob: self._annotations(one, reader) for one in rows}
            labels_extend(
                project=dataset.project,
                names=labels_named({id(annotations): annotations for annotations in by_blob.values()}.values()),
            )
            fresh: dict[str, IncomingRow] = {}
            again: list[IncomingRow] = []
            for one in rows:
                if one.row.blob in stored or one.row.blob in fresh:
                    again.append(one)
                else:
                    fresh[one.row.blob] = one
            at = timezone.now()
            made = rows_insert(self._new(dataset, fresh, by_blob, at))
            num_labelled = sum(by_blob[blob] is not None for blob in made)
            num_labelled += self._label_again(again, stored, by_blob, at)
            num_own = sum(self._is_own(one, stored) for one in again)
            self.counts.items += len(made) + num_own
            self.counts.duplicates += len(rows) - len(made) - num_own
            self.counts.labelled += num_labelled
            self._record(dataset, num_new=len(made), num_labelled=num_labelled)

    def _annotations(self, one: IncomingRow, reader: TargetReader) -> ItemAnnotations:
        value = reader.of_cell(one.target) if one.target else reader.of_text(one.row.text)
        if value.trouble is not None:
            self.complain(LabelFileProblem(one.name, value.trouble))
        return value.annotations

    def _new(
        self, dataset: Dataset, fresh: Mapping[str, IncomingRow], by_blob: Mapping[str, ItemAnnotations], at: datetime
    ) -> list[NewRow]:
        shares, provenance = dataset_shares(dataset), f"import:{self.upload.id}"
        dumped: dict[int, str] = {}
        rows = []
        for blob, one in fresh.items():
            annotations = by_blob[blob]
            if annotations is not None and id(annotations) not in dumped:
                dumped[id(annotations)] = Annotations.dump_json(annotations).decode()
            rows.append(
                NewRow(
                    item=new_id("itm"),
                    dataset=dataset.id,
                    upload=self.upload.id,
                    name=one.name,
                    blob=blob,
                    text=one.row.text,
                    size_bytes=one.row.size_bytes,
                    split=(one.split or split_of_group(blob, shares)).value,
                    split_by=None if one.split is None else SplitSource.IMPORT.value,
                    annotations=None if annotations is None else dumped[id(annotations)],
                    labels=() if annotations is None else tuple(labels_named([annotations])),
                    provenance="" if annotations is None else provenance,
                    at=at,
                )
            )
        return rows

    def _label_again(
        self,
        again: Sequence[IncomingRow],
        stored: Mapping[str, StoredRow],
        by_blob: Mapping[str, ItemAnnotations],
        at: datetime,
    ) -> int:
        """Labels rows that were there without a label; existing annotations stay. Returns how many."""
        annotation_rows: dict[str, AnnotationRow] = {}
        for one in again:
            row, annotations = stored.get(one.row.blob), by_blob[one.row.blob]
            if row is None or annotations is None:
                continue
            if row.annotations is None:
                annotation_rows[row.item] = AnnotationRow(
                    row.item, self.upload.dataset_id, True, (), annotations, f"import:{self.upload.id}"
                )
            elif Annotations.validate_json(row.annotations) != annotations:
                self.complain(LabelFileProblem(one.name, "label_kept"))
        annotation_rows_write(rows=list(annotation_rows.values()), at=at)
        return len(annotation_rows)

    def _is_own(self, one: IncomingRow, stored: Mapping[str, StoredRow]) -> bool:
        """After a crash the same upload meets its own rows again: they are still its news."""
        row = stored.get(one.row.blob)
        return row is not None and row.upload == self.upload.id and row.name == one.name

    def _record(self, dataset: Dataset, *, num_new: int, num_labelled: int) -> None:
        if num_labelled:
            annotations_changed({dataset.id})
        if num_new:
            event_record(
                workspace=dataset.project.workspace_id,
                project=dataset.project_id,
                type="item.ingested",
                subject=dataset.id,
                data={"num_items": num_new},
            )

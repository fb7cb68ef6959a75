"""The ingest job: walks what was uploaded and makes items and labels of it.

Runs in a worker, in the platform's own process: it needs the database and no torch. Killed at any point it starts again from
the beginning; what became an item already is recognised by its hash, and the list of refused files is written anew.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from django.utils import timezone

from studio.common.blobs import blobs
from studio.datasets.files.archive import ArchiveKind, archive_kind
from studio.datasets.files.formats import LabelFileProblem, ParsedLabels
from studio.datasets.files.limits import MIB
from studio.datasets.files.safe_names import name_show
from studio.datasets.items.annotations import labels_named
from studio.datasets.items.creation import item_ingest
from studio.datasets.items.incoming import IncomingFile
from studio.datasets.items.kinds import kind_of
from studio.datasets.items.label_set import labels_extend
from studio.datasets.models import Item, Reject, SplitSource, Upload, UploadState
from studio.datasets.tables.row_ingest import RowIngest
from studio.datasets.uploads.entries import ReadEntry, upload_archive_kind, upload_entries, upload_name
from studio.datasets.uploads.label_files import LabelFilter, Labels, upload_labels
from studio.datasets.uploads.label_import import labels_import
from studio.datasets.uploads.prediction_import import predictions_import
from studio.datasets.uploads.services import upload_release
from studio.datasets.versions.splits import validation_settle

BATCH_BYTES = 48 * MIB

Report = Callable[[float, float | None], None]
"""Called with the fraction done (0..1) and the seconds that remain."""


def upload_ingest(*, upload: Upload, report: Report) -> None:
    """Reads a sealed upload to its end. Repeating it is harmless."""
    if upload.state == UploadState.DONE:
        return
    path = blobs().local_path(upload.blob)
    kind = upload_archive_kind(path, upload)
    run = IngestRun(upload=upload, report=report)
    if kind_of(upload.dataset.project).has_columns:
        run.take_tables(path, upload_name(upload), kind)
        run.settle()
        run.finish()
        upload_release(upload=upload)
        return
    with TemporaryDirectory(prefix="labels-") as folder:
        labels = upload_labels(path, kind, upload=upload, folder=Path(folder))
        if labels is not None:
            run.take_labels(labels)
        run.take(upload_entries(path, kind, labels, upload=upload))
        if labels is not None:
            run.propose(labels.reading)
    run.settle()
    run.finish()
    upload_release(upload=upload)


class IngestRun:
    """One attempt at an upload: gathers files into batches and keeps count."""

    def __init__(self, *, upload: Upload, report: Report) -> None:
        self._upload = upload
        self._project = upload.dataset.project
        self._taker = LabelFilter.of(self._project)
        self._kind = kind_of(self._project)
        self._described: ParsedLabels = ParsedLabels()
        self._report = report
        self._started = time.monotonic()
        self._consumed = 0
        self._batch: list[IncomingFile] = []
        self._rejects: list[LabelFileProblem] = []
        self._num_items = self._num_duplicates = self._num_labelled = 0
        Reject.objects.filter(upload=upload).delete()

    def take(self, entries: Iterable[ReadEntry]) -> None:
        """Makes items of everything found."""
        consumed, batch_bytes = self._consumed, 0
        for one in entries:
            consumed = one.consumed_bytes
            if isinstance(one.file, LabelFileProblem):
                self._rejects.append(one.file)
            elif self._kind.has_columns:
                self._take_table(one.file)
            else:
                self._batch.append(self._checked(one.file))
                batch_bytes += len(one.file.data)
            num_waiting = max(len(self._batch), len(self._rejects))
            if num_waiting >= self._kind.files_at_once or batch_bytes >= BATCH_BYTES:
                self._flush(consumed)
                batch_bytes = 0
        self._flush(consumed)

    def take_tables(self, path: Path, name: str, kind: ArchiveKind | None) -> None:
        """Makes items of the rows of a table, or of those of an archive."""
        rows = RowIngest(self._upload, report=self._report_fraction, complain=self._rejects.append)
        rows.take(path, name, kind)
        self._num_items += rows.counts.items
        self._num_duplicates += rows.counts.duplicates
        self._num_labelled += rows.counts.labelled
        self._list_rejects()

    def _take_table(self, file: IncomingFile) -> None:
        """A table that came from elsewhere, in memory."""
        with TemporaryDirectory(prefix="table-") as folder:
            path = Path(folder) / "table"
            path.write_bytes(file.data)
            self.take_tables(path, file.name, None if file.name.lower().endswith(".xlsx") else archive_kind(path))

    def take_labels(self, labels: Labels) -> None:
        """Reads the label files; annotations of items that exist already are written at once."""
        self._described = labels.reading
        self._rejects += labels.reading.complaints
        if labels.is_for_items:
            within = {one[0] for one in labels.reading.contents if not isinstance(one, LabelFileProblem)}
            of_items = {name: annotations for name, annotations in labels.reading.annotations.items() if name not in within}
            reading = replace(labels.reading, annotations=of_items)
            for done, total in labels_import(upload=self._upload, reading=reading, complain=self._rejects.append):
                self._num_labelled = done
                self._report(done / max(total, 1), None)
        self._flush(0)

    def propose(self, reading: ParsedLabels) -> None:
        """Passes predictions for new or existing items on as suggestions."""
        predictions_import(upload=self._upload, reading=reading, complain=self._rejects.append)
        self._flush(self._consumed)

    def settle(self) -> None:
        """Carves a validation part when the files name none, and notes it."""
        num_returned = validation_settle(dataset=self._upload.dataset).num_returned
        num_carved = Item.objects.filter(upload=self._upload, split_by=SplitSource.CARVED, deleted_at=None).count()
        if num_carved:
            self._rejects.append(LabelFileProblem(f"train → validation (× {num_carved})", "validation_carved"))
        if num_returned:
            self._rejects.append(LabelFileProblem(f"validation → train (× {num_returned})", "validation_returned"))
        self._flush(0)

    def finish(self) -> None:
        """Writes down what the upload has brought."""
        upload = self._upload
        upload.state = UploadState.DONE
        upload.ended_at = timezone.now()
        upload.num_items, upload.num_duplicates = self._num_items, self._num_duplicates
        upload.num_labelled = self._num_labelled
        upload.save(update_fields=["state", "ended_at", "num_items", "num_duplicates", "num_labelled"])

    def _checked(self, file: IncomingFile) -> IncomingFile:
        annotations, complaints = self._taker.allowed(file.annotations, file.name)
        self._rejects += complaints
        return replace(file, annotations=annotations) if complaints else file

    def _flush(self, consumed_bytes: int) -> None:
        files, self._batch = self._batch, []
        if files:
            results = item_ingest(
                dataset=self._upload.dataset, upload=self._upload, files=files, takes_several=self._taker.takes_several
            )
            labelled = [file.annotations for file, result in zip(files, results, strict=True) if result.is_labelled]
            labels_extend(project=self._project, names=labels_named(labelled), described=self._described.labels)
            self._num_items += sum(result.state == "new" for result in results)
            self._num_duplicates += sum(result.state == "duplicate" for result in results)
            self._num_labelled += len(labelled)
            self._rejects += [LabelFileProblem(result.name, result.code) for result in results if result.code is not None]
        self._list_rejects()
        self._report_bytes(consumed_bytes)

    def _list_rejects(self) -> None:
        rows = [Reject(upload=self._upload, name=name_show(one.name), code=one.code) for one in self._rejects]
        Reject.objects.bulk_create(rows)
        self._rejects.clear()

    def _report_fraction(self, fraction: float) -> None:
        self._list_rejects()
        self._report_bytes(round(fraction * self._upload.size_bytes))

    def _report_bytes(self, consumed_bytes: int) -> None:
        self._consumed = consumed_bytes = max(consumed_bytes, self._consumed)
        fraction = min(consumed_bytes / max(self._upload.size_bytes, 1), 1.0)
        elapsed_s = time.monotonic() - self._started
        self._report(fraction, elapsed_s / fraction * (1 - fraction) if fraction > 0.01 else None)

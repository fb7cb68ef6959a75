"""The ingest job: walks what was uploaded and makes items and labels of it.

Runs in a worker, in the platform's own process: it needs the database and no torch. Killed at any point it starts again from
the beginning; what became an item already is recognised by its hash, and the list of refused files is written anew.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from django.utils import timezone

from automl.contracts.annotation import ClassLabel
from studio.common.blobs import blobs
from studio.datasets.annotations import Said, labels_named
from studio.datasets.archive import ArchiveKind, Fault, archive_kind, archive_names, archive_walk
from studio.datasets.formats import Complaint, format_load
from studio.datasets.items import Incoming, item_ingest
from studio.datasets.label_import import labels_import
from studio.datasets.label_set import labels_extend, takes_several
from studio.datasets.limits import LIMITS, MIB
from studio.datasets.models import LabelSource, Reject, Upload, UploadKind, UploadState
from studio.datasets.naming import name_show
from studio.datasets.uploads import upload_release

BATCH_FILES = 64
BATCH_BYTES = 48 * MIB
FORMATS = {LabelSource.FOLDER: "image_folder", LabelSource.CSV: "csv_labels"}

Report = Callable[[float, float | None], None]
"""Told the fraction done (0..1) and the seconds that remain."""


@dataclass(frozen=True)
class Found:
    """A file, or why there is none, and how much of the upload has been read."""

    file: Incoming | Complaint
    consumed_bytes: int


def upload_ingest(*, upload: Upload, report: Report) -> None:
    """Reads a sealed upload to its end. Repeating it is harmless."""
    if upload.state == UploadState.DONE:
        return
    path = blobs().local_path(upload.blob)
    kind = archive_kind(path)
    run = IngestRun(upload=upload, report=report)
    if kind is not None:
        run.take(_from_archive(path, kind, upload))
    elif upload.kind == UploadKind.ARCHIVE:
        run.take([Found(Complaint(upload.name, "archive_unknown"), 0)])
    elif upload.kind == UploadKind.LABELS_CSV:
        run.take_table(path.read_bytes())
    else:
        run.take([_from_file(path, upload)])
    run.finish()
    upload_release(upload=upload)


class IngestRun:
    """One attempt at an upload: gathers files into batches and keeps count."""

    def __init__(self, *, upload: Upload, report: Report) -> None:
        self._upload = upload
        self._project = upload.dataset.project
        self._several = takes_several(self._project)
        self._report = report
        self._started = time.monotonic()
        self._batch: list[Incoming] = []
        self._rejects: list[Complaint] = []
        self._num_items = self._num_duplicates = self._num_labelled = 0
        Reject.objects.filter(upload=upload).delete()

    def take(self, found: Iterable[Found]) -> None:
        """Makes items of everything found."""
        consumed = batch_bytes = 0
        for one in found:
            consumed = one.consumed_bytes
            if isinstance(one.file, Complaint):
                self._rejects.append(one.file)
            else:
                self._batch.append(self._checked(one.file))
                batch_bytes += len(one.file.data)
            if len(self._batch) >= BATCH_FILES or batch_bytes >= BATCH_BYTES or len(self._rejects) >= BATCH_FILES:
                self._flush(consumed)
                batch_bytes = 0
        self._flush(consumed)

    def take_table(self, data: bytes) -> None:
        """Reads a table of labels for items that are there already."""
        for done, total in labels_import(upload=self._upload, data=data, several=self._several, complain=self._rejects.append):
            self._num_labelled = done
            self._report(done / max(total, 1), None)
        self._flush(0)

    def finish(self) -> None:
        """Writes down what the upload has brought."""
        upload = self._upload
        upload.state = UploadState.DONE
        upload.ended_at = timezone.now()
        upload.num_items, upload.num_duplicates = self._num_items, self._num_duplicates
        upload.num_labelled = self._num_labelled
        upload.save(update_fields=["state", "ended_at", "num_items", "num_duplicates", "num_labelled"])

    def _checked(self, file: Incoming) -> Incoming:
        if file.said is not None and len(file.said) > 1 and not self._several:
            self._rejects.append(Complaint(file.name, "too_many_labels"))
            return Incoming(file.name, file.data)
        return file

    def _flush(self, consumed_bytes: int) -> None:
        files, self._batch = self._batch, []
        if files:
            results = item_ingest(dataset=self._upload.dataset, upload=self._upload, files=files, takes_several=self._several)
            taken = [file.said for file, result in zip(files, results, strict=True) if result.is_labelled]
            labels_extend(project=self._project, names=labels_named(taken))
            self._num_items += sum(result.state == "new" for result in results)
            self._num_duplicates += sum(result.state == "duplicate" for result in results)
            self._num_labelled += len(taken)
            self._rejects += [Complaint(result.name, result.code) for result in results if result.code is not None]
        rows = [Reject(upload=self._upload, name=name_show(one.name), code=one.code) for one in self._rejects]
        Reject.objects.bulk_create(rows)
        self._rejects = []
        self._tell(consumed_bytes)

    def _tell(self, consumed_bytes: int) -> None:
        fraction = min(consumed_bytes / max(self._upload.size_bytes, 1), 1.0)
        elapsed_s = time.monotonic() - self._started
        self._report(fraction, elapsed_s / fraction * (1 - fraction) if fraction > 0.01 else None)


def _from_archive(path: Path, kind: ArchiveKind, upload: Upload) -> Iterator[Found]:
    """Reads the labels first: which folder is the root shows only when all names are known."""
    said: dict[str, Said] = {}
    label_files: frozenset[str] = frozenset()
    if upload.labels != LabelSource.NONE:
        form = format_load(FORMATS[LabelSource(upload.labels)])
        names = archive_names(path, kind)
        label_files = frozenset(name for name in names if form.is_label_file(name))
        walk = archive_walk(path, kind, wanted=label_files.__contains__) if label_files else ()
        tables = {one.name: one.data for one in walk if not isinstance(one, Fault)}
        reading = form.read([name for name in names if name not in label_files], tables)
        said.update(reading.annotations)
        yield from (Found(complaint, 0) for complaint in reading.complaints)
    consumed = 0
    for entry in archive_walk(path, kind, wanted=lambda name: name not in label_files, title=upload.name):
        if isinstance(entry, Fault):
            yield Found(Complaint(entry.name, entry.code), consumed)
        else:
            consumed = entry.consumed_bytes
            yield Found(Incoming(entry.name, entry.data, said.get(entry.name)), consumed)


def _from_file(path: Path, upload: Upload) -> Found:
    name = upload.relative_path or upload.name
    size_bytes = path.stat().st_size
    if size_bytes > LIMITS.max_file_bytes:
        return Found(Complaint(name, "file_too_large"), size_bytes)
    return Found(Incoming(name, path.read_bytes(), file_said(upload=upload, name=name)), size_bytes)


def file_said(*, upload: Upload, name: str) -> Said:
    """The label that a single file brings: the one named with it, or its first folder."""
    folder = name.split("/", maxsplit=1)[0].strip() if "/" in name and upload.labels == LabelSource.FOLDER else ""
    label = upload.label or folder
    return (ClassLabel(label=label),) if label else None

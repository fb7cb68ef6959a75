"""The files of an upload, one by one: those of an archive, those within label files, or the one that it is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain, islice
from pathlib import Path

from automl.contracts.annotation import ClassLabel
from studio.datasets.files.archive import ArchiveKind, Fault, archive_kind, archive_walk
from studio.datasets.files.formats import LabelFileProblem, ParsedLabels, TextWithFacts
from studio.datasets.files.limits import LIMITS
from studio.datasets.files.text import is_table
from studio.datasets.items.annotations import ItemAnnotations
from studio.datasets.items.facts import facts_usable
from studio.datasets.items.incoming import IncomingFile
from studio.datasets.items.kinds import kind_of
from studio.datasets.models import LabelSource, Upload, UploadKind
from studio.datasets.uploads.label_files import Labels


@dataclass(frozen=True)
class ReadEntry:
    """A file, or why there is none, and how much of the upload has been read."""

    file: IncomingFile | LabelFileProblem
    consumed_bytes: int


def upload_entries(
    path: Path, kind: ArchiveKind | None, labels: Labels | None, *, upload: Upload, skip: int = 0
) -> Iterator[ReadEntry]:
    """Reads the data of an upload, in the same order each time.

    Args:
        path: its bytes.
        kind: of the archive that it is; None of a single file.
        labels: what its label files say; those are no data. None: it is no label file.
        upload: what is known of it.
        skip: leaves out so many from the beginning, whose bytes are not read where that can be.
    """
    name, is_label_table = upload_name(upload), upload.kind == UploadKind.LABELS_CSV
    files: Iterable[ReadEntry] = ()
    if kind is not None and not is_label_table:
        files = _of_archive(path, kind, upload, labels or Labels(), skip)
    elif labels is None and is_table(name) and (why := kind_of(upload.dataset.project).unread_table):
        files = [ReadEntry(LabelFileProblem(name, why), 0)]
    elif labels is None and upload.kind == UploadKind.ARCHIVE:
        files = [ReadEntry(LabelFileProblem(upload.name, "archive_unknown"), 0)]
    elif labels is None:
        files = [_of_file(path, upload)]
    within = () if labels is None else _of_labels(labels.reading, upload, read_before=upload.size_bytes if files else 0)
    return islice(chain(files, within), skip, None)


def upload_archive_kind(path: Path, upload: Upload) -> ArchiveKind | None:
    """The archive that an upload is; a sheet of Excel is a zip, but no archive of items."""
    return None if upload_name(upload).lower().endswith(".xlsx") else archive_kind(path)


def upload_name(upload: Upload) -> str:
    """What a person knows the file by."""
    return upload.relative_path or upload.name


def file_annotations(*, upload: Upload, name: str) -> ItemAnnotations:
    """The label that a single file brings: the one named with it, or its first folder."""
    folder = name.split("/", maxsplit=1)[0].strip() if "/" in name and upload.labels == LabelSource.FOLDER else ""
    label = upload.label or folder
    return (ClassLabel(label=label),) if label else None


def _of_archive(path: Path, kind: ArchiveKind, upload: Upload, labels: Labels, skip: int) -> Iterator[ReadEntry]:
    """The archive's data; its label files were read before."""
    place = consumed = 0

    def is_needed(name: str) -> bool:
        return place >= skip and name not in labels.files

    for entry in archive_walk(path, kind, is_needed=is_needed, title=upload.name, with_skipped=True):
        if isinstance(entry, Fault):
            yield ReadEntry(LabelFileProblem(entry.name, entry.code), consumed)
        elif entry.name in labels.files:
            continue
        else:
            consumed = entry.consumed_bytes
            yield ReadEntry(_incoming(entry.name, entry.data, labels.reading), consumed)
        place += 1


def _of_labels(reading: ParsedLabels, upload: Upload, *, read_before: int) -> Iterator[ReadEntry]:
    """Data that lies within label files, of which ``read_before`` bytes come before it; what labels take is not counted."""
    consumed, num_left = read_before, 0
    for one in reading.contents:
        if isinstance(one, LabelFileProblem):
            yield ReadEntry(one, consumed)
        else:
            consumed = min(consumed + len(one[1]), upload.size_bytes)
            file = replace(_incoming(one[0], one[1], reading), is_row=True)
            if isinstance(one, TextWithFacts):
                facts, num_long = facts_usable(one.facts)
                file = replace(file, facts=facts)
                num_left += num_long
            yield ReadEntry(file, consumed)
    if num_left:
        yield ReadEntry(LabelFileProblem(f"{upload_name(upload)} (× {num_left})", "metadata_too_long"), consumed)


def _incoming(name: str, data: bytes, reading: ParsedLabels) -> IncomingFile:
    annotations, split = reading.annotations.get(name), reading.splits.get(name)
    return IncomingFile(name, data, annotations, split=split, is_relative=reading.is_relative)


def _of_file(path: Path, upload: Upload) -> ReadEntry:
    name = upload_name(upload)
    size_bytes = path.stat().st_size
    if size_bytes > LIMITS.max_file_bytes:
        return ReadEntry(LabelFileProblem(name, "file_too_large"), size_bytes)
    return ReadEntry(IncomingFile(name, path.read_bytes(), file_annotations(upload=upload, name=name)), size_bytes)

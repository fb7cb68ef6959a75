"""What kinds share whose items are files: reading those that were sent, and bytes from the store."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from studio.common.blobs import blobs
from studio.datasets.files.formats import LabelFileProblem
from studio.datasets.files.reasons import NOTES
from studio.datasets.uploads.entries import upload_archive_kind, upload_entries
from studio.datasets.uploads.label_files import upload_labels
from studio.predictions.entries import Content, Entry

if TYPE_CHECKING:
    from studio.predictions.items.kind import SentFile


def file_entries(file: SentFile, skip: int) -> Iterator[tuple[Entry, float]]:
    """The items of a file, read as an upload is; ``PredictedItems.of_file``."""
    kind = upload_archive_kind(file.path, file.upload)
    size_bytes = max(file.upload.size_bytes, 1)
    with TemporaryDirectory(prefix="labels-") as folder:
        labels = upload_labels(file.path, kind, upload=file.upload, folder=Path(folder))
        unreadable = [] if labels is None else [one for one in labels.reading.complaints if one.code not in NOTES]
        yield from ((Entry(one.name, code=one.code), 0.0) for one in unreadable[skip:])
        rest = max(skip - len(unreadable), 0)
        for one in upload_entries(file.path, kind, labels, upload=file.upload, skip=rest):
            done = min(one.consumed_bytes / size_bytes, 1.0)
            if isinstance(one.file, LabelFileProblem):
                yield Entry(one.file.name, code=one.file.code), done
            else:
                yield Entry(one.file.name, Content(one.file.data)), done


def content_bytes(content: Content) -> bytes:
    """The bytes themselves.

    Raises:
        BlobMissingError: they are not in the store.
    """
    return blobs().local_path(content.blob).read_bytes() if content.blob else content.data

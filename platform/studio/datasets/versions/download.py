"""A version as an archive, written while it is sent: the server holds one picture at a time and no file of its own.

The same version and format give the same bytes each time, so a broken download goes on where it stopped.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

from automl.contracts.annotation import IGNORED_LABEL
from automl.contracts.dataset import ItemRecord
from studio.common.blob_store import BlobDamagedError
from studio.common.blobs import blob_checked, blobs
from studio.datasets.files.formats import ExportedFile, LabelFormat, format_container, format_load, written_labels
from studio.datasets.models import DatasetVersion
from studio.datasets.versions.archive_stream import archive_bytes
from studio.datasets.versions.records import table_records, version_tables
from studio.datasets.versions.selectors import version_manifest
from studio.datasets.versions.shards import ROW_GROUP

COUNTED_ITEMS = 20_000
"""Up to here the length is sent beforehand, so that a browser shows how far it is: about half a second of work."""
_MANIFEST = {"zip": "version.json", "tar": "__meta__/version"}


@dataclass(frozen=True)
class Download:
    """A version in a format.

    Args:
        version: which one.
        form: the format's name.
        with_data: whether the pictures go along, or the label files alone.
    """

    version: DatasetVersion
    form: str
    with_data: bool = True

    def __post_init__(self) -> None:
        """Raises ``LookupError`` when there is no such format."""
        self.module  # noqa: B018

    @property
    def module(self) -> LabelFormat:
        """The format."""
        return format_load(self.form)

    @property
    def container(self) -> str:
        """``zip`` or ``tar``."""
        return format_container(self.module)

    @property
    def tag(self) -> str:
        """Names the bytes: equal tags, equal bytes."""
        return f"{self.version.id}-{self.form}-{'all' if self.with_data else 'labels'}-2"

    def length(self) -> int:
        """How many bytes it has. The label files are made for that, pictures are not read."""
        return sum(map(len, archive_bytes(self._files(), container=self.container, read=lambda file: bytes(file.size_bytes))))

    def check(self) -> None:
        """Looks whether all is there, before the first byte is sent: after it no error can be sent.

        Raises:
            BlobMissingError: a file is not in the store.
            BlobDamagedError: one has another size than it had.
        """
        for file in self._files():
            if file.blob is not None and blobs().size(file.blob) != file.size_bytes:
                raise BlobDamagedError(file.blob)

    def chunks(self, *, start: int = 0, end: int | None = None) -> Iterator[bytes]:
        """The bytes from ``start`` to before ``end``."""
        at = 0
        for chunk in archive_bytes(self._files(), container=self.container, read=_blob_read):
            first, last = max(start - at, 0), len(chunk) if end is None else min(end - at, len(chunk))
            if last > first:
                yield chunk[first:last]
            at += len(chunk)
            if end is not None and at >= end:
                return

    def _files(self) -> Iterator[ExportedFile]:
        manifest = version_manifest(self.version)
        head = ExportedFile(path=_MANIFEST[self.container], data=manifest.model_dump_json(indent=2).encode())
        more = {} if manifest.columns is None else {"columns": manifest.columns}
        labels = written_labels(self.module, manifest.label_set, has_ignored=IGNORED_LABEL in manifest.num_annotations_by_label)
        written = self.module.write(_records(self.version), labels=labels, blob=blob_bytes, **more)
        return chain([head], (file for file in written if self.with_data or file.blob is None))


def _blob_read(file: ExportedFile) -> bytes:
    return blob_bytes(file.blob or "")


def blob_bytes(blob: str) -> bytes:
    """The bytes of an item, by its hash."""
    return blob_checked(blob).read_bytes()


def _records(version: DatasetVersion) -> Iterator[ItemRecord]:
    folder = blobs().fetch_tree(f"versions/{version.id}")
    for table in version_tables(folder, version_manifest(version)):
        # A part at a time: as Python's objects rows take ten times the memory of the table.
        for start in range(0, table.num_rows, ROW_GROUP):
            yield from table_records(table.slice(start, ROW_GROUP))

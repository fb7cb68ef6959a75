"""A version as a zip, written while it is sent: the server holds one picture at a time and no file of its own."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator

from typing_extensions import Buffer

from studio.common.blobs import blobs
from studio.datasets.formats import ExportedFile, format_load
from studio.datasets.manifest import version_all_items
from studio.datasets.models import DatasetVersion
from studio.datasets.selectors import version_manifest


def version_zip(version: DatasetVersion, *, form: str) -> Iterator[bytes]:
    """Yields the bytes of a zip with a version's pictures and labels in a format, and its ``version.json``.

    Raises:
        LookupError: there is no such format; raised before the first byte.
    """
    writer = format_load(form).write(version_all_items(version))
    manifest = version_manifest(version).model_dump_json(indent=2).encode()
    return _zip(writer, manifest)


def _zip(files: Iterator[ExportedFile], manifest: bytes) -> Iterator[bytes]:
    sink = _Sink()
    # Pictures are compressed already; storing them costs no time.
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("version.json", manifest)
        for file in files:
            data = file.data if file.blob is None else blobs().local_path(file.blob).read_bytes()
            archive.writestr(file.path, data)
            yield sink.drain()
    yield sink.drain()


class _Sink(io.RawIOBase):
    """A file that cannot be sought: the zip writer then never looks back."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, data: Buffer, /) -> int:
        part = bytes(data)
        self._parts.append(part)
        return len(part)

    def drain(self) -> bytes:
        parts, self._parts = self._parts, []
        return b"".join(parts)

"""What a store of blobs is, and what the stores share."""

from __future__ import annotations

import errno
import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import BinaryIO, Protocol

from studio.common.errors import NotFoundError, StudioError

CHUNK_BYTES = 1024 * 1024


class BlobMissingError(NotFoundError):
    """The store has no such bytes."""

    code = "blob_missing"
    title = "The file is not in the store"


class BlobStoreError(StudioError):
    """The store cannot be used."""

    status = 503
    code = "blob_store_unavailable"
    title = "The file store cannot be reached"


class BlobDamagedError(StudioError):
    """Stored bytes are not those that were put."""

    status = 500
    code = "blob_damaged"
    title = "The stored file is damaged"

    def __init__(self, sha256: str) -> None:
        super().__init__(
            f"The stored bytes of {sha256} are not those that were put.",
            hint="Bring the file back from a backup of the store, or upload it again.",
        )


class StorageFullError(StudioError):
    """Nothing more can be written."""

    status = 507
    code = "storage_full"
    title = "The server's disk is full"
    param_names = ("context", "size_bytes", "free_bytes", "awaited_bytes")

    def __init__(
        self,
        message: str = "The server has no room for more files. What it has taken so far is kept.",
        *,
        hint: str = "Ask whoever runs the server to make room, then go on where you were.",
        extra: Mapping[str, int] | None = None,
        params: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(message, hint=hint, extra=extra, params=params)


_DISK_FULL = frozenset({errno.ENOSPC, errno.EDQUOT})


def is_disk_full(error: OSError) -> bool:
    """Whether there is no room, or a quota of the system is used up."""
    if isinstance(error, shutil.Error):  # of a copied folder: what became of each file, as texts
        return any(os.strerror(number) in str(reason) for *_, reason in error.args[0] for number in _DISK_FULL)
    return error.errno in _DISK_FULL


@contextmanager
def space_needed() -> Iterator[None]:
    """Turns errors of a full disk, or of a used-up quota of the system, into StorageFullError.

    Raises:
        StorageFullError: there is no room.
    """
    try:
        yield
    except OSError as error:
        if is_disk_full(error):
            raise StorageFullError from error
        raise


@dataclass(frozen=True)
class BlobRef:
    """What was stored."""

    sha256: str
    size_bytes: int


class BlobStore(Protocol):
    """Blobs are addressed by content; objects and trees by a name that their owner chooses."""

    def put_bytes(self, data: bytes) -> BlobRef:
        """Stores bytes; the same bytes twice are one blob."""

    def put_file(self, path: Path, *, move: bool = False) -> BlobRef:
        """Stores a file. With ``move`` the file at ``path`` is gone afterwards, which saves a copy."""

    def put_stream(self, chunks: Iterable[bytes]) -> BlobRef:
        """Stores what an iterator yields."""

    def open(self, sha256: str) -> BinaryIO:
        """Opens a blob for reading.

        Raises:
            BlobMissingError: it is not there.
        """

    def exists(self, sha256: str) -> bool:
        """Whether the blob is there."""

    def size(self, sha256: str) -> int:
        """Its size in bytes.

        Raises:
            BlobMissingError: it is not there.
        """

    def walk(self, prefix: str, *, before: datetime, is_aside: bool = False) -> Iterator[str]:
        """The blobs whose hash begins with ``prefix`` and that nobody has written or moved since ``before``, in order.

        Args:
            prefix: one hexadecimal digit.
            before: with its time zone.
            is_aside: those that were set aside, instead of those in use.
        """

    def set_aside(self, sha256: str) -> None:
        """Puts a blob out of use. Whoever asks for it still gets it, and it is in use again from then on."""

    def restore(self, sha256: str) -> None:
        """Puts a blob that was set aside into use again."""

    def erase(self, sha256: str) -> None:
        """Removes a blob that was set aside, for good."""

    def local_path(self, sha256: str) -> Path:
        """A file on this host with the blob's bytes; never write to it.

        Raises:
            BlobMissingError: it is not there.
        """

    def link_root(self) -> Path | None:
        """The folder with all blobs as ``ab/cd/<sha256>``; None when they are not on this host."""

    def put_object(self, key: str, path: Path) -> None:
        """Stores a copy of a file under a name, over what was there."""

    def get_object(self, key: str) -> Path:
        """A file on this host with the object's bytes; never write to it.

        Raises:
            BlobMissingError: it is not there.
        """

    def put_tree(self, prefix: str, folder: Path) -> None:
        """Stores every file below a folder under ``prefix``. A tree is written once: a second time changes nothing."""

    def fetch_tree(self, prefix: str) -> Path:
        """A folder on this host with the tree's files; never write to it.

        Raises:
            BlobMissingError: there is none.
        """


def blob_subpath(sha256: str) -> Path:
    """Where a blob lies below a root: ``ab/cd/abcd...``."""
    if len(sha256) != 64 or not set(sha256) <= set("0123456789abcdef"):
        raise BlobMissingError(f"{sha256[:80]!r} is no SHA-256.")
    return Path(sha256[:2], sha256[2:4], sha256)


def object_subpath(key: str) -> Path:
    """A name as a relative path.

    Raises:
        ValueError: the name would leave the store's folder.
    """
    path = Path(key)
    if not key or path.is_absolute() or ".." in path.parts:
        raise ValueError(f"{key!r} is no name for an object")
    return path


def file_sha256(path: Path) -> BlobRef:
    """Hashes a file without reading it into memory at once."""
    digest = hashlib.sha256()
    size_bytes = 0
    with path.open("rb") as file:
        while chunk := file.read(CHUNK_BYTES):
            digest.update(chunk)
            size_bytes += len(chunk)
    return BlobRef(digest.hexdigest(), size_bytes)


def spool(chunks: Iterable[bytes], path: Path) -> BlobRef:
    """Writes chunks to a file and hashes them on the way."""
    digest = hashlib.sha256()
    size_bytes = 0
    with path.open("wb") as file:
        for chunk in chunks:
            file.write(chunk)
            digest.update(chunk)
            size_bytes += len(chunk)
    return BlobRef(digest.hexdigest(), size_bytes)


@contextmanager
def partial_file(folder: Path) -> Iterator[Path]:
    """A file to fill and then rename into place; what is left of it at the end is removed.

    Raises:
        StorageFullError: there is no room for it.
    """
    with space_needed():
        folder.mkdir(parents=True, exist_ok=True)
        descriptor, name = tempfile.mkstemp(dir=folder, prefix=".partial-")
        os.close(descriptor)
        try:
            yield Path(name)
        finally:
            Path(name).unlink(missing_ok=True)


@contextmanager
def partial_folder(parent: Path) -> Iterator[Path]:
    """A folder to fill and then rename into place; what is left of it at the end is removed.

    Raises:
        StorageFullError: there is no room for it.
    """
    with space_needed():
        parent.mkdir(parents=True, exist_ok=True)
        folder = Path(tempfile.mkdtemp(dir=parent, prefix=".partial-"))
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def folder_publish(partial: Path, target: Path) -> None:
    """Renames a filled folder to its place; when another process was first, its folder stays."""
    target.parent.mkdir(parents=True, exist_ok=True)
    partial.chmod(0o755)
    try:
        partial.rename(target)
    except OSError:
        if not target.is_dir():
            raise

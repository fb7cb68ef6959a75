"""Blobs on the file system, for one machine or a shared volume."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import BinaryIO

from studio.common.blob_store import (
    BlobMissingError,
    BlobRef,
    blob_subpath,
    file_sha256,
    folder_publish,
    object_subpath,
    partial_file,
    partial_folder,
    spool,
)


class FileBlobs:
    """``<root>/blobs/ab/cd/<sha256>``, ``aside`` likewise, and ``<root>/objects/<key>``; every write is a rename."""

    def __init__(self, root: Path) -> None:
        self._root = root / "blobs"
        self._aside = root / "aside"
        self._objects = root / "objects"
        self._partial = root / "partial"

    def put_bytes(self, data: bytes) -> BlobRef:
        """Stores bytes."""
        return self.put_stream([data])

    def put_file(self, path: Path, *, move: bool = False) -> BlobRef:
        """Stores a file."""
        ref = file_sha256(path)
        target = self._path(ref.sha256)
        if not _touched(target):
            with partial_file(self._partial) as partial:
                if move:
                    shutil.move(path, partial)
                    os.utime(partial)
                else:
                    shutil.copyfile(path, partial)
                self._publish(partial, target)
        if move:
            path.unlink(missing_ok=True)
        return ref

    def put_stream(self, chunks: Iterable[bytes]) -> BlobRef:
        """Stores what an iterator yields."""
        with partial_file(self._partial) as partial:
            ref = spool(chunks, partial)
            target = self._path(ref.sha256)
            if not _touched(target):
                self._publish(partial, target)
        return ref

    def open(self, sha256: str) -> BinaryIO:
        """Opens a blob."""
        return self.local_path(sha256).open("rb")

    def exists(self, sha256: str) -> bool:
        """Whether the blob is there."""
        return self._is_present(sha256)

    def size(self, sha256: str) -> int:
        """Its size in bytes."""
        return self.local_path(sha256).stat().st_size

    def walk(self, prefix: str, *, before: datetime, is_aside: bool = False) -> Iterator[str]:
        """Reads the folders, one after the other."""
        root = self._aside if is_aside else self._root
        for folder in sorted(root.glob(f"{prefix}?/??")):
            for path in sorted(folder.iterdir()):
                try:
                    is_settled = path.stat().st_mtime < before.timestamp()
                except FileNotFoundError:
                    continue  # another sweep was first
                if is_settled:
                    yield path.name

    def set_aside(self, sha256: str) -> None:
        """Moves the file, which then counts as new there."""
        aside = self._aside / blob_subpath(sha256)
        aside.parent.mkdir(parents=True, exist_ok=True)
        path = self._path(sha256)
        if _touched(path):
            with suppress(FileNotFoundError):
                path.replace(aside)

    def restore(self, sha256: str) -> None:
        """Moves the file back."""
        path = self._path(sha256)
        path.parent.mkdir(parents=True, exist_ok=True)
        with suppress(FileNotFoundError):
            (self._aside / blob_subpath(sha256)).replace(path)

    def erase(self, sha256: str) -> None:
        """Removes the file that was set aside."""
        (self._aside / blob_subpath(sha256)).unlink(missing_ok=True)

    def local_path(self, sha256: str) -> Path:
        """The blob's own file."""
        if not self._is_present(sha256):
            raise BlobMissingError(f"There is no blob {sha256}.")
        return self._path(sha256)

    def link_root(self) -> Path | None:
        """The folder of all blobs."""
        self._root.mkdir(parents=True, exist_ok=True)
        return self._root

    def put_object(self, key: str, path: Path) -> None:
        """Stores a copy under a name."""
        with partial_file(self._partial) as partial:
            shutil.copyfile(path, partial)
            self._publish(partial, self._objects / object_subpath(key))

    def get_object(self, key: str) -> Path:
        """The object's own file."""
        path = self._objects / object_subpath(key)
        if not path.is_file():
            raise BlobMissingError(f"There is no object {key}.")
        return path

    def put_tree(self, prefix: str, folder: Path) -> None:
        """Stores a folder under a name."""
        target = self._objects / object_subpath(prefix)
        if target.is_dir():
            return
        with partial_folder(self._partial) as partial:
            shutil.copytree(folder, partial, dirs_exist_ok=True)
            folder_publish(partial, target)

    def fetch_tree(self, prefix: str) -> Path:
        """The tree's own folder."""
        target = self._objects / object_subpath(prefix)
        if not target.is_dir():
            raise BlobMissingError(f"There is no tree {prefix}.")
        return target

    def _is_present(self, sha256: str) -> bool:
        path = self._path(sha256)
        if not path.exists():
            self.restore(sha256)
        return path.exists()

    def _path(self, sha256: str) -> Path:
        return self._root / blob_subpath(sha256)

    def _publish(self, partial: Path, target: Path) -> None:
        target.parent.mkdir(parents=True, exist_ok=True)
        partial.chmod(0o644)
        partial.replace(target)


def _touched(path: Path) -> bool:
    """Whether the file is there; it then counts as written now, so that the sweep leaves it alone."""
    try:
        os.utime(path)
    except FileNotFoundError:
        return False
    return True

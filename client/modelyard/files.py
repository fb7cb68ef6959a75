"""Finds the files to send: those below folders, with how each is sent, and their hashes."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from modelyard.errors import NotFoundHereError

COLUMNS = (".parquet", ".arrow", ".feather")
"""In projects of pictures these may hold the pictures with their labels."""
TABLES = (".csv", ".tsv", ".xlsx", *COLUMNS, ".jsonl", ".ndjson", ".json")
"""In projects of texts and of tables these hold many items."""
ARCHIVES = (".zip", ".tar", ".tgz", ".tar.gz", ".tar.bz2", ".tar.xz")
IGNORED_NAMES = frozenset({"thumbs.db", "desktop.ini", "__macosx", "@eadir"})
BATCH_FILES = 64
BATCH_BYTES = 8 * 2**20
"""A file larger than this is sent by itself, in parts."""


class UploadKind(StrEnum):
    """How a file is sent; the values are the server's kinds of uploads."""

    BATCH = "batch"
    FILE = "file"
    ARCHIVE = "archive"
    LABELS_CSV = "labels_csv"


@dataclass(frozen=True, slots=True)
class LocalFile:
    """A file on this machine, and the name that the server gets."""

    path: str
    name: str
    size_bytes: int
    holds_items: bool = False
    """Whether it is a table whose rows become items."""

    @property
    def is_table(self) -> bool:
        """Whether its name is a table's."""
        return self.name.lower().endswith(TABLES)

    @property
    def kind(self) -> UploadKind:
        """How it is sent."""
        if self.holds_items:
            return UploadKind.FILE
        lower = self.name.lower()
        if lower.endswith(ARCHIVES):
            return UploadKind.ARCHIVE
        if lower.endswith((".csv", *COLUMNS)):
            return UploadKind.LABELS_CSV
        return UploadKind.FILE if self.size_bytes > BATCH_BYTES else UploadKind.BATCH


def files_find(paths: Iterable[str | os.PathLike[str]]) -> list[LocalFile]:
    """All files at and below the paths, by name; ``IGNORED_NAMES`` and links that lead out are skipped.

    Raises:
        NotFoundHereError: a path does not exist, or there is no file at all.
    """
    found: list[LocalFile] = []
    for path in map(Path, paths):
        if path.is_dir():
            found += _below(path)
        elif path.is_file():
            found.append(LocalFile(str(path), path.name, path.stat().st_size))
        else:
            raise NotFoundHereError(f"{path} does not exist.")
    if not found:
        raise NotFoundHereError("There is no file to send.", hint="Name pictures, texts, folders or archives.")
    return sorted(found, key=lambda one: one.name)


def _below(folder: Path) -> Iterator[LocalFile]:
    for root, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not _is_ignored(name))
        for name in names:
            path = os.path.join(root, name)
            if _is_ignored(name) or not os.path.isfile(path):
                continue
            shown = os.path.relpath(path, folder).replace(os.sep, "/")
            yield LocalFile(path, shown.encode("utf-8", "replace").decode(), os.stat(path).st_size)


def _is_ignored(name: str) -> bool:
    return name.startswith(".") or name.lower() in IGNORED_NAMES


def file_sha256(path: str) -> str:
    """SHA-256 of a file, read in parts."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def batches(files: Iterable[LocalFile]) -> Iterator[list[LocalFile]]:
    """Groups small files into requests of up to ``BATCH_FILES`` files and ``BATCH_BYTES`` bytes."""
    group: list[LocalFile] = []
    size_bytes = 0
    for one in files:
        if group and (len(group) >= BATCH_FILES or size_bytes + one.size_bytes > BATCH_BYTES):
            yield group
            group, size_bytes = [], 0
        group.append(one)
        size_bytes += one.size_bytes
    if group:
        yield group


def chunks(files: Sequence[LocalFile], size: int) -> Iterator[Sequence[LocalFile]]:
    """Splits a list into parts of at most ``size``."""
    for start in range(0, len(files), size):
        yield files[start : start + size]

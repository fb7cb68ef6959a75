"""What goes into a download: paths that are free and fit any file system, and text that is gathered on disk."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from tempfile import TemporaryFile
from typing import IO, Any

from automl.contracts.annotation import Annotation
from automl.contracts.dataset import ItemRecord, Split

SPLIT_FOLDERS = {Split.TRAIN: "train", Split.VALIDATION: "val", Split.TEST: "test"}
"""What most programs call the splits."""
_UNSAFE = re.compile(r'[\x00-\x1f\x7f<>:"/\\|?*]')
_SUFFIX = re.compile(r"[A-Za-z0-9]{1,8}")
_CHUNK_BYTES = 1 << 20


@lru_cache(maxsize=4096)
def _stem_clean(stem: str) -> str:
    return _UNSAFE.sub("_", stem)[:80].strip(". ") or "item"


@lru_cache(maxsize=4096)
def _folder_clean(folder: str) -> str:
    return _UNSAFE.sub("_", folder)[:80].strip(". ") or "_"


def free_stem(record: ItemRecord) -> str:
    """A file name without suffix that no other item has: the id makes it unique, the name keeps it readable."""
    base = record.name.rpartition("/")[2]
    stem = base.rpartition(".")[0] or base
    readable = stem if stem.isalnum() and len(stem) <= 80 else _stem_clean(stem)
    return f"{readable}.{record.item[-10:]}"


def suffix_of(record: ItemRecord) -> str:
    """The suffix of an item's file, with the dot."""
    if record.media.format == "txt":
        return ".txt"  # a row of a table is called table.csv#12, and what is called so would be read as a table
    _, dot, suffix = record.name.rpartition("/")[2].rpartition(".")
    return _suffix_clean(suffix if dot else "", record.media.format)


@lru_cache(maxsize=256)
def _suffix_clean(suffix: str, form: str) -> str:
    return f".{suffix.lower()}" if _SUFFIX.fullmatch(suffix) else f".{form}"


def free_path(*, folder: str, record: ItemRecord) -> str:
    """A path that no other item has, below folders that any file system takes."""
    place = "/".join(_folder_clean(part) for part in folder.split("/")) if "/" in folder else _folder_clean(folder)
    return f"{place}/{free_stem(record)}{suffix_of(record)}"


def of_kinds(record: ItemRecord, kinds: frozenset[Any]) -> list[Annotation]:
    """The annotations of an item that a format can carry."""
    return [one for one in record.annotations if one.kind in kinds]


@dataclass
class Spool:
    """Text that is gathered on disk while pictures are sent, so that memory stays flat."""

    num_pieces: int = 0
    _file: IO[bytes] = field(default_factory=lambda: TemporaryFile(prefix="export-"))  # noqa: SIM115 - closed by `chunks`

    def add(self, piece: bytes, *, separator: bytes = b"") -> None:
        """Appends a piece, after the separator when it is not the first."""
        self._file.write(separator + piece if self.num_pieces else piece)
        self.num_pieces += 1

    def chunks(self) -> Iterator[bytes]:
        """All that was added; it can be had once."""
        self._file.seek(0)
        with self._file:
            while chunk := self._file.read(_CHUNK_BYTES):
                yield chunk

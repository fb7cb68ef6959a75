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
from labeling.formats._files import PICTURES, SPLITS

SPLIT_FOLDERS = {Split.TRAIN: "train", Split.VALIDATION: "val", Split.TEST: "test"}
"""What most programs call the splits."""
_UNSAFE = re.compile(r'[\x00-\x1f\x7f<>:"/\\|?*]')
_CHUNK_BYTES = 1 << 20


_LAYOUT = frozenset(
    {"images", "image", "pictures", "jpegimages", "labels", "annotations", "masks", "imagesets", "data", *SPLITS}
)
"""Folders that say where files of a data set lie: within an item's name they would say it of a download once more."""
_PART_CHARS = 100


@lru_cache(maxsize=4096)
def _clean(part: str) -> str:
    """A part of a path that any file system takes."""
    return _UNSAFE.sub("_", part)[:_PART_CHARS].strip(". ") or "_"


class Paths:
    """Gives each item of a download a path of its own: its name and folders as they came, but for characters that are unsafe.

    Two that would be called the same, also where capitals do not count, are told apart by the item's id.

    Args:
        by_stem: whether files of an item share its name without the suffix, so that ``a.png`` and ``a.jpg`` are one too many.
        has_dots: whether a name may hold dots before its suffix.
        is_flat: whether folders become a part of the name, where one more folder would mean something else.
    """

    def __init__(self, *, by_stem: bool = True, has_dots: bool = True, is_flat: bool = False) -> None:
        self._by_stem, self._has_dots, self._mark = by_stem, has_dots, "_" if is_flat else "/"
        self._used: set[int] = set()

    def stem(self, record: ItemRecord, folder: str = "", *, without: str = "") -> str:
        """The item's path below a folder, without its suffix.

        Args:
            record: the item.
            folder: where the path must be free; it is not part of the answer.
            without: a folder of the item's name that is left out, such as its label.
        """
        *above, base = record.name.split("/")
        stem = _clean(_stem_of(base, record))
        folders = [_clean(part) for part in above if part.strip().lower() not in _LAYOUT and part.strip() != without]
        path = self._mark.join([*folders, stem if self._has_dots else stem.replace(".", "_")])
        if not self._take(folder, path, record):
            path += f"{'.' if self._has_dots else '_'}{record.item[-10:]}"
            self._take(folder, path, record)
        return path

    def path(self, record: ItemRecord, folder: str = "", *, without: str = "") -> str:
        """The item's path with its suffix, the folder before it; arguments as of ``stem``."""
        return f"{folder}/{self.stem(record, folder, without=without)}{suffix_of(record)}".lstrip("/")

    def _take(self, folder: str, path: str, record: ItemRecord) -> bool:
        # A number in place of the path: a million items take sixty megabytes rather than two hundred.
        key = hash((folder, path.casefold(), "" if self._by_stem else suffix_of(record).lower()))
        is_free = key not in self._used
        self._used.add(key)
        return is_free


def folder_clean(folder: str) -> str:
    """A folder that any file system takes."""
    return _clean(folder)


def _stem_of(base: str, record: ItemRecord) -> str:
    return base[: -len(suffix_of(record))] if base.endswith(suffix_of(record)) else base


def suffix_of(record: ItemRecord) -> str:
    """The suffix of an item's file, with the dot: as its name has it where that says what the file is."""
    return _suffix(record.name.rpartition(".")[2], record.media.format)


@lru_cache(maxsize=256)
def _suffix(suffix: str, form: str) -> str:
    # A row of a table is called table.csv#12, and what is called so would be read as a table.
    known = (".txt",) if form == "txt" else PICTURES
    return f".{suffix}" if f".{suffix.lower()}" in known else f".{form}"


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

"""A table ``file,label`` or ``file,label|label`` beside the pictures.

An empty second column says that the picture was looked at and shows none of the labels; a picture that is not in the table
stays unlabelled.
"""

from __future__ import annotations

import csv
import io
import posixpath
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from automl.contracts.annotation import Annotation, ClassLabel
from automl.contracts.base import Text
from automl.contracts.dataset import ItemRecord
from studio.datasets.formats import Complaint, ExportedFile, Reading, label_is_valid

TITLE = Text(en="CSV with file and label", zh="含文件名与标签的 CSV")

_HEADS = frozenset({"file", "filename", "file_name", "image", "path", "name", "文件", "文件名", "图片"})
_UNSAFE = re.compile(r'[\x00-\x1f<>:"/\\|?*]')


def is_label_file(name: str) -> bool:
    """Whether the file is a table."""
    return name.lower().endswith((".csv", ".tsv"))


def read(names: Sequence[str], label_files: Mapping[str, bytes]) -> Reading:
    """Reads all tables; names are matched whole, then beside the table, then by the bare file name."""
    reading = Reading()
    finder = _Finder(names)
    for table, data in sorted(label_files.items()):
        for line, row in enumerate(_rows(data), start=1):
            if line == 1 and row and row[0].strip().lower() in _HEADS:
                continue
            _read_row(row, place=f"{table}:{line}", folder=posixpath.dirname(table), finder=finder, reading=reading)
    return reading


def _read_row(row: list[str], *, place: str, folder: str, finder: _Finder, reading: Reading) -> None:
    if len(row) < 2 or not row[0].strip():
        reading.complaints.append(Complaint(place, "label_row_invalid"))
        return
    wanted = row[0].strip().replace("\\", "/").removeprefix("./")
    found = finder.find(wanted, folder)
    if len(found) != 1:
        code = "label_file_ambiguous" if found else "label_file_missing"
        reading.complaints.append(Complaint(f"{place} {wanted}", code))
        return
    labels = list(dict.fromkeys(part.strip() for part in row[1].split("|"))) if row[1].strip() else []
    if not all(label_is_valid(label) for label in labels):
        reading.complaints.append(Complaint(f"{place} {wanted}", "label_invalid"))
        return
    before = reading.annotations.get(found[0], ())
    new: tuple[Annotation, ...] = tuple(ClassLabel(label=label) for label in labels)
    # One row a label is as common as one row a file: rows of one file add up.
    reading.annotations[found[0]] = before + tuple(one for one in new if one not in before)


class _Finder:
    """Finds files by what a table calls them."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = frozenset(names)
        self._by_base: dict[str, list[str]] = defaultdict(list)
        for name in self._names:
            self._by_base[posixpath.basename(name)].append(name)

    def find(self, wanted: str, folder: str) -> list[str]:
        """All files that are meant: none, one, or several when the name is not enough."""
        beside = posixpath.join(folder, wanted)
        for candidate in (wanted, beside):
            if candidate in self._names:
                return [candidate]
        candidates = self._by_base.get(posixpath.basename(wanted), [])
        return [name for name in candidates if name == wanted or name.endswith("/" + wanted)]


def _rows(data: bytes) -> Iterator[list[str]]:
    text = _text(data)
    head = text.partition("\n")[0]
    delimiter = max(",;\t", key=head.count)
    for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter):
        if row and any(cell.strip() for cell in row):
            yield row


def _text(data: bytes) -> str:
    for encoding in ("utf-8-sig", "gb18030"):
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    return data.decode("utf-8", "replace")


class Table:
    """The rows of ``items.csv``."""

    def __init__(self) -> None:
        self._out = io.StringIO(newline="")
        self._writer = csv.writer(self._out, lineterminator="\n")
        self._writer.writerow(["file", "label", "split", "item", "name", "provenance"])

    def add(self, *, path: str, record: ItemRecord) -> None:
        """Adds the row of one item."""
        labels = "|".join(labels_of(record))
        self._writer.writerow([path, labels, record.split.value, record.item, record.name, record.provenance])

    def data(self) -> bytes:
        """The table as UTF-8 with a byte-order mark, which spreadsheets need to read it right."""
        return self._out.getvalue().encode("utf-8-sig")


def labels_of(record: ItemRecord) -> list[str]:
    """The labels of an item's class annotations, in order."""
    return [one.label for one in record.annotations if isinstance(one, ClassLabel)]


def free_path(*, folder: str, record: ItemRecord) -> str:
    """A path that no other item has: the item's id makes it unique, its name keeps it readable."""
    stem, suffix = posixpath.splitext(posixpath.basename(record.name))
    readable = _UNSAFE.sub("_", stem)[:80].strip(". ") or "picture"
    tail = suffix.lower() if re.fullmatch(r"\.[A-Za-z0-9]{1,8}", suffix) else f".{record.media.format}"
    place = _UNSAFE.sub("_", folder).strip(". ") or "_"
    return f"{place}/{readable}.{record.item[-8:]}{tail}"


def write(records: Iterable[ItemRecord]) -> Iterator[ExportedFile]:
    """Puts all pictures into one folder beside ``items.csv``."""
    rows = Table()
    for record in records:
        path = free_path(folder="pictures", record=record)
        rows.add(path=path, record=record)
        yield ExportedFile(path=path, blob=record.blob)
    yield ExportedFile(path="items.csv", data=rows.data())

"""Hugging Face data sets with the pictures inside: Parquet as on the hub, or the Arrow files of ``save_to_disk``.

A picture is a struct of ``bytes`` and ``path``. Classes are numbers whose names stand in the schema's metadata; objects are
lists of boxes and categories (``_hub``). The split is the file's or folder's name. A download has a Parquet file a split, which
``datasets.load_dataset`` takes as a folder.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

import pyarrow as pa

from automl.contracts.annotation import AnnotationKind
from automl.contracts.dataset import ItemRecord, LabelSet
from automl.contracts.modality import Modality
from automl.contracts.words import Words
from labeling.formats import _arrow
from labeling.formats._arrow import Columnar, columnar
from labeling.formats._class_names import features_of
from labeling.formats._files import SPLITS, Finder, split_named
from labeling.formats._hub import HubColumns, Row, hub_columns, is_folder_file, row_annotations
from labeling.formats._hub_write import parquet_files
from labeling.formats._reading import attach_all, complain, complaining, split_note
from labeling.formats._tables import TABLE_DAMAGE
from labeling.formats._texts import Content, Names
from labeling.formats._values import LabelError
from studio.datasets.files.formats import ExportedFile, Facet, ParsedLabels, ReadBlob

words = Words(__file__)

TITLE = words("huggingface")
KINDS: frozenset[AnnotationKind] = frozenset({"class", "box"})
KEEPS = frozenset({Facet.SPLITS, Facet.NEGATIVES, Facet.OVERLAPS})
MEDIA = frozenset({Modality.IMAGE})

_PICTURES = ("image", "img", "picture", "photo", "pixel_values")
_ROWS = 64
"""Pictures in memory at a time."""
_SAMPLE = 200
_MAGIC = {b"\xff\xd8\xff": ".jpg", b"\x89PNG": ".png", b"GIF8": ".gif", b"BM": ".bmp", b"II*\0": ".tif", b"MM\0*": ".tif"}


def is_label_file(name: str) -> bool:
    """Files of columns, and those that describe them."""
    return name.lower().endswith(_arrow.SUFFIXES) or is_folder_file(name)


def detect(names: Sequence[str], label_files: Mapping[str, bytes]) -> float:
    """A file of columns one of which holds pictures."""
    del names
    tables = [name for name in label_files if name.lower().endswith(_arrow.SUFFIXES)]
    for name in tables[:3]:
        try:
            with columnar(name, label_files) as table:
                if _picture_column(table.schema) is not None:
                    return 0.95
        except (LabelError, *TABLE_DAMAGE):
            continue
    # What describes an Arrow file may come alone, when a folder is sent file by file.
    return 0.3 if label_files and all(map(is_folder_file, label_files)) else 0.0


def _picture_column(schema: pa.Schema) -> str | None:
    """The column with the pictures; the first one that is told to be some, else one of the usual names."""
    described = features_of(schema)
    named = [name for name in schema.names if isinstance(kind := described.get(name), Mapping) and kind.get("_type") == "Image"]
    usual = [name for name in schema.names if name.lower() in _PICTURES]
    return next((name for name in (*named, *usual) if _holds_bytes(schema.field(name).type)), None)


def _holds_bytes(kind: pa.DataType) -> bool:
    if pa.types.is_struct(kind):
        return kind.get_field_index("bytes") >= 0 and _holds_bytes(kind.field("bytes").type)
    return bool(pa.types.is_binary(kind) or pa.types.is_large_binary(kind))


def read(names: Sequence[str], label_files: Mapping[str, bytes]) -> ParsedLabels:
    """Reads what the rows say; the pictures are unpacked one by one when they are wanted."""
    reading = ParsedLabels()
    places = sorted(name for name in label_files if name.lower().endswith(_arrow.SUFFIXES))
    finder = Finder(names)
    for row in _rows(places, label_files, reading):
        with complaining(reading, row.place, row.name):
            # A picture that lies outside is found by its path.
            row_name = row.name if row.data is not None else finder.one(row.path, posixpath.dirname(row.file))
            annotations = row_annotations(row.cells, row.columns)
            split_note(reading, row_name, SPLITS.get(str(row.cells.get("split", "")).lower()), split_named(row.file))
            if annotations is not None:
                attach_all(reading, row_name, annotations)
    reading.contents = _Pictures(places, label_files)
    return reading


class _Pictures:
    """The pictures in the files, read again when they are wanted."""

    def __init__(self, places: Sequence[str], label_files: Mapping[str, bytes]) -> None:
        self._places, self._files = places, label_files

    def __iter__(self) -> Iterator[Content]:
        for row in _rows(self._places, self._files, ParsedLabels()):
            if row.data is not None:
                yield row.name, row.data


@dataclass(frozen=True)
class _Row:
    """A row with a picture."""

    file: str
    number: int
    """Within its file, from 0."""
    name: str
    path: str
    """As the row has it; empty when it has none."""
    data: bytes | None
    cells: Row
    """All columns but the picture's."""
    columns: HubColumns

    @property
    def place(self) -> str:
        """For people: the file and the row's number from 1."""
        return f"{self.file}:{self.number + 1}"


def _rows(places: Sequence[str], files: Mapping[str, bytes], reading: ParsedLabels) -> Iterator[_Row]:
    """The rows of all files; what cannot be read is complained of."""
    free = Names()
    for place in places:
        try:
            with columnar(place, files) as table:
                yield from _file_rows(place, table, free, reading)
        except LabelError as error:
            complain(reading, place, error.code)
        except TABLE_DAMAGE:
            complain(reading, place, "label_file_broken")


def _file_rows(place: str, table: Columnar, free: Names, reading: ParsedLabels) -> Iterator[_Row]:
    picture = _picture_column(table.schema)
    if picture is None:
        complain(reading, place, "label_file_broken")
        return
    found = (row for batch in table.batches(_ROWS, table.schema.names) for row in batch.to_pylist())
    first = list(islice(found, _SAMPLE))
    others = [name for name in table.schema.names if name != picture]
    columns = hub_columns(others, features_of(table.schema), first)
    if columns.are_corners:
        complain(reading, place, "boxes_as_corners")
    number = 0
    for part in (first, found):
        for row in part:
            value = row.pop(picture)
            path, data = (value.get("path"), value.get("bytes")) if isinstance(value, Mapping) else (None, value)
            if data is None and not path:
                complain(reading, f"{place}:{number + 1}", "empty_file")
            else:
                name = free.picture_name(_base(path), place, number, _suffix(data or b""))
                yield _Row(place, number, name, path or "", data, row, columns)
            number += 1


def _base(path: str | None) -> str:
    """A path of the machine that wrote the file says nothing here but its last part."""
    path = (path or "").replace("\\", "/")
    return posixpath.basename(path) if path.startswith("/") or ":" in path else path


def _suffix(data: bytes) -> str:
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return ".webp"
    return next((suffix for magic, suffix in _MAGIC.items() if data.startswith(magic)), "")


def write(records: Iterable[ItemRecord], *, labels: LabelSet, blob: ReadBlob) -> Iterator[ExportedFile]:
    """Writes ``data/<split>-00000-of-00001.parquet``, pictures included."""
    return parquet_files(records, labels=labels, blob=blob, kinds=KINDS)

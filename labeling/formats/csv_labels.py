"""A table beside the pictures: ``file,label`` as CSV, TSV, Excel or Parquet, written as CSV.

Columns are known by their heads: file, label, split, score, and the corners ``xmin ymin xmax ymax`` of a box. Without a head
the first column is the file and the second the label. Several labels of a picture stand in one cell (``rose|red``), in rows
of their own, or in one column of 0 and 1 a label. An empty label says that the picture was looked at and shows none of the
labels; a picture that is not in the table stays unlabelled.
"""

from __future__ import annotations

import csv
import io
import posixpath
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from automl.contracts.annotation import Annotation, AnnotationKind, Box, ClassLabel
from automl.contracts.dataset import ItemRecord, LabelSet
from automl.contracts.modality import Modality
from automl.contracts.words import Words
from labeling.formats import _arrow
from labeling.formats._files import SPLITS, Finder, split_of_folders
from labeling.formats._reading import attach, complain, split_note
from labeling.formats._tables import (
    TABLE_DAMAGE,
    class_labels_of,
    classes_written,
    previewed,
    rows_layout,
    sheet_titles,
    table_rows,
)
from labeling.formats._values import LabelError, label_text, labels_joined, labels_parted, made, number, score_of
from labeling.formats._writing import Paths, Spool, of_kinds
from studio.common.spreadsheet import quoted, unquoted
from studio.datasets.files.formats import ExportedFile, Facet, LabelFileProblem, ParsedLabels, ReadBlob, TablePreview
from studio.datasets.files.table_options import PLAIN, options_of

words = Words(__file__)

TITLE = words("csv_labels")
KINDS: frozenset[AnnotationKind] = frozenset({"class", "box"})
KEEPS = frozenset({Facet.SPLITS, Facet.NEGATIVES, Facet.SCORES, Facet.OVERLAPS})
MEDIA = frozenset({Modality.IMAGE, Modality.TEXT})

_SUFFIXES = (".csv", ".tsv", ".xlsx", *_arrow.SUFFIXES)
_COLUMNS = ("file", "label", "score", "xmin", "ymin", "xmax", "ymax", "split", "item", "name", "provenance")
HEAD = b"\xef\xbb\xbf" + ",".join(_COLUMNS).encode()
"""How a table of ours begins; the mark makes spreadsheets read it right."""
_HEADS = {
    "file": {
        "file",
        "filename",
        "file_name",
        "filepath",
        "image",
        "image_name",
        "image_path",
        "path",
        "name",
        "文件",
        "文件名",
        "图片",
    },
    "label": {"label", "labels", "class", "classes", "class_name", "category", "tag", "tags", "target", "标签", "类别", "分类"},
    "split": {"split", "subset", "set", "usage", "partition", "划分"},
    "score": {"score", "confidence", "置信度"},
    "xmin": {"xmin", "x_min", "x1", "left"},
    "ymin": {"ymin", "y_min", "y1", "top"},
    "xmax": {"xmax", "x_max", "x2", "right"},
    "ymax": {"ymax", "y_max", "y2", "bottom"},
}


def is_label_file(name: str) -> bool:
    """Whether the file is a table."""
    return name.lower().endswith(_SUFFIXES)


def detect(names: Sequence[str], label_files: Mapping[str, bytes]) -> float:
    """A table whose rows name files of the upload."""
    finder = Finder(name for name in names if name not in label_files)
    for name in [name for name in label_files if is_label_file(name)][:3]:
        try:
            rows = [row for row, _ in zip(_rows(name, label_files), range(20), strict=False)]
        except TABLE_DAMAGE:
            continue
        columns, start = _columns(rows[0]) if rows else (None, 0)
        if columns and any(
            finder.find(row[columns.file], posixpath.dirname(name)) for row in rows[start:] if len(row) > columns.file
        ):
            return 0.7
    return 0.0


def read(names: Sequence[str], label_files: Mapping[str, bytes]) -> ParsedLabels:
    """Reads all tables; names are matched whole, then beside the table, then by the bare file name."""
    reading = ParsedLabels()
    finder = Finder(names)
    for table in sorted(name for name in label_files if is_label_file(name)):
        columns, folder = None, posixpath.dirname(table)
        try:
            for line, row in enumerate(_rows(table, label_files), start=1):
                if columns is None:
                    columns, skipped = _columns(row)
                    if skipped:
                        continue
                _row_read(row, columns, place=f"{table}:{line}", folder=folder, finder=finder, reading=reading)
        except LabelError as error:
            complain(reading, table, error.code)
        except TABLE_DAMAGE:
            complain(reading, table, "label_file_broken")
    return reading


def preview(name: str, label_files: Mapping[str, bytes], *, most: int) -> TablePreview | LabelFileProblem:
    """How a table would be read, with so many of its first rows; else why it cannot be."""
    return previewed(name, lambda: _preview(name, label_files, most))


def _preview(name: str, label_files: Mapping[str, bytes], most: int) -> TablePreview:
    options, data = options_of(label_files), label_files[name]
    if name.lower().endswith(PLAIN):
        options = rows_layout(data, options)
    rows = list(islice(_rows(name, label_files), most + 1))
    options = options.model_copy(update={"has_head": bool(rows) and _columns(rows[0])[1] > 0})
    return TablePreview.of(rows, options, sheets=sheet_titles(name, data), most=most, is_fit=bool(rows))


@dataclass(frozen=True)
class _Columns:
    """Where things stand in a row; ``switches`` are columns of 0 and 1, one a label."""

    file: int = 0
    label: int = 1
    split: int | None = None
    score: int | None = None
    corners: tuple[int, ...] = ()
    switches: tuple[tuple[int, str], ...] = ()


def _columns(head: list[str]) -> tuple[_Columns, int]:
    """What the first row says of the columns, and whether it is a head (1) or a row already (0)."""
    at = {name: index for index, text in enumerate(head) for name, heads in _HEADS.items() if text.strip().lower() in heads}
    if head and head[0].strip().lower() in _HEADS["file"]:
        at["file"] = 0
    if "file" not in at:
        return _Columns(), 0
    corners = tuple(at[name] for name in ("xmin", "ymin", "xmax", "ymax") if name in at)
    others = [(index, text.strip()) for index, text in enumerate(head) if index != at["file"] and index != at.get("split")]
    return _Columns(
        file=at["file"],
        label=at.get("label", 1),
        split=at.get("split"),
        score=at.get("score"),
        corners=corners if len(corners) == 4 else (),
        switches=tuple(others) if "label" not in at and len(others) > 1 else (),
    ), 1


def _row_read(row: list[str], columns: _Columns, *, place: str, folder: str, finder: Finder, reading: ParsedLabels) -> None:
    def cell(at: int | None) -> str:
        return row[at].strip() if at is not None and at < len(row) else ""

    file = cell(columns.file).replace("\\", "/").removeprefix("./")
    if not file or (not columns.switches and len(row) <= columns.label):
        complain(reading, place, "label_row_invalid")
        return
    name = ""
    try:
        name = finder.one(file, folder)
        annotations = (
            _switched(row, columns)
            if columns.switches
            else _annotations(cell(columns.label), cell(columns.score), row, columns)
        )
    except LabelError as error:
        complain(reading, f"{place} {file}", error.code, name)
        return
    part = cell(columns.split)
    if part and (split := SPLITS.get(part.lower())) is not None:
        reading.splits[name] = split
    elif part:
        complain(reading, f"{place} {file}", "split_unknown")
    elif columns.split is None:
        split_note(reading, name, split_of_folders(name), split_of_folders(place))
    # One row a label is as common as one row a file: rows of one file add up.
    attach(reading, name, annotations)


def _annotations(labels: str, scores: str, row: list[str], columns: _Columns) -> Sequence[Annotation]:
    corners = [row[at].strip() if at < len(row) else "" for at in columns.corners] if columns.corners else []
    if any(corners):
        left, top, right, bottom = (number(corner) for corner in corners)
        fields = {"x": left, "y": top, "width": right - left, "height": bottom - top}
        names = labels_parted(labels)
        return [made(Box, label=label_text(names[0] if len(names) == 1 else ""), score=score_of(scores), **fields)]
    return class_labels_of(labels, scores)


def _switched(row: list[str], columns: _Columns) -> list[Annotation]:
    out: list[Annotation] = []
    for at, label in columns.switches:
        value = number(row[at].strip() or "0") if at < len(row) else 0.0
        if value not in {0.0, 1.0}:
            raise LabelError("label_row_invalid")
        if value:
            out.append(made(ClassLabel, label=label_text(label)))
    return out


def _rows(name: str, label_files: Mapping[str, bytes]) -> Iterator[list[str]]:
    """The rows of a table as texts, empty ones left out; of a download of ours as they were before they were quoted."""
    data = label_files[name]
    is_ours = data.startswith(HEAD)
    for row in table_rows(name, data, options_of(label_files)):
        if any(cell.strip() for cell in row):
            yield unquoted(row) if is_ours else row


class Table:
    """The rows of a table of ours, kept on disk until they are sent."""

    def __init__(self) -> None:
        self._spool = Spool()
        self._out = io.StringIO(newline="")
        self._writer = csv.writer(self._out, lineterminator="\n")
        self._spool.add(HEAD + b"\n")

    def add(self, *, path: str, record: ItemRecord, kinds: frozenset[AnnotationKind] = KINDS) -> None:
        """Adds the rows of one item: one for its class labels, one a box."""
        annotations = of_kinds(record, kinds)
        classes = [one for one in annotations if isinstance(one, ClassLabel)]
        boxes = [one for one in annotations if isinstance(one, Box)]
        tail = [record.split.value, record.item, *quoted([record.name, record.provenance])]
        path = str(quoted([path])[0])
        if classes or not boxes:
            self._writer.writerow([path, *quoted(classes_written(classes)), "", "", "", "", *tail])
        for one in boxes:
            corners = [one.x, one.y, one.x + one.width, one.y + one.height]
            label = quoted([labels_joined([one.label])])[0]
            self._writer.writerow([path, label, "" if one.score is None else repr(one.score), *corners, *tail])
        self._spool.add(self._out.getvalue().encode())
        self._out.seek(0)
        self._out.truncate()

    def chunks(self) -> Iterator[bytes]:
        """The table as UTF-8, once."""
        return self._spool.chunks()


def write(records: Iterable[ItemRecord], *, labels: LabelSet, blob: ReadBlob) -> Iterator[ExportedFile]:
    """Puts all pictures into folders of their splits beside ``labels.csv``."""
    del labels, blob
    rows, paths = Table(), Paths(by_stem=False)
    for record in records:
        path = paths.path(record, record.split.value)
        rows.add(path=path, record=record)
        yield ExportedFile(path=path, blob=record.blob, size_bytes=record.media.size_bytes)
    yield ExportedFile(path="labels.csv", chunks=rows.chunks())

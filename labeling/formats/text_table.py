"""A table of texts: a column with the texts, and one with their labels, as CSV, TSV, Excel, Parquet or JSON; written as CSV.

Each row becomes an item that is called after its place, as ``reviews.csv#12``. Several labels stand in one cell (``a|b``) or in
one column of 0 and 1 a label. A row without a label is unlabelled; in a table of ours, which is known by its head, it was
looked at and none of the labels fits. Sheets of one Excel file are read one after the other.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, islice

from automl.contracts.annotation import AnnotationKind, ClassLabel
from automl.contracts.dataset import ItemRecord, LabelSet, Split
from automl.contracts.modality import Modality
from automl.contracts.words import Words
from labeling.formats import _arrow
from labeling.formats._files import SPLITS, split_named
from labeling.formats._hub import is_folder_file
from labeling.formats._reading import complain
from labeling.formats._tables import (
    TABLE_DAMAGE,
    RowFault,
    class_labels_of,
    classes_written,
    csv_layout,
    previewed,
    sheet_titles,
    table_sheets,
)
from labeling.formats._texts import Content, Names, is_name, record_text
from labeling.formats._values import LabelError, label_text, made, number
from labeling.formats._writing import Spool
from labeling.text_columns import OUR_HEAD, SAMPLE_ROWS, TextColumns, text_columns
from studio.common.spreadsheet import quoted, unquoted
from studio.datasets.files.formats import (
    ExportedFile,
    Facet,
    LabelFileProblem,
    ParsedLabels,
    ReadBlob,
    TablePreview,
    TextWithFacts,
)
from studio.datasets.files.rows import column_names
from studio.datasets.files.table_options import PLAIN, TableColumns, options_of

words = Words(__file__)

TITLE = words("text_table")
KINDS: frozenset[AnnotationKind] = frozenset({"class"})
KEEPS = frozenset({Facet.SPLITS, Facet.NEGATIVES, Facet.SCORES})
MEDIA = frozenset({Modality.TEXT})

_JSON = (".json", ".jsonl", ".ndjson")
_SUFFIXES = (".csv", ".tsv", ".xlsx", *_arrow.SUFFIXES, *_JSON)
_PACKED = (".xlsx", *_arrow.SUFFIXES)
_LOOKED_INTO = 3
_SPLITS = SPLITS | {
    "训练": Split.TRAIN,
    "训练集": Split.TRAIN,
    "验证": Split.VALIDATION,
    "验证集": Split.VALIDATION,
    "测试": Split.TEST,
    "测试集": Split.TEST,
}
_NESTED = re.compile(rb'"(entities|relations|cats|filename|annotations|data)"|"labels?"\s*:\s*[\[{]')
"""What other formats of JSON have."""
_NAMED, _LABELLED, _GUESSED, _GUESSED_BESIDE_DATA, _BROKEN = 0.85, 0.6, 0.5, 0.05, 0.02


def is_label_file(name: str) -> bool:
    """Whether the file is a table."""
    return name.lower().endswith(_SUFFIXES)


def detect(names: Sequence[str], label_files: Mapping[str, bytes]) -> float:
    """A table with a column of texts; one that is guessed counts little beside files that may be the texts themselves."""
    tables = [name for name in label_files if is_label_file(name) and not is_folder_file(name)]
    if tables and options_of(label_files).columns is not None:
        return 1.0
    sure = max((_detected(name, label_files) for name in tables[:_LOOKED_INTO]), default=0.0)
    return sure if sure > _GUESSED or all(name in label_files for name in names) else min(sure, _GUESSED_BESIDE_DATA)


def _detected(name: str, label_files: Mapping[str, bytes]) -> float:
    try:
        sheet = next(_sheets(name, label_files), None)
    except TABLE_DAMAGE:
        return _BROKEN if name.lower().endswith(_PACKED) else 0.0  # it is a table for sure: reading tells that it is broken
    if sheet is None or sheet.columns is None:
        return 0.0
    if not name.lower().endswith(_JSON):
        return _NAMED if sheet.columns.is_named else _LABELLED if sheet.columns.width else _GUESSED
    if not sheet.columns.is_named:
        return 0.0
    return _GUESSED if _NESTED.search(label_files[name][:65_536]) else _NAMED


def read(names: Sequence[str], label_files: Mapping[str, bytes]) -> ParsedLabels:
    """Reads all tables; each row becomes an item."""
    del names
    reading = ParsedLabels()
    places = sorted(name for name in label_files if is_label_file(name) and not is_folder_file(name))
    for row in _rows(places, label_files, reading):
        try:
            annotations = row.annotations()
        except LabelError as error:
            complain(reading, row.place, error.code, row.name)
            annotations = None
        if annotations is not None:
            reading.annotations[row.name] = annotations
        part = row.cell(row.columns.split)
        split = _SPLITS.get(part.lower()) if part else row.split
        if split is not None:
            reading.splits[row.name] = split
        elif part:
            complain(reading, row.place, "split_unknown")
    reading.contents = _Texts(places, label_files)
    return reading


def preview(name: str, label_files: Mapping[str, bytes], *, most: int) -> TablePreview | LabelFileProblem:
    """How a table would be read, with so many of its first rows; else why it cannot be."""
    return previewed(name, lambda: _preview(name, label_files, most))


def _preview(name: str, label_files: Mapping[str, bytes], most: int) -> TablePreview:
    options, data = options_of(label_files), label_files[name]
    if name.lower().endswith(PLAIN):
        options = csv_layout(name, data, options)[1]
    sheets = _sheets(name, label_files)  # its file is open for as long as this is there
    sheet = next(sheets, None)
    found = None if sheet is None else sheet.columns
    rows = (
        [] if sheet is None else [row for row in islice(sheet.rows, SAMPLE_ROWS) if not isinstance(row, RowFault) and any(row)]
    )
    has_head = found.width > 0 if found is not None else options.has_head is not False
    columns = TableColumns(text=found.text, label=found.label) if found is not None else None
    options = options.model_copy(update={"has_head": has_head, "columns": columns})
    metadata = [] if sheet is None else [title for _, title in sheet.others]
    titles = sheet_titles(name, data)
    return TablePreview.of(rows, options, sheets=titles, most=most, is_fit=found is not None, metadata=metadata)


class _Texts:
    """The texts in the tables, read again when they are wanted."""

    def __init__(self, places: Sequence[str], label_files: Mapping[str, bytes]) -> None:
        self._places, self._files = places, label_files

    def __iter__(self) -> Iterator[Content]:
        for row in _rows(self._places, self._files, ParsedLabels()):
            yield TextWithFacts(row.name, row.text.encode("utf-8", "replace"), row.facts())


@dataclass(frozen=True)
class _Row:
    """A text with the labels of its row."""

    name: str
    place: str
    """For people: the file, the sheet and the row's number."""
    line: int
    cells: list[str]
    columns: TextColumns
    split: Split | None
    """What the file's or the sheet's name says."""
    others: Sequence[tuple[int, str]]
    """Places and names of the columns that hold neither the text nor what is said of it."""

    @property
    def text(self) -> str:
        """As it stands, with the white space around it."""
        return self.cells[self.columns.text]

    def cell(self, at: int | None) -> str:
        return self.cells[at].strip() if at is not None and at < len(self.cells) else ""

    def facts(self) -> dict[str, str]:
        """The other cells of the row that are not empty, by the names of their columns."""
        return {name: cell for at, name in self.others if (cell := self.cell(at))}

    def annotations(self) -> tuple[ClassLabel, ...] | None:
        """The labels; None where there are none. Raises ``LabelError``."""
        if self.columns.switches:
            return self._switched()
        annotations = class_labels_of(self.cell(self.columns.label), self.cell(self.columns.score))
        return annotations if annotations or self.columns.is_ours else None

    def _switched(self) -> tuple[ClassLabel, ...] | None:
        given = [(label, self.cell(at)) for at, label in self.columns.switches]
        if not any(value for _, value in given):
            return None
        values = [(label, number(value or "0")) for label, value in given]
        if any(value not in {0.0, 1.0} for _, value in values):
            raise LabelError("label_row_invalid")
        return tuple(made(ClassLabel, label=label_text(label)) for label, value in values if value)


@dataclass(frozen=True)
class _Sheet:
    """A sheet with its columns; ``columns`` is None when it holds no texts."""

    title: str
    columns: TextColumns | None
    others: Sequence[tuple[int, str]]
    rows: Iterator[list[str] | RowFault] = field(repr=False)


def _sheets(name: str, label_files: Mapping[str, bytes]) -> Iterator[_Sheet]:
    options, head = options_of(label_files), None
    for title, found in table_sheets(name, label_files[name], options):
        rows = _as_they_were(found)
        first = list(islice(rows, SAMPLE_ROWS))
        filled = [row for row in first if not isinstance(row, RowFault) and any(cell.strip() for cell in row)]
        head = head or (filled[0] if filled else None)
        chosen = options.columns if filled and filled[0] == head else None  # of the first sheet, and of those like it
        if chosen is not None and max(map(len, filled)) <= max(chosen.text, chosen.label or 0):
            raise LabelError("table_column_missing")
        columns = text_columns(filled, has_head=options.has_head, chosen=chosen)
        yield _Sheet(title, columns, _others(filled, columns), chain(first, rows))


def _others(rows: Sequence[Sequence[str]], columns: TextColumns | None) -> list[tuple[int, str]]:
    """Places and names of the columns that hold neither the text nor what is said of it."""
    if columns is None:
        return []
    head = rows[0] if columns.width else [""] * max(map(len, rows))
    ours = set(OUR_HEAD) if columns.is_ours else set()
    read = {columns.text, columns.label, columns.score, columns.split, columns.name, *(at for at, _ in columns.switches)}
    return [(at, name) for at, name in enumerate(column_names(head)) if at not in read and name not in ours]


def _as_they_were(rows: Iterator[list[str] | RowFault]) -> Iterator[list[str] | RowFault]:
    """The rows; those of a download of ours without the quotes that keep spreadsheets from running cells."""
    head = next(rows, None)
    if head is None:
        return
    is_ours = not isinstance(head, RowFault) and tuple(head) == tuple(OUR_HEAD)
    for row in chain([head], rows):
        yield unquoted(row) if is_ours and not isinstance(row, RowFault) else row


def _rows(places: Sequence[str], label_files: Mapping[str, bytes], reading: ParsedLabels) -> Iterator[_Row]:
    """The rows that hold a text; the others are complained of."""
    free = Names()
    for place in places:
        num_found = 0
        try:
            for number, sheet in enumerate(_sheets(place, label_files), start=1):
                if sheet.columns is None or (number > 1 and not sheet.columns.is_named):
                    continue  # notes beside the texts
                title = sheet.title if is_name(sheet.title) else str(number)
                where = place if number == 1 else f"{place}/{title}"
                for row in _sheet_rows(where, sheet, split_named(title) or split_named(place), reading=reading):
                    num_found += 1
                    yield replace(row, name=free.row_name(row.cell(row.columns.name), where, row.line))
        except LabelError as error:
            complain(reading, place, error.code)
            continue
        except TABLE_DAMAGE:
            complain(reading, place, "label_file_broken")
            continue
        if not num_found:
            complain(reading, place, "table_without_texts")


def _sheet_rows(where: str, sheet: _Sheet, split: Split | None, *, reading: ParsedLabels) -> Iterator[_Row]:
    """The rows of a sheet that hold a text, without names."""
    columns = sheet.columns
    assert columns is not None
    is_head = columns.width > 0
    for line, cells in enumerate(sheet.rows, start=1):
        place = f"{where}:{line}"
        if isinstance(cells, RowFault):
            complain(reading, f"{where}:{cells.line or line}", cells.code)
        elif not any(cell.strip() for cell in cells):
            continue
        elif is_head:
            is_head = False
        elif columns.width and any(cell.strip() for cell in cells[columns.width :]):
            complain(reading, place, "table_row_invalid")  # a text was cut in two, and nobody knows where
        elif columns.text >= len(cells) or not cells[columns.text].strip():
            complain(reading, place, "text_blank")
        else:
            yield _Row("", place, line, cells, columns, split, sheet.others)


def write(records: Iterable[ItemRecord], *, labels: LabelSet, blob: ReadBlob) -> Iterator[ExportedFile]:
    """Writes ``texts.csv``, whose mark makes spreadsheets read it right."""
    del labels
    spool, out = Spool(), io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    spool.add(b"\xef\xbb\xbf" + ",".join(OUR_HEAD).encode() + b"\n")
    for record in records:
        annotations = classes_written([one for one in record.annotations if isinstance(one, ClassLabel)])
        cells = [record_text(record, blob), *annotations, record.split.value, record.item, record.name, record.provenance]
        writer.writerow(quoted(cells))
        spool.add(out.getvalue().encode())
        out.seek(0)
        out.truncate()
    yield ExportedFile(path="texts.csv", chunks=spool.chunks())

"""Rows of tables: CSV, Excel, Parquet and JSON as lists of texts, and labels in their cells."""

from __future__ import annotations

import csv
import io
import lzma
import math
import struct
import zipfile
import zlib
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

import openpyxl
import pyarrow as pa

from automl.contracts.annotation import ClassLabel
from labeling.formats import _arrow
from labeling.formats._arrow import columnar
from labeling.formats._class_names import class_name, class_names
from labeling.formats._files import json_of, text_and_encoding, text_in, text_of
from labeling.formats._table_limits import rows_within, sheet_check
from labeling.formats._values import LabelError, label_text, labels_joined, labels_parted, made, score_of
from studio.datasets.files.formats import LabelFileProblem, TablePreview
from studio.datasets.files.table_options import TableOptions

MAX_CELL_CHARS = 1_000_000
"""A longer cell is one whose quotes were never closed."""
AS_GUESSED = TableOptions()
_DELIMITERS = ",;\t"
_SNIFFED_CHARS = 65_536
_SNIFFED_ROWS = 30
ONE_COLUMN = "\x1f"
"""No table has it, so that rows stay whole while their quotes are read."""
_JSON_ROWS = 100
"""Rows from which the columns of a table of JSON are found."""
_MAX_FAULTS = 10_000
"""Lines whose quotation marks are wrong; a file with more of them is no table."""
_MAX_SHEET_BYTES = 512 * 2**20
"""Of an Excel file, unpacked."""
TABLE_DAMAGE = (
    zipfile.BadZipFile,
    pa.ArrowException,
    OSError,
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
    ArithmeticError,
    EOFError,
    RuntimeError,
    SyntaxError,
    csv.Error,
    lzma.LZMAError,
    struct.error,
    zlib.error,
)
"""What the readers of Excel and Parquet raise at damaged files."""

csv.field_size_limit(MAX_CELL_CHARS)  # the library's own limit is shorter than the longest text that is taken


def table_rows(name: str, data: bytes, options: TableOptions = AS_GUESSED) -> Iterator[list[str]]:
    """The rows of a table's only, first or chosen sheet; the commonest mark of the first line parts the columns of CSV.

    Raises:
        one of ``TABLE_DAMAGE``: it cannot be read on.
    """
    low = name.lower()
    if low.endswith(".xlsx"):
        sheets = _sheets(data, options.sheet)
        yield from next(sheets)[1]
    elif low.endswith(_arrow.SUFFIXES):
        yield from rows_within(_column_rows(name, data), packed_bytes=len(data))
    else:
        text, layout = _rows_layout(data, options)
        for row in csv_rows(io.StringIO(text, newline=""), layout.separator or ONE_COLUMN):
            if isinstance(row, RowFault):
                raise csv.Error(f"line {row.line}: {row.code}")
            yield row


def previewed(name: str, make: Callable[[], TablePreview]) -> TablePreview | LabelFileProblem:
    """What is made of a table, or why it cannot be read."""
    try:
        return make()
    except LabelError as error:
        return LabelFileProblem(name, error.code)
    except TABLE_DAMAGE:
        return LabelFileProblem(name, "label_file_broken")


def rows_layout(data: bytes, options: TableOptions = AS_GUESSED) -> TableOptions:
    """The options with a CSV's encoding and separator, as ``table_rows`` reads it.

    Raises:
        LabelError: it is in another encoding than the options say.
    """
    return _rows_layout(data, options)[1]


def _rows_layout(data: bytes, options: TableOptions) -> tuple[str, TableOptions]:
    text, layout = _decoded(data, options)
    if layout.separator is None:
        head = text.partition("\n")[0]
        layout = layout.model_copy(update={"separator": max(_DELIMITERS, key=head.count)})
    return text, layout


def _decoded(data: bytes, options: TableOptions) -> tuple[str, TableOptions]:
    if options.encoding is not None:
        return text_in(data, options.encoding), options
    text, encoding = text_and_encoding(data)
    return text, options.model_copy(update={"encoding": encoding})


class RowFault(NamedTuple):
    """A row that cannot be read; ``code`` is a key of ``REASONS``."""

    code: str
    line: int = 0
    """Of the file, from 1; 0: the row's own place in the table."""


def csv_rows(lines: Iterable[str], delimiter: str) -> Iterator[list[str] | RowFault]:
    """The rows of a CSV. A quotation mark that is never closed costs its own line: the lines after it are read again.

    The library would give the rest of the file as one cell and say nothing.

    Args:
        lines: with their ends.
        delimiter: parts the columns.
    """
    source = _Lines(iter(lines))
    for _ in range(_MAX_FAULTS):
        reader = csv.reader(source, delimiter=delimiter, strict=True)
        try:
            for row in reader:
                yield row
                source.settle()
        except csv.Error:
            sloppy = source.only()
            if sloppy is None:
                yield RowFault("table_quote_unclosed", source.begin + 1)
                source.again()
            else:  # marks within a cell that are not doubled: what is meant is clear enough on one line
                yield from _sloppy(sloppy, delimiter, source.begin + 1)
                source.settle()
        else:
            return
    raise csv.Error("too many quotation marks are not closed")


def _sloppy(line: str, delimiter: str, number: int) -> Iterator[list[str] | RowFault]:
    try:
        yield from csv.reader([line], delimiter=delimiter)
    except csv.Error:
        yield RowFault("table_quote_unclosed" if line.count('"') % 2 else "table_row_invalid", number)


class _Lines:
    """Lines that can be read again from the one behind that where the present row begins."""

    def __init__(self, lines: Iterator[str]) -> None:
        self._lines = lines
        self._ahead: deque[str] = deque()
        self._row: list[str] = []
        self.begin = 0
        """Lines before the present row."""
        self._has_ended = False

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        try:
            line = self._ahead.popleft() if self._ahead else next(self._lines)
        except StopIteration:
            self._has_ended = True
            raise
        self._row.append(line)
        return line

    def settle(self) -> None:
        """The row is whole: what follows is the next one."""
        self.begin += len(self._row)
        self._row.clear()

    def only(self) -> str | None:
        """The line of a row that has one; None where it goes on behind it, or would like to."""
        return self._row[0] if len(self._row) == 1 and not self._has_ended else None

    def again(self) -> None:
        """Leaves out the line where the row began, and gives those behind it once more."""
        self._ahead.extendleft(reversed(self._row[1:]))
        self._row.clear()
        self.begin += 1
        self._has_ended = False


def table_sheets(
    name: str, data: bytes, options: TableOptions = AS_GUESSED
) -> Iterator[tuple[str, Iterator[list[str] | RowFault]]]:
    """Title and rows of each sheet, a head first where the kind of file has one; a title only where there are several sheets.

    The columns of CSV are parted by the mark that parts most rows alike, unless the options say which.

    Raises:
        one of ``TABLE_DAMAGE``: as ``table_rows``, while the rows are walked.
    """
    low = name.lower()
    if low.endswith(".xlsx"):
        yield from _sheets(data, options.sheet)
    elif low.endswith(_arrow.SUFFIXES):
        yield "", rows_within(_column_rows(name, data), packed_bytes=len(data))
    elif low.endswith((".json", ".jsonl", ".ndjson")):
        yield "", _json_rows(data)
    else:
        text, layout = csv_layout(name, data, options)
        yield "", csv_rows(io.StringIO(text, newline=""), layout.separator or ONE_COLUMN)


def csv_layout(name: str, data: bytes, options: TableOptions = AS_GUESSED) -> tuple[str, TableOptions]:
    """The text of a CSV, and the options with its encoding and its separator.

    Raises:
        LabelError: it is in another encoding than the options say.
    """
    text, layout = _decoded(data, options)
    if layout.separator is None:
        usual = "\t" if name.lower().endswith((".tsv", ".tab")) else ","
        layout = layout.model_copy(update={"separator": _delimiter(text, usual)})
    return text, layout


def sheet_titles(name: str, data: bytes) -> tuple[str, ...]:
    """Those of an Excel file, where it has several sheets.

    Raises:
        one of ``TABLE_DAMAGE``: it cannot be read.
    """
    return tuple(title for title, _ in _sheets(data, None) if title) if name.lower().endswith(".xlsx") else ()


def _delimiter(text: str, usual: str) -> str:
    """The mark that parts most of the first rows into the same number of columns, the usual one first; empty: none does."""
    sample = text[:_SNIFFED_CHARS]
    best, most = "", 0.0
    for delimiter in (usual, *_DELIMITERS.replace(usual, "")):
        try:
            found = list(islice(csv.reader(io.StringIO(sample, newline=""), delimiter=delimiter), _SNIFFED_ROWS + 1))
        except csv.Error:
            continue
        rows = [row for row in (found[:-1] if len(found) > 1 else found) if row]  # the last one may be cut
        width, count = Counter(map(len, rows)).most_common(1)[0] if rows else (1, 0)
        if width > 1 and len(rows[0]) == width and count / len(rows) > most:
            best, most = delimiter, count / len(rows)
    return best


def _sheets(data: bytes, chosen: str | None) -> Iterator[tuple[str, Iterator[list[str]]]]:
    if sum(sheet_check(io.BytesIO(data), packed_bytes=len(data)).values()) > _MAX_SHEET_BYTES:
        raise LabelError("table_unpacks_too_far")
    book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True)
    try:
        sheets = [sheet for sheet in book.worksheets if chosen in {None, sheet.title}]
        if chosen is not None and not sheets:
            raise LabelError("table_sheet_missing")
        for sheet in sheets:
            rows = ([_cell_text(value) for value in row] for row in sheet.iter_rows(values_only=True))
            yield sheet.title if len(book.worksheets) > 1 else "", rows_within(rows, packed_bytes=len(data))
    finally:
        book.close()


def _column_rows(name: str, data: bytes) -> Iterator[list[str]]:
    with columnar(name, {name: data}) as table:
        fields = [field for field in table.schema if not pa.types.is_nested(field.type) or _is_list(field.type)]
        fields = [field for field in fields if not pa.types.is_binary(field.type)]
        names = [field.name for field in fields]
        known = class_names(table.schema)
        classes = [known.get(column, []) for column in names]
        yield names
        for batch in table.batches(10_000, names):
            for row in zip(*(batch.column(column).to_pylist() for column in names), strict=True):
                yield [_cell_text(_named(value, one)) for value, one in zip(row, classes, strict=True)]


def _named(value: object, classes: Sequence[str]) -> object:
    return [class_name(one, classes) for one in value] if isinstance(value, list) else class_name(value, classes)


def _is_list(kind: pa.DataType) -> bool:
    """Whether it is a list of names or of numbers of classes."""
    is_list = pa.types.is_list(kind) or pa.types.is_large_list(kind)
    within = kind.value_type if is_list else None
    return bool(is_list and (pa.types.is_string(within) or pa.types.is_large_string(within) or pa.types.is_integer(within)))


def _json_rows(data: bytes) -> Iterator[list[str] | RowFault]:
    """Objects, one a line or in a list; the keys of the first rows are the columns."""
    rows = _objects(data)
    first = list(islice(rows, _JSON_ROWS))
    columns = list(dict.fromkeys(key for row in first if row is not None for key in row))
    yield columns
    for part in (first, rows):
        for row in part:
            yield RowFault("table_row_invalid") if row is None else [_cell_text(row.get(column)) for column in columns]


def _objects(data: bytes) -> Iterator[dict[str, object] | None]:
    if data[:1024].lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"["):
        listed = json_of(data)
        for one in listed if isinstance(listed, list) else ():
            yield one if isinstance(one, dict) else None
        return
    for line in text_of(data).split("\n"):
        if line.strip():
            try:
                found = json_of(line.encode("utf-8", "replace"))
            except LabelError:
                found = None
            yield found if isinstance(found, dict) else None


def _cell_text(value: object) -> str:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, list):
        return labels_joined(_cell_text(one) for one in value if not isinstance(one, (dict, list)))
    if isinstance(value, dict):
        return ""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


@lru_cache(maxsize=4096)
def class_labels_of(labels: str, scores: str) -> tuple[ClassLabel, ...]:
    """The labels of a cell with the scores of another; a table says the same few things of all its items.

    Raises:
        LabelError: one is no label or no score.
    """
    names = labels_parted(labels)
    given = scores.split("|") if scores else []
    numbers = [score_of(one.strip()) for one in given] if len(given) == len(names) else [None] * len(names)
    return tuple(made(ClassLabel, label=label_text(name), score=score) for name, score in zip(names, numbers, strict=True))


def classes_written(classes: Sequence[ClassLabel]) -> tuple[str, str]:
    """The inverse of ``class_labels_of``."""
    scores = [one.score for one in classes]
    shown = "" if all(score is None for score in scores) else "|".join("" if one is None else repr(one) for one in scores)
    return labels_joined(one.label for one in classes), shown

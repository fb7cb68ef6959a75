"""Rows of tables as lists of texts, read while they are walked: files of any length, in memory that does not grow.

Cells of CSV stay as they are written. Typed cells (Excel, Parquet, JSON) become the text that ``runtime.cells`` makes
of them when a program sends them to a service, and moments become ISO 8601, so that a cell means the same everywhere.
"""

from __future__ import annotations

import codecs
import io
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import IO, Any, TypeVar

import openpyxl
import orjson
import pyarrow as pa

from automl.contracts.table import MAX_COLUMNS
from labeling.formats import _arrow
from labeling.formats._arrow import Columnar, columnar
from labeling.formats._class_names import class_name, class_names
from labeling.formats._files import opened
from labeling.formats._files import text_of as text_of_bytes
from labeling.formats._row_columns import csv_delimiter
from labeling.formats._table_limits import rows_counted, rows_within, sheet_check
from labeling.formats._tables import ONE_COLUMN, RowFault, csv_rows
from labeling.formats._values import LabelError
from runtime.cells import text_of
from studio.datasets.files.limits import LIMITS
from studio.datasets.files.table_options import CODECS, Encoding, TableOptions, options_of

SUFFIXES = (".csv", ".tsv", ".tab", ".xlsx", *_arrow.SUFFIXES, ".json", ".jsonl", ".ndjson")
_LINES = (".jsonl", ".ndjson")
_MARKS = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_UNASSIGNED = re.compile("[\ue000-\uf8ff]")
"""As ``studio.datasets.files.text`` has it: GB 18030 maps bytes that mean nothing to it there."""
_CHUNK = 4 * 2**20
_SNIFFED_CHARS = 256 * 1024
_MAX_SHEET_BYTES = 4 * 2**30
"""Of an Excel file, unpacked; its parts are read as streams, all but the texts that cells share."""
_MAX_SHARED_BYTES = 512 * 2**20
_BATCH = 5_000
_MIDNIGHT = time()

Cells = Sequence[str]
Rows = Iterator[Cells | RowFault]
_Row = TypeVar("_Row")


@dataclass(frozen=True)
class Part:
    """A sheet of a file, or the whole of one that has no sheets."""

    title: str
    """Of a sheet where there are several."""
    rows: Rows
    """The head first where ``has_head`` is True."""
    has_head: bool | None
    """None: the rows themselves must tell."""
    fraction: Callable[[], float]


def parts_of(name: str, files: Mapping[str, bytes]) -> Iterator[Part]:
    """The tables of a file.

    Args:
        name: whose suffix says how it is read.
        files: bytes by name; one that lies on disk is read from there (``path``).

    Raises:
        LabelError: its encoding is unknown, or it is no table.
        one of ``_tables.TABLE_DAMAGE``: it cannot be read on.
    """
    low = name.lower()
    if low.endswith(".xlsx"):
        yield from _sheets(name, files)
    elif low.endswith(_arrow.SUFFIXES):
        yield from _columns(name, files)
    elif low.endswith(".json"):
        yield from _json(name, files)
    elif low.endswith(_LINES):
        yield from _json_lines(name, files)
    else:
        yield from _csv(name, files)


def _csv(name: str, files: Mapping[str, bytes]) -> Iterator[Part]:
    with opened(name, files) as (file, size):
        layout = _layout(name, file, options_of(files))
        encoding = CODECS[layout.encoding or "utf-8"]
        with io.TextIOWrapper(file, encoding=encoding, newline="") as text:
            rows = csv_rows(text, layout.separator or ONE_COLUMN)
            yield Part("", rows_counted(rows), layout.has_head, lambda: _fraction(file, size))


def csv_layout(name: str, files: Mapping[str, bytes]) -> TableOptions:
    """What was said of a CSV, with its encoding and its separator.

    Raises:
        LabelError: its encoding is unknown, or another than was said.
    """
    with opened(name, files) as (file, _):
        return _layout(name, file, options_of(files))


def _layout(name: str, file: IO[bytes], options: TableOptions) -> TableOptions:
    """As ``csv_layout``; ``file`` stands at its beginning then."""
    encoding = options.encoding or _encoding(file)
    if options.encoding is not None and not _decodes(file, options.encoding):
        raise LabelError("table_encoding_wrong")
    separator: str | None = options.separator
    if separator is None:
        usual = "\t" if name.lower().endswith((".tsv", ".tab")) else ","
        text = io.TextIOWrapper(file, encoding=CODECS[encoding], newline="")
        sample = text.read(_SNIFFED_CHARS)
        sample += text.readline() if len(sample) == _SNIFFED_CHARS else ""
        separator = csv_delimiter(sample, usual)
        text.detach().seek(0)
    return options.model_copy(update={"encoding": encoding, "separator": separator})


def _fraction(file: IO[bytes], size: int) -> float:
    return 1.0 if file.closed else file.tell() / max(size, 1)


def _encoding(file: IO[bytes]) -> Encoding:
    """UTF-8, UTF-16 with its mark, or GB 18030. The whole file is looked at: one name may stand at its end.

    Raises:
        LabelError: none of them.
    """
    mark = file.read(2)
    file.seek(0)
    if mark in {codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE}:
        return "utf-16"
    guesses: tuple[Encoding, ...] = ("utf-8", "gb18030")
    for encoding in guesses:
        if _decodes(file, encoding):
            return encoding
    raise LabelError("text_undecodable")


def _decodes(file: IO[bytes], encoding: Encoding) -> bool:
    decoder = codecs.getincrementaldecoder(CODECS[encoding])()
    try:
        while chunk := file.read(_CHUNK):
            if b"\0" in chunk and encoding != "utf-16":
                raise LabelError("table_kind_unknown")
            text = decoder.decode(chunk)
            if encoding == "gb18030" and _UNASSIGNED.search(text):
                return False
        decoder.decode(b"", True)
    except UnicodeDecodeError:
        return False
    finally:
        file.seek(0)
    return True


def sheet_titles(name: str, files: Mapping[str, bytes]) -> tuple[str, ...]:
    """Those of an Excel file, where it has several sheets."""
    if not name.lower().endswith(".xlsx"):
        return ()
    with opened(name, files) as (file, _):
        book = openpyxl.load_workbook(file, read_only=True)
        try:
            return tuple(sheet.title for sheet in book.worksheets) if len(book.worksheets) > 1 else ()
        finally:
            book.close()


def _sheets(name: str, files: Mapping[str, bytes]) -> Iterator[Part]:
    with opened(name, files) as (file, size):
        sizes = sheet_check(file, packed_bytes=size)
        if sum(sizes.values()) > _MAX_SHEET_BYTES or sizes.get("xl/sharedStrings.xml", 0) > _MAX_SHARED_BYTES:
            raise LabelError("table_unpacks_too_far")
        file.seek(0)
        book, options = openpyxl.load_workbook(file, read_only=True, data_only=True), options_of(files)
        try:
            sheets = [sheet for sheet in book.worksheets if options.sheet in {None, sheet.title}]
            if options.sheet is not None and not sheets:
                raise LabelError("table_sheet_missing")
            for sheet in sheets:
                title, counted = (sheet.title if len(book.worksheets) > 1 else ""), _Counted(sheet.max_row or 0)
                rows = rows_within(map(_shown_row, sheet.iter_rows(values_only=True)), packed_bytes=size)
                yield Part(title, counted.walked(rows), options.has_head, counted.fraction)
        finally:
            book.close()


class _Counted:
    """How far a walk over so many rows is."""

    def __init__(self, total: int) -> None:
        self._total, self._done = total, 0

    def fraction(self) -> float:
        """0..1."""
        return min(self._done / max(self._total, 1), 1.0)

    def walked(self, rows: Iterable[_Row]) -> Iterator[_Row]:
        """The rows, counted."""
        for row in rows:
            self._done += 1
            yield row


def _columns(name: str, files: Mapping[str, bytes]) -> Iterator[Part]:
    with opened(name, files) as (_, size), columnar(name, files) as table:
        rows = rows_within(_column_rows(table), packed_bytes=size)
        if table.num_rows is None:
            yield Part("", rows, True, lambda: 0.0)
            return
        counted = _Counted(table.num_rows)
        yield Part("", counted.walked(rows), True, counted.fraction)


def _column_rows(table: Columnar) -> Iterator[Cells]:
    yield list(table.schema.names)
    known = class_names(table.schema)
    for batch in table.batches(_BATCH, table.schema.names):
        yield from zip(*(_cells(batch.column(name), known.get(name, [])) for name in batch.schema.names), strict=True)


def _cells(column: pa.Array, classes: Sequence[str]) -> list[str]:
    kind = column.type
    if pa.types.is_dictionary(kind):
        column = column.dictionary_decode()
        kind = column.type
    if pa.types.is_timestamp(kind) and kind.unit == "ns":
        column = column.cast(pa.timestamp("us", kind.tz), safe=False)
    return [_cell_text(class_name(value, classes)) for value in column.to_pylist()]


def _json(name: str, files: Mapping[str, bytes]) -> Iterator[Part]:
    """A list of objects, an object that holds one, or objects one a line."""
    with opened(name, files) as (file, size):
        if size > LIMITS.max_file_bytes:
            raise LabelError("file_too_large")
        try:
            found = orjson.loads(_utf8(file.read()))
        except orjson.JSONDecodeError:
            found = None
    if isinstance(found, dict):
        found = next((value for value in found.values() if isinstance(value, list) and value), [found])
    if not isinstance(found, list):
        yield from _json_lines(name, files)
        return
    counted = _Counted(len(found))
    yield Part("", counted.walked(_object_rows(found, _keys(found))), True, counted.fraction)


def _utf8(data: bytes) -> bytes:
    return data if not data.startswith(_MARKS) else text_of_bytes(data).encode()


def _json_lines(name: str, files: Mapping[str, bytes]) -> Iterator[Part]:
    with opened(name, files) as (file, size):
        keys = _keys(_objects(file))
        file.seek(0)
        yield Part("", rows_counted(_object_rows(_objects(file), keys)), True, lambda: _fraction(file, size))


def _objects(file: IO[bytes]) -> Iterator[object]:
    """What each line holds; None where it is no JSON."""
    for line in file:
        text = line.removeprefix(codecs.BOM_UTF8).strip()
        if text:
            try:
                yield orjson.loads(text)
            except orjson.JSONDecodeError:
                yield None


def _keys(rows: Iterable[object]) -> list[str]:
    """All keys, in order of appearance."""
    keys: dict[str, None] = {}
    for one in rows:
        if isinstance(one, dict):
            keys.update(dict.fromkeys(one))
            if len(keys) > MAX_COLUMNS:
                raise LabelError("table_too_wide")
    if not keys:
        raise LabelError("table_without_rows")
    return list(keys)


def _object_rows(objects: Iterable[object], keys: Sequence[str]) -> Rows:
    yield keys
    for one in objects:
        yield [_cell_text(one.get(key)) for key in keys] if isinstance(one, dict) else RowFault("table_row_invalid")


def _shown_row(values: Iterable[object]) -> Cells:
    return [_cell_text(value) for value in values]


def _cell_text(value: Any) -> str:  # noqa: ANN401, PLR0911 - whatever a cell may hold
    """A typed cell as text."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, bool | int | float):
        return "" if isinstance(value, float) and math.isnan(value) else text_of(value)
    if isinstance(value, datetime):
        is_day = value.time() == _MIDNIGHT and value.tzinfo is None
        return value.date().isoformat() if is_day else value.isoformat(sep=" ")
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, timedelta):
        return text_of(value.total_seconds())
    if isinstance(value, Decimal):
        return f"{value:f}"
    if isinstance(value, dict | list):
        return orjson.dumps(value, default=str).decode()
    return "" if isinstance(value, bytes) else str(value)

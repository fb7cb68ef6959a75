"""Takes rows out of a request's body: JSON, JSON Lines, CSV, or a form with such a file."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...bodies import form_parse, threshold_of, top_of
from ...errors import ArgumentInvalidError
from ..kind import PredictRequest
from .errors import RowInvalidError, RowsJsonInvalidError, RowsMissingError, RowsTooManyError, TableUnreadableError
from .rows import RowCells

MAX_ROWS = 1_000
"""In one request."""
DELIMITERS = ",;\t|"
LINES_TYPES = ("application/x-ndjson", "application/jsonl", "application/jsonlines", "application/json-lines")
INVALID_CELLS = ("refuse", "missing")
_HALF_PAIR = re.compile(r"\\u[dD][89a-fA-F]")


@dataclass(slots=True)
class RowsRequest(PredictRequest):
    """What the caller asks; ``items`` are rows."""

    is_lenient: bool = False
    """Takes cells that cannot be read as missing."""
    has_rows: bool = False
    """Whether EasyDL's answer repeats the rows: ``include_req``."""


def rows_request(body: bytes, content_type: str, query: Mapping[str, str], columns: Collection[str]) -> RowsRequest:
    """Finds rows and arguments. Arguments in the body win over those in the address.

    Args:
        body: JSON with ``row`` or ``rows`` unless the content type says CSV, JSON Lines or a form with one such file.
        content_type: of the body.
        query: of the address.
        columns: that the model reads; the delimiter of a CSV is the one by which its first line names most of them.

    Raises:
        RuntimeFault: an error of ``bodies`` or ``row_errors`` says what is wrong.
    """
    if not body.strip():
        raise RowsMissingError
    arguments: Mapping[str, Any] = {}
    kind = content_type.partition(";")[0].strip().lower()
    if kind == "multipart/form-data":
        files, arguments = form_parse(body, content_type, RowsMissingError)
        if len(files) != 1:
            raise RowsMissingError if not files else TableUnreadableError(f"one file is read, not {len(files)}")
        rows = file_rows(files[0], columns)
    elif kind == "text/csv":
        rows = _from_csv(text_of_body(body), columns)
    elif kind in LINES_TYPES:
        rows = _from_lines(text_of_body(body))
    else:
        rows, arguments = _from_json(text_of_body(body))
    if not rows:
        raise RowsMissingError
    if len(rows) > MAX_ROWS:
        raise RowsTooManyError(f"{len(rows):,} rows, at most {MAX_ROWS:,} go into one request")
    arguments = {**query, **arguments} if query else arguments
    # Asked as EasyDL's clients ask about a table.
    is_batch = "data" in arguments and "row" not in arguments and "rows" not in arguments
    has_rows = arguments.get("include_req") in (True, "true")
    top, threshold, is_lenient = top_of(arguments), threshold_of(arguments), is_lenient_of(arguments)
    return RowsRequest(rows, top, threshold, is_batch, is_lenient, has_rows)


def file_rows(data: bytes, columns: Collection[str]) -> list[RowCells]:
    """The rows of a file: CSV, JSON Lines, or JSON as a request's body.

    Args:
        data: the file, UTF-8.
        columns: that the model reads.

    Raises:
        RuntimeFault: an error of ``bodies`` or ``row_errors`` says what is wrong.
    """
    text = text_of_body(data)
    if not text.lstrip().startswith("{"):
        return _from_csv(text, columns)
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError):
        return _from_lines(text)
    is_request = isinstance(whole, dict) and (isinstance(whole.get("rows"), list) or isinstance(whole.get("row"), dict))
    return _from_json(text)[0] if is_request else _from_lines(text)


def _from_json(text: str) -> tuple[list[RowCells], dict[str, Any]]:
    try:
        fields = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise RowsJsonInvalidError(f"the body is not JSON: {error}") from error
    if not isinstance(fields, dict):
        raise RowsJsonInvalidError("the body is JSON but not an object")
    rows = fields.get("rows", [fields["row"]] if "row" in fields else fields.get("data", []))
    if not isinstance(rows, list):
        raise RowInvalidError("row must be an object, rows a list of objects")
    _check_characters(text, rows)
    return rows, fields


def _from_lines(text: str) -> list[RowCells]:
    rows: list[RowCells] = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise TableUnreadableError(f"line {number} is not JSON: {error}") from error
        if not isinstance(row, dict):
            raise TableUnreadableError(f"line {number} is JSON but not an object")
        rows.append(row)
    _check_characters(text, rows)
    return rows


def _from_csv(text: str, columns: Collection[str]) -> list[RowCells]:
    first = text.lstrip("\r\n").partition("\n")[0].rstrip("\r")
    known = frozenset(columns)
    delimiter = max(DELIMITERS, key=lambda each: (len(known.intersection(_split(first, each))), first.count(each)))
    try:
        lines = [line for line in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True) if line]
    except csv.Error as error:
        raise TableUnreadableError(f"the CSV cannot be read: {error}") from error
    names = [name.strip() for name in lines[0]] if lines else []
    if len(set(names)) != len(names):
        raise TableUnreadableError("the first line names a column twice")
    rows: list[RowCells] = []
    for number, line in enumerate(lines[1:], 1):
        if len(line) > len(names):
            raise TableUnreadableError(f"row {number} has {len(line)} cells, but {len(names)} columns are named")
        rows.append(dict(zip(names, line, strict=False)))
    return rows


def _split(line: str, delimiter: str) -> list[str]:
    try:
        return [name.strip() for name in next(csv.reader([line], delimiter=delimiter), [])]
    except csv.Error:
        return []


def text_of_body(body: bytes) -> str:
    """A body as text, without a byte order mark.

    Raises:
        TableUnreadableError: it is not UTF-8.
    """
    try:
        return body.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise TableUnreadableError(f"the body is not UTF-8: {error.reason} at byte {error.start}") from error


def _check_characters(text: str, rows: Sequence[Any]) -> None:
    """Half of a surrogate pair, which JSON can spell, is no character."""
    if _HALF_PAIR.search(text) is None:
        return
    try:
        json.dumps(rows, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        raise RowInvalidError(f"a cell holds what is no character: {error.reason}") from error


def is_lenient_of(arguments: Mapping[str, Any]) -> bool:
    """Whether the caller wants cells that cannot be read to count as missing.

    Raises:
        ArgumentInvalidError: it is neither ``refuse`` nor ``missing``.
    """
    given = arguments.get("invalid_cells", INVALID_CELLS[0])
    if given not in INVALID_CELLS:
        raise ArgumentInvalidError(f"invalid_cells must be refuse or missing, not {given!r}")
    return bool(given == INVALID_CELLS[1])

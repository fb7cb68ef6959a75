"""Rows of a table in the API's description."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...errors import AnswerInvalidError, ArgumentInvalidError, MultipartInvalidError
from ...schemas import BINARY, REQUEST_OPTIONS, Schema, object_of, request_of
from ..kind import Contents, Description
from .bodies import INVALID_CELLS, LINES_TYPES, MAX_ROWS
from .errors import (
    BackgroundMissingError,
    CellInvalidError,
    ColumnsMissingError,
    ExplainJsonInvalidError,
    RowInvalidError,
    RowsJsonInvalidError,
    RowsMissingError,
    RowsTooManyError,
    TableUnreadableError,
)
from .explain import MAX_BACKGROUND, MAX_EVALUATIONS

CELL: Schema = {"type": ["string", "number", "boolean", "null"]}
LENIENT: Schema = {
    "type": "string",
    "enum": list(INVALID_CELLS),
    "default": INVALID_CELLS[0],
    "description": "What becomes of a cell that is no number or no moment where one is wanted: `missing` takes it as empty.",
}
TYPES = {"number": ["number", "string", "null"], "datetime": ["string", "number", "null"]}
_FAULTS = (
    ArgumentInvalidError,
    MultipartInvalidError,
    AnswerInvalidError,
    RowsJsonInvalidError,
    RowsMissingError,
    RowsTooManyError,
    RowInvalidError,
    TableUnreadableError,
    ColumnsMissingError,
    CellInvalidError,
)
_NAMES: Schema = {"type": "array", "items": {"type": "string"}}
_NOTES: Schema = {
    "unknown_columns": {**_NAMES, "description": "Columns that the model does not read."},
    "missing_columns": {**_NAMES, "description": "Columns of the model that no row has."},
    "unseen_categories": {"type": "object", "additionalProperties": _NAMES, "description": "By column, values never seen."},
    "mostly_missing_rows": {"type": "array", "items": {"type": "integer"}, "description": "Rows that lack most cells."},
}


def description(decode: Mapping[str, Any] | None) -> Description:
    """What the API's description says of rows; ``decode`` names a model's columns, None speaks of any model."""
    return Description(
        "rows of a table",
        _contents(decode),
        _FAULTS,
        query={"invalid_cells": LENIENT},
        notes=_NOTES,
        easydl_contents=_easydl_contents(),
        explaining=_explaining(decode),
        explained=_explained(),
        explaining_faults=(BackgroundMissingError, ExplainJsonInvalidError),
    )


def _contents(decode: Mapping[str, Any] | None) -> Contents:
    row = row_schema(decode)
    rows = {"type": "array", "items": row, "minItems": 1, "maxItems": MAX_ROWS}
    options = {**REQUEST_OPTIONS, "invalid_cells": LENIENT}
    table = {"type": "string", "description": "UTF-8; the first line names the columns."}
    lines = {"type": "string", "description": "A JSON object a line."}
    return {
        "application/json": {"schema": {"oneOf": [request_of("row", row, options), request_of("rows", rows, options)]}},
        "text/csv": {"schema": table},
        **{media_type: {"schema": lines} for media_type in LINES_TYPES[:1]},
        "multipart/form-data": {"schema": request_of("file", BINARY, {})},
    }


def _easydl_contents() -> Contents:
    rows = {"type": "array", "minItems": 1, "items": {"type": "object", "additionalProperties": CELL}}
    schema = request_of("data", rows, {"include_req": {"type": "boolean", "default": False}})
    return {"application/json": {"schema": schema}}


def _explaining(decode: Mapping[str, Any] | None) -> Contents:
    row = row_schema(decode)
    background = {
        "type": "array",
        "items": row,
        "minItems": 1,
        "description": f"Rows to compare with; the first {MAX_BACKGROUND:,} are used.",
    }
    fields = {
        "row": row,
        "background": background,
        "label": {"type": "string", "description": "Whose score is explained; without it all."},
        "max_evaluations": {"type": "integer", "minimum": 1, "maximum": MAX_EVALUATIONS},
        "invalid_cells": LENIENT,
    }
    return {"application/json": {"schema": {"type": "object", "required": ["row", "background"], "properties": fields}}}


def _explained() -> Schema:
    numbers: Schema = {"type": "array", "items": {"type": "number"}}
    whole: Schema = {"type": "integer", "minimum": 0}
    fields = {"id": {"type": "string"}, "model": {"type": "string"}, "labels": _NAMES, "columns": _NAMES, "answer": numbers}
    fields |= {"base": numbers, "values": {"type": "array", "items": numbers}}
    return object_of({**fields, "num_background": whole, "num_evaluations": whole, "latency_ms": {"type": "number"}})


def row_schema(decode: Mapping[str, Any] | None) -> Schema:
    """A row as an object; columns that are not there are missing, others are left alone."""
    schema: Schema = {"type": "object", "minProperties": 1, "additionalProperties": CELL}
    if decode is not None:
        schema["properties"] = {str(column["name"]): _column(column) for column in decode["columns"]}
    return schema


def _column(column: Mapping[str, Any]) -> Schema:
    parts = [str(column["kind"])]
    if column.get("units"):
        parts.append(f"in {column['units'][0]}")
    if column.get("datetime_format"):
        parts.append(f"written as {column['datetime_format']}")
    schema: Schema = {"type": TYPES.get(str(column["kind"]), CELL["type"]), "description": ", ".join(parts)}
    examples = list(column.get("choices") or ())[:10] or [column.get("typical") or ""]
    return {**schema, "examples": examples} if examples != [""] else schema

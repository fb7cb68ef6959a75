"""The JSON schema of an answer with fields, for the API's description."""

from __future__ import annotations

from ..schemas import SCORE, Schema, object_of
from .values import NAMES

_POINTS: Schema = {
    "type": "array",
    "minItems": 4,
    "maxItems": 4,
    "items": {"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2},
    "description": "Corners in pixels of the picture as it was sent.",
}
_PROBLEM: Schema = {
    "type": "object",
    "required": ["code"],
    "properties": {
        "code": {
            "enum": [
                "missing",
                "number_invalid",
                "amount_invalid",
                "date_invalid",
                "choice_unknown",
                "characters_corrected",
                "table_not_found",
                "table_cut",
                "columns_differ",
            ]
        },
        "choices": {"type": "array", "items": {"type": "string"}},
        "row": {"type": "integer", "minimum": 0, "description": "Of a table: the row that it is about, from 0."},
        "column": {"type": "string"},
    },
}
_AMOUNT = object_of({"amount": {"type": "string"}, "currency": {"type": ["string", "null"]}})
_VALUE: Schema = {"anyOf": [{"type": ["string", "number", "null"]}, _AMOUNT]}
_ROWS: Schema = {
    "type": "array",
    "items": {"type": "object", "additionalProperties": _VALUE},
    "description": "Of a table: its rows, each with a value by the name of a column; null where a cell is empty.",
}
_CELL = object_of(
    {
        "row": {"type": "integer", "minimum": 0},
        "column": {"type": "string"},
        "text": {"type": "string"},
        "confidence": SCORE,
        "points": _POINTS,
    }
)
_FIELD = object_of(
    {
        "name": {"type": "string"},
        "kind": {"enum": list(NAMES)},
        "value": {"anyOf": [*_VALUE["anyOf"], _ROWS]},
        "text": {"type": "string", "description": "As it was read."},
        "confidence": SCORE,
        "points": _POINTS,
        "lines": {"type": "array", "items": _POINTS},
        "problems": {"type": "array", "items": _PROBLEM},
    }
)
_FIELD["properties"]["cells"] = {"type": "array", "items": _CELL, "description": "Of a table: what was read in each cell."}
FORM: Schema = object_of(
    {
        "template": {"type": "string"},
        "version": {"type": "string"},
        "fields": {"type": "array", "items": _FIELD},
        "references": object_of(
            {
                "found": {"type": "integer"},
                "total": {"type": "integer"},
                "missing": {"type": "array", "items": {"type": "string"}},
            }
        ),
    }
)

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
            ]
        },
        "choices": {"type": "array", "items": {"type": "string"}},
    },
}
_AMOUNT = object_of({"amount": {"type": "string"}, "currency": {"type": ["string", "null"]}})
_FIELD = object_of(
    {
        "name": {"type": "string"},
        "kind": {"enum": list(NAMES)},
        "value": {"anyOf": [{"type": ["string", "number", "null"]}, _AMOUNT]},
        "text": {"type": "string", "description": "As it was read."},
        "confidence": SCORE,
        "points": _POINTS,
        "lines": {"type": "array", "items": _POINTS},
        "problems": {"type": "array", "items": _PROBLEM},
    }
)
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

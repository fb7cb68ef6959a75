"""JSON schemas that several parts of the API's description use."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Schema = dict[str, Any]
SCORE: Schema = {"type": "number", "minimum": 0, "maximum": 1}
BINARY: Schema = {"type": "string", "format": "binary"}
TOP: Schema = {
    "type": "integer",
    "minimum": 1,
    "description": "At most so many annotations of each item, the best first; without it 5 labels, or 100 objects.",
}
THRESHOLD: Schema = {
    "type": "number",
    "minimum": 0,
    "maximum": 1,
    "description": "Lowest score; without it the deployment's own.",
}
REQUEST_OPTIONS: Schema = {
    "top": TOP,
    "top_num": {**TOP, "description": "The same as `top`, as EasyDL calls it."},
    "threshold": THRESHOLD,
}
"""What every request may hold beside its items."""


def object_of(properties: Mapping[str, Any]) -> Schema:
    """An object that has all of these properties."""
    return {"type": "object", "required": list(properties), "properties": dict(properties)}


def request_of(field: str, schema: Schema, options: Schema = REQUEST_OPTIONS) -> Schema:
    """A request with one field that must be there, and what it may hold beside."""
    return {"type": "object", "required": [field], "properties": {field: schema, **options}}

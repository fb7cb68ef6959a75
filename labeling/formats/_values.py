"""Texts, numbers and shapes from whatever a label file holds."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from pydantic import ValidationError

from automl.contracts.annotation import AttributeValue, Primitive
from studio.datasets.files.formats import label_is_valid

_COLOR = re.compile(r"#[0-9a-fA-F]{6}")
_One = TypeVar("_One", bound=Primitive)


class LabelError(ValueError):
    """Something cannot be read as a label; ``code`` is a key of ``REASONS``."""

    def __init__(self, code: str = "annotation_invalid") -> None:
        super().__init__(code)
        self.code = code


def made(kind: type[_One], **fields: Any) -> _One:
    """An annotation of parts that somebody else wrote.

    Raises:
        LabelError: they make none.
    """
    label = fields.get("label", "x")
    if not isinstance(label, str) or not label_is_valid(label):
        raise LabelError("label_invalid")
    try:
        one = kind(**fields)
    except (ValidationError, ValueError, TypeError):
        raise LabelError from None
    if not is_finite(one.model_dump().values()):
        raise LabelError
    return one


def is_finite(values: Iterable[object]) -> bool:
    """Whether all numbers, nested ones too, are real ones."""
    for value in values:
        if isinstance(value, float) and not math.isfinite(value):
            return False
        if isinstance(value, (tuple, list)) and not is_finite(value):
            return False
        if isinstance(value, dict) and not is_finite(value.values()):
            return False
    return True


def label_text(value: object) -> str:
    """A label's name from whatever a file holds; raises ``LabelError``."""
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        raise LabelError("label_invalid")
    text = str(value).strip()
    if not label_is_valid(text):
        raise LabelError("label_invalid")
    return text


def labels_joined(names: Iterable[str]) -> str:
    """Several labels in one cell: ``rose|red``, a bar within a label behind a backslash."""
    return "|".join(name.replace("\\", "\\\\").replace("|", "\\|") for name in names)


def labels_parted(cell: str) -> list[str]:
    """The inverse of ``labels_joined``; an empty cell holds none."""
    parts = re.split(r"(\\[\\|]|\|)", cell)
    names = [""]
    for part in parts:
        if part == "|":
            names.append("")
        else:
            names[-1] += part[1:] if part in {"\\\\", "\\|"} else part
    return [name.strip() for name in names] if cell.strip() else []


def number(value: object) -> float:
    """A finite number from a number or its text; raises ``LabelError``."""
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        raise LabelError
    try:
        found = float(value)
    except (ValueError, OverflowError):
        raise LabelError from None
    if not math.isfinite(found):
        raise LabelError
    return found


def whole(value: object) -> int:
    """A whole number; raises ``LabelError``."""
    found = number(value)
    if found != int(found):
        raise LabelError
    return int(found)


def score_of(value: object) -> float | None:
    """A confidence of 0..1, None when there is none; raises ``LabelError``."""
    if value is None or value == "":
        return None
    found = number(value)
    if not 0 <= found <= 1:
        raise LabelError
    return found


def attributes_of(values: Mapping[str, object]) -> tuple[AttributeValue, ...]:
    """Attributes from names and plain values; nothing but texts, numbers and switches can be one."""
    out = []
    for name, value in values.items():
        if value is None or not 0 < len(name) <= 64:
            continue
        if isinstance(value, (bool, str)):
            out.append(AttributeValue(name=name, value=value))
        elif isinstance(value, (int, float)) and math.isfinite(value):
            out.append(AttributeValue(name=name, value=float(value)))
    return tuple(out)


def typed_text(text: str) -> str | float | bool:
    """What a text of an XML attribute means: a switch, a number or itself."""
    low = text.strip().lower()
    if low in {"true", "false"}:
        return low == "true"
    try:
        value = float(low)
    except ValueError:
        return text
    return value if math.isfinite(value) and re.fullmatch(r"[-+]?[0-9.]+(e[-+]?[0-9]+)?", low) else text


def color_of(value: object) -> str:
    """A colour as ``#rrggbb``; the usual blue when the file says nothing."""
    return value if isinstance(value, str) and _COLOR.fullmatch(value) else "#4c6ef5"

"""XML in and out: read without entities or DTDs, written without a tree."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from xml.etree.ElementTree import Element, ParseError
from xml.sax.saxutils import escape, quoteattr

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

from automl.contracts.annotation import AttributeValue
from labeling.formats._values import LabelError, attributes_of, number, typed_text

_ILLEGAL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_ODD = re.compile(f"{_ILLEGAL.pattern}|[&<>]")


def xml_of(data: bytes, tag: str | None = None) -> Element:
    """Parses XML, whose root must be of this tag; raises ``LabelError``."""
    try:
        root: Element = fromstring(data, forbid_dtd=True)
    except (ParseError, DefusedXmlException, ValueError, LookupError):
        raise LabelError("label_file_broken") from None
    if tag is not None and root.tag != tag:
        raise LabelError("label_file_broken")
    return root


def text_in(element: Element, path: str) -> str:
    """The text below a path, empty when there is none."""
    return (element.findtext(path) or "").strip()


def number_in(element: Element, path: str) -> float:
    """The number below a path; raises ``LabelError``."""
    return number(text_in(element, path))


def escaped(text: str) -> str:
    """A text as content of an element."""
    return escape(_ILLEGAL.sub("", text)) if _ODD.search(text) else text


def quoted(text: str) -> str:
    """A text as an attribute's value, quotes included."""
    return quoteattr(_ILLEGAL.sub("", text))


def shown(value: float) -> str:
    """A number without a needless fraction."""
    return str(int(value)) if value == int(value) else repr(value)


def value_typed(one: AttributeValue) -> tuple[str, str]:
    """An attribute's type and text."""
    if isinstance(one.value, bool):
        return "switch", "true" if one.value else "false"
    if isinstance(one.value, float):
        return "number", shown(one.value)
    return "text", one.value


def values_read(values: Mapping[str, tuple[str | None, str]]) -> tuple[AttributeValue, ...]:
    """Attributes from their types and texts; what comes without a type is told by its text."""
    plain: dict[str, Any] = {name: text if kind == "text" else typed_text(text) for name, (kind, text) in values.items()}
    return attributes_of(plain)

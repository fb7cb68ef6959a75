"""A template as data: what it says, and where it lies."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .errors import TemplateInvalidError, TemplateUnknownError
from .values import NAMES, AreaReader, Reader, value_kind

TEMPLATES_DIR = "templates"
"""Of an artefact: a file a template, ``<slug>.json``."""
KNOWN_SCHEMA = 1
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Reference:
    """A text that is printed on every picture of the form."""

    text: str
    corners: Floats
    """``_42``, in pixels of the template's picture, from where the text begins."""


@dataclass(frozen=True)
class Field:
    """An area in which something wanted stands."""

    name: str
    kind: str
    reader: Reader | AreaReader
    is_required: bool
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True)
class Template:
    """Where on a form what stands, in pixels of the picture that the form was marked on."""

    slug: str
    version: str
    """Of the content: another content has another one."""
    width: float
    height: float
    references: tuple[Reference, ...]
    fields: tuple[Field, ...] = field(default=())


def template_parse(slug: str, content: Mapping[str, Any], *, is_complete: bool = True) -> Template:
    """Reads a template's data.

    Args:
        slug: its name in addresses.
        content: ``schema_version``, ``width``, ``height``, ``references`` of ``text`` and ``points``, ``fields`` of ``name``,
            ``kind``, ``is_required``, ``box`` and ``options``.
        is_complete: whether it needs at least one of each.

    Raises:
        TemplateInvalidError: it is not by the contract.
    """
    try:
        if content["schema_version"] != KNOWN_SCHEMA:
            raise ValueError(f"its schema is {content['schema_version']}, this runtime knows {KNOWN_SCHEMA}")
        template = Template(
            slug=slug,
            version=content_version(content),
            width=_positive(content["width"]),
            height=_positive(content["height"]),
            references=tuple(_reference(each) for each in content["references"]),
            fields=tuple(_field(each) for each in content["fields"]),
        )
        if is_complete and not (template.references and template.fields):
            raise ValueError("it needs a reference text and a field")
        if len({each.name for each in template.fields}) < len(template.fields):
            raise ValueError("two fields have the same name")
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise TemplateInvalidError(f"template {slug}: {error}"[:300]) from error
    return template


def content_version(content: Mapping[str, Any]) -> str:
    """The same content has the same version: twelve hexadecimal digits of its SHA-256."""
    canonical = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(canonical.encode()).hexdigest()[:12]


def templates_in(artefact_dir: Path) -> dict[str, Template]:
    """The templates that lie with an artefact, by slug.

    Raises:
        TemplateInvalidError: one is not by the contract.
        OSError, ValueError: a file cannot be read.
    """
    files = sorted((artefact_dir / TEMPLATES_DIR).glob("*.json"))
    return {file.stem: template_parse(file.stem, json.loads(file.read_bytes())) for file in files}


def templates_named(templates: Mapping[str, Template], name: str | None) -> Mapping[str, Template]:
    """The template that a caller names; without a name all of them, of which the one that fits is taken.

    Raises:
        TemplateUnknownError: there is none of that name, or none at all.
    """
    if name is None and templates:
        return templates
    if name is not None and name in templates:
        return {name: templates[name]}
    known = ", ".join(templates) or "none"
    raise TemplateUnknownError(f"there is no template {name!r}; known: {known}" if name else "there is no template")


def _reference(fields: Mapping[str, Any]) -> Reference:
    corners = np.array(fields["points"], dtype=np.float64)
    text = str(fields["text"]).strip()
    if corners.shape != (4, 2) or not np.isfinite(corners).all():
        raise ValueError("a reference has four corners")
    if not text:
        raise ValueError("a reference has a text")
    return Reference(text, corners)


def _field(fields: Mapping[str, Any]) -> Field:
    kind, box, name = fields["kind"], fields["box"], str(fields["name"]).strip()
    if kind not in NAMES:
        raise ValueError(f"there is no kind of fields {kind!r}, only {', '.join(NAMES)}")
    if not name:
        raise ValueError("a field has a name")
    return Field(
        name=name,
        kind=kind,
        reader=value_kind(kind)(fields.get("options") or {}),
        is_required=bool(fields.get("is_required", False)),
        x=_finite(box["x"]),
        y=_finite(box["y"]),
        width=_positive(box["width"]),
        height=_positive(box["height"]),
    )


def _finite(value: Any) -> float:  # noqa: ANN401 - from JSON
    number = float(value)
    if not math.isfinite(number):
        raise ValueError(f"{value} is no number")
    return number


def _positive(value: Any) -> float:  # noqa: ANN401 - from JSON
    if (number := _finite(value)) <= 0:
        raise ValueError(f"{value} is not above zero")
    return number


def corners_of(area: Field) -> Floats:
    """The corners ``_42`` of a field, clockwise from the upper left."""
    right, lower = area.x + area.width, area.y + area.height
    return np.array([(area.x, area.y), (right, area.y), (right, lower), (area.x, lower)])

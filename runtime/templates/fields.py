"""From the lines that were read in a picture to the fields of a template."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NotRequired, TypedDict

import numpy as np

from ._place import Match, TemplateMatch, mapped, place
from ._texts import Span, found_in, shares
from .area import FieldArea, Pixels
from .errors import ReferencesNotFoundError
from .lines import Floats, Line, Piece, line_part, rows_of
from .template import Field, Template, corners_of
from .values import AreaReader, Cell, Problem, Reading

LEAST_LIKENESS = 0.7
"""Of a reference text and what was read."""
_PART_SPREAD = 4.0
"""Corners of a part of a line are guessed by its characters."""
_WHOLE_SHARE = 0.5
_OTHER_SHARE = 0.2
SCORE_DIGITS = 4
PIXEL_DIGITS = 2


class FieldValue(TypedDict):
    """What was read for a wanted field."""

    name: str
    kind: str
    value: Any
    """By the kind of the field; None where there is none."""
    text: str
    """As it was read."""
    confidence: float
    """The lowest score of what was read, 0..1; 0 where nothing was."""
    points: list[list[float]]
    """The field's four corners in the picture, in its pixels."""
    lines: list[list[list[float]]]
    """Corners of what was read, in the same."""
    problems: list[Problem]
    cells: NotRequired[list[CellValue]]
    """Of a table."""


class CellValue(TypedDict):
    """What was read in a cell of a table; its value stands in that of the field."""

    row: int
    """From 0; the row with the headings is none."""
    column: str
    text: str
    confidence: float
    points: list[list[float]]
    """Corners in the picture, in its pixels."""


class ReferencesFound(TypedDict):
    """How much of the form was recognised."""

    found: int
    total: int
    missing: list[str]


class FieldsAnswer(TypedDict):
    """The answer to one picture."""

    template: str
    version: str
    fields: list[FieldValue]
    references: ReferencesFound


def fields_read(template: Template, lines: Sequence[Line], picture: Pixels | None = None) -> FieldsAnswer:
    """Finds the form by its reference texts, and reads its fields.

    Args:
        template: of the form.
        lines: read in the picture, in its pixels.
        picture: in which kinds of fields that are drawn, such as tables, look for their rules.

    Raises:
        ReferencesNotFoundError: the picture does not show the form.
    """
    return _read(template, lines, _placed(template, lines), picture)


def fields_of_best(templates: Mapping[str, Template], lines: Sequence[Line], picture: Pixels | None = None) -> FieldsAnswer:
    """Reads by the template of which most was found: the largest share of reference texts, each counting by how alike it was.

    Args:
        templates: at least one, by slug.
        lines: as of ``fields_read``.
        picture: as of ``fields_read``.

    Raises:
        ReferencesNotFoundError: the picture shows none of the forms; the numbers are those of the nearest.
    """
    best: tuple[float, int, Template, TemplateMatch] | None = None
    nearest: ReferencesNotFoundError | None = None
    for _, template in sorted(templates.items()):
        try:
            placed = _placed(template, lines)
        except ReferencesNotFoundError as error:
            nearest = error if nearest is None or error.found > nearest.found else nearest
            continue
        share = sum(each.likeness for each in placed.matches) / len(template.references)
        if best is None or (share, len(placed.matches)) > best[:2]:
            best = (share, len(placed.matches), template, placed)
    if best is None:
        assert nearest is not None  # each template was found or was not
        raise nearest
    return _read(best[2], lines, best[3], picture)


def _read(template: Template, lines: Sequence[Line], placed: TemplateMatch, picture: Pixels | None) -> FieldsAnswer:
    found = {each.reference for each in placed.matches}
    taken = _by_field(template.fields, list(_pieces(lines, placed)))
    backwards = np.asarray(np.linalg.inv(placed.projection), dtype=np.float64)
    whole = [Piece(line, mapped(backwards, line.corners), row) for row, line in enumerate(lines)]
    return {
        "template": template.slug,
        "version": template.version,
        "fields": [
            _value(each, own, FieldArea(each, placed.projection, whole, picture))
            for each, own in zip(template.fields, taken, strict=True)
        ],
        "references": {
            "found": len(found),
            "total": len(template.references),
            "missing": [each.text for number, each in enumerate(template.references) if number not in found],
        },
    }


def _placed(template: Template, lines: Sequence[Line]) -> TemplateMatch:
    """Raises ``ReferencesNotFoundError`` where too few texts lie as on the template."""
    total = len(template.references)
    needed = min(total, max(2, math.ceil(total / 3)))
    placed = place(_candidates(template, lines), math.hypot(template.width, template.height))
    found = {each.reference for each in placed.matches} if placed else set()
    if placed is None or len(found) < needed:
        missing = [each.text for number, each in enumerate(template.references) if number not in found]
        raise ReferencesNotFoundError(len(found), needed, missing)
    return placed


def _candidates(template: Template, lines: Sequence[Line]) -> list[Match]:
    found = []
    for number, reference in enumerate(template.references):
        for row, line in enumerate(lines):
            span = found_in(line.text, reference.text, LEAST_LIKENESS)
            if span is not None:
                is_whole = span.begin == 0 and span.end == len(line.text)
                corners = line.corners if is_whole else line_part(line, span.begin, span.end).corners
                spread = 1.0 if is_whole else _PART_SPREAD
                found.append(Match(number, row, span.likeness, reference.corners, corners, spread))
    return found


def _pieces(lines: Sequence[Line], placed: TemplateMatch) -> Iterator[Piece]:
    """What was read beside the reference texts."""
    backwards = np.asarray(np.linalg.inv(placed.projection), dtype=np.float64)
    spans: dict[int, list[Span]] = {}
    for match in placed.matches:
        text = lines[match.line].text
        begin, end = _characters(lines[match.line], match)
        spans.setdefault(match.line, []).append(Span(begin, min(end, len(text)), match.likeness))
    for row, line in enumerate(lines):
        reached = 0
        for span in [*sorted(spans.get(row, ())), Span(len(line.text), len(line.text), 1.0)]:
            rest = line.text[reached : max(reached, span.begin)]
            if rest.strip(" :：.,;"):
                part = line_part(line, reached, span.begin)
                yield Piece(part, mapped(backwards, part.corners), row)
            reached = max(reached, span.end)


def _characters(line: Line, match: Match) -> tuple[int, int]:
    """Which characters of a line a match is made of."""
    if match.spread == 1.0:
        return 0, len(line.text)
    length = max(float(np.hypot(*(line.corners[1] - line.corners[0]))), 1e-9)
    first, last = (float(np.hypot(*(match.in_picture[place] - line.corners[0]))) / length for place in (0, 1))
    along = np.array(shares(line.text))
    return int(np.abs(along - first).argmin()), int(np.abs(along - last).argmin())


def _by_field(fields: Sequence[Field], pieces: Sequence[Piece]) -> list[list[Piece]]:
    """What stands in each field: whole where most of it does, otherwise its words whose middle does."""
    taken: list[list[Piece]] = [[] for _ in fields]
    for piece in pieces:
        points = piece.points()
        inside = np.array([_share(each, points) for each in fields])
        best = int(inside.argmax())
        others = np.delete(inside, best)
        if inside[best] >= _WHOLE_SHARE and not (others >= _OTHER_SHARE).any():
            taken[best].append(piece)
            continue
        if inside[best] <= 0:
            continue
        for word in piece.parts():
            owner = _owner(fields, word.on_form.mean(axis=0))
            if owner is not None:
                taken[owner].append(word)
    return taken


def _share(field: Field, points: Floats) -> float:
    """How many of the points lie in a field, 0..1."""
    x, y = points.T
    is_in = (x >= field.x) & (x <= field.x + field.width) & (y >= field.y) & (y <= field.y + field.height)
    return float(is_in.mean())


def _owner(fields: Sequence[Field], point: Floats) -> int | None:
    """The smallest field in which a point lies."""
    x, y = point
    there = [
        (each.width * each.height, number)
        for number, each in enumerate(fields)
        if each.x <= x <= each.x + each.width and each.y <= y <= each.y + each.height
    ]
    return min(there)[1] if there else None


def _value(field: Field, pieces: Sequence[Piece], area: FieldArea) -> FieldValue:
    if is_drawn := isinstance(field.reader, AreaReader):
        pieces = area.pieces
        reading = field.reader.read_area(area)
    else:
        reading = field.reader.read(rows) if (rows := rows_of(pieces)) else Reading(None)
    problems = list(reading.problems)
    if field.is_required and not problems and reading.value in (None, []):
        problems.append({"code": "missing"})
    scores = [each.line.score for each in pieces]
    confidence = min(scores) * reading.certainty if scores else 0.0
    found: FieldValue = {
        "name": field.name,
        "kind": field.kind,
        "value": reading.value,
        "text": "\n".join(rows_of(pieces)),
        "confidence": round(confidence, SCORE_DIGITS),
        "points": _rounded(mapped(area.projection, corners_of(field))),
        "lines": [_rounded(each.line.corners) for each in pieces],
        "problems": problems,
    }
    return {**found, "cells": [_cell_value(each, area) for each in reading.cells]} if is_drawn else found


def _cell_value(cell: Cell, area: FieldArea) -> CellValue:
    return {
        "row": cell.row,
        "column": cell.column,
        "text": cell.text,
        "confidence": round(cell.confidence, SCORE_DIGITS),
        "points": _rounded(mapped(area.projection, cell.corners)),
    }


def _rounded(corners: Floats) -> list[list[float]]:
    found: list[list[float]] = np.round(corners, PIXEL_DIGITS).tolist()
    return found

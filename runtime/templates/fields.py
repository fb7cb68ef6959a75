"""From the lines that were read in a picture to the fields of a template."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypedDict

import numpy as np
from numpy.typing import NDArray

from ..answers.quads import TEXT
from ._place import Match, TemplateMatch, mapped, place
from ._texts import Span, found_in, shares
from .errors import ReferencesNotFoundError
from .template import Field, Template, corners_of
from .values import Problem, Reading

LEAST_LIKENESS = 0.7
"""Of a reference text and what was read."""
_PART_SPREAD = 4.0
"""Corners of a part of a line are guessed by its characters."""
_WHOLE_SHARE = 0.5
_OTHER_SHARE = 0.2
_SAME_ROW = 0.5
_UNSPACED_FROM = 0x2E80
"""Scripts of East Asia, which have no blanks between words."""
SCORE_DIGITS = 4
PIXEL_DIGITS = 2
Floats = NDArray[np.float64]


class Line(NamedTuple):
    """A line of text, or a part of one."""

    text: str
    corners: Floats
    """``_42``, in pixels, from where the text begins."""
    score: float
    """0..1."""


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


@dataclass(frozen=True)
class _Piece:
    """A line or a part of one, as it lies on the template."""

    line: Line
    on_form: Floats
    row: int
    """Number of the line that it is of."""


def lines_of(annotations: Iterable[Any]) -> list[Line]:
    """The lines of text among annotations of a model or a person: polygons of four corners that say something."""
    found = []
    for each in annotations:
        if each.get("kind") != "polygon" or len(each.get("points", ())) != 4:
            continue
        text = next((one["value"] for one in each.get("attributes", ()) if one.get("name") == TEXT), "")
        if str(text).strip():
            score = each.get("score")
            found.append(Line(str(text), np.array(each["points"], dtype=np.float64), 1.0 if score is None else float(score)))
    return found


def fields_read(template: Template, lines: Sequence[Line]) -> FieldsAnswer:
    """Finds the form by its reference texts, and reads its fields.

    Args:
        template: of the form.
        lines: read in the picture, in its pixels.

    Raises:
        ReferencesNotFoundError: the picture does not show the form.
    """
    placed = _placed(template, lines)
    found = {each.reference for each in placed.matches}
    pieces = list(_pieces(lines, placed))
    taken = _by_field(template.fields, pieces)
    return {
        "template": template.slug,
        "version": template.version,
        "fields": [_value(each, own, placed) for each, own in zip(template.fields, taken, strict=True)],
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
                corners = line.corners if is_whole else _part(line, span.begin, span.end).corners
                spread = 1.0 if is_whole else _PART_SPREAD
                found.append(Match(number, row, span.likeness, reference.corners, corners, spread))
    return found


def _part(line: Line, begin: int, end: int) -> Line:
    """Some characters of a line; where they stand is guessed by the widths that characters have."""
    return Line(line.text[begin:end], _part_corners(line.corners, line.text, begin, end), line.score)


def _part_corners(corners: Floats, text: str, begin: int, end: int) -> Floats:
    along = shares(text)
    upper, lower = corners[1] - corners[0], corners[2] - corners[3]
    first, last = along[begin], along[end]
    return np.stack(
        [corners[0] + upper * first, corners[0] + upper * last, corners[3] + lower * last, corners[3] + lower * first]
    )


def _pieces(lines: Sequence[Line], placed: TemplateMatch) -> Iterator[_Piece]:
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
                part = _part(line, reached, span.begin)
                yield _Piece(part, mapped(backwards, part.corners), row)
            reached = max(reached, span.end)


def _characters(line: Line, match: Match) -> tuple[int, int]:
    """Which characters of a line a match is made of."""
    if match.spread == 1.0:
        return 0, len(line.text)
    length = max(float(np.hypot(*(line.corners[1] - line.corners[0]))), 1e-9)
    first, last = (float(np.hypot(*(match.in_picture[place] - line.corners[0]))) / length for place in (0, 1))
    along = np.array(shares(line.text))
    return int(np.abs(along - first).argmin()), int(np.abs(along - last).argmin())


def _by_field(fields: Sequence[Field], pieces: Sequence[_Piece]) -> list[list[_Piece]]:
    """What stands in each field: whole where most of it does, otherwise its words whose middle does."""
    taken: list[list[_Piece]] = [[] for _ in fields]
    for piece in pieces:
        inside = np.array([_share(each, piece.on_form) for each in fields])
        best = int(inside.argmax())
        others = np.delete(inside, best)
        if inside[best] >= _WHOLE_SHARE and not (others >= _OTHER_SHARE).any():
            taken[best].append(piece)
            continue
        if inside[best] <= 0:
            continue
        for begin, end in _words(piece.line.text):
            on_form = _part_corners(piece.on_form, piece.line.text, begin, end)
            word = _Piece(_part(piece.line, begin, end), on_form, piece.row)
            owner = _owner(fields, word.on_form.mean(axis=0))
            if owner is not None:
                taken[owner].append(word)
    return taken


def _share(field: Field, corners: Floats) -> float:
    """How much of a quadrilateral lies in a field, 0..1, by points all over it."""
    across, down = (np.arange(24) + 0.5) / 24, (np.arange(6) + 0.5) / 6
    upper = corners[0] + (corners[1] - corners[0]) * across[:, None]
    lower = corners[3] + (corners[2] - corners[3]) * across[:, None]
    points = upper[:, None] + (lower - upper)[:, None] * down[None, :, None]
    x, y = points[..., 0], points[..., 1]
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


def _words(text: str) -> Iterator[tuple[int, int]]:
    """Begin and end of each word; a colon ends one, and each character of scripts without blanks is one."""
    begin = 0
    for end, character in enumerate(text, 1):
        if character in " :：" or ord(character) >= _UNSPACED_FROM:
            yield begin, end
            begin = end
    if begin < len(text):
        yield begin, len(text)


def _value(field: Field, pieces: Sequence[_Piece], placed: TemplateMatch) -> FieldValue:
    rows = _rows(pieces)
    text = "\n".join(rows)
    reading = field.reader.read(rows) if text else Reading(None)
    problems = list(reading.problems)
    if not text and field.is_required:
        problems.append({"code": "missing"})
    scores = [each.line.score for each in pieces]
    confidence = min(scores) * reading.certainty if scores else 0.0
    return {
        "name": field.name,
        "kind": field.kind,
        "value": reading.value,
        "text": text,
        "confidence": round(confidence, SCORE_DIGITS),
        "points": _rounded(mapped(placed.projection, corners_of(field))),
        "lines": [_rounded(each.line.corners) for each in pieces],
        "problems": problems,
    }


def _rows(pieces: Sequence[_Piece]) -> list[str]:
    """What stands in a field row by row, as on the form: what is of one row is joined."""
    rows: list[list[_Piece]] = []
    for piece in sorted(pieces, key=lambda each: float(each.on_form[:, 1].mean())):
        if rows and _is_beside(rows[-1][-1], piece):
            rows[-1].append(piece)
        else:
            rows.append([piece])
    return [text for row in rows if (text := _joined(sorted(row, key=lambda each: float(each.on_form[:, 0].mean()))))]


def _joined(row: Sequence[_Piece]) -> str:
    """Words of one line as they stood, lines beside each other with a blank."""
    text, before = "", None
    for piece in row:
        text += ("" if before in (None, piece.row) else " ") + piece.line.text
        before = piece.row
    return text.strip(" :：")


def _is_beside(one: _Piece, other: _Piece) -> bool:
    upper, lower = (
        np.array([each.on_form[:2, 1].mean() for each in (one, other)]),
        np.array([each.on_form[2:, 1].mean() for each in (one, other)]),
    )
    shared = float(lower.min() - upper.max())
    return shared > _SAME_ROW * float((lower - upper).min())


def _rounded(corners: Floats) -> list[list[float]]:
    found: list[list[float]] = np.round(corners, PIXEL_DIGITS).tolist()
    return found

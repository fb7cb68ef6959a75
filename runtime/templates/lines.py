"""Lines of text that were read in a picture, and parts of them as they lie on a form."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..annotations import corners_of
from ..answers.quads import TEXT
from ._texts import shares

_SAME_ROW = 0.5
_UNSPACED_FROM = 0x2E80
"""Scripts of East Asia, which have no blanks between words."""
Floats = NDArray[np.float64]


class Line(NamedTuple):
    """A line of text, or a part of one."""

    text: str
    corners: Floats
    """``_42``, in pixels, from where the text begins."""
    score: float
    """0..1."""


@dataclass(frozen=True)
class Piece:
    """A line or a part of one, as it lies on the template."""

    line: Line
    on_form: Floats
    row: int
    """Number of the line that it is of."""

    def parts(self) -> Iterator[Piece]:
        """Its words."""
        for begin, end in _words(self.line.text):
            on_form = part_corners(self.on_form, self.line.text, begin, end)
            yield Piece(line_part(self.line, begin, end), on_form, self.row)

    def points(self) -> Floats:
        """Points all over it, ``_N2``, in pixels of the template."""
        across, down = (np.arange(24) + 0.5) / 24, (np.arange(6) + 0.5) / 6
        upper = self.on_form[0] + (self.on_form[1] - self.on_form[0]) * across[:, None]
        lower = self.on_form[3] + (self.on_form[2] - self.on_form[3]) * across[:, None]
        points: Floats = (upper[:, None] + (lower - upper)[:, None] * down[None, :, None]).reshape(-1, 2)
        return points


def lines_of(annotations: Iterable[Any]) -> list[Line]:
    """The lines of text among annotations of a model or a person: polygons of four corners that say something."""
    found = []
    for each in annotations:
        corners = corners_of(each)
        if corners is None:
            continue
        text = next((one["value"] for one in each.get("attributes", ()) if one.get("name") == TEXT), "")
        if str(text).strip():
            score = each.get("score")
            found.append(Line(str(text), np.array(corners, dtype=np.float64), 1.0 if score is None else float(score)))
    return found


def line_part(line: Line, begin: int, end: int) -> Line:
    """Some characters of a line; where they stand is guessed by the widths that characters have."""
    return Line(line.text[begin:end], part_corners(line.corners, line.text, begin, end), line.score)


def part_corners(corners: Floats, text: str, begin: int, end: int) -> Floats:
    """Corners of some characters of a text."""
    along = shares(text)
    upper, lower = corners[1] - corners[0], corners[2] - corners[3]
    first, last = along[begin], along[end]
    return np.stack(
        [corners[0] + upper * first, corners[0] + upper * last, corners[3] + lower * last, corners[3] + lower * first]
    )


def _words(text: str) -> Iterator[tuple[int, int]]:
    """Begin and end of each word; a colon ends one, and each character of scripts without blanks is one."""
    begin = 0
    for end, character in enumerate(text, 1):
        if character in " :：" or ord(character) >= _UNSPACED_FROM:
            yield begin, end
            begin = end
    if begin < len(text):
        yield begin, len(text)


def rows_of(pieces: Sequence[Piece]) -> list[str]:
    """What stands in a field row by row, as on the form: what is of one row is joined."""
    rows: list[list[Piece]] = []
    for piece in sorted(pieces, key=lambda each: float(each.on_form[:, 1].mean())):
        if rows and _is_beside(rows[-1][-1], piece):
            rows[-1].append(piece)
        else:
            rows.append([piece])
    return [text for row in rows if (text := _joined(sorted(row, key=lambda each: float(each.on_form[:, 0].mean()))))]


def _joined(row: Sequence[Piece]) -> str:
    """Words of one line as they stood, lines beside each other with a blank."""
    text, before = "", None
    for piece in row:
        text += ("" if before in (None, piece.row) else " ") + piece.line.text
        before = piece.row
    return text.strip(" :：")


def _is_beside(one: Piece, other: Piece) -> bool:
    upper, lower = (
        np.array([each.on_form[:2, 1].mean() for each in (one, other)]),
        np.array([each.on_form[2:, 1].mean() for each in (one, other)]),
    )
    shared = float(lower.min() - upper.max())
    return shared > _SAME_ROW * float((lower - upper).min())

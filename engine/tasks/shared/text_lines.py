"""Lines of text as people draw them: polygons with the text in an attribute."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from automl.contracts.annotation import Annotation, Polygon
from runtime.answers.quads import TEXT
from runtime.pipelines._quads import from_upper_left
from runtime.pipelines._regions import smallest_rectangle

ILLEGIBLE = "###"
"""What ICDAR's and PaddleOCR's files have for a line that nobody can read."""


class TextLine(NamedTuple):
    """A line."""

    corners: NDArray[np.float64]
    """x and y in pixels ``_42``, from where the text begins."""
    text: str
    """Empty where nobody can read it."""


def lines_of(annotations: Iterable[Annotation]) -> list[TextLine]:
    """The lines of an item, in the order in which they were drawn."""
    return [TextLine(_corners(each), text_of(each)) for each in annotations if isinstance(each, Polygon)]


def text_of(line: Polygon) -> str:
    """The text of a line, with single spaces; empty where nobody can read it."""
    text = next((each.value for each in line.attributes if each.name == TEXT and isinstance(each.value, str)), "")
    plain = plain_of(text)
    return "" if plain == ILLEGIBLE else plain


def plain_of(text: str) -> str:
    """The same text, with single spaces between its words and none around it."""
    return " ".join(text.split())


def _corners(line: Polygon) -> NDArray[np.float64]:
    """Its own where it has four; else those of the smallest rectangle around it."""
    points_P2 = np.array(line.points, dtype=np.float64)
    return points_P2 if len(points_P2) == 4 else from_upper_left(smallest_rectangle(points_P2))

"""The annotations that a prediction consists of: with a score each, or one number."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, NotRequired, TypedDict

SCORE_DIGITS = 6
"""Finer than any tolerance; a longer tail is noise of the last float bit."""
NEUTRAL_SCORE = 0.5
"""Where a label's border is taken to be that has no threshold."""


class ClassAnnotation(TypedDict):
    """The primitive ``class`` with a score."""

    kind: Literal["class"]
    label: str
    score: float


class HeatMap(TypedDict):
    """How unlike the normal pictures each place of a picture is: a coarse grid over all of it."""

    score: float
    """Of the picture: the largest of its places, 0..1."""
    width: int
    height: int
    values: str
    """A byte a cell, row by row, 255 for one, in base64."""


class HeatMapAnnotation(ClassAnnotation):
    """The primitive ``class`` with a score, and where in the picture the reason lies."""

    heat_map: HeatMap


class BoxAnnotation(TypedDict):
    """The primitive ``box`` with a score: pixels of the file's picture, origin top left."""

    kind: Literal["box"]
    label: str
    x: float
    y: float
    width: float
    height: float
    score: float


class MaskAnnotation(TypedDict):
    """The primitive ``mask`` with a score: pixels of the file's picture as COCO's compressed run lengths."""

    kind: Literal["mask"]
    label: str
    width: int
    height: int
    counts: str
    score: float


class Bounds(TypedDict):
    """An upright rectangle in pixels of the file's picture."""

    x: float
    y: float
    width: float
    height: float


class InstanceAnnotation(MaskAnnotation):
    """The primitive ``mask`` of one object with a score, and where it lies."""

    box: Bounds
    polygons: list[list[tuple[float, float]]]
    """Outlines of its parts, without their holes."""


class TextAttribute(TypedDict):
    """The text of a line."""

    name: Literal["text"]
    value: str


class TextLineAnnotation(TypedDict):
    """The primitive ``polygon`` with a score: a line of text by its four corners, from where the text begins."""

    kind: Literal["polygon"]
    label: str
    points: list[tuple[float, float]]
    attributes: list[TextAttribute]
    score: float


class ValueAnnotation(TypedDict):
    """The primitive ``value``: a number that belongs to the item, in the unit of what was learned."""

    kind: Literal["value"]
    value: float


class VectorAnnotation(TypedDict):
    """The primitive ``vector``: where the item lies among others."""

    kind: Literal["vector"]
    values: list[float]


Annotation = (
    ClassAnnotation
    | HeatMapAnnotation
    | BoxAnnotation
    | MaskAnnotation
    | InstanceAnnotation
    | TextLineAnnotation
    | ValueAnnotation
    | VectorAnnotation
)


class Interval(TypedDict):
    """The interval that holds the true number, except at the error rate."""

    low: float
    high: float
    error_rate: float


class Answer(TypedDict):
    """The answer of a model to one item."""

    annotations: list[Annotation]
    """Best first."""
    ask_a_person: NotRequired[bool]
    """Whether a person should look. This and the rest only where an error rate was chosen for the model."""
    possible_labels: NotRequired[list[str]]
    """At the error rate, the best first."""
    interval: NotRequired[Interval]
    """Of a number."""


def corners_of(annotation: Mapping[str, Any]) -> Sequence[Sequence[float]] | None:
    """The corners of an outline that has four, in their order; None of anything else."""
    points = annotation.get("points", ()) if annotation.get("kind") == "polygon" else ()
    return points if len(points) == 4 else None


def border_nearness(scored: Iterable[tuple[str, float]], thresholds: Mapping[str, float]) -> float:
    """How near the nearest score comes to its label's threshold: 1 on it, 0 when there is no score."""
    nearest = 0.0
    for label, score in scored:
        border = thresholds.get(label, NEUTRAL_SCORE)
        nearest = max(nearest, 1.0 - abs(score - border) / max(border, 1.0 - border))
    return round(nearest, 4)

"""The one vocabulary of annotation.

A prediction is an annotation with a score. So a label drawn by a person, a model's output, a pre-label, an API answer and
feedback are the same value, and nothing converts between them. Coordinates are absolute pixels as floats with the origin top
left, spans are character offsets with an exclusive end, times are seconds.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, ConfigDict, Field, TypeAdapter, model_validator

from automl.contracts.base import Contract, left_out

Coordinate = Annotated[float, AfterValidator(lambda value: value + 0.0)]
"""Minus zero becomes zero: databases disagree on whether they keep its sign, and the JSON is hashed."""
Point = tuple[Coordinate, Coordinate]
LabelName = Annotated[str, Field(min_length=1, max_length=256)]
IGNORED_LABEL = "__ignore__"
"""Label of masks and polygons whose pixels do not count, where a task has such areas (as LabelMe's scripts call it).

It is in no label set; a set that has a label of this name, from before there were such areas, keeps it as a label.
"""


class _Finite(Contract):
    """A contract whose numbers are finite, so that they can be stored, hashed and drawn."""

    model_config = ConfigDict(allow_inf_nan=False)


class AttributeValue(_Finite):
    """A property of one object, such as ``occluded = true``; its label defines which there are."""

    name: Annotated[str, Field(min_length=1, max_length=64)]
    value: str | float | bool


class Primitive(_Finite):
    """What all annotations share.

    Fields that were added later are left out of the JSON while they are empty: stored and hashed JSON stays as it was.
    """

    id: str | None = Field(default=None, max_length=64, exclude_if=lambda value: value is None)
    """Names one object within its item, so that two people's changes can be told apart. Polygons with one id are its parts."""
    attributes: tuple[AttributeValue, ...] = Field(default=(), exclude_if=lambda value: not value, json_schema_extra=left_out)
    score: float | None = Field(default=None, ge=0.0, le=1.0)
    """Confidence of a prediction, 0..1; None on a person's annotation."""
    drawn_with: Annotated[str, Field(min_length=1, max_length=64)] | None = Field(
        default=None, exclude_if=lambda value: value is None
    )
    """The tool whose shape a person accepted, e.g. ``click_mask``; None when it was drawn by hand."""


class HeatMap(_Finite):
    """How unlike the normal pictures each place of a picture is, 0..1: a coarse grid over all of it."""

    score: float = Field(ge=0.0, le=1.0)
    """Of the picture: the largest of its places."""
    width: int = Field(gt=0, le=1024)
    height: int = Field(gt=0, le=1024)
    values: str
    """A byte a cell, row by row from the top left, 255 for one, in base64."""


class ClassLabel(Primitive):
    """The whole item carries this label."""

    kind: Literal["class"] = "class"
    label: LabelName
    heat_map: HeatMap | None = Field(default=None, exclude_if=lambda value: value is None, json_schema_extra=left_out)
    """Why a model says so, where it tells normal items from others by their places."""


class Box(Primitive):
    """An upright rectangle."""

    kind: Literal["box"] = "box"
    label: LabelName
    x: Coordinate
    y: Coordinate
    width: float = Field(gt=0)
    height: float = Field(gt=0)


class RotatedBox(Primitive):
    """A rectangle turned about its centre, clockwise, in degrees."""

    kind: Literal["rotated_box"] = "rotated_box"
    label: LabelName
    center_x: Coordinate
    center_y: Coordinate
    width: float = Field(gt=0)
    height: float = Field(gt=0)
    angle_deg: Coordinate


class Polygon(Primitive):
    """A closed outline with optional holes."""

    kind: Literal["polygon"] = "polygon"
    label: LabelName
    points: tuple[Point, ...] = Field(min_length=3)
    holes: tuple[tuple[Point, ...], ...] = ()


class Polyline(Primitive):
    """An open line through points: a lane, a crack, a wire. It has no inside."""

    kind: Literal["polyline"] = "polyline"
    label: LabelName
    points: tuple[Point, ...] = Field(min_length=2)


class Bounds(_Finite):
    """An upright rectangle without a label."""

    x: Coordinate
    y: Coordinate
    width: float = Field(gt=0)
    height: float = Field(gt=0)


class Mask(Primitive):
    """A pixel mask as COCO's compressed run lengths, column by column."""

    kind: Literal["mask"] = "mask"
    label: LabelName
    width: int = Field(gt=0)
    height: int = Field(gt=0)
    counts: str
    box: Bounds | None = Field(default=None, exclude_if=lambda value: value is None, json_schema_extra=left_out)
    """Where a model sees the object, if it tells single objects apart. Answers to calls have it; it is not stored."""
    polygons: tuple[tuple[Point, ...], ...] = Field(default=(), exclude_if=lambda value: not value, json_schema_extra=left_out)
    """Outlines of the object's parts, without their holes. Answers to calls have them; they are not stored."""


class Keypoint(_Finite):
    """One named point of a skeleton; visibility as in COCO (0 absent, 1 hidden, 2 seen)."""

    name: str
    x: Coordinate
    y: Coordinate
    visibility: Literal[0, 1, 2] = 2


class Keypoints(Primitive):
    """The points of one object."""

    kind: Literal["keypoints"] = "keypoints"
    label: LabelName
    points: tuple[Keypoint, ...] = Field(min_length=1)


class Span(Primitive):
    """Characters ``start`` to ``end`` (exclusive) of a text."""

    kind: Literal["span"] = "span"
    label: LabelName
    id: str  # a relation needs it
    start: int = Field(ge=0)
    end: int

    @model_validator(mode="after")
    def _is_not_empty(self) -> Span:
        if self.end <= self.start:
            raise ValueError("a span ends after it starts")
        return self


class Relation(Primitive):
    """A labelled arrow from one span to another, by the spans' ids."""

    kind: Literal["relation"] = "relation"
    label: LabelName
    source: str
    target: str


class TextValue(Primitive):
    """A text that belongs to the item: a transcript, a caption, a line of OCR."""

    kind: Literal["text"] = "text"
    text: str


class Value(Primitive):
    """A number that belongs to the item: a regression target."""

    kind: Literal["value"] = "value"
    value: float


class Vector(Primitive):
    """Where a model puts an item: a direction, to be compared with those of other items. People never annotate with it."""

    kind: Literal["vector"] = "vector"
    values: tuple[float, ...] = Field(min_length=1, max_length=4096)
    """Their squares add up to one."""


class Cell(Primitive):
    """A value for one column of a row."""

    kind: Literal["cell"] = "cell"
    column: str
    value: str | float | bool | None


class Region(Primitive):
    """A labelled stretch of time, in seconds."""

    kind: Literal["region"] = "region"
    label: LabelName
    start_s: float = Field(ge=0)
    end_s: float = Field(gt=0)


class Track(Primitive):
    """One object through time: key frames between which a box is interpolated."""

    kind: Literal["track"] = "track"
    label: LabelName
    id: str
    frames: tuple[tuple[int, float, float, float, float], ...] = Field(min_length=1)
    """(frame index, x, y, width, height), in pixels."""


Annotation = Annotated[
    ClassLabel
    | Box
    | RotatedBox
    | Polygon
    | Polyline
    | Mask
    | Keypoints
    | Span
    | Relation
    | TextValue
    | Value
    | Vector
    | Cell
    | Region
    | Track,
    Field(discriminator="kind"),
]
"""Any primitive, told apart by ``kind``."""

AnnotationKind = Literal[
    "class",
    "box",
    "rotated_box",
    "polygon",
    "polyline",
    "mask",
    "keypoints",
    "span",
    "relation",
    "text",
    "value",
    "vector",
    "cell",
    "region",
    "track",
]

Annotations: TypeAdapter[tuple[Annotation, ...]] = TypeAdapter(tuple[Annotation, ...])
"""Validates and serialises the annotations of one item."""

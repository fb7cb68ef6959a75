"""The one vocabulary of annotation.

A prediction is an annotation with a score. So a label drawn by a person, a model's output, a pre-label, an API answer and
feedback are the same value, and nothing converts between them. Coordinates are absolute pixels as floats with the origin top
left, spans are character offsets with an exclusive end, times are seconds.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, ClassVar, Literal, TypeGuard

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

    is_of_whole_item: ClassVar[bool] = False
    """Whether it is said of the item as a whole, not of something in it."""
    can_be_ignored: ClassVar[bool] = False
    """Whether it covers pixels, which ``IGNORED_LABEL`` takes out of account."""

    id: str | None = Field(default=None, max_length=64, exclude_if=lambda value: value is None)
    """Names one object within its item, so that two people's changes can be told apart. Polygons with one id are its parts."""
    attributes: tuple[AttributeValue, ...] = Field(default=(), exclude_if=lambda value: not value, json_schema_extra=left_out)
    score: float | None = Field(default=None, ge=0.0, le=1.0)
    """Confidence of a prediction, 0..1; None on a person's annotation."""
    drawn_with: Annotated[str, Field(min_length=1, max_length=64)] | None = Field(
        default=None, exclude_if=lambda value: value is None
    )
    """The tool whose shape a person accepted, e.g. ``click_mask``; None when it was drawn by hand."""

    def key(self, *, takes_several: bool) -> str | None:
        """What names it among the annotations of its item; None where only its content does.

        Args:
            takes_several: whether an item may carry several class labels.
        """
        del takes_several
        return f"#{self.id}" if self.id else None


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

    is_of_whole_item: ClassVar[bool] = True

    kind: Literal["class"] = "class"
    label: LabelName
    heat_map: HeatMap | None = Field(default=None, exclude_if=lambda value: value is None, json_schema_extra=left_out)
    """Why a model says so, where it tells normal items from others by their places."""

    def key(self, *, takes_several: bool) -> str:
        """See ``Primitive``: its label, or that it is the one label of the item."""
        return f"class:{self.label}" if takes_several else "class"


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

    can_be_ignored: ClassVar[bool] = True

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

    can_be_ignored: ClassVar[bool] = True

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

    is_of_whole_item: ClassVar[bool] = True

    kind: Literal["text"] = "text"
    text: str


class Value(Primitive):
    """A number that belongs to the item: a regression target."""

    is_of_whole_item: ClassVar[bool] = True

    kind: Literal["value"] = "value"
    value: float

    def key(self, *, takes_several: bool) -> str:
        """See ``Primitive``: an item has one number."""
        return super().key(takes_several=takes_several) or "value"


class Vector(Primitive):
    """Where a model puts an item: a direction, to be compared with those of other items. People never annotate with it."""

    is_of_whole_item: ClassVar[bool] = True

    kind: Literal["vector"] = "vector"
    values: tuple[float, ...] = Field(min_length=1, max_length=4096)
    """Their squares add up to one."""


class Cell(Primitive):
    """A value for one column of a row."""

    kind: Literal["cell"] = "cell"
    column: str
    value: str | float | bool | None

    def key(self, *, takes_several: bool) -> str:
        """See ``Primitive``: a column has one value."""
        return super().key(takes_several=takes_several) or f"cell:{self.column}"


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


Labelled = ClassLabel | Box | RotatedBox | Polygon | Polyline | Mask | Keypoints | Span | Relation | Region | Track
"""Those with a label."""


def has_label(one: Annotation) -> TypeGuard[Labelled]:
    """Whether annotations of its kind have a label."""
    return "label" in type(one).model_fields


def label_of(one: Annotation) -> str | None:
    """The label of an annotation, if such annotations have one."""
    return one.label if has_label(one) else None


def class_labels(annotations: Iterable[Annotation]) -> list[str]:
    """The labels of an item as a whole."""
    return [one.label for one in annotations if isinstance(one, ClassLabel)]


def without_classes(annotations: Iterable[Annotation]) -> tuple[Annotation, ...]:
    """All annotations but labels of the item as a whole."""
    return tuple(one for one in annotations if not isinstance(one, ClassLabel))


def item_numbers(annotations: Iterable[Annotation]) -> list[float]:
    """The numbers that belong to an item; one, if any, unless something is wrong."""
    return [one.value for one in annotations if isinstance(one, Value)]


def stored_class(one: Mapping[str, Any]) -> str | None:
    """The label of an annotation in JSON that is one of the item as a whole; None of any other annotation."""
    return one["label"] if one.get("kind") == "class" else None


def stored_number(one: Mapping[str, Any]) -> float | None:
    """The number of an annotation in JSON that is one of the item as a whole; None of any other annotation."""
    return one["value"] if one.get("kind") == "value" else None

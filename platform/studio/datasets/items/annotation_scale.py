"""Turns coordinates that are fractions of a picture's sides into pixels."""

from __future__ import annotations

from automl.contracts.annotation import Annotation, Box, Keypoints, Polygon, Polyline


def annotations_scaled(annotations: tuple[Annotation, ...], *, width: int, height: int) -> tuple[Annotation, ...]:
    """The same shapes in pixels; what has no place, or is in pixels by nature (masks, turned boxes), stays as it is.

    Args:
        annotations: coordinates 0..1.
        width: of the picture, in pixels.
        height: of the picture, in pixels.
    """
    return tuple(_scaled(one, width, height) for one in annotations)


def _scaled(one: Annotation, width: int, height: int) -> Annotation:
    if isinstance(one, Box):
        place = {"x": one.x * width, "y": one.y * height, "width": one.width * width, "height": one.height * height}
        return one.model_copy(update=place)
    if isinstance(one, Polygon):
        holes = tuple(tuple((x * width, y * height) for x, y in hole) for hole in one.holes)
        return one.model_copy(update={"points": tuple((x * width, y * height) for x, y in one.points), "holes": holes})
    if isinstance(one, Polyline):
        return one.model_copy(update={"points": tuple((x * width, y * height) for x, y in one.points)})
    if isinstance(one, Keypoints):
        points = tuple(point.model_copy(update={"x": point.x * width, "y": point.y * height}) for point in one.points)
        return one.model_copy(update={"points": points})
    return one

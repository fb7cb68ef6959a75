"""Shapes: masks as pixels, outlines, rotated boxes, and the overlap of two drawn objects.

A mask as pixels is an array ``mask_HW`` of 0 and 1; its run lengths are ``runtime.run_lengths``. Overlaps of boxes are computed
exactly, of other outlines on a grid of pixels of their common bounds.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from automl.contracts.annotation import Annotation, Box, Keypoints, Mask, Point, Polygon, Region, RotatedBox, Span, Value
from runtime.run_lengths import MAX_PIXELS, GeometryError, Pixels, pixels_of, runs_unpack

GRID = 512
"""Longer side of the grid on which outlines are compared: an overlap is then right to about 0.01."""


SAME_NUMBER = 1e-9
"""Numbers that differ by less, relative to the larger, are the same one."""


def mask_pixels(mask: Mask) -> Pixels:
    """Pixels of a mask; raises as ``pixels_of``."""
    return pixels_of(runs_unpack(mask.counts), width=mask.width, height=mask.height)


def is_whole(one: Annotation, sides: tuple[int, int] | None, known_masks: Collection[str] = ()) -> bool:
    """Whether a mask's run lengths are those of the pixels of its picture; what is no mask is whole.

    Args:
        one: the annotation.
        sides: width and height of the picture; None where they are not known.
        known_masks: run lengths that are not looked at.
    """
    if not isinstance(one, Mask) or one.counts in known_masks:
        return True
    if sides is not None and sides != (one.width, one.height):
        return False
    try:
        return sum(runs_unpack(one.counts)) == one.width * one.height
    except GeometryError:
        return False


def masks_of(stored: Iterable[Mapping[str, Any]]) -> set[str]:
    """The run lengths of the masks among annotations in JSON."""
    return {one["counts"] for one in stored if one["kind"] == "mask"}


def pixels_place(part_HW: Pixels, *, left: int, top: int, width: int, height: int) -> Pixels:  # noqa: N803
    """Puts a cut-out into an empty picture; what lies outside is cut off."""
    if width < 1 or height < 1 or width * height > MAX_PIXELS:
        raise GeometryError("the picture is too large")
    whole = np.zeros((height, width), dtype=np.uint8)
    y0, x0 = max(top, 0), max(left, 0)
    y1, x1 = min(top + part_HW.shape[0], height), min(left + part_HW.shape[1], width)
    if y1 > y0 and x1 > x0:
        whole[y0:y1, x0:x1] = part_HW[y0 - top : y1 - top, x0 - left : x1 - left]
    return whole


def bounds_of(mask_HW: Pixels) -> tuple[int, int, int, int]:  # noqa: N803
    """Left, top, width and height of the foreground; all 0 when there is none."""
    rows, columns = np.flatnonzero(mask_HW.any(axis=1)), np.flatnonzero(mask_HW.any(axis=0))
    if not rows.size:
        return 0, 0, 0, 0
    left, top = int(columns[0]), int(rows[0])
    return left, top, int(columns[-1]) - left + 1, int(rows[-1]) - top + 1


def polygon_pixels(polygons: Iterable[Polygon], *, width: int, height: int) -> Pixels:
    """Fills polygons, holes left out."""
    picture = Image.new("L", (width, height))
    draw = ImageDraw.Draw(picture)
    for polygon in polygons:
        if polygon.holes:
            part = Image.new("L", (width, height))
            pencil = ImageDraw.Draw(part)
            pencil.polygon(list(polygon.points), fill=1)
            for hole in polygon.holes:
                pencil.polygon(list(hole), fill=0)
            picture.paste(1, mask=part.point(lambda value: 255 * value))
        else:
            draw.polygon(list(polygon.points), fill=1)
    return np.asarray(picture, dtype=np.uint8)


def ring_area(points: Sequence[Point]) -> float:
    """Area inside a ring, in square pixels (shoelace formula)."""
    return abs(sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in zip(points, (*points[1:], points[0]), strict=True))) / 2


def ring_bounds(points: Sequence[Point]) -> tuple[float, float, float, float]:
    """Left, top, width and height of points."""
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)


def corner_of(box: RotatedBox) -> Point:
    """Where the top-left corner lies after the turn."""
    turn = math.radians(box.angle_deg)
    dx, dy = -box.width / 2, -box.height / 2
    return (
        box.center_x + dx * math.cos(turn) - dy * math.sin(turn),
        box.center_y + dx * math.sin(turn) + dy * math.cos(turn),
    )


def center_of(*, corner: Point, width: float, height: float, angle_deg: float) -> Point:
    """The centre of a box that was turned about its top-left corner."""
    turn = math.radians(angle_deg)
    dx, dy = width / 2, height / 2
    return (
        corner[0] + dx * math.cos(turn) - dy * math.sin(turn),
        corner[1] + dx * math.sin(turn) + dy * math.cos(turn),
    )


def iou(first: Annotation, second: Annotation) -> float:  # noqa: PLR0911 - one way out a kind
    """Intersection over union of two objects, 0..1; 0 where kinds cannot be compared, unless they are equal."""
    if isinstance(first, Box) and isinstance(second, Box):
        return _box_iou(first, second)
    if isinstance(first, Span) and isinstance(second, Span):
        return _stretch_iou(first.start, first.end, second.start, second.end)
    if isinstance(first, Region) and isinstance(second, Region):
        return _stretch_iou(first.start_s, first.end_s, second.start_s, second.end_s)
    if isinstance(first, Mask) and isinstance(second, Mask):
        return _mask_iou(first, second)
    if isinstance(first, Keypoints) and isinstance(second, Keypoints):
        return _keypoint_similarity(first, second)
    if isinstance(first, Polygon | RotatedBox) and isinstance(second, Polygon | RotatedBox):
        return _outline_iou(first, second)
    if isinstance(first, Mask) and isinstance(second, Polygon):
        return _area_iou(first, second)
    if isinstance(first, Polygon) and isinstance(second, Mask):
        return _area_iou(second, first)
    if isinstance(first, Value) and isinstance(second, Value):
        return 1.0 if math.isclose(first.value, second.value, rel_tol=SAME_NUMBER) else 0.0
    return 1.0 if first == second else 0.0


def _box_iou(first: Box, second: Box) -> float:
    width = min(first.x + first.width, second.x + second.width) - max(first.x, second.x)
    height = min(first.y + first.height, second.y + second.height) - max(first.y, second.y)
    shared = max(width, 0.0) * max(height, 0.0)
    return shared / (first.width * first.height + second.width * second.height - shared)


def _stretch_iou(start: float, end: float, other_start: float, other_end: float) -> float:
    shared = max(0.0, min(end, other_end) - max(start, other_start))
    union = (end - start) + (other_end - other_start) - shared
    return shared / union if union > 0 else 0.0


def _mask_iou(first: Mask, second: Mask) -> float:
    if (first.width, first.height) != (second.width, second.height):
        return 0.0
    return _grid_iou(mask_pixels(first) > 0, mask_pixels(second) > 0)


def _area_iou(mask: Mask, outline: Polygon) -> float:
    """On the pixels of the mask."""
    drawn = polygon_pixels([outline], width=mask.width, height=mask.height)
    return _grid_iou(mask_pixels(mask) > 0, drawn > 0)


def _keypoint_similarity(first: Keypoints, second: Keypoints) -> float:
    """COCO's object keypoint similarity with one constant for all points (0.1); the scale is the first object's extent."""
    theirs = {point.name: point for point in second.points if point.visibility}
    seen = [point for point in first.points if point.visibility]
    if not seen and not theirs:
        return 1.0
    xs, ys = [point.x for point in first.points], [point.y for point in first.points]
    area = max((max(xs) - min(xs)) * (max(ys) - min(ys)), 1.0)
    near = [
        math.exp(-((point.x - other.x) ** 2 + (point.y - other.y) ** 2) / (2 * area * (2 * 0.1) ** 2))
        for point in seen
        if (other := theirs.get(point.name)) is not None
    ]
    return sum(near) / max(len(seen), len(theirs))


def _outline_iou(first: Polygon | RotatedBox, second: Polygon | RotatedBox) -> float:
    rings, other_rings = _rings(first), _rings(second)
    xs = [x for ring in (*rings, *other_rings) for x, _ in ring]
    ys = [y for ring in (*rings, *other_rings) for _, y in ring]
    left, top = min(xs), min(ys)
    scale = GRID / max(max(xs) - left, max(ys) - top, 1e-9)
    size = (math.ceil((max(xs) - left) * scale) + 1, math.ceil((max(ys) - top) * scale) + 1)

    def drawn(outline: Sequence[Sequence[Point]]) -> NDArray[np.bool_]:
        grid = Image.new("1", size)
        draw = ImageDraw.Draw(grid)
        for index, ring in enumerate(outline):
            draw.polygon([((x - left) * scale, (y - top) * scale) for x, y in ring], fill=0 if index else 1)
        return np.asarray(grid)

    return _grid_iou(drawn(rings), drawn(other_rings))


def _rings(outline: Polygon | RotatedBox) -> Sequence[Sequence[Point]]:
    if isinstance(outline, Polygon):
        return (outline.points, *outline.holes)
    angle = math.radians(outline.angle_deg)
    cos, sin = math.cos(angle), math.sin(angle)
    corners = [(sx * outline.width / 2, sy * outline.height / 2) for sx, sy in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    return [[(outline.center_x + x * cos - y * sin, outline.center_y + x * sin + y * cos) for x, y in corners]]


def _grid_iou(first: NDArray[np.bool_], second: NDArray[np.bool_]) -> float:
    union = int(np.logical_or(first, second).sum())
    return int(np.logical_and(first, second).sum()) / union if union else 1.0

"""Overlap of two drawn objects. Boxes are computed exactly, other outlines on a grid of pixels of their common bounds."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from automl.contracts.annotation import Annotation, Box, Keypoints, Mask, Point, Polygon, Region, RotatedBox, Span
from labeling.formats._geometry import mask_pixels

GRID = 512
"""Longer side of the grid on which outlines are compared: an overlap is then right to about 0.01."""


def iou(first: Annotation, second: Annotation) -> float:  # noqa: PLR0911 - one way out a kind
    """Intersection over union of two objects of one kind, 0..1; 0 for kinds that have no extent, unless they are equal."""
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

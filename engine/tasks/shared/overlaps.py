"""Areas of different labels that overlap, found on a coarse grid: enough to tell of how many items an import says two things.

Shapes: A areas, H height, W width.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from automl.contracts.annotation import Annotation, Mask, Polygon
from engine.tasks.shared.raster import mask_pixels, polygon_pixels, shapes_of
from runtime.run_lengths import GeometryError

GRID = 256
"""Cells of the longer side."""
LEAST_CELLS = 4
"""That two areas share: outlines drawn side by side touch here and there."""


def num_overlapping(annotations: Iterable[Sequence[Annotation]]) -> int:
    """Of how many items areas of different labels overlap."""
    return sum(map(areas_overlap, annotations))


def areas_overlap(annotations: Sequence[Annotation]) -> bool:
    """Whether areas of different labels share a part of an item."""
    areas = _meeting(shapes_of(annotations))
    if not areas:
        return False
    extents = [bounds[2:] for bounds in map(_bounds, areas)]
    width, height = next(((area.width, area.height) for area in areas if isinstance(area, Mask)), np.max(extents, axis=0))
    scale = GRID / max(width, height)
    sides = (max(1, round(height * scale)), max(1, round(width * scale)))
    places = {label: place for place, label in enumerate(dict.fromkeys(area.label for area in areas))}
    above_HW = np.full(sides, -1)
    for area in areas:
        is_inside_HW = _drawn(area, sides, (sides[1] / width, sides[0] / height))
        if np.count_nonzero(is_inside_HW & (above_HW >= 0) & (above_HW != places[area.label])) >= LEAST_CELLS:
            return True
        above_HW[is_inside_HW] = places[area.label]
    return False


def _meeting(areas: Sequence[Mask | Polygon]) -> list[Mask | Polygon]:
    """Those whose bounds meet those of an area of another label."""
    if len({area.label for area in areas}) < 2:
        return []
    left_A, top_A, right_A, bottom_A = np.array([_bounds(area) for area in areas]).T
    labels_A = np.array([area.label for area in areas])
    meets_AA = (left_A[:, None] < right_A) & (top_A[:, None] < bottom_A)
    meets_AA = meets_AA & meets_AA.T & (labels_A[:, None] != labels_A)
    return [area for area, meets in zip(areas, meets_AA.any(axis=1), strict=True) if meets]


def _bounds(area: Mask | Polygon) -> tuple[float, float, float, float]:
    """Left, top, right and bottom; of a mask those of its picture."""
    if isinstance(area, Mask):
        return 0.0, 0.0, float(area.width), float(area.height)
    xs, ys = zip(*area.points, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def _drawn(area: Mask | Polygon, sides: tuple[int, int], scale: tuple[float, float]) -> NDArray[np.bool_]:
    if isinstance(area, Polygon):
        return polygon_pixels(area, *sides, scale)
    try:
        return mask_pixels(area, *sides)
    except GeometryError:  # refused elsewhere
        return np.zeros(sides, dtype=bool)

"""Outlines, masks and key points for a project that takes boxes: the upright box around each object."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence

from automl.contracts.annotation import Annotation, Box, Keypoints, Mask, Point, Polygon, RotatedBox
from runtime.run_lengths import GeometryError, runs_bounds

_Outline = Polygon | RotatedBox | Mask | Keypoints


def takes_boxes_alone(kinds: Collection[str]) -> bool:
    """Whether a project takes boxes of objects and no outlines, by the kinds of annotations that it takes."""
    return "box" in kinds and "polygon" not in kinds


def holds_masks(kinds: Collection[str]) -> bool:
    """Whether there may be masks among annotations of these kinds."""
    return "mask" in kinds


def boxes_around(
    annotations: Sequence[Annotation], bounds: Mapping[Annotation, Box] | None = None
) -> tuple[tuple[Annotation, ...], int]:
    """The annotations with a box in place of each polygon, turned box and mask, and how many boxes those are.

    The parts of an object, which share an id, share a box. An outline without an inside stays what it is, and so does one
    of an object that has a box already. Key points do not tell how far an object reaches: they need a box in ``bounds`` or an
    outline with their id.

    Args:
        annotations: of one item.
        bounds: boxes given for objects, which count rather than what is computed.
    """
    bounds = bounds or {}
    known = {one.id for one in annotations if isinstance(one, Box)}
    parts: dict[str, list[_Outline]] = {}
    keys: dict[int, str] = {}
    for index, one in enumerate(annotations):
        if isinstance(one, Polygon | RotatedBox | Mask | Keypoints) and (one.id is None or one.id not in known):
            keys[index] = f"#{index}" if one.id is None else f"id {one.id}"
            parts.setdefault(keys[index], []).append(one)
    boxes = {key: box for key, outlines in parts.items() if (box := _box_around(outlines, bounds)) is not None}
    remaining: list[Annotation] = []
    for index, one in enumerate(annotations):
        box = boxes.get(keys.get(index, ""))
        if box is None:
            remaining.append(one)
        elif parts[keys[index]][0] is one:
            remaining.append(box)
    return tuple(remaining), len(boxes)


def boxed(
    annotations: Mapping[str, tuple[Annotation, ...]], bounds: Mapping[Annotation, Box] | None = None
) -> tuple[dict[str, tuple[Annotation, ...]], int]:
    """The same for many items; readers give many items the same object, and still do so after."""
    found: dict[int, tuple[tuple[Annotation, ...], int]] = {}
    out: dict[str, tuple[Annotation, ...]] = {}
    for name, one in annotations.items():
        if id(one) not in found:
            found[id(one)] = boxes_around(one, bounds)
        out[name] = found[id(one)][0]
    return out, sum(found[id(one)][1] for one in annotations.values())


def _box_around(outlines: Sequence[_Outline], bounds: Mapping[Annotation, Box]) -> Box | None:
    for one in outlines:
        if not isinstance(one, Polygon | RotatedBox) and one in bounds:
            return bounds[one]
    points = [point for outline in outlines for point in _points(outline)]
    if not points:
        return None
    left, top = min(x for x, _ in points), min(y for _, y in points)
    width, height = max(x for x, _ in points) - left, max(y for _, y in points) - top
    if width <= 0 or height <= 0:
        return None
    first = outlines[0]
    common = {"id": first.id, "label": first.label, "score": first.score, "attributes": first.attributes}
    return Box(x=left, y=top, width=width, height=height, **common)


def _points(outline: _Outline) -> Sequence[Point]:
    """Points that the box around an object reaches; none of what does not tell."""
    if isinstance(outline, Polygon):
        return outline.points
    if isinstance(outline, Keypoints):
        return ()
    if isinstance(outline, Mask):
        return _mask_points(outline)
    turn = math.radians(outline.angle_deg)
    across = (abs(outline.width * math.cos(turn)) + abs(outline.height * math.sin(turn))) / 2
    down = (abs(outline.width * math.sin(turn)) + abs(outline.height * math.cos(turn))) / 2
    return (
        (outline.center_x - across, outline.center_y - down),
        (outline.center_x + across, outline.center_y + down),
    )


def _mask_points(mask: Mask) -> Sequence[Point]:
    try:
        found = runs_bounds(mask.counts, height=mask.height)
    except GeometryError:
        return ()
    if found is None:
        return ()
    left, top, width, height = found
    return ((left, top), (left + width, top + height))

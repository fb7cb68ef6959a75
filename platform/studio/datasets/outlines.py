"""Outlines for a project that takes boxes: the upright box around each object."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from automl.contracts.annotation import Annotation, Box, Point, Polygon, RotatedBox


def boxes_around(said: Sequence[Annotation]) -> tuple[tuple[Annotation, ...], int]:
    """What is said with a box in place of each polygon and turned box, and how many boxes those are.

    The parts of an object, polygons with one id, share a box. An outline without an inside stays what it is, and so does one
    of an object that has a box already.
    """
    known = {one.id for one in said if isinstance(one, Box)}
    parts: dict[str, list[Polygon | RotatedBox]] = {}
    keys: dict[int, str] = {}
    for index, one in enumerate(said):
        if isinstance(one, Polygon | RotatedBox) and (one.id is None or one.id not in known):
            keys[index] = f"#{index}" if one.id is None else f"id {one.id}"
            parts.setdefault(keys[index], []).append(one)
    boxes = {key: box for key, outlines in parts.items() if (box := _box_around(outlines)) is not None}
    kept: list[Annotation] = []
    for index, one in enumerate(said):
        box = boxes.get(keys.get(index, ""))
        if box is None:
            kept.append(one)
        elif parts[keys[index]][0] is one:
            kept.append(box)
    return tuple(kept), len(boxes)


def boxed(said: Mapping[str, tuple[Annotation, ...]]) -> tuple[dict[str, tuple[Annotation, ...]], int]:
    """The same for many items; readers give many items the same object, and still do so after."""
    found: dict[int, tuple[tuple[Annotation, ...], int]] = {}
    out: dict[str, tuple[Annotation, ...]] = {}
    for name, one in said.items():
        if id(one) not in found:
            found[id(one)] = boxes_around(one)
        out[name] = found[id(one)][0]
    return out, sum(found[id(one)][1] for one in said.values())


def _box_around(outlines: Sequence[Polygon | RotatedBox]) -> Box | None:
    points = [point for outline in outlines for point in _points(outline)]
    left, top = min(x for x, _ in points), min(y for _, y in points)
    width, height = max(x for x, _ in points) - left, max(y for _, y in points) - top
    if width <= 0 or height <= 0:
        return None
    first = outlines[0]
    common = {"id": first.id, "label": first.label, "score": first.score, "attributes": first.attributes}
    return Box(x=left, y=top, width=width, height=height, **common)


def _points(outline: Polygon | RotatedBox) -> Sequence[Point]:
    if isinstance(outline, Polygon):
        return outline.points
    turn = math.radians(outline.angle_deg)
    across = (abs(outline.width * math.cos(turn)) + abs(outline.height * math.sin(turn))) / 2
    down = (abs(outline.width * math.sin(turn)) + abs(outline.height * math.cos(turn))) / 2
    return (
        (outline.center_x - across, outline.center_y - down),
        (outline.center_x + across, outline.center_y + down),
    )

"""What may be wrong with a mask or a polygon on a picture. No pixel is drawn: the web process imports this."""

from __future__ import annotations

from dataclasses import dataclass

from automl.contracts.annotation import Mask, Polygon
from automl.contracts.dataset import ItemRecord
from automl.contracts.task import Problem
from automl.contracts.words import Words
from engine.tasks.shared import problems as common
from runtime.run_lengths import GeometryError, runs_bounds

words = Words(__file__)

MIN_SIDE_PX = 3.0
"""Of a shape: below this there is nothing to see."""
EDGE_SLACK_PX = 1.0
"""A polygon may reach so far over the edge: tools round differently."""


@dataclass(frozen=True)
class _Bounds:
    """Of a shape, in pixels."""

    left: float
    top: float
    right: float
    bottom: float


def shape_problems(record: ItemRecord, shape: Mask | Polygon) -> list[Problem]:
    """What makes a shape useless, or probably a mistake."""
    return _mask_problems(record, shape) if isinstance(shape, Mask) else _polygon_problems(record, shape)


def _mask_problems(record: ItemRecord, mask: Mask) -> list[Problem]:
    width, height = record.media.width, record.media.height
    try:
        bounds = runs_bounds(mask.counts, height=mask.height)
    except GeometryError:
        message = words("mask_damaged", label=mask.label, name=record.name)
        remedy = words("mask_damaged.remedy")
        return [common.blocking("mask_damaged", message, remedy, item=record.item, field=mask.label)]
    if (mask.width, mask.height) != (width, height):
        sides = {"width": mask.width, "height": mask.height, "picture_width": width, "picture_height": height}
        message = words("mask_size", label=mask.label, name=record.name, **sides)
        remedy = words("mask_size.remedy")
        return [common.blocking("mask_size", message, remedy, item=record.item, field=mask.label)]
    if bounds is None:
        message = words("mask_empty", label=mask.label, name=record.name)
        remedy = words("mask_empty.remedy")
        return [common.advisory("mask_empty", message, remedy, item=record.item, field=mask.label)]
    left, top, own_width, own_height = bounds
    return _tiny(record, mask.label, _Bounds(left, top, left + own_width, top + own_height))


def _polygon_problems(record: ItemRecord, polygon: Polygon) -> list[Problem]:
    width, height = record.media.width, record.media.height
    xs, ys = zip(*polygon.points, strict=True)
    seen = _Bounds(max(0.0, min(xs)), max(0.0, min(ys)), min(float(width), max(xs)), min(float(height), max(ys)))
    if seen.left >= seen.right or seen.top >= seen.bottom:
        message = words("polygon_outside", label=polygon.label, name=record.name)
        remedy = words("polygon_outside.remedy")
        return [common.blocking("polygon_outside", message, remedy, item=record.item, field=polygon.label)]
    if tiny := _tiny(record, polygon.label, seen):
        return tiny
    if max(seen.left - min(xs), seen.top - min(ys), max(xs) - seen.right, max(ys) - seen.bottom) > EDGE_SLACK_PX:
        message = words("polygon_over_edge", label=polygon.label, name=record.name)
        remedy = words("polygon_over_edge.remedy")
        return [common.advisory("polygon_over_edge", message, remedy, item=record.item, field=polygon.label)]
    return []


def _tiny(record: ItemRecord, label: str, bounds: _Bounds) -> list[Problem]:
    sides = {"width": bounds.right - bounds.left, "height": bounds.bottom - bounds.top}
    if max(sides.values()) >= MIN_SIDE_PX:
        return []
    message = words("shape_tiny", label=label, name=record.name, **sides)
    remedy = words("shape_tiny.remedy")
    return [common.advisory("shape_tiny", message, remedy, item=record.item, field=label)]

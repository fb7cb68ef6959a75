"""Whether a model sees pictures as a whole or in tiles, and at which scale: chosen by a person, or by what is labelled.

A shape that whole pictures would shrink to a few pixels is lost. Where that holds for many shapes of pictures much larger than
what the network sees, tiles are taken, shrunk as far as these shapes stay large enough.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from statistics import median

import numpy as np

from automl.contracts.annotation import Annotation, Mask, Polygon
from automl.contracts.dataset import ItemRecord, Split
from automl.contracts.family import ParamValue
from engine.data.tiling import Tiling
from runtime.run_lengths import GeometryError, runs_unpack

WHOLE, AUTO = "whole", "auto"
SHRINKS: Mapping[str, int] = {"tiles": 1, "tiles_half": 2, "tiles_quarter": 4}
MUCH_LARGER = 3.0
"""The longer side of the middle picture against what the network sees."""
LOST_PX, SMALL_SHARE = 8.0, 0.25
"""The shorter side below which a shape is lost, and the share of shapes from which on that decides."""
ENOUGH_PX = 24.0
"""The shorter side that a small shape keeps in a tile, where it has as much."""
_MOST_RECORDS = 500
MOST_PLANES_PX = 2048
PLANES_BYTES = 2**29
"""Of the answers to all that is held back."""
_BYTES_A_PIXEL = 4
"""Two planes in half precision."""


def view_of(params: Mapping[str, ParamValue], records: Sequence[ItemRecord], resolution_px: int) -> str:
    """``whole``, or a name in ``SHRINKS``.

    Args:
        params: of the family; one without ``view`` sees whole pictures.
        records: to train on.
        resolution_px: side of what the network sees.
    """
    chosen = str(params.get("view", WHOLE))
    if chosen != AUTO or not records:
        return WHOLE if chosen == AUTO else chosen
    longest = median(max(record.media.width, record.media.height) for record in records)
    if longest < MUCH_LARGER * resolution_px:
        return WHOLE
    drawn = records[:: max(1, len(records) // _MOST_RECORDS)]
    sides = [(side, side * _scale(record, resolution_px)) for record in drawn for side in _sides(record.annotations)]
    if not sides:
        return WHOLE
    own, seen = np.array(sides).T
    if float((seen < LOST_PX).mean()) < SMALL_SHARE:
        return WHOLE
    small = float(np.quantile(own, SMALL_SHARE))
    fitting = [name for name, shrink in SHRINKS.items() if small / shrink >= ENOUGH_PX]
    return fitting[-1] if fitting else next(iter(SHRINKS))


def tiling_of(view: str, resolution_px: int) -> Tiling | None:
    """What a view means; None of whole pictures."""
    return Tiling(resolution_px, SHRINKS[view]) if view in SHRINKS else None


def planes_px(tiling: Tiling, records: Sequence[ItemRecord]) -> int:
    """Side of the planes that a model answers: as fine as its pictures, if those of what is held back fit into memory."""
    longest = max(max(record.media.width, record.media.height) for record in records) / tiling.shrink
    num_judged = sum(record.split is not Split.TRAIN for record in records)
    fitting = math.isqrt(PLANES_BYTES // (_BYTES_A_PIXEL * max(1, num_judged)))
    return int(max(tiling.window_px, min(longest, MOST_PLANES_PX, fitting)))


def _scale(record: ItemRecord, resolution_px: int) -> float:
    return resolution_px / max(record.media.width, record.media.height)


def _sides(annotations: Sequence[Annotation]) -> list[float]:
    """The shorter sides of the shapes of an item, in pixels."""
    found = []
    for shape in annotations:
        if isinstance(shape, Polygon):
            xs, ys = zip(*shape.points, strict=True)
            found.append(min(max(xs) - min(xs), max(ys) - min(ys)))
        elif isinstance(shape, Mask):
            found += _mask_sides(shape)
    return found


def _mask_sides(mask: Mask) -> list[float]:
    """Of a mask, which may hold many objects, the height of the middle stretch of pixels: none of them is told apart."""
    try:
        runs = runs_unpack(mask.counts)
    except GeometryError:
        return []
    return [float(median(runs[1::2]))] if len(runs) > 1 else []

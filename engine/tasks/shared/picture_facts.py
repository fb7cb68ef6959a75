"""How large pictures are and what is drawn on them. The web process imports this file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import median

from automl.contracts.annotation import Mask
from automl.contracts.dataset import ItemRecord
from automl.planning.tiles import PictureFacts
from engine.tasks.shared.raster import shapes_of
from runtime.run_lengths import GeometryError, runs_unpack

_MOST_RECORDS = 500


def picture_facts(records: Sequence[ItemRecord]) -> tuple[PictureFacts, ...]:
    """Of some hundred of the records, evenly."""
    drawn = records[:: max(1, len(records) // _MOST_RECORDS)]
    return tuple(PictureFacts(one.media.width, one.media.height, tuple(_sides(one))) for one in drawn)


def _sides(record: ItemRecord) -> Iterator[float]:
    """The shorter sides of the shapes of an item, in pixels."""
    for shape in shapes_of(record.annotations):
        if isinstance(shape, Mask):
            yield from _mask_sides(shape)
        else:
            xs, ys = zip(*shape.points, strict=True)
            yield min(max(xs) - min(xs), max(ys) - min(ys))


def _mask_sides(mask: Mask) -> list[float]:
    """Of a mask, which may hold many objects, the height of the middle stretch of pixels: none of them is told apart."""
    try:
        runs = runs_unpack(mask.counts)
    except GeometryError:
        return []
    return [float(median(runs[1::2]))] if len(runs) > 1 else []

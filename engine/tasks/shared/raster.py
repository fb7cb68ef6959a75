"""Masks and polygons as pixels of their picture, at its own size or a smaller one.

Numpy alone, so that the web process can import it. Shapes: H height, W width.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from automl.contracts.annotation import Annotation, Mask, Point, Polygon
from automl.contracts.dataset import ItemRecord
from engine.errors import DataInvalidError
from runtime.run_lengths import pixels_of, runs_unpack

LONGEST_SIDE_PX = 1024
"""Truth of larger pictures is kept, and compared, at this size of the longer side."""


@dataclass(frozen=True)
class PictureSize:
    """The size of a picture, as the runtime needs it to place annotations."""

    width_px: int
    height_px: int


def shapes_of(annotations: Iterable[Annotation]) -> list[Mask | Polygon]:
    """What of an item's annotations labels pixels."""
    return [each for each in annotations if isinstance(each, Mask | Polygon)]


def label_index(records: Iterable[ItemRecord], labels: Sequence[str], *, besides: Set[str] = frozenset()) -> Mapping[str, int]:
    """The index of each label.

    Args:
        records: the items.
        labels: names in the order of the indices.
        besides: what shapes may be called without being of a label.

    Raises:
        DataInvalidError: a mask or polygon of an item has a label that is not in ``labels``.
    """
    index = {name: position for position, name in enumerate(labels)}
    known = index.keys() | besides
    unknown = [record.item for record in records if not known >= {shape.label for shape in shapes_of(record.annotations)}]
    if unknown:
        raise DataInvalidError(f"{len(unknown)} items carry a label that the label set does not know.", items=tuple(unknown))
    return index


def drawn_size(record: ItemRecord, longest_px: int = LONGEST_SIDE_PX) -> tuple[int, int]:
    """Height and width at which an item's truth is drawn."""
    sides = (record.media.height, record.media.width)
    scale = min(1.0, longest_px / max(sides))
    return max(1, round(sides[0] * scale)), max(1, round(sides[1] * scale))


def nearest(num_before: int, num_after: int) -> NDArray[np.int64]:
    """For each place along an axis after a change of size, the place before it whose pixel covers its centre."""
    return (2 * np.arange(num_after) + 1) * num_before // (2 * num_after)


def shape_pixels(shape: Mask | Polygon, record: ItemRecord, longest_px: int = LONGEST_SIDE_PX) -> NDArray[np.bool_]:
    """What a shape covers of its picture at the size at which truth is drawn, ``_HW``."""
    height, width = drawn_size(record, longest_px)
    if isinstance(shape, Mask):
        return mask_pixels(shape, height, width)
    return polygon_pixels(shape, height, width, (width / record.media.width, height / record.media.height))


def mask_pixels(mask: Mask, height: int, width: int) -> NDArray[np.bool_]:
    """What of a mask of any size is seen at this one."""
    is_inside_HW = pixels_of(runs_unpack(mask.counts), width=mask.width, height=mask.height) != 0
    if (mask.height, mask.width) != (height, width):
        is_inside_HW = is_inside_HW[np.ix_(nearest(mask.height, height), nearest(mask.width, width))]
    return is_inside_HW


def polygon_pixels(polygon: Polygon, height: int, width: int, scale: tuple[float, float]) -> NDArray[np.bool_]:
    """Pixels whose centre lies inside the outline and in none of its holes, by the even-odd rule, line by line."""
    is_turned_HW = np.zeros((height, width + 1), dtype=bool)
    for ring in (polygon.points, *polygon.holes):
        lines, columns = _crossings(ring, scale)
        is_seen = (lines >= 0) & (lines < height)
        np.logical_xor.at(is_turned_HW, (lines[is_seen], np.clip(columns[is_seen], 0, width)), True)
    return np.logical_xor.accumulate(is_turned_HW, axis=1)[:, :width]


def _crossings(ring: Sequence[Point], scale: tuple[float, float]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Where the lines through the pixels' centres meet a ring: the line, and the first column whose centre lies behind."""
    points_P2 = np.array(ring, dtype=np.float64) * scale
    ends_P2 = np.roll(points_P2, -1, axis=0)
    is_down_P = points_P2[:, 1] <= ends_P2[:, 1]
    upper_P2, lower_P2 = np.where(is_down_P[:, None], [points_P2, ends_P2], [ends_P2, points_P2])
    first_P, behind_P = (np.ceil(ends[:, 1] - 0.5).astype(np.int64) for ends in (upper_P2, lower_P2))
    counts_P = behind_P - first_P
    edges = np.repeat(np.arange(len(points_P2)), counts_P)
    lines = first_P[edges] + np.arange(len(edges)) - np.repeat(np.cumsum(counts_P) - counts_P, counts_P)
    share = (lines + 0.5 - upper_P2[edges, 1]) / (lower_P2[edges, 1] - upper_P2[edges, 1])
    x = upper_P2[edges, 0] + share * (lower_P2[edges, 0] - upper_P2[edges, 0])
    return lines, np.ceil(x - 0.5).astype(np.int64)

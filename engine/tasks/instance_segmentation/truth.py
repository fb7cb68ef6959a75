"""Truth as single objects: masks and polygons of an item cut out by their boxes, and these as numbers.

Numpy alone, so that the web process can import it. Shapes: N items, M objects of an item, H height, W width of an object, K
numbers of an item.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from automl.contracts.annotation import Annotation, Mask, Polygon
from automl.contracts.dataset import ItemRecord
from engine.tasks.shared.raster import drawn_size, polygon_pixels, shape_pixels, shapes_of
from runtime.run_lengths import counts_of

_HEAD = 3
"""Numbers of an item before its objects: height, width, how many."""
_OBJECT_HEAD = 6
"""Numbers of an object before its runs: label, left, top, width, height, number of runs."""


@dataclass(frozen=True)
class TrueObject:
    """An object in pixels of its picture as it was drawn."""

    label: int
    left: int
    top: int
    is_inside_HW: NDArray[np.bool_]
    """Within the box around it, which it touches on all sides."""


@dataclass(frozen=True)
class Truth:
    """The objects of a picture."""

    height: int
    width: int
    objects: tuple[TrueObject, ...]


def objects_of(annotations: Iterable[Annotation]) -> list[tuple[Mask | Polygon, ...]]:
    """Shapes of an item by object: polygons with one id are parts of one, each other shape is an object of its own."""
    found: dict[object, tuple[Mask | Polygon, ...]] = {}
    for place, shape in enumerate(shapes_of(annotations)):
        key = (shape.id, shape.label) if isinstance(shape, Polygon) and shape.id is not None else place
        found[key] = (*found.get(key, ()), shape)
    return list(found.values())


def truth_of(record: ItemRecord, index: Mapping[str, int]) -> Truth:
    """Draws the objects of an item; those without a pixel are left out.

    Args:
        record: its picture is drawn at its own size, or with ``LONGEST_SIDE_PX`` where it is larger.
        index: of each label.
    """
    height, width = drawn_size(record)
    return Truth(height, width, tuple(each for _, each in _drawn(record, index)))


def annotations_of(record: ItemRecord) -> list[Mask | Polygon]:
    """One annotation for each object of ``truth_of``, in the same order; several parts as one mask."""
    index = {shape.label: 0 for shape in shapes_of(record.annotations)}
    return [shapes[0] if len(shapes) == 1 else _united(shapes, record) for shapes, _ in _drawn(record, index)]


def runs_of(truths: Sequence[Truth]) -> NDArray[np.int32]:
    """Truths as ``_NK``: height, width, how many objects; then of each object what follows. Zeros fill up.

    Label, left, top, width, height, number of runs, and the lengths of the runs row by row, background first.
    """
    rows = [_packed(truth) for truth in truths]
    runs_NK = np.zeros((len(rows), max((len(row) for row in rows), default=_HEAD)), dtype=np.int32)
    for number, row in enumerate(rows):
        runs_NK[number, : len(row)] = row
    return runs_NK


def unpacked(runs_K: NDArray[np.int32]) -> Truth:
    """The truth of one row of ``runs_of``."""
    height, width, num_objects = runs_K[:_HEAD].tolist()
    at, objects = _HEAD, []
    for _ in range(num_objects):
        label, left, top, wide, high, num_runs = runs_K[at : at + _OBJECT_HEAD].tolist()
        at += _OBJECT_HEAD
        runs = runs_K[at : at + num_runs]
        at += num_runs
        is_inside_HW = np.repeat(np.arange(num_runs) % 2 == 1, runs).reshape(high, wide)
        objects.append(TrueObject(label, left, top, is_inside_HW))
    return Truth(height, width, tuple(objects))


def _united(shapes: Sequence[Mask | Polygon], record: ItemRecord) -> Mask:
    """The parts of an object as a mask of its picture."""
    width, height = record.media.width, record.media.height
    parts = [polygon_pixels(shape, height, width, (1.0, 1.0)) for shape in shapes if isinstance(shape, Polygon)]
    return Mask(label=shapes[0].label, width=width, height=height, counts=counts_of(np.logical_or.reduce(parts)))


def _drawn(record: ItemRecord, index: Mapping[str, int]) -> Iterable[tuple[tuple[Mask | Polygon, ...], TrueObject]]:
    for shapes in objects_of(record.annotations):
        is_inside_HW = np.logical_or.reduce([shape_pixels(shape, record) for shape in shapes])
        rows, columns = np.flatnonzero(is_inside_HW.any(axis=1)), np.flatnonzero(is_inside_HW.any(axis=0))
        if len(rows):
            part_HW = is_inside_HW[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1].copy()
            yield shapes, TrueObject(index[shapes[0].label], int(columns[0]), int(rows[0]), part_HW)


def _packed(truth: Truth) -> NDArray[np.int32]:
    parts = [[truth.height, truth.width, len(truth.objects)]]
    for one in truth.objects:
        high, wide = one.is_inside_HW.shape
        flat = np.concatenate([[False], one.is_inside_HW.reshape(-1)])
        edges = np.flatnonzero(flat[1:] != flat[:-1])
        runs = np.diff(edges, prepend=0, append=high * wide)
        parts += [[one.label, one.left, one.top, wide, high, len(runs)], runs.tolist()]
    return np.array([number for part in parts for number in part], dtype=np.int32)

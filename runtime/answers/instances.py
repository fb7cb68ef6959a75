"""Single objects with their pixels: a detector's rows as of ``boxes``, each followed by a square mask within its box.

A mask has S x S cells, row by row: how likely each shows the object. They are laid over the picture here and not in the graph:
answers of a graph then have one size whatever the picture's, and each object costs what its box covers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from math import ceil, isqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..annotations import SCORE_DIGITS, Bounds, InstanceAnnotation, MaskAnnotation
from ..errors import AnswerInvalidError
from ..run_lengths import counts_within, pixels_of, runs_bounds, runs_overlap, runs_unpack
from ..schemas import SCORE, object_of
from ..tensors import Tensor, TensorSpec
from ._rows import LOWEST_BOX_SCORE, NUM_ALWAYS, ROW_LENGTH, SAME_OVERLAP, BoxRows, Floats, boxes_encode
from .kind import HasSize, Thresholds

HALF = 0.5
"""A pixel belongs to an object from this likelihood on."""
EVEN = 0.01
"""Cells so near to one half may be on the other side of it than in a golden sample: which is a matter of rounding."""
POINT_DIGITS = 2
_NOWHERE = 1e-9


class Part(NamedTuple):
    """An object's pixels in the smallest part of the picture that its box covers."""

    left: int
    top: int
    is_inside_hw: NDArray[np.bool_]


class Instances(BoxRows):
    """Masks in pixels of the picture as it was sent, one an object, best first; they may overlap."""

    def check(self, answer: Floats) -> None:
        """See ``Answers``."""
        num_cells = answer.shape[1] - ROW_LENGTH if answer.ndim == 2 else 0
        if num_cells < 1 or isqrt(num_cells) ** 2 != num_cells:
            raise ValueError(f"the model answers in shape {answer.shape}, not with rows of a box and a square mask")

    def encode(
        self, answer: Floats, item: HasSize, *, top: int, threshold: float | None, thresholds: Thresholds
    ) -> list[InstanceAnnotation]:
        """See ``Answers``: with the box and the outlines of each object.

        Raises:
            AnswerInvalidError: a cell is infinite or no number.
        """
        rows = self._chosen(answer, top=top, threshold=threshold, thresholds=thresholds)
        boxes = boxes_encode(rows, self.labels, item, top=top, threshold=0.0, thresholds={})
        found: list[InstanceAnnotation] = []
        for row, box in zip(rows, boxes, strict=True):
            bounds: Bounds = {"x": box["x"], "y": box["y"], "width": box["width"], "height": box["height"]}
            found.append({**self._mask(row, item), "box": bounds, "polygons": _polygons(row, item)})
        return found

    def passing(self, answer: Floats, item: HasSize, thresholds: Thresholds) -> list[MaskAnnotation]:
        """All objects that pass their thresholds, at most ``default_top``: their masks alone, which say where they lie."""
        rows = self._chosen(answer, top=self.default_top, threshold=None, thresholds=thresholds)
        return [self._mask(row, item) for row in rows]

    @staticmethod
    def tensor_specs(shape: Sequence[int]) -> Sequence[TensorSpec]:
        """See ``Answers``: as of boxes, and ``box_masks``, the likelihood of each cell of each box."""
        side = isqrt(shape[2] - ROW_LENGTH)
        return [*BoxRows.tensor_specs(shape), TensorSpec("box_masks", "FP32", (shape[0], shape[1], side, side))]

    def tensors(self, answers: Floats, thresholds: Thresholds) -> Mapping[str, Tensor]:
        """See ``Answers``."""
        rows, _ = self.passed(answers, thresholds)
        side = isqrt(answers.shape[2] - ROW_LENGTH)
        masks = rows[..., ROW_LENGTH:].reshape(*answers.shape[:2], side, side)
        return {**super().tensors(answers, thresholds), "box_masks": masks}

    @staticmethod
    def disagreement(mine: Sequence[MaskAnnotation], other: Sequence[MaskAnnotation]) -> float:
        """The fraction of the objects that find no partner: one of the same label whose pixels overlap theirs by half."""
        free = list(other)
        for one in mine:
            overlaps = [
                (runs_overlap(one["counts"], each["counts"]), place)
                for place, each in enumerate(free)
                if each["label"] == one["label"]
            ]
            overlap, place = max(overlaps, default=(0.0, -1))
            if overlap >= SAME_OVERLAP:
                del free[place]
        num_matched = len(other) - len(free)
        return 1.0 - 2 * num_matched / (len(mine) + len(other)) if mine or other else 0.0

    def difference(self, expected: Mapping[str, Any], answer: Floats, item: HasSize) -> float:
        """See ``Answers``: as of boxes, and of each box that counts there how far its mask is.

        That is the share of the mask's cells on the other side of one half, or the difference of their mean.
        """
        golden, side = expected["instances"], isqrt(answer.shape[1] - ROW_LENGTH)
        if golden["side"] != side or len(golden["masks"]) != len(expected["detections"]):
            raise ValueError(f"the masks have {side} cells a side, those of the golden sample {golden['side']}")
        apart = [super().difference(expected, answer, item)]
        given = answer[answer[:, 4] > 0].astype(np.float64)
        for place, (row, (counts, mean)) in enumerate(zip(expected["detections"], golden["masks"], strict=True)):
            own = given[given[:, 5] == row[5]]
            if not len(own) or (row[4] <= LOWEST_BOX_SCORE and place >= NUM_ALWAYS):
                continue  # that a box is missing is a difference of boxes
            nearest = own[np.abs(own[:, :5] - row[:5]).max(axis=1).argmin()]
            if np.abs(nearest[:5] - row[:5]).max() > apart[0] + _NOWHERE:
                continue  # it stands where the list was cut
            cells = nearest[ROW_LENGTH:].reshape(side, side)
            is_inside = pixels_of(runs_unpack(counts), width=side, height=side) != 0
            is_other = ((cells >= HALF) != is_inside) & (np.abs(cells - HALF) > EVEN)
            apart += [float(is_other.mean()), abs(float(cells.mean()) - mean)]
        return float(np.nan_to_num(np.max(apart), nan=1.0))

    @staticmethod
    def easydl(annotation: InstanceAnnotation) -> dict[str, object]:
        """See ``Answers``; the location is the box around the object's pixels."""
        bounds = runs_bounds(annotation["counts"], height=annotation["height"]) or (0, 0, 0, 0)
        location = dict(zip(("left", "top", "width", "height"), bounds, strict=True))
        named = {"name": annotation["label"], "score": annotation["score"]}
        return {**named, "location": location, "mask": annotation["counts"]}

    @staticmethod
    def schema(label: Mapping[str, Any]) -> dict[str, Any]:
        """See ``Answers``."""
        side = {"type": "integer", "minimum": 1, "description": "Pixels of the picture as it was sent."}
        counts = {"type": "string", "description": "The object's pixels: COCO's compressed run lengths, column by column."}
        place = {"type": "number", "description": "Pixels of the picture as it was sent, from the top left."}
        polygon = {"type": "array", "items": {"type": "array", "items": place, "minItems": 2, "maxItems": 2}}
        polygons = {
            "type": "array",
            "items": polygon,
            "description": "Outlines of the object's parts as points (x, y), without holes; the mask is exact.",
        }
        sides = dict.fromkeys(("width", "height"), side)
        box = object_of(dict.fromkeys(("x", "y", "width", "height"), place))
        more = {"counts": counts, "score": SCORE, "box": box, "polygons": polygons}
        return object_of({"kind": {"const": "mask"}, "label": label, **sides, **more})

    def _chosen(self, answer: Floats, *, top: int, threshold: float | None, thresholds: Thresholds) -> Floats:
        """The rows that reach their labels' thresholds, at most ``top``."""
        rows = answer[answer[:, 4] > 0]
        if not np.isfinite(rows).all():
            raise AnswerInvalidError("the model answers with a cell that is no number")
        floors = np.array([thresholds.get(label, 0.0) if threshold is None else threshold for label in self.labels])
        passed: Floats = rows[rows[:, 4] >= floors[rows[:, 5].astype(np.int64)]][:top]
        return passed

    def _mask(self, row: Floats, item: HasSize) -> MaskAnnotation:
        part = part_of(row, item)
        size = {"width": item.width_px, "height": item.height_px}
        return {
            "kind": "mask",
            "label": self.labels[int(row[5])],
            "width": item.width_px,
            "height": item.height_px,
            "counts": counts_within(part.is_inside_hw, left=part.left, top=part.top, **size),
            "score": min(1.0, round(float(row[4]), SCORE_DIGITS)),
        }


def part_of(row: Floats, item: HasSize) -> Part:
    """Lays the mask of a row over the picture: bilinear between the cells' centres, inside from one half on.

    An object has at least one pixel: where none is inside, the likeliest.
    """
    side = isqrt(len(row) - ROW_LENGTH)
    cells = row[ROW_LENGTH:].astype(np.float64).reshape(side, side)
    first_x, columns = _between(float(row[0]), float(row[2]), item.width_px, side)
    first_y, rows = _between(float(row[1]), float(row[3]), item.height_px, side)
    likely_hw = rows @ cells @ columns.T
    is_inside_hw = likely_hw >= HALF
    if not is_inside_hw.any():
        is_inside_hw.flat[likely_hw.argmax()] = True
    return Part(first_x, first_y, is_inside_hw)


def _between(start: float, size: float, num_pixels: int, num_cells: int) -> tuple[int, NDArray[np.float64]]:
    """The first pixel whose centre a box covers along an axis, and the weights of the cells in each pixel that it covers.

    Args:
        start: of the box, as a fraction of the picture.
        size: likewise.
        num_pixels: of the picture.
        num_cells: of the mask.
    """
    low, high = (min(1.0, max(0.0, edge)) * num_pixels for edge in (start, start + size))
    first = min(max(ceil(low - HALF), 0), num_pixels - 1)
    stop = min(max(ceil(high - HALF), first + 1), num_pixels)
    centres = np.arange(first, stop) + HALF
    places = np.clip((centres - start * num_pixels) / max(size * num_pixels, _NOWHERE) * num_cells - HALF, 0, num_cells - 1)
    cells = np.floor(places).astype(np.int64)
    weights = np.zeros((len(centres), num_cells))
    every = np.arange(len(centres))
    weights[every, cells] = 1 - (places - cells)
    weights[every, np.minimum(cells + 1, num_cells - 1)] += places - cells
    return first, weights


def _polygons(row: Floats, item: HasSize) -> list[list[tuple[float, float]]]:
    """Outlines of a row's mask where it crosses one half, in pixels within the picture, without those of holes."""
    side = isqrt(len(row) - ROW_LENGTH)
    # The outermost cells go on to the box's edge, and behind it there is nothing.
    cells = np.pad(np.pad(row[ROW_LENGTH:].astype(np.float64).reshape(side, side), 1, mode="edge"), 1)
    marks = np.concatenate(([0, 0], np.arange(side) + HALF, [side, side])) / side
    found = []
    for ring in _rings(cells):
        points = np.array([_crossing(cells, marks, edge) for edge in ring])
        area = np.dot(points[:, 0], np.roll(points[:, 1], -1)) - np.dot(points[:, 1], np.roll(points[:, 0], -1))
        if area >= 0:
            continue  # a hole
        xy = np.clip(points * row[2:4] + row[:2], 0.0, 1.0) * (item.width_px, item.height_px)
        rounded = [(float(x), float(y)) for x, y in xy.round(POINT_DIGITS)]
        ring_points = [point for before, point in pairwise([rounded[-1], *rounded]) if point != before]
        if len(ring_points) > 2:
            found.append(ring_points)
    return found


_Edge = tuple[int, int, bool]
"""Between two neighbours of a grid: row and column of the first, and whether the second lies below it."""
_STEPS: Mapping[int, tuple[tuple[int, int], ...]] = {
    1: ((3, 0),),
    2: ((0, 1),),
    3: ((3, 1),),
    4: ((1, 2),),
    6: ((0, 2),),
    7: ((3, 2),),
    8: ((2, 3),),
    9: ((2, 0),),
    11: ((2, 1),),
    12: ((1, 3),),
    13: ((1, 0),),
    14: ((0, 3),),
}
"""From which side of a square to which the border runs, by the corners inside: 1, 2, 4, 8 clockwise from the top left; sides
0 to 3 from the top. Inside is on the left."""


def _rings(cells: NDArray[np.float64]) -> Iterator[list[_Edge]]:
    """Closed borders of what is at least one half: marching squares (Lorensen and Cline 1987, in the plane)."""
    is_in = cells >= HALF
    corners = is_in[:-1, :-1] * 1 + is_in[:-1, 1:] * 2 + is_in[1:, 1:] * 4 + is_in[1:, :-1] * 8
    onward: dict[_Edge, _Edge] = {}
    for y, x in zip(*np.nonzero((corners > 0) & (corners < 15)), strict=True):
        edges = ((y, x, False), (y, x + 1, True), (y + 1, x, False), (y, x, True))
        onward.update({edges[start]: edges[end] for start, end in _steps(int(corners[y, x]), cells[y : y + 2, x : x + 2])})
    while onward:
        first, at = onward.popitem()
        ring = [first]
        while at != first:
            ring.append(at)
            at = onward.pop(at)
        yield ring


def _steps(case: int, square: NDArray[np.float64]) -> tuple[tuple[int, int], ...]:
    """As in ``_STEPS``; of two opposite corners the middle decides whether they are one."""
    if case not in {5, 10}:
        return _STEPS[case]
    is_joined = square.mean() >= HALF
    if case == 5:
        return ((3, 2), (1, 0)) if is_joined else ((3, 0), (1, 2))
    return ((0, 3), (2, 1)) if is_joined else ((0, 1), (2, 3))


def _crossing(cells: NDArray[np.float64], marks: NDArray[np.float64], edge: _Edge) -> tuple[float, float]:
    """Where between two neighbours one half is crossed, as x and y fractions of the box."""
    y, x, is_down = edge
    other_y, other_x = (y + 1, x) if is_down else (y, x + 1)
    here, there = cells[y, x], cells[other_y, other_x]
    share = (HALF - here) / (there - here)
    return (
        float(marks[x] + share * (marks[other_x] - marks[x])),
        float(marks[y] + share * (marks[other_y] - marks[y])),
    )


KIND = Instances

"""What a model looked at in a picture: how far the score of its answer falls when a part of the picture is covered.

Windows of two cells a side go over the picture in steps of one cell, and each takes the mean colour of the whole picture: a
colour that tells labels apart is covered as well as a shape is. Their edges are soft, since a hard one is something to see
itself. A cell counts as much as the mean of the windows over it (Zeiler and Fergus 2014).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import ceil
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...annotations import Bounds
from ...explaining import LEAST_FALL
from .decode import Picture

MAX_WINDOWS = 64
"""An explanation costs no more than a request with the most pictures."""
WINDOW_CELLS = 2
AROUND = 2.0
"""Sides of the area around an object, in those of its box."""
SOFT_FRACTION = 0.25
"""Of a window's side, along each edge."""


@dataclass(frozen=True)
class Grid:
    """A picture in cells, row by row from the top left."""

    rows: int
    columns: int


def grid_of(width_px: int, height_px: int) -> Grid:
    """The finest grid of nearly square cells that ``MAX_WINDOWS`` go over; no side has fewer than two or more than 16 cells."""
    wide = np.sqrt(MAX_WINDOWS * width_px / height_px)
    columns = int(np.clip(round(wide), 1, 15))
    rows = int(np.clip(MAX_WINDOWS // columns, 1, 15))
    rows = min(rows, max(1, round(columns * height_px / width_px)))
    return Grid(rows + 1, columns + 1)


def area_around(box: Bounds, width_px: int, height_px: int) -> Bounds:
    """An object and as much again of what lies around it, within the picture: where its score can have come from.

    A grid over all of a picture would cover a small object by a single cell.

    Args:
        box: of the object, in pixels; it may reach beyond the picture.
        width_px: of the picture.
        height_px: the same.
    """
    sides = []
    for first, length, whole in ((box["x"], box["width"], width_px), (box["y"], box["height"], height_px)):
        middle, half = min(max(first + length / 2, 0.0), float(whole)), max(length, 1.0) * AROUND / 2
        low, high = max(middle - half, 0.0), min(middle + half, float(whole))
        sides.append((low, max(high - low, min(1.0, float(whole)))))
    (x, width), (y, height) = sides
    return {
        "x": round(min(x, width_px - width), 2),
        "y": round(min(y, height_px - height), 2),
        "width": round(width, 2),
        "height": round(height, 2),
    }


def picture_occlude(
    picture: Picture, score: Callable[[Picture], float], area: Bounds | None = None
) -> tuple[Grid, list[float]]:
    """Finds what counts in a picture.

    Args:
        picture: decoded.
        score: for a picture of the same size.
        area: over which the grid lies, in pixels of the picture as it was sent; None takes all of it.

    Returns:
        The grid, and by how much the score falls without each cell, -1..1; negative where it rises.
    """
    part = _part(picture, area)
    grid, whole = grid_of(part.width, part.height), score(picture)
    falls_RC = np.zeros((grid.rows, grid.columns))  # noqa: N806 - the suffix is the shape
    times_RC = np.zeros_like(falls_RC)  # noqa: N806
    for row, column, covered in _covered(picture, grid, part):
        over = np.s_[row : row + WINDOW_CELLS, column : column + WINDOW_CELLS]
        falls_RC[over] += whole - score(covered)
        times_RC[over] += 1
    return grid, (falls_RC / times_RC).ravel().tolist()


def weights_of(falls: list[float]) -> list[float]:
    """In shares of the greatest fall, -1..1; 0 everywhere where nothing counts by itself."""
    greatest = max(map(abs, falls), default=0.0)
    return [fall / greatest if greatest >= LEAST_FALL else 0.0 for fall in falls]


class _Part(NamedTuple):
    """Of a picture's pixels."""

    left: int
    top: int
    width: int
    height: int


def _part(picture: Picture, area: Bounds | None) -> _Part:
    """The pixels that an area covers: a picture may have been read smaller than it was sent."""
    height, width = picture.pixels_HWC.shape[:2]
    if area is None:
        return _Part(0, 0, width, height)
    wide, high = width / picture.width_px, height / picture.height_px
    left, top = min(int(area["x"] * wide), width - 1), min(int(area["y"] * high), height - 1)
    right, lower = ceil((area["x"] + area["width"]) * wide), ceil((area["y"] + area["height"]) * high)
    return _Part(left, top, max(1, min(right, width) - left), max(1, min(lower, height) - top))


def _covered(picture: Picture, grid: Grid, within: _Part) -> Iterator[tuple[int, int, Picture]]:
    """The picture under each window, with the row and column of the window's first cell."""
    pixels_HWC = picture.pixels_HWC  # noqa: N806
    mean_C = pixels_HWC.reshape(-1, pixels_HWC.shape[2]).mean(axis=0)  # noqa: N806
    across = [_profile(within.width, grid.columns, column) for column in range(grid.columns - 1)]
    for row in range(grid.rows - 1):
        down_H = _profile(within.height, grid.rows, row)  # noqa: N806
        for column, across_W in enumerate(across):  # noqa: N806
            rows, columns = np.flatnonzero(down_H), np.flatnonzero(across_W)
            share_HW1 = np.outer(down_H[rows[0] : rows[-1] + 1], across_W[columns[0] : columns[-1] + 1])[..., None]  # noqa: N806
            first_row, first_column = within.top + rows[0], within.left + columns[0]
            part = np.s_[first_row : first_row + share_HW1.shape[0], first_column : first_column + share_HW1.shape[1]]
            covered_HWC = pixels_HWC.copy()  # noqa: N806
            covered_HWC[part] = np.rint(covered_HWC[part] * (1 - share_HW1) + mean_C * share_HW1)
            yield row, column, picture._replace(pixels_HWC=covered_HWC)


def _profile(length: int, num_cells: int, first: int) -> NDArray[np.float64]:
    """How much of each pixel along one side a window covers, 0..1: all in the middle, less and less towards its edges."""
    cell = length / num_cells
    middle, half = (first + WINDOW_CELLS / 2) * cell, WINDOW_CELLS / 2 * cell
    soft = max(2 * half * SOFT_FRACTION, 1.0)
    away = np.abs(np.arange(length) + 0.5 - middle)
    share: NDArray[np.float64] = np.clip((half + soft / 2 - away) / soft, 0.0, 1.0)
    if not share.any():  # fewer pixels than cells
        share[int(away.argmin())] = 1.0
    return share

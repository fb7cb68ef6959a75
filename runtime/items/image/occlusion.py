"""What a model looked at in a picture: how far the score of its answer falls when a part of the picture is covered.

Windows of two cells a side go over the picture in steps of one cell, and each takes the mean colour of the whole picture: a
colour that tells labels apart is covered as well as a shape is. Their edges are soft, since a hard one is something to see
itself. A cell counts as much as the mean of the windows over it (Zeiler and Fergus 2014).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...explaining import LEAST_FALL
from .decode import Picture

MAX_WINDOWS = 64
"""An explanation costs no more than a request with the most pictures."""
WINDOW_CELLS = 2
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


def picture_occlude(picture: Picture, score: Callable[[Picture], float]) -> tuple[Grid, list[float]]:
    """Finds what counts in a picture.

    Args:
        picture: decoded.
        score: of a label, for a picture of the same size.

    Returns:
        The grid, and by how much the score falls without each cell, -1..1; negative where it rises.
    """
    height, width = picture.pixels_HWC.shape[:2]
    grid, whole = grid_of(width, height), score(picture)
    falls_RC = np.zeros((grid.rows, grid.columns))  # noqa: N806 - the suffix is the shape
    times_RC = np.zeros_like(falls_RC)  # noqa: N806
    for row, column, covered in _covered(picture, grid):
        over = np.s_[row : row + WINDOW_CELLS, column : column + WINDOW_CELLS]
        falls_RC[over] += whole - score(covered)
        times_RC[over] += 1
    return grid, (falls_RC / times_RC).ravel().tolist()


def weights_of(falls: list[float]) -> list[float]:
    """In shares of the greatest fall, -1..1; 0 everywhere where nothing counts by itself."""
    greatest = max(map(abs, falls), default=0.0)
    return [fall / greatest if greatest >= LEAST_FALL else 0.0 for fall in falls]


def _covered(picture: Picture, grid: Grid) -> Iterator[tuple[int, int, Picture]]:
    """The picture under each window, with the row and column of the window's first cell."""
    pixels_HWC = picture.pixels_HWC  # noqa: N806
    height, width = pixels_HWC.shape[:2]
    mean_C = pixels_HWC.reshape(-1, pixels_HWC.shape[2]).mean(axis=0)  # noqa: N806
    across = [_profile(width, grid.columns, column) for column in range(grid.columns - 1)]
    for row in range(grid.rows - 1):
        down_H = _profile(height, grid.rows, row)  # noqa: N806
        for column, across_W in enumerate(across):  # noqa: N806
            rows, columns = np.flatnonzero(down_H), np.flatnonzero(across_W)
            part = np.s_[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
            share_HW1 = np.outer(down_H[part[0]], across_W[part[1]])[..., None]  # noqa: N806
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

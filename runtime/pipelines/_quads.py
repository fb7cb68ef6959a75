"""Quadrilaterals around lines of text: their order, and the part of a picture that one shows.

Corners go around as the text is read: where it begins above, where it ends above, and below. Shapes: Q quadrilaterals.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PIL import Image

Floats = NDArray[np.float64]

UPRIGHT = 1.5
"""What is so many times as high as wide is a line that runs downwards."""
SAME_ROW = 0.5
"""Of the smaller height: lines that lie beside each other by so much are of one row."""


def from_upper_left(corners: Floats) -> Floats:
    """The corners clockwise, the upper left one first."""
    by_x = corners[np.argsort(corners[:, 0], kind="stable")]
    left, right = (side[np.argsort(side[:, 1], kind="stable")] for side in (by_x[:2], by_x[2:]))
    return np.stack([left[0], right[0], right[1], left[1]])


def sides(corners: Floats) -> tuple[float, float]:
    """Width and height: the longer of two opposite sides."""
    lengths = np.hypot(*(np.roll(corners, -1, axis=0) - corners).T)
    return float(max(lengths[0], lengths[2])), float(max(lengths[1], lengths[3]))


def as_read(corners: Floats) -> Floats:
    """The same corners, from where the text begins: a line that runs downwards begins at its upper right."""
    width, height = sides(corners)
    return np.roll(corners, -1, axis=0) if height >= UPRIGHT * width else corners


def enlarged(corners: Floats, distance: float) -> Floats:
    """A rectangle with its sides moved outwards."""
    along, down = corners[1] - corners[0], corners[3] - corners[0]
    right = along / max(float(np.hypot(*along)), 1e-9) * distance
    below = down / max(float(np.hypot(*down)), 1e-9) * distance
    moved: Floats = corners + np.stack([-right - below, right - below, right + below, below - right])
    return moved


def reading_order(quads: Floats) -> list[int]:
    """Places of quadrilaterals ``_Q42`` row by row, as their lines run; rows from the top, each from its beginning."""
    if not len(quads):
        return []
    along = (quads[:, 1] - quads[:, 0] + quads[:, 2] - quads[:, 3]).sum(axis=0)
    along /= max(float(np.hypot(*along)), 1e-9)
    if along[0] < abs(along[1]):  # lines that run downwards, mostly
        along = np.array([1.0, 0.0])
    down = quads @ np.array([-along[1], along[0]])
    upper, lower, left = down.min(axis=1), down.max(axis=1), (quads @ along).min(axis=1)
    rows: list[list[int]] = []
    for place in np.argsort(upper + lower, kind="stable").tolist():
        last = rows[-1][-1] if rows else None
        if last is not None:
            shared = min(lower[place], lower[last]) - max(upper[place], upper[last])
            smaller = min(lower[place] - upper[place], lower[last] - upper[last])
            if shared > SAME_ROW * smaller:
                rows[-1].append(place)
                continue
        rows.append([place])
    return [place for row in rows for place in sorted(row, key=lambda place: float(left[place]))]


def line_of(picture: Image.Image, corners: Floats, *, height_px: int, most_px: int) -> Image.Image:
    """A line of text, turned upright, without its perspective.

    Args:
        picture: RGB.
        corners: in its pixels, from where the text begins.
        height_px: of the result.
        most_px: its width at most.
    """
    width, height = (max(1, round(side)) for side in sides(corners))
    flat = picture.transform(
        (width, height), Image.Transform.PERSPECTIVE, _perspective(corners, width, height), Image.Resampling.BICUBIC
    )
    across = max(1, min(most_px, round(width * height_px / height)))
    return flat.resize((across, height_px), Image.Resampling.BILINEAR)


def _perspective(corners: Floats, width: int, height: int) -> list[float]:
    """Pillow's eight numbers that take the corners of a result to those of a quadrilateral."""
    equations, right = [], []
    for (to_x, to_y), (x, y) in zip(((0, 0), (width, 0), (width, height), (0, height)), corners.tolist(), strict=True):
        equations += [[to_x, to_y, 1, 0, 0, 0, -to_x * x, -to_y * x], [0, 0, 0, to_x, to_y, 1, -to_x * y, -to_y * y]]
        right += [x, y]
    try:
        solved: list[float] = np.linalg.solve(np.array(equations, dtype=np.float64), np.array(right)).tolist()
    except np.linalg.LinAlgError:  # three corners on a line
        (left, upper), (right_x, lower) = corners.min(axis=0), corners.max(axis=0)
        return [(right_x - left) / width, 0.0, left, 0.0, (lower - upper) / height, upper, 0.0, 0.0]
    return solved

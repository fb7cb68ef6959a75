"""Ruled lines of a table in a flattened area: rows and columns by darkness that runs far, as morphological opening keeps it.

What is darker than around it is kept where it runs on for long; how much of each row of pixels that covers gives the rules.
The area comes from a projection that texts have given, so rules may still lean by some pixels: the lean is taken under which
the rows of pixels differ most, as skew of pages is found (Postl 1986). Arrays are ``_HW`` of the area; ``down`` is ``_WH``.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_STRIPS = 32
_AROUND_PX = 15
"""How far around a pixel its ground is judged."""
_LEAST_CONTRAST = 14.0
"""Of 255."""
_RUN_SHARE = 0.06
_LEAST_RUN_PX = 24
_COVER = 0.55
"""Of the rule that covers most; shorter ones are underlines or borders of a cell."""
_LEAST_COVER = 0.3
"""Of the area's side, for the rule that covers most."""
_LEAN_SHARE = 0.02
"""Of the length of a rule: how far its end may lie from where the projection has it."""
_SAME_RULE_PX = 6
_LEAST_BEYOND_PX = 9
"""So far rules down must go on for a table to be cut: they end somewhere in the thickness of the last rule."""


class Rules(NamedTuple):
    """A table's grid, in pixels of the flattened area."""

    rows: list[float]
    """Of each rule across, where it crosses the middle of the area; from above."""
    columns: list[float]
    """Of each rule down, likewise; from the left."""
    row_lean: float
    """How far a rule across falls for each pixel to the right."""
    column_lean: float
    """How far a rule down moves right for each pixel down."""
    size: tuple[int, int]
    """Height and width of the area."""
    is_closed: bool
    """Whether rules down end at the lowest rule across."""

    def corner(self, row: int, column: int) -> tuple[float, float]:
        """Where two rules cross, x and y."""
        height, width = self.size
        x, y = self.columns[column], self.rows[row]
        for _ in range(2):
            y = self.rows[row] + self.row_lean * (x - width / 2)
            x = self.columns[column] + self.column_lean * (y - height / 2)
        return x, y


def rules_found(gray: Floats) -> Rules | None:
    """The grid of a table; None where no rules across and down make one."""
    dark = _dark(gray)
    across = _running(dark)
    down = _running(dark.T)
    rows, row_lean = _positions(across)
    if len(rows) < 2:
        return None
    upper, lower = (int(np.clip(each, 0, len(gray) - 1)) for each in (rows[0], rows[-1]))
    columns, column_lean = _positions(down[:, upper : lower + 1])
    # Leans turn about the middle of what was looked at, and all of the area has another one.
    columns = [each + column_lean * (len(gray) / 2 - (upper + lower) / 2) for each in columns]
    if not columns:
        return None
    rows = _bound(rows, columns, down, column_lean)
    columns = _with_ends(columns, rows, across)
    if len(rows) < 2 or len(columns) < 2:
        return None
    is_closed = not _goes_on(rows[-1], columns, down, column_lean)
    return Rules(rows, columns, row_lean, column_lean, (len(gray), len(gray[0])), is_closed)


def _dark(gray: Floats) -> NDArray[np.bool_]:
    """What is darker than the ground around it."""
    padded = np.pad(gray, _AROUND_PX + 1, mode="edge").cumsum(axis=0).cumsum(axis=1)
    side = 2 * _AROUND_PX + 1
    total = padded[side:, side:] - padded[:-side, side:] - padded[side:, :-side] + padded[:-side, :-side]
    below = total[: len(gray), : len(gray[0])] / side**2 - gray
    noise = 1.5 * float(np.median(np.abs(below)))
    is_dark: NDArray[np.bool_] = below > max(_LEAST_CONTRAST, 3 * noise)
    return is_dark


def _running(dark: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """What belongs to long runs across; a run may step up or down by a pixel."""
    near = dark.copy()
    near[1:] |= dark[:-1]
    near[:-1] |= dark[1:]
    height, width = near.shape
    edged = np.zeros((height, width + 2), dtype=np.int8)
    edged[:, 1:-1] = near
    steps = np.diff(edged, axis=1)
    row, begin = np.nonzero(steps == 1)
    _, end = np.nonzero(steps == -1)
    is_long = end - begin >= max(_LEAST_RUN_PX, _RUN_SHARE * width)
    marks = np.zeros((height, width + 1), dtype=np.int32)
    np.add.at(marks, (row[is_long], begin[is_long]), 1)
    np.add.at(marks, (row[is_long], end[is_long]), -1)
    return marks.cumsum(axis=1)[:, :width] > 0


def _positions(running: NDArray[np.bool_]) -> tuple[list[float], float]:
    """Where rules across lie at the middle of the area, and how they lean."""
    height, width = running.shape
    num_strips = min(_STRIPS, width)
    edges = np.linspace(0, width, num_strips + 1).astype(int)
    strips = np.stack([running[:, first:last].mean(axis=1) for first, last in pairwise(edges)], axis=1)
    middles = (edges[:-1] + edges[1:]) / 2 - width / 2
    most = _LEAN_SHARE * width / 2
    best, cover, lean = -1.0, np.zeros(height), 0.0
    for ends in np.linspace(-most, most, 2 * max(1, round(most)) + 1):
        moved = np.round(middles * (ends / (width / 2))).astype(int)
        places = np.clip(np.arange(height)[:, None] + moved, 0, height - 1)
        found = np.take_along_axis(strips, places, axis=0).mean(axis=1)
        if (score := float((found**2).sum())) > best:
            best, cover, lean = score, found, float(ends / (width / 2))
    if cover.max() < _LEAST_COVER:
        return [], lean
    return _peaks(cover, _COVER * float(cover.max())), lean


def _peaks(cover: Floats, least: float) -> list[float]:
    """Middles of what covers enough, near ones as one."""
    places = np.flatnonzero(cover >= least)
    groups = np.split(places, np.flatnonzero(np.diff(places) > _SAME_RULE_PX) + 1)
    return [float(np.average(each, weights=cover[each])) for each in groups]


def _bound(rows: list[float], columns: list[float], down: NDArray[np.bool_], lean: float) -> list[float]:
    """The most rules one after the other between which rules down run: others belong to what stands above or below."""
    spans: list[list[float]] = [[]]
    for upper, lower in pairwise(rows):
        if _down_share(columns, down, lean, upper, lower) >= 0.5:
            spans[-1] = [*spans[-1], upper, lower] if not spans[-1] else [*spans[-1], lower]
        else:
            spans.append([])
    return max(spans, key=len)


def _down_share(columns: list[float], down: NDArray[np.bool_], lean: float, upper: float, lower: float) -> float:
    """How many of the rules down run between two heights, 0..1."""
    width, height = down.shape
    first, last = max(0, round(upper) + 2), min(height, round(lower) - 1)
    if last <= first:
        return 0.0
    runs = []
    for column in columns:
        x = round(column + lean * ((first + last) / 2 - height / 2))
        near = down[max(0, x - 3) : max(0, min(width, x + 4)), first:last]
        runs.append(near.any(axis=0).mean() >= 0.6 if near.size else False)
    return float(np.mean(runs))


def _with_ends(columns: list[float], rows: list[float], across: NDArray[np.bool_]) -> list[float]:
    """Also where the rules across begin and end: tables may be open at the sides."""
    if len(rows) < 2:
        return columns
    ends = []
    for row in rows:
        first = max(0, round(row) - 3)
        places = np.flatnonzero(across[first : round(row) + 4].any(axis=0))
        if len(places):
            ends.append((float(places[0]), float(places[-1])))
    if not ends:
        return columns
    left, right = (float(each) for each in np.median(np.array(ends), axis=0))
    slack = max(2.5 * _SAME_RULE_PX, 0.02 * len(across[0]))
    return [*([left] if columns[0] - left > slack else []), *columns, *([right] if right - columns[-1] > slack else [])]


def _goes_on(row: float, columns: list[float], down: NDArray[np.bool_], lean: float) -> bool:
    height = len(down[0])
    below = min(float(height), row + max(_LEAST_RUN_PX, 0.04 * height))
    return below - row >= _LEAST_BEYOND_PX and _down_share(columns, down, lean, row + 2, below) >= 0.5

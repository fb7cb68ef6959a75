"""A large picture read in overlapping windows: their logits are blended, and the likeliest label of each pixel answers.

A window's logits weigh the less, the nearer they are to its edge, where a network sees least. Windows are read row by row, and
of the blended logits only those rows are held to which a window may still add, at the pixels that the planes show. A picture
that is smaller than a window is continued by its outermost pixels.

``pipeline.json`` has ``window_px`` (side of a window), ``stride_px`` (from one window to the next at most) and ``planes_px``
(side of the planes that are answered).

Shapes: B windows, C classes (none of the labels, then each label), S side of a window, P side of the planes, R rows of them, H
height, W width.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..backends import Graph
from .kind import Opener

PICTURE, WINDOW, LOGITS = "picture", "window", "logits"
"""Names of what the pipeline takes, and of the graph's input and output."""
GRAPH_FILE = "model.onnx"
BATCH_PIXELS = 512 * 512
"""Of the windows that are answered at once."""
Floats = NDArray[np.float32]
Whole = NDArray[np.int64]


class Tiles:
    """See ``Pipeline``."""

    inputs: ClassVar[tuple[str, ...]] = (PICTURE,)

    def __init__(self, spec: Mapping[str, Any], opened: Opener) -> None:
        self._window_px, self._stride_px = int(spec["window_px"]), int(spec["stride_px"])
        self._planes_px = int(spec["planes_px"])
        self._graph: Graph = opened(GRAPH_FILE, LOGITS)

    def run(self, feeds: Mapping[str, NDArray[Any]]) -> Floats:
        """See ``Pipeline``: two planes a picture."""
        return np.stack([self._planes(picture_HWC) for picture_HWC in feeds[PICTURE]])

    def _planes(self, picture_HWC: NDArray[np.uint8]) -> Floats:  # noqa: N803 - the suffix is the shape
        height, width = picture_HWC.shape[:2]
        rows_P, columns_P = shown(height, self._planes_px), shown(width, self._planes_px)  # noqa: N806 - as above
        tops, lefts = (starts(side, self._window_px, self._stride_px) for side in (height, width))
        planes_2PP = np.empty((2, self._planes_px, self._planes_px), dtype=np.float32)  # noqa: N806 - as above
        blended_CRP, begin = None, 0  # noqa: N806 - as above
        for number, top in enumerate(tops):
            first, last = np.searchsorted(rows_P, (top, top + self._window_px))
            if blended_CRP is not None:
                planes_2PP[:, begin:first] = _answered(blended_CRP[:, : first - begin])
            strip_CRP = self._strip(picture_HWC, top, lefts, rows_P[first:last] - top, columns_P)  # noqa: N806 - as above
            if blended_CRP is not None:
                overlap_CRP = blended_CRP[:, first - begin :]  # noqa: N806 - as above
                strip_CRP[:, : overlap_CRP.shape[1]] += overlap_CRP
            blended_CRP, begin = strip_CRP, int(first)  # noqa: N806 - as above
            if number == len(tops) - 1:
                planes_2PP[:, begin:last] = _answered(blended_CRP)
        return planes_2PP

    def _strip(self, picture_HWC: NDArray[np.uint8], top: int, lefts: Whole, rows_R: Whole, columns_P: Whole) -> Floats:  # noqa: N803
        """Weighed sums of the logits of a row of windows at some of its pixels, and of the weights behind them, ``_CRP``."""
        size, at_once = self._window_px, max(1, BATCH_PIXELS // self._window_px**2)
        weights_S = pyramid(size)  # noqa: N806 - the suffix is the shape
        sums_CRP: Floats | None = None  # noqa: N806 - as above
        for first in range(0, len(lefts), at_once):
            some = lefts[first : first + at_once]
            windows = np.stack([window(picture_HWC, top, int(left), size) for left in some])
            for left, logits_CSS in zip(some, self._graph.run({WINDOW: windows}), strict=True):  # noqa: N806
                begin, end = np.searchsorted(columns_P, (left, left + size))
                columns = columns_P[begin:end] - left
                if sums_CRP is None:
                    sums_CRP = np.zeros((len(logits_CSS) + 1, len(rows_R), len(columns_P)), dtype=np.float32)  # noqa: N806
                weights_RP = weights_S[rows_R][:, None] * weights_S[columns]  # noqa: N806 - as above
                sums_CRP[:-1, :, begin:end] += logits_CSS[:, rows_R][:, :, columns] * weights_RP
                sums_CRP[-1, :, begin:end] += weights_RP
        assert sums_CRP is not None
        return sums_CRP


def _answered(sums_CRP: Floats) -> Floats:  # noqa: N803 - the suffix is the shape
    """The likeliest label (-1: none of them) of blended logits, and how likely it is."""
    logits_CRP = sums_CRP[:-1] / sums_CRP[-1:]  # noqa: N806 - as above
    best_RP = logits_CRP.argmax(axis=0)  # noqa: N806 - as above
    shares_CRP = np.exp(logits_CRP - logits_CRP.max(axis=0))  # noqa: N806 - as above
    return np.stack([best_RP - 1.0, 1.0 / shares_CRP.sum(axis=0)]).astype(np.float32)


def starts(side_px: int, window_px: int, stride_px: int) -> Whole:
    """Where windows begin along a side: evenly, no further apart than the stride."""
    rest = max(0, side_px - window_px)
    places: Whole = np.rint(np.linspace(0, rest, -(-rest // stride_px) + 1)).astype(np.int64)
    return places


def shown(side_px: int, planes_px: int) -> Whole:
    """For each pixel of a side of the planes, the picture's pixel in which its centre lies."""
    return (2 * np.arange(planes_px) + 1) * side_px // (2 * planes_px)


def pyramid(window_px: int) -> Floats:
    """Weight of each pixel along a window."""
    places = np.arange(window_px)
    return ((np.minimum(places, places[::-1]) + 0.5) / (window_px / 2)).astype(np.float32)


def window(picture_HWC: NDArray[np.uint8], top: int, left: int, size: int) -> NDArray[np.uint8]:  # noqa: N803
    """A square of a picture, continued where the picture ends."""
    part_HWC = picture_HWC[top : top + size, left : left + size]  # noqa: N806 - the suffix is the shape
    missing = size - part_HWC.shape[0], size - part_HWC.shape[1]
    return part_HWC if missing == (0, 0) else np.pad(part_HWC, ((0, missing[0]), (0, missing[1]), (0, 0)), "edge")


KIND = Tiles

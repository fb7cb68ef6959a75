"""Click to mask as the page does it: which window of the picture is looked at, and what the clicks mean there.

``frontend/src/canvas/assist/{window,answer}.ts`` do the same in the browser; a change here is a change there. The first look
is at what the person sees; when the thing turns out small, or goes on beyond the window, a second look follows at a better
window, starting from the mask of the first. Shapes: H height, W width, G the grid.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import onnxruntime
from numpy.typing import NDArray

from engine.click_mask.clicks import Click, discs
from engine.click_mask.export import DECODER_FILE, ENCODER_FILE
from engine.click_mask.network import GRID, SIDE_PX

_LARGEST_ASPECT = 4 / 3
_SMALL_FRACTION = 0.45
"""Of the window: a thing below it gets a closer look."""
_CLOSER = 1.6
"""Side of the closer window, in sides of the thing."""
_WIDER = 1.6
_SMALLEST_PX = 32
_NUM_LOOKS = 3

Pixels = NDArray[Any]
Logits = NDArray[np.float32]


@dataclass(frozen=True)
class Window:
    """A rectangle of the picture, in pixels."""

    left: float
    top: float
    width: float
    height: float

    def holds(self, click: Click) -> bool:
        """Whether the click lies inside."""
        return self.left <= click.x < self.left + self.width and self.top <= click.y < self.top + self.height


@dataclass
class ClickSession:
    """One thing that is being clicked at: what the next click starts from."""

    picture_HW3: Pixels
    window: Window | None = None
    logits_GG: Logits | None = None
    features: dict[Window, list[Logits]] = field(default_factory=dict)


class ClickMaskModel:
    """The two graphs, on one thread."""

    def __init__(self, folder: Path):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        self._encoder = onnxruntime.InferenceSession(folder / ENCODER_FILE, options, providers=["CPUExecutionProvider"])
        self._decoder = onnxruntime.InferenceSession(folder / DECODER_FILE, options, providers=["CPUExecutionProvider"])

    def answer(self, session: ClickSession, clicks: list[Click]) -> NDArray[np.bool_]:
        """The mask after the last of the clicks, in pixels of the picture; the ones before were answered before."""
        height, width = session.picture_HW3.shape[:2]
        window, logits = session.window, session.logits_GG
        if window is None or not all(window.holds(click) for click in clicks):
            wider = first_window(clicks, width, height)
            logits = None if window is None or logits is None else resampled(logits, window, wider)
            window = wider
        logits = self._decode(session, window, clicks, logits)
        for _ in range(_NUM_LOOKS - 1):
            better = better_window(window, logits, clicks, width, height)
            if better is None:
                break
            logits = self._decode(session, better, clicks, resampled(logits, window, better))
            window = better
        session.window, session.logits_GG = window, logits
        return pixels_of(logits, window, width, height)

    def _decode(self, session: ClickSession, window: Window, clicks: list[Click], before_GG: Logits | None) -> Logits:
        if window not in session.features:
            rgba = np.dstack([_cut(session.picture_HW3, window), np.full((SIDE_PX, SIDE_PX), 255, dtype=np.uint8)])
            session.features[window] = self._encoder.run(None, {"picture": rgba[None]})
        x2, x4, x8, x16 = session.features[window]
        mask = np.zeros((GRID, GRID), dtype=np.float32) if before_GG is None else 1 / (1 + np.exp(-before_GG))
        inputs = {"x2": x2, "x4": x4, "x8": x8, "x16": x16, "clicks": _maps(clicks, window)[None], "mask": mask[None, None]}
        found: Logits = self._decoder.run(None, inputs)[0][0, 0]
        return found


def first_window(clicks: list[Click], width: int, height: int) -> Window:
    """All of the picture, or a part around the clicks where it is much longer than wide."""
    wide, high = _limited(float(width), float(height))
    x = sum(click.x for click in clicks) / len(clicks)
    y = sum(click.y for click in clicks) / len(clicks)
    window = _within((x, y), (wide, high), width, height)
    return window if all(window.holds(click) for click in clicks) else Window(0, 0, width, height)


def better_window(window: Window, logits_GG: Logits, clicks: list[Click], width: int, height: int) -> Window | None:
    """A window in which the thing fills about two thirds; None when this one will do."""
    rows, columns = np.nonzero(logits_GG > 0)
    if len(rows) == 0:
        return None
    cell_w, cell_h = window.width / GRID, window.height / GRID
    left, right = window.left + columns.min() * cell_w, window.left + (columns.max() + 1) * cell_w
    top, bottom = window.top + rows.min() * cell_h, window.top + (rows.max() + 1) * cell_h
    goes_on = (
        (columns.min() == 0 and window.left > 0)
        or (rows.min() == 0 and window.top > 0)
        or (columns.max() == GRID - 1 and window.left + window.width < width)
        or (rows.max() == GRID - 1 and window.top + window.height < height)
    )
    middle_x, middle_y = window.left + window.width / 2, window.top + window.height / 2
    if goes_on:
        return _within((middle_x, middle_y), (window.width * _WIDER, window.height * _WIDER), width, height)
    if max((right - left) / window.width, (bottom - top) / window.height) >= _SMALL_FRACTION:
        return None
    left, right = min([left, *(click.x for click in clicks)]), max([right, *(click.x for click in clicks)])
    top, bottom = min([top, *(click.y for click in clicks)]), max([bottom, *(click.y for click in clicks)])
    side = max(_CLOSER * max(right - left, bottom - top), _SMALLEST_PX)
    if side > 0.8 * max(window.width, window.height):
        return None
    return _within(((left + right) / 2, (top + bottom) / 2), (side, side), width, height)


def resampled(logits_GG: Logits, window: Window, to: Window) -> Logits:
    """The logits on another window's grid; far below zero where the first window did not reach."""
    columns = ((np.arange(GRID) + 0.5) * to.width / GRID + to.left - window.left) * GRID / window.width - 0.5
    rows = ((np.arange(GRID) + 0.5) * to.height / GRID + to.top - window.top) * GRID / window.height - 0.5
    maps = (np.tile(columns, (GRID, 1)).astype(np.float32), np.tile(rows[:, None], (1, GRID)).astype(np.float32))
    inside = (maps[0] > -1) & (maps[0] < GRID) & (maps[1] > -1) & (maps[1] < GRID)
    out = cv2.remap(logits_GG, *maps, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.where(inside, out, np.float32(-20)).astype(np.float32)


def pixels_of(logits_GG: Logits, window: Window, width: int, height: int) -> NDArray[np.bool_]:
    """The mask in pixels of the picture."""
    columns = (np.arange(width) + 0.5 - window.left) * GRID / window.width - 0.5
    rows = (np.arange(height) + 0.5 - window.top) * GRID / window.height - 0.5
    maps = (np.tile(columns, (height, 1)).astype(np.float32), np.tile(rows[:, None], (1, width)).astype(np.float32))
    inside = (maps[0] > -0.5) & (maps[0] < GRID - 0.5) & (maps[1] > -0.5) & (maps[1] < GRID - 0.5)
    return (cv2.remap(logits_GG, *maps, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE) > 0) & inside


def _within(middle: tuple[float, float], size: tuple[float, float], width: int, height: int) -> Window:
    """A window of that size about a point, moved and cut into the picture."""
    wide, high = min(size[0], width), min(size[1], height)
    left = min(max(middle[0] - wide / 2, 0.0), width - wide)
    top = min(max(middle[1] - high / 2, 0.0), height - high)
    return Window(left, top, wide, high)


def _limited(wide: float, high: float) -> tuple[float, float]:
    return min(wide, high * _LARGEST_ASPECT), min(high, wide * _LARGEST_ASPECT)


def _cut(picture_HW3: Pixels, window: Window) -> Pixels:
    """The window at the network's size."""
    scale_x, scale_y = SIDE_PX / window.width, SIDE_PX / window.height
    left, top = round(window.left), round(window.top)
    right, bottom = max(round(window.left + window.width), left + 1), max(round(window.top + window.height), top + 1)
    shrinks = min(scale_x, scale_y) < 1
    return cv2.resize(
        picture_HW3[top:bottom, left:right], (SIDE_PX, SIDE_PX), interpolation=cv2.INTER_AREA if shrinks else cv2.INTER_LINEAR
    )


def _maps(clicks: list[Click], window: Window) -> Logits:
    scaled = [
        Click((click.x - window.left) * GRID / window.width, (click.y - window.top) * GRID / window.height, click.is_positive)
        for click in clicks
    ]
    return discs(scaled, GRID, 1.0)

"""What clicks make without a network: the anchors of the benchmark.

GrabCut (https://doi.org/10.1145/1015706.1015720) as OpenCV has it, started from clicks: discs are sure, boxes about positive
clicks are likely, the rest is not the object. Region growing: what is connected to a positive click, and of its colour after
mean shift has made regions even. Neither is tuned: nobody tunes them to a picture while labelling. Shapes: H height, W width.
"""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from engine.click_mask.clicks import Click
from engine.click_mask.evaluate import Mask
from engine.click_mask.sources import Pixels

_SIDE_PX = 320
"""The picture is looked at in this size: GrabCut's time grows with its pixels."""
_SURE_RADIUS_PX = 4
_LIKELY_FRACTION = 0.5
"""Side of the likely box about a positive click, in the picture's shorter side: nothing says how large the thing is."""
_GROW_TOLERANCE = 18.0
"""Distance in OpenCV's 8-bit CIELAB."""


def grabcut(picture_HW3: Pixels) -> Callable[[list[Click]], Mask]:
    """Begins GrabCut at a picture."""
    small, scale = _shrunk(picture_HW3)
    bgr = cv2.cvtColor(small, cv2.COLOR_RGB2BGR)

    def answer(clicks: list[Click]) -> Mask:
        height, width = small.shape[:2]
        marks = np.full((height, width), cv2.GC_BGD, dtype=np.uint8)
        reach = _LIKELY_FRACTION * min(height, width) / 2
        for click in clicks:
            if click.is_positive:
                x, y = click.x * scale, click.y * scale
                rows = slice(max(0, int(y - reach)), int(y + reach))
                marks[rows, max(0, int(x - reach)) : int(x + reach)] = cv2.GC_PR_FGD
        marks[[0, -1]] = marks[:, [0, -1]] = cv2.GC_BGD
        for click in clicks:
            sure = cv2.GC_FGD if click.is_positive else cv2.GC_BGD
            cv2.circle(marks, (int(click.x * scale), int(click.y * scale)), _SURE_RADIUS_PX, int(sure), -1)
        cv2.setRNGSeed(0)
        back, fore = np.zeros((1, 65)), np.zeros((1, 65))
        cv2.grabCut(bgr, marks, (0, 0, 1, 1), back, fore, 4, cv2.GC_INIT_WITH_MASK)
        found = np.isin(marks, (cv2.GC_FGD, cv2.GC_PR_FGD))
        return _enlarged(_touching(found, clicks, scale), picture_HW3)

    return answer


def region_growing(picture_HW3: Pixels) -> Callable[[list[Click]], Mask]:
    """Begins region growing at a picture."""
    small, scale = _shrunk(picture_HW3)
    smooth = cv2.pyrMeanShiftFiltering(cv2.cvtColor(small, cv2.COLOR_RGB2BGR), 8, 16)
    lab = cv2.cvtColor(smooth, cv2.COLOR_BGR2LAB).astype(np.float32)

    def answer(clicks: list[Click]) -> Mask:
        height, width = small.shape[:2]

        def nearest(is_positive: bool) -> np.ndarray:
            away = [
                np.linalg.norm(lab - lab[min(int(c.y * scale), height - 1), min(int(c.x * scale), width - 1)], axis=-1)
                for c in clicks
                if c.is_positive == is_positive
            ]
            return np.min(away, axis=0) if away else np.full((height, width), np.inf)

        like, unlike = nearest(True), nearest(False)
        return _enlarged(_touching((like < _GROW_TOLERANCE) & (like < unlike), clicks, scale), picture_HW3)

    return answer


def _shrunk(picture_HW3: Pixels) -> tuple[Pixels, float]:
    height, width = picture_HW3.shape[:2]
    scale = min(1.0, _SIDE_PX / max(height, width))
    return cv2.resize(picture_HW3, (round(width * scale), round(height * scale)), interpolation=cv2.INTER_AREA), scale


def _touching(mask: Mask, clicks: list[Click], scale: float) -> Mask:
    """The connected parts in which a positive click lies."""
    _, parts = cv2.connectedComponents(mask.astype(np.uint8))
    height, width = mask.shape
    hit = {int(parts[min(int(c.y * scale), height - 1), min(int(c.x * scale), width - 1)]) for c in clicks if c.is_positive}
    return np.isin(parts, list(hit - {0}))


def _enlarged(mask: Mask, picture_HW3: Pixels) -> Mask:
    height, width = picture_HW3.shape[:2]
    return cv2.resize(mask.astype(np.float32), (width, height), interpolation=cv2.INTER_LINEAR) > 0.5

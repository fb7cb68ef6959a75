"""Clicks of a person who wants a mask: simulated as in RITM (https://arxiv.org/abs/2102.06583), and as maps for the network.

The first click lies somewhere inside the thing, mostly well inside. Each later one lies deep inside the largest part that is
wrong: positive where the mask misses the thing, negative where it holds something else.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.click_mask.network import CLICK_RADIUS

Mask = NDArray[np.bool_]
Rng = np.random.Generator


@dataclass(frozen=True)
class Click:
    """A point in pixels of the picture, and whether it belongs to the thing."""

    x: float
    y: float
    is_positive: bool = True


def first_click(rng: Rng, target_HW: Mask) -> Click:
    """A pixel of the thing; those far from its border are likelier."""
    depth = _depth(target_HW)
    weight = np.where(depth >= min(2.0, float(depth.max())), depth ** rng.choice([0.5, 2.0]), 0).ravel()
    at = int(rng.choice(weight.size, p=weight / weight.sum()))
    return Click(at % target_HW.shape[1] + 0.5, at // target_HW.shape[1] + 0.5)


def next_click(target_HW: Mask, predicted_HW: Mask, rng: Rng | None = None) -> Click | None:
    """The middle of the largest wrong part, or a place near it when there is a source of chance; None when all is right."""
    missed, extra = _depth(target_HW & ~predicted_HW), _depth(predicted_HW & ~target_HW)
    is_positive = bool(missed.max() >= extra.max())
    depth = missed if is_positive else extra
    if depth.max() <= 0:
        return None
    if rng is None:
        at = int(depth.argmax())
    else:
        places = np.flatnonzero(depth.ravel() >= 0.5 * depth.max())
        at = int(rng.choice(places))
    return Click(at % target_HW.shape[1] + 0.5, at // target_HW.shape[1] + 0.5, is_positive)


def discs(clicks: list[Click], grid: int, scale: float, left: float = 0.0, top: float = 0.0) -> NDArray[np.float32]:
    """The clicks as discs, positive and negative, ``(2, grid, grid)``.

    Args:
        clicks: in pixels of the picture.
        grid: cells a side.
        scale: cells for a pixel of the picture.
        left: of the window, in pixels of the picture.
        top: of the window.
    """
    maps = np.zeros((2, grid, grid), dtype=np.float32)
    rows, columns = np.ogrid[:grid, :grid]
    for click in clicks:
        x, y = (click.x - left) * scale - 0.5, (click.y - top) * scale - 0.5
        near = (columns - x) ** 2 + (rows - y) ** 2 <= CLICK_RADIUS**2
        maps[0 if click.is_positive else 1][near] = 1
    return maps


def _depth(mask_HW: Mask) -> NDArray[Any]:
    """Distance to the next pixel outside; the picture's border counts as outside."""
    padded = np.pad(mask_HW.astype(np.uint8), 1)
    return cv2.distanceTransform(padded, cv2.DIST_L2, 3)[1:-1, 1:-1]

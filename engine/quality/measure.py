"""What one look at a picture gives: brightness, sharpness, content, and the small copies that later steps compare.

A picture is decoded once, by the decoder that training uses, at no more than the size the measures need.

Shapes: H height, W width, C colour channels (RGB), S side of the small copy.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.data.image import Pixels

SMALL_SIDE_PX = 80
"""Side of the small copy that duplicates are compared on."""
FEATURE_SIDE_PX = 192
"""Side of the squares that the backbone sees."""
MEASURE_SIDE_PX = 256
"""Blur and content are judged at this short side: blur that vanishes there does not show either."""
MIN_SIDE_PX = 256
"""The decoder may shrink a JPEG down to here."""

_BLUR_TAPS = 9
_SAME_LEVELS = 6
"""Grey levels within which a pixel counts as equal to the most common one; covers sensor noise of a blank picture."""


@dataclass(frozen=True)
class Looks:
    """Numbers of one picture; luminance in 0..1."""

    brightness: float
    """Mean luminance."""
    dark_end: float
    """Luminance that 2 % of the pixels lie below."""
    bright_end: float
    """Luminance that 2 % of the pixels lie above."""
    contrast: float
    """Standard deviation of the luminance."""
    sharpness: float
    """1 minus the blur of Crete et al.; 0 blurred .. 1 sharp."""
    empty_fraction: float
    """Share of the pixels that look like the most common one."""
    colour: float
    """Mean difference between the channels, 0..1; a grey picture has next to none."""


@dataclass(frozen=True)
class Look:
    """All that is kept of a picture after it has been looked at."""

    looks: Looks
    small_SSC: Pixels
    square_HWC: Pixels
    """What the backbone sees."""


def look_at(pixels_HWC: Pixels) -> Look:
    """Measures a decoded picture."""
    return Look(
        looks=_measured(_short_side(pixels_HWC, MEASURE_SIDE_PX)),
        small_SSC=_square(pixels_HWC, SMALL_SIDE_PX),
        square_HWC=_square(pixels_HWC, FEATURE_SIDE_PX),
    )


def _square(pixels_HWC: Pixels, side_px: int) -> Pixels:
    return np.asarray(cv2.resize(pixels_HWC, (side_px, side_px), interpolation=cv2.INTER_AREA), dtype=np.uint8)


def _short_side(pixels_HWC: Pixels, side_px: int) -> Pixels:
    """Shrinks a picture to this short side; a smaller one stays as it is."""
    height, width = pixels_HWC.shape[:2]
    short = min(height, width)
    if short <= side_px:
        return pixels_HWC
    size = (max(1, round(width * side_px / short)), max(1, round(height * side_px / short)))
    return np.asarray(cv2.resize(pixels_HWC, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def _measured(pixels_HWC: Pixels) -> Looks:
    grey_HW = np.asarray(cv2.cvtColor(pixels_HWC, cv2.COLOR_RGB2GRAY), dtype=np.uint8)
    counts = np.bincount(grey_HW.ravel(), minlength=256)
    below = np.cumsum(counts) / grey_HW.size
    levels = np.arange(256)
    mean = float(counts @ levels) / grey_HW.size
    deviation = float(np.sqrt(counts @ np.square(levels - mean) / grey_HW.size))
    channels = pixels_HWC.reshape(-1, 3)[:: max(1, grey_HW.size // 4096)].astype(np.int16)
    return Looks(
        brightness=mean / 255,
        dark_end=float(np.searchsorted(below, 0.02)) / 255,
        bright_end=float(np.searchsorted(below, 0.98)) / 255,
        contrast=deviation / 255,
        sharpness=1 - blur(grey_HW),
        empty_fraction=_empty_fraction(pixels_HWC),
        colour=float((channels.max(axis=1) - channels.min(axis=1)).mean()) / 255,
    )


def _empty_fraction(pixels_HWC: Pixels) -> float:
    """Share of pixels near the most common colour, channel by channel, after noise has been averaged away."""
    calm_HWC = cv2.blur(pixels_HWC, (3, 3))
    near_HW = np.ones(calm_HWC.shape[:2], dtype=bool)
    for channel in range(3):
        plane_HW = calm_HWC[..., channel]
        middle = int(np.median(plane_HW))
        near_HW &= np.abs(plane_HW.astype(np.int16) - middle) <= _SAME_LEVELS
    return float(near_HW.mean())


def blur(grey_HW: NDArray[np.uint8]) -> float:
    """How blurred a picture is, 0 sharp .. 1 blurred.

    F. Crete, T. Dolmiere, P. Ladret, M. Nicolas: "The blur effect: perception and estimation with a new no-reference perceptual
    blur metric", SPIE 6492, 2007. The picture is blurred again: a sharp one loses much of its variation between
    neighbours, a blurred one little. The ratio does not depend on contrast.
    """
    plane_HW = grey_HW.astype(np.float32)
    worst = 0.0
    for axis in (0, 1):
        if plane_HW.shape[axis] < 3:
            continue
        taps = (1, _BLUR_TAPS) if axis == 0 else (_BLUR_TAPS, 1)
        again_HW = cv2.blur(plane_HW, taps)
        varies_HW = np.abs(np.diff(plane_HW, axis=axis))
        varies_again_HW = np.abs(np.diff(again_HW, axis=axis))
        total = float(varies_HW.sum())
        lost = float(np.maximum(varies_HW - varies_again_HW, 0).sum())
        worst = max(worst, (total - lost) / total if total > 0 else 0.0)
    return worst

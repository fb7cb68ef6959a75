"""Photographs as a camera would have taken them out of focus or with a shaking hand.

The strength of a blur is the standard deviation of its kernel along the axis that it smears most, in per cent of the short
side, so that a disc of radius r (2 s), a line of length L (3.46 s) and a Gaussian (s) of the same strength take the same detail
away. Grain and compression come after the blur, as in a camera.
"""

from __future__ import annotations

import cv2
import numpy as np
import simplejpeg

GAUSSIAN, DEFOCUS, MOTION = "Gaussian", "defocus", "motion"
KINDS = (GAUSSIAN, DEFOCUS, MOTION)
_SIDES_PX = (200, 256, 320, 480, 720)
_GRAINS = (0, 0, 1, 2, 4)
_FINER = 8
"""Kernels are drawn so many times larger, then shrunk."""


def rendition(pixels_HWC: np.ndarray, kind: str | None, strength_percent: float, rng: np.random.Generator) -> bytes:
    """A JPEG of most of a photograph at some size, blurred (or not: None), with or without grain."""
    height, width = pixels_HWC.shape[:2]
    share = rng.uniform(0.85, 1.0)
    high, wide = int(height * share), int(width * share)
    top, left = int(rng.integers(0, height - high + 1)), int(rng.integers(0, width - wide + 1))
    out_HWC = pixels_HWC[top : top + high, left : left + wide]
    short = min(high, wide)
    side = min(short, int(rng.choice(_SIDES_PX)))
    if side < short and short >= 420:  # smaller ones are as they were published
        size = (round(wide * side / short), round(high * side / short))
        out_HWC = cv2.resize(out_HWC, size, interpolation=cv2.INTER_AREA)
    out_HWC = blurred(out_HWC.astype(np.float32), kind, strength_percent / 100 * min(out_HWC.shape[:2]), rng)
    out_HWC = out_HWC + rng.normal(0, float(rng.choice(_GRAINS)), (*out_HWC.shape[:2], 1))
    drawn_HWC = np.ascontiguousarray(out_HWC.clip(0, 255).round().astype(np.uint8))
    return simplejpeg.encode_jpeg(drawn_HWC, quality=int(rng.integers(70, 96)))


def blurred(pixels_HWC: np.ndarray, kind: str | None, sigma_px: float, rng: np.random.Generator) -> np.ndarray:
    """The picture through a kernel of this standard deviation; motion goes in any direction."""
    match kind:
        case None:
            return pixels_HWC
        case "Gaussian":
            return cv2.GaussianBlur(pixels_HWC, (0, 0), sigma_px, borderType=cv2.BORDER_REFLECT)
        case "defocus":
            side = int(np.ceil(2 * sigma_px)) * 2 + 1
            kernel = np.zeros((side * _FINER, side * _FINER), np.float32)
            cv2.circle(kernel, (side * _FINER // 2,) * 2, round(2 * sigma_px * _FINER), 1.0, -1)
        case _:
            length = np.sqrt(12) * sigma_px
            side = (int(np.ceil(length)) | 1) + 2
            kernel = np.zeros((side * _FINER, side * _FINER), np.float32)
            angle = rng.uniform(0, np.pi)
            reach = np.array([np.cos(angle), np.sin(angle)]) * (length - 0.9) * _FINER / 2  # the pen is a pixel wide and round
            ends = [tuple(int(value) for value in side * _FINER / 2 + sign * reach) for sign in (-1, 1)]
            cv2.line(kernel, ends[0], ends[1], 1.0, _FINER)
    kernel = cv2.resize(kernel, (side, side), interpolation=cv2.INTER_AREA)
    return cv2.filter2D(pixels_HWC, -1, kernel / kernel.sum(), borderType=cv2.BORDER_REFLECT)

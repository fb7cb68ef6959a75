"""The eight ways to lay a picture down: turned by quarters and mirrored.

An orientation transposes first, or not, and mirrors then. The cosine transform of a turned picture is the same numbers with
other signs and places, so that the eight descriptors of a picture cost one transform.

Shapes: H height, W width, F frequencies of each axis, N pictures.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

NUM_FREQUENCIES = 9
_SIDE_PX = 32
_WEIGHTS_FF = np.sqrt(np.hypot(*np.mgrid[:NUM_FREQUENCIES, :NUM_FREQUENCIES])).astype(np.float32)
"""Zero for the mean."""


@dataclass(frozen=True)
class Orientation:
    """One of the eight."""

    name: str
    is_transposed: bool
    is_flipped: bool
    """Top to bottom."""
    is_mirrored: bool
    """Left to right."""

    def apply(self, picture: NDArray) -> NDArray:
        """Lays down a picture ``_HW`` or ``_HWC``."""
        laid = picture.swapaxes(0, 1) if self.is_transposed else picture
        rows = slice(None, None, -1) if self.is_flipped else slice(None)
        columns = slice(None, None, -1) if self.is_mirrored else slice(None)
        return np.ascontiguousarray(laid[rows, columns])

    def apply_to_waves(self, waves_NFF: NDArray[np.float32]) -> NDArray[np.float32]:
        """Does the same to cosine transforms."""
        laid_NFF = waves_NFF.swapaxes(1, 2) if self.is_transposed else waves_NFF
        signs_F = np.where(np.arange(laid_NFF.shape[1]) % 2 == 0, 1, -1).astype(np.float32)
        if self.is_flipped:
            laid_NFF = laid_NFF * signs_F[:, None]
        if self.is_mirrored:
            laid_NFF = laid_NFF * signs_F[None, :]
        return laid_NFF


ORIENTATIONS = (
    Orientation("upright", is_transposed=False, is_flipped=False, is_mirrored=False),
    Orientation("mirrored", is_transposed=False, is_flipped=False, is_mirrored=True),
    Orientation("flipped", is_transposed=False, is_flipped=True, is_mirrored=False),
    Orientation("turned_180", is_transposed=False, is_flipped=True, is_mirrored=True),
    Orientation("transposed", is_transposed=True, is_flipped=False, is_mirrored=False),
    Orientation("turned_90", is_transposed=True, is_flipped=False, is_mirrored=True),
    Orientation("turned_270", is_transposed=True, is_flipped=True, is_mirrored=False),
    Orientation("transversed", is_transposed=True, is_flipped=True, is_mirrored=True),
)


def waves_of(small_HWC: NDArray[np.uint8]) -> NDArray[np.float32]:
    """The low frequencies ``_FF`` of a picture's luminance, the mean left out, higher ones weighted up.

    Natural pictures' amplitudes fall as one over the frequency; without weights the first few would decide alone.
    """
    grey_HW = cv2.resize(cv2.cvtColor(small_HWC, cv2.COLOR_RGB2GRAY), (_SIDE_PX, _SIDE_PX), interpolation=cv2.INTER_AREA)
    waves_FF = cv2.dct(grey_HW.astype(np.float32))[:NUM_FREQUENCIES, :NUM_FREQUENCIES]
    waves_FF = waves_FF * _WEIGHTS_FF
    return np.asarray(waves_FF / max(float(np.linalg.norm(waves_FF)), 1e-6), dtype=np.float32)

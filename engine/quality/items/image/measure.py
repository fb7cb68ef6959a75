"""What one look at a picture gives: brightness, sharpness, content, and the small copies that later steps compare.

A picture is decoded once, by the decoder that training uses, at no more than the size the measures need.

Shapes: H height, W width, C colour channels (RGB), S side of the small copy, A directions, T tiles; also S scales.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.data.image import Pixels, resize_picture

SMALL_SIDE_PX = 80
"""Side of the small copy that duplicates are compared on."""
FEATURE_SIDE_PX = 160
"""Side of the squares that the backbone sees: that of the platform's stored embeddings, which are taken where there are any."""
LOOK_SIDE_PX = 240
"""Light, content and blur are judged at this short side, or at the picture's own where that is shorter: what cannot be seen
there is no fault. So much is left of common sizes (480, 960) when the decoder halves them."""
MIN_SIDE_PX = LOOK_SIDE_PX
"""The decoder may shrink a JPEG down to here."""

# Chosen on half A of photographs, judged on half B (benchmarks/quality_blur.py).
_SCALES_PX = (0.8, 2.4, 4.0)
_TILE_PX = 15
_NUM_DIRECTIONS = 8
_SHOWN_FRACTION = 0.1
"""Of the gradient energy of the strongest tiles: with less along a direction a tile says nothing of that direction."""
_LEAST_ENERGY = 0.1
"""Squared grey levels a pixel; less is no edge."""
_LEAST_TILES_FRACTION = 0.01
_EVEN = 0.8
"""Detail falls off along the worst direction at least at this share of how it does along the best, where nothing moved."""
_LEAST_FALL, _LEAST_COARSE_FALL, _MOST_COARSE_FALL = 0.01, 0.1, 1.0
"""Stripes and print have no coarse detail, so that their energy falls there without end."""
_CLIPPED = (5, 250)
"""Grey levels beyond which a sensor's noise is cut off."""
_SAME_LEVELS = 6
"""Grey levels within which a pixel counts as equal to the most common one; covers sensor noise of a blank picture."""


@dataclass(frozen=True)
class PictureMeasures:
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
    """How much fine detail there is, given the coarse one; 0 blurred .. 1 sharp."""
    empty_fraction: float
    """Share of the pixels that look like the most common one."""
    colour: float
    """Mean difference between the channels, 0..1; a grey picture has next to none."""


@dataclass(frozen=True)
class MeasuredPicture:
    """All that is kept of a picture after it has been looked at."""

    measures: PictureMeasures
    small_SSC: Pixels
    square_HWC: Pixels
    """What the backbone sees."""


def measure_picture(pixels_HWC: Pixels) -> MeasuredPicture:
    """Measures a decoded picture."""
    return MeasuredPicture(
        measures=_measured(_short_side(pixels_HWC, LOOK_SIDE_PX)),
        small_SSC=_square(pixels_HWC, SMALL_SIDE_PX),
        square_HWC=resize_picture(pixels_HWC, height_px=FEATURE_SIDE_PX, width_px=FEATURE_SIDE_PX),
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


def _measured(pixels_HWC: Pixels) -> PictureMeasures:
    grey_HW = np.asarray(cv2.cvtColor(pixels_HWC, cv2.COLOR_RGB2GRAY), dtype=np.uint8)
    counts = np.bincount(grey_HW.ravel(), minlength=256)
    below = np.cumsum(counts) / grey_HW.size
    levels = np.arange(256)
    mean = float(counts @ levels) / grey_HW.size
    deviation = float(np.sqrt(counts @ np.square(levels - mean) / grey_HW.size))
    channels = pixels_HWC.reshape(-1, 3)[:: max(1, grey_HW.size // 4096)].astype(np.int16)
    return PictureMeasures(
        brightness=mean / 255,
        dark_end=float(np.searchsorted(below, 0.02)) / 255,
        bright_end=float(np.searchsorted(below, 0.98)) / 255,
        contrast=deviation / 255,
        sharpness=sharpness(pixels_HWC),
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


def sharpness(pixels_HWC: Pixels) -> float:
    """How much of a picture's fine detail is there, given its coarse detail: 0 blurred .. 1 sharp; sound ones are above a half.

    Blurring a picture once more takes gradient energy away. How the energy falls with the scale of that blur depends on the
    picture: it falls slowly for edges, steeply for texture. But where a picture was blurred already it hardly falls at scales
    below that of its blur, whatever it shows: for a power law ``(blur^2 + scale^2)^-p`` the fall over fine scales against that
    over coarse ones does not depend on ``p``, nor on contrast. (The falls by one step are F. Crete et al., "The blur effect",
    SPIE 6492, 2007, and S. Zhuo, T. Sim, "Defocus map estimation from a single image", Pattern Recognition 44, 2011.) Motion
    makes the fall along one direction less than along the others. So what counts is the worst direction's fall, and less where
    it is far below the best one's.

    Only tiles with strong gradients count, so that soft grounds do not make a picture blurred, and only directions along which
    there is something to see. Energy of noise is taken off, so that grain does not make a picture sharp.
    """
    grey_HW = cv2.cvtColor(pixels_HWC, cv2.COLOR_RGB2GRAY).astype(np.float32)
    if min(grey_HW.shape) < 3:
        return 0.0
    noise = _noise_variance(grey_HW)
    energies_SAT = np.stack([np.maximum(_energies(grey_HW, one) - noise * _noise_gain(one), 1e-3) for one in _SCALES_PX])
    falls_A2 = _falls(energies_SAT)
    fine_A = np.maximum(falls_A2[:, 0], _LEAST_FALL)
    detail = float((fine_A / falls_A2[:, 1].clip(_LEAST_COARSE_FALL, _MOST_COARSE_FALL)).min())
    detail *= min(1.0, float(fine_A.min() / fine_A.max()) / _EVEN)
    return detail / (1 + detail)


def _falls(energies_SAT: NDArray[np.float32]) -> NDArray[np.float64]:
    """Logarithms of how energy falls over fine scales, and from the middle to the coarse one, by direction ``_A2``.

    Directions along which there is next to nothing to see are left out.
    """
    middle_AT = energies_SAT[1]
    strongest = float(np.quantile(middle_AT.max(axis=0), 0.98))
    num_enough = max(1, int(middle_AT.shape[1] * _LEAST_TILES_FRACTION))
    for least in (_LEAST_ENERGY, 0.0):
        is_shown_AT = middle_AT >= max(least, _SHOWN_FRACTION * strongest)
        is_seen_A = is_shown_AT.sum(axis=1) >= num_enough
        if is_seen_A.any():
            break
    pooled_SA = (energies_SAT * is_shown_AT).sum(axis=2)[:, is_seen_A].astype(np.float64)
    return np.stack([np.log(pooled_SA[0] / pooled_SA[1]), np.log(pooled_SA[1] / pooled_SA[2])], axis=1)


def _energies(grey_HW: NDArray[np.float32], sigma_px: float) -> NDArray[np.float32]:
    """Mean squared slope along each direction in each tile ``_AT`` after a Gaussian."""
    smooth_HW = cv2.GaussianBlur(grey_HW, (0, 0), sigma_px)
    right_HW = (smooth_HW[1:-1, 2:] - smooth_HW[1:-1, :-2]) / 2
    down_HW = (smooth_HW[2:, 1:-1] - smooth_HW[:-2, 1:-1]) / 2
    tensor_HW3 = cv2.merge([right_HW * right_HW, right_HW * down_HW, down_HW * down_HW])
    tiles = (max(1, round(grey_HW.shape[1] / _TILE_PX)), max(1, round(grey_HW.shape[0] / _TILE_PX)))
    tensor_T3 = cv2.resize(tensor_HW3, tiles, interpolation=cv2.INTER_AREA).reshape(-1, 3)
    return np.asarray(_DIRECTIONS_A3 @ tensor_T3.T, dtype=np.float32)


_ANGLES_A = np.arange(_NUM_DIRECTIONS) * np.pi / _NUM_DIRECTIONS
_DIRECTIONS_A3 = np.stack([np.cos(_ANGLES_A) ** 2, np.sin(2 * _ANGLES_A), np.sin(_ANGLES_A) ** 2], axis=1).astype(np.float32)
"""What of a structure tensor (xx, xy, yy) lies along each direction."""


def _noise_variance(grey_HW: NDArray[np.float32]) -> float:
    """J. Immerkaer: "Fast noise variance estimation", CVIU 64, 1996; by the median, which edges move little.

    Burnt-out and black grounds hold no noise to tell; they are left out unless there is nothing else.
    """
    kernel = np.array([[1, -2, 1], [-2, 4, -2], [1, -2, 1]], dtype=np.float32)
    response_HW = np.abs(cv2.filter2D(grey_HW, -1, kernel))[::2, ::2]
    some_HW = grey_HW[::2, ::2]
    is_open_HW = (some_HW > _CLIPPED[0]) & (some_HW < _CLIPPED[1])
    chosen = response_HW[is_open_HW] if is_open_HW.mean() > 0.01 else response_HW
    middle = float(np.median(chosen))  # a whole number: where in its bin the median lies is read off the bin's neighbours
    low = max(middle - 0.5, 0.0)
    place = (0.5 - float((chosen < middle).mean())) / max(float((chosen == middle).mean()), 1e-6)
    return ((low + (middle + 0.5 - low) * min(max(place, 0.0), 1.0)) / 0.6745 / 6) ** 2


@lru_cache
def _noise_gain(sigma_px: float) -> float:
    """Energy of the slope of white noise of variance one after the Gaussian."""
    point_HW = np.zeros((61, 61), dtype=np.float32)
    point_HW[30, 30] = 1
    smooth_HW = cv2.GaussianBlur(point_HW, (0, 0), sigma_px)
    return float((((smooth_HW[:, 2:] - smooth_HW[:, :-2]) / 2) ** 2).sum())

"""Whether two pictures are the same picture: lays one over the other and looks at what remains.

Cheap candidates (``candidates.py``) are alike from afar; two scenes with the same background are too. So the pictures are
aligned, over crops of up to a quarter, and compared piece by piece: copies differ a little everywhere, other pictures much
somewhere.

Shapes: S side of the small copies, C colour channels.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.data.image import Pixels

_COARSE_PX = 32
_FRACTIONS = (1.0, 0.95, 0.9, 0.85, 0.8)
"""Sides that may remain of a cropped picture."""
_COARSE_LEAST = 0.77
"""Correlation from afar below which nothing can be the same; a crop aligned to a whole pixel of 32 keeps more."""
_COARSE_ENOUGH = 0.985
"""So alike as they lie that no crop needs to be tried."""
_STEPS = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 40, 1e-4)
_SMOOTHING_PX = 5
_PIECES = 8
_BORDER = 0.06
_NOISE_FLOOR = 6.0
"""Grey levels of difference that compression may leave in a flat piece."""


@dataclass(frozen=True)
class Match:
    """How well one picture lies over the other."""

    similarity: float
    """Correlation after alignment, 0..1."""
    worst: float
    """Difference in the worst piece, in units of the picture's contrast."""
    kept_fraction: float
    """Share of the larger picture's area that both show; below 1 for a crop."""


def match(first_SSC: Pixels, second_SSC: Pixels) -> Match | None:
    """Aligns the second picture to the first; None where no alignment is found."""
    first_SS, second_SS = _grey(first_SSC), _grey(second_SSC)
    start = _coarse(first_SS, second_SS)
    if start is None:
        return None
    warp = _refined(first_SS, second_SS, start)
    return _compared(first_SSC, second_SSC, warp)


def _grey(picture_SSC: Pixels) -> NDArray[np.float32]:
    return np.asarray(cv2.cvtColor(picture_SSC, cv2.COLOR_RGB2GRAY), dtype=np.float32)


def _coarse(first_SS: NDArray[np.float32], second_SS: NDArray[np.float32]) -> NDArray[np.float32] | None:
    """The best crop of one that gives the other, as the affine map from the first's pixels to the second's."""
    side = first_SS.shape[0]
    small = [cv2.resize(picture, (_COARSE_PX, _COARSE_PX), interpolation=cv2.INTER_AREA) for picture in (first_SS, second_SS)]
    best, found = _COARSE_LEAST, None
    for is_second_cropped in (True, False):
        whole, part = (small[0], small[1]) if is_second_cropped else (small[1], small[0])
        for across, down in product(_FRACTIONS, repeat=2):
            if abs(across - down) > 0.11:
                continue
            size = (round(_COARSE_PX * across), round(_COARSE_PX * down))
            scores = cv2.matchTemplate(whole, cv2.resize(part, size, interpolation=cv2.INTER_AREA), cv2.TM_CCOEFF_NORMED)
            _, score, _, place = cv2.minMaxLoc(scores)
            if score > best + 1e-3:
                best = score
                found = is_second_cropped, size[0] / _COARSE_PX, size[1] / _COARSE_PX, place
            if across == down == 1.0 and score >= _COARSE_ENOUGH:
                return np.eye(2, 3, dtype=np.float32)
    if found is None:
        return None
    is_second_cropped, across, down, (left, top) = found
    unit = side / _COARSE_PX
    if is_second_cropped:  # first = left + across * second
        return np.array([[1 / across, 0, -left * unit / across], [0, 1 / down, -top * unit / down]], dtype=np.float32)
    return np.array([[across, 0, left * unit], [0, down, top * unit]], dtype=np.float32)


def _refined(first_SS: NDArray[np.float32], second_SS: NDArray[np.float32], start: NDArray[np.float32]) -> NDArray[np.float32]:
    """G. Evangelidis, E. Psarakis: "Parametric image alignment using enhanced correlation coefficient", TPAMI 2008."""
    try:
        _, warp = cv2.findTransformECC(
            first_SS, second_SS, start.copy(), cv2.MOTION_AFFINE, _STEPS, np.ones(second_SS.shape, np.uint8), _SMOOTHING_PX
        )
    except cv2.error:  # it says so when it does not converge
        return start
    is_sane = np.abs(warp[:, :2] - start[:, :2]).max() < 0.1
    return np.asarray(warp if is_sane else start, dtype=np.float32)


def _compared(first_SSC: Pixels, second_SSC: Pixels, warp: NDArray[np.float32]) -> Match:
    side = first_SSC.shape[0]
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    inside_SS = cv2.warpAffine(np.ones((side, side), np.float32), warp, (side, side), flags=flags)
    laid_SSC = cv2.warpAffine(second_SSC, warp, (side, side), flags=flags)
    border = round(side * _BORDER / 2)
    shown_SS = cv2.erode(inside_SS, np.ones((3, 3))) > 0.99
    shown_SS[:border] = shown_SS[-border:] = False
    shown_SS[:, :border] = shown_SS[:, -border:] = False
    one_SSC = cv2.blur(first_SSC, (3, 3)).astype(np.float32)
    two_SSC = cv2.blur(laid_SSC, (3, 3)).astype(np.float32)
    one, two = one_SSC[shown_SS], two_SSC[shown_SS]
    if len(one) < side * side // 4:
        return Match(0.0, 9.0, 0.0)
    centred_one, centred_two = one - one.mean(axis=0), two - two.mean(axis=0)
    spread_one, spread_two = float(np.sqrt((centred_one**2).mean())), float(np.sqrt((centred_two**2).mean()))
    similarity = float((centred_one * centred_two).mean()) / max(spread_one * spread_two, 1e-3)
    gain = spread_one / max(spread_two, 1e-3)
    rest_SSC = one_SSC - one.mean(axis=0) - gain * (two_SSC - two.mean(axis=0))
    rest_SS = np.where(shown_SS, np.abs(rest_SSC).mean(axis=2), 0).astype(np.float32)
    step = side // _PIECES
    kernel = (step, step)
    summed_SS, counted_SS = cv2.blur(rest_SS, kernel), cv2.blur(shown_SS.astype(np.float32), kernel)
    worst = float((summed_SS / np.maximum(counted_SS, 0.3)).max())
    scale = abs(float(np.linalg.det(warp[:, :2])))
    return Match(max(0.0, similarity), max(0.0, worst - _NOISE_FLOOR) / max(spread_one, 8.0), min(scale, 1 / max(scale, 1e-3)))

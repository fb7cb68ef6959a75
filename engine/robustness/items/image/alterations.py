"""Pictures as cameras and networks spoil them: blur, noise, compression, light, contrast, a camera that hangs askew.

The kinds of alteration follow Hendrycks and Dietterich (2019), "Benchmarking neural network robustness to common corruptions
and perturbations". They are applied to what the model sees, a square or the picture that tiles are cut from, so that a strength
means the same for a picture of 300 pixels and one of 4,000. Shapes: H height, W width, C colour channels (RGB).
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from automl.contracts.words import Words
from engine.robustness.alteration import Alter, Alteration, Step

words = Words(__file__)

Picture = NDArray[np.uint8]

_BLURS = (0.004, 0.008, 0.016)
"""Standard deviation of the Gaussian, as a share of the side of what the network sees."""
_NOISES = (10, 25, 50)
"""Standard deviation in grey levels of 255."""
_QUALITIES = (40, 20, 8)
"""Of JPEG, 1 to 100."""
_DARKER = (0.6, 0.35, 0.15)
_BRIGHTER = (1.4, 1.9, 2.6)
"""What light is multiplied by."""
_CONTRASTS = (0.6, 0.35, 0.15)
"""What the distance from the mean is multiplied by."""
_DEGREES = (5, 15, 30)
_ROWS_AT_ONCE = 512
_EXAMPLE_SIDE_PX = 96
_EXAMPLE_QUALITY = 80


def alterations(side_px: int) -> Sequence[Alteration]:
    """Blur, noise, compression, darkness, brightness, low contrast and turns, for a network that sees squares of this side."""
    return (
        Alteration("blur", words("blur"), [_step("blur", f"{100 * each:g}", _blurred(each * side_px)) for each in _BLURS]),
        Alteration("noise", words("noise"), [_step("noise", str(each), _noisy(each)) for each in _NOISES]),
        Alteration("compression", words("compression"), [_step("compression", str(q), _packed(q)) for q in _QUALITIES]),
        Alteration("darkness", words("darkness"), [_step("darkness", f"{1 - f:.0%}", _lit(f)) for f in _DARKER]),
        Alteration("brightness", words("brightness"), [_step("brightness", f"{f - 1:.0%}", _lit(f)) for f in _BRIGHTER]),
        Alteration("contrast", words("contrast"), [_step("contrast", f"{1 - f:.0%}", _flat(f)) for f in _CONTRASTS]),
        Alteration("turn", words("turn"), [_step("turn", str(each), _turned(each)) for each in _DEGREES], moves_parts=True),
    )


def preview(picture_HWC: Picture) -> str:
    """A JPEG of 96 pixels as a data address."""
    size = (_EXAMPLE_SIDE_PX, _EXAMPLE_SIDE_PX)
    small_HWC = np.asarray(cv2.resize(picture_HWC, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    return "data:image/jpeg;base64," + base64.b64encode(_jpeg(small_HWC, _EXAMPLE_QUALITY)).decode()


def _step(name: str, amount: str, alter: Alter) -> Step:
    return Step(words(f"{name}.strength", amount=amount), alter)


def _blurred(deviation_px: float) -> Callable[[Picture, np.random.Generator], Picture]:
    def alter(picture_HWC: Picture, generator: np.random.Generator) -> Picture:
        del generator
        return np.asarray(cv2.GaussianBlur(picture_HWC, (0, 0), deviation_px), dtype=np.uint8)

    return alter


def _noisy(deviation: float) -> Callable[[Picture, np.random.Generator], Picture]:
    def alter(picture_HWC: Picture, generator: np.random.Generator) -> Picture:
        return _changed(picture_HWC, lambda rows_HWC: rows_HWC + generator.normal(0.0, deviation, rows_HWC.shape))

    return alter


def _packed(quality: int) -> Callable[[Picture, np.random.Generator], Picture]:
    def alter(picture_HWC: Picture, generator: np.random.Generator) -> Picture:
        del generator
        bgr_HWC = cv2.imdecode(np.frombuffer(_jpeg(picture_HWC, quality), dtype=np.uint8), cv2.IMREAD_COLOR)
        assert bgr_HWC is not None, "it was written a line above"
        return np.asarray(cv2.cvtColor(bgr_HWC, cv2.COLOR_BGR2RGB), dtype=np.uint8)

    return alter


def _lit(factor: float) -> Callable[[Picture, np.random.Generator], Picture]:
    def alter(picture_HWC: Picture, generator: np.random.Generator) -> Picture:
        del generator
        return _changed(picture_HWC, lambda rows_HWC: rows_HWC * np.float64(factor))

    return alter


def _flat(factor: float) -> Callable[[Picture, np.random.Generator], Picture]:
    def alter(picture_HWC: Picture, generator: np.random.Generator) -> Picture:
        del generator
        mean = picture_HWC.mean()
        return _changed(picture_HWC, lambda rows_HWC: mean + (rows_HWC - mean) * factor)

    return alter


def _turned(degrees: float) -> Callable[[Picture, np.random.Generator], Picture]:
    def alter(picture_HWC: Picture, generator: np.random.Generator) -> Picture:
        height, width = picture_HWC.shape[:2]
        sign = 1.0 if generator.integers(2) else -1.0
        matrix = cv2.getRotationMatrix2D(((width - 1) / 2, (height - 1) / 2), sign * degrees, 1.0)
        return np.asarray(
            cv2.warpAffine(picture_HWC, matrix, (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101),
            dtype=np.uint8,
        )

    return alter


def _jpeg(picture_HWC: Picture, quality: int) -> bytes:
    is_written, content = cv2.imencode(
        ".jpg", cv2.cvtColor(picture_HWC, cv2.COLOR_RGB2BGR), [cv2.IMWRITE_JPEG_QUALITY, quality]
    )
    assert is_written, "a picture in memory can always be written"
    return bytes(content.tobytes())


def _changed(picture_HWC: Picture, change: Callable[[Picture], NDArray[np.float64]]) -> Picture:
    """A picture whose colours are computed anew, some rows at a time: as numbers a large one takes eight times its memory."""
    changed_HWC = np.empty_like(picture_HWC)
    for top in range(0, len(picture_HWC), _ROWS_AT_ONCE):
        rows = slice(top, top + _ROWS_AT_ONCE)
        changed_HWC[rows] = np.clip(np.rint(change(picture_HWC[rows])), 0, 255)
    return changed_HWC

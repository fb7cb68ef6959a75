"""What a picture is like: light, contrast, detail, colour, size, shape.

Measured on a copy of at most ``SIDE_PX``, so that the facts of a large picture cost no more than those of a small one.
Contrast, sharpness and colourfulness are shares of what they rest on, so that dark is not also flat, blurred and pale.
Shapes: H height, W width, C colour channels (RGB).
"""

from __future__ import annotations

import numpy as np
from PIL import Image

from ...facts import Fact
from .decode import Picture

SIDE_PX = 256
_LUMA = np.array([0.299, 0.587, 0.114], dtype=np.float32)


def picture_facts(picture: Picture) -> list[Fact]:
    """Six numbers about a picture.

    Brightness is the mean luma 0..1, contrast its standard deviation by its mean, sharpness the deviation of the Laplacian by
    that of the luma, colourfulness that of Hasler and Süsstrunk ("Measuring colourfulness in natural images", 2003) by the mean
    luma; the shorter side is in pixels of the file, the shape is width by height.
    """
    small = Image.fromarray(picture.pixels_HWC)
    longest = max(small.size)
    if longest > SIDE_PX:
        small = small.reduce(-(-longest // SIDE_PX))
    pixels_HWC = np.asarray(small, dtype=np.float32)  # noqa: N806 - the suffix is the shape
    grey_HW = pixels_HWC @ _LUMA  # noqa: N806
    mean, spread = float(grey_HW.mean()), float(grey_HW.std())
    numbers = {
        "brightness": mean / 255.0,
        "contrast": spread / max(mean, 1.0),
        "sharpness": _edges(grey_HW) / max(spread, 1.0),
        "colourfulness": _colourfulness(pixels_HWC) / max(mean, 1.0),
        "side": float(min(picture.width_px, picture.height_px)),
        "shape": picture.width_px / picture.height_px,
    }
    return [Fact(name, "numeric", value) for name, value in numbers.items()]


def _edges(grey_HW: np.ndarray) -> float:  # noqa: N803
    """Standard deviation of the Laplacian; 0 of a picture without an inside."""
    if min(grey_HW.shape) < 3:
        return 0.0
    middle = grey_HW[1:-1, 1:-1]
    around = grey_HW[:-2, 1:-1] + grey_HW[2:, 1:-1] + grey_HW[1:-1, :-2] + grey_HW[1:-1, 2:]
    return float((around - 4.0 * middle).std())


def _colourfulness(pixels_HWC: np.ndarray) -> float:  # noqa: N803
    red, green, blue = (pixels_HWC[..., place] for place in range(3))
    first, second = red - green, 0.5 * (red + green) - blue
    spread = np.hypot(first.std(), second.std())
    return float(spread + 0.3 * np.hypot(first.mean(), second.mean()))

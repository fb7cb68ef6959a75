"""Pictures: size, shape, light, detail, and the objects in them.

Light and detail are measured on the squares that training has already made of the pictures, so that no picture is read again.
Shapes: N items, B a chunk of them, H height, W width, C colour channels (RGB).
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from automl.contracts.annotation import Box
from automl.contracts.dataset import ItemRecord
from automl.contracts.words import Words
from engine.data.items import PackedItems
from engine.slices.fact import Fact

words = Words(__file__)
_CHUNK = 64


class Images:
    """See ``FactsKind``."""

    def facts(self, records: Sequence[ItemRecord], content: PackedItems) -> list[Fact]:
        """Size, shape, light, contrast, sharpness, and number and size of objects where any are drawn."""
        sides_N2 = np.array([(record.media.width, record.media.height) for record in records], dtype=np.float64)
        brightness_N, contrast_N, sharpness_N = _looks(content, records)
        numbers_N, sizes_N = _objects(records)
        found = [
            Fact("brightness", words("brightness"), brightness_N, "number", (words("dark"), words("bright"))),
            Fact("contrast", words("contrast"), contrast_N, "number", (words("flat"), words("rich"))),
            Fact("sharpness", words("sharpness"), sharpness_N, "number", (words("blurred"), words("sharp"))),
            Fact("side", words("side"), sides_N2.min(axis=1), "number", (words("small"), words("large"))),
            Fact("shape", words("shape"), sides_N2[:, 0] / sides_N2[:, 1], "number", (words("tall"), words("wide"))),
            Fact("format", words("format"), np.array([record.media.format for record in records], dtype=object)),
        ]
        if numbers_N.any():
            found += [
                Fact("objects", words("objects"), numbers_N, "number", (words("few_objects"), words("many_objects"))),
                Fact("object_size", words("object_size"), sizes_N, "number", (words("small_objects"), words("large_objects"))),
            ]
        return found


def _looks(content: PackedItems, records: Sequence[ItemRecord]) -> tuple[NDArray[np.float64], ...]:
    """Mean luminance 0..1, how far it spreads around the mean as a share of it, and how much fine detail is in that spread.

    The last two are shares, so that a dark picture is not also one of little contrast and detail.
    """
    found = []
    rows_N = content.indices(records)
    for start in range(0, len(rows_N), _CHUNK):
        for picture_HWC in content.array[rows_N[start : start + _CHUNK]]:
            grey_HW = cv2.cvtColor(picture_HWC, cv2.COLOR_RGB2GRAY)
            mean, deviation = (float(each[0, 0]) for each in cv2.meanStdDev(grey_HW))
            edges = float(cv2.meanStdDev(cv2.Laplacian(grey_HW, cv2.CV_32F))[1][0, 0])
            found.append((mean / 255.0, deviation / max(mean, 1.0), edges / max(deviation, 1.0)))
    return tuple(np.array(found).T)


def _objects(records: Sequence[ItemRecord]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """How many boxes a person drew, and the median side of one as a share of the picture's; NaN without any."""
    numbers, sizes = [], []
    for record in records:
        boxes = [each for each in record.annotations if isinstance(each, Box)]
        area = float(record.media.width * record.media.height)
        numbers.append(float(len(boxes)))
        sizes.append(float(np.median([np.sqrt(box.width * box.height / area) for box in boxes])) if boxes else np.nan)
    return np.array(numbers), np.array(sizes)

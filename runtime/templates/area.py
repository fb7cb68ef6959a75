"""The area of a field in a picture: seen as it lies on the form, with what was read there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from ._place import mapped
from .lines import Floats, Piece
from .template import Field, corners_of

_MOST_PX = 1_600
"""Longer side of a flattened area: rules of half a millimetre on a sheet are still two pixels wide."""
_LUMA = np.array([0.299, 0.587, 0.114])


class Pixels(Protocol):
    """A decoded picture."""

    @property
    def pixels_HWC(self) -> NDArray[np.uint8]:  # noqa: N802 - the suffix is the shape
        """Upright; it may be smaller than the file's picture."""

    @property
    def width_px(self) -> int:
        """Of the file's picture, in whose pixels lines lie."""

    @property
    def height_px(self) -> int:
        """Of the file's picture."""


class Flattened(NamedTuple):
    """An area as it would be seen from straight above."""

    gray_HW: Floats  # noqa: N815 - the suffix is the shape
    """0 to 255; what lies outside the picture repeats its edge."""
    scale: float
    """Pixels of this for one of the template."""
    seen_share: float
    """How much of the area lies in the picture, 0..1."""


@dataclass(frozen=True)
class FieldArea:
    """A field in a picture."""

    field: Field
    projection: Floats
    """``_33``: from pixels of the template to those of the picture."""
    all_pieces: Sequence[Piece]
    """What was read in the whole picture, reference texts too."""
    picture: Pixels | None

    @cached_property
    def pieces(self) -> list[Piece]:
        """What was read here: lines whose middle lies in the area."""
        own = self.field
        middles = [(each, each.on_form.mean(axis=0)) for each in self.all_pieces]
        return [each for each, (x, y) in middles if own.x <= x <= own.x + own.width and own.y <= y <= own.y + own.height]

    def flattened(self) -> Flattened | None:
        """The area from straight above, at the picture's own resolution; None where there is no picture."""
        if self.picture is None:
            return None
        own = self.field
        height, width = self.picture.pixels_HWC.shape[:2]
        shrunk = np.array([width / self.picture.width_px, height / self.picture.height_px])
        corners = mapped(self.projection, corners_of(own)) * shrunk
        sides = [np.hypot(*(corners[place] - corners[place - 1])) for place in range(4)]
        # Sides 1 and 3 are the upper and the lower one.
        natural = max(sides[1] / own.width, sides[3] / own.width, sides[0] / own.height, sides[2] / own.height)
        scale = float(min(natural, _MOST_PX / max(own.width, own.height)))
        size = max(2, round(own.width * scale)), max(2, round(own.height * scale))
        x = own.x + (np.arange(size[0]) + 0.5) / scale
        y = own.y + (np.arange(size[1]) + 0.5) / scale
        grid = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
        points = mapped(self.projection, grid) * shrunk - 0.5
        is_seen = ((points >= -1) & (points <= np.array([width, height]))).all(axis=1)
        gray = _sampled(self.picture.pixels_HWC, points).reshape(size[1], size[0])
        return Flattened(gray, scale, float(is_seen.mean()))


def _sampled(pixels_HWC: NDArray[np.uint8], points: Floats) -> Floats:  # noqa: N803 - the suffix is the shape
    """Luma at points ``_N2`` between pixels, by the four around each."""
    height, width = pixels_HWC.shape[:2]
    lowest = np.clip(np.floor(points.min(axis=0)).astype(int), 0, [width - 1, height - 1])
    highest = np.clip(np.floor(points.max(axis=0)).astype(int) + 1, 0, [width - 1, height - 1])
    part = pixels_HWC[lowest[1] : highest[1] + 1, lowest[0] : highest[0] + 1] @ _LUMA
    x = np.clip(points[:, 0] - lowest[0], 0, part.shape[1] - 1)
    y = np.clip(points[:, 1] - lowest[1], 0, part.shape[0] - 1)
    left, upper = np.floor(x).astype(int), np.floor(y).astype(int)
    right, lower = np.minimum(left + 1, part.shape[1] - 1), np.minimum(upper + 1, part.shape[0] - 1)
    x -= left
    y -= upper
    above = part[upper, left] * (1 - x) + part[upper, right] * x
    below = part[lower, left] * (1 - x) + part[lower, right] * x
    found: Floats = above * (1 - y) + below * y
    return found

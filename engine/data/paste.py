"""Pastes cut-outs on photographs, so that the true mask of each object is known to the pixel.

Cut-and-paste as in Dwibedi et al. 2017, https://arxiv.org/abs/1708.01642: their finding that blurred edges keep a detector from
learning the edges of the paste is followed. Shapes: H height, W width; four channels are RGBA.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.data.image import Pixels

EDGE_SIGMA_PX = 0.6
"""Blur of the alpha at the size in which it is pasted."""
_SOLID = 0.5
"""Alpha from which a pixel belongs to the thing."""


def trimmed(cutout_HW4: Pixels, *, min_alpha: int = 128) -> Pixels:
    """The cut-out without empty margins.

    Raises:
        ValueError: nothing of it is opaque.
    """
    is_solid_HW = cutout_HW4[..., 3] >= min_alpha
    rows, columns = np.flatnonzero(is_solid_HW.any(axis=1)), np.flatnonzero(is_solid_HW.any(axis=0))
    if len(rows) == 0:
        raise ValueError("the cut-out is empty")
    return np.ascontiguousarray(cutout_HW4[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1])


def turned(cutout_HW4: Pixels, *, longest_px: float, angle_deg: float = 0.0, is_mirrored: bool = False) -> Pixels:
    """The cut-out at another size, turned about its middle, on a canvas that just holds it.

    Args:
        cutout_HW4: RGBA.
        longest_px: its longer side before it is turned.
        angle_deg: anticlockwise.
        is_mirrored: left and right change places first.
    """
    height, width = cutout_HW4.shape[:2]
    scale = longest_px / max(height, width)
    source = cv2.flip(cutout_HW4, 1) if is_mirrored else cutout_HW4
    if scale < 1:
        source = cv2.resize(source, (max(1, round(width * scale)), max(1, round(height * scale))), interpolation=cv2.INTER_AREA)
        scale = longest_px / max(source.shape[:2])
    height, width = source.shape[:2]
    matrix_23 = np.array(cv2.getRotationMatrix2D((width / 2, height / 2), angle_deg, scale), dtype=np.float64)
    reach = np.abs(matrix_23[:, :2]) @ np.array([width, height])
    out_width, out_height = (max(1, int(np.ceil(side))) for side in reach)
    matrix_23[:, 2] += np.array([out_width - width, out_height - height]) / 2
    warped: Pixels = cv2.warpAffine(source, matrix_23, (out_width, out_height), flags=cv2.INTER_LINEAR).astype(np.uint8)
    return warped


@dataclass
class Canvas:
    """A picture that objects are pasted on, the later ones above the earlier ones."""

    picture_HW3: Pixels
    masks: list[NDArray[np.bool_]] = field(default_factory=list)
    """Of each thing, the pixels that are still seen, ``_HW``."""
    areas_px: list[int] = field(default_factory=list)
    """For each object, the pixels that were visible when it was pasted."""

    def lay(self, cutout_HW4: Pixels, *, left: int, top: int) -> None:
        """Pastes a cut-out; parts beyond the picture's edges are lost."""
        height, width = self.picture_HW3.shape[:2]
        x_from, y_from = max(0, left), max(0, top)
        x_to, y_to = min(width, left + cutout_HW4.shape[1]), min(height, top + cutout_HW4.shape[0])
        mask_HW = np.zeros((height, width), dtype=bool)
        if x_from < x_to and y_from < y_to:
            part_HW4 = cutout_HW4[y_from - top : y_to - top, x_from - left : x_to - left].astype(np.float32)
            alpha_HW1 = cv2.GaussianBlur(part_HW4[..., 3], (0, 0), EDGE_SIGMA_PX)[..., None] / 255
            below_HW3 = self.picture_HW3[y_from:y_to, x_from:x_to]
            mixed_HW3 = below_HW3 + (part_HW4[..., :3] - below_HW3) * alpha_HW1
            self.picture_HW3[y_from:y_to, x_from:x_to] = np.rint(mixed_HW3).astype(np.uint8)
            mask_HW[y_from:y_to, x_from:x_to] = alpha_HW1[..., 0] > _SOLID
        self.masks = [other_HW & ~mask_HW for other_HW in self.masks]
        self.masks.append(mask_HW)
        self.areas_px.append(int(mask_HW.sum()))

    def visible_fraction(self, number: int) -> float:
        """How much of a thing is not covered by later ones, 0..1."""
        return float(self.masks[number].sum()) / self.areas_px[number] if self.areas_px[number] else 0.0

"""Augmentation of pictures together with the boxes of what they show: mirror, scale jitter, mosaic of four, colour.

Every result is a few patches, each a rectangle of one picture shown in a rectangle of the result. A mosaic has four patches
(Bochkovskiy et al. 2020, https://arxiv.org/abs/2004.10934), everything else one. What happens is drawn first from one seeded
generator, then done with OpenCV on bytes: 0.1 ms a picture at 224 px. It is done on the CPU also where training is on a GPU,
by the thread that prepares batches.

Shapes: B batch, H height, W width, C colours, M boxes of a picture, U random numbers of a picture.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import cv2
import numpy as np
import torch
from torch import Tensor

from engine.data.augment import POLICIES, Policy

MIN_VISIBLE_FRACTION = 0.4
"""A box of which less is left by a crop is dropped."""
_MIN_SIDE_PX = 3
_GREY = 114
"""Of what no picture covers, as the YOLO family does."""
_LUMA = np.array([0.299, 0.587, 0.114])  # ITU-R BT.601
_NUM_DRAWS = 32
_UNCUT = slice(5, 9)
_UNCUT_SIDES = slice(5, 9, 2)
"""Left and right of the second box."""


@dataclass(frozen=True)
class _Strength:
    zoom: tuple[float, float]
    """Size of things after against before, at least and at most."""
    max_stretch: float
    """Largest change of aspect."""
    mosaic_fraction: float
    """Share of the pictures that become a mosaic."""
    jitter_fraction: float
    """Largest change of brightness, contrast and saturation."""


_STRENGTHS = {
    "light": _Strength(zoom=(0.8, 1.3), max_stretch=1.1, mosaic_fraction=0.0, jitter_fraction=0.1),
    "strong": _Strength(zoom=(0.6, 1.6), max_stretch=1.25, mosaic_fraction=0.4, jitter_fraction=0.3),
}


class _Rectangle(NamedTuple):
    """In fractions of a picture."""

    left: float
    top: float
    right: float
    bottom: float


@dataclass(frozen=True)
class _Patch:
    """``shown`` of picture ``source`` lies at ``place`` of the result."""

    source: int
    shown: _Rectangle
    place: _Rectangle


class Augmenter:
    """Varies a batch and its targets; the same state of the generator gives the same result."""

    def __init__(self, policy: Policy, *, is_mirrored: bool = True):
        if policy not in POLICIES:
            raise ValueError(f"there is no augmentation {policy!r}; known: {', '.join(POLICIES)}")
        self.policy = policy
        self.is_mirrored = is_mirrored

    def __call__(self, pictures_BHWC: Tensor, targets_BM5: Tensor, generator: torch.Generator) -> tuple[Tensor, Tensor]:
        """Gives pictures of the same shape and targets with as many rows as the fullest picture needs.

        Args:
            pictures_BHWC: uint8 RGB on the CPU.
            targets_BM5: left, top, right, bottom as fractions, index of the label (-1 pads). Four more columns, if any, are a
                second box that is moved along and never cut; mirrored, its left lies right of its right. What follows stays
                as it is.
            generator: of the CPU.
        """
        if self.policy == "none":
            return pictures_BHWC, targets_BM5
        strength = _STRENGTHS[self.policy]
        draws_BU = torch.rand((len(pictures_BHWC), _NUM_DRAWS), generator=generator, dtype=torch.float64).numpy()
        pictures, targets = pictures_BHWC.numpy(), targets_BM5.numpy()
        out_BHWC = np.empty_like(pictures)
        found = []
        for row, draws_U in enumerate(draws_BU):
            patches = _patches(row, len(pictures), draws_U, strength)
            picture_HWC, boxes_M5 = _composed(patches, pictures, targets)
            if self.is_mirrored and draws_U[0] < 0.5:
                picture_HWC = cv2.flip(picture_HWC, 1)
                boxes_M5 = boxes_M5.copy()
                boxes_M5[:, [0, 2]] = 1 - boxes_M5[:, [2, 0]]
                boxes_M5[:, _UNCUT_SIDES] = 1 - boxes_M5[:, _UNCUT_SIDES]
            cv2.transform(picture_HWC, _color_map(draws_U[1:4], strength.jitter_fraction), dst=out_BHWC[row])
            found.append(boxes_M5)
        return torch.from_numpy(out_BHWC), torch.from_numpy(_padded(found))


def _patches(row: int, num_pictures: int, draws_U: np.ndarray, strength: _Strength) -> list[_Patch]:
    if draws_U[4] >= strength.mosaic_fraction:
        return [_zoomed(row, draws_U[5:9], strength)]
    middle_x, middle_y = 0.35 + 0.3 * draws_U[5:7]
    places = (
        _Rectangle(0.0, 0.0, middle_x, middle_y),
        _Rectangle(middle_x, 0.0, 1.0, middle_y),
        _Rectangle(0.0, middle_y, middle_x, 1.0),
        _Rectangle(middle_x, middle_y, 1.0, 1.0),
    )
    others = [int(draw * num_pictures) for draw in draws_U[7:10]]
    return [
        _quarter(source, place, draws_U[10 + 3 * number : 13 + 3 * number])
        for number, (source, place) in enumerate(zip((row, *others), places, strict=True))
    ]


def _zoomed(row: int, draws_4: np.ndarray, strength: _Strength) -> _Patch:
    """The whole picture made smaller somewhere, or a part of it made larger."""
    low, high = np.log(strength.zoom)
    zoom = np.exp(low + (high - low) * draws_4[0])
    stretch = np.exp(np.log(strength.max_stretch) * (2 * draws_4[1] - 1))
    shown, place = [0.0, 0.0, 1.0, 1.0], [0.0, 0.0, 1.0, 1.0]
    for axis, factor in enumerate((zoom * stretch, zoom / stretch)):
        smaller, size = (place, factor) if factor < 1 else (shown, 1 / factor)
        smaller[axis] = (1 - size) * draws_4[2 + axis]
        smaller[axis + 2] = smaller[axis] + size
    return _Patch(row, _Rectangle(*shown), _Rectangle(*place))


def _quarter(source: int, place: _Rectangle, draws_3: np.ndarray) -> _Patch:
    """A part of a picture at half to five sixths of its size, with the aspect of its place."""
    aspect = 1.2 + 0.8 * draws_3[0]
    width, height = (min(1.0, (high - low) * aspect) for low, high in ((place.left, place.right), (place.top, place.bottom)))
    left, top = (1 - width) * draws_3[1], (1 - height) * draws_3[2]
    return _Patch(source, _Rectangle(left, top, left + width, top + height), place)


def _composed(patches: list[_Patch], pictures_BHWC: np.ndarray, targets_BM5: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    height, width = pictures_BHWC.shape[1:3]
    size_4 = np.array([width, height, width, height])
    picture_HWC = np.full_like(pictures_BHWC[0], _GREY)
    found = []
    for patch in patches:
        shown_4, place_4 = (_whole_pixels(rectangle, size_4) for rectangle in (patch.shown, patch.place))
        part_HWC = pictures_BHWC[patch.source, shown_4[1] : shown_4[3], shown_4[0] : shown_4[2]]
        place_w, place_h = place_4[2:] - place_4[:2]
        shrinks = part_HWC.shape[1] > 1.5 * place_w
        interpolation = cv2.INTER_AREA if shrinks else cv2.INTER_LINEAR
        picture_HWC[place_4[1] : place_4[3], place_4[0] : place_4[2]] = cv2.resize(
            part_HWC, (int(place_w), int(place_h)), interpolation=interpolation
        )
        found.append(_moved(targets_BM5[patch.source], shown_4 / size_4, place_4 / size_4, size_4))
    return picture_HWC, np.concatenate(found)


def _whole_pixels(rectangle: _Rectangle, size_4: np.ndarray) -> np.ndarray:
    """In pixels, at least two wide and high."""
    low, high = np.rint(np.array(rectangle[:2]) * size_4[:2]), np.rint(np.array(rectangle[2:]) * size_4[:2])
    low = np.minimum(low, size_4[:2] - 2)
    return np.concatenate([low, np.maximum(high, low + 2)]).astype(np.int64)


def _moved(targets_M5: np.ndarray, shown_4: np.ndarray, place_4: np.ndarray, size_4: np.ndarray) -> np.ndarray:
    """The boxes of a picture as they lie in the result; those that are hardly seen are dropped."""
    boxes_M5 = targets_M5[targets_M5[:, 4] >= 0]
    factor_2 = (place_4[2:] - place_4[:2]) / (shown_4[2:] - shown_4[:2])
    shift_2 = place_4[:2] - shown_4[:2] * factor_2
    moved_M4, uncut_M4 = (
        corners * np.resize(factor_2, corners.shape[1]) + np.resize(shift_2, corners.shape[1])
        for corners in (boxes_M5[:, :4], boxes_M5[:, _UNCUT])
    )
    low_2, high_2 = np.tile(place_4[:2], 2), np.tile(place_4[2:], 2)
    seen_M4 = np.clip(moved_M4, low_2, high_2)
    sides_M2, whole_M2 = seen_M4[:, 2:] - seen_M4[:, :2], moved_M4[:, 2:] - moved_M4[:, :2]
    is_seen_M = sides_M2.prod(axis=1) >= MIN_VISIBLE_FRACTION * whole_M2.prod(axis=1)
    is_visible_M = is_seen_M & (sides_M2 * size_4[:2] >= _MIN_SIDE_PX).all(axis=1)
    columns = [seen_M4, boxes_M5[:, 4:5], uncut_M4, boxes_M5[:, 9:]]
    return np.concatenate(columns, axis=1)[is_visible_M].astype(np.float32)


def _color_map(draws_3: np.ndarray, jitter_fraction: float) -> np.ndarray:
    """Brightness, contrast about middle grey and saturation as one affine map of RGB, ``_34``."""
    brightness, contrast, saturation = 1 + jitter_fraction * (2 * draws_3 - 1)
    mixed_33 = saturation * np.eye(3) + (1 - saturation) * np.tile(_LUMA, (3, 1))
    return np.column_stack([brightness * contrast * mixed_33, np.full(3, 127 * (1 - contrast))])


def _padded(boxes: list[np.ndarray]) -> np.ndarray:
    most = max(1, *(len(boxes_MC) for boxes_MC in boxes))
    targets_BMC = np.zeros((len(boxes), most, boxes[0].shape[1]), dtype=np.float32)
    targets_BMC[..., 4] = -1
    for row, boxes_MC in enumerate(boxes):
        targets_BMC[row, : len(boxes_MC)] = boxes_MC
    return targets_BMC

"""Photographs of shelves with made-up packs, of which every box and product is known, and pictures of single packs.

Shapes: H height, W width.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.data.image import Pixels
from engine.tasks.shared.packs import PRODUCTS, SHAPES, face, laid, lit, resized

_MARGIN_PX = 40
"""Around what is drawn, cut off after the camera is turned."""
_HEIGHTS = {"carton": 0.86, "box": 0.7, "bottle": 0.95, "can": 0.55, "jar": 0.56, "bag": 0.74, "tub": 0.4}
"""Of a pack, of the height between two boards."""
_STACKED = {"tub", "can"}
"""Packs that stand on one another."""


@dataclass(frozen=True)
class Pack:
    """A pack in a photograph."""

    product: str
    left: float
    top: float
    width: float
    height: float


@dataclass(frozen=True)
class ShelfPhoto:
    """A photograph of a shelf."""

    picture_HWC: Pixels
    packs: tuple[Pack, ...]


def shelf_photo(
    generator: np.random.Generator,
    products: Sequence[str] = tuple(PRODUCTS),
    *,
    width_px: int = 960,
    height_px: int = 720,
    num_boards: tuple[int, int] = (2, 3),
) -> ShelfPhoto:
    """Draws a shelf and takes a photograph of it.

    Args:
        generator: of chance.
        products: what may stand there, keys of ``PRODUCTS``.
        width_px: of the photograph.
        height_px: the same.
        num_boards: at least and at most.
    """
    wide, high = width_px + 2 * _MARGIN_PX, height_px + 2 * _MARGIN_PX
    back = generator.integers(60, 225) + generator.integers(-12, 13, 3)
    drawn_HWC = np.full((high, wide, 3), np.clip(back, 0, 255), dtype=np.uint8)
    boards = int(generator.integers(num_boards[0], num_boards[1] + 1))
    clear_px = (height_px - 0.04 * height_px) / boards
    thick = max(10, round(0.09 * clear_px))
    board_colour = np.clip(generator.integers(70, 235) + generator.integers(-15, 16, 3), 0, 255)
    placed: list[tuple[str, tuple[int, int, int, int]]] = []
    for number in range(boards):
        floor = round(_MARGIN_PX + (number + 1) * clear_px - thick)
        placed += _row(drawn_HWC, generator, products, floor, clear_px - thick)
        drawn_HWC[floor : floor + thick] = board_colour
        _price_tags(drawn_HWC, generator, floor, thick)
    taken_HWC, packs = _taken(drawn_HWC, placed, generator, width_px, height_px)
    return ShelfPhoto(lit(taken_HWC, generator), tuple(packs))


def pack_photo(product: str, generator: np.random.Generator, *, side_px: int = 200) -> Pixels:
    """A photograph of one pack from near by, which it fills; others may stand beside it: ``_HWC``.

    Args:
        product: a key of ``PRODUCTS``.
        generator: of chance.
        side_px: of the longer side.
    """
    aspect = face(product).shape[0] / face(product).shape[1]
    high = round(side_px / max(1.0, 1 / aspect))
    front = resized(face(product), high)
    wide, margin_px = front.shape[1], round(0.35 * high)
    ground = np.clip(generator.integers(60, 240) + generator.integers(-25, 26, 3), 0, 255)
    drawn_HWC = np.full((high + 2 * margin_px, wide + 2 * margin_px, 3), ground, dtype=np.uint8)
    if generator.random() < 0.5:
        for side in (-1, 1):
            other = resized(face(str(generator.choice(list(PRODUCTS)))), round(high * generator.uniform(0.7, 1.1)))
            left = (
                margin_px + wide + int(generator.integers(0, 6))
                if side > 0
                else margin_px - other.shape[1] - int(generator.integers(0, 6))
            )
            laid(drawn_HWC, other, left, margin_px + high - other.shape[0])
    laid(drawn_HWC, front, margin_px, margin_px)
    corners = _moved(
        np.array([[margin_px, margin_px], [margin_px + wide, margin_px + high]], dtype=np.float64), generator, 0.05 * high
    )
    (left, top), (right, end) = corners.round().astype(int)
    turned = cv2.getRotationMatrix2D((margin_px + wide / 2, margin_px + high / 2), generator.uniform(-4, 4), 1.0)
    size = (drawn_HWC.shape[1], drawn_HWC.shape[0])
    seen_HWC = cv2.warpAffine(drawn_HWC, turned, size, borderMode=cv2.BORDER_REPLICATE)
    part: Pixels = seen_HWC[max(0, top) : end, max(0, left) : right].astype(np.uint8)
    return lit(part, generator, blur_px=1.2)


def _row(
    drawn_HWC: Pixels, generator: np.random.Generator, products: Sequence[str], floor: int, clear_px: float
) -> list[tuple[str, tuple[int, int, int, int]]]:
    """Fills one board from left to right: some packs of a product side by side, then another one."""
    placed: list[tuple[str, tuple[int, int, int, int]]] = []
    left = _MARGIN_PX + int(generator.integers(0, 40))
    while True:
        product = str(generator.choice(list(products)))
        kind = PRODUCTS[product].shape
        high = round(_HEIGHTS[kind] * clear_px * generator.uniform(0.92, 1.0))
        front = resized(face(product), high)
        levels = 2 if kind in _STACKED and 2 * high < clear_px and generator.random() < 0.4 else 1
        for _ in range(int(generator.integers(1, 4))):
            if left + front.shape[1] > drawn_HWC.shape[1] - _MARGIN_PX:
                return placed
            for level in range(levels):
                top = floor - (level + 1) * high
                laid(drawn_HWC, front, left, top)
                placed.append((product, (left, top, front.shape[1], high)))
            left += front.shape[1] + int(generator.integers(2, 9))
        left += int(generator.integers(0, 14)) if generator.random() < 0.8 else int(generator.integers(40, 110))


def _price_tags(drawn_HWC: Pixels, generator: np.random.Generator, floor: int, thick: int) -> None:
    left = _MARGIN_PX + int(generator.integers(0, 60))
    while left < drawn_HWC.shape[1] - _MARGIN_PX:
        wide = int(generator.integers(28, 50))
        drawn_HWC[floor + 3 : floor + thick - 3, left : left + wide] = (250, 245, 235)
        middle = floor + thick // 2
        cv2.line(drawn_HWC, (left + 5, middle), (left + wide - 8, middle), (60, 60, 60), 1)
        left += wide + int(generator.integers(60, 160))


def _taken(
    drawn_HWC: Pixels,
    placed: Sequence[tuple[str, tuple[int, int, int, int]]],
    generator: np.random.Generator,
    width_px: int,
    height_px: int,
) -> tuple[Pixels, list[Pack]]:
    """From a little beside, with the boxes where they come to lie."""
    inner = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * (width_px, height_px)
    source = _moved(inner + _MARGIN_PX, generator, 0.022 * height_px).astype(np.float32)
    projection = cv2.getPerspectiveTransform(source, inner.astype(np.float32))
    taken = cv2.warpPerspective(drawn_HWC, projection, (width_px, height_px), borderMode=cv2.BORDER_REPLICATE)
    packs = []
    for product, (left, top, wide, high) in placed:
        corners = np.array([[left, top], [left + wide, top], [left + wide, top + high], [left, top + high]], dtype=np.float64)
        mapped = np.append(corners, np.ones((4, 1)), axis=1) @ projection.T
        mapped = np.clip(mapped[:, :2] / mapped[:, 2:], 0, (width_px, height_px))
        (x0, y0), (x1, y1) = mapped.min(axis=0), mapped.max(axis=0)
        if x1 - x0 >= 0.6 * wide and y1 - y0 >= 0.6 * high:
            packs.append(Pack(product, float(x0), float(y0), float(x1 - x0), float(y1 - y0)))
    return np.asarray(taken, dtype=np.uint8), packs


def _moved(points_N2: NDArray[np.float64], generator: np.random.Generator, most_px: float) -> NDArray[np.float64]:
    return np.asarray(points_N2 + generator.uniform(-most_px, most_px, points_N2.shape), dtype=np.float64)


assert set(_HEIGHTS) == set(SHAPES)

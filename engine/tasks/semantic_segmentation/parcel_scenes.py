"""Countryside from above, drawn by code, and what each pixel is: farmland, woods, water, roads and buildings.

Grass and bare ground carry no label: not everything between parcels is one. No annotated aerial pictures lie in a package
registry under a free licence. Shapes: H height, W width.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from automl.contracts.annotation import Mask
from engine.tasks.semantic_segmentation.raster import BACKGROUND, LabelMap
from engine.tasks.shared.shapes_example import GeneratedPicture
from runtime.run_lengths import counts_of

LABELS = ("farmland", "woods", "water", "road", "building")
"""From below to above."""
_FARMLAND, _WOODS, _WATER, _ROAD, _BUILDING = range(len(LABELS))
_CROPS = ((92, 118, 58), (158, 146, 82), (122, 98, 66), (196, 176, 92), (74, 104, 52), (140, 122, 94))
"""Colours of young and ripe crops and of ploughed soil."""
_ROOFS = ((150, 72, 58), (120, 118, 120), (172, 150, 132), (96, 104, 120))
_SOFT_PX = 4
"""How far the soft edge of an area reaches, at most."""
Plane = NDArray[np.float32]
Inside = NDArray[np.bool_]
Color = tuple[float, float, float]


@dataclass
class _Land:
    """A picture in the making."""

    light_HW3: Plane
    labels_HW: LabelMap
    generator: np.random.Generator

    def uniform(self, low: float, high: float) -> float:
        return float(self.generator.uniform(low, high))

    def noise(self, sigma_px: float) -> Plane:
        """Smooth noise ``_HW`` with the spread 1."""
        height, width = self.labels_HW.shape
        shrink = max(1, int(sigma_px / 3))  # what is smooth is made small
        rough_HW = self.generator.standard_normal((height // shrink + 1, width // shrink + 1)).astype(np.float32)
        smooth_HW = cv2.resize(
            cv2.GaussianBlur(rough_HW, (0, 0), sigma_px / shrink), (width, height), interpolation=cv2.INTER_CUBIC
        )
        return np.asarray(smooth_HW / max(float(smooth_HW.std()), 1e-6), np.float32)

    def lay(self, inside_HW: Inside, color: Color, label: int, *, texture_HW: Plane | float = 0.0) -> None:
        """Gives an area a colour, a texture and a label."""
        rows, columns = np.flatnonzero(inside_HW.any(axis=1)), np.flatnonzero(inside_HW.any(axis=0))
        if len(rows) == 0:
            return
        part = np.s_[max(0, rows[0] - _SOFT_PX) : rows[-1] + _SOFT_PX, max(0, columns[0] - _SOFT_PX) : columns[-1] + _SOFT_PX]
        surface_HW3 = np.array(color, np.float32) + np.broadcast_to(texture_HW, inside_HW.shape)[part][..., None]
        soft_HW1 = cv2.GaussianBlur(inside_HW[part].astype(np.float32), (0, 0), 0.7)[..., None]
        self.light_HW3[part] += (surface_HW3 - self.light_HW3[part]) * soft_HW1
        self.labels_HW[inside_HW] = label

    def shade(self, inside_HW: Inside, shift_px: int, strength: float) -> None:
        """The shadow of something high, to the lower right of it."""
        moved_HW = np.roll(inside_HW.astype(np.float32), (shift_px, shift_px), (0, 1))
        self.light_HW3 *= 1 - strength * cv2.GaussianBlur(moved_HW, (0, 0), 1.2)[..., None]


def scene(generator: np.random.Generator, *, width_px: int, height_px: int) -> GeneratedPicture:
    """Draws one picture."""
    light_HW3 = np.empty((height_px, width_px, 3), np.float32)
    land = _Land(light_HW3, np.full((height_px, width_px), BACKGROUND, np.int16), generator)
    light_HW3[:] = np.array((104, 122, 70), np.float32) + (7 * land.noise(2.0) + 9 * land.noise(width_px / 8))[..., None]
    _parcels(land)
    if generator.random() < 0.55:
        generator.choice(np.array([_river, _pond], dtype=object))(land)
    _roads(land)
    _farms(land)
    sun = land.uniform(0.85, 1.12) + 0.05 * land.noise(width_px / 3)
    hazed_HW3 = land.light_HW3 * sun[..., None] + land.uniform(0, 10)
    blurred_HW3 = cv2.GaussianBlur(hazed_HW3, (0, 0), land.uniform(0.4, 0.9))
    noisy_HW3 = blurred_HW3 + generator.normal(0, 3.0, blurred_HW3.shape)
    shapes = tuple(
        Mask(label=name, width=width_px, height=height_px, counts=counts_of(land.labels_HW == index))
        for index, name in enumerate(LABELS)
        if (land.labels_HW == index).any()
    )
    return GeneratedPicture(picture_HWC=np.clip(np.rint(noisy_HW3), 0, 255).astype(np.uint8), shapes=shapes)


def _parcels(land: _Land) -> None:
    """Divides the land by the nearest of some points, in a slanted grid, and uses each part."""
    height, width = land.labels_HW.shape
    rows, columns = np.mgrid[:height, :width].astype(np.float32)
    angle = land.uniform(0, np.pi)
    # Parcels are long: distances along one direction count less.
    along_HW = (columns * np.cos(angle) + rows * np.sin(angle)) * land.uniform(0.45, 0.9)
    across_HW = rows * np.cos(angle) - columns * np.sin(angle)
    num_parcels = int(land.generator.integers(8, 17))
    spots = np.stack([land.generator.uniform(0, width, num_parcels), land.generator.uniform(0, height, num_parcels)], axis=1)
    stretch = (along_HW[0, 1] - along_HW[0, 0], along_HW[1, 0] - along_HW[0, 0])
    away = [
        np.maximum(
            np.abs(along_HW - (x * stretch[0] + y * stretch[1])), np.abs(across_HW - (y * np.cos(angle) - x * np.sin(angle)))
        )
        for x, y in spots
    ]
    away_NHW = np.stack(away) + 3 * land.noise(6.0)
    nearest_HW, order_NHW = away_NHW.argmin(axis=0), np.sort(away_NHW, axis=0)
    is_inner_HW = order_NHW[1] - order_NHW[0] > land.uniform(2.5, 6)  # a strip of grass between two
    for number in range(num_parcels):
        inside_HW = (nearest_HW == number) & is_inner_HW
        use = land.generator.random()
        if use < 0.58:
            _field(land, inside_HW, angle + land.generator.choice([0, np.pi / 2]))
        elif use < 0.82:
            _wood(land, inside_HW)


def _field(land: _Land, inside_HW: Inside, angle: float) -> None:
    """Rows of a crop, or soil."""
    height, width = land.labels_HW.shape
    rows, columns = np.mgrid[:height, :width].astype(np.float32)
    period = land.uniform(4, 9)
    rows_HW = np.sin(2 * np.pi * (rows * np.cos(angle) - columns * np.sin(angle)) / period)
    texture_HW = land.uniform(2, 9) * rows_HW + 4 * land.noise(1.5) + 5 * land.noise(18)
    shift = land.uniform(-10, 10)
    red, green, blue = _CROPS[land.generator.integers(len(_CROPS))]
    land.lay(inside_HW, (red + shift, green + shift, blue + shift), _FARMLAND, texture_HW=np.asarray(texture_HW, np.float32))


def _wood(land: _Land, inside_HW: Inside) -> None:
    """Crowns, each bright towards the sun, that reach a little over the parcel's edge."""
    height, width = land.labels_HW.shape
    crowns_HW, bright_HW = np.zeros((height, width), np.uint8), np.zeros((height, width), np.float32)
    rows, columns = np.nonzero(inside_HW)
    if len(rows) == 0:
        return
    for place in land.generator.choice(len(rows), max(8, len(rows) // 45)):
        x, y, radius = int(columns[place]), int(rows[place]), round(land.uniform(3, 7.5))
        level = land.uniform(-14, 12)
        cv2.circle(crowns_HW, (x, y), radius, 1, -1)
        cv2.circle(bright_HW, (x, y), radius, level - 16, -1)
        cv2.circle(bright_HW, (x - 1, y - 1), max(1, radius - 2), level + 12, -1)
    is_crown_HW = crowns_HW > 0
    land.shade(is_crown_HW, 3, 0.3)
    land.lay(is_crown_HW, (46, 72, 40), _WOODS, texture_HW=np.asarray(cv2.GaussianBlur(bright_HW, (0, 0), 0.9), np.float32))
    closed_HW = cv2.morphologyEx(crowns_HW, cv2.MORPH_CLOSE, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (13, 13)))
    land.labels_HW[(closed_HW > 0) & (land.labels_HW == BACKGROUND)] = _WOODS  # nobody outlines each gap


def _river(land: _Land) -> None:
    height, width = land.labels_HW.shape
    steps = np.linspace(-0.1, 1.1, 40)
    bend = np.cumsum(land.generator.normal(0, 0.018, 40)) + land.uniform(0.2, 0.8)
    points = np.stack([steps * width, bend * height], axis=1)
    if land.generator.random() < 0.5:
        points = np.stack([bend * width, steps * height], axis=1)
    river_HW = np.zeros((height, width), np.uint8)
    cv2.polylines(river_HW, [np.rint(points).astype(np.int32)], False, 1, round(land.uniform(0.035, 0.08) * width))
    _water(land, river_HW > 0)


def _pond(land: _Land) -> None:
    height, width = land.labels_HW.shape
    rows, columns = np.mgrid[:height, :width].astype(np.float32)
    x, y, radius = land.uniform(0.15, 0.85) * width, land.uniform(0.15, 0.85) * height, land.uniform(0.07, 0.16) * width
    far_HW = np.hypot((columns - x) / land.uniform(0.7, 1.5), rows - y) / radius
    _water(land, far_HW + 0.18 * land.noise(radius / 3) < 1)


def _water(land: _Land, inside_HW: Inside) -> None:
    bank_HW = cv2.dilate(inside_HW.astype(np.uint8), np.ones((5, 5), np.uint8)) > 0
    land.lay(bank_HW & ~inside_HW, (126, 118, 84), BACKGROUND)
    blue = land.uniform(-12, 12)
    land.lay(inside_HW, (48 + blue, 70 + blue, 84 + blue), _WATER, texture_HW=2 * land.noise(1.2) + 4 * land.noise(20))


def _roads(land: _Land) -> None:
    """One or two from edge to edge, asphalt or gravel."""
    height, width = land.labels_HW.shape
    for _ in range(int(land.generator.integers(1, 3))):
        steps = np.linspace(-0.05, 1.05, 24)
        bend = np.cumsum(land.generator.normal(0, 0.008, 24)) + land.uniform(0.1, 0.9)
        bend += np.linspace(0, land.uniform(-0.3, 0.3), 24)
        points = np.stack([steps * width, bend * height], axis=1)
        if land.generator.random() < 0.5:
            points = np.stack([bend * width, steps * height], axis=1)
        line, thick = np.rint(points).astype(np.int32), round(land.uniform(5, 11))
        road_HW = np.zeros((height, width), np.uint8)
        cv2.polylines(road_HW, [line], False, 1, thick)
        grey = land.uniform(118, 150)
        color = (grey, grey, grey + 4) if land.generator.random() < 0.7 else (178.0, 164.0, 134.0)
        land.lay(road_HW > 0, color, _ROAD, texture_HW=3 * land.noise(1.0))
        if thick >= 8:
            middle_HW = np.zeros((height, width), np.float32)
            cv2.polylines(middle_HW, [line], False, 0.6, 1, cv2.LINE_AA)
            land.light_HW3 += (226 - land.light_HW3) * middle_HW[..., None]


def _farms(land: _Land) -> None:
    """Groups of houses with saddle roofs, not on water or roads."""
    height, width = land.labels_HW.shape
    for _ in range(int(land.generator.integers(1, 4))):
        x, y, angle = land.uniform(0.08, 0.92) * width, land.uniform(0.08, 0.92) * height, land.uniform(0, 180)
        for _ in range(int(land.generator.integers(2, 6))):
            middle = (x + land.uniform(-45, 45), y + land.uniform(-45, 45))
            size = (land.uniform(16, 34), land.uniform(11, 19))
            corners = cv2.boxPoints((middle, size, angle + float(land.generator.choice([0, 90]))))
            _building(land, np.asarray(corners, np.float64))


def _building(land: _Land, corners_42: NDArray[np.float64]) -> None:
    height, width = land.labels_HW.shape
    roof_HW, lit_HW = np.zeros((height, width), np.uint8), np.zeros((height, width), np.uint8)
    cv2.fillPoly(roof_HW, [np.rint(corners_42).astype(np.int32)], 1)
    is_taken_HW = (land.labels_HW == _ROAD) | (land.labels_HW == _WATER) | (land.labels_HW == _BUILDING)
    is_roof_HW = roof_HW > 0
    if not is_roof_HW.any() or (is_roof_HW & is_taken_HW).any():
        return
    first, second, third, fourth = corners_42
    if np.hypot(*(second - first)) > np.hypot(*(third - second)):  # the ridge runs along the longer side
        half = np.array([first, second, (second + third) / 2, (first + fourth) / 2])
    else:
        half = np.array([second, third, (third + fourth) / 2, (first + second) / 2])
    cv2.fillPoly(lit_HW, [np.rint(half).astype(np.int32)], 1)
    land.shade(is_roof_HW, 4, 0.45)
    texture_HW = np.where(lit_HW > 0, 16, -10).astype(np.float32) + 3 * land.noise(0.8)
    land.lay(is_roof_HW, _ROOFS[land.generator.integers(len(_ROOFS))], _BUILDING, texture_HW=texture_HW)

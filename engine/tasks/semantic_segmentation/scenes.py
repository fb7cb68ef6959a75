"""Pictures of brushed metal with scratches, stains and holes in it, and which pixels these are.

No annotated set of defects lies in a package registry under a free licence, so one is made. Seams and reflections are there,
too, and are nothing: a model has to tell them apart. Shapes: H height, W width.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from automl.contracts.annotation import Mask
from automl.contracts.dataset import VersionManifest
from engine.data import generated
from engine.tasks.semantic_segmentation.raster import BACKGROUND, LabelMap
from engine.tasks.semantic_segmentation.spec import TASK
from engine.tasks.shared.shapes_example import GeneratedPicture, item_of
from runtime.run_lengths import counts_of

LABELS = ("stain", "scratch", "hole")
"""From below to above."""
MOST_DEFECTS = 4
_NEGATIVE_EVERY = 10
Inside = NDArray[np.bool_]
Light = NDArray[np.float32]
"""Grey values 0..255, or RGB."""


@dataclass
class _Plate:
    """A picture in the making."""

    light_HW3: Light
    labels_HW: LabelMap
    generator: np.random.Generator

    def uniform(self, low: float, high: float) -> float:
        return float(self.generator.uniform(low, high))

    def noise(self, sigma_px: tuple[float, float]) -> Light:
        """Smooth noise ``_HW`` with the spread 1.

        Args:
            sigma_px: of the blur, along and across the rows.
        """
        height, width = self.labels_HW.shape
        rough_HW = self.generator.standard_normal((height, width)).astype(np.float32)
        smooth_HW = cv2.GaussianBlur(rough_HW, (0, 0), sigmaX=sigma_px[0], sigmaY=sigma_px[1])
        normal_HW: Light = (smooth_HW / max(float(smooth_HW.std()), 1e-6)).astype(np.float32)
        return normal_HW

    def place(self) -> tuple[float, float]:
        """A point well within the picture."""
        height, width = self.labels_HW.shape
        return self.uniform(0.12, 0.88) * width, self.uniform(0.12, 0.88) * height

    def mix(self, color_3: tuple[float, ...], alpha_HW: Light) -> None:
        """Lays a colour over the picture."""
        self.light_HW3 += (np.array(color_3, dtype=np.float32) - self.light_HW3) * alpha_HW[..., None]


def scene(number: int, generator: np.random.Generator, *, width_px: int, height_px: int) -> GeneratedPicture:
    """Makes one picture; every tenth is without a defect."""
    plate = _surface(generator, height_px, width_px)
    num_defects = 0 if number % _NEGATIVE_EVERY == _NEGATIVE_EVERY - 1 else int(generator.integers(1, MOST_DEFECTS + 1))
    for label in sorted(generator.choice(len(LABELS), num_defects)):
        is_inside_HW = _DEFECTS[label](plate)
        plate.labels_HW[is_inside_HW] = label
    grain_HW = generator.normal(0, 4, plate.labels_HW.shape)
    picture_HW3 = np.clip(plate.light_HW3 + grain_HW[..., None], 0, 255).astype(np.uint8)
    shapes = tuple(
        Mask(label=name, width=width_px, height=height_px, counts=counts_of(plate.labels_HW == index))
        for index, name in enumerate(LABELS)
        if (plate.labels_HW == index).any()
    )
    return GeneratedPicture(picture_HWC=picture_HW3, shapes=shapes)


def write(folder: Path, *, num_items: int = 60, width_px: int = 320, height_px: int = 240, seed: int = 0) -> VersionManifest:
    """Writes a dataset version, three to one to one over train, validation and test."""
    generator = np.random.default_rng(seed)
    items = [
        item_of(
            f"{number:05d}",
            generated.SPLITS[number % len(generated.SPLITS)],
            scene(number, generator, width_px=width_px, height_px=height_px),
        )
        for number in range(num_items)
    ]
    return generated.write_version(folder, items, generated.Subject(TASK, LABELS))


def _surface(generator: np.random.Generator, height: int, width: int) -> _Plate:
    """Brushed metal in uneven light, sometimes with a seam and a reflection."""
    plate = _Plate(np.empty((height, width, 3), np.float32), np.full((height, width), BACKGROUND, np.int16), generator)
    base, tint = plate.uniform(110, 170), (plate.uniform(-8, 8), 0.0, plate.uniform(-8, 12))
    light_HW = base + 5 * plate.noise((14, 0.7)) + 12 * plate.noise((width / 5, height / 5))
    plate.light_HW3 = light_HW[..., None] + np.array(tint, dtype=np.float32)
    if generator.random() < 0.4:  # a seam, straight from edge to edge
        column = int(plate.uniform(0.1, 0.9) * width)
        seam_HW = np.zeros((height, width), np.float32)
        cv2.line(seam_HW, (column, 0), (column + int(plate.uniform(-20, 20)), height), 0.6, 3, cv2.LINE_AA)
        plate.mix((60, 60, 64), seam_HW)
    if generator.random() < 0.4:
        x, y = plate.place()
        shine_HW = np.zeros((height, width), np.float32)
        cv2.ellipse(shine_HW, (int(x), int(y)), (width // 5, height // 9), plate.uniform(0, 180), 0, 360, 0.5, -1)
        plate.mix((235, 238, 240), cv2.GaussianBlur(shine_HW, (0, 0), width / 25).astype(np.float32))
    return plate


def _scratch(plate: _Plate) -> Inside:
    """A bent line, dark beside bright."""
    height, width = plate.labels_HW.shape
    x, y = plate.place()
    angle, bend, step = plate.uniform(0, 2 * np.pi), plate.uniform(-0.25, 0.25), plate.uniform(0.05, 0.09) * width
    points = [(x, y)]
    for _ in range(int(plate.generator.integers(4, 9))):
        angle += bend + plate.uniform(-0.12, 0.12)
        x, y = x + step * np.cos(angle), y + step * np.sin(angle)
        points.append((x, y))
    line = np.array(points, dtype=np.float32).round().astype(np.int32)
    thick = max(2, round(plate.uniform(0.009, 0.02) * width))
    inside_HW, bright_HW = np.zeros((height, width), np.uint8), np.zeros((height, width), np.float32)
    cv2.polylines(inside_HW, [line], False, 1, thick)
    cv2.polylines(bright_HW, [line + 1], False, 1.0, max(1, thick // 3), cv2.LINE_AA)
    is_inside_HW = inside_HW > 0
    soft_HW = cv2.GaussianBlur(inside_HW.astype(np.float32), (0, 0), 0.6).astype(np.float32)
    plate.mix((plate.uniform(35, 70),) * 3, soft_HW * plate.uniform(0.6, 0.9))
    plate.mix((225.0, 225.0, 228.0), np.where(is_inside_HW, bright_HW * 0.6, 0).astype(np.float32))
    return is_inside_HW


def _stain(plate: _Plate) -> Inside:
    """A blot with a ragged edge."""
    height, width = plate.labels_HW.shape
    x, y = plate.place()
    radius = plate.uniform(0.05, 0.12) * width
    rows, columns = np.mgrid[:height, :width].astype(np.float32)
    far_HW = np.hypot((columns - x) / plate.uniform(0.7, 1.4), rows - y) / radius
    is_inside_HW: Inside = far_HW + 0.22 * plate.noise((radius / 4, radius / 4)) < 1
    soft_HW = cv2.GaussianBlur(is_inside_HW.astype(np.float32), (0, 0), 0.8).astype(np.float32)
    color = (plate.uniform(90, 130), plate.uniform(55, 80), plate.uniform(20, 45))
    plate.mix(color, soft_HW * np.float32(plate.uniform(0.35, 0.65)))
    return is_inside_HW


def _hole(plate: _Plate) -> Inside:
    """A dark disc with a bright rim on one side."""
    height, width = plate.labels_HW.shape
    x, y = (round(value) for value in plate.place())
    radius = max(4, round(plate.uniform(0.018, 0.04) * width))
    inside_HW, rim_HW = np.zeros((height, width), np.uint8), np.zeros((height, width), np.float32)
    cv2.circle(inside_HW, (x, y), radius, 1, -1)
    cv2.ellipse(rim_HW, (x, y), (radius + 1, radius + 1), plate.uniform(0, 360), 0, 160, 0.8, 2, cv2.LINE_AA)
    soft_HW = cv2.GaussianBlur(inside_HW.astype(np.float32), (0, 0), 0.6).astype(np.float32)
    plate.mix((plate.uniform(8, 30),) * 3, soft_HW * np.float32(0.95))
    plate.mix((230.0, 230.0, 230.0), np.where(inside_HW > 0, 0, rim_HW).astype(np.float32))
    return inside_HW > 0


_DEFECTS: tuple[Callable[[_Plate], Inside], ...] = (_stain, _scratch, _hole)
"""In the order of the labels."""

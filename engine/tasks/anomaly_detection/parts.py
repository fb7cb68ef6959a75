"""Pictures of parts made by code: a texture under uneven light, and scratches and stains planted on some of them.

Each material is a texture with what varies from part to part. Same arguments, same pixels. Shapes: H height, W width, C
colours.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

Defect = Literal["scratch", "stain"]
DEFECTS: tuple[Defect, ...] = ("scratch", "stain")
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Part:
    """A part as the camera sees it."""

    picture_HWC: NDArray[np.uint8]
    defect_HW: NDArray[np.bool_]
    """Where the defect is; nowhere on a normal part."""


def part(material: str, generator: np.random.Generator, *, side_px: int, defect: Defect | None = None) -> Part:
    """Draws one part.

    Args:
        material: a key of ``MATERIALS``.
        generator: what varies comes from it.
        side_px: of the square picture.
        defect: what is planted; None leaves the part as it should be.
    """
    surface_HWC = MATERIALS[material](generator, side_px)
    strength_HW = np.zeros((side_px, side_px))
    if defect is not None:
        strength_HW = _PLANTED[defect](generator, side_px)
        depth = generator.uniform(35, 75) * (1 if defect == "scratch" and generator.random() < 0.5 else -1)
        tint_C = np.ones(3) if defect == "scratch" else generator.uniform(0.6, 1.1, 3)
        surface_HWC = surface_HWC + depth * strength_HW[..., None] * tint_C
    lit_HWC = surface_HWC * _light(generator, side_px)[..., None] + generator.normal(0, 2.0, surface_HWC.shape)
    return Part(np.clip(lit_HWC, 0, 255).astype(np.uint8), strength_HW > 0.3)


def _light(generator: np.random.Generator, side_px: int) -> Floats:
    """Brighter on one side, and a little brighter or darker as a whole."""
    y_HW, x_HW = np.mgrid[-1 : 1 : side_px * 1j, -1 : 1 : side_px * 1j]
    angle = generator.uniform(0, 2 * math.pi)
    return generator.uniform(0.92, 1.08) * (1 + 0.06 * (x_HW * math.cos(angle) + y_HW * math.sin(angle)))


def _metal(generator: np.random.Generator, side_px: int) -> Floats:
    """A brushed plate with four bolt holes, put down a little askew."""
    noise_HW = generator.normal(0, 1, (side_px, side_px))
    brushed_HW = cv2.GaussianBlur(noise_HW, (0, 0), sigmaX=side_px / 12, sigmaY=0.6)
    surface_HW = 150 + 10 * brushed_HW / brushed_HW.std()
    surface_HWC = surface_HW[..., None] * np.array([0.98, 1.0, 1.03])
    turn = math.radians(generator.uniform(-4, 4))
    middle = side_px / 2 + generator.uniform(-0.02, 0.02, 2) * side_px
    for corner in range(4):
        angle = math.pi / 4 + corner * math.pi / 2 + turn
        x, y = middle + 0.42 * side_px * np.array([math.cos(angle), math.sin(angle)])
        for radius, value in ((0.055, 95.0), (0.04, 45.0)):
            hole_HW = _disc(side_px, x, y, radius * side_px)
            surface_HWC = surface_HWC * (1 - hole_HW[..., None]) + value * hole_HW[..., None]
    return surface_HWC


def _fabric(generator: np.random.Generator, side_px: int) -> Floats:
    """A plain weave whose threads are not all alike."""
    pitch = side_px / 24
    y_HW, x_HW = np.mgrid[0:side_px, 0:side_px].astype(np.float64)
    turn = math.radians(generator.uniform(-3, 3))
    u_HW = (x_HW * math.cos(turn) + y_HW * math.sin(turn)) / pitch + generator.uniform(0, 2)
    v_HW = (y_HW * math.cos(turn) - x_HW * math.sin(turn)) / pitch + generator.uniform(0, 2)
    is_over_HW = (np.floor(u_HW) + np.floor(v_HW)) % 2 == 0
    round_HW = np.where(is_over_HW, np.abs(np.sin(math.pi * v_HW)), np.abs(np.sin(math.pi * u_HW)))
    thread_HW = np.where(is_over_HW, np.floor(v_HW), np.floor(u_HW) + 0.5)
    shade_HW = 6 * np.sin(thread_HW * 12.9898 + generator.uniform(0, 6))
    fine_HW = cv2.GaussianBlur(generator.normal(0, 1, (side_px, side_px)), (0, 0), 0.8)
    surface_HW = 95 + 55 * round_HW + shade_HW + 8 * fine_HW / fine_HW.std()
    return surface_HW[..., None] * np.array([0.78, 0.9, 1.08])


def _wood(generator: np.random.Generator, side_px: int) -> Floats:
    """Boards with a wavy grain that runs along them."""
    y_HW, x_HW = np.mgrid[0:side_px, 0:side_px].astype(np.float64) / side_px
    bend_HW = cv2.GaussianBlur(generator.normal(0, 1, (side_px, side_px)), (0, 0), sigmaX=side_px / 5, sigmaY=side_px / 14)
    grain_HW = np.sin(2 * math.pi * (generator.uniform(9, 13) * y_HW + 0.5 * bend_HW / bend_HW.std() + generator.uniform(0, 1)))
    pores_HW = cv2.GaussianBlur(generator.normal(0, 1, (side_px, side_px)), (0, 0), sigmaX=side_px / 30, sigmaY=0.7)
    surface_HW = 150 + 14 * grain_HW + 7 * pores_HW / pores_HW.std() + 4 * np.sin(5 * x_HW)
    return surface_HW[..., None] * np.array([1.12, 0.86, 0.6])


def _scratch(generator: np.random.Generator, side_px: int) -> Floats:
    """A thin bent line, 0..1."""
    start = generator.uniform(0.2, 0.8, 2) * side_px
    angle, length = generator.uniform(0, 2 * math.pi), generator.uniform(0.18, 0.45) * side_px
    along = np.array([math.cos(angle), math.sin(angle)])
    across, bend = np.array([-along[1], along[0]]), generator.uniform(-0.15, 0.15) * length
    steps = np.linspace(0, 1, 24)
    points = start + np.outer(steps * length, along) + np.outer(4 * bend * steps * (1 - steps), across)
    canvas_HW = np.zeros((side_px, side_px), np.uint8)
    thickness = max(1, round(side_px * generator.uniform(0.004, 0.009)))
    cv2.polylines(canvas_HW, [np.rint(points * 8).astype(np.int32)], False, 255, thickness, cv2.LINE_AA, shift=3)
    return canvas_HW / 255.0


def _stain(generator: np.random.Generator, side_px: int) -> Floats:
    """A blot with a ragged border, 0..1."""
    x, y = generator.uniform(0.2, 0.8, 2) * side_px
    ragged_HW = cv2.GaussianBlur(generator.normal(0, 1, (side_px, side_px)), (0, 0), side_px / 28)
    radius = generator.uniform(0.045, 0.1) * side_px
    y_HW, x_HW = np.mgrid[0:side_px, 0:side_px]
    apart_HW = np.hypot(x_HW - x, y_HW - y) / radius + 0.25 * ragged_HW / ragged_HW.std()
    return 0.75 / (1 + np.exp(8 * (apart_HW - 1)))


def _disc(side_px: int, x: float, y: float, radius: float) -> Floats:
    y_HW, x_HW = np.mgrid[0:side_px, 0:side_px]
    return np.clip(radius - np.hypot(x_HW - x, y_HW - y) + 0.5, 0, 1)


MATERIALS: Mapping[str, Callable[[np.random.Generator, int], Floats]] = {"metal": _metal, "fabric": _fabric, "wood": _wood}
_PLANTED: Mapping[Defect, Callable[[np.random.Generator, int], Floats]] = {"scratch": _scratch, "stain": _stain}

"""Photographs of single machine parts on a tray or a belt, drawn by code, and which part each shows.

A part is a shape with a bevelled edge under one lamp, in steel, brass, zinc or black oxide, at any angle and place.
Shapes: H height, W width.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.data.image import Pixels

_DRAWN_PX = 640
"""Side of the square in which a part is drawn before it is turned and made smaller."""
_MIDDLE = _DRAWN_PX / 2
_METALS = ((168, 170, 174), (188, 186, 180), (196, 164, 96), (92, 94, 98), (150, 158, 168))
"""Colours of steel, zinc, brass, black oxide and galvanised steel."""
_GROUNDS = ((58, 60, 62), (44, 70, 62), (128, 132, 136), (150, 120, 86), (206, 206, 202), (60, 74, 104))
"""Colours of belts, mats, trays and benches."""
_BEVEL_PX = 9.0
Plane = NDArray[np.float32]


@dataclass
class _Shape:
    """A part before it has a surface."""

    mask_HW: NDArray[np.uint8] = field(default_factory=lambda: np.zeros((_DRAWN_PX, _DRAWN_PX), np.uint8))
    """255 where the part is."""
    height_HW: Plane = field(default_factory=lambda: np.zeros((_DRAWN_PX, _DRAWN_PX), np.float32))
    """What rises above the flat part: threads, windings, sockets."""

    def polygon(self, points: NDArray[np.float64], value: int = 255) -> None:
        cv2.fillPoly(self.mask_HW, [np.rint(points).astype(np.int32)], value)

    def disc(self, radius: float, value: int = 255, *, x: float = _MIDDLE, y: float = _MIDDLE) -> None:
        cv2.circle(self.mask_HW, (round(x), round(y)), round(radius), value, -1)


def part_photo(label: str, generator: np.random.Generator, *, side_px: int = 256) -> Pixels:
    """Draws a part and takes a photograph of it, ``_HWC``.

    Args:
        label: one of ``LABELS``.
        generator: of chance.
        side_px: of the photograph.
    """
    shape = _PARTS[label](generator)
    angle, scale = generator.uniform(0, 360), generator.uniform(0.55, 0.95) * side_px / _DRAWN_PX
    matrix_23 = cv2.getRotationMatrix2D((_MIDDLE, _MIDDLE), angle, scale)
    shift = generator.uniform(-0.09, 0.09, 2) * side_px
    matrix_23[:, 2] = matrix_23[:, 2] + side_px / 2 - _MIDDLE + shift
    size = (side_px, side_px)
    light_HW = _light(shape, np.deg2rad(generator.uniform(200, 250) - angle))
    alpha_HW = np.asarray(cv2.warpAffine(shape.mask_HW, matrix_23, size, flags=cv2.INTER_AREA), np.float32) / 255
    light_HW = np.asarray(cv2.warpAffine(light_HW, matrix_23, size, flags=cv2.INTER_AREA, borderValue=1.0), np.float32)
    picture_HW3 = _ground(generator, side_px)
    offset = generator.uniform(0.012, 0.03) * side_px
    moved_23 = np.array([[1, 0, offset], [0, 1, offset]], dtype=np.float64)
    shadow_HW = cv2.GaussianBlur(cv2.warpAffine(alpha_HW, moved_23, size), (0, 0), 0.014 * side_px)
    picture_HW3 *= 1 - 0.55 * np.asarray(shadow_HW, np.float32)[..., None]
    metal = np.array(_METALS[generator.integers(len(_METALS))], np.float32) * generator.uniform(0.85, 1.1)
    brushed_HW = cv2.GaussianBlur(generator.standard_normal(size).astype(np.float32), (0, 0), sigmaX=6, sigmaY=0.7)
    surface_HW3 = metal * (light_HW + 0.12 * np.asarray(brushed_HW, np.float32))[..., None]
    picture_HW3 += (surface_HW3 - picture_HW3) * alpha_HW[..., None]
    return _taken(picture_HW3, generator)


def _light(shape: _Shape, lamp_rad: float) -> Plane:
    """How bright the surface is, about 1 where it is flat: the slope of its height towards the lamp."""
    inner_HW = cv2.distanceTransform(shape.mask_HW, cv2.DIST_L2, 5)
    height_HW = np.minimum(np.asarray(inner_HW, np.float32), _BEVEL_PX) + shape.height_HW
    height_HW = np.asarray(cv2.GaussianBlur(height_HW, (0, 0), 2.2), np.float32)
    down_HW, right_HW = np.gradient(height_HW)
    slope_HW = right_HW * np.cos(lamp_rad) + down_HW * np.sin(lamp_rad)
    light_HW: Plane = np.clip(1 - 0.55 * slope_HW, 0.25, 1.6).astype(np.float32)
    return light_HW


def _ground(generator: np.random.Generator, side_px: int) -> Plane:
    """What the part lies on, in uneven light: a belt with a weave, a bench with grain, or a plain tray."""
    color = np.array(_GROUNDS[generator.integers(len(_GROUNDS))], np.float32) * generator.uniform(0.8, 1.2)
    rough_HW = generator.standard_normal((side_px, side_px)).astype(np.float32)
    grain = ((0.8, 0.8), (9.0, 0.8), (3.0, 3.0))[generator.integers(3)]
    grain_HW = np.asarray(cv2.GaussianBlur(rough_HW, (0, 0), sigmaX=grain[0], sigmaY=grain[1]), np.float32)
    grain_HW /= max(float(grain_HW.std()), 1e-6)
    rows, columns = np.mgrid[:side_px, :side_px].astype(np.float32) / side_px - 0.5
    angle = generator.uniform(0, 2 * np.pi)
    slope_HW = 1 + generator.uniform(0.05, 0.3) * (columns * np.cos(angle) + rows * np.sin(angle))
    if generator.random() < 0.3:
        period = generator.uniform(6, 14)
        grain_HW += np.sign(np.sin(2 * np.pi * columns * side_px / period)) * generator.uniform(0.5, 1.5)
    return np.asarray(color * slope_HW[..., None] + generator.uniform(2, 6) * grain_HW[..., None], np.float32)


def _taken(picture_HW3: Plane, generator: np.random.Generator) -> Pixels:
    """As a camera has it: exposure, a little blur, noise."""
    exposed_HW3 = picture_HW3 * generator.uniform(0.75, 1.2) * (1 + generator.uniform(-0.05, 0.05, 3))
    blurred_HW3 = cv2.GaussianBlur(exposed_HW3, (0, 0), generator.uniform(0.4, 1.1))
    noisy_HW3 = blurred_HW3 + generator.normal(0, generator.uniform(1.5, 5), picture_HW3.shape)
    return np.clip(np.rint(noisy_HW3), 0, 255).astype(np.uint8)


def _around(radii: NDArray[np.float64] | float, num_points: int, *, begin: float = 0.0) -> NDArray[np.float64]:
    """Points around the middle."""
    angles = begin + np.linspace(0, 2 * np.pi, num_points, endpoint=False)
    return _MIDDLE + np.stack([np.cos(angles), np.sin(angles)], axis=1) * np.reshape(
        np.broadcast_to(radii, num_points), (-1, 1)
    )


def _block(left: float, top: float, right: float, bottom: float) -> NDArray[np.float64]:
    return np.array([(left, top), (right, top), (right, bottom), (left, bottom)])


def _bolt(generator: np.random.Generator) -> _Shape:
    """Seen from the side: a head, a shank, and a thread along a part of it."""
    shape = _Shape()
    length, thick = generator.uniform(300, 430), generator.uniform(52, 84)
    head, wide = thick * generator.uniform(0.6, 0.85), thick * generator.uniform(1.6, 1.95)
    left = _MIDDLE - (length + head) / 2
    shape.polygon(_block(left, _MIDDLE - wide / 2, left + head, _MIDDLE + wide / 2))
    for edge in (-1, 1):  # the edges between the faces of the head
        row = round(_MIDDLE + edge * wide / 4)
        shape.height_HW[row - 2 : row + 2, round(left) : round(left + head)] -= 5
    thread_from = left + head + length * generator.choice([0.05, 0.35, 0.5])
    end = left + head + length
    shape.polygon(_block(left + head, _MIDDLE - thick / 2, end, _MIDDLE + thick / 2))
    pitch = generator.uniform(13, 20)
    rows, columns = np.mgrid[:_DRAWN_PX, :_DRAWN_PX].astype(np.float32)
    wave_HW = np.abs(((columns + 0.18 * rows) / pitch) % 1 - 0.5)
    is_thread_HW = columns >= thread_from
    shape.height_HW[is_thread_HW] += (16 * wave_HW)[is_thread_HW]
    is_notch_HW = is_thread_HW & (columns >= left + head) & (np.abs(rows - _MIDDLE) > thick / 2 - 12 * wave_HW)
    shape.mask_HW[is_notch_HW] = 0
    # A cylinder is brightest along its middle.
    is_shank_HW = columns >= left + head
    round_HW = np.sqrt(np.clip(1 - ((rows - _MIDDLE) / (thick / 2)) ** 2, 0, 1)) * thick / 3
    shape.height_HW[is_shank_HW] += round_HW[is_shank_HW]
    return shape


def _nut(generator: np.random.Generator) -> _Shape:
    """A hexagon with a threaded hole."""
    shape = _Shape()
    radius = generator.uniform(150, 220)
    shape.polygon(_around(radius, 6))
    hole = radius * generator.uniform(0.46, 0.58)
    rows, columns = np.mgrid[:_DRAWN_PX, :_DRAWN_PX].astype(np.float32)
    far_HW = np.hypot(rows - _MIDDLE, columns - _MIDDLE)
    shape.height_HW -= np.clip(far_HW - radius * 0.86, 0, None) * 0.5  # the corners are chamfered
    shape.height_HW -= np.clip(hole + 16 - far_HW, 0, 16) * 0.8
    shape.disc(hole, 0)
    return shape


def _washer(generator: np.random.Generator) -> _Shape:
    """A flat ring, sometimes split as a spring washer is."""
    shape = _Shape()
    radius = generator.uniform(150, 230)
    shape.disc(radius)
    shape.disc(radius * generator.uniform(0.42, 0.66), 0)
    if generator.random() < 0.25:
        shape.polygon(
            np.array([(_MIDDLE, _MIDDLE - 5), (_DRAWN_PX, _MIDDLE - 26), (_DRAWN_PX, _MIDDLE - 6), (_MIDDLE, _MIDDLE + 5)]), 0
        )
    return shape


def _gear(generator: np.random.Generator) -> _Shape:
    """A toothed wheel with a bore, sometimes with holes between bore and rim."""
    shape = _Shape()
    num_teeth, radius = int(generator.integers(12, 27)), generator.uniform(190, 250)
    tooth = radius * generator.uniform(0.1, 0.17)
    steps = np.tile([0, 0, 1, 1], num_teeth)
    shape.polygon(_around(radius - tooth * steps, 4 * num_teeth))
    bore = radius * generator.uniform(0.14, 0.26)
    if generator.random() < 0.5:
        for x, y in _around(radius * 0.52, int(generator.integers(3, 7))):
            shape.disc(radius * 0.13, 0, x=x, y=y)
    hub_HW = np.zeros_like(shape.mask_HW)
    cv2.circle(hub_HW, (round(_MIDDLE), round(_MIDDLE)), round(bore * 1.7), 255, -1)
    shape.height_HW += np.minimum(np.asarray(cv2.distanceTransform(hub_HW, cv2.DIST_L2, 5), np.float32), 8)
    shape.disc(bore, 0)
    return shape


def _spring(generator: np.random.Generator) -> _Shape:
    """A coil seen from the side."""
    shape = _Shape()
    turns, length = int(generator.integers(6, 12)), generator.uniform(300, 430)
    tall, wire = generator.uniform(60, 105), generator.uniform(15, 24)
    steps = np.linspace(0, turns, 60 * turns)
    columns = _MIDDLE - length / 2 + steps / turns * length + 14 * np.sin(2 * np.pi * steps)
    points = np.stack([columns, _MIDDLE - tall * np.cos(2 * np.pi * steps)], axis=1)
    line = np.rint(points).astype(np.int32)
    cv2.polylines(shape.mask_HW, [line], False, 255, round(wire))
    behind_HW = np.zeros_like(shape.mask_HW)
    for first in range(turns):  # the half of each turn that lies in front is higher
        cv2.polylines(behind_HW, [line[60 * first : 60 * first + 31]], False, 255, round(wire))
    shape.height_HW += 1.6 * np.asarray(cv2.distanceTransform(behind_HW, cv2.DIST_L2, 5), np.float32)
    return shape


def _bracket(generator: np.random.Generator) -> _Shape:
    """An angle of sheet metal with holes."""
    shape = _Shape()
    long, short, wide = generator.uniform(330, 430), generator.uniform(220, 330), generator.uniform(90, 130)
    left, top = _MIDDLE - long / 2, _MIDDLE - short / 2
    shape.polygon(_block(left, top, left + long, top + wide))
    shape.polygon(_block(left, top, left + wide, top + short))
    hole = wide * generator.uniform(0.17, 0.26)
    for share in (0.55, 0.88) if generator.random() < 0.7 else (0.8,):
        shape.disc(hole, 0, x=left + share * long, y=top + wide / 2)
        shape.disc(hole, 0, x=left + wide / 2, y=top + share * short)
    return shape


_PARTS: Mapping[str, Callable[[np.random.Generator], _Shape]] = {
    "bolt": _bolt,
    "nut": _nut,
    "washer": _washer,
    "gear": _gear,
    "spring": _spring,
    "bracket": _bracket,
}
LABELS = tuple(_PARTS)

"""Pictures with exact masks, made by laying cut-outs over photographs.

Cut-and-paste as in https://arxiv.org/abs/1708.01642. What would give the paste away is varied: soft and hard edges, shadows,
blur, noise and JPEG over the whole, things filled with a piece of another photograph, the same thing several times.
Shapes: H height, W width, K things.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.click_mask.sources import Material, Pixels

Rng = np.random.Generator
_SEEN_FRACTION = 0.35
"""A thing that is covered more than this leaves is no target."""
_MIN_AREA_FRACTION = 0.004


@dataclass(frozen=True)
class Scene:
    """A picture and the visible pixels of its things."""

    picture_HW3: Pixels
    masks_KHW: NDArray[np.bool_]


def scene_make(rng: Rng, material: Material, height_px: int, width_px: int) -> Scene:
    """Makes one picture with at least one thing that is mostly seen."""
    while True:
        scene = _tried(rng, material, height_px, width_px)
        if len(scene.masks_KHW):
            return scene


def _tried(rng: Rng, material: Material, height_px: int, width_px: int) -> Scene:
    canvas: NDArray[Any] = _background(rng, material, height_px, width_px)
    covered: list[NDArray[Any]] = []
    whole: list[float] = []
    last: Pixels | None = None
    for _ in range(rng.integers(1, 6)):
        thing = last if last is not None and rng.random() < 0.25 else _shape(rng, material)
        last = thing
        placed_HW4 = _placed(rng, thing, height_px, width_px)
        alpha = placed_HW4[..., 3].astype(np.float32) / 255
        if rng.random() < 0.35:
            canvas = _shadowed(rng, canvas, alpha)
        canvas = canvas * (1 - alpha[..., None]) + placed_HW4[..., :3].astype(np.float32) * alpha[..., None]
        solid = (alpha > 0.5).astype(np.float32)
        covered = [mask * (1 - solid) for mask in covered]
        covered.append(solid)
        whole.append(float(solid.sum()))
    least = _MIN_AREA_FRACTION * height_px * width_px
    visible = [mask > 0 for mask, area in zip(covered, whole, strict=True) if mask.sum() > max(least, _SEEN_FRACTION * area)]
    masks = np.stack(visible) if visible else np.zeros((0, height_px, width_px), dtype=bool)
    return Scene(_developed(rng, canvas), masks)


def _background(rng: Rng, material: Material, height_px: int, width_px: int) -> NDArray[Any]:
    photo = material.photos[rng.integers(len(material.photos))]
    out: NDArray[Any] = _piece(rng, photo, height_px, width_px).astype(np.float32)
    kind = rng.random()
    if kind < 0.08:
        out[:] = rng.integers(0, 256, 3)
    elif kind < 0.2:
        out = cv2.GaussianBlur(out, (0, 0), float(rng.uniform(2, 12)))
    return _toned(rng, out)


def _piece(rng: Rng, photo: Pixels, height_px: int, width_px: int) -> Pixels:
    """A part of a photograph with the aspect asked for."""
    full_h, full_w = photo.shape[:2]
    most = min(full_h / height_px, full_w / width_px)
    share = most * rng.uniform(0.35, 1.0)
    h, w = max(int(height_px * share), 2), max(int(width_px * share), 2)
    top, left = rng.integers(full_h - h + 1), rng.integers(full_w - w + 1)
    part = cv2.resize(photo[top : top + h, left : left + w], (width_px, height_px), interpolation=cv2.INTER_LINEAR)
    return np.ascontiguousarray(part[:, ::-1]) if rng.random() < 0.5 else part


def _shape(rng: Rng, material: Material) -> Pixels:
    use_clipart = len(material.cliparts) > 0 and rng.random() < 0.3
    pool = material.cliparts if use_clipart else material.stamps
    thing = pool[rng.integers(len(pool))]
    if rng.random() < 0.2:  # the outline of one thing, the texture of a photograph
        height, width = thing.shape[:2]
        photo = material.photos[rng.integers(len(material.photos))]
        thing = np.dstack([_piece(rng, photo, height, width), thing[..., 3]])
    colours = _toned(rng, thing[..., :3].astype(np.float32))
    return np.dstack([colours.clip(0, 255).astype(np.uint8), thing[..., 3]])


def _placed(rng: Rng, thing: Pixels, height_px: int, width_px: int) -> Pixels:
    """The thing turned, scaled and moved onto an empty picture."""
    h, w = thing.shape[:2]
    longest = np.exp(rng.uniform(np.log(0.15), np.log(1.0))) * min(height_px, width_px)
    scale = longest / max(h, w)
    angle = rng.uniform(-180, 180) if rng.random() < 0.25 else rng.uniform(-30, 30)
    matrix: NDArray[Any] = cv2.getRotationMatrix2D((w / 2, h / 2), float(angle), float(scale))
    if rng.random() < 0.5:
        matrix[:, 0] *= -1
        matrix[:, 2] -= matrix[:, 0] * w
    matrix[:, 0] *= rng.uniform(0.8, 1.25)
    middle = matrix @ np.array([w / 2, h / 2, 1.0])
    to = np.array([rng.uniform(0.1, 0.9) * width_px, rng.uniform(0.1, 0.9) * height_px])
    matrix[:, 2] += to - middle
    flags = cv2.INTER_AREA if scale < 0.5 else cv2.INTER_LINEAR
    source = thing if scale >= 0.5 else cv2.GaussianBlur(thing, (0, 0), 0.4 / scale)
    placed = cv2.warpAffine(source, matrix, (width_px, height_px), flags=flags & 3)
    if rng.random() < 0.5:
        placed[..., 3] = cv2.GaussianBlur(placed[..., 3], (0, 0), float(rng.uniform(0.4, 1.2)))
    return placed


def _shadowed(rng: Rng, canvas: NDArray[Any], alpha: NDArray[Any]) -> NDArray[Any]:
    shift = np.array([[1, 0, rng.uniform(-10, 10)], [0, 1, rng.uniform(0, 12)]], dtype=np.float32)
    shadow = cv2.GaussianBlur(cv2.warpAffine(alpha, shift, alpha.shape[::-1]), (0, 0), float(rng.uniform(2, 7)))
    return canvas * (1 - rng.uniform(0.2, 0.6) * shadow[..., None])


def _toned(rng: Rng, colours: NDArray[Any]) -> NDArray[Any]:
    """Other light: contrast, brightness, saturation and a cast."""
    grey = colours.mean(axis=-1, keepdims=True)
    out = grey + (colours - grey) * (0.0 if rng.random() < 0.08 else rng.uniform(0.5, 1.4))
    gains = rng.uniform(0.8, 1.2) * rng.uniform(0.88, 1.12, 3)
    return ((out - 128) * rng.uniform(0.7, 1.25) * gains + 128 + rng.uniform(-30, 30)).astype(np.float32)


def _developed(rng: Rng, canvas: NDArray[Any]) -> Pixels:
    """What a camera and a file do to the whole."""
    if rng.random() < 0.4:
        canvas = cv2.GaussianBlur(canvas, (0, 0), float(rng.uniform(0.3, 1.3)))
    if rng.random() < 0.5:
        canvas = canvas + rng.normal(0, rng.uniform(1, 9), canvas.shape).astype(np.float32)
    out: NDArray[Any] = canvas.clip(0, 255).astype(np.uint8)
    if rng.random() < 0.5:
        _, packed = cv2.imencode(".jpg", out, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(35, 95))])
        out = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR))
    return np.ascontiguousarray(out)

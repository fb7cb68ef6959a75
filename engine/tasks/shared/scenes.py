"""Pictures whose objects are known: stamps laid over photographs, in three levels of difficulty.

No annotated set of objects lies in a package registry, so one is made. What counts is the pixels that are seen. The
held-out side shares neither stamps nor photographs with the training side, and its seed is fixed. Shapes: H height, W width.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from automl.contracts.words import Words
from engine.assets.quickstart import pictures
from engine.data.image import Pixels
from engine.data.paste import Canvas, trimmed, turned

words = Words(__file__)

LABELS = ("bird", "flower", "fruit", "mammal", "vehicle")
"""Kinds of stamps that are to be found; others are clutter."""
LABEL_NAMES = {label: words(f"thing.{label}") for label in LABELS}
_HELD_OUT_EVERY = 4
"""One stamp and one photograph of so many is held out."""
_MIN_VISIBLE_FRACTION = 0.3
"""A thing of which less is visible is not annotated."""
_TRIES = 30
_MIN_THING_PX = 6


@dataclass(frozen=True)
class Level:
    """How hard the pictures are."""

    num_things: tuple[int, int]
    """At least, at most."""
    size_fraction: tuple[float, float]
    """Longer side of a thing, of the picture's side."""
    max_covered_fraction: float
    """How much of a thing's box another one may cover."""
    max_angle_deg: float
    num_clutter: tuple[int, int]
    """Things of other kinds, at least and at most."""


LEVELS: Mapping[str, Level] = {
    "easy": Level((1, 3), (0.3, 0.55), 0.0, 10.0, (0, 0)),
    "medium": Level((1, 6), (0.15, 0.5), 0.25, 25.0, (0, 2)),
    "hard": Level((2, 10), (0.08, 0.45), 0.6, 45.0, (1, 5)),
}


@dataclass(frozen=True)
class Material:
    """Trimmed cut-outs (RGBA) by kind, and photographs (RGB)."""

    cutouts: Mapping[str, tuple[Pixels, ...]]
    photos: tuple[Pixels, ...]


def material(assets_dir: Path, *, is_held_out: bool) -> Material:
    """The stamps and photographs of one side, fetched once.

    Raises:
        AssetMissingError: they are not in the store and cannot be had.
    """
    found: dict[str, list[Pixels]] = {}
    for name, picture in _opened(pictures("tuxpaint_cutouts", assets_dir), is_held_out=is_held_out):
        found.setdefault(name.split("/")[0], []).append(trimmed(np.asarray(picture.convert("RGBA"))))
    photos = _opened(pictures("opencv_photos", assets_dir), is_held_out=is_held_out)
    return Material(
        cutouts={kind: tuple(cutouts) for kind, cutouts in found.items()},
        photos=tuple(np.asarray(picture.convert("RGB")) for _, picture in photos),
    )


@dataclass(frozen=True)
class Scene:
    """A picture, and of each annotated thing in it the label and the visible pixels, ``_HW``."""

    picture_HWC: Pixels
    things: tuple[tuple[str, NDArray[np.bool_]], ...]


def scene(source: Material, level: Level, generator: np.random.Generator, *, width_px: int, height_px: int) -> Scene:
    """Makes one picture."""
    canvas = Canvas(background(source, generator, width_px, height_px))
    clutter_kinds = sorted(set(source.cutouts) - set(LABELS))
    num_clutter = int(generator.integers(level.num_clutter[0], level.num_clutter[1] + 1)) if clutter_kinds else 0
    num_things = int(generator.integers(level.num_things[0], level.num_things[1] + 1))
    are_things = [True] * num_things + [False] * num_clutter
    generator.shuffle(are_things)
    kinds: list[str | None] = []
    places: list[tuple[float, float, float, float]] = []
    for is_thing in are_things:
        kind = str(generator.choice(LABELS if is_thing else clutter_kinds))
        cutout = source.cutouts[kind][generator.integers(len(source.cutouts[kind]))]
        place = _laid(canvas, cutout, level, places, generator)
        if place is not None:
            places.append(place)
            kinds.append(kind if is_thing else None)
    seen = [
        (label, canvas.masks[number])
        for number, label in enumerate(kinds)
        if label is not None and canvas.visible_fraction(number) >= _MIN_VISIBLE_FRACTION
    ]
    return Scene(canvas.picture_HW3, tuple((label, mask_HW) for label, mask_HW in seen if _is_large_enough(mask_HW)))


def box_around(mask_HW: NDArray[np.bool_]) -> tuple[int, int, int, int]:
    """Left, top, right and bottom (exclusive) of what is inside, in pixels; something is."""
    rows, columns = np.flatnonzero(mask_HW.any(axis=1)), np.flatnonzero(mask_HW.any(axis=0))
    return int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1


def _is_large_enough(mask_HW: NDArray[np.bool_]) -> bool:
    left, top, right, bottom = box_around(mask_HW)
    return min(right - left, bottom - top) >= _MIN_THING_PX


def _laid(
    canvas: Canvas,
    cutout_HW4: Pixels,
    level: Level,
    places: list[tuple[float, float, float, float]],
    generator: np.random.Generator,
) -> tuple[float, float, float, float] | None:
    """Lays a thing where it covers others no more than the level allows; None where no such place was found."""
    height, width = canvas.picture_HW3.shape[:2]
    longest_px = np.exp(generator.uniform(*np.log(level.size_fraction))) * min(height, width)
    thing_HW4 = thing(cutout_HW4, longest_px, level.max_angle_deg, generator)
    thing_h, thing_w = thing_HW4.shape[:2]
    for _ in range(_TRIES):
        left = int(generator.integers(0, max(1, width - thing_w + 1)))
        top = int(generator.integers(0, max(1, height - thing_h + 1)))
        place = (left, top, left + thing_w, top + thing_h)
        if all(_covered_fraction(place, other) <= level.max_covered_fraction for other in places):
            canvas.lay(thing_HW4, left=left, top=top)
            return place
    return None


def _covered_fraction(place: tuple[float, float, float, float], other: tuple[float, float, float, float]) -> float:
    width = min(place[2], other[2]) - max(place[0], other[0])
    height = min(place[3], other[3]) - max(place[1], other[1])
    smaller = min((box[2] - box[0]) * (box[3] - box[1]) for box in (place, other))
    return max(0.0, width) * max(0.0, height) / smaller


def background(source: Material, generator: np.random.Generator, width_px: int, height_px: int) -> Pixels:
    """A part of a photograph in the size asked for."""
    photo_HW3 = source.photos[generator.integers(len(source.photos))]
    height, width = photo_HW3.shape[:2]
    share = min(height / height_px, width / width_px) * generator.uniform(0.5, 1.0)
    crop_w, crop_h = max(1, int(width_px * share)), max(1, int(height_px * share))
    left, top = generator.integers(width - crop_w + 1), generator.integers(height - crop_h + 1)
    part_HW3 = photo_HW3[top : top + crop_h, left : left + crop_w]
    interpolation = cv2.INTER_AREA if share > 1 else cv2.INTER_LINEAR
    return cv2.resize(part_HW3, (width_px, height_px), interpolation=interpolation).astype(np.uint8)


def thing(cutout_HW4: Pixels, longest_px: float, max_angle_deg: float, generator: np.random.Generator) -> Pixels:
    """The cut-out in that size, turned, in every second case mirrored, and in another light.

    Args:
        cutout_HW4: RGBA.
        longest_px: its longer side before it is turned.
        max_angle_deg: to either side.
        generator: of chance.
    """
    angle_deg = generator.uniform(-max_angle_deg, max_angle_deg)
    turned_HW4 = turned(cutout_HW4, longest_px=longest_px, angle_deg=angle_deg, is_mirrored=bool(generator.random() < 0.5))
    return _lit(turned_HW4, generator)


def _lit(cutout_HW4: Pixels, generator: np.random.Generator) -> Pixels:
    """The cut-out in another light."""
    gain, offset = generator.uniform(0.8, 1.15), generator.uniform(-20, 20)
    out_HW4 = cutout_HW4.copy()
    out_HW4[..., :3] = np.clip(cutout_HW4[..., :3] * gain + offset, 0, 255).astype(np.uint8)
    return out_HW4


def _opened(path: Path, *, is_held_out: bool) -> list[tuple[str, Image.Image]]:
    """Every picture of a zip that belongs to the side, with its name; the side goes by the place in its folder."""
    found: list[tuple[str, Image.Image]] = []
    seen: dict[str, int] = {}
    with zipfile.ZipFile(path) as archive:
        for name in sorted(archive.namelist()):
            folder = name.rpartition("/")[0]
            seen[folder] = seen.get(folder, -1) + 1
            if (seen[folder] % _HELD_OUT_EVERY == _HELD_OUT_EVERY - 1) == is_held_out:
                found.append((name, Image.open(io.BytesIO(archive.read(name)))))
    return found

"""Subjects laid on photographs out of focus, as a person would upload them: some train, others test."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from automl.contracts.annotation import Mask
from automl.contracts.dataset import Split
from engine.assets.fetch import Progress
from engine.data.paste import Canvas
from engine.tasks.shared.coco_zip import coco_zip_write
from engine.tasks.shared.scenes import Material, background, thing
from engine.tasks.shared.shapes_example import GeneratedPicture, shown_of
from runtime.run_lengths import counts_of

_WIDTH_PX, _HEIGHT_PX = 480, 360
_TEST_EVERY = 4
"""One picture of so many tests: it shows subjects and photographs that no other one shows."""


@dataclass(frozen=True)
class Layout:
    """Where subjects lie and how large they are; lengths are fractions of the picture's height."""

    label: str
    size: tuple[float, float]
    """Longer side."""
    max_angle_deg: float
    second_rate: float
    """How often there are two."""
    middle: tuple[float, float] | None
    """Height of their middle; None: they are cut off by the lower edge, as in a portrait."""
    blur_px: tuple[float, float]
    """Of what is behind. Photographs show things, too: out of focus, they are plainly not what is meant."""


def scene(source: Material, layout: Layout, generator: np.random.Generator) -> GeneratedPicture:
    """A photograph with one subject on it, seldom with two, which may reach beyond the picture's edge."""
    behind_HW3 = background(source, generator, _WIDTH_PX, _HEIGHT_PX)
    canvas = Canvas(cv2.GaussianBlur(behind_HW3, (0, 0), generator.uniform(*layout.blur_px)).astype(np.uint8))
    kinds = sorted(source.cutouts)
    for _ in range(2 if generator.random() < layout.second_rate else 1):
        kind = kinds[generator.integers(len(kinds))]
        cutout_HW4 = source.cutouts[kind][generator.integers(len(source.cutouts[kind]))]
        longest_px = generator.uniform(*layout.size) * _HEIGHT_PX
        thing_HW4 = thing(cutout_HW4, longest_px, layout.max_angle_deg, generator)
        height, width = thing_HW4.shape[:2]
        left = int(generator.uniform(0.2, 0.8) * _WIDTH_PX - width / 2)
        if layout.middle is None:
            top = _HEIGHT_PX - int(generator.uniform(0.75, 0.95) * height)
        else:
            top = int(generator.uniform(*layout.middle) * _HEIGHT_PX - height / 2)
        canvas.lay(thing_HW4, left=left, top=top)
    is_subject_HW = np.any(canvas.masks, axis=0)
    mask = Mask(label=layout.label, width=_WIDTH_PX, height=_HEIGHT_PX, counts=counts_of(is_subject_HW))
    return GeneratedPicture(canvas.picture_HW3, (mask,))


def write_zip(
    target: Path,
    sources: Mapping[Split, Material],
    layout: Layout,
    *,
    name: str,
    num_pictures: int,
    seed: int,
    on_progress: Progress | None,
) -> None:
    """Writes the zip, whole or not at all.

    Args:
        target: the zip.
        sources: what trains and what tests.
        layout: of the pictures.
        name: that the label has in the zip.
        num_pictures: of both together.
        seed: of the generator.
        on_progress: called with how far it is, 0..1.
    """
    generator = np.random.default_rng(seed)
    splits = (Split.TEST if number % _TEST_EVERY == _TEST_EVERY - 1 else Split.TRAIN for number in range(num_pictures))
    pictures = (shown_of(scene(sources[split], layout, generator), split) for split in splits)
    coco_zip_write(target, pictures, {layout.label: name}, num_pictures=num_pictures, on_progress=on_progress)

"""Things cut out to the pixel, laid on photographs, for separating a subject from its background. Same material, same zip."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import cv2
import numpy as np

from automl.contracts.annotation import Mask
from automl.contracts.words import Words
from engine.assets.fetch import Progress
from engine.data.paste import Canvas
from engine.tasks.shared.coco_zip import coco_zip_write
from engine.tasks.shared.scenes import Material, background, material, thing
from engine.tasks.shared.shapes_example import GeneratedPicture, shown_of
from runtime.run_lengths import counts_of

words = Words(__file__)

LABELS_FROM = "auto"
LABEL = "subject"
LABEL_NAMES = {LABEL: words(f"label.{LABEL}")}
NUM_PICTURES = 200
_WIDTH_PX, _HEIGHT_PX = 480, 360
_MOST_SUBJECTS = 2
_SIZE_FRACTION = (0.45, 0.9)
_MAX_ANGLE_DEG = 20.0
_BLUR_PX = (2.0, 7.0)
_SEED = 32


def write_zip(
    target: Path,
    assets_dir: Path,
    on_progress: Progress | None = None,
    *,
    names: Mapping[str, str] = MappingProxyType({}),
    num_pictures: int = NUM_PICTURES,
) -> None:
    """Writes the zip, whole or not at all.

    Raises:
        AssetMissingError: the stamps or the photographs are not in the store and cannot be had.
    """
    source, generator = material(assets_dir, is_held_out=False), np.random.default_rng(_SEED)
    pictures = (shown_of(scene(source, generator)) for _ in range(num_pictures))
    labels = {LABEL: names.get(LABEL, LABEL)}
    coco_zip_write(target, pictures, labels, num_pictures=num_pictures, on_progress=on_progress)


def scene(source: Material, generator: np.random.Generator) -> GeneratedPicture:
    """A photograph with one thing on it, seldom with two, which may reach beyond the picture's edge."""
    behind_HW3 = background(source, generator, _WIDTH_PX, _HEIGHT_PX)
    # Photographs show things, too: out of focus, they are plainly not what is meant.
    canvas = Canvas(cv2.GaussianBlur(behind_HW3, (0, 0), generator.uniform(*_BLUR_PX)).astype(np.uint8))
    kinds = sorted(source.cutouts)
    for _ in range(_MOST_SUBJECTS if generator.random() < 0.2 else 1):
        kind = kinds[generator.integers(len(kinds))]
        cutout_HW4 = source.cutouts[kind][generator.integers(len(source.cutouts[kind]))]
        longest_px = generator.uniform(*_SIZE_FRACTION) * _HEIGHT_PX
        thing_HW4 = thing(cutout_HW4, longest_px, _MAX_ANGLE_DEG, generator)
        height, width = thing_HW4.shape[:2]
        left = int(generator.uniform(0.2, 0.8) * _WIDTH_PX - width / 2)
        top = int(generator.uniform(0.25, 0.75) * _HEIGHT_PX - height / 2)
        canvas.lay(thing_HW4, left=left, top=top)
    is_subject_HW = np.any(canvas.masks, axis=0)
    mask = Mask(label=LABEL, width=_WIDTH_PX, height=_HEIGHT_PX, counts=counts_of(is_subject_HW))
    return GeneratedPicture(canvas.picture_HW3, (mask,))

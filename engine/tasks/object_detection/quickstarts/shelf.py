"""Photographs of shelves with a box around each pack, whatever is in it, for a shelf check. Same code, same zip."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import numpy as np

from automl.contracts.words import Words
from engine.assets.fetch import Progress
from engine.tasks.shared.coco_zip import ShownPicture, box_shown, coco_zip_write
from engine.tasks.shared.shelf_scenes import shelf_photo

words = Words(__file__)

LABELS_FROM = "auto"
BACKBONE = "yolov3_tiny"
LABEL = "pack"
LABEL_NAMES = {LABEL: words(f"label.{LABEL}")}
NUM_PHOTOS = 80
_SEED = 55


def write_zip(
    target: Path,
    assets_dir: Path,
    on_progress: Progress | None = None,
    *,
    names: Mapping[str, str] = MappingProxyType({}),
    num_photos: int = NUM_PHOTOS,
) -> None:
    """Writes the zip, whole or not at all: photographs beside one file of COCO's format.

    Args:
        target: the zip.
        assets_dir: the store; nothing of it is used, since all is drawn.
        on_progress: called with how far it is, 0..1.
        names: of the label.
        num_photos: how many.
    """
    del assets_dir
    generator = np.random.default_rng(_SEED)

    def taken(_: int) -> ShownPicture:
        photo = shelf_photo(generator)
        boxes = [box_shown(LABEL, pack.left, pack.top, pack.width, pack.height) for pack in photo.packs]
        return ShownPicture(photo.picture_HWC, boxes)

    labels = {LABEL: names.get(LABEL, LABEL)}
    coco_zip_write(target, map(taken, range(num_photos)), labels, num_pictures=num_photos, on_progress=on_progress)

"""Pictures with outlined objects to begin with: pictures beside one file of COCO's format. Same material, same zip."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import numpy as np

from automl.contracts.annotation import Mask
from engine.assets.fetch import Progress
from engine.tasks.shared.coco_zip import ShownPicture, coco_zip_write, mask_shown
from engine.tasks.shared.scenes import LABEL_NAMES, LABELS, LEVELS, Level, material, scene
from runtime.run_lengths import counts_of

__all__ = ["LABELS_FROM", "LABEL_NAMES", "NUM_PICTURES", "write_zip"]

LABELS_FROM = "auto"
NUM_PICTURES = 240
_LEVEL = "medium"
_NEGATIVE_EVERY = 12
_WIDTH_PX, _HEIGHT_PX = 640, 480
_SEED = 13


def write_zip(
    target: Path,
    assets_dir: Path,
    on_progress: Progress | None = None,
    *,
    names: Mapping[str, str] = MappingProxyType({}),
    num_pictures: int = NUM_PICTURES,
) -> None:
    """Writes the zip, whole or not at all; every twelfth picture shows nothing.

    Raises:
        AssetMissingError: the stamps or the photographs are not in the store and cannot be had.
    """
    source, generator = material(assets_dir, is_held_out=False), np.random.default_rng(_SEED)
    nothing = Level((0, 0), (0.2, 0.4), 0.0, 20.0, (0, 3))

    def drawn(number: int) -> ShownPicture:
        level = nothing if number % _NEGATIVE_EVERY == _NEGATIVE_EVERY - 1 else LEVELS[_LEVEL]
        made = scene(source, level, generator, width_px=_WIDTH_PX, height_px=_HEIGHT_PX)
        masks = [
            Mask(label=label, width=_WIDTH_PX, height=_HEIGHT_PX, counts=counts_of(area_HW)) for label, area_HW in made.things
        ]
        return ShownPicture(made.picture_HWC, [mask_shown(mask) for mask in masks])

    labels = {label: names.get(label, label) for label in LABELS}
    coco_zip_write(target, map(drawn, range(num_pictures)), labels, num_pictures=num_pictures, on_progress=on_progress)

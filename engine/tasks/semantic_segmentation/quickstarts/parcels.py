"""Countryside from above with farmland, woods, water, roads and buildings marked, for a map of parcels. Same code, same zip."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import numpy as np

from automl.contracts.words import Words
from engine.assets.fetch import Progress
from engine.tasks.semantic_segmentation.parcel_scenes import LABELS, scene
from engine.tasks.shared.coco_zip import coco_zip_write
from engine.tasks.shared.shapes_example import shown_of

words = Words(__file__)

LABELS_FROM = "auto"
LABEL_NAMES = {label: words(f"label.{label}") for label in LABELS}
NUM_PICTURES = 64
_WIDTH_PX, _HEIGHT_PX = 480, 360
_SEED = 31


def write_zip(
    target: Path,
    assets_dir: Path,
    on_progress: Progress | None = None,
    *,
    names: Mapping[str, str] = MappingProxyType({}),
    num_pictures: int = NUM_PICTURES,
) -> None:
    """Writes the zip, whole or not at all; nothing is fetched."""
    del assets_dir
    generator = np.random.default_rng(_SEED)
    drawn = (scene(generator, width_px=_WIDTH_PX, height_px=_HEIGHT_PX) for _ in range(num_pictures))
    labels = {label: names.get(label, label) for label in LABELS}
    coco_zip_write(target, map(shown_of, drawn), labels, num_pictures=num_pictures, on_progress=on_progress)

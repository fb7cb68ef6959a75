"""Pictures of brushed metal plates in a folder a label to begin with: nothing is fetched but the backbone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType

import numpy as np

from automl.contracts.words import Words
from engine.assets.fetch import Progress
from engine.data.image import Pixels
from engine.tasks.anomaly_detection.example import DEFECT, LABELS, NORMAL
from engine.tasks.anomaly_detection.parts import DEFECTS, part
from engine.tasks.shared.folder_zip import folder_zip_write

words = Words(__file__)

LABELS_FROM = "folder"
LABEL_NAMES = {label: words(f"label.{label}") for label in LABELS}
NUM_NORMAL, NUM_DEFECTS = 200, 40
_SIDE_PX = 256
_SEED = 23


def write_zip(
    target: Path,
    assets_dir: Path,
    on_progress: Progress | None = None,
    *,
    names: Mapping[str, str] = MappingProxyType({}),
    num_normal: int = NUM_NORMAL,
    num_defects: int = NUM_DEFECTS,
) -> None:
    """Writes the zip, whole or not at all."""
    del assets_dir
    pictures = _parts(names, num_normal, num_defects)
    folder_zip_write(target, pictures, num_pictures=num_normal + num_defects, on_progress=on_progress)


def _parts(names: Mapping[str, str], num_normal: int, num_defects: int) -> Iterator[tuple[str, Pixels]]:
    generator = np.random.default_rng(_SEED)
    for number in range(num_normal + num_defects):
        kind = DEFECTS[number % len(DEFECTS)] if number >= num_normal else None
        label, file = (NORMAL, f"{number:04d}") if kind is None else (DEFECT, f"{kind}-{number:04d}")
        yield f"{names.get(label, label)}/{file}", part("metal", generator, side_px=_SIDE_PX, defect=kind).picture_HWC

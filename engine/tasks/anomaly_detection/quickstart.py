"""Pictures of brushed metal plates in a folder a label to begin with: nothing is fetched but the backbone."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import numpy as np
from PIL import Image

from automl.contracts.words import Words
from engine.assets.fetch import Progress
from engine.tasks.anomaly_detection.example import DEFECT, LABELS, NORMAL
from engine.tasks.anomaly_detection.parts import DEFECTS, part

words = Words(__file__)

LABELS_FROM = "folder"
LABEL_NAMES = {label: words(f"label.{label}") for label in LABELS}
NUM_NORMAL, NUM_DEFECTS = 200, 40
_SIDE_PX = 256
_SEED = 23
_ZIP_TIME = (2020, 1, 1, 0, 0, 0)


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
    generator = np.random.default_rng(_SEED)
    partial = target.with_name(target.name + ".partial")
    total = num_normal + num_defects
    with zipfile.ZipFile(partial, "w", zipfile.ZIP_STORED) as archive:
        for number in range(total):
            is_defect = number >= num_normal
            kind = DEFECTS[number % len(DEFECTS)] if is_defect else None
            drawn = part("metal", generator, side_px=_SIDE_PX, defect=kind)
            label = DEFECT if is_defect else NORMAL
            file = f"{kind}-{number:04d}.jpg" if is_defect else f"{number:04d}.jpg"
            name = f"{names.get(label, label)}/{file}"
            archive.writestr(zipfile.ZipInfo(name, _ZIP_TIME), _jpeg(drawn.picture_HWC))
            if on_progress is not None:
                on_progress((number + 1) / total)
    partial.replace(target)


def _jpeg(picture_HWC: np.ndarray) -> bytes:
    buffer = io.BytesIO()
    Image.fromarray(picture_HWC).save(buffer, "JPEG", quality=92)
    return buffer.getvalue()

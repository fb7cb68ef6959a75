"""Pictures with boxes to begin with: pictures beside one file of COCO's format. Same stamps and photographs, same zip."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import numpy as np
from PIL import Image

from automl.contracts.words import Words
from engine.assets.fetch import Progress
from engine.tasks.object_detection.example import GeneratedPicture
from engine.tasks.object_detection.scenes import scene
from engine.tasks.shared.scenes import LABELS, LEVELS, Level, material

words = Words(__file__)

LABELS_FROM = "auto"
LABEL_NAMES = {label: words(f"label.{label}") for label in LABELS}
ANNOTATIONS_FILE = "annotations.json"
NUM_PICTURES = 240
_LEVEL = "medium"
_NEGATIVE_EVERY = 12
_WIDTH_PX, _HEIGHT_PX = 640, 480
_SEED = 7
_ZIP_TIME = (2020, 1, 1, 0, 0, 0)


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
    images: list[dict[str, object]] = []
    annotations: list[dict[str, object]] = []
    partial = target.with_name(target.name + ".partial")
    with zipfile.ZipFile(partial, "w", zipfile.ZIP_STORED) as archive:
        for number in range(num_pictures):
            level = nothing if number % _NEGATIVE_EVERY == _NEGATIVE_EVERY - 1 else LEVELS[_LEVEL]
            drawn = scene(source, level, generator, width_px=_WIDTH_PX, height_px=_HEIGHT_PX)
            name = f"pictures/{number:04d}.jpg"
            archive.writestr(zipfile.ZipInfo(name, _ZIP_TIME), _jpeg(drawn))
            if on_progress is not None:
                on_progress((number + 1) / num_pictures)
            images.append({"id": number + 1, "file_name": name, "width": _WIDTH_PX, "height": _HEIGHT_PX})
            for box in drawn.boxes:
                entry = {"id": len(annotations) + 1, "image_id": number + 1, "category_id": LABELS.index(box.label) + 1}
                sides = [box.x, box.y, box.width, box.height]
                annotations.append({**entry, "bbox": sides, "area": box.width * box.height, "iscrowd": 0})
        categories = [{"id": place, "name": names.get(label, label)} for place, label in enumerate(LABELS, start=1)]
        document = {"images": images, "categories": categories, "annotations": annotations}
        archive.writestr(zipfile.ZipInfo(ANNOTATIONS_FILE, _ZIP_TIME), json.dumps(document))
    partial.replace(target)


def _jpeg(drawn: GeneratedPicture) -> bytes:
    buffer = io.BytesIO()
    Image.fromarray(drawn.picture_HWC).save(buffer, "JPEG", quality=88)
    return buffer.getvalue()

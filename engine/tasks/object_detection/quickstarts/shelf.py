"""Photographs of shelves with a box around each pack, whatever is in it, for a shelf check. Same code, same zip."""

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
from engine.tasks.shared.shelf_scenes import Pack, shelf_photo

words = Words(__file__)

LABELS_FROM = "auto"
BACKBONE = "yolov3_tiny"
LABEL = "pack"
LABEL_NAMES = {LABEL: words(f"label.{LABEL}")}
ANNOTATIONS_FILE = "annotations.json"
NUM_PHOTOS = 80
_SEED = 55
_ZIP_TIME = (2020, 1, 1, 0, 0, 0)


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
    images: list[dict[str, object]] = []
    annotations: list[dict[str, object]] = []
    partial = target.with_name(target.name + ".partial")
    with zipfile.ZipFile(partial, "w", zipfile.ZIP_STORED) as archive:
        for number in range(1, num_photos + 1):
            photo = shelf_photo(generator)
            height, width = photo.picture_HWC.shape[:2]
            name = f"pictures/shelf-{number:03d}.jpg"
            buffer = io.BytesIO()
            Image.fromarray(photo.picture_HWC).save(buffer, "JPEG", quality=88)
            archive.writestr(zipfile.ZipInfo(name, _ZIP_TIME), buffer.getvalue())
            images.append({"id": number, "file_name": name, "width": width, "height": height})
            annotations += [_annotation(pack, number, len(annotations) + place) for place, pack in enumerate(photo.packs, 1)]
            if on_progress is not None:
                on_progress(number / num_photos)
        categories = [{"id": 1, "name": names.get(LABEL, LABEL)}]
        document = {"images": images, "categories": categories, "annotations": annotations}
        archive.writestr(zipfile.ZipInfo(ANNOTATIONS_FILE, _ZIP_TIME), json.dumps(document))
    partial.replace(target)


def _annotation(pack: Pack, picture: int, number: int) -> dict[str, object]:
    sides = [pack.left, pack.top, pack.width, pack.height]
    area = pack.width * pack.height
    return {"id": number, "image_id": picture, "category_id": 1, "iscrowd": 0, "bbox": sides, "area": area}

"""Pictures with marked pixels to begin with: pictures beside one file of COCO's format. Made by code; same zip every time."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import numpy as np
from PIL import Image

from automl.contracts.annotation import Mask
from automl.contracts.words import Words
from engine.assets.fetch import Progress
from engine.tasks.semantic_segmentation.scenes import LABELS, scene
from engine.tasks.shared.shapes_example import GeneratedPicture
from runtime.run_lengths import pixels_of, runs_bounds, runs_unpack

words = Words(__file__)

LABELS_FROM = "auto"
LABEL_NAMES = {label: words(f"label.{label}") for label in LABELS}
ANNOTATIONS_FILE = "annotations.json"
NUM_PICTURES = 120
_WIDTH_PX, _HEIGHT_PX = 480, 360
_SEED = 11
_ZIP_TIME = (2020, 1, 1, 0, 0, 0)


def write_zip(
    target: Path,
    assets_dir: Path,
    on_progress: Progress | None = None,
    *,
    names: Mapping[str, str] = MappingProxyType({}),
    num_pictures: int = NUM_PICTURES,
) -> None:
    """Writes the zip, whole or not at all; every tenth picture shows no defect, and nothing is fetched."""
    del assets_dir
    generator = np.random.default_rng(_SEED)
    images: list[dict[str, object]] = []
    annotations: list[dict[str, object]] = []
    partial = target.with_name(target.name + ".partial")
    with zipfile.ZipFile(partial, "w", zipfile.ZIP_STORED) as archive:
        for number in range(num_pictures):
            drawn = scene(number, generator, width_px=_WIDTH_PX, height_px=_HEIGHT_PX)
            name = f"pictures/{number:04d}.jpg"
            archive.writestr(zipfile.ZipInfo(name, _ZIP_TIME), _jpeg(drawn))
            if on_progress is not None:
                on_progress((number + 1) / num_pictures)
            images.append({"id": number + 1, "file_name": name, "width": _WIDTH_PX, "height": _HEIGHT_PX})
            for shape in drawn.shapes:
                assert isinstance(shape, Mask)
                entry = {"id": len(annotations) + 1, "image_id": number + 1, "iscrowd": 0}
                annotations.append({**entry, "category_id": LABELS.index(shape.label) + 1, **_pixels(shape)})
        categories = [{"id": place, "name": names.get(label, label)} for place, label in enumerate(LABELS, start=1)]
        document = {"images": images, "categories": categories, "annotations": annotations}
        archive.writestr(zipfile.ZipInfo(ANNOTATIONS_FILE, _ZIP_TIME), json.dumps(document))
    partial.replace(target)


def _pixels(mask: Mask) -> dict[str, object]:
    area = int(pixels_of(runs_unpack(mask.counts), width=mask.width, height=mask.height).sum())
    runs = {"size": [mask.height, mask.width], "counts": mask.counts}
    return {"segmentation": runs, "bbox": runs_bounds(mask.counts, height=mask.height), "area": area}


def _jpeg(drawn: GeneratedPicture) -> bytes:
    buffer = io.BytesIO()
    Image.fromarray(drawn.picture_HWC).save(buffer, "JPEG", quality=90)
    return buffer.getvalue()

"""Writes pictures and what they show as a zip that a person might upload: JPEG files beside one file of COCO's format."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from PIL import Image

from automl.contracts.annotation import Mask
from automl.contracts.dataset import Split
from engine.assets.fetch import Progress
from engine.data.image import Pixels
from runtime.run_lengths import pixels_of, runs_bounds, runs_unpack

ANNOTATIONS_FILE = "annotations.json"
_JPEG_QUALITY = 88
_ZIP_TIME = (2020, 1, 1, 0, 0, 0)
"""Same pictures, same zip: the platform then recognises it as uploaded already."""


@dataclass(frozen=True)
class Shown:
    """An object in a picture."""

    label: str
    facts: Mapping[str, object]
    """What COCO's file says of it: ``bbox``, ``area`` and, with pixels, ``segmentation``."""


@dataclass(frozen=True)
class ShownPicture:
    """A picture ``_HWC`` and its objects."""

    picture_HWC: Pixels
    objects: Sequence[Shown]
    split: Split | None = None
    """What it is for; None: the platform chooses."""


def box_shown(label: str, left: float, top: float, width: float, height: float) -> Shown:
    """An object known by its box, in pixels."""
    return Shown(label, {"bbox": [left, top, width, height], "area": width * height})


def mask_shown(mask: Mask) -> Shown:
    """An object known by its pixels, of which there is at least one."""
    area = int(pixels_of(runs_unpack(mask.counts), width=mask.width, height=mask.height).sum())
    runs = {"size": [mask.height, mask.width], "counts": mask.counts}
    return Shown(mask.label, {"segmentation": runs, "bbox": runs_bounds(mask.counts, height=mask.height), "area": area})


def coco_zip_write(
    target: Path,
    pictures: Iterable[ShownPicture],
    labels: Mapping[str, str],
    *,
    num_pictures: int,
    on_progress: Progress | None = None,
) -> None:
    """Writes the zip, whole or not at all: ``pictures/0000.jpg`` onwards and ``ANNOTATIONS_FILE``.

    Pictures of a split are in a folder of its name, as ``pictures/test/0004.jpg``.

    Args:
        target: the zip.
        pictures: taken one by one.
        labels: the name that the file has for each label.
        num_pictures: how many there are.
        on_progress: called with how far it is, 0..1.
    """
    categories = {label: place for place, label in enumerate(labels, start=1)}
    images: list[dict[str, object]] = []
    annotations: list[dict[str, object]] = []
    partial = target.with_name(target.name + ".partial")
    with zipfile.ZipFile(partial, "w", zipfile.ZIP_STORED) as archive:
        for number, shown in enumerate(pictures):
            height, width = shown.picture_HWC.shape[:2]
            folder = "pictures" if shown.split is None else f"pictures/{shown.split}"
            name = f"{folder}/{number:04d}.jpg"
            archive.writestr(zipfile.ZipInfo(name, _ZIP_TIME), _jpeg(shown.picture_HWC))
            images.append({"id": number + 1, "file_name": name, "width": width, "height": height})
            for each in shown.objects:
                entry = {"id": len(annotations) + 1, "image_id": number + 1, "category_id": categories[each.label]}
                annotations.append({**entry, **each.facts, "iscrowd": 0})
            if on_progress is not None:
                on_progress((number + 1) / num_pictures)
        named = [{"id": place, "name": labels[label]} for label, place in categories.items()]
        document = {"images": images, "categories": named, "annotations": annotations}
        archive.writestr(zipfile.ZipInfo(ANNOTATIONS_FILE, _ZIP_TIME), json.dumps(document))
    partial.replace(target)


def _jpeg(picture_HWC: Pixels) -> bytes:
    buffer = io.BytesIO()
    Image.fromarray(picture_HWC).save(buffer, "JPEG", quality=_JPEG_QUALITY)
    return buffer.getvalue()

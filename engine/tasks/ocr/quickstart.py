"""Pictures of serial plates and displays to begin with, beside a PaddleOCR label file. Same code, same zip."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import numpy as np
from PIL import Image

from engine.assets.fetch import Progress
from engine.tasks.ocr.scenes import scene

LABELS_FROM = "auto"
LABEL_FILE = "Label.txt"
NUM_PICTURES = 120
_WIDTH_PX, _HEIGHT_PX = 480, 240
_SEED = 41
_ZIP_TIME = (2020, 1, 1, 0, 0, 0)


def write_zip(target: Path, assets_dir: Path, on_progress: Progress | None = None, *, num_pictures: int = NUM_PICTURES) -> None:
    """Writes the zip, whole or not at all."""
    del assets_dir
    generator = np.random.default_rng(_SEED)
    label_lines = []
    partial = target.with_name(target.name + ".partial")
    with zipfile.ZipFile(partial, "w", zipfile.ZIP_STORED) as archive:
        for number in range(num_pictures):
            picture, lines = scene(generator, width=_WIDTH_PX, height=_HEIGHT_PX)
            name = f"pictures/{number:04d}.jpg"
            archive.writestr(zipfile.ZipInfo(name, _ZIP_TIME), _jpeg(picture))
            found = [{"transcription": line.text, "points": line.corners, "difficult": False} for line in lines]
            label_lines.append(f"{name}\t{json.dumps(found, ensure_ascii=False)}\n")
            if on_progress is not None:
                on_progress((number + 1) / num_pictures)
        archive.writestr(zipfile.ZipInfo(LABEL_FILE, _ZIP_TIME), "".join(label_lines))
    partial.replace(target)


def _jpeg(picture: Image.Image) -> bytes:
    buffer = io.BytesIO()
    picture.save(buffer, "JPEG", quality=90)
    return buffer.getvalue()

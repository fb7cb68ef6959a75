"""Photographs of invoices and receipts in English and Chinese, with their lines and a template of each form.

Same code, same zip.
"""

from __future__ import annotations

import io
import json
import zipfile
from functools import lru_cache
from pathlib import Path

import numpy as np
from PIL import Image, ImageFont

from engine.assets.fetch import Progress
from engine.assets.fonts import font
from engine.tasks.ocr.forms import photographed
from engine.tasks.ocr.invoices import Fonts, invoice, template_content
from engine.tasks.ocr.layouts import LAYOUTS, Layout
from engine.tasks.ocr.scenes import SceneLine

LABELS_FROM = "auto"
BACKBONE = "pp_ocr_v6_small_recogniser"
LABEL_FILE = "Label.txt"
NUM_EACH = 10
"""Pictures of a layout."""
_FONT = "wqy_microhei"
_DEGREES, _PERSPECTIVE, _MARGIN = 5.0, 0.015, 1.14
_SEED = 45
_ZIP_TIME = (2020, 1, 1, 0, 0, 0)


def write_zip(target: Path, assets_dir: Path, on_progress: Progress | None = None, *, num_each: int = NUM_EACH) -> None:
    """Writes the zip, whole or not at all: pictures beside a PaddleOCR label file.

    Args:
        target: the zip.
        assets_dir: the store.
        on_progress: called with how far it is, 0..1.
        num_each: pictures of a layout.

    Raises:
        AssetMissingError: the font is not in the store and cannot be had.
    """
    fonts = _fonts(assets_dir)
    generator = np.random.default_rng(_SEED)
    label_lines = []
    partial = target.with_name(target.name + ".partial")
    with zipfile.ZipFile(partial, "w", zipfile.ZIP_STORED) as archive:
        for number in range(num_each * len(LAYOUTS)):
            layout = LAYOUTS[number % len(LAYOUTS)]
            picture, lines = _photograph(layout, generator, fonts)
            name = f"pictures/{layout.slug}-{number // len(LAYOUTS) + 1:02d}.jpg"
            archive.writestr(zipfile.ZipInfo(name, _ZIP_TIME), _file(picture, "JPEG"))
            found = [{"transcription": each.text, "points": each.corners, "difficult": False} for each in lines]
            label_lines.append(f"{name}\t{json.dumps(found, ensure_ascii=False)}\n")
            if on_progress is not None:
                on_progress((number + 1) / (num_each * len(LAYOUTS)))
        archive.writestr(zipfile.ZipInfo(LABEL_FILE, _ZIP_TIME), "".join(label_lines))
    partial.replace(target)


def write_beside(folder: Path, assets_dir: Path) -> None:
    """Writes the templates: ``templates/<slug>.png`` and beside it ``<slug>.json`` with ``name``, ``content`` and ``lines``.

    Args:
        folder: where.
        assets_dir: the store.

    Raises:
        AssetMissingError: the font is not in the store and cannot be had.
    """
    fonts = _fonts(assets_dir)
    (folder / "templates").mkdir(parents=True)
    for layout in LAYOUTS:
        flat = invoice(layout, np.random.default_rng(_SEED), fonts)
        lines = [{"text": each.text, "points": each.corners, "score": 1.0} for each in flat.lines]
        described = {"name": layout.title, "content": template_content(layout, flat.lines), "lines": lines}
        (folder / "templates" / f"{layout.slug}.png").write_bytes(_file(flat.picture, "PNG"))
        text = json.dumps(described, ensure_ascii=False)
        (folder / "templates" / f"{layout.slug}.json").write_text(text, encoding="utf-8")


def _photograph(layout: Layout, generator: np.random.Generator, fonts: Fonts) -> tuple[Image.Image, list[SceneLine]]:
    flat = invoice(layout, generator, fonts)
    degrees = generator.uniform(-_DEGREES, _DEGREES)
    seen = photographed(flat.picture, generator, degrees=degrees, perspective=_PERSPECTIVE, margin=_MARGIN)
    lines = []
    for line in flat.lines:
        corners = np.append(np.array(line.corners), np.ones((4, 1)), axis=1) @ seen.projection.T
        lines.append(SceneLine(tuple(map(tuple, (corners[:, :2] / corners[:, 2:]).round(2).tolist())), line.text))
    return seen.picture, lines


def _fonts(assets_dir: Path) -> Fonts:
    path = font(_FONT, assets_dir)
    return lru_cache(lambda size: ImageFont.truetype(path, size))


def _file(picture: Image.Image, kind: str) -> bytes:
    buffer = io.BytesIO()
    picture.save(buffer, kind, **({"quality": 90} if kind == "JPEG" else {}))
    return buffer.getvalue()

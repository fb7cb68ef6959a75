"""Pictures of many things in a folder a thing to begin with: stamps seen again and again, a little differently each time.

A stamp is one thing, as a product is. Its pictures are laid on plain ground of different colours, turned, cropped and lit as a
phone would take them; so what has to be learned is what stays the same.
"""

from __future__ import annotations

import io
import zipfile
from collections import defaultdict
from pathlib import Path

import numpy as np
from PIL import Image

from engine.assets.fetch import AssetMissingError, Progress
from engine.assets.quickstart import pictures
from engine.tasks.image_similarity.example import badge

LABELS_FROM = "folder"
NUM_THINGS, PICTURES_PER_THING = 40, 10
_PER_KIND = 8
"""Things of one kind, e.g. birds, at most."""
_SIDE_PX = 256
_SEED = 29
_ZIP_TIME = (2020, 1, 1, 0, 0, 0)


def write_zip(
    target: Path,
    assets_dir: Path,
    on_progress: Progress | None = None,
    *,
    num_things: int = NUM_THINGS,
    pictures_per_thing: int = PICTURES_PER_THING,
) -> None:
    """Writes the zip, whole or not at all: stamps, or patterned badges where those cannot be had."""
    generator = np.random.default_rng(_SEED)
    things = _stamps(assets_dir, num_things)
    partial = target.with_name(target.name + ".partial")
    names = sorted(things) if things else [f"badge {number + 1}" for number in range(num_things)]
    with zipfile.ZipFile(partial, "w", zipfile.ZIP_STORED) as archive:
        for number, name in enumerate(names):
            for turn in range(pictures_per_thing):
                seen = _seen(things[name], generator) if things else badge(name, generator, side_px=_SIDE_PX)
                archive.writestr(zipfile.ZipInfo(f"{name}/{turn + 1:02d}.jpg", _ZIP_TIME), _jpeg(seen))
            if on_progress is not None:
                on_progress((number + 1) / len(names))
    partial.replace(target)


def _stamps(assets_dir: Path, most: int) -> dict[str, Image.Image]:
    """Cut-outs by name; none where they cannot be had."""
    try:
        path = pictures("tuxpaint_cutouts", assets_dir)
    except AssetMissingError:
        return {}
    found: dict[str, Image.Image] = {}
    by_kind: defaultdict[str, int] = defaultdict(int)
    with zipfile.ZipFile(path) as archive:
        for member in archive.namelist():
            kind, _, name = member.removesuffix(".png").partition("/")
            if by_kind[kind] < _PER_KIND and len(found) < most:
                by_kind[kind] += 1
                with Image.open(io.BytesIO(archive.read(member))) as picture:
                    found[f"{kind} {name}"] = picture.convert("RGBA")
    return found


def _seen(stamp: Image.Image, generator: np.random.Generator) -> Image.Image:
    """One picture of a stamp."""
    ground = tuple(int(value) for value in generator.integers(90, 256, 3))
    picture = Image.new("RGB", (_SIDE_PX, _SIDE_PX), ground)
    share = generator.uniform(0.5, 0.95) * _SIDE_PX / max(stamp.size)
    small = stamp.resize((max(1, round(stamp.width * share)), max(1, round(stamp.height * share))))
    turned = small.rotate(generator.uniform(-30, 30), Image.Resampling.BICUBIC, expand=True)
    margin_2 = np.maximum(np.array(picture.size) - np.array(turned.size), 0)
    left, top = (int(value) for value in generator.uniform(0, 1, 2) * margin_2)
    picture.paste(turned, (left, top), turned)
    lit_HWC = np.asarray(picture, dtype=np.float64) * generator.uniform(0.6, 1.2) * generator.uniform(0.9, 1.1, 3)
    return Image.fromarray(np.clip(lit_HWC + generator.normal(0, 6, lit_HWC.shape), 0, 255).astype(np.uint8))


def _jpeg(picture: Image.Image) -> bytes:
    buffer = io.BytesIO()
    picture.save(buffer, "JPEG", quality=90)
    return buffer.getvalue()

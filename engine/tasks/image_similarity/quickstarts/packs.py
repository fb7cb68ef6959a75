"""Pictures of packs in a folder a product: what names the packs of a shelf check. Same code, same zip."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import numpy as np
from PIL import Image

from engine.assets.fetch import Progress
from engine.tasks.shared import packs
from engine.tasks.shared.shelf_scenes import pack_photo

LABELS_FROM = "folder"
LABEL_NAMES = {key: packs.NAMES[key] for key in packs.KNOWN}
PICTURES_PER_PRODUCT = 30
_SEED = 56
_ZIP_TIME = (2020, 1, 1, 0, 0, 0)


def write_zip(
    target: Path,
    assets_dir: Path,
    on_progress: Progress | None = None,
    *,
    names: Mapping[str, str] = MappingProxyType({}),
    pictures_per_product: int = PICTURES_PER_PRODUCT,
) -> None:
    """Writes the zip, whole or not at all; some products that stand on the shelves are missing, to be added by their pictures.

    Args:
        target: the zip.
        assets_dir: the store; nothing of it is used, since all is drawn.
        on_progress: called with how far it is, 0..1.
        names: of the folders, by the key of a product.
        pictures_per_product: in each folder.
    """
    del assets_dir
    generator = np.random.default_rng(_SEED)
    partial = target.with_name(target.name + ".partial")
    with zipfile.ZipFile(partial, "w", zipfile.ZIP_STORED) as archive:
        for number, key in enumerate(packs.KNOWN, start=1):
            for picture in range(1, pictures_per_product + 1):
                buffer = io.BytesIO()
                Image.fromarray(pack_photo(key, generator)).save(buffer, "JPEG", quality=90)
                archive.writestr(zipfile.ZipInfo(f"{names.get(key, key)}/{picture:02d}.jpg", _ZIP_TIME), buffer.getvalue())
            if on_progress is not None:
                on_progress(number / len(packs.KNOWN))
    partial.replace(target)

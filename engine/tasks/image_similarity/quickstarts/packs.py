"""Pictures of packs in a folder a product: what names the packs of a shelf check. Same code, same zip."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType

import numpy as np

from engine.assets.fetch import Progress
from engine.data.image import Pixels
from engine.tasks.shared import packs
from engine.tasks.shared.folder_zip import folder_zip_write
from engine.tasks.shared.shelf_scenes import pack_photo

LABELS_FROM = "folder"
LABEL_NAMES = {key: packs.NAMES[key] for key in packs.KNOWN}
PICTURES_PER_PRODUCT = 30
_SEED = 56


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
    total = pictures_per_product * len(packs.KNOWN)
    folder_zip_write(target, _photos(names, pictures_per_product), num_pictures=total, on_progress=on_progress)


def _photos(names: Mapping[str, str], pictures_per_product: int) -> Iterator[tuple[str, Pixels]]:
    generator = np.random.default_rng(_SEED)
    for key in packs.KNOWN:
        for number in range(1, pictures_per_product + 1):
            yield f"{names.get(key, key)}/{number:02d}", pack_photo(key, generator)

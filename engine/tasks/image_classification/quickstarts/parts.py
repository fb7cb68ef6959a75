"""Photographs of machine parts in a folder a part, for sorting them. Same code, same zip."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType

import numpy as np

from automl.contracts.words import Words
from engine.assets.fetch import Progress
from engine.data.image import Pixels
from engine.tasks.image_classification.part_scenes import LABELS, part_photo
from engine.tasks.shared.folder_zip import folder_zip_write

words = Words(__file__)

LABELS_FROM = "folder"
LABEL_NAMES = {label: words(f"label.{label}") for label in LABELS}
PICTURES_PER_LABEL = 40
_SEED = 30


def write_zip(
    target: Path,
    assets_dir: Path,
    on_progress: Progress | None = None,
    *,
    names: Mapping[str, str] = MappingProxyType({}),
    pictures_per_label: int = PICTURES_PER_LABEL,
) -> None:
    """Writes the zip, whole or not at all; nothing is fetched.

    Args:
        target: the zip.
        assets_dir: the store; nothing of it is used, since all is drawn.
        on_progress: called with how far it is, 0..1.
        names: of the folders, by label.
        pictures_per_label: in each folder.
    """
    del assets_dir
    pictures, total = _photos(names, pictures_per_label), pictures_per_label * len(LABELS)
    folder_zip_write(target, pictures, num_pictures=total, on_progress=on_progress)


def _photos(names: Mapping[str, str], pictures_per_label: int) -> Iterator[tuple[str, Pixels]]:
    generator = np.random.default_rng(_SEED)
    for label in LABELS:
        for number in range(1, pictures_per_label + 1):
            yield f"{names.get(label, label)}/{number:02d}", part_photo(label, generator)

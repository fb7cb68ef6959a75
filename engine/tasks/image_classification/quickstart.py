"""Pictures in one folder a label to begin with: colour stamps, or digits where those cannot be had."""

from __future__ import annotations

import shutil
import zipfile
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from automl.contracts.words import Words
from engine.assets.fetch import Progress
from engine.assets.quickstart import STAMP_LABELS, quickstart_pictures

words = Words(__file__)

LABELS_FROM = "folder"
LABEL_NAMES = {label: words(f"label.{label.replace(' ', '_')}") for label in STAMP_LABELS}


def write_zip(
    target: Path, assets_dir: Path, on_progress: Progress | None = None, *, names: Mapping[str, str] = MappingProxyType({})
) -> None:
    """Writes the zip.

    Args:
        target: the zip.
        assets_dir: the store.
        on_progress: called with how far it is, 0..1.
        names: of labels; digits and what is missing keep theirs.

    Raises:
        AssetMissingError: neither set of pictures is in the store or can be had.
    """
    source = quickstart_pictures(assets_dir, on_progress)
    if all(label == name for label, name in names.items()):
        shutil.copyfile(source, target)
        return
    with zipfile.ZipFile(source) as pictures, zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as archive:
        for entry in pictures.infolist():
            label, file = entry.filename.split("/", 1)
            archive.writestr(zipfile.ZipInfo(f"{names.get(label, label)}/{file}", entry.date_time), pictures.read(entry))

"""Pictures in one folder a label to begin with: colour stamps, or digits where those cannot be had."""

from __future__ import annotations

import shutil
from pathlib import Path

from engine.assets.fetch import Progress
from engine.assets.quickstart import quickstart_pictures

LABELS_FROM = "folder"


def write_zip(target: Path, assets_dir: Path, on_progress: Progress | None = None) -> None:
    """Writes the zip.

    Raises:
        AssetMissingError: neither set of pictures is in the store or can be had.
    """
    shutil.copyfile(quickstart_pictures(assets_dir, on_progress), target)

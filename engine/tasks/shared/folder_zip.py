"""Writes pictures as a zip that a person might upload: JPEG files, in one folder a label."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable
from pathlib import Path

from PIL import Image

from engine.assets.fetch import Progress
from engine.data.image import Pixels

_JPEG_QUALITY = 90
_ZIP_TIME = (2020, 1, 1, 0, 0, 0)
"""Same pictures, same zip: the platform then recognises it as uploaded already."""


def folder_zip_write(
    target: Path, pictures: Iterable[tuple[str, Pixels]], *, num_pictures: int, on_progress: Progress | None = None
) -> None:
    """Writes the zip, whole or not at all.

    Args:
        target: the zip.
        pictures: path in the zip without its suffix, such as ``nut/01``, and the picture ``_HWC``; taken one by one.
        num_pictures: how many there are.
        on_progress: called with how far it is, 0..1.
    """
    partial = target.with_name(target.name + ".partial")
    with zipfile.ZipFile(partial, "w", zipfile.ZIP_STORED) as archive:
        for number, (path, picture_HWC) in enumerate(pictures, start=1):
            buffer = io.BytesIO()
            Image.fromarray(picture_HWC).save(buffer, "JPEG", quality=_JPEG_QUALITY)
            archive.writestr(zipfile.ZipInfo(f"{path}.jpg", _ZIP_TIME), buffer.getvalue())
            if on_progress is not None:
                on_progress(number / num_pictures)
    partial.replace(target)

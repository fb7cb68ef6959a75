"""Small pictures, kept by blob hash on this host: a cache that can be deleted at any time and fills again when asked."""

from __future__ import annotations

from pathlib import Path

from django.conf import settings

from studio.common.blob_store import partial_file
from studio.common.blobs import blob_checked
from studio.datasets.files.picture import THUMBNAIL_PX, THUMBNAIL_SIZES_PX, picture_read


def thumbnail_read(*, blob: str, size_px: int = THUMBNAIL_PX) -> bytes:
    """The JPEG thumbnail of a picture, made now if it is not there.

    Args:
        blob: hash of a picture that was ingested.
        size_px: wanted longest side; the next larger of ``THUMBNAIL_SIZES_PX`` is given.
    """
    size_px = next((size for size in THUMBNAIL_SIZES_PX if size >= size_px), THUMBNAIL_SIZES_PX[-1])
    try:
        return _path(blob, size_px).read_bytes()
    except FileNotFoundError:
        thumbnail = picture_read(blob_checked(blob).read_bytes(), thumbnail_px=size_px).thumbnail
        thumbnail_keep(blob=blob, thumbnail=thumbnail, size_px=size_px)
        return thumbnail


def thumbnail_keep(*, blob: str, thumbnail: bytes, size_px: int = THUMBNAIL_PX) -> None:
    """Writes a thumbnail so that a reader sees all of it or none."""
    path = _path(blob, size_px)
    with partial_file(path.parent) as partial:
        partial.write_bytes(thumbnail)
        partial.replace(path)


def _path(blob: str, size_px: int) -> Path:
    return settings.CACHE_DIR / "thumbnails" / str(size_px) / blob[:2] / f"{blob}.jpg"

"""Bytes by their SHA-256, and a few named objects; on the file system or on S3, one behaviour.

A blob is written once and never changes, so a copy of it anywhere is as good as the original. Nobody who has done with one
removes it, since somebody else may hold the same bytes: ``studio.jobs.blob_sweep`` finds what nobody holds. ``local_path``
gives a file on this host in both cases, because decoders, memory maps and hard links want files. Django's storage API was
decided against: it names files, and names are what content addressing does away with.
"""

from __future__ import annotations

from functools import cache, lru_cache
from pathlib import Path

from django.conf import settings

from studio.common.blob_store import BlobDamagedError, BlobStore, file_sha256
from studio.common.blobs_file import FileBlobs


@cache
def blobs() -> BlobStore:
    """The store that the environment chose."""
    if settings.BLOBS_S3 is None:
        return FileBlobs(settings.BLOBS_DIR)
    from studio.common.blobs_s3 import S3Blobs  # noqa: PLC0415 - whoever keeps files needs no client of S3

    return S3Blobs(settings.BLOBS_S3, cache_dir=settings.CACHE_DIR / "blobs")


def blob_checked(sha256: str, *, is_often: bool = False) -> Path:
    """A file on this host with a blob's bytes, which are hashed.

    Args:
        sha256: of the blob.
        is_often: it is asked for again and again, as a picture is: hashed once while size and time of the file stay.

    Raises:
        BlobMissingError: it is not there.
        BlobDamagedError: the bytes are others.
    """
    path = blobs().local_path(sha256)
    if is_often:
        seen = path.stat()
        found = _sha256_of(path, seen.st_mtime_ns, seen.st_size)
    else:
        found = file_sha256(path).sha256
    if found != sha256:
        raise BlobDamagedError(sha256)
    return path


@lru_cache(maxsize=20_000)
def _sha256_of(path: Path, _mtime_ns: int, _size: int) -> str:
    return file_sha256(path).sha256

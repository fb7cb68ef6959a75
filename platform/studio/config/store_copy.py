"""Everything in the blob store by its name, wherever the store is: for backups, which take it whole."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol
from urllib.parse import urlsplit

from django.conf import settings
from minio import Minio

FOLDERS = ("blobs", "objects", "aside")


class Store(Protocol):
    """Files by names such as ``blobs/ab/cd/<sha256>``."""

    def names(self) -> Iterator[str]:
        """All of them."""

    def read(self, name: str, path: Path) -> bool:
        """Copies one to ``path``; False where it is gone meanwhile."""

    def write(self, name: str, path: Path) -> None:
        """Puts a file under a name."""


class FileStore:
    """Below a folder."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def names(self) -> Iterator[str]:
        """All files that are whole."""
        for folder in FOLDERS:
            for path in sorted((self._root / folder).rglob("*")):
                if path.is_file() and not path.name.startswith(".partial-"):
                    yield path.relative_to(self._root).as_posix()

    def read(self, name: str, path: Path) -> bool:
        """Copies a file."""
        try:
            shutil.copyfile(self._root / name, path)
        except FileNotFoundError:
            return False
        return True

    def write(self, name: str, path: Path) -> None:
        """Copies a file, all of it or nothing."""
        target = self._root / name
        target.parent.mkdir(parents=True, exist_ok=True)
        partial = target.with_name(f".partial-{target.name}")
        shutil.copyfile(path, partial)
        partial.replace(target)


class BucketStore:
    """In an S3 bucket."""

    def __init__(self, client: Minio, bucket: str) -> None:
        self._client = client
        self._bucket = bucket
        if not client.bucket_exists(bucket):
            client.make_bucket(bucket)

    def names(self) -> Iterator[str]:
        """All objects of ours."""
        for folder in FOLDERS:
            for found in self._client.list_objects(self._bucket, prefix=f"{folder}/", recursive=True):
                yield str(found.object_name)

    def read(self, name: str, path: Path) -> bool:
        """Fetches an object."""
        from minio.error import S3Error  # noqa: PLC0415 - beside its only use

        try:
            self._client.fget_object(self._bucket, name, str(path))
        except S3Error as error:
            if error.code in {"NoSuchKey", "NoSuchObject"}:
                return False
            raise
        return True

    def write(self, name: str, path: Path) -> None:
        """Sends an object."""
        self._client.fput_object(self._bucket, name, str(path))


def store() -> Store:
    """The store that the environment chose."""
    config = settings.BLOBS_S3
    if config is None:
        return FileStore(settings.BLOBS_DIR)
    endpoint = urlsplit(config.endpoint)
    client = Minio(
        endpoint.netloc, access_key=config.access_key, secret_key=config.secret_key, secure=endpoint.scheme == "https"
    )
    return BucketStore(client, config.bucket)

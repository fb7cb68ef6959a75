"""Blobs in an S3 bucket, with a content-addressed cache on this host."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import BinaryIO, Protocol
from urllib.parse import urlsplit

import urllib3
from minio import Minio
from minio.commonconfig import ComposeSource
from minio.error import S3Error

from studio.common.blob_store import (
    BlobDamagedError,
    BlobMissingError,
    BlobRef,
    BlobStoreError,
    blob_subpath,
    file_sha256,
    folder_publish,
    object_subpath,
    partial_file,
    partial_folder,
    spool,
)

TREE_MARK = ".complete"
"""Written last into a tree, so that a tree whose upload broke off is not mistaken for one."""
_GONE = {"NoSuchKey", "NoSuchObject", "NoSuchBucket", "NotFound"}


class S3Bucket(Protocol):
    """What must be known of a bucket."""

    @property
    def endpoint(self) -> str:
        """``http://host:port``."""

    @property
    def bucket(self) -> str:
        """Its name."""

    @property
    def access_key(self) -> str:
        """Public half of the key."""

    @property
    def secret_key(self) -> str:
        """Secret half of the key."""


class S3Blobs:
    """``blobs/ab/cd/<sha256>``, ``aside`` likewise, and ``objects/<key>`` in one bucket."""

    def __init__(self, config: S3Bucket, *, cache_dir: Path) -> None:
        endpoint = urlsplit(config.endpoint)
        # A store that is away must be noticed in seconds, not after minio's own five minutes.
        http = urllib3.PoolManager(
            maxsize=16, timeout=urllib3.Timeout(connect=5, read=60), retries=urllib3.Retry(total=3, backoff_factor=0.2)
        )
        self._client = Minio(
            endpoint.netloc,
            access_key=config.access_key,
            secret_key=config.secret_key,
            secure=endpoint.scheme == "https",
            http_client=http,
        )
        self._bucket = config.bucket
        self._cache = cache_dir
        with _translated(config.bucket):
            self._bucket_make()

    def _bucket_make(self) -> None:
        """Makes the bucket, unless it is there or another process makes it at the same moment."""
        if self._client.bucket_exists(self._bucket):
            return
        try:
            self._client.make_bucket(self._bucket)
        except S3Error:
            if not self._client.bucket_exists(self._bucket):
                raise

    def put_bytes(self, data: bytes) -> BlobRef:
        """Stores bytes."""
        ref = BlobRef(hashlib.sha256(data).hexdigest(), len(data))
        if not self._has(_blob_key(ref.sha256)):
            with _translated(ref.sha256):
                self._client.put_object(self._bucket, _blob_key(ref.sha256), io.BytesIO(data), len(data))
        return ref

    def put_file(self, path: Path, *, move: bool = False) -> BlobRef:
        """Stores a file."""
        ref = file_sha256(path)
        if not self._has(_blob_key(ref.sha256)):
            with _translated(ref.sha256):
                self._client.fput_object(self._bucket, _blob_key(ref.sha256), str(path))
        if move:
            path.unlink()
        return ref

    def put_stream(self, chunks: Iterable[bytes]) -> BlobRef:
        """Stores what an iterator yields; it is spooled first, since its name is known at its end only."""
        with partial_file(self._cache) as partial:
            spool(chunks, partial)
            return self.put_file(partial)

    def open(self, sha256: str) -> BinaryIO:
        """Opens a blob from the cache."""
        return self.local_path(sha256).open("rb")

    def exists(self, sha256: str) -> bool:
        """Whether the blob is there."""
        try:
            self.size(sha256)
        except BlobMissingError:
            return False
        return True

    def size(self, sha256: str) -> int:
        """Its size in bytes."""
        try:
            return self._size(sha256)
        except BlobMissingError as missing:
            # What is set aside stays there until the sweep finds a holder: were it removed here, a sweep that copied it aside
            # again in between would remove the other copy.
            try:
                self._copy(_aside_key(sha256), _blob_key(sha256))
            except BlobMissingError:
                raise missing from None
            return self._size(sha256)

    def walk(self, prefix: str, *, before: datetime, is_aside: bool = False) -> Iterator[str]:
        """Lists the bucket, a page at a time."""
        root = "aside" if is_aside else "blobs"
        with _translated(root):
            for entry in self._client.list_objects(self._bucket, prefix=f"{root}/{prefix}", recursive=True):
                if entry.last_modified is not None and entry.last_modified < before:
                    yield str(entry.object_name).rpartition("/")[2]

    def set_aside(self, sha256: str) -> None:
        """Copies within the store, then removes; a copy counts as new."""
        with suppress(BlobMissingError):
            self._rename(_blob_key(sha256), _aside_key(sha256))

    def restore(self, sha256: str) -> None:
        """Copies back, then removes."""
        with suppress(BlobMissingError):
            self._rename(_aside_key(sha256), _blob_key(sha256))

    def erase(self, sha256: str) -> None:
        """Removes what was set aside, from the cache of this host as well."""
        with _translated(sha256):
            self._client.remove_object(self._bucket, _aside_key(sha256))
        (self._cache / blob_subpath(sha256)).unlink(missing_ok=True)

    def local_path(self, sha256: str) -> Path:
        """A copy in the cache of this host."""
        path = self._cache / blob_subpath(sha256)
        if path.exists():
            return path
        try:
            self._download(_blob_key(sha256), path, sha256=sha256)
        except BlobMissingError:
            self.size(sha256)  # which brings back what is set aside
            self._download(_blob_key(sha256), path, sha256=sha256)
        return path

    def link_root(self) -> Path | None:
        """Blobs are not on this host."""
        return None

    def put_object(self, key: str, path: Path) -> None:
        """Stores a copy under a name."""
        with _translated(key):
            self._client.fput_object(self._bucket, _object_key(key), str(path))

    def get_object(self, key: str) -> Path:
        """A copy in the cache of this host; fetched anew each time its bytes changed."""
        with _translated(key):
            etag = (self._client.stat_object(self._bucket, _object_key(key)).etag or "").strip('"')
        path = self._cache / "objects" / hashlib.sha256(f"{key}\0{etag}".encode()).hexdigest()
        if not path.exists():
            self._download(_object_key(key), path)
        return path

    def put_tree(self, prefix: str, folder: Path) -> None:
        """Stores a folder under a name, file by file, the mark last."""
        root = _object_key(prefix)
        with _translated(prefix):
            if self._has(f"{root}/{TREE_MARK}"):
                return
            for path in sorted(path for path in folder.rglob("*") if path.is_file()):
                self._client.fput_object(self._bucket, f"{root}/{path.relative_to(folder).as_posix()}", str(path))
            self._client.put_object(self._bucket, f"{root}/{TREE_MARK}", io.BytesIO(b""), 0)

    def fetch_tree(self, prefix: str) -> Path:
        """A copy in the cache of this host."""
        root = _object_key(prefix)
        target = self._cache / "trees" / object_subpath(prefix)
        if target.is_dir():
            return target
        with _translated(prefix), partial_folder(self._cache / "trees") as partial:
            keys = {
                str(entry.object_name) for entry in self._client.list_objects(self._bucket, prefix=f"{root}/", recursive=True)
            }
            if f"{root}/{TREE_MARK}" not in keys:
                raise BlobMissingError(f"There is no tree {prefix}.")
            for key in keys - {f"{root}/{TREE_MARK}"}:
                self._download(key, partial / object_subpath(key.removeprefix(f"{root}/")))
            folder_publish(partial, target)
        return target

    def _size(self, sha256: str) -> int:
        with _translated(sha256):
            return int(self._client.stat_object(self._bucket, _blob_key(sha256)).size or 0)

    def _copy(self, key: str, to: str) -> None:
        with _translated(key):
            # In parts where it is larger than what the store copies at once.
            self._client.compose_object(self._bucket, to, [ComposeSource(self._bucket, key)])

    def _rename(self, key: str, to: str) -> None:
        self._copy(key, to)
        with _translated(key):
            self._client.remove_object(self._bucket, key)

    def _has(self, key: str) -> bool:
        try:
            with _translated(key):
                self._client.stat_object(self._bucket, key)
        except BlobMissingError:
            return False
        return True

    def _download(self, key: str, path: Path, *, sha256: str = "") -> None:
        with partial_file(self._cache) as partial, _translated(key):
            response = self._client.get_object(self._bucket, key)
            try:
                found = spool(response.stream(1024 * 1024), partial)
            finally:
                response.close()
                response.release_conn()
            if sha256 not in {"", found.sha256}:
                raise BlobDamagedError(sha256)
            path.parent.mkdir(parents=True, exist_ok=True)
            partial.chmod(0o644)
            partial.replace(path)


def _blob_key(sha256: str) -> str:
    return f"blobs/{blob_subpath(sha256).as_posix()}"


def _aside_key(sha256: str) -> str:
    return f"aside/{blob_subpath(sha256).as_posix()}"


def _object_key(key: str) -> str:
    return f"objects/{object_subpath(key).as_posix()}"


@contextmanager
def _translated(what: str) -> Iterator[None]:
    """Turns the client's errors into ours."""
    try:
        yield
    except S3Error as error:
        if error.code in _GONE:
            raise BlobMissingError(f"There is no {what}.") from error
        raise BlobStoreError(f"The store answered {error.code}.", hint="Run `manage.py doctor`.") from error
    except urllib3.exceptions.HTTPError as error:
        raise BlobStoreError("The store does not answer.", hint="Run `manage.py doctor`.") from error

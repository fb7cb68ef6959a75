"""What is announced and has not come yet: it counts as used, until it has come or seems forgotten."""

from __future__ import annotations

import fcntl
import os
import shutil
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path

from django.db.models import F, Q, QuerySet, Sum
from django.db.models.expressions import CombinedExpression
from django.utils import timezone

from studio.accounts.quotas import Quota, quota_check, quota_kept
from studio.common.blob_store import StorageFullError
from studio.datasets.models import Upload, UploadKind, UploadState

COUNTS_FOR = timedelta(hours=1)
"""How long after its latest part an upload still counts with what has not come: parts of a living one follow within minutes."""
KEPT_FOR = timedelta(days=7)
"""How long an upload that nobody goes on with can be taken up again."""

_QUOTAS = (Quota.STORAGE_BYTES, Quota.ITEMS)
_IS_BATCH = Q(kind=UploadKind.BATCH)


def uploads_counted(uploads: QuerySet[Upload, Upload]) -> QuerySet[Upload, Upload]:
    """Those of which more is expected."""
    return uploads.filter(state=UploadState.RECEIVING, touched_at__gt=timezone.now() - COUNTS_FOR)


def upload_bytes(uploads: QuerySet[Upload, Upload]) -> Counter[str]:
    """What uploads under way take of the storage, by project; what came of batches are items, which count by themselves."""
    counted, receiving = uploads_counted(uploads), uploads.filter(state=UploadState.RECEIVING)
    forgotten = receiving.exclude(_IS_BATCH).filter(touched_at__lte=timezone.now() - COUNTS_FOR)
    found = _sums(counted.exclude(_IS_BATCH), "size_bytes")
    found.update(_sums(uploads.filter(state=UploadState.INGESTING), "size_bytes"))
    found.update(_sums(counted.filter(_IS_BATCH), F("size_bytes") - F("received_bytes")))
    found.update(_sums(forgotten, "received_bytes"))
    return found


def upload_items(uploads: QuerySet[Upload, Upload]) -> int:
    """How many items uploads under way bring at least; batches are counted when they come."""
    under_way = uploads_counted(uploads) | uploads.filter(state=UploadState.INGESTING)
    return under_way.exclude(kind__in=[UploadKind.BATCH, UploadKind.PREDICT]).count()


@contextmanager
def upload_kept(upload: Upload) -> Iterator[None]:
    """A transaction that makes items of an upload; rolled back if they are more than a quota holds.

    Raises:
        StorageQuotaError, ItemsQuotaError: they are.
    """
    with quota_kept(upload.dataset.project.workspace_id, _QUOTAS, lambda: _announced(upload)):
        yield


def upload_check(upload: Upload, expected: Mapping[Quota, int] | None = None) -> None:
    """Looks whether what was made of an upload is within the quotas; whoever made it takes it back otherwise.

    Args:
        upload: which.
        expected: how much of it is still to be made.

    Raises:
        StorageQuotaError, ItemsQuotaError: it is not, or would not be.
    """
    quota_check(upload.dataset.project.workspace_id, _QUOTAS, lambda: _announced(upload), expected)


def _announced(upload: Upload) -> dict[Quota, int]:
    own = Upload.objects.filter(id=upload.id)
    return {Quota.STORAGE_BYTES: upload_bytes(own).total(), Quota.ITEMS: upload_items(own)}


@contextmanager
def space_claimed(folder: Path, size_bytes: int, workspace: str) -> Iterator[None]:
    """Lets what is made inside come into being if there is room beside all that is announced; callers wait for each other.

    An announcement costs nothing, so those of other workspaces together take half of what is free at most: nobody can keep the
    others from uploading. If all of them come after all, a part that finds no space is refused and goes on later.

    Args:
        folder: exists, on the disk that is meant.
        size_bytes: how much is announced.
        workspace: whose it is.

    Raises:
        StorageFullError: the disk has less room.
    """
    lock = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        free_bytes, awaited = shutil.disk_usage(folder).free, _awaited_bytes()
        own_bytes = awaited[workspace]
        awaited_bytes = own_bytes + min(awaited.total() - own_bytes, free_bytes // 2)
        if size_bytes > free_bytes - awaited_bytes:
            raise StorageFullError(
                f"The file has {size_bytes:,} bytes; {free_bytes:,} are free on the server, "
                f"of which {awaited_bytes:,} are for uploads under way.",
                hint="Wait until these have ended, ask whoever runs the server to make room, or send less.",
                extra={"size_bytes": size_bytes, "free_bytes": free_bytes, "awaited_bytes": awaited_bytes},
                params={"context": "announced"},
            )
        yield
    finally:
        os.close(lock)


def _awaited_bytes() -> Counter[str]:
    """By workspace. Of batches nobody knows how much is there already."""
    coming = uploads_counted(Upload.objects.filter(blob="")).exclude(_IS_BATCH)
    sums = coming.values_list("dataset__project__workspace").annotate(sum=Sum(F("size_bytes") - F("received_bytes")))
    return Counter(dict(sums))


def uploads_forgotten(now: datetime) -> QuerySet[Upload, Upload]:
    """Uploads that nobody went on with for ``KEPT_FOR``."""
    return Upload.objects.filter(state=UploadState.RECEIVING, touched_at__lt=now - KEPT_FOR)


def _sums(uploads: QuerySet[Upload, Upload], counted: str | CombinedExpression) -> Counter[str]:
    """By project."""
    return Counter(dict(uploads.values_list("dataset__project").annotate(sum=Sum(counted))))

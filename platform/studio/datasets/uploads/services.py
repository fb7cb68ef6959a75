"""Uploads in parts, several at a time, taken up again after any interruption on either side.

The parts lie in a file on this host while they come in. The row says how many bytes from the start are sure; a part that came
ahead of its turn is noted in a folder beside the file until those before it have come. What a crash left in the file and nobody
noted is written over. A complete upload goes to the blob store, where any worker finds it.
"""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from datetime import datetime
from io import RawIOBase
from pathlib import Path

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from automl.contracts.words import Words
from studio.accounts.access import Principal
from studio.accounts.quotas import Quota, quota_claimed
from studio.common.blob_store import space_needed
from studio.common.blobs import blobs
from studio.datasets.files.limits import MAX_PART_BYTES
from studio.datasets.files.safe_names import NameRefusedError, name_clean, name_show
from studio.datasets.files.table_options import TableOptions
from studio.datasets.items.announced import space_claimed, uploads_forgotten
from studio.datasets.models import Dataset, Upload, UploadKind, UploadState
from studio.datasets.uploads.errors import (
    PartTooLargeError,
    UploadChecksumError,
    UploadEndedError,
    UploadIncompleteError,
    UploadKeptError,
    UploadOffsetMismatchError,
)
from studio.datasets.uploads.table_preview import options_check
from studio.jobs.models import Job
from studio.jobs.services import job_submit_once

words = Words(__file__)


def upload_create(
    *,
    dataset: Dataset,
    actor: Principal,
    name: str,
    size_bytes: int,
    kind: str,
    relative_path: str = "",
    label: str = "",
    sha256: str = "",
) -> Upload:
    """Announces a file.

    Raises:
        StorageQuotaError, ItemsQuotaError: it exceeds a quota of the workspace.
        StorageFullError: the disk that its parts would go to has too little space beside those that are announced.
    """
    workspace = dataset.project.workspace_id
    is_batch = kind == UploadKind.BATCH  # of which nobody knows yet how much is there already
    space = nullcontext() if is_batch else space_claimed(_uploads_folder(), size_bytes, workspace)
    with space, quota_claimed(workspace, {Quota.STORAGE_BYTES: size_bytes, Quota.ITEMS: 1}):
        return Upload.objects.create(
            dataset=dataset,
            created_by=actor.id,
            name=_printable(name),
            size_bytes=size_bytes,
            kind=UploadKind(kind),
            relative_path=_printable(relative_path) if relative_path else "",
            label=label.strip(),
            sha256=sha256,
        )


def upload_append(*, upload: Upload, offset: int, chunks: Iterable[bytes]) -> Upload:
    """Writes a part at ``offset``; what came before a connection broke counts. Parts may come in any order and side by side.

    Raises:
        UploadEndedError: the upload takes no more bytes.
        UploadOffsetMismatchError: the bytes at ``offset`` are there already; the error says where to go on.
        PartTooLargeError: more bytes than the file was announced with, or than one part may have.
        StorageFullError: the disk is full; what came before it was counts.
    """
    if upload.blob or upload.kind == UploadKind.BATCH:
        raise UploadEndedError(state=upload.state)  # before the lock, which would make the file anew
    with _locked(upload, is_shared=True) as path:
        upload = Upload.objects.get(id=upload.id)
        if upload.blob:
            raise UploadEndedError(state=upload.state)
        if not upload.received_bytes <= offset <= upload.size_bytes:
            raise UploadOffsetMismatchError(received_bytes=upload.received_bytes)
        limit_bytes = min(upload.size_bytes - offset, MAX_PART_BYTES)
        received = 0
        try:
            # Unbuffered: what is counted as received is written.
            with space_needed(), path.open("r+b", buffering=0) as file:
                file.seek(offset)
                for chunk in chunks:
                    if received + len(chunk) > limit_bytes:
                        received = 0  # a client that does not know its file's size is not believed in part
                        raise PartTooLargeError(limit_bytes=limit_bytes)
                    _write(file, chunk)
                    received += len(chunk)
        finally:
            upload.received_bytes = _part_note(upload, offset, offset + received)
    return upload


def _write(file: RawIOBase, chunk: bytes) -> None:
    """All of it: a disk that gets full takes a part first and refuses then."""
    left = memoryview(chunk)
    while left:
        left = left[file.write(left) or 0 :]


def _part_note(upload: Upload, start: int, end: int) -> int:
    """Notes that the bytes from ``start`` to ``end`` are written; returns how many are sure from the beginning on."""
    folder = _notes_path(upload)
    with transaction.atomic():
        row = Upload.objects.select_for_update().get(id=upload.id)
        sure = row.received_bytes
        touched_at = timezone.now() if end > start else row.touched_at
        if start > sure:
            if end > start:
                folder.mkdir(exist_ok=True)
                (folder / f"{start}-{end}").touch()
            Upload.objects.filter(id=upload.id).update(touched_at=touched_at)
            return sure
        sure = max(sure, end)
        noted = sorted(tuple(map(int, note.name.split("-"))) for note in folder.iterdir()) if folder.is_dir() else []
        for first, last in noted:
            if first <= sure:
                sure = max(sure, last)
        Upload.objects.filter(id=upload.id).update(received_bytes=sure, touched_at=touched_at)
    return sure


def upload_seal(*, upload: Upload, labels: str, table: TableOptions | None = None) -> Upload:
    """Closes a complete upload and hands its bytes to the blob store. Repeating it is harmless.

    Raises:
        TableOptionsMisplacedError: something is said of a table that means nothing to the file.
        UploadIncompleteError: bytes are missing.
        UploadChecksumError: the bytes are not those that the client announced.
        UploadEndedError: it has been read already.
    """
    with _locked(upload) as path:
        upload = Upload.objects.select_related("dataset__project").get(id=upload.id)
        if upload.state == UploadState.DONE:
            raise UploadEndedError(state=upload.state)
        if upload.received_bytes != upload.size_bytes:
            raise UploadIncompleteError(received_bytes=upload.received_bytes, size_bytes=upload.size_bytes)
        if table is not None:
            options_check(dataset=upload.dataset, name=upload.relative_path or upload.name, kind=upload.kind, options=table)
        if not upload.blob:
            # A crash may have left bytes behind the sure ones.
            with path.open("r+b") as file:
                file.truncate(upload.size_bytes)
            upload.blob = _stored(path)
            if upload.sha256 not in {"", upload.blob}:
                path.unlink()  # it may be the blob's own file
                shutil.rmtree(_notes_path(upload), ignore_errors=True)
                Upload.objects.filter(id=upload.id).update(received_bytes=0)
                raise UploadChecksumError
        upload.labels = labels
        upload.table_options = {} if table is None else table.model_dump(exclude_none=True)
        upload.state = UploadState.INGESTING
        upload.save(update_fields=["blob", "labels", "table_options", "state"])
        path.unlink(missing_ok=True)
        shutil.rmtree(_notes_path(upload), ignore_errors=True)
    return upload


def upload_finish(*, upload: Upload, labels: str, table: TableOptions | None = None) -> tuple[Upload, Job | None]:
    """Seals an upload and queues the job that reads it. Asking again gives the same job, unless that one failed.

    An upload of batches has been read already, and one for a batch prediction is read by that: they are closed without a job.

    Args:
        upload: all of its bytes have come.
        labels: where its labels come from.
        table: how a person says that its tables are read.

    Raises:
        UploadIncompleteError, UploadChecksumError, UploadEndedError, TableOptionsMisplacedError: as ``upload_seal``.
    """
    if upload.kind == UploadKind.BATCH:
        changes = {"state": UploadState.DONE, "ended_at": timezone.now()}
        Upload.objects.filter(id=upload.id, state=UploadState.RECEIVING).update(**changes)
        upload.refresh_from_db()
        return upload, None
    upload = upload_seal(upload=upload, labels=labels, table=table)
    if upload.kind == UploadKind.PREDICT:
        return upload, None
    dataset = upload.dataset
    with transaction.atomic():
        job, _ = job_submit_once(
            workspace=dataset.project.workspace_id,
            project=dataset.project_id,
            kind="ingest",
            title=words("job.ingest", name=upload.name),
            subject=upload.id,
            payload={"upload": upload.id},
        )
        Upload.objects.filter(id=upload.id).update(job=job)
        upload.job_id = job.id
    return upload, job


def upload_release(*, upload: Upload) -> None:
    """Lets go of the bytes of an upload; those in the store go when nothing else holds them."""
    _part_path(upload).unlink(missing_ok=True)
    shutil.rmtree(_notes_path(upload), ignore_errors=True)
    Upload.objects.filter(id=upload.id).update(state=UploadState.DONE)


def upload_delete(*, upload: Upload) -> None:
    """Forgets an upload of which nothing came.

    Raises:
        UploadEndedError: a job is reading it.
        UploadKeptError: items came of it, and lead back to whoever sent them through it.
    """
    with _locked(upload):
        upload = Upload.objects.get(id=upload.id)
        if upload.state == UploadState.INGESTING:
            raise UploadEndedError(state=upload.state)
        if upload.num_items:
            raise UploadKeptError
        upload_release(upload=upload)
        upload.delete()


def uploads_prune(now: datetime) -> None:
    """Lets go of uploads that nobody goes on with. One of batches that brought items is closed: items lead back to it."""
    for upload in uploads_forgotten(now):
        if upload.kind == UploadKind.BATCH and upload.num_items:
            upload_finish(upload=upload, labels=upload.labels)
        else:
            with suppress(UploadEndedError, UploadKeptError):  # somebody went on with it after all
                upload_delete(upload=upload)


def _stored(path: Path) -> str:
    """Puts a file into the store without copying it where that can be; the file stays until the row knows its hash."""
    link = path.with_name(f"{path.name}.sealed")
    link.unlink(missing_ok=True)
    os.link(path, link)
    return blobs().put_file(link, move=True).sha256


def _printable(name: str) -> str:
    try:
        return name_clean(name)
    except NameRefusedError:
        return name_show(name.replace("/", "_"))


def _uploads_folder() -> Path:
    folder = Path(settings.HOME) / "uploads"
    with space_needed():
        folder.mkdir(parents=True, exist_ok=True)
    return folder


def _part_path(upload: Upload) -> Path:
    return Path(settings.HOME) / "uploads" / str(upload.id)


def _notes_path(upload: Upload) -> Path:
    return _part_path(upload).with_suffix(".parts")


@contextmanager
def _locked(upload: Upload, *, is_shared: bool = False) -> Iterator[Path]:
    """Parts are written side by side; closing waits for them and keeps others out, over all processes of this host."""
    path = _uploads_folder() / str(upload.id)
    with space_needed():
        handle = path.open("ab")
    with handle:
        fcntl.flock(handle, fcntl.LOCK_SH if is_shared else fcntl.LOCK_EX)
        yield path

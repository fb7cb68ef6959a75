"""Many small files in one request: decoded at while the request waits, so a dropped folder shows its pictures at once.

A folder of many batches is one upload: it is announced first, each batch names it, and finishing it closes it. A batch is one
transaction with its counts, so a client that never got the answer may send it again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from django.db import transaction
from django.utils import timezone

from studio.accounts.access import Principal
from studio.accounts.quotas import Quota, quota_claimed
from studio.datasets.files.limits import MAX_BATCH_BYTES
from studio.datasets.files.safe_names import NameRefusedError, is_noise, name_clean, name_show
from studio.datasets.items.annotations import labels_named
from studio.datasets.items.creation import IngestResult, items_write
from studio.datasets.items.incoming import IncomingFile
from studio.datasets.items.kinds import kind_of
from studio.datasets.items.label_set import labels_extend, takes_several
from studio.datasets.items.upload_order import batch_place
from studio.datasets.models import Dataset, LabelSource, Reject, Upload, UploadKind, UploadState
from studio.datasets.uploads.entries import file_annotations
from studio.datasets.uploads.errors import BatchInvalidError, UploadEndedError


class _Readable(Protocol):
    @property
    def size(self) -> int | None: ...

    def read(self) -> bytes: ...


@dataclass(frozen=True)
class BatchFile:
    """A file of the request under the path that the person knows."""

    path: str
    file: _Readable


def batch_ingest(
    *,
    dataset: Dataset,
    actor: Principal,
    files: Sequence[BatchFile],
    labels: LabelSource,
    into: Upload | None = None,
    first: int | None = None,
) -> tuple[Upload, list[IngestResult]]:
    """Makes items of all files that can be read; answers in the order given, an operating system's litter left out.

    Args:
        dataset: where to.
        actor: who sends them.
        files: what came in the request.
        labels: whether the first folder of a path is its label.
        into: the announced upload that the batch is a part of; None makes the batch an upload of its own.
        first: place of the first file among all that ``into`` is to have; None: items stand in the order of their arrival.

    Raises:
        BatchInvalidError: the batch is larger than ``MAX_BATCH_BYTES``, or ``into`` is not an upload of batches.
        UploadEndedError: ``into`` is closed.
    """
    files = [one for one in files if not is_noise(one.path)]
    size_bytes = sum(one.file.size or 0 for one in files)
    if size_bytes > MAX_BATCH_BYTES:
        hint = "Send fewer files in one request, or upload in parts."
        raise BatchInvalidError(f"{size_bytes} bytes in one request.", hint=hint)
    if into is not None and into.kind != UploadKind.BATCH:
        raise BatchInvalidError("The upload takes parts, not batches.", hint="Announce an upload of the kind `batch`.")
    upload = into or _own_upload(dataset, actor, files, size_bytes)
    upload.labels = labels
    refused, incoming = _named(upload, files)
    decoded = kind_of(dataset.project).decode(dataset, list(incoming.values()))
    amounts = {Quota.STORAGE_BYTES: size_bytes if into is None else 0, Quota.ITEMS: len(incoming)}
    with quota_claimed(dataset.project.workspace_id, amounts), transaction.atomic():
        if into is None:
            upload.save(force_insert=True)
        else:
            _receiving(upload)
        written = items_write(
            dataset=dataset,
            upload=upload,
            files=list(incoming.values()),
            decoded=decoded,
            takes_several=takes_several(dataset.project),
            place=None if first is None else batch_place(upload, first),
        )
        results = refused | dict(zip(incoming, written, strict=True))
        ordered = [results[index] for index in range(len(files))]
        labelled = [file.annotations for file, result in zip(incoming.values(), written, strict=True) if result.is_labelled]
        labels_extend(project=dataset.project, names=labels_named(labelled))
        _count(upload, ordered, size_bytes)
        if into is None:
            upload.state, upload.ended_at = UploadState.DONE, timezone.now()
        upload.save()
    return upload, ordered


def _own_upload(dataset: Dataset, actor: Principal, files: Sequence[BatchFile], size_bytes: int) -> Upload:
    return Upload(
        dataset=dataset, created_by=actor.id, name=f"{len(files)} files", kind=UploadKind.BATCH, size_bytes=size_bytes
    )


def _named(upload: Upload, files: Sequence[BatchFile]) -> tuple[dict[int, IngestResult], dict[int, IncomingFile]]:
    """The files whose names are refused and the others, each by its place."""
    refused: dict[int, IngestResult] = {}
    incoming: dict[int, IncomingFile] = {}
    for index, one in enumerate(files):
        try:
            name = name_clean(one.path)
        except NameRefusedError as error:
            refused[index] = IngestResult(name_show(one.path), "unreadable", code=error.code)
            continue
        incoming[index] = IncomingFile(name, one.file.read(), file_annotations(upload=upload, name=name))
    return refused, incoming


def _receiving(upload: Upload) -> None:
    """Holds the upload's row, whose counts several batches add to at the same time."""
    labels = upload.labels
    upload.refresh_from_db(from_queryset=Upload.objects.select_for_update())
    if upload.state != UploadState.RECEIVING:
        raise UploadEndedError(state=upload.state)
    upload.labels = labels


def _count(upload: Upload, results: Sequence[IngestResult], size_bytes: int) -> None:
    """Adds a batch to what the upload has brought; one that is sent a second time adds no items and no refusals."""
    rejected = {(name_show(one.name), one.code) for one in results if one.code is not None}
    known = set(Reject.objects.filter(upload=upload, name__in=[name for name, _ in rejected]).values_list("name", "code"))
    Reject.objects.bulk_create([Reject(upload=upload, name=name, code=code) for name, code in sorted(rejected - known)])
    upload.touched_at = timezone.now()
    upload.received_bytes = min(upload.received_bytes + size_bytes, upload.size_bytes)
    upload.num_items += sum(one.is_created for one in results)
    upload.num_duplicates += sum(one.state == "duplicate" for one in results)
    upload.num_labelled += sum(one.is_labelled for one in results)

"""Many small files in one request: looked at while the request waits, so a dropped folder shows its pictures at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from django.utils import timezone

from studio.accounts.access import Principal
from studio.datasets.annotations import labels_named
from studio.datasets.errors import BatchInvalidError
from studio.datasets.ingest import file_said
from studio.datasets.items import Incoming, Ingested, item_ingest
from studio.datasets.label_set import labels_extend, takes_several
from studio.datasets.limits import MAX_BATCH_BYTES
from studio.datasets.models import Dataset, LabelSource, Reject, Upload, UploadKind, UploadState
from studio.datasets.naming import NameRefusedError, is_noise, name_clean, name_show


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
    *, dataset: Dataset, actor: Principal, files: Sequence[BatchFile], labels: LabelSource
) -> tuple[Upload, list[Ingested]]:
    """Makes items of all files that can be read; answers in the order given, an operating system's litter left out.

    Raises:
        BatchInvalidError: the batch is empty or larger than ``MAX_BATCH_BYTES``.
    """
    files = [one for one in files if not is_noise(one.path)]
    size_bytes = sum(one.file.size or 0 for one in files)
    if size_bytes > MAX_BATCH_BYTES:
        hint = "Send fewer files in one request, or upload in parts."
        raise BatchInvalidError(f"{size_bytes} bytes in one request.", hint=hint)
    upload = Upload.objects.create(
        dataset=dataset,
        created_by=actor.id,
        name=f"{len(files)} files",
        kind=UploadKind.BATCH,
        labels=labels,
        size_bytes=size_bytes,
        received_bytes=size_bytes,
    )
    refused: dict[int, Ingested] = {}
    incoming: dict[int, Incoming] = {}
    for index, one in enumerate(files):
        try:
            name = name_clean(one.path)
        except NameRefusedError as error:
            refused[index] = Ingested(name_show(one.path), "unreadable", code=error.code)
            continue
        incoming[index] = Incoming(name, one.file.read(), file_said(upload=upload, name=name))
    taken = item_ingest(
        dataset=dataset, upload=upload, files=list(incoming.values()), takes_several=takes_several(dataset.project)
    )
    results = refused | dict(zip(incoming, taken, strict=True))
    ordered = [results[index] for index in range(len(files))]
    labelled = [file.said for file, result in zip(incoming.values(), taken, strict=True) if result.is_labelled]
    labels_extend(project=dataset.project, names=labels_named(labelled))
    _close(upload, ordered)
    return upload, ordered


def _close(upload: Upload, results: Sequence[Ingested]) -> None:
    rejects = [Reject(upload=upload, name=one.name, code=one.code) for one in results if one.code is not None]
    Reject.objects.bulk_create(rejects)
    upload.state = UploadState.DONE
    upload.ended_at = timezone.now()
    upload.num_items = sum(one.state == "new" for one in results)
    upload.num_duplicates = sum(one.state == "duplicate" for one in results)
    upload.num_labelled = sum(one.is_labelled for one in results)
    upload.save()

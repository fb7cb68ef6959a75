"""Turns uploads into the schemas of the API."""

from __future__ import annotations

from collections.abc import Sequence

from studio.accounts.schemas import ActorOut, actors_out
from studio.datasets.files.limits import PART_BYTES
from studio.datasets.files.reasons import NOTES, REASONS
from studio.datasets.files.table_options import TableOptions
from studio.datasets.items.creation import IngestResult
from studio.datasets.models import Reject, Upload, UploadKind, UploadState
from studio.datasets.uploads.schemas import BatchFileOut, RejectOut, UploadOut


def upload_out(upload: Upload) -> UploadOut:
    """An upload."""
    return uploads_out([upload])[0]


def uploads_out(uploads: Sequence[Upload]) -> list[UploadOut]:
    """Uploads, their senders named with two queries for all."""
    actors = actors_out({upload.created_by for upload in uploads})
    return [_upload_out(upload, actors[upload.created_by]) for upload in uploads]


def _upload_out(upload: Upload, created_by: ActorOut) -> UploadOut:
    """The refused files are counted when the row was not read with their number."""
    num_rejected, num_noted = getattr(upload, "num_rejected", None), getattr(upload, "num_noted", 0)
    return UploadOut(
        id=upload.id,
        dataset=upload.dataset_id,
        name=upload.name,
        kind=UploadKind(upload.kind),
        state=UploadState(upload.state),
        size_bytes=upload.size_bytes,
        received_bytes=upload.received_bytes,
        part_bytes=PART_BYTES,
        relative_path=upload.relative_path,
        label=upload.label or None,
        labels=upload.labels,
        table=TableOptions.model_validate(upload.table_options) if upload.table_options else None,
        job=upload.job_id,
        num_items=upload.num_items,
        num_duplicates=upload.num_duplicates,
        num_labelled=upload.num_labelled,
        num_rejected=Reject.objects.filter(upload=upload).count() if num_rejected is None else num_rejected,
        num_noted=num_noted,
        sha256=upload.sha256 or None,
        created_at=upload.created_at,
        created_by=created_by,
        ended_at=upload.ended_at,
    )


def reject_out(reject: Reject) -> RejectOut:
    """A refused file with its reason in words."""
    return RejectOut(name=reject.name, code=reject.code, reason=REASONS[reject.code], is_note=reject.code in NOTES)


def batch_file_out(result: IngestResult) -> BatchFileOut:
    """What became of one file of a batch."""
    reason = None if result.code is None else REASONS[result.code]
    return BatchFileOut(path=result.name, item=result.item, state=result.state, code=result.code, reason=reason)

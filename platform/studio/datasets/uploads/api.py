"""HTTP endpoints of uploads: one large file in parts, or many small files in one request."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from django.http import HttpRequest
from ninja import File, Form, Query, Router, Schema, Status, UploadedFile
from pydantic import Field, TypeAdapter, ValidationError

from studio.accounts.access import principal_of
from studio.accounts.rates import Rate, rate_check
from studio.common.paging import PageOut, PageQuery, page_of
from studio.datasets.items.http import dataset_for
from studio.datasets.items.upload_order import MOST_PLACE
from studio.datasets.models import LabelSource, Reject
from studio.datasets.uploads import selectors, services
from studio.datasets.uploads.batch import BatchFile, batch_ingest
from studio.datasets.uploads.errors import BatchInvalidError
from studio.datasets.uploads.existing_files import AnnouncedFile, files_known
from studio.datasets.uploads.http import upload_for
from studio.datasets.uploads.present import batch_file_out, reject_out, upload_out, uploads_out
from studio.datasets.uploads.schemas import (
    BatchOut,
    KnownIn,
    KnownOut,
    RejectOut,
    TablePreviewOut,
    TablePreviewQuery,
    UploadFinishIn,
    UploadIn,
    UploadOut,
)
from studio.datasets.uploads.table_preview import cells_cut, table_preview
from studio.jobs.schemas import JobOut, job_out

router = Router(tags=["datasets"])

_CHUNK_BYTES = 2**20
_Paths: TypeAdapter[list[str]] = TypeAdapter(list[str])


class BatchQuery(Schema):
    """What a batch of files belongs to."""

    labels: Literal["folder", "none"] = "none"
    upload: str | None = None
    first: Annotated[int, Field(ge=0, lt=MOST_PLACE)] | None = None


class UploadFinishOut(Schema):
    """The upload and the job that reads it; batches have been read already."""

    upload: UploadOut
    job: JobOut | None


@router.post("/datasets/{dataset}/uploads", response={201: UploadOut}, operation_id="upload_start")
def upload_start(request: HttpRequest, dataset: str, body: UploadIn) -> Status[UploadOut]:
    """Announces a file."""
    found = dataset_for(request, "data.write", dataset)
    rate_check(request, Rate.UPLOADS)
    made = services.upload_create(
        dataset=found,
        actor=principal_of(request),
        name=body.name,
        size_bytes=body.size_bytes,
        kind=body.kind,
        relative_path=body.relative_path,
        label=body.label or "",
        sha256=body.sha256 or "",
    )
    return Status(201, upload_out(made))


@router.post("/datasets/{dataset}/uploads/batch", response=BatchOut, operation_id="upload_batch")
def upload_batch(
    request: HttpRequest,
    dataset: str,
    files: File[list[UploadedFile]],
    query: Query[BatchQuery],
    paths: Form[str] = "[]",
) -> BatchOut:
    """Takes many small files at once: `paths` is a JSON list with one relative path a file.

    With `labels=folder` the first folder of a path becomes the label. `upload` names an announced upload of the kind `batch`
    that the files are a part of; sending a batch again is harmless. `first` is the place of the batch's first file among all of
    the upload, from 0: batches may be sent side by side, and the items stand in that order.
    """
    found = dataset_for(request, "data.write", dataset)
    into = upload_for(request, "data.write", dataset, query.upload) if query.upload else None
    if into is None:
        rate_check(request, Rate.UPLOADS)
    named = [BatchFile(path, file) for path, file in zip(_paths(paths, files), files, strict=True)]
    made, results = batch_ingest(
        dataset=found,
        actor=principal_of(request),
        files=named,
        labels=LabelSource(query.labels),
        into=into,
        first=query.first if into is not None else None,
    )
    return BatchOut(upload=made.id, items=[batch_file_out(result) for result in results])


@router.post("/datasets/{dataset}/uploads/known", response=KnownOut, operation_id="upload_known")
def upload_known(request: HttpRequest, dataset: str, body: KnownIn) -> KnownOut:
    """Says which files would bring nothing new, so that an upload that was broken off sends the rest only."""
    found = dataset_for(request, "data.write", dataset)
    files = [AnnouncedFile(one.path, one.sha256) for one in body.files]
    return KnownOut(known=files_known(found, files, labels=LabelSource(body.labels)))


@router.post("/datasets/{dataset}/uploads/table-preview", response=TablePreviewOut, operation_id="table_preview")
def preview(request: HttpRequest, dataset: str, query: Query[TablePreviewQuery]) -> TablePreviewOut:
    """Shows how a table would be read, by the request's raw bytes: the file, or its beginning. Nothing is kept.

    Of Excel, Parquet and JSON the whole file is needed, 16 MiB at most. What is to be read otherwise is said when the upload is
    finished, in `table`.
    """
    found = dataset_for(request, "data.write", dataset)
    shown, offered = table_preview(
        dataset=found, name=query.name, data=request.body, is_whole=query.is_whole, options=query.options()
    )
    return TablePreviewOut(
        options=shown.options,
        offered=sorted(offered),
        sheets=list(shown.sheets),
        columns=cells_cut(shown.columns),
        rows=[cells_cut(row) for row in shown.rows],
        is_fit=shown.is_fit,
        metadata=list(shown.metadata),
    )


def _paths(text: str, files: list[UploadedFile]) -> list[str]:
    try:
        paths = _Paths.validate_json(text)
    except ValidationError:
        raise BatchInvalidError("`paths` is no JSON list of texts.", fields={"paths": ["not a JSON list of texts"]}) from None
    names = paths or [file.name or "" for file in files]
    if len(names) != len(files):
        message = f"{len(names)} paths for {len(files)} files."
        raise BatchInvalidError(message, hint="Send one path a file, in the same order.", fields={"paths": [message]})
    return names


@router.get("/datasets/{dataset}/uploads", response=PageOut[UploadOut], operation_id="upload_list")
def upload_list(request: HttpRequest, dataset: str, page: Query[PageQuery]) -> PageOut[UploadOut]:
    """Uploads, newest first."""
    found = selectors.upload_page(dataset_for(request, "data.read", dataset), cursor=page.cursor, limit=page.limit)
    return PageOut(items=uploads_out(found.items), next_cursor=found.next_cursor)


@router.get("/datasets/{dataset}/uploads/{upload}", response=UploadOut, operation_id="upload_read")
def upload_read(request: HttpRequest, dataset: str, upload: str) -> UploadOut:
    """How far an upload is: after an interruption go on at `received_bytes`."""
    return upload_out(upload_for(request, "data.read", dataset, upload))


@router.put("/datasets/{dataset}/uploads/{upload}/parts", response=UploadOut, operation_id="upload_part")
def upload_part(request: HttpRequest, dataset: str, upload: str, offset: int) -> UploadOut:
    """Writes the request's raw bytes at `offset`; several parts may be under way at once, in any order."""
    found = upload_for(request, "data.write", dataset, upload)
    return upload_out(services.upload_append(upload=found, offset=offset, chunks=_chunks(request)))


@router.post("/datasets/{dataset}/uploads/{upload}/finish", response={202: UploadFinishOut}, operation_id="upload_end")
def upload_end(request: HttpRequest, dataset: str, upload: str, body: UploadFinishIn) -> Status[UploadFinishOut]:
    """Closes a complete upload and starts reading it; ends an upload of batches."""
    found = upload_for(request, "data.write", dataset, upload)
    sealed, job = services.upload_finish(upload=found, labels=body.labels, table=body.table)
    return Status(202, UploadFinishOut(upload=upload_out(sealed), job=job_out(job) if job else None))


@router.delete("/datasets/{dataset}/uploads/{upload}", response={204: None}, operation_id="upload_drop")
def upload_drop(request: HttpRequest, dataset: str, upload: str) -> Status[None]:
    """Deletes an upload; the items that came from it stay."""
    services.upload_delete(upload=upload_for(request, "data.write", dataset, upload))
    return Status(204, None)


@router.get("/datasets/{dataset}/uploads/{upload}/rejects", response=PageOut[RejectOut], operation_id="upload_rejects")
def upload_rejects(request: HttpRequest, dataset: str, upload: str, page: Query[PageQuery]) -> PageOut[RejectOut]:
    """Files that did not become items, with the reason."""
    rows = Reject.objects.filter(upload=upload_for(request, "data.read", dataset, upload))
    found = page_of(rows, cursor=page.cursor, limit=page.limit, order="id")
    return PageOut(items=[reject_out(reject) for reject in found.items], next_cursor=found.next_cursor)


def _chunks(request: HttpRequest) -> Iterator[bytes]:
    while chunk := request.read(_CHUNK_BYTES):
        yield chunk

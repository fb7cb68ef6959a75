"""HTTP endpoints of project archives."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils.http import content_disposition_header
from ninja import Router, Schema, Status

from labeling.transfer import services
from labeling.transfer.errors import ArchiveMissingError
from studio.accounts.access import principal_of
from studio.accounts.downloads import download_record
from studio.common.blob_store import CHUNK_BYTES
from studio.common.blobs import blobs
from studio.datasets.uploads.http import upload_for
from studio.jobs.schemas import JobOut, job_out
from studio.projects.access import project_for

router = Router(tags=["projects"])

_RANGE = re.compile(r"bytes=(\d+)-(\d*)")


class ArchiveJobOut(Schema):
    """The job that makes an archive."""

    job: JobOut


class ArchiveOut(Schema):
    """The latest archive of a project."""

    size_bytes: int
    num_items: int
    num_versions: int
    made_at: datetime


class ArchiveLastOut(Schema):
    """The latest archive of a project, if one was made."""

    last: ArchiveOut | None


class ArchiveImportIn(Schema):
    """An uploaded archive: the dataset of the project that took it, and the upload."""

    dataset: str
    upload: str


class ArchiveImportOut(Schema):
    """The project that comes of it, and the job that fills it."""

    project: str
    job: JobOut


@router.post("/labeling/archives/{project_id}", response={202: ArchiveJobOut}, operation_id="archive_export")
def archive_export(request: HttpRequest, project_id: str) -> Status[ArchiveJobOut]:
    """Makes an archive of the whole project: pictures, labels with their history, people's names, reviews, versions."""
    project = project_for(request, project_id, "project.write")
    return Status(202, ArchiveJobOut(job=job_out(services.archive_export(project=project, actor=principal_of(request)))))


@router.get("/labeling/archives/{project_id}", response=ArchiveLastOut, operation_id="archive_last")
def archive_last(request: HttpRequest, project_id: str) -> ArchiveLastOut:
    """The latest archive."""
    project = project_for(request, project_id, "project.write")
    try:
        job = services.archive_last(project)
    except ArchiveMissingError:
        return ArchiveLastOut(last=None)
    facts = {name: job.payload[name] for name in ("size_bytes", "num_items", "num_versions")}
    return ArchiveLastOut(last=ArchiveOut(**facts, made_at=job.ended_at or job.created_at))


@router.get("/labeling/archives/{project_id}/download", response={200: bytes, 206: bytes}, operation_id="archive_download")
def archive_download(request: HttpRequest, project_id: str) -> HttpResponseBase:
    """The latest archive; with a `Range` an interrupted download continues."""
    project = project_for(request, project_id, "project.write")
    last = services.archive_last(project)
    path = blobs().get_object(services.archive_key(project))
    size_bytes = path.stat().st_size
    byte_range = _RANGE.fullmatch(request.headers.get("Range", ""))
    start = int(byte_range[1]) if byte_range else 0
    end = min(int(byte_range[2]) + 1, size_bytes) if byte_range and byte_range[2] else size_bytes
    if start >= end and size_bytes:
        return HttpResponse(status=416, headers={"Content-Range": f"bytes */{size_bytes}"})
    response = StreamingHttpResponse(_part(path, start, end), status=206 if byte_range else 200, content_type="application/zip")
    response["Content-Length"] = str(end - start)
    response["Accept-Ranges"] = "bytes"
    if byte_range:
        response["Content-Range"] = f"bytes {start}-{end - 1}/{size_bytes}"
    name = re.sub(r"[^\w.-]+", "-", project.name).strip(".-") or project.id
    day = (last.ended_at or last.created_at).date()
    disposition = content_disposition_header(as_attachment=True, filename=f"{name}-{day}.zip")
    if disposition:
        response["Content-Disposition"] = disposition
    download_record(
        request,
        "archive.downloaded",
        workspace=project.workspace_id,
        project=project.id,
        subject=project.id,
        detail={"archive": last.id},
    )
    return response


@router.post("/labeling/archives", response={202: ArchiveImportOut}, operation_id="archive_import")
def archive_import(request: HttpRequest, body: ArchiveImportIn) -> Status[ArchiveImportOut]:
    """Restores a project from an archive that was uploaded in parts to a new, empty project, which is deleted afterwards."""
    upload = upload_for(request, "project.write", body.dataset, body.upload)
    project, job = services.archive_import(upload=upload, actor=principal_of(request))
    return Status(202, ArchiveImportOut(project=project.id, job=job_out(job)))


def _part(path: Path, start: int, end: int) -> Iterator[bytes]:
    with path.open("rb") as file:
        file.seek(start)
        while start < end:
            chunk = file.read(min(CHUNK_BYTES, end - start))
            if not chunk:
                return
            start += len(chunk)
            yield chunk

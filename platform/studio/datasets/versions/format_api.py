"""HTTP endpoints of formats: which there are, what each would lose of a version, and the download."""

from __future__ import annotations

import re
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from ninja import Router, Schema

from automl.contracts.annotation import AnnotationKind
from automl.contracts.base import Text
from automl.contracts.modality import Modality
from engine.tasks import task_spec
from studio.accounts.downloads import download_record
from studio.common.blobs import blobs
from studio.common.errors import InvalidInputError
from studio.datasets.files.formats import (
    LOSSES,
    SHAPES,
    format_is_written,
    format_load,
    format_losses,
    format_names,
    loss_concerns,
)
from studio.datasets.items.http import project_dataset_for
from studio.datasets.versions.download import COUNTED_ITEMS, Download
from studio.datasets.versions.http import version_for
from studio.datasets.versions.selectors import version_manifest
from studio.datasets.versions.working_download import WorkingDownload

_CHECKED_ITEMS = 500
"""Up to here a store that is not on this host is asked for each file of a download beforehand: some seconds."""

router = Router(tags=["formats"])


class FormatOut(Schema):
    """An interchange format of annotations. All are read."""

    name: str
    title: Text
    kinds: list[AnnotationKind]
    """Primitives that it can carry."""
    media: list[Modality]
    loses: list[Text]
    """What it has no place for."""
    is_written: bool
    """Whether downloads can be in it."""


class VersionFormatOut(FormatOut):
    """A format and what it would lose of a version."""

    kinds_lost: list[AnnotationKind]
    """Primitives that the version's task allows and the format cannot carry."""


@router.get("/label-formats", response=list[FormatOut], operation_id="format_list")
def format_list(request: HttpRequest) -> list[FormatOut]:
    """All formats, by name. An upload is recognised by itself; naming one is for when it is not."""
    del request
    return [_format_out(name, SHAPES) for name in format_names()]


@router.get("/versions/{version}/formats", response=list[VersionFormatOut], operation_id="version_formats")
def version_formats(request: HttpRequest, version: str) -> list[VersionFormatOut]:
    """The formats that a version can be downloaded in, with what each would lose of it."""
    manifest = version_manifest(version_for(request, "data.read", version))
    return _fitting(frozenset(manifest.annotation_kinds), task_spec(manifest.task).modality)


@router.get("/projects/{project}/label-formats", response=list[VersionFormatOut], operation_id="project_formats")
def project_formats(request: HttpRequest, project: str) -> list[VersionFormatOut]:
    """The formats that the current labels of a project can be downloaded in, with what each would lose of them."""
    task = task_spec(project_dataset_for(request, "data.read", project).project.task)
    return _fitting(frozenset(task.annotation.kinds), task.modality)


def _fitting(kinds: frozenset[AnnotationKind], modality: Modality) -> list[VersionFormatOut]:
    forms = [(name, format_load(name)) for name in format_names(modality, is_written=True)]
    return [
        VersionFormatOut(**dict(_format_out(name, kinds)), kinds_lost=sorted(kinds - form.KINDS))
        for name, form in forms
        if form.KINDS & kinds
    ]


@router.get("/projects/{project}/labels/download", response={200: bytes}, operation_id="labels_download")
def labels_download(
    request: HttpRequest,
    project: str,
    format: str | None = None,  # noqa: A002 - the query's name
    pictures: bool = True,
) -> HttpResponseBase:
    """The current annotations in one archive; no version is needed, and so no data that are fit for training.

    Query and formats as of a version's download; an interrupted one starts again.
    """
    dataset = project_dataset_for(request, "data.read", project)
    form = _chosen(format, task_spec(dataset.project.task).modality)
    download = WorkingDownload(dataset, form, with_data=pictures)
    response = StreamingHttpResponse(download.chunks(), content_type=_content_type(download.container))
    name = f"{project}-labels-{form}.{download.container}"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    response["Cache-Control"] = "no-store"
    workspace, detail = dataset.project.workspace_id, {"format": form, "pictures": pictures}
    download_record(request, "labels.downloaded", workspace=workspace, project=project, subject=project, detail=detail)
    return response


def _chosen(format: str | None, modality: Modality) -> str:  # noqa: A002
    """The format that is asked for, or the usual one.

    Raises:
        InvalidInputError: there is none, it cannot hold such items, or it is only read.
    """
    fitting = format_names(modality, is_written=True)
    if format is None:
        return "image_folder" if "image_folder" in fitting else fitting[0]
    try:
        format_load(format)
    except LookupError as error:
        raise InvalidInputError(str(error), fields={"format": [str(error)]}) from None
    if format not in fitting:
        message = f"{format} cannot be written of these items; these can: {', '.join(fitting)}."
        raise InvalidInputError(message, fields={"format": [message]})
    return format


def _content_type(container: str) -> str:
    return f"application/{'zip' if container == 'zip' else 'x-tar'}"


@router.get("/versions/{version}/download", response={200: bytes}, operation_id="version_download")
def version_download(
    request: HttpRequest,
    version: str,
    format: str | None = None,  # noqa: A002 - the query's name
    pictures: bool = True,
) -> HttpResponseBase:
    """Data and labels in one archive; with a `Range` an interrupted download continues.

    With `pictures=false` the label files alone. Without a format: folders of pictures or texts, a table of rows.
    """
    found = version_for(request, "data.read", version)
    form = _chosen(format, task_spec(version_manifest(found).task).modality)
    download = Download(found, form, with_data=pictures)
    name = f"{found.project_id}-v{found.number}-{form}{'' if pictures else '-labels'}.{download.container}"
    response = _answer(request, download, num_items=version_manifest(found).num_items)
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    response["ETag"] = f'"{download.tag}"'
    response["Accept-Ranges"] = "bytes"
    if response.status_code < HTTPStatus.BAD_REQUEST:
        workspace, detail = found.project.workspace_id, {"format": form, "pictures": pictures}
        download_record(
            request, "version.downloaded", workspace=workspace, project=found.project_id, subject=found.id, detail=detail
        )
    return response


def _answer(request: HttpRequest, download: Download, *, num_items: int) -> HttpResponseBase:
    kind = _content_type(download.container)
    byte_range = _range(request, download.tag)
    if byte_range is None:
        if num_items <= (COUNTED_ITEMS if blobs().link_root() is not None else _CHECKED_ITEMS):
            download.check()
        response = StreamingHttpResponse(download.chunks(), content_type=kind)
        if num_items <= COUNTED_ITEMS:
            response["Content-Length"] = str(download.length())
        return response
    length = download.length()
    start, last = byte_range[0], min(length - 1 if byte_range[1] is None else byte_range[1], length - 1)
    if start >= length:
        refused = HttpResponse(status=HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE)
        refused["Content-Range"] = f"bytes */{length}"
        return refused
    chunks = download.chunks(start=start, end=last + 1)
    response = StreamingHttpResponse(chunks, content_type=kind, status=HTTPStatus.PARTIAL_CONTENT)
    response["Content-Range"] = f"bytes {start}-{last}/{length}"
    response["Content-Length"] = str(last + 1 - start)
    return response


def _range(request: HttpRequest, tag: str) -> tuple[int, int | None] | None:
    """First and last byte requested; None for all, which is also the answer to what is not understood (RFC 9110, 14.2)."""
    found = re.fullmatch(r"bytes=(\d{1,18})-(\d{1,18})?", request.headers.get("Range", ""))
    if found is None or request.headers.get("If-Range", f'"{tag}"') != f'"{tag}"':
        return None
    last = None if found[2] is None else int(found[2])
    return None if last is not None and last < int(found[1]) else (int(found[1]), last)


def _format_out(name: str, kinds: frozenset[AnnotationKind]) -> FormatOut:
    form = format_load(name)
    return FormatOut(
        name=name,
        title=form.TITLE,
        kinds=sorted(form.KINDS),
        media=sorted(form.MEDIA),
        loses=[LOSSES[loss] for loss in format_losses(form) if loss_concerns(loss, kinds & form.KINDS)],
        is_written=format_is_written(form),
    )

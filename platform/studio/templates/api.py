"""HTTP endpoints of templates."""

from __future__ import annotations

from django.http import FileResponse, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from ninja import File, Form, Query, Router, Status, UploadedFile

from studio.accounts.access import allow, principal_of
from studio.accounts.downloads import download_record
from studio.accounts.rates import Rate, rate_check
from studio.accounts.roles import Action
from studio.common.blobs import blob_checked
from studio.common.paging import PageOut, PageQuery
from studio.datasets.files.limits import LIMITS
from studio.datasets.files.picture import picture_read
from studio.datasets.files.thumbnails import thumbnail_read
from studio.datasets.items.http import cached_until_forever
from studio.deployments.http import deployment_for, passed_on
from studio.deployments.tryout import server_ask
from studio.jobs.schemas import job_out
from studio.predictions.downloads import CONTENT_TYPES
from studio.predictions.errors import PredictionModelGoneError
from studio.predictions.http import run_for
from studio.projects.access import project_for
from studio.templates import batch, present, selectors, services
from studio.templates.models import Template
from studio.templates.schemas import (
    DeployedFormsOut,
    FieldsJobOut,
    FormOut,
    Name,
    Slug,
    TemplateDetailOut,
    TemplateIn,
    TemplateOut,
)

router = Router(tags=["templates"])
_SHOWN_PX = 2_000
"""Longer side of the picture as the page shows it."""


@router.post("/projects/{project}/templates", response={201: TemplateDetailOut}, operation_id="template_create")
def template_create(
    request: HttpRequest, project: str, name: Form[Name], file: File[UploadedFile], slug: Form[Slug | None] = None
) -> Status[TemplateDetailOut]:
    """Makes a template of one picture of a form; the lines that a model reads there can be marked.

    `slug` is its name in calls: lower-case letters, digits and hyphens; without one it is made of the name.
    409 `template_slug_taken` when another template of the project has it.
    """
    found = project_for(request, project, "deployment.write")
    rate_check(request, Rate.SEARCHES)
    file_name, data = _read(file)
    template = services.template_create(
        project=found, name=name.strip(), file=file_name, data=data, actor=principal_of(request), slug=slug
    )
    return Status(201, present.template_detail_out(template))


@router.get("/projects/{project}/templates", response=PageOut[TemplateOut], operation_id="templates_list")
def templates_list(request: HttpRequest, project: str, page: Query[PageQuery]) -> PageOut[TemplateOut]:
    """Templates of a project, newest first."""
    found = project_for(request, project, "deployment.read")
    templates = selectors.template_page(found, cursor=page.cursor, limit=page.limit)
    return PageOut[TemplateOut](
        items=[present.template_out(each) for each in templates.items], next_cursor=templates.next_cursor
    )


@router.get("/templates/{template}", response=TemplateDetailOut, operation_id="template_get")
def template_get(request: HttpRequest, template: str) -> TemplateDetailOut:
    """One template."""
    return present.template_detail_out(_template_for(request, "deployment.read", template))


@router.put("/templates/{template}", response=TemplateDetailOut, operation_id="template_update")
def template_update(request: HttpRequest, template: str, body: TemplateIn) -> TemplateDetailOut:
    """Saves what is marked; all deployments of the project answer by it from now on."""
    found = _template_for(request, "deployment.write", template)
    content = body.model_dump(include={"references", "fields"}, exclude_none=True, mode="json")
    saved = services.template_update(
        template=found, name=body.name.strip(), content=content, based_on=body.version, actor=principal_of(request)
    )
    return present.template_detail_out(saved)


@router.delete("/templates/{template}", response={204: None}, operation_id="template_delete")
def template_delete(request: HttpRequest, template: str) -> Status[None]:
    """Forgets a template; deployments no longer answer by it."""
    services.template_delete(template=_template_for(request, "deployment.write", template), actor=principal_of(request))
    return Status(204, None)


@router.get("/templates/{template}/picture", response={200: bytes}, operation_id="template_picture")
def template_picture(request: HttpRequest, template: str) -> HttpResponseBase:
    """Its picture as a JPEG, upright, at most 2,000 pixels on its longer side."""
    found = _template_for(request, "deployment.read", template)
    shown = picture_read(blob_checked(found.blob).read_bytes(), thumbnail_px=_SHOWN_PX).thumbnail
    return cached_until_forever(HttpResponse(shown, content_type="image/jpeg"), found.blob)


@router.get("/templates/{template}/thumbnail", response={200: bytes}, operation_id="template_thumbnail")
def template_thumbnail(request: HttpRequest, template: str) -> HttpResponseBase:
    """A small JPEG of its picture."""
    found = _template_for(request, "deployment.read", template)
    response = HttpResponse(thumbnail_read(blob=found.blob), content_type="image/jpeg")
    return cached_until_forever(response, found.blob)


@router.post("/templates/{template}/fields", response=FormOut, operation_id="template_fields")
def template_fields(request: HttpRequest, template: str, file: File[UploadedFile], artefact: str | None = None) -> FormOut:
    """Reads the fields of a picture, which is not kept; by the model in production or the newest where none is named."""
    found = _template_for(request, "deployment.predict", template)
    rate_check(request, Rate.SEARCHES)
    return present.form_out(*selectors.fields_of(found, *_read(file), artefact))


@router.post("/deployments/{deployment_id}/fields", response=DeployedFormsOut, operation_id="deployment_fields")
def deployment_fields(
    request: HttpRequest, deployment_id: str, file: File[UploadedFile], template: str | None = None
) -> HttpResponse:
    """Asks a deployment for the fields of a form, through the prediction server; its answer is passed on as it is.

    `template` is a slug; without it the template is taken of which most reference texts are found.
    """
    deployment = deployment_for(request, deployment_id, "deployment.predict")
    name, data = _read(file)
    return passed_on(server_ask(deployment, None, action="fields", template=template, files=[("file", (name, data))]))


@router.post("/predictions/{prediction}/fields", response={202: FieldsJobOut}, operation_id="prediction_fields_read")
def prediction_fields_read(request: HttpRequest, prediction: str, template: str | None = None) -> Status[FieldsJobOut]:
    """Reads the fields of forms in all results of a batch prediction that are there, in a job; asked twice, it is the same job.

    `template` is a slug; without it each picture is read by the template of which most reference texts are found.
    """
    run = run_for(request, "deployment.predict", prediction)
    if run.artefact is None:
        raise PredictionModelGoneError
    return Status(202, FieldsJobOut(job=job_out(batch.fields_start(run, template))))


@router.get("/predictions/{prediction}/fields", response={200: bytes}, operation_id="prediction_fields")
def prediction_fields(request: HttpRequest, prediction: str, template: str | None = None) -> HttpResponseBase:
    """The fields that the newest such job has read, as JSON Lines: a line a picture.

    A picture that shows no form has an `error` instead. 404 `fields_missing` before a job with the same `template` has ended.
    """
    run = run_for(request, "data.read", prediction)
    response = FileResponse(batch.fields_file(run, template).open("rb"), content_type=CONTENT_TYPES["jsonl"])
    response["Content-Disposition"] = f'attachment; filename="{run.id}-fields.jsonl"'
    response["Cache-Control"] = "no-store"
    detail = {"format": "fields"}
    download_record(
        request,
        "prediction.downloaded",
        workspace=run.project.workspace_id,
        project=run.project_id,
        subject=run.id,
        detail=detail,
    )
    return response


def _template_for(request: HttpRequest, action: Action, template: str) -> Template:
    found = selectors.template_get(principal_of(request).sight, template)
    allow(request, action, found.project.workspace_id, project=found.project_id)
    return found


def _read(file: UploadedFile) -> tuple[str, bytes]:
    return file.name or "file", file.read(LIMITS.max_file_bytes + 1)

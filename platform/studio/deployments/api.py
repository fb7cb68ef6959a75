"""HTTP door of the delivery room: deployments. Exports have a door of their own, gathered here."""

from __future__ import annotations

from django.http import FileResponse, HttpRequest, HttpResponse
from ninja import File, Query, Router, Status, UploadedFile

from automl.contracts.task import Modality
from studio.accounts.access import principal_of, require
from studio.accounts.roles import Action
from studio.common.errors import NotFoundError
from studio.common.paging import PageOut, PageQuery
from studio.deployments import present, selectors, services
from studio.deployments.errors import DeploymentArtefactError
from studio.deployments.export_api import router as export_router
from studio.deployments.logs import input_path
from studio.deployments.models import Deployment, PredictionLog
from studio.deployments.row_tryout import deployment_explain_row, deployment_try_rows, row_form
from studio.deployments.schemas import (
    DeploymentIn,
    DeploymentOut,
    DeploymentPatchIn,
    ExplainedOut,
    ExplainedRowOut,
    ExplainRowIn,
    ExplainTextIn,
    PredictionLogOut,
    PredictOut,
    RowFormOut,
    TryRowsIn,
    TryTextsIn,
)
from studio.deployments.tryout import Answer, deployment_explain_text, deployment_try, deployment_try_texts
from studio.projects.access import project_for
from studio.registry.selectors import artefact_get

router = Router(tags=["deployments"])
router.add_router("", export_router)


@router.post("/deployments", response={201: DeploymentOut}, operation_id="deployment_create")
def deployment_create(request: HttpRequest, body: DeploymentIn) -> Status[DeploymentOut]:
    """Publishes a model; it answers once the prediction server has loaded it."""
    project = project_for(request, body.project, "deployment.write")
    actor = principal_of(request)
    artefact = artefact_get(actor.memberships, body.artefact)
    if artefact.project_id != project.id:
        raise DeploymentArtefactError("The model belongs to another project.")
    deployment = services.deployment_create(
        artefact=artefact,
        name=body.name,
        actor=actor,
        slug=body.slug,
        keep_inputs=body.keep_inputs,
        min_uncertainty=body.min_uncertainty,
        retention_days=body.retention_days,
    )
    return Status(201, present.deployment_out(deployment))


@router.get("/deployments", response=PageOut[DeploymentOut], operation_id="deployments_list")
def deployments_list(request: HttpRequest, page: Query[PageQuery], project: str) -> PageOut[DeploymentOut]:
    """Deployments of a project, newest first."""
    found = project_for(request, project, "deployment.read")
    deployments = selectors.deployment_page(found, cursor=page.cursor, limit=page.limit)
    items = present.deployments_out(deployments.items)
    return PageOut[DeploymentOut](items=items, next_cursor=deployments.next_cursor)


@router.get("/deployments/{deployment_id}", response=DeploymentOut, operation_id="deployment_get")
def deployment_get(request: HttpRequest, deployment_id: str) -> DeploymentOut:
    """One deployment."""
    return present.deployment_out(_deployment_for(request, deployment_id, "deployment.read"))


@router.patch("/deployments/{deployment_id}", response=DeploymentOut, operation_id="deployment_update")
def deployment_update(request: HttpRequest, deployment_id: str, body: DeploymentPatchIn) -> DeploymentOut:
    """Changes a deployment; another model replaces the one that answers once it is warm."""
    deployment = _deployment_for(request, deployment_id, "deployment.write")
    actor = principal_of(request)
    changes = services.DeploymentChanges(
        name=body.name,
        artefact=artefact_get(actor.memberships, body.artefact) if body.artefact else None,
        wanted=body.state,
        thresholds=body.thresholds,
        keep_inputs=body.keep_inputs,
        min_uncertainty=body.min_uncertainty,
        retention_days=body.retention_days,
    )
    return present.deployment_out(services.deployment_update(deployment=deployment, changes=changes, actor=actor))


@router.delete("/deployments/{deployment_id}", response={204: None}, operation_id="deployment_delete")
def deployment_delete(request: HttpRequest, deployment_id: str) -> Status[None]:
    """Takes an address away, with its log."""
    deployment = _deployment_for(request, deployment_id, "deployment.write")
    services.deployment_delete(deployment=deployment, actor=principal_of(request))
    return Status(204, None)


@router.post("/deployments/{deployment_id}/try", response=PredictOut, operation_id="deployment_try")
def deployment_try_out(
    request: HttpRequest, deployment_id: str, file: File[list[UploadedFile]], top: int | None = None
) -> HttpResponse:
    """Asks the deployment about files, through the prediction server; its answer is passed on as it is."""
    deployment = _deployment_for(request, deployment_id, "deployment.predict")
    files = [(each.name or "file", each.read()) for each in file]
    return _passed_on(deployment_try(deployment=deployment, files=files, top=top))


@router.post("/deployments/{deployment_id}/try/texts", response=PredictOut, operation_id="deployment_try_texts")
def deployment_try_out_texts(
    request: HttpRequest, deployment_id: str, body: TryTextsIn, top: int | None = None
) -> HttpResponse:
    """Asks the deployment about texts, through the prediction server; its answer is passed on as it is."""
    deployment = _deployment_for(request, deployment_id, "deployment.predict")
    return _passed_on(deployment_try_texts(deployment=deployment, texts=body.texts, top=top))


@router.post("/deployments/{deployment_id}/explain/texts", response=ExplainedOut, operation_id="deployment_explain_text")
def deployment_explain_a_text(request: HttpRequest, deployment_id: str, body: ExplainTextIn) -> ExplainedOut | HttpResponse:
    """Shows what the model looked at in a text: how far its score falls without each part. Such calls are in no log."""
    deployment = _deployment_for(request, deployment_id, "deployment.predict")
    explained = deployment_explain_text(deployment=deployment, text=body.text, label=body.label)
    return _passed_on(explained) if isinstance(explained, Answer) else present.explained_out(explained)


@router.get("/deployments/{deployment_id}/form", response=RowFormOut, operation_id="deployment_form")
def deployment_form(request: HttpRequest, deployment_id: str) -> RowFormOut:
    """What a form for rows needs to know: columns with their values, and rows to begin with."""
    return present.row_form_out(row_form(_deployment_for(request, deployment_id, "deployment.read")))


@router.post("/deployments/{deployment_id}/try/rows", response=PredictOut, operation_id="deployment_try_rows")
def deployment_try_out_rows(request: HttpRequest, deployment_id: str, body: TryRowsIn, top: int | None = None) -> HttpResponse:
    """Asks the deployment about rows, through the prediction server; its answer is passed on as it is."""
    deployment = _deployment_for(request, deployment_id, "deployment.predict")
    return _passed_on(deployment_try_rows(deployment=deployment, rows=body.rows, top=top))


@router.post("/deployments/{deployment_id}/explain/rows", response=ExplainedRowOut, operation_id="deployment_explain_row")
def deployment_explain_a_row(request: HttpRequest, deployment_id: str, body: ExplainRowIn) -> ExplainedRowOut | HttpResponse:
    """Shows what each column of a row adds to the answer (Shapley values). Such calls are in no log."""
    deployment = _deployment_for(request, deployment_id, "deployment.predict")
    explained = deployment_explain_row(
        deployment=deployment, row=body.row, label=body.label, max_evaluations=body.max_evaluations
    )
    return _passed_on(explained) if isinstance(explained, Answer) else present.explained_row_out(explained)


@router.get("/deployments/{deployment_id}/log", response=PageOut[PredictionLogOut], operation_id="deployment_log")
def deployment_log(
    request: HttpRequest, deployment_id: str, page: Query[PageQuery], min_uncertainty: float | None = None
) -> PageOut[PredictionLogOut]:
    """Calls of a deployment, newest first."""
    deployment = _deployment_for(request, deployment_id, "deployment.read")
    rows = selectors.prediction_page(deployment, min_uncertainty=min_uncertainty, cursor=page.cursor, limit=page.limit)
    items = present.predictions_out(deployment, rows.items)
    return PageOut[PredictionLogOut](items=items, next_cursor=rows.next_cursor)


@router.get("/deployments/{deployment_id}/inputs/{sha256}", response={200: bytes}, operation_id="deployment_input")
def deployment_input(request: HttpRequest, deployment_id: str, sha256: str) -> FileResponse:
    """A kept input of a call: a picture as a file to save, a text to read, a row as JSON."""
    deployment = _deployment_for(request, deployment_id, "deployment.read")
    path = input_path(sha256)
    if path is None or not PredictionLog.objects.filter(deployment=deployment, input_sha256=sha256).exists():
        raise NotFoundError("The input was not kept, or it is forgotten by now.")
    shown_as = {Modality.TEXT: "text/plain; charset=utf-8", Modality.TABULAR: "application/json"}
    if (kind := shown_as.get(selectors.modality_of(deployment))) is not None:
        return FileResponse(path.open("rb"), content_type=kind)
    return FileResponse(path.open("rb"), as_attachment=True, filename=sha256)


def _passed_on(answer: Answer) -> HttpResponse:
    return HttpResponse(answer.body, status=answer.status, content_type=answer.content_type)


def _deployment_for(request: HttpRequest, deployment_id: str, action: Action) -> Deployment:
    deployment = selectors.deployment_get(principal_of(request).memberships, deployment_id)
    require(request, action, deployment.workspace_id, project=deployment.project_id, deployment=deployment.id)
    return deployment

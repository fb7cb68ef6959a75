"""Endpoints of deployments. Those of exports, and those that only one kind of items has, stand in modules of their own."""

from __future__ import annotations

from django.http import FileResponse, HttpRequest, HttpResponse
from ninja import File, Query, Router, Status, UploadedFile

from studio.accounts.access import principal_of
from studio.common.errors import NotFoundError
from studio.common.paging import PageOut, PageQuery
from studio.common.readable import ReadablePageOut, rows_shown
from studio.deployments import items, present, selectors, services
from studio.deployments.alerts.api import router as alerts_router
from studio.deployments.errors import DeploymentArtefactError
from studio.deployments.export_api import router as export_router
from studio.deployments.http import deployment_for, passed_on
from studio.deployments.logs import input_is_of, input_path
from studio.deployments.retraining.api import router as retraining_router
from studio.deployments.schemas import (
    DeploymentIn,
    DeploymentOut,
    DeploymentPatchIn,
    PredictionLogOut,
    PredictOut,
)
from studio.deployments.traffic_api import router as traffic_router
from studio.deployments.tryout import deployment_try
from studio.deployments.watch_api import router as watch_router
from studio.projects.access import project_for
from studio.registry.selectors import artefact_get

router = Router(tags=["deployments"])
router.add_router("", export_router)
router.add_router("", traffic_router)
router.add_router("", watch_router)
router.add_router("", alerts_router)
router.add_router("", retraining_router)
for items_router in items.routers():
    router.add_router("", items_router)


@router.post("/deployments", response={201: DeploymentOut}, operation_id="deployment_create")
def deployment_create(request: HttpRequest, body: DeploymentIn) -> Status[DeploymentOut]:
    """Publishes a model; it answers once the prediction server has loaded it."""
    project = project_for(request, body.project, "deployment.write")
    actor = principal_of(request)
    artefact = artefact_get(actor.sight, body.artefact)
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


@router.get("/deployments", response=ReadablePageOut[DeploymentOut], operation_id="deployments_list")
def deployments_list(request: HttpRequest, page: Query[PageQuery], project: str) -> ReadablePageOut[DeploymentOut]:
    """Deployments of a project, newest first."""
    found = project_for(request, project, "deployment.read")
    deployments = selectors.deployment_page(found, cursor=page.cursor, limit=page.limit)
    shown = rows_shown(deployments.items, present.deployments_out)
    return ReadablePageOut[DeploymentOut](items=shown.items, unreadable=shown.unreadable, next_cursor=deployments.next_cursor)


@router.get("/deployments/{deployment_id}", response=DeploymentOut, operation_id="deployment_get")
def deployment_get(request: HttpRequest, deployment_id: str) -> DeploymentOut:
    """One deployment."""
    return present.deployment_out(deployment_for(request, deployment_id, "deployment.read"))


@router.patch("/deployments/{deployment_id}", response=DeploymentOut, operation_id="deployment_update")
def deployment_update(request: HttpRequest, deployment_id: str, body: DeploymentPatchIn) -> DeploymentOut:
    """Changes a deployment; another model replaces the one that answers once it is warm."""
    deployment = deployment_for(request, deployment_id, "deployment.write")
    actor = principal_of(request)
    changes = services.DeploymentChanges(
        name=body.name,
        artefact=artefact_get(actor.sight, body.artefact) if body.artefact else None,
        desired=body.state,
        thresholds=body.thresholds,
        keep_inputs=body.keep_inputs,
        min_uncertainty=body.min_uncertainty,
        retention_days=body.retention_days,
    )
    services.deployment_update(deployment=deployment, changes=changes, actor=actor)
    return present.deployment_out(selectors.deployment_get(actor.sight, deployment_id))


@router.delete("/deployments/{deployment_id}", response={204: None}, operation_id="deployment_delete")
def deployment_delete(request: HttpRequest, deployment_id: str) -> Status[None]:
    """Takes an address away, with its log."""
    deployment = deployment_for(request, deployment_id, "deployment.write")
    services.deployment_delete(deployment=deployment, actor=principal_of(request))
    return Status(204, None)


@router.post("/deployments/{deployment_id}/try", response=PredictOut, operation_id="deployment_try")
def deployment_try_out(
    request: HttpRequest, deployment_id: str, file: File[list[UploadedFile]], top: int | None = None
) -> HttpResponse:
    """Asks the deployment about files, through the prediction server; its answer is passed on as it is."""
    deployment = deployment_for(request, deployment_id, "deployment.predict")
    files = [(each.name or "file", each.read()) for each in file]
    return passed_on(deployment_try(deployment=deployment, files=files, top=top))


@router.get("/deployments/{deployment_id}/log", response=PageOut[PredictionLogOut], operation_id="deployment_log")
def deployment_log(
    request: HttpRequest,
    deployment_id: str,
    page: Query[PageQuery],
    min_uncertainty: float | None = None,
    try_outs: bool = True,
) -> PageOut[PredictionLogOut]:
    """Calls of a deployment, newest first; those of the platform's own try-out page are marked, and can be left out."""
    deployment = deployment_for(request, deployment_id, "deployment.read")
    rows = selectors.prediction_page(
        deployment, min_uncertainty=min_uncertainty, has_try_outs=try_outs, cursor=page.cursor, limit=page.limit
    )
    shown = present.predictions_out(deployment, rows.items)
    return PageOut[PredictionLogOut](items=shown, next_cursor=rows.next_cursor)


@router.get("/deployments/{deployment_id}/inputs/{sha256}", response={200: bytes}, operation_id="deployment_input")
def deployment_input(request: HttpRequest, deployment_id: str, sha256: str) -> FileResponse:
    """A kept input of a call: a picture as a file to save, a text to read, a row as JSON."""
    deployment = deployment_for(request, deployment_id, "deployment.read")
    path = input_path(sha256)
    if path is None or not input_is_of(deployment, sha256):
        raise NotFoundError("The input was not kept, or it is forgotten by now.")
    if (shown_as := items.deployed_items(deployment.artefact.facts).input_type) is not None:
        return FileResponse(path.open("rb"), content_type=shown_as)
    return FileResponse(path.open("rb"), as_attachment=True, filename=sha256)

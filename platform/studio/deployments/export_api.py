"""HTTP endpoints of exports and of the targets there are."""

from __future__ import annotations

from django.http import FileResponse, HttpRequest
from ninja import Query, Router, Status

from exporters.build import target_find, target_names
from studio.accounts.access import allow, principal_of, require
from studio.accounts.downloads import download_record
from studio.accounts.roles import Action
from studio.common.blobs import blob_checked
from studio.common.paging import PageOut, PageQuery
from studio.deployments import estimates, present, selectors
from studio.deployments.errors import ExportNotReadyError
from studio.deployments.exports import export_create
from studio.deployments.models import Export
from studio.deployments.schemas import ExportEstimateOut, ExportEstimatesIn, ExportIn, ExportOut, TargetOut
from studio.registry.selectors import artefact_get

router = Router(tags=["exports"])


@router.get("/targets", response=list[TargetOut], operation_id="targets_list")
def targets_list(request: HttpRequest) -> list[TargetOut]:
    """What a model can be built for, each with its options."""
    principal_of(request)
    return [present.target_out(target_find(name)) for name in target_names()]


@router.post("/exports/estimates", response=list[ExportEstimateOut], operation_id="export_estimates")
def export_estimates(request: HttpRequest, body: ExportEstimatesIn) -> list[ExportEstimateOut]:
    """How large builds of a model will be, and how long they usually take; nothing is built."""
    artefact = artefact_get(principal_of(request).sight, body.artefact)
    allow(request, "deployment.read", artefact.project.workspace_id, project=artefact.project_id)
    if body.target is None:
        return estimates.estimates_of(artefact, gallery=body.gallery)
    return [estimates.estimate_of(artefact, body.target, body.options, gallery=body.gallery)]


@router.post("/exports", response={202: ExportOut}, operation_id="export_create")
def export_start(request: HttpRequest, body: ExportIn) -> Status[ExportOut]:
    """Builds a model for a target, in a job."""
    actor = principal_of(request)
    artefact = artefact_get(actor.sight, body.artefact)
    require(request, "deployment.write", artefact.project.workspace_id, project=artefact.project_id)
    export = export_create(artefact=artefact, target=body.target, options=body.options, actor=actor, gallery=body.gallery)
    return Status(202, present.export_out(export))


@router.get("/exports", response=PageOut[ExportOut], operation_id="exports_list")
def exports_list(request: HttpRequest, page: Query[PageQuery], artefact: str) -> PageOut[ExportOut]:
    """Builds of a model, newest first."""
    found = artefact_get(principal_of(request).sight, artefact)
    require(request, "deployment.read", found.project.workspace_id, project=found.project_id)
    exports = selectors.export_page(found, cursor=page.cursor, limit=page.limit)
    return PageOut[ExportOut](items=[present.export_out(each) for each in exports.items], next_cursor=exports.next_cursor)


@router.get("/exports/{export_id}", response=ExportOut, operation_id="export_get")
def export_get(request: HttpRequest, export_id: str) -> ExportOut:
    """One build."""
    return present.export_out(_export_for(request, export_id, "deployment.read"))


@router.get("/exports/{export_id}/download", response={200: bytes}, operation_id="export_download")
def export_download(request: HttpRequest, export_id: str) -> FileResponse:
    """The file that the build left."""
    export = _export_for(request, export_id, "deployment.read")
    if not export.blob or export.report is None:
        raise ExportNotReadyError(state=present.export_state(export))
    name = str(export.report["file"]).rsplit("/", 1)[-1]
    path = blob_checked(export.blob, is_often=True)
    kind = "application/gzip" if name.endswith(".gz") else "application/octet-stream"
    response = FileResponse(path.open("rb"), as_attachment=True, filename=name, content_type=kind)
    download_record(
        request,
        "export.downloaded",
        workspace=export.project.workspace_id,
        project=export.project_id,
        subject=export.id,
        detail={"file": name},
    )
    return response


def _export_for(request: HttpRequest, export_id: str, action: Action) -> Export:
    export = selectors.export_get(principal_of(request).sight, export_id)
    require(request, action, export.project.workspace_id, project=export.project_id)
    return export

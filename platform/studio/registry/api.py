"""HTTP door of the registry."""

from __future__ import annotations

from django.http import FileResponse, HttpRequest
from ninja import Query, Router, Status

from studio.accounts.access import principal_of, require
from studio.accounts.downloads import download_told
from studio.accounts.roles import Action
from studio.common.paging import PageOut, PageQuery
from studio.datasets.versions.selectors import version_get
from studio.jobs.schemas import JobOut, job_out
from studio.projects.access import project_for
from studio.registry import present, selectors, services
from studio.registry.lineage import artefact_lineage
from studio.registry.models import Artefact, Stage
from studio.registry.reports import ItemFilter, distillation_of, report_items, report_of
from studio.registry.schemas import (
    ArtefactOut,
    EvaluateIn,
    EvaluationOut,
    LineageOut,
    PromoteIn,
    ReportItemsOut,
    ReportItemsQuery,
    ReportOut,
    StageChangeOut,
)

router = Router(tags=["registry"])

FILE_TYPES = {
    ".json": "application/json",
    ".txt": "text/plain; charset=utf-8",
    ".jpg": "image/jpeg",
    ".png": "image/png",
    ".webp": "image/webp",
}
"""Media types of a model's files by their endings, the same on every machine; the rest are bytes."""


@router.get("/artefacts", response=PageOut[ArtefactOut], operation_id="artefacts_list")
def artefacts_list(
    request: HttpRequest, page: Query[PageQuery], project: str, stage: Stage | None = None
) -> PageOut[ArtefactOut]:
    """Models of a project, newest first."""
    found = project_for(request, project, "model.read")
    artefacts = selectors.artefact_page(found, stage=stage, cursor=page.cursor, limit=page.limit)
    items = [present.artefact_out(each) for each in artefacts.items]
    return PageOut[ArtefactOut](items=items, next_cursor=artefacts.next_cursor)


@router.get("/artefacts/{artefact_id}", response=ArtefactOut, operation_id="artefact_get")
def artefact_get(request: HttpRequest, artefact_id: str) -> ArtefactOut:
    """One model."""
    return present.artefact_out(_artefact_for(request, artefact_id, "model.read"))


@router.get("/artefacts/{artefact_id}/report", response=ReportOut, operation_id="artefact_report")
def artefact_report(request: HttpRequest, artefact_id: str) -> ReportOut:
    """What was measured when the model was trained, without the items."""
    tree = _artefact_for(request, artefact_id, "model.read").tree
    report = report_of(tree)
    members = selectors.artefacts_of_trials(report.shipped.trials) if report.shipped is not None else []
    return present.report_out(report, distillation_of(tree), members)


@router.get("/artefacts/{artefact_id}/report/items", response=ReportItemsOut, operation_id="artefact_report_items")
def artefact_report_items(
    request: HttpRequest,
    artefact_id: str,
    page: Query[PageQuery],
    wanted: Query[ReportItemsQuery],
) -> ReportItemsOut:
    """The items behind a number of the report, e.g. behind a cell of the confusion matrix."""
    artefact = _artefact_for(request, artefact_id, "model.read")
    chosen = ItemFilter(
        split=wanted.split, truth=wanted.truth, prediction=wanted.prediction, is_error_only=wanted.only == "errors"
    )
    found = report_items(artefact, wanted=chosen, order=wanted.order, cursor=page.cursor, limit=page.limit)
    items = present.report_items_out(found.items)
    return ReportItemsOut(items=items, num_items=found.num_items, next_cursor=found.next_cursor)


@router.post("/artefacts/{artefact_id}/promote", response=ArtefactOut, operation_id="artefact_promote")
def artefact_promote(request: HttpRequest, artefact_id: str, body: PromoteIn) -> ArtefactOut:
    """Moves a model to a stage and keeps who did it and why; a project has one production model."""
    artefact = _artefact_for(request, artefact_id, "model.promote")
    actor = principal_of(request)
    return present.artefact_out(services.artefact_promote(artefact=artefact, stage=body.stage, reason=body.reason, actor=actor))


@router.get("/artefacts/{artefact_id}/stages", response=list[StageChangeOut], operation_id="artefact_stages")
def artefact_stages(request: HttpRequest, artefact_id: str) -> list[StageChangeOut]:
    """How a model got to its stage, newest first."""
    artefact = _artefact_for(request, artefact_id, "model.read")
    return [present.stage_change_out(change) for change in selectors.stage_changes(artefact)]


@router.get("/artefacts/{artefact_id}/lineage", response=LineageOut, operation_id="artefact_lineage")
def artefact_lineage_get(request: HttpRequest, artefact_id: str) -> LineageOut:
    """The way from a model back to trial, study, version, items, annotations and people."""
    return present.lineage_out(artefact_lineage(_artefact_for(request, artefact_id, "model.read")))


@router.get("/artefacts/{artefact_id}/files/{path:name}", response={200: bytes}, operation_id="artefact_file")
def artefact_file(request: HttpRequest, artefact_id: str, name: str) -> FileResponse:
    """One file of a model, e.g. ``model.onnx``."""
    artefact = _artefact_for(request, artefact_id, "model.read")
    path = selectors.artefact_file(artefact, name)
    kind = FILE_TYPES.get(path.suffix, "application/octet-stream")
    response = FileResponse(path.open("rb"), as_attachment=True, filename=path.name, content_type=kind)
    workspace, detail = artefact.project.workspace_id, {"file": name}
    download_told(request, "artefact.downloaded", workspace=workspace, subject=artefact.id, detail=detail)
    return response


@router.post("/artefacts/{artefact_id}/evaluate", response={202: JobOut}, operation_id="artefact_evaluate")
def artefact_evaluate(request: HttpRequest, artefact_id: str, body: EvaluateIn) -> Status[JobOut]:
    """Measures a model on a split of a version of its project, in a job."""
    artefact = _artefact_for(request, artefact_id, "model.write")
    actor = principal_of(request)
    version = version_get(actor.memberships, body.version)
    return Status(202, job_out(services.artefact_evaluate(artefact=artefact, version=version, split=body.split, actor=actor)))


@router.get("/artefacts/{artefact_id}/evaluations", response=list[EvaluationOut], operation_id="artefact_evaluations")
def artefact_evaluations(request: HttpRequest, artefact_id: str) -> list[EvaluationOut]:
    """What a model was measured on, oldest first."""
    artefact = _artefact_for(request, artefact_id, "model.read")
    return [present.evaluation_out(each) for each in selectors.evaluation_list(artefact)]


def _artefact_for(request: HttpRequest, artefact_id: str, action: Action) -> Artefact:
    artefact = selectors.artefact_get(principal_of(request).memberships, artefact_id)
    require(request, action, artefact.project.workspace_id, project=artefact.project_id)
    return artefact

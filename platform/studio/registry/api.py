"""HTTP endpoints of the registry."""

from __future__ import annotations

from django.http import FileResponse, HttpRequest, HttpResponse
from ninja import Query, Router, Status

from automl.contracts.dataset import Split
from studio.accounts.access import principal_of, require
from studio.accounts.downloads import download_record
from studio.accounts.models import Language
from studio.accounts.roles import Action
from studio.common.paging import PageQuery
from studio.common.readable import ReadablePageOut, rows_shown
from studio.datasets.versions.selectors import version_get
from studio.jobs.schemas import JobOut, job_out
from studio.projects.access import project_for
from studio.registry import present, selectors, services
from studio.registry.advice import advice_get, advice_start
from studio.registry.best import best_models
from studio.registry.coverage import CoverageChoice, Unsure
from studio.registry.document.card import model_card
from studio.registry.document.page import report_of_artefact, report_page
from studio.registry.lineage import artefact_lineage
from studio.registry.models import Artefact, Stage
from studio.registry.pairs import pair_items, pair_report
from studio.registry.reports import ItemFilter, Threshold, report_items
from studio.registry.robustness import robustness_get, robustness_start
from studio.registry.schemas import (
    AdviceOut,
    ArtefactChangeIn,
    ArtefactFileOut,
    ArtefactOut,
    BestModelsOut,
    EvaluateIn,
    EvaluationOut,
    LineageOut,
    PairItemsOut,
    PairItemsQuery,
    PairQuery,
    PairReportOut,
    PromoteIn,
    ReportItemsOut,
    ReportItemsQuery,
    ReportOut,
    RobustnessIn,
    RobustnessOut,
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


@router.get("/artefacts", response=ReadablePageOut[ArtefactOut], operation_id="artefacts_list")
def artefacts_list(
    request: HttpRequest, page: Query[PageQuery], project: str, stage: Stage | None = None
) -> ReadablePageOut[ArtefactOut]:
    """Models of a project, newest first."""
    found = project_for(request, project, "model.read")
    artefacts = selectors.artefact_page(found, stage=stage, cursor=page.cursor, limit=page.limit)
    shown = rows_shown(artefacts.items, lambda some: [present.artefact_out(each) for each in some])
    return ReadablePageOut[ArtefactOut](items=shown.items, unreadable=shown.unreadable, next_cursor=artefacts.next_cursor)


@router.get("/projects/{project_id}/best-models", response=BestModelsOut, operation_id="best_models")
def project_best_models(request: HttpRequest, project_id: str) -> BestModelsOut:
    """Which models of a project are the best of their versions, and which one would use."""
    project = project_for(request, project_id, "model.read")
    found = best_models([project]).get(project.id)
    return BestModelsOut(first=found.first.id if found else None, best=found.best if found else [])


@router.get("/artefacts/{artefact_id}", response=ArtefactOut, operation_id="artefact_get")
def artefact_get(request: HttpRequest, artefact_id: str) -> ArtefactOut:
    """One model."""
    return present.artefact_out(_artefact_for(request, artefact_id, "model.read"))


@router.patch("/artefacts/{artefact_id}", response=ArtefactOut, operation_id="artefact_change")
def artefact_change(request: HttpRequest, artefact_id: str, body: ArtefactChangeIn) -> ArtefactOut:
    """Changes the note of a model, its default thresholds, or its guarantee.

    Deployments follow at once; those with thresholds of their own keep these.
    """
    artefact = _artefact_for(request, artefact_id, "model.write")
    actor = principal_of(request)
    chosen = None if body.coverage is None else CoverageChoice(body.coverage.error_rate, body.coverage.scope)
    changed = services.artefact_update(
        artefact=artefact, note=body.note, thresholds=body.thresholds, coverage=chosen, actor=actor
    )
    return present.artefact_out(changed)


@router.get("/artefacts/{artefact_id}/report", response=ReportOut, operation_id="artefact_report")
def artefact_report(request: HttpRequest, artefact_id: str) -> ReportOut:
    """What was measured when the model was trained, without the items."""
    artefact = _artefact_for(request, artefact_id, "model.read")
    return report_of_artefact(artefact)


@router.get("/artefacts/{artefact_id}/report.html", response={200: bytes}, operation_id="artefact_report_file")
def artefact_report_file(request: HttpRequest, artefact_id: str, language: Language | None = None) -> HttpResponse:
    """The report as one HTML file that needs nothing else; in the caller's language where none is named."""
    artefact = _artefact_for(request, artefact_id, "model.read")
    page = report_page(artefact, _language(request, language))
    return _sent(request, artefact, page, name=f"model-{artefact.number}-report.html", kind="text/html; charset=utf-8")


@router.get("/artefacts/{artefact_id}/card.md", response={200: bytes}, operation_id="artefact_card_file")
def artefact_card_file(request: HttpRequest, artefact_id: str, language: Language | None = None) -> HttpResponse:
    """A model card as Markdown, to be handed on with the model; in the caller's language where none is named."""
    artefact = _artefact_for(request, artefact_id, "model.read")
    card = model_card(artefact, _language(request, language))
    return _sent(request, artefact, card, name=f"model-{artefact.number}-card.md", kind="text/markdown; charset=utf-8")


@router.get("/artefacts/{artefact_id}/report/items", response=ReportItemsOut, operation_id="artefact_report_items")
def artefact_report_items(
    request: HttpRequest,
    artefact_id: str,
    page: Query[PageQuery],
    query: Query[ReportItemsQuery],
) -> ReportItemsOut:
    """The items behind a number of the report, e.g. behind a cell of the confusion matrix."""
    artefact = _artefact_for(request, artefact_id, "model.read")
    criteria = ItemFilter(
        split=query.split,
        truth=query.truth,
        prediction=query.prediction,
        is_of_objects=query.objects,
        is_error_only=query.only == "errors",
        item=query.item,
        at=None if query.label is None else Threshold(query.label, query.threshold, query.outcome),
        unsure=None if query.unsure is None else Unsure(query.error_rate, query.scope, query.unsure),
        slice=query.slice,
    )
    found = report_items(artefact, criteria=criteria, order=query.order, cursor=page.cursor, limit=page.limit)
    items = present.report_items_out(found.items)
    return ReportItemsOut(items=items, num_items=found.num_items, next_cursor=found.next_cursor)


@router.get("/artefacts/{artefact_id}/paired", response=PairReportOut, operation_id="artefact_paired")
def artefact_paired(request: HttpRequest, artefact_id: str, query: Query[PairQuery]) -> PairReportOut:
    """Compares this model with another one on the same items: what the other mends, what it breaks, and a paired test."""
    first, second = _pair_for(request, artefact_id, query.other)
    return present.pair_report_out(pair_report(first, second, query.split))


@router.get("/artefacts/{artefact_id}/paired/items", response=PairItemsOut, operation_id="artefact_paired_items")
def artefact_paired_items(
    request: HttpRequest, artefact_id: str, page: Query[PageQuery], query: Query[PairItemsQuery]
) -> PairItemsOut:
    """The items that the other model mends, or those that it breaks."""
    first, second = _pair_for(request, artefact_id, query.other)
    found = pair_items(first, second, query.split, query.outcome, cursor=page.cursor, limit=page.limit)
    return PairItemsOut(items=present.pair_items_out(found.items), num_items=found.num_items, next_cursor=found.next_cursor)


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


@router.get("/artefacts/{artefact_id}/files", response=list[ArtefactFileOut], operation_id="artefact_files")
def artefact_files(request: HttpRequest, artefact_id: str) -> list[ArtefactFileOut]:
    """Names and sizes of a model's files."""
    files = selectors.artefact_files(_artefact_for(request, artefact_id, "model.read"))
    return [ArtefactFileOut(name=name, size_bytes=path.stat().st_size) for name, path in files.items()]


@router.get("/artefacts/{artefact_id}/files/{path:name}", response={200: bytes}, operation_id="artefact_file")
def artefact_file(request: HttpRequest, artefact_id: str, name: str) -> FileResponse:
    """One file of a model, e.g. ``model.onnx``."""
    artefact = _artefact_for(request, artefact_id, "model.read")
    path = selectors.artefact_file(artefact, name)
    kind = FILE_TYPES.get(path.suffix, "application/octet-stream")
    response = FileResponse(path.open("rb"), as_attachment=True, filename=path.name, content_type=kind)
    workspace, detail = artefact.project.workspace_id, {"file": name}
    download_record(
        request, "artefact.downloaded", workspace=workspace, project=artefact.project_id, subject=artefact.id, detail=detail
    )
    return response


@router.post("/artefacts/{artefact_id}/evaluate", response={202: JobOut}, operation_id="artefact_evaluate")
def artefact_evaluate(request: HttpRequest, artefact_id: str, body: EvaluateIn) -> Status[JobOut]:
    """Measures a model on a split of a version of its project, in a job."""
    artefact = _artefact_for(request, artefact_id, "model.write")
    actor = principal_of(request)
    version = version_get(actor.sight, body.version)
    return Status(202, job_out(services.artefact_evaluate(artefact=artefact, version=version, split=body.split, actor=actor)))


@router.get("/artefacts/{artefact_id}/evaluations", response=list[EvaluationOut], operation_id="artefact_evaluations")
def artefact_evaluations(request: HttpRequest, artefact_id: str) -> list[EvaluationOut]:
    """What a model was measured on, oldest first."""
    artefact = _artefact_for(request, artefact_id, "model.read")
    return [present.evaluation_out(each) for each in selectors.evaluation_list(artefact)]


@router.post("/artefacts/{artefact_id}/advice", response={202: JobOut}, operation_id="artefact_advice_measure")
def artefact_advice_measure(request: HttpRequest, artefact_id: str) -> Status[JobOut]:
    """Measures in a job, from learning curves, what more items of each label would bring a model."""
    artefact = _artefact_for(request, artefact_id, "model.write")
    return Status(202, job_out(advice_start(artefact=artefact, actor=principal_of(request))))


@router.get("/artefacts/{artefact_id}/advice", response=AdviceOut, operation_id="artefact_advice")
def artefact_advice(request: HttpRequest, artefact_id: str) -> AdviceOut:
    """What more items of each label would bring a model; the report is null until a job has made it."""
    found = advice_get(_artefact_for(request, artefact_id, "model.read"))
    job = None if found.latest is None else job_out(found.latest)
    return AdviceOut(is_offered=found.is_offered, estimated_s=found.estimated_s, report=found.report, job=job)


@router.post("/artefacts/{artefact_id}/robustness", response={202: JobOut}, operation_id="artefact_robustness_test")
def artefact_robustness_test(request: HttpRequest, artefact_id: str, body: RobustnessIn) -> Status[JobOut]:
    """Tries a model on items that are made worse on purpose (blurred, noisy, darker, ...), in a job."""
    artefact = _artefact_for(request, artefact_id, "model.write")
    return Status(202, job_out(robustness_start(artefact=artefact, split=body.split, actor=principal_of(request))))


@router.get("/artefacts/{artefact_id}/robustness", response=RobustnessOut, operation_id="artefact_robustness")
def artefact_robustness(request: HttpRequest, artefact_id: str, split: Split = Split.TEST) -> RobustnessOut:
    """How robust a model is to items that are made worse on purpose; the report is null until a job has made it."""
    artefact = _artefact_for(request, artefact_id, "model.read")
    found = robustness_get(artefact, split)
    return RobustnessOut(report=found.report, job=None if found.latest is None else job_out(found.latest))


def _language(request: HttpRequest, requested: Language | None) -> str:
    """The language asked for, else that of the person who asks, or whose key it is."""
    return (requested or principal_of(request).language).value


def _sent(request: HttpRequest, artefact: Artefact, content: str, *, name: str, kind: str) -> HttpResponse:
    """A file that was made of a model, recorded as a download."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "private, no-store"}
    workspace, detail = artefact.project.workspace_id, {"file": name}
    download_record(
        request, "artefact.downloaded", workspace=workspace, project=artefact.project_id, subject=artefact.id, detail=detail
    )
    return HttpResponse(content, content_type=kind, headers=headers)


def _pair_for(request: HttpRequest, first: str, second: str) -> tuple[Artefact, Artefact]:
    return _artefact_for(request, first, "model.read"), _artefact_for(request, second, "model.read")


def _artefact_for(request: HttpRequest, artefact_id: str, action: Action) -> Artefact:
    artefact = selectors.artefact_get(principal_of(request).sight, artefact_id)
    require(request, action, artefact.project.workspace_id, project=artefact.project_id)
    return artefact

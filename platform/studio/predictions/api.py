"""HTTP endpoints of batch predictions."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from ninja import Query, Router, Status

from studio.accounts.access import allow, principal_of
from studio.accounts.downloads import download_record
from studio.accounts.rates import Rate, rate_check
from studio.common.errors import NotFoundError
from studio.common.paging import PageQuery
from studio.common.readable import ReadablePageOut, rows_shown
from studio.datasets.items.filters import ItemFilter
from studio.datasets.items.http import cached_until_forever, item_for, project_dataset_for
from studio.datasets.models import UploadKind
from studio.datasets.uploads.http import upload_for
from studio.datasets.versions.http import version_for
from studio.predictions import present, selectors, services
from studio.predictions.downloads import CONTENT_TYPES, run_download
from studio.predictions.errors import PredictionEmptyError, PredictionModelGoneError, PredictionSourceError
from studio.predictions.explaining import artefact_explain, artefact_explain_row
from studio.predictions.http import run_for
from studio.predictions.items import predicted_items
from studio.predictions.items.kind import PredictedItems
from studio.predictions.models import PredictionRun, Source
from studio.predictions.parts import place_of, result_at, results_page
from studio.predictions.schemas import (
    PredictionAgainIn,
    PredictionDownloadQuery,
    PredictionResultsOut,
    PredictionResultsQuery,
    PredictionRunIn,
    PredictionRunOut,
)
from studio.registry.models import Artefact
from studio.registry.present import explained_out, explained_row_out
from studio.registry.schemas import ExplainedOut, ExplainedRowOut
from studio.registry.selectors import artefact_get

router = Router(tags=["predictions"])


@router.post("/projects/{project}/predictions", response={202: PredictionRunOut}, operation_id="prediction_start")
def prediction_start(request: HttpRequest, project: str, body: PredictionRunIn) -> Status[PredictionRunOut]:
    """Predicts of many items by a model, in a job: of the project's, of a version's, or of files that were uploaded for it."""
    dataset = project_dataset_for(request, "deployment.predict", project)
    actor = principal_of(request)
    artefact = _artefact_for(request, body.artefact)
    _source_check(body)
    if body.source is Source.FILES:
        uploads = [upload_for(request, "data.write", dataset.id, each) for each in dict.fromkeys(body.uploads)]
        if any(upload.kind != UploadKind.PREDICT for upload in uploads):
            raise PredictionSourceError("uploads", "An upload is not of the kind predict.")
        run = services.run_files_start(dataset=dataset, artefact=artefact, uploads=uploads, actor=actor)
    elif body.source is Source.VERSION:
        version = version_for(request, "data.read", body.version or "")
        if version.project_id != dataset.project_id:
            raise PredictionSourceError("version", "The version belongs to another project.")
        run = services.run_version_start(version=version, artefact=artefact, actor=actor)
    else:
        allow(request, "data.read", dataset.project.workspace_id, project=dataset.project_id)
        criteria = body.filter or ItemFilter()
        run = services.run_items_start(project=dataset.project, artefact=artefact, criteria=criteria, actor=actor)
    return _accepted(request, run)


@router.get("/projects/{project}/predictions", response=ReadablePageOut[PredictionRunOut], operation_id="prediction_list")
def prediction_list(request: HttpRequest, project: str, page: Query[PageQuery]) -> ReadablePageOut[PredictionRunOut]:
    """Batch predictions of a project, newest first."""
    found = project_dataset_for(request, "data.read", project).project
    runs = selectors.run_page(found, cursor=page.cursor, limit=page.limit)
    shown = rows_shown(runs.items, present.runs_out)
    return ReadablePageOut[PredictionRunOut](items=shown.items, unreadable=shown.unreadable, next_cursor=runs.next_cursor)


@router.get("/predictions/{prediction}", response=PredictionRunOut, operation_id="prediction_get")
def prediction_get(request: HttpRequest, prediction: str) -> PredictionRunOut:
    """One batch prediction."""
    return present.run_out(run_for(request, "data.read", prediction))


@router.delete("/predictions/{prediction}", response={204: None}, operation_id="prediction_delete")
def prediction_delete(request: HttpRequest, prediction: str) -> Status[None]:
    """Forgets a batch prediction with its files and results."""
    services.run_delete(run=run_for(request, "deployment.predict", prediction), actor=principal_of(request))
    return Status(204, None)


@router.post("/predictions/{prediction}/cancel", response=PredictionRunOut, operation_id="prediction_cancel")
def prediction_cancel(request: HttpRequest, prediction: str) -> PredictionRunOut:
    """Ends a batch prediction; the results that are there stay."""
    run = run_for(request, "deployment.predict", prediction)
    return present.run_out(services.run_cancel(run=run, actor=principal_of(request)))


@router.post("/predictions/{prediction}/resume", response={202: PredictionRunOut}, operation_id="prediction_resume")
def prediction_resume(request: HttpRequest, prediction: str) -> Status[PredictionRunOut]:
    """Goes on behind the results that are there, where it was cancelled or failed."""
    run = run_for(request, "deployment.predict", prediction)
    return _accepted(request, services.run_resume(run=run, actor=principal_of(request)))


@router.post("/predictions/{prediction}/again", response={202: PredictionRunOut}, operation_id="prediction_again")
def prediction_again(request: HttpRequest, prediction: str, body: PredictionAgainIn) -> Status[PredictionRunOut]:
    """Starts a new batch prediction over the same data, by the same model or another one."""
    run = run_for(request, "deployment.predict", prediction)
    artefact = _artefact_for(request, body.artefact) if body.artefact else None
    return _accepted(request, services.run_again(run=run, artefact=artefact, actor=principal_of(request)))


@router.post("/predictions/{prediction}/suggestions", response={202: PredictionRunOut}, operation_id="prediction_suggest")
def prediction_suggest(request: HttpRequest, prediction: str) -> Status[PredictionRunOut]:
    """Gives the results to the project's unlabelled items as suggestions, in a job."""
    run = run_for(request, "label.write", prediction)
    return _accepted(request, services.run_suggest(run=run, actor=principal_of(request)))


@router.get("/predictions/{prediction}/results", response=PredictionResultsOut, operation_id="prediction_results")
def prediction_results(
    request: HttpRequest, prediction: str, page: Query[PageQuery], query: Query[PredictionResultsQuery]
) -> PredictionResultsOut:
    """Results in order, as far as there are some."""
    run = run_for(request, "data.read", prediction)
    start = place_of(page.cursor)
    found = results_page(run, start=start, limit=page.limit, only=query.only)
    next_cursor = None if found.next_place is None else str(found.next_place)
    return PredictionResultsOut(items=present.results_out(run, _kind(run), found.rows), next_cursor=next_cursor)


@router.get(
    "/predictions/{prediction}/results/{int:place}/thumbnail", response={200: bytes}, operation_id="prediction_thumbnail"
)
def prediction_thumbnail(request: HttpRequest, prediction: str, place: int) -> HttpResponseBase:
    """A small JPEG of a picture that was sent."""
    run = run_for(request, "data.read", prediction)
    row = result_at(run, place)
    if row is None or row["thumbnail"] is None:
        raise NotFoundError("There is no such picture.")
    return cached_until_forever(HttpResponse(row["thumbnail"], content_type="image/jpeg"), f"{run.id}-{place}")


@router.get("/predictions/{prediction}/download", response={200: bytes}, operation_id="prediction_download")
def prediction_download(request: HttpRequest, prediction: str, query: Query[PredictionDownloadQuery]) -> HttpResponseBase:
    """All results that are there as one file; of tables with the columns that they came with."""
    run = run_for(request, "data.read", prediction)
    _kind(run)
    response = StreamingHttpResponse(run_download(run, query.format), content_type=CONTENT_TYPES[query.format])
    response["Content-Disposition"] = f'attachment; filename="{run.id}.{query.format}"'
    response["Cache-Control"] = "no-store"
    workspace, detail = run.project.workspace_id, {"format": query.format}
    download_record(
        request, "prediction.downloaded", workspace=workspace, project=run.project_id, subject=run.id, detail=detail
    )
    return response


@router.get("/artefacts/{artefact_id}/explain", response=ExplainedOut, operation_id="artefact_explain")
def artefact_explain_item(
    request: HttpRequest, artefact_id: str, item: str, label: str | None = None, box: str | None = None
) -> ExplainedOut:
    """What a model looked at in an item: how far its score falls without each part. It takes a second or a few.

    `box` is an object's place, `x,y,width,height` in pixels of the picture; without it the surest object is explained.
    """
    artefact = _artefact_for(request, artefact_id)
    found = item_for(request, "data.read", item)
    rate_check(request, Rate.SEARCHES)
    return explained_out(artefact_explain(artefact, found, label, box))


@router.get("/artefacts/{artefact_id}/explain/row", response=ExplainedRowOut, operation_id="artefact_explain_row")
def artefact_explain_a_row(request: HttpRequest, artefact_id: str, item: str, label: str | None = None) -> ExplainedRowOut:
    """What each column of a row adds to a model's answer (Shapley values against rows of the training data)."""
    artefact = _artefact_for(request, artefact_id)
    found = item_for(request, "data.read", item)
    rate_check(request, Rate.SEARCHES)
    return explained_row_out(artefact_explain_row(artefact, found, label))


def _artefact_for(request: HttpRequest, artefact: str) -> Artefact:
    found = artefact_get(principal_of(request).sight, artefact)
    allow(request, "model.read", found.project.workspace_id, project=found.project_id)
    return found


def _accepted(request: HttpRequest, run: PredictionRun) -> Status[PredictionRunOut]:
    return Status(202, present.run_out(selectors.run_get(principal_of(request).sight, run.id)))


def _kind(run: PredictionRun) -> PredictedItems:
    if run.artefact is None:
        raise PredictionModelGoneError
    return predicted_items(run.artefact.facts)


def _source_check(body: PredictionRunIn) -> None:
    if (body.version is not None) != (body.source is Source.VERSION):
        raise PredictionSourceError("version", "A version is named where one is predicted of, and only there.")
    if body.uploads and body.source is not Source.FILES:
        raise PredictionSourceError("uploads", "Uploads are named where files are predicted of, and only there.")
    if body.filter is not None and body.source is not Source.ITEMS:
        raise PredictionSourceError("filter", "A filter chooses among the project's items only.")
    if body.source is Source.FILES and not body.uploads:
        raise PredictionEmptyError

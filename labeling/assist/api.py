"""HTTP endpoints of live suggestions."""

from __future__ import annotations

from django.http import HttpRequest
from ninja import File, Query, Router, Status, UploadedFile

from labeling.assist import selectors, services
from labeling.assist.evidence import item_evidence
from labeling.assist.map_view import map_read
from labeling.assist.schemas import (
    AssistIn,
    AssistOut,
    MapOut,
    SimilarItemOut,
    SimilarTextQuery,
    SuggestedItemOut,
    SuggestedPageOut,
    SuggestedQuery,
)
from studio.accounts.access import principal_of, require
from studio.accounts.rates import Rate, rate_check
from studio.datasets.embeddings.jobs import map_submit
from studio.datasets.files.limits import LIMITS
from studio.datasets.items.http import project_dataset_for, sight_of
from studio.datasets.items.present import item_out
from studio.datasets.items.selectors import item_get
from studio.jobs.schemas import JobOut, job_out
from studio.registry.present import explained_out
from studio.registry.schemas import ExplainedOut

router = Router(tags=["labeling"])


@router.get("/labeling/assist", response=AssistOut, operation_id="assist_read")
def assist_read(request: HttpRequest, project: str) -> AssistOut:
    """How a project is helped: features, head, order of the queue, agreement."""
    return selectors.assist_read(project_dataset_for(request, "data.read", project))


@router.put("/labeling/assist", response=AssistOut, operation_id="assist_set")
def assist_set(request: HttpRequest, body: AssistIn) -> AssistOut:
    """Chooses the order of the queue."""
    dataset = project_dataset_for(request, "label.write", body.project)
    services.strategy_set(dataset=dataset, strategy=body.strategy, actor=principal_of(request))
    return selectors.assist_read(dataset)


@router.get("/labeling/assist/items", response=SuggestedPageOut, operation_id="suggested_items_list")
def suggested_items_list(request: HttpRequest, query: Query[SuggestedQuery]) -> SuggestedPageOut:
    """Unlabelled items by what is suggested for them and how surely."""
    page = selectors.suggested_page(
        project_dataset_for(request, "data.read", query.project),
        label=query.label,
        low=query.min_confidence,
        high=query.max_confidence,
        is_descending=query.order == "confidence_desc",
        cursor=query.cursor,
        limit=query.limit,
    )
    items = [
        SuggestedItemOut(
            item=item_out(item), annotations=list(one.annotations), by=one.by, confidence=one.confidence_fraction or 0.0
        )
        for item, one in page.items
    ]
    return SuggestedPageOut(items=items, next_cursor=page.next_cursor, total=page.total)


@router.get("/items/{item}/similar", response=list[SimilarItemOut], operation_id="items_similar")
def items_similar(request: HttpRequest, item: str, limit: int = 60) -> list[SimilarItemOut]:
    """Items of the project that are most like one; 409 `features_missing` while it has no features yet."""
    found = item_get(sight_of(request), item)
    require(request, "data.read", found.dataset.project.workspace_id, project=found.dataset.project_id)
    near = selectors.similar_items(found, limit=max(1, min(limit, 200)))
    return [SimilarItemOut(item=item_out(one), similarity=cosine) for one, cosine in near]


@router.post("/labeling/similar", response=list[SimilarItemOut], operation_id="items_similar_to_picture")
def items_similar_to_picture(
    request: HttpRequest, project: str, file: File[UploadedFile], limit: int = 60
) -> list[SimilarItemOut]:
    """Items of the project that look most like a picture, which is not kept.

    409 `features_none` until the project's pictures have been embedded; 422 `query_unusable` when this is no picture,
    `search_unfit` when the project's items are none.
    """
    dataset = project_dataset_for(request, "data.read", project)
    rate_check(request, Rate.SEARCHES)
    near = selectors.similar_to_picture(dataset, file.read(LIMITS.max_file_bytes + 1), limit=max(1, min(limit, 200)))
    return [SimilarItemOut(item=item_out(one), similarity=cosine) for one, cosine in near]


@router.get("/labeling/similar", response=list[SimilarItemOut], operation_id="items_similar_to_text")
def items_similar_to_text(request: HttpRequest, query: Query[SimilarTextQuery]) -> list[SimilarItemOut]:
    """Items of a project of texts whose meaning is closest to that of a sentence.

    409 `features_none` until the project's texts have been embedded, `search_starting` while the model is being loaded;
    422 `search_unfit` when the project's items are no texts.
    """
    dataset = project_dataset_for(request, "data.read", query.project)
    rate_check(request, Rate.SEARCHES)
    near = selectors.similar_to_text(dataset, query.text, limit=query.limit)
    return [SimilarItemOut(item=item_out(one), similarity=cosine) for one, cosine in near]


@router.get("/labeling/items/{item}/evidence", response=ExplainedOut, operation_id="item_evidence")
def item_evidence_read(request: HttpRequest, item: str, label: str | None = None) -> ExplainedOut:
    """What a suggestion for a text hangs on: how far its score falls without each part.

    409 `head_missing` while nothing is suggested, `search_starting` while the model is being loaded; 422 `evidence_unfit` when
    the item is no text.
    """
    found = item_get(sight_of(request), item)
    require(request, "data.read", found.dataset.project.workspace_id, project=found.dataset.project_id)
    return explained_out(item_evidence(found, label))


@router.get("/labeling/map", response=MapOut, operation_id="map_read")
def map_read_door(request: HttpRequest, project: str) -> MapOut:
    """The data set in the plane, like beside like."""
    return map_read(project_dataset_for(request, "data.read", project))


@router.post("/labeling/map", response={202: JobOut}, operation_id="map_draw")
def map_draw(request: HttpRequest, project: str) -> Status[JobOut]:
    """Draws the map anew; while that is done already, it is that job."""
    return Status(202, job_out(map_submit(dataset=project_dataset_for(request, "label.write", project))))

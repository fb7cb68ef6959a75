"""HTTP endpoints of bulk changes."""

from __future__ import annotations

from django.http import HttpRequest
from ninja import Query, Router, Status

from labeling.bulk import services
from labeling.bulk.errors import BulkTargetError
from labeling.bulk.schemas import BulkIn, BulkOut
from studio.accounts.access import principal_of, require
from studio.accounts.roles import Action
from studio.common.errors import NotFoundError
from studio.common.paging import PageOut, PageQuery, page_of
from studio.datasets.items.http import dataset_for, sight_of
from studio.datasets.models import BulkChange, BulkKind, BulkState
from studio.jobs.schemas import job_out

router = Router(tags=["datasets"])


@router.post("/datasets/{dataset}/bulk", response={200: BulkOut, 202: BulkOut}, operation_id="bulk_start")
def bulk_start(request: HttpRequest, dataset: str, body: BulkIn) -> Status[BulkOut]:
    """Does one thing to many items: 200 when it is done, 202 with a job when they are very many."""
    if bool(body.items) == (body.matching is not None):
        raise BulkTargetError
    kind = BulkKind(body.change.kind)
    change, job = services.bulk_start(
        dataset=dataset_for(request, _action(kind), dataset),
        kind=kind,
        values=body.change.model_dump(mode="json", exclude={"kind"}),
        items=body.items,
        criteria=None if body.matching is None else body.matching.criteria(),
        excluding=body.excluding,
        actor=principal_of(request),
    )
    return Status(200 if job is None else 202, _out(change))


@router.get("/datasets/{dataset}/bulk", response=PageOut[BulkOut], operation_id="bulk_list")
def bulk_list(request: HttpRequest, dataset: str, page: Query[PageQuery]) -> PageOut[BulkOut]:
    """What was done to many items, newest first."""
    rows = BulkChange.objects.select_related("job").filter(dataset=dataset_for(request, "data.read", dataset))
    found = page_of(rows, cursor=page.cursor, limit=page.limit)
    return PageOut(items=[_out(change) for change in found.items], next_cursor=found.next_cursor)


@router.post("/datasets/{dataset}/bulk/{change}/undo", response={200: BulkOut, 202: BulkOut}, operation_id="bulk_undo")
def bulk_undo(request: HttpRequest, dataset: str, change: str) -> Status[BulkOut]:
    """Takes a bulk change back as a whole; items that somebody changed since stay as they are."""
    rows = BulkChange.objects.select_related("dataset__project", "job")
    found = rows.filter(sight_of(request).of("dataset__project"), id=change, dataset=dataset).first()
    if found is None:
        raise NotFoundError("There is no such change.")
    require(request, _action(BulkKind(found.kind)), found.dataset.project.workspace_id, project=found.dataset.project_id)
    job = services.bulk_undo(change=found, actor=principal_of(request))
    return Status(200 if job is None else 202, _out(found))


def _action(kind: BulkKind) -> Action:
    return "label.write" if kind is BulkKind.LABEL else "data.write"


def _out(change: BulkChange) -> BulkOut:
    return BulkOut(
        id=change.id,
        kind=BulkKind(change.kind),
        state=BulkState(change.state),
        num_items=change.num_items,
        num_undone=change.num_undone,
        by_name=change.created_by["name"],
        created_at=change.created_at,
        job=None if change.job is None else job_out(change.job),
    )

"""HTTP endpoints of the quality report."""

from __future__ import annotations

from collections.abc import Sequence

from django.http import HttpRequest
from ninja import Query, Router, Status

from automl.contracts.quality import FindingKind
from labeling.quality import selectors, services
from labeling.quality.models import ActionKind, QualityAction
from labeling.quality.schemas import FindingOut, FindingsQuery, QualityActionIn, QualityActionOut, QualityOut
from studio.accounts.access import principal_of, require
from studio.accounts.schemas import actors_out
from studio.common.paging import PageOut, PageQuery
from studio.datasets.items.http import dataset_for, sight_of
from studio.datasets.items.present import item_out
from studio.jobs.schemas import JobOut, job_out

router = Router(tags=["quality"])


@router.get("/datasets/{dataset}/quality", response=QualityOut, operation_id="quality_read")
def quality_read(request: HttpRequest, dataset: str) -> QualityOut:
    """The latest report, how many findings are open, and what came since."""
    found = dataset_for(request, "data.read", dataset)
    quality = selectors.quality_get(found)
    return QualityOut(
        dataset=found.id,
        report=quality.report,
        reported_at=None if quality.reported is None else quality.reported.ended_at,
        job=None if quality.latest is None else job_out(quality.latest),
        num_open=dict(quality.num_open),
        num_added=quality.num_added,
        num_labelled=quality.num_labelled,
    )


@router.post("/datasets/{dataset}/quality/run", response={202: JobOut}, operation_id="quality_run")
def quality_run(request: HttpRequest, dataset: str) -> Status[JobOut]:
    """Looks at all items in the background; while that runs, asking again gives the same job."""
    found = dataset_for(request, "data.write", dataset)
    return Status(202, job_out(services.quality_start(dataset=found)))


@router.get("/datasets/{dataset}/quality/findings", response=PageOut[FindingOut], operation_id="quality_findings")
def quality_findings(request: HttpRequest, dataset: str, query: Query[FindingsQuery]) -> PageOut[FindingOut]:
    """Findings of a kind on living items, the surest first; copies of one item next to each other."""
    page = selectors.finding_page(
        dataset_for(request, "data.read", dataset),
        kind=query.kind,
        min_severity=query.min_severity,
        is_dismissed=query.dismissed,
        cursor=query.cursor,
        limit=query.limit,
    )
    found = []
    for flag in page.flags:
        other = page.others.get(str(flag.detail.get("other", "")))
        found.append(
            FindingOut(
                kind=FindingKind(flag.kind),
                severity=flag.severity,
                detail=flag.detail,
                item=item_out(flag.item),
                other=None if other is None else item_out(other),
                dismissed_at=flag.dismissed_at,
            )
        )
    return PageOut(items=found, next_cursor=page.next_cursor)


@router.post("/datasets/{dataset}/quality/actions", response={201: QualityActionOut}, operation_id="quality_act")
def quality_act(request: HttpRequest, dataset: str, body: QualityActionIn) -> Status[QualityActionOut]:
    """Does something about findings; it can be undone."""
    found = dataset_for(request, "data.write", dataset)
    if body.action is ActionKind.RELABEL:
        require(request, "label.write", found.project.workspace_id, project=found.project_id)
    action = services.action_take(
        dataset=found,
        action=body.action,
        kind=body.kind,
        items=body.items,
        min_severity=body.min_severity,
        actor=principal_of(request),
    )
    return Status(201, _actions_out([action])[0])


@router.get("/datasets/{dataset}/quality/actions", response=PageOut[QualityActionOut], operation_id="quality_actions")
def quality_actions(request: HttpRequest, dataset: str, query: Query[PageQuery]) -> PageOut[QualityActionOut]:
    """What was done about findings, newest first."""
    page = selectors.action_page(dataset_for(request, "data.read", dataset), cursor=query.cursor, limit=query.limit)
    return PageOut(items=_actions_out(page.items), next_cursor=page.next_cursor)


@router.post("/quality/actions/{quality_action}/undo", response=QualityActionOut, operation_id="quality_undo")
def quality_undo(request: HttpRequest, quality_action: str) -> QualityActionOut:
    """Puts items back as they were; those changed since stay as they are."""
    found = selectors.action_get(sight_of(request), quality_action)
    require(request, "data.write", found.dataset.project.workspace_id, project=found.dataset.project_id)
    return _actions_out([services.action_undo(action=found, actor=principal_of(request))])[0]


def _actions_out(actions: Sequence[QualityAction]) -> list[QualityActionOut]:
    actors = actors_out({action.created_by for action in actions})
    return [
        QualityActionOut(
            id=action.id,
            action=ActionKind(action.action),
            kind=FindingKind(action.finding),
            num_items=action.num_items,
            created_at=action.created_at,
            created_by=actors[action.created_by],
            undone_at=action.undone_at,
            num_kept=action.num_kept,
        )
        for action in actions
    ]

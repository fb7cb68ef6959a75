"""HTTP endpoints of label changes."""

from __future__ import annotations

from django.http import HttpRequest
from ninja import Query, Router, Status

from labeling.label_changes import selectors, services
from labeling.label_changes.models import LabelChange
from labeling.label_changes.schemas import LabelChangeIn, LabelChangeOut, LabelChangeStartedOut, LabelPreviewOut
from studio.accounts.access import principal_of, require
from studio.common.paging import PageOut, PageQuery
from studio.datasets.items.http import project_dataset_for, sight_of
from studio.jobs.models import Job
from studio.jobs.schemas import job_out

router = Router(tags=["labeling"])


@router.post("/labeling/label-changes/preview", response=LabelPreviewOut, operation_id="label_change_preview")
def label_change_preview(request: HttpRequest, body: LabelChangeIn) -> LabelPreviewOut:
    """What a change of labels would do."""
    return selectors.label_change_preview(project_dataset_for(request, "project.write", body.project), body.plan)


@router.post(
    "/labeling/label-changes",
    response={200: LabelChangeStartedOut, 202: LabelChangeStartedOut},
    operation_id="label_change_start",
)
def label_change_start(request: HttpRequest, body: LabelChangeIn) -> Status[LabelChangeStartedOut]:
    """Renames, merges or splits labels: 200 when it is done, 202 with a job when there are many items."""
    dataset = project_dataset_for(request, "project.write", body.project)
    return _started(*services.label_change_start(dataset=dataset, plan=body.plan, actor=principal_of(request)))


@router.get("/labeling/label-changes", response=PageOut[LabelChangeOut], operation_id="label_changes_list")
def label_changes_list(request: HttpRequest, project: str, query: Query[PageQuery]) -> PageOut[LabelChangeOut]:
    """What was done to a project's labels, newest first."""
    found = project_dataset_for(request, "data.read", project).project
    page = selectors.label_change_page(found, cursor=query.cursor, limit=query.limit)
    return PageOut(items=[selectors.label_change_out(one) for one in page.items], next_cursor=page.next_cursor)


@router.post(
    "/labeling/label-changes/{label_change}/undo",
    response={200: LabelChangeStartedOut, 202: LabelChangeStartedOut},
    operation_id="label_change_undo",
)
def label_change_undo(request: HttpRequest, label_change: str) -> Status[LabelChangeStartedOut]:
    """Takes a change back."""
    found = selectors.label_change_get(sight_of(request), label_change)
    require(request, "project.write", found.project.workspace_id, project=found.project_id)
    return _started(*services.label_change_undo(change=found, actor=principal_of(request)))


def _started(change: LabelChange, job: Job | None) -> Status[LabelChangeStartedOut]:
    out = LabelChangeStartedOut(change=selectors.label_change_out(change), job=None if job is None else job_out(job))
    return Status(200 if job is None else 202, out)

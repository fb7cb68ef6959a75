"""HTTP endpoints of projects, with the stream of a project's events."""

from __future__ import annotations

from django.http import HttpRequest, StreamingHttpResponse
from ninja import Query, Router, Status

from automl.planning.goals import goals_of
from studio.accounts.access import allow, may_still, principal_of, require, sight_for_list
from studio.common.events import event_stream
from studio.common.paging import PageQuery, page_of
from studio.common.readable import ReadablePageOut, rows_shown
from studio.projects import catalog, hooks, selectors, services
from studio.projects.access import project_for
from studio.projects.guide import GuideOut, guide_out
from studio.projects.schemas import (
    LabelsIn,
    ProblemsOut,
    ProjectChangeIn,
    ProjectIn,
    ProjectOut,
    TaskOut,
    project_out,
    projects_out,
)

router = Router(tags=["projects"])


@router.get("/tasks", response=list[TaskOut], operation_id="tasks_list")
def tasks_list(request: HttpRequest) -> list[TaskOut]:
    """Task types with the model families that fit them."""
    principal_of(request)
    found = [(task, catalog.families_of(task)) for task in catalog.tasks().values()]
    return [TaskOut(**dict(task), families=families, goals=list(goals_of(families))) for task, families in found]


@router.get("/projects", response=ReadablePageOut[ProjectOut], operation_id="projects_list")
def projects_list(
    request: HttpRequest, page: Query[PageQuery], workspace: str | None = None, deleted: bool = False
) -> ReadablePageOut[ProjectOut]:
    """Projects of a workspace, or of all workspaces of the caller, newest first; or those that were deleted."""
    if workspace is None:
        sight = principal_of(request).sight_of("project.read")
    else:
        sight = sight_for_list(request, "project.read", workspace)
    listed = selectors.project_list_deleted if deleted else selectors.project_list
    found = page_of(listed(sight), cursor=page.cursor, limit=page.limit)
    shown = rows_shown(found.items, lambda some: projects_out(some, principal_of(request)))
    return ReadablePageOut[ProjectOut](items=shown.items, unreadable=shown.unreadable, next_cursor=found.next_cursor)


@router.post("/projects", response={201: ProjectOut}, operation_id="project_create")
def project_create(request: HttpRequest, body: ProjectIn) -> Status[ProjectOut]:
    """Makes a project with its dataset."""
    workspace = require(request, "project.write", body.workspace)
    project = services.project_create(
        workspace=workspace,
        name=body.name,
        description=body.description,
        task=body.task,
        task_options=body.task_options,
        actor=principal_of(request),
    )
    return Status(201, project_out(project, principal_of(request)))


@router.get("/projects/{project_id}", response=ProjectOut, operation_id="project_get")
def project_get(request: HttpRequest, project_id: str) -> ProjectOut:
    """One project."""
    return project_out(project_for(request, project_id, "project.read"), principal_of(request))


@router.patch("/projects/{project_id}", response=ProjectOut, operation_id="project_update")
def project_update(request: HttpRequest, project_id: str, body: ProjectChangeIn) -> ProjectOut:
    """Changes name, description or the rule for areas that meet."""
    project = project_for(request, project_id, "project.write")
    actor = principal_of(request)
    changed = services.project_update(
        project=project, actor=actor, name=body.name, description=body.description, overlap=body.overlap
    )
    return project_out(changed, actor)


@router.delete("/projects/{project_id}", response={204: None}, operation_id="project_delete")
def project_delete(request: HttpRequest, project_id: str) -> Status[None]:
    """Takes a project out of sight; it can be restored."""
    services.project_delete(project=project_for(request, project_id, "project.write"), actor=principal_of(request))
    return Status(204, None)


@router.post("/projects/{project_id}/restore", response=ProjectOut, operation_id="project_restore")
def project_restore(request: HttpRequest, project_id: str) -> ProjectOut:
    """Brings a deleted project back as it was."""
    actor = principal_of(request)
    project = selectors.project_get_any(actor.sight, project_id=project_id)
    allow(request, "project.write", project.workspace_id, project=project.id)
    return project_out(services.project_restore(project=project, actor=actor), actor)


@router.put("/projects/{project_id}/labels", response=ProjectOut, operation_id="labels_set")
def labels_set(request: HttpRequest, project_id: str, body: LabelsIn) -> ProjectOut:
    """Adds, recolours, reorders or removes labels; one that is in use cannot go."""
    project = project_for(request, project_id, "project.write")
    actor = principal_of(request)
    return project_out(services.labels_set(project=project, labels=body.labels, actor=actor), actor)


@router.get("/projects/{project_id}/problems", response=ProblemsOut, operation_id="project_problems")
def project_problems(request: HttpRequest, project_id: str) -> ProblemsOut:
    """Problems of the dataset, each with its remedy."""
    return ProblemsOut(items=hooks.project_problems(project_for(request, project_id, "data.read")))


@router.get("/projects/{project_id}/guide", response=GuideOut, operation_id="project_guide")
def project_guide(request: HttpRequest, project_id: str) -> GuideOut:
    """How far the project is on the way to an answered API."""
    return guide_out(project_for(request, project_id, "project.read"))


@router.get("/projects/{project_id}/events", operation_id="project_events")
def project_events(request: HttpRequest, project_id: str, after: int | None = None) -> StreamingHttpResponse:
    """Server-sent events of the project: those after ``Last-Event-ID`` or ``after``, else those from now on."""
    project = project_for(request, project_id, "project.read")
    caller, workspace = principal_of(request).id, project.workspace_id
    seen = request.headers.get("Last-Event-ID", "")
    stream = event_stream(
        project.id,
        after=int(seen) if seen.isdigit() else after,
        may_follow=lambda: may_still(caller, "project.read", workspace, project.id),
    )
    response = StreamingHttpResponse(stream, content_type="text/event-stream")
    response["Cache-Control"] = "no-cache"
    response["X-Accel-Buffering"] = "no"  # a proxy must not wait for a full buffer
    return response

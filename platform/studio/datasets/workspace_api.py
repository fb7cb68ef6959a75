"""What an owner sees of a workspace as a whole: where its storage is, and what its workers do."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from django.http import HttpRequest
from ninja import Router, Schema

from automl.contracts.base import Text
from automl.contracts.job import JobState
from studio.accounts.access import require
from studio.datasets import hooks, quota_use
from studio.jobs.models import Job
from studio.projects.models import Project

router = Router(tags=["accounts"])

MOST_JOBS = 100


class StoragePart(StrEnum):
    """What storage is taken by."""

    DATA = "data"
    PREDICTIONS = "predictions"
    GALLERIES = "galleries"
    TEMPLATES = "templates"


class ProjectUseOut(Schema):
    """The storage and items of one project."""

    project: str
    name: str
    is_deleted: bool
    """Deleted; what it holds counts on, since it can be restored."""
    num_items: int
    storage_bytes: int
    """The sum of ``parts``."""
    parts: dict[StoragePart, int]
    """Bytes by what takes them; what takes none is left out."""


class QueuedJobOut(Schema):
    """A job that waits or runs."""

    id: str
    project: str
    project_name: str
    title: Text
    state: JobState
    is_paused: bool
    """It waits until what it is part of is resumed."""
    worker: str
    """The host that works on it, and behind a comma those that take part; empty while it waits."""
    queued_at: datetime
    heartbeat_at: datetime | None
    """The last sign of life."""


class OperationOut(Schema):
    """A workspace at work."""

    projects: list[ProjectUseOut]
    """Those that hold something, the largest first."""
    num_waiting: int
    """For a worker; paused jobs wait for none."""
    num_running: int
    jobs: list[QueuedJobOut]
    """What has not ended, the oldest first; a hundred at most."""


@router.get("/workspaces/{workspace_id}/operation", response=OperationOut, operation_id="workspace_operation")
def workspace_operation(request: HttpRequest, workspace_id: str) -> OperationOut:
    """Storage by project, and the jobs that wait and run."""
    workspace = require(request, "workspace.manage", workspace_id)
    jobs = Job.objects.filter(workspace=workspace, ended_at=None).select_related("project").order_by("id")
    jobs = jobs.prefetch_related("parts")
    return OperationOut(
        projects=_projects(workspace.id),
        num_waiting=jobs.filter(state=JobState.QUEUED, is_paused=False).count(),
        num_running=jobs.exclude(state=JobState.QUEUED).count(),
        jobs=[
            QueuedJobOut(
                id=job.id,
                project=job.project_id,
                project_name=job.project.name,
                title=Text.model_validate(job.title),
                state=JobState(job.state),
                is_paused=job.is_paused and job.state == JobState.QUEUED.value,
                worker=", ".join(filter(None, [job.lease_owner.partition(":")[0], *(part.host for part in job.parts.all())])),
                queued_at=job.queued_at,
                heartbeat_at=job.heartbeat_at,
            )
            for job in jobs[:MOST_JOBS]
        ],
    )


def _projects(workspace: str) -> list[ProjectUseOut]:
    taken = {StoragePart.DATA: quota_use.storage_by_project(workspace)}
    taken |= {part: hooks.storage_by_project(part.value, workspace) for part in StoragePart if part is not StoragePart.DATA}
    num_items = quota_use.items_by_project(workspace)
    found = []
    for id_, name, deleted_at in Project.objects.filter(workspace=workspace).values_list("id", "name", "deleted_at"):
        parts = {part: size for part, by_project in taken.items() if (size := by_project.get(id_, 0))}
        found.append(
            ProjectUseOut(
                project=id_,
                name=name,
                is_deleted=deleted_at is not None,
                num_items=num_items.get(id_, 0),
                storage_bytes=sum(parts.values()),
                parts=parts,
            )
        )
    return sorted((one for one in found if one.num_items or one.storage_bytes), key=lambda one: -one.storage_bytes)

"""What an owner sees of a workspace as a whole: where its storage is, and what its workers do."""

from __future__ import annotations

from datetime import datetime

from django.http import HttpRequest
from ninja import Router, Schema

from automl.contracts.base import Text
from automl.contracts.job import JobState
from studio.accounts.access import require
from studio.datasets.items.counts import Facet, counts_read
from studio.datasets.models import Dataset
from studio.jobs.models import Job

router = Router(tags=["accounts"])

MOST_JOBS = 100


class ProjectUseOut(Schema):
    """What one project holds."""

    project: str
    name: str
    num_items: int
    storage_bytes: int


class QueuedJobOut(Schema):
    """A job that waits or runs."""

    id: str
    project: str
    project_name: str
    title: Text
    state: JobState
    worker: str
    """The host that works on it; empty while it waits."""
    queued_at: datetime
    heartbeat_at: datetime | None
    """The last sign of life."""


class OperationOut(Schema):
    """A workspace at work."""

    projects: list[ProjectUseOut]
    """Those that hold something, the largest first."""
    num_waiting: int
    num_running: int
    jobs: list[QueuedJobOut]
    """What has not ended, the oldest first; a hundred at most."""


@router.get("/workspaces/{workspace_id}/operation", response=OperationOut, operation_id="workspace_operation")
def workspace_operation(request: HttpRequest, workspace_id: str) -> OperationOut:
    """Storage by project, and the jobs that wait and run."""
    workspace = require(request, "workspace.manage", workspace_id)
    jobs = Job.objects.filter(workspace=workspace, ended_at=None).select_related("project").order_by("id")
    num = jobs.count()
    num_waiting = jobs.filter(state=JobState.QUEUED).count()
    return OperationOut(
        projects=_projects(workspace.id),
        num_waiting=num_waiting,
        num_running=num - num_waiting,
        jobs=[
            QueuedJobOut(
                id=job.id,
                project=job.project_id,
                project_name=job.project.name,
                title=Text.model_validate(job.title),
                state=JobState(job.state),
                worker=job.lease_owner.partition(":")[0],
                queued_at=job.queued_at,
                heartbeat_at=job.heartbeat_at,
            )
            for job in jobs[:MOST_JOBS]
        ],
    )


def _projects(workspace: str) -> list[ProjectUseOut]:
    rows = Dataset.objects.filter(project__workspace=workspace, project__deleted_at=None)
    datasets = {id_: (project, name) for id_, project, name in rows.values_list("id", "project", "project__name")}
    sizes, states = counts_read(list(datasets), Facet.BYTES), counts_read(list(datasets), Facet.STATE)
    found = [
        ProjectUseOut(
            project=project,
            name=name,
            num_items=sum(states.get(id_, {}).get(Facet.STATE, {}).values()),
            storage_bytes=sum(sizes.get(id_, {}).get(Facet.BYTES, {}).values()),
        )
        for id_, (project, name) in datasets.items()
    ]
    return sorted((one for one in found if one.num_items), key=lambda one: -one.storage_bytes)

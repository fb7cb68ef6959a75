"""HTTP endpoints of restoring and branching. Changes are previewed by ``version_diff`` of the data sets, with ``working``."""

from __future__ import annotations

from django.http import HttpRequest
from ninja import Router, Status

from labeling.branching import services
from labeling.branching.schemas import (
    BranchStartIn,
    BranchSwitchIn,
    LastRestoreOut,
    RestoreIn,
    RestoreJobOut,
    RestoreOut,
    UndoIn,
)
from studio.accounts.access import principal_of, require
from studio.common.errors import NotFoundError
from studio.datasets.items.http import project_dataset_for, sight_of
from studio.datasets.items.selectors import dataset_get
from studio.datasets.models import Dataset, DatasetVersion
from studio.datasets.versions.selectors import version_get
from studio.jobs.models import Job
from studio.jobs.schemas import job_out

router = Router(tags=["versions"])


@router.post("/labeling/restores", response={202: RestoreJobOut}, operation_id="restore_submit")
def restore_submit(request: HttpRequest, body: RestoreIn) -> Status[RestoreJobOut]:
    """Puts the working state back to a version; the state before is cut as a version first."""
    dataset = project_dataset_for(request, "version.write", body.project)
    version = _version_for(request, dataset, body.version)
    return _job_status(services.restore_submit(dataset=dataset, version=version, actor=principal_of(request)))


@router.post("/labeling/restores/undo", response={202: RestoreJobOut}, operation_id="restore_undo")
def restore_undo(request: HttpRequest, body: UndoIn) -> Status[RestoreJobOut]:
    """Undoes the last restore."""
    job = Job.objects.filter(sight_of(request).of("project", "workspace"), id=body.job, kind=services.KIND).first()
    if job is None:
        raise NotFoundError("There is no such restore.")
    require(request, "version.write", job.workspace_id, project=job.project_id)
    dataset = dataset_get(sight_of(request), job.subject)
    return _job_status(services.restore_undo(dataset=dataset, job=job, actor=principal_of(request)))


@router.get("/labeling/restores/last", response=LastRestoreOut, operation_id="restore_last")
def restore_last(request: HttpRequest, project: str) -> LastRestoreOut:
    """The last restore of a project; it can be undone while no version was cut since."""
    dataset = project_dataset_for(request, "data.read", project)
    job = services.restore_last(dataset)
    return LastRestoreOut(last=None if job is None else _restore_out(dataset, job))


@router.post("/labeling/branches", response={202: RestoreJobOut}, operation_id="branch_create")
def branch_create(request: HttpRequest, body: BranchStartIn) -> Status[RestoreJobOut]:
    """Starts a branch at a version and switches to it."""
    dataset = project_dataset_for(request, "version.write", body.project)
    version = _version_for(request, dataset, body.version)
    return _job_status(services.branch_create(dataset=dataset, name=body.name, version=version, actor=principal_of(request)))


@router.post("/labeling/branches/switch", response={202: RestoreJobOut}, operation_id="branch_switch")
def branch_switch(request: HttpRequest, body: BranchSwitchIn) -> Status[RestoreJobOut]:
    """Switches to the head of another branch; the present state is kept as a version of its own branch."""
    dataset = project_dataset_for(request, "version.write", body.project)
    return _job_status(services.branch_switch(dataset=dataset, name=body.name, actor=principal_of(request)))


def _version_for(request: HttpRequest, dataset: Dataset, version: str) -> DatasetVersion:
    found = version_get(sight_of(request), version)
    if found.project_id != dataset.project_id:
        raise NotFoundError("The project has no such version.")
    return found


def _job_status(job: Job) -> Status[RestoreJobOut]:
    return Status(202, RestoreJobOut(job=job_out(job)))


def _restore_out(dataset: Dataset, job: Job) -> RestoreOut:
    payload = job.payload
    numbers = dict(DatasetVersion.objects.filter(id__in=[payload["version"], payload["saved"]]).values_list("id", "number"))
    return RestoreOut(
        job=job.id,
        version=payload["version"],
        version_number=numbers[payload["version"]],
        branch=payload["branch"] or payload["branch_before"],
        saved=payload["saved"],
        saved_number=numbers[payload["saved"]],
        num_changed=payload["num_changed"],
        num_unlabelled=payload["num_unlabelled"],
        num_brought_back=payload["num_brought_back"],
        num_kept=payload["num_kept"],
        by=payload["actor"]["id"],
        at=job.ended_at or job.created_at,
        can_undo=dataset.base_id == payload["version"] and payload["saved"] != payload["version"],
    )

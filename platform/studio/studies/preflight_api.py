"""HTTP endpoints of pre-flights: trainings that are tried before they are started."""

from __future__ import annotations

from django.http import HttpRequest
from ninja import Router, Status

from studio.accounts.access import principal_of, require
from studio.accounts.roles import Action
from studio.datasets.versions.selectors import version_get
from studio.jobs.models import Job
from studio.studies import preflights
from studio.studies.api import request_of, version_for
from studio.studies.preflight_present import cured_out, preflight_out
from studio.studies.preflights import Preflight, preflight_of
from studio.studies.schemas import PreflightCuredOut, PreflightOut, StudyPlanIn

router = Router(tags=["studies"])


@router.post("/preflights", response={202: PreflightOut}, operation_id="preflight_start")
def preflight_start(request: HttpRequest, body: StudyPlanIn) -> Status[PreflightOut]:
    """Tries a training before it is started, in a job of at most a minute: its own code, on the hardest items."""
    version = version_for(request, body, "study.write")
    asked = body.model_dump(mode="json")
    found = request_of(request, body, version)
    job = preflights.preflight_start(version=version, request=found, asked=asked, actor=principal_of(request))
    return Status(202, preflight_out(preflight_of(job, version, found)))


@router.get("/preflights/{preflight_id}", response=PreflightOut, operation_id="preflight_get")
def preflight_get(request: HttpRequest, preflight_id: str) -> PreflightOut:
    """Where a pre-flight stands, and what it found once it has ended."""
    return preflight_out(_preflight_for(request, preflight_id, "study.read"))


@router.post(
    "/preflights/{preflight_id}/cures/{cure}",
    response={200: PreflightCuredOut, 202: PreflightCuredOut},
    operation_id="preflight_cure",
)
def preflight_cure(request: HttpRequest, preflight_id: str, cure: str) -> Status[PreflightCuredOut]:
    """The settings changed by a cure; items that make the training fail are put aside first where the cure says so.

    202 where a job cuts the version without them, since the dataset is large.
    """
    preflight = _preflight_for(request, preflight_id, "study.write")
    for action in preflights.cure_found(preflight, cure)[0].needs:
        require(request, action, preflight.job.workspace_id, project=preflight.job.project_id)
    found, changed = preflights.preflight_cure(preflight, name=cure, actor=principal_of(request))
    if isinstance(found, Job):
        return Status(202, cured_out(preflight.version, changed, found))
    return Status(200, cured_out(found, changed))


def _preflight_for(request: HttpRequest, preflight_id: str, action: Action) -> Preflight:
    job: Job = preflights.preflight_job(principal_of(request).sight, preflight_id)
    require(request, action, job.workspace_id, project=job.project_id)
    version = version_get(principal_of(request).sight, job.subject)
    return preflight_of(job, version, request_of(request, StudyPlanIn.model_validate(job.payload["asked"]), version))

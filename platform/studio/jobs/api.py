"""HTTP endpoints of jobs."""

from __future__ import annotations

from typing import Annotated

from django.http import HttpRequest
from ninja import Query, Router

from automl.contracts.job import JobState
from studio.accounts.access import principal_of, require
from studio.accounts.roles import Action
from studio.common.paging import PageOut, PageQuery, page_of
from studio.jobs import selectors, services, workdir
from studio.jobs.models import Job
from studio.jobs.order import jobs_before
from studio.jobs.schemas import JobEventsOut, JobLogOut, JobOut, job_out
from studio.jobs.states import job_is_finished

router = Router(tags=["jobs"])


def job_for(request: HttpRequest, job_id: str, action: Action) -> Job:
    """The job, when the caller may do the action in its workspace."""
    job = selectors.job_get(principal_of(request).sight, job_id=job_id)
    require(request, action, job.workspace_id, project=job.project_id)
    return job


@router.get("/jobs", response=PageOut[JobOut], operation_id="jobs_list")
def jobs_list(
    request: HttpRequest,
    page: Query[PageQuery],
    project: str | None = None,
    state: JobState | None = None,
    kind: str | None = None,
) -> PageOut[JobOut]:
    """Jobs of the projects that the caller may see jobs of, newest first."""
    sight = principal_of(request).sight_of("job.read")
    rows = selectors.job_list(sight, project=project, state=state.value if state else None, kind=kind)
    found = page_of(rows, cursor=page.cursor, limit=page.limit)
    before = jobs_before(found.items)
    items = [job_out(job, num_before=before.get(job.id)) for job in found.items]
    return PageOut[JobOut](items=items, next_cursor=found.next_cursor)


@router.get("/jobs/{job_id}", response=JobOut, operation_id="job_get")
def job_get(request: HttpRequest, job_id: str) -> JobOut:
    """One job."""
    job = job_for(request, job_id, "job.read")
    return job_out(job, num_before=jobs_before([job]).get(job.id))


@router.post("/jobs/{job_id}/cancel", response=JobOut, operation_id="job_cancel")
def job_cancel(request: HttpRequest, job_id: str) -> JobOut:
    """Ends a waiting job, and asks a running one to end."""
    job = job_for(request, job_id, "job.cancel")
    return job_out(services.job_cancel(job=job, actor=principal_of(request)))


@router.get("/jobs/{job_id}/log", response=JobLogOut, operation_id="job_log")
def job_log(request: HttpRequest, job_id: str, offset: Annotated[int, Query(ge=0)] = 0) -> JobLogOut:
    """The job's log from a byte offset on; ask again at ``next_offset`` until ``done``."""
    job = job_for(request, job_id, "job.read")
    path = workdir.job_file(job.id, workdir.LOG_FILE)
    text, next_offset = workdir.text_read(path, offset) if path else ("", offset)
    return JobLogOut(text=text, next_offset=next_offset, done=job_is_finished(job) and not text)


@router.get("/jobs/{job_id}/events", response=JobEventsOut, operation_id="job_events")
def job_events(request: HttpRequest, job_id: str, after: Annotated[int, Query(ge=0)] = 0) -> JobEventsOut:
    """The engine's events, from a byte offset on; ask again at ``next_offset`` until ``done``."""
    job = job_for(request, job_id, "job.read")
    events, next_offset = workdir.events_page(job.id, after)
    return JobEventsOut(events=events, next_offset=next_offset, done=job_is_finished(job) and not events)

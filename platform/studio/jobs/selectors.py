"""Reads of jobs. The first argument is what the caller sees."""

from __future__ import annotations

from django.db.models import Q, QuerySet

from automl.contracts.job import JobState
from studio.accounts.sight import Sight
from studio.common.errors import NotFoundError
from studio.jobs.models import Job
from studio.jobs.states import FINISHED


def job_get(sight: Sight, *, job_id: str) -> Job:
    """One job.

    Raises:
        NotFoundError: there is none within sight.
    """
    job = Job.objects.filter(sight.of("project", "workspace"), id=job_id).first()
    if job is None:
        raise NotFoundError(f"There is no job {job_id}.")
    return job


def job_list(sight: Sight, *, project: str | None = None, state: str | None = None, kind: str | None = None) -> QuerySet[Job]:
    """Jobs, of one project, state or kind when given."""
    jobs = Job.objects.filter(sight.of("project", "workspace"))
    if project is not None:
        jobs = jobs.filter(project_id=project)
    if state is not None:
        jobs = jobs.filter(_shown_as(state))
    if kind is not None:
        jobs = jobs.filter(kind=kind)
    return jobs


def _shown_as(state: str) -> Q:
    """See ``states.job_state_public``."""
    is_entering = Q(state=JobState.SUCCEEDED.value, end_handled_at__isnull=True)
    if state == JobState.RUNNING.value:
        return Q(state=state) | is_entering
    return Q(state=state) & ~is_entering


def job_ids_alive() -> set[str]:
    """Ids of all jobs that are waiting or running, in every workspace; for the housekeeping of a host."""
    states = [state.value for state in FINISHED]
    return set(Job.objects.exclude(state__in=states).values_list("id", flat=True))

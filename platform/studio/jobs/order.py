"""How many jobs wait before another: the order in which workers take what waits (``queue``, ``background``)."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import Count, Q

from automl.contracts.job import JobState
from studio.jobs.background import is_background
from studio.jobs.handlers import executor_of, job_kinds
from studio.jobs.models import Job


def jobs_before(jobs: Sequence[Job]) -> dict[str, int]:
    """How many jobs, of all workspaces, are taken before each of these that waits: by id, with one query for all.

    Engine jobs and the platform's have workers of their own, so those of the other sort do not count, nor do paused ones.
    Several workers take several at once: a job with fewer before it than there are workers may begin at any moment.
    """
    waiting = {job.id: job for job in jobs if job.state == JobState.QUEUED.value and not job.is_paused}
    if not waiting:
        return {}
    counts = {id_: Count("id", filter=_is_before(job)) for id_, job in waiting.items()}
    return Job.objects.filter(state=JobState.QUEUED.value, is_paused=False).aggregate(**counts)


def _is_before(job: Job) -> Q:
    """Jobs that the same workers take first: earlier ones, and what a person waits for before what nobody asked for."""
    executor = executor_of(job.kind)
    background = {kind: is_background(kind) for kind in job_kinds() if executor_of(kind) == executor}
    equal = [kind for kind, each in background.items() if each == is_background(job.kind)]
    earlier = Q(queued_at__lt=job.queued_at) | Q(queued_at=job.queued_at, id__lt=job.id)
    before = Q(kind__in=equal) & earlier
    if is_background(job.kind):
        before |= Q(kind__in=[kind for kind, each in background.items() if not each])
    return before

"""Jobs that the platform starts by itself give way to those that a person waits for.

A handler names such kinds in ``BACKGROUND``. They are taken when nobody's job waits; one that runs is put back into the queue,
without losing an attempt, as soon as somebody's job has found no free worker. Both kinds are engine jobs and share the workers.
"""

from __future__ import annotations

from datetime import timedelta
from functools import cache

from django.db.models import QuerySet
from django.utils import timezone

from automl.contracts.job import JobState
from studio.jobs.handlers import BackgroundHandler, handler_of, job_kinds
from studio.jobs.models import Job
from studio.jobs.services import job_pause, job_resume
from studio.jobs.states import ACTIVE

UNTAKEN = timedelta(seconds=2)
"""A job that waits for so long has found no free worker: that takes milliseconds."""
BETWEEN = timedelta(seconds=3)
"""So soon after a person's job the next one may follow: the next trial of a study."""


def is_background(kind: str) -> bool:
    """Whether jobs of the kind are started by the platform itself."""
    return kind in _kinds(tuple(job_kinds()))[0]


def job_chosen(job_id: str) -> str | None:
    """The job that a worker takes whom a message about ``job_id`` has reached; None: none now, the sweep asks again."""
    kind = Job.objects.filter(id=job_id).values_list("kind", flat=True).first()
    if kind is None or not is_background(kind):
        return job_id
    chosen = _waiting().order_by("id").values_list("id", flat=True).first()
    if chosen is not None:
        return chosen
    return None if _foreground().filter(ended_at__gt=timezone.now() - BETWEEN).exists() else job_id


def gives_way(job: Job) -> bool:
    """Whether a background job that runs is to give way: somebody's job waits, and none began later than this one."""
    if not _waiting().filter(queued_at__lt=timezone.now() - UNTAKEN).exists():
        return False
    running = _background().filter(state__in=[one.value for one in ACTIVE])
    return bool(running.order_by("-started_at", "-id").values_list("id", flat=True).first() == job.id)


def background_pause(project: str) -> None:
    """Lets background jobs of a project that nobody sees wait; one that runs is put back into the queue first."""
    for job in _background().filter(project=project, ended_at__isnull=True):
        job_pause(job=job)


def background_resume(project: str) -> None:
    """Lets them go on."""
    for job in _background().filter(project=project, is_paused=True):
        job_resume(job=job)


def _background() -> QuerySet[Job]:
    return Job.objects.filter(kind__in=_kinds(tuple(job_kinds()))[0])


def _waiting() -> QuerySet[Job]:
    return _foreground().filter(state=JobState.QUEUED.value, is_paused=False)


def _foreground() -> QuerySet[Job]:
    """Engine jobs that somebody waits for."""
    return Job.objects.filter(kind__in=_kinds(tuple(job_kinds()))[1])


@cache
def _kinds(kinds: tuple[str, ...]) -> tuple[frozenset[str], frozenset[str]]:
    """Engine kinds that the platform starts by itself, and the others."""
    handlers = {kind: handler for kind in kinds if (handler := handler_of(kind)).EXECUTORS.get(kind) == "engine"}
    background = {
        kind for kind, handler in handlers.items() if isinstance(handler, BackgroundHandler) and kind in handler.BACKGROUND
    }
    return frozenset(background), frozenset(handlers.keys() - background)

"""Runs one job to its end: takes the lease, does the work or watches the process that does it, and writes how it ended."""

from __future__ import annotations

import logging
import threading
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import F, QuerySet
from django.utils import timezone

from automl.contracts.job import JobState
from studio.common.events import event_record
from studio.jobs.background import job_chosen
from studio.jobs.endings import job_finish
from studio.jobs.engine_run import EngineRun
from studio.jobs.handlers import executor_of, job_kinds
from studio.jobs.leases import LeaseKeeper, job_take
from studio.jobs.models import Job
from studio.jobs.outcome import JobEnded, JobRequeued, Outcome
from studio.jobs.platform_run import PlatformRun
from studio.jobs.queue import job_send
from studio.jobs.reporter import PlatformReporter, broken, failure_ended, handler_run
from studio.jobs.states import JobFinishedError, JobLeaseLostError, job_move
from studio.jobs.workdir import workdir_keep

_log = logging.getLogger(__name__)


_places = threading.BoundedSemaphore(settings.JOB_PLACES)
"""Of platform jobs in this worker. A message that finds none is dropped: whoever has a place looks at the rows that wait."""


def job_execute(job_id: str) -> None:
    """Takes a job and runs it. A second message for a job that is held or finished ends here at once."""
    if settings.CELERY_TASK_ALWAYS_EAGER or not _waiting().filter(id=job_id).exists():
        _execute(job_id)
        return
    next_id: str | None = job_id
    while next_id is not None and _places.acquire(blocking=False):
        try:
            while next_id is not None:
                _execute(next_id)
                next_id = _waiting().values_list("id", flat=True).first()
        finally:
            _places.release()
        next_id = _waiting().values_list("id", flat=True).first()  # its message may have come just before


def _waiting() -> QuerySet[Job]:
    """Platform jobs that wait, the oldest first."""
    kinds = [kind for kind in job_kinds() if executor_of(kind) == "platform"]
    return Job.objects.filter(state=JobState.QUEUED.value, is_paused=False, kind__in=kinds).order_by("id")


def _execute(job_id: str) -> None:
    chosen = job_chosen(job_id)
    job = job_take(chosen) if chosen is not None else None
    if job is None:
        return
    try:
        with LeaseKeeper(job) as keeper:
            outcome = _run(job, keeper)
            if isinstance(outcome, JobEnded):
                workdir_keep(job.id, has_result=outcome.state is JobState.SUCCEEDED)
            _settle(job, outcome)
    except (JobLeaseLostError, JobFinishedError):
        _log.warning("%s: another worker has it now; this one stops", job.id)


def _run(job: Job, keeper: LeaseKeeper) -> Outcome:
    try:
        if executor_of(job.kind) == "engine":
            return EngineRun(job, keeper).run()
        return _platform_run(job, keeper)
    except (JobLeaseLostError, JobFinishedError):
        raise
    except Exception as error:  # noqa: BLE001 - the edge of the process: a row must say why
        return failure_ended(error) or broken(job, error)


def _settle(job: Job, outcome: Outcome) -> None:
    token = job.lease_owner
    if isinstance(outcome, JobEnded):
        changes = {"error": outcome.error, "metrics": dict(outcome.metrics), "cpu_s": outcome.cpu_s}
        job_finish(job, outcome.state, lease=token, changes=changes)
    else:
        job_requeue(job, outcome, lease=token)


def job_requeue(job: Job, outcome: JobRequeued, *, lease: str) -> None:
    """Puts a held job back into the queue for its next attempt."""
    with transaction.atomic():
        changes: dict[str, Any] = {"lease_owner": "", "lease_until": None, "queued_at": timezone.now(), "sent_at": None}
        changes["remaining_s"] = None
        changes |= {} if outcome.is_attempt else {"attempt": F("attempt") - 1}
        changes |= {"batch_parts": F("batch_parts") * 2} if outcome.splits_batches else {}
        job_move(job, JobState.QUEUED, lease=lease, changes=changes)
        event_record(
            workspace=job.workspace_id,
            project=job.project_id,
            type="job.requeued",
            subject=job.id,
            data={"kind": job.kind, "attempt": job.attempt, "reason": outcome.reason},
        )
        if not job.is_paused:
            transaction.on_commit(lambda: job_send(job=job))
    _log.info("%s goes back into the queue after attempt %d: %s", job.id, job.attempt, outcome.reason)


def _platform_run(job: Job, keeper: LeaseKeeper) -> Outcome:
    """In a process of its own; where tasks run in whoever sends them, there too."""
    if not settings.CELERY_TASK_ALWAYS_EAGER:
        return PlatformRun(job, keeper).run()
    reporter = PlatformReporter(job, keeper)
    job_move(job, JobState.RUNNING, lease=job.lease_owner)
    try:
        return handler_run(job, reporter)
    finally:
        reporter.close()

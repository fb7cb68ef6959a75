"""Writes of jobs that come from people and from other rooms: submit, cancel; and sending the message."""

from __future__ import annotations

import logging
from typing import Any

from django.db import transaction
from django.utils import timezone
from kombu.exceptions import OperationalError

from automl.contracts.base import Text
from automl.contracts.job import JobState, StopReason
from studio.accounts.access import Principal
from studio.accounts.audit import audit_record
from studio.common.events import event_record
from studio.jobs import tasks
from studio.jobs.endings import job_finish
from studio.jobs.handlers import executor_of
from studio.jobs.models import Job
from studio.jobs.states import JobFinishedError, job_is_finished

QUEUES = {"engine": "jobs", "platform": "control"}

_log = logging.getLogger(__name__)


def job_submit(
    *,
    workspace: str,
    project: str,
    kind: str,
    title: Text,
    subject: str,
    payload: dict[str, Any],
    idempotency_key: str,
    max_attempts: int = 3,
) -> Job:
    """Queues a job; the same idempotency key gives the same job. The message leaves when the transaction commits.

    Raises:
        JobKindUnknownError: nobody handles the kind.
    """
    executor_of(kind)
    with transaction.atomic():
        job, is_new = Job.objects.get_or_create(
            idempotency_key=idempotency_key,
            defaults={
                "workspace_id": workspace,
                "project_id": project,
                "kind": kind,
                "title": title.model_dump(),
                "subject": subject,
                "payload": payload,
                "max_attempts": max_attempts,
            },
        )
        if is_new:
            event_record(workspace=workspace, project=project, type="job.submitted", subject=job.id, data={"kind": kind})
            transaction.on_commit(lambda: job_send(job=job))
    return job


def job_send(*, job: Job) -> bool:
    """Tells the workers that a row waits. When the broker is away, the sweep sends later.

    Returns:
        Whether the broker took the message.
    """
    try:
        tasks.job_run_task.apply_async((job.id,), queue=QUEUES[executor_of(job.kind)], retry=False)
    except (OperationalError, OSError) as error:
        _log.warning("no message for %s: %s", job.id, error)
        return False
    # Not from the row as read: the job may be running by now.
    Job.objects.filter(id=job.id, state=JobState.QUEUED.value).update(sent_at=timezone.now())
    return True


def job_cancel(*, job: Job, actor: Principal) -> Job:
    """Ends a waiting job at once and asks a running one to end.

    Raises:
        JobFinishedError: it has ended already.
    """
    with transaction.atomic():
        asked = Job.objects.filter(id=job.id, ended_at__isnull=True).update(stop_requested=StopReason.CANCELLED.value)
        job.refresh_from_db()
        if not asked or job_is_finished(job):
            raise JobFinishedError(f"The job is {job.state} already.")
        audit_record(workspace=job.workspace_id, actor=actor, action="job.cancel", subject=job.id)
        if job.state == JobState.QUEUED.value:
            job_finish(job, JobState.CANCELLED)
    return job


def job_stop(*, job: Job, reason: StopReason) -> None:
    """Asks a job to end, on behalf of the platform (a study was cancelled); nothing happens when it has ended.

    An order to end without a result overrides one to finish. A waiting job that is to finish has nothing to finish with.
    """
    with transaction.atomic():
        asked_before = [""] if reason is StopReason.FINISH else ["", StopReason.FINISH.value]
        waiting = Job.objects.filter(id=job.id, ended_at__isnull=True, stop_requested__in=asked_before)
        waiting.update(stop_requested=reason.value)
        job.refresh_from_db()
        if job.state == JobState.QUEUED.value and job.stop_requested:
            job_finish(job, JobState.STOPPED if reason is StopReason.PRUNED else JobState.CANCELLED)

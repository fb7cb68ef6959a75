"""Writes of jobs that come from people and from other apps: submit, cancel, stop, pause, resume."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.utils import timezone

from automl.contracts.base import Text
from automl.contracts.job import JobState, StopReason
from studio.accounts.access import Principal
from studio.accounts.audit import audit_record
from studio.common.events import event_record
from studio.jobs.endings import job_finish
from studio.jobs.handlers import executor_of
from studio.jobs.models import Job
from studio.jobs.queue import job_send
from studio.jobs.states import FINISHED, JobFinishedError, job_is_finished


def job_submit(
    *,
    workspace: str,
    project: str,
    kind: str,
    title: Text,
    subject: str,
    payload: dict[str, Any],
    max_attempts: int = 3,
) -> Job:
    """Queues a job. The message leaves when the transaction commits.

    Raises:
        JobKindUnknownError: nobody handles the kind.
    """
    executor_of(kind)
    with transaction.atomic():
        job = Job(
            workspace_id=workspace,
            project_id=project,
            kind=kind,
            title=title.model_dump(),
            subject=subject,
            payload=payload,
            max_attempts=max_attempts,
        )
        job.idempotency_key = job.id
        job.save(force_insert=True)
        _submitted(job)
    return job


def job_submit_once(
    *,
    workspace: str,
    project: str,
    kind: str,
    title: Text,
    subject: str,
    payload: dict[str, Any],
    variant: tuple[str, ...] = (),
    max_attempts: int = 3,
) -> tuple[Job, bool]:
    """Queues a job unless one of the kind waits or runs for the subject; of several who ask at once all get the same one.

    Args:
        workspace: id.
        project: id.
        kind: a key of ``handlers.job_kinds()``.
        title: what a person reads.
        subject: id of what the job is about.
        payload: what its handler needs; of a job that is there already it stays as it was.
        variant: distinguishes jobs for one subject that may run side by side.
        max_attempts: of a new job.

    Returns:
        The job, and whether it is new.

    Raises:
        JobKindUnknownError: nobody handles the kind.
    """
    executor_of(kind)
    series = ":".join((kind, subject, *variant, ""))
    finished = [state.value for state in FINISHED]
    ended = Job.objects.filter(project=project, kind=kind, subject=subject, state__in=finished)
    with transaction.atomic():
        job, is_new = Job.objects.get_or_create(
            # Two who count the same ends name the same key, and the unique column lets one of them in.
            idempotency_key=f"{series}{ended.filter(idempotency_key__startswith=series).count()}",
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
            _submitted(job)
    return job, is_new


def _submitted(job: Job) -> None:
    event_record(
        workspace=job.workspace_id, project=job.project_id, type="job.submitted", subject=job.id, data={"kind": job.kind}
    )
    transaction.on_commit(lambda: job_send(job=job))


def job_cancel(*, job: Job, actor: Principal) -> Job:
    """Ends a waiting job at once and asks a running one to end.

    Raises:
        JobFinishedError: it has ended already.
    """
    with transaction.atomic():
        num_stopped = Job.objects.filter(id=job.id, ended_at__isnull=True).update(stop_requested=StopReason.CANCELLED.value)
        job.refresh_from_db()
        if not num_stopped or job_is_finished(job):
            raise JobFinishedError(f"The job is {job.state} already.")
        audit_record(workspace=job.workspace_id, project=job.project_id, actor=actor, action="job.cancel", subject=job.id)
        if job.state == JobState.QUEUED.value:
            job_finish(job, JobState.CANCELLED)
    return job


def job_stop(*, job: Job, reason: StopReason) -> None:
    """Asks a job to end, on behalf of the platform (a study was cancelled); nothing happens when it has ended.

    An order to end without a result overrides one to finish. A waiting job that is to finish has nothing to finish with.
    """
    with transaction.atomic():
        overridden = [""] if reason is StopReason.FINISH else ["", StopReason.FINISH.value]
        waiting = Job.objects.filter(id=job.id, ended_at__isnull=True, stop_requested__in=overridden)
        waiting.update(stop_requested=reason.value)
        job.refresh_from_db()
        if job.state == JobState.QUEUED.value and job.stop_requested:
            job_finish(job, JobState.STOPPED if reason is StopReason.PRUNED else JobState.CANCELLED)


def job_pause(*, job: Job) -> None:
    """Keeps a job waiting until ``job_resume``; one that runs ends its process first. Nothing happens when it has ended."""
    Job.objects.filter(id=job.id, ended_at__isnull=True).update(is_paused=True)


def job_resume(*, job: Job) -> None:
    """Lets a paused job go on from its last checkpoint."""
    with transaction.atomic():
        if not Job.objects.filter(id=job.id, is_paused=True).update(is_paused=False, queued_at=timezone.now(), sent_at=None):
            return
        job.refresh_from_db()
        if job.state == JobState.QUEUED.value:  # one that is about to be put back is sent by whoever does that
            transaction.on_commit(lambda: job_send(job=job))

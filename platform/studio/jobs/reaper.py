"""The sweep: finds what nobody works on any more and sees that each step is done once or failed with a reason.

Runs every few seconds; it reads three small indexes and writes only where something is wrong. Several at once do no harm,
since every move is guarded.
"""

from __future__ import annotations

import logging
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Q
from django.utils import timezone

from automl.contracts.job import JobState, StopReason
from studio.jobs.endings import end_handle, job_finish
from studio.jobs.models import Job
from studio.jobs.outcome import STOPPED_AS, JobRequeued, error_json
from studio.jobs.queue import job_send
from studio.jobs.runner import job_requeue
from studio.jobs.states import ACTIVE, FINISHED, JobFinishedError, JobLeaseLostError, JobMoveError

BATCH = 200
RESEND_MAX_S = 300.0
HANDLE_AFTER = timedelta(seconds=5)
"""How long the task that calls the handler has before the sweep does its work."""

_log = logging.getLogger(__name__)


def jobs_sweep(*, now: datetime | None = None) -> None:
    """Mends everything there is to mend."""
    now = now or timezone.now()
    leases_sweep(now=now)
    queue_sweep(now=now)
    ends_sweep(now=now)


def leases_sweep(*, now: datetime) -> None:
    """Requeues jobs whose holder is silent, or ends them when no attempt is left."""
    states = [state.value for state in ACTIVE]
    for job in Job.objects.filter(state__in=states, lease_until__lt=now).order_by("lease_until")[:BATCH]:
        try:
            _mend(job)
        except (JobFinishedError, JobLeaseLostError, JobMoveError):
            _log.info("%s was mended by another", job.id)


def _mend(job: Job) -> None:
    if job.stop_requested and (reason := StopReason(job.stop_requested)) in STOPPED_AS:
        job_finish(job, STOPPED_AS[reason], lease=job.lease_owner)
    elif job.attempt < job.max_attempts:
        job_requeue(job, JobRequeued("its worker is gone"), lease=job.lease_owner)
    else:
        message = f"The worker of this job is gone, in attempt {job.attempt} of {job.max_attempts}."
        hint = "See whether the machine has enough memory, then try again."
        job_finish(job, JobState.FAILED, lease=job.lease_owner, changes={"error": error_json("worker_lost", message, hint)})


def queue_sweep(*, now: datetime) -> None:
    """Sends a message again for jobs that nobody took, at growing distances, since a long queue is no loss."""
    soonest = now - timedelta(seconds=settings.JOB_RESEND_S)
    waiting = Job.objects.filter(Q(sent_at__isnull=True) | Q(sent_at__lt=soonest), state=JobState.QUEUED.value, is_paused=False)
    for job in waiting.filter(queued_at__lt=now - timedelta(seconds=1)).order_by("id")[:BATCH]:
        distance_s = (job.sent_at - job.queued_at).total_seconds() if job.sent_at else 0.0
        wait_s = min(RESEND_MAX_S, max(settings.JOB_RESEND_S, distance_s))
        if (job.sent_at is None or (now - job.sent_at).total_seconds() > wait_s) and not job_send(job=job):
            return  # the broker is away


def ends_sweep(*, now: datetime) -> None:
    """Calls handlers again for ends that they have not handled yet."""
    states = [state.value for state in FINISHED]
    open_ends = Job.objects.filter(state__in=states, end_handled_at__isnull=True, ended_at__lt=now - HANDLE_AFTER)
    unclaimed = open_ends.filter(Q(end_claimed_until__isnull=True) | Q(end_claimed_until__lt=now))
    for job_id in unclaimed.order_by("ended_at").values_list("id", flat=True)[:BATCH]:
        end_handle(job_id, now=now)

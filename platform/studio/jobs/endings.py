"""The end of a job: one move, one event, and the handler is called until it succeeds.

The event of a job that succeeded comes once the handler has entered what came of it: until then nobody is shown that it did.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from automl.contracts.job import JobState
from studio.common.events import event_record
from studio.jobs import handlers
from studio.jobs.models import Job
from studio.jobs.queue import END_TASK, task_send
from studio.jobs.states import FINISHED, job_move
from studio.jobs.workdir import workdir_shrink

CLAIM = timedelta(minutes=2)
"""How long one process has to call the handler before another may try."""
RETRY = timedelta(seconds=10)
"""How long after a handler's failure it is asked again."""

_log = logging.getLogger(__name__)


def job_finish(job: Job, to: JobState, *, lease: str | None = None, changes: Mapping[str, Any] | None = None) -> None:
    """Ends a job. The handler is called by a task after the commit; should its message get lost, by the sweep.

    Raises:
        JobFinishedError: it has ended already.
        JobLeaseLostError: another worker holds it.
    """
    assert to in FINISHED
    with transaction.atomic():
        fields = {**(changes or {}), "ended_at": timezone.now(), "lease_owner": "", "lease_until": None, "remaining_s": None}
        if to is JobState.SUCCEEDED:
            fields["progress_fraction"] = 1.0
        job_move(job, to, lease=lease, changes=fields)
        if to is not JobState.SUCCEEDED:
            _record_ended(job)
        transaction.on_commit(lambda: task_send(END_TASK, job.id))


def end_handle(job_id: str, *, now: datetime | None = None) -> bool:
    """Calls the handler of an ended job, unless that is done or being done.

    Returns:
        Whether the handler was called and succeeded.
    """
    now = now or timezone.now()
    states = [state.value for state in FINISHED]
    is_claimed = (
        Job.objects.filter(id=job_id, state__in=states, end_handled_at__isnull=True)
        .filter(Q(end_claimed_until__isnull=True) | Q(end_claimed_until__lt=now))
        .update(end_claimed_until=now + CLAIM)
    )
    if not is_claimed:
        return False
    job = Job.objects.get(id=job_id)
    try:
        handlers.job_ended(job)
    except Exception:  # noqa: BLE001 - the edge between apps: the sweep comes back to it, the log names it
        _log.exception("handler of %s (%s) failed at its end", job.id, job.kind)
        Job.objects.filter(id=job_id).update(end_claimed_until=now + RETRY)
        return False
    with transaction.atomic():
        is_first = Job.objects.filter(id=job_id, end_handled_at__isnull=True).update(end_handled_at=timezone.now())
        if is_first and job.state == JobState.SUCCEEDED.value:
            _record_ended(job)
    if job.state != JobState.FAILED.value:  # a failed job's directory is its evidence
        workdir_shrink(job_id)
    return True


def _record_ended(job: Job) -> None:
    """Says to open pages that a job has ended."""
    event_record(
        workspace=job.workspace_id,
        project=job.project_id,
        type="job.ended",
        subject=job.id,
        data={"kind": job.kind, "state": job.state, "subject": job.subject, "error": job.error},
    )

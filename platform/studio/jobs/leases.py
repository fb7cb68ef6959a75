"""A lease records who works on a job and until when; it is renewed by a thread beside the work.

Whoever lets it run out is taken for dead, and must notice that itself before it writes again.
"""

from __future__ import annotations

import logging
import os
import secrets
import threading
from datetime import datetime, timedelta
from types import TracebackType

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.models import F
from django.db.models.functions import Coalesce
from django.utils import timezone

from automl.contracts.job import JobState
from studio.jobs.hosts import host_name
from studio.jobs.models import Job
from studio.jobs.states import JobFinishedError, JobLeaseLostError, JobMoveError, job_move, job_write

_log = logging.getLogger(__name__)


def lease_until(now: datetime) -> datetime:
    """When a lease taken or renewed now runs out."""
    return now + timedelta(seconds=settings.JOB_LEASE_S)


def job_take(job_id: str, *, now: datetime | None = None) -> Job | None:
    """Takes a waiting job; None when it does not wait (a second message, a cancelled or paused job) or does not exist."""
    job = Job.objects.filter(id=job_id, state=JobState.QUEUED.value, is_paused=False).first()
    if job is None:
        return None
    now = now or timezone.now()
    token = f"{host_name()}:{os.getpid()}:{secrets.token_hex(4)}"
    changes = {
        "lease_owner": token,
        "lease_until": lease_until(now),
        "heartbeat_at": now,
        "attempt": F("attempt") + 1,
        "started_at": Coalesce("started_at", now),
    }
    try:
        job_move(job, JobState.LEASED, changes=changes)
    except (JobMoveError, JobFinishedError):
        return None
    return job


class LeaseKeeper:
    """Renews a lease while the work goes on; use as a context."""

    def __init__(self, job: Job) -> None:
        self._job = Job(id=job.id)
        self._token = job.lease_owner
        self._ended = threading.Event()
        self._is_lost = threading.Event()
        self._thread = threading.Thread(target=self._keep, name=f"lease-{job.id}", daemon=True)

    @property
    def is_lost(self) -> bool:
        """True when another worker may have the job."""
        return self._is_lost.is_set()

    def __enter__(self) -> LeaseKeeper:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._ended.set()
        self._thread.join()

    def _keep(self) -> None:
        try:
            while not self._ended.wait(settings.JOB_HEARTBEAT_S):
                self._renew()
        finally:
            connection.close()

    def _renew(self) -> None:
        now = timezone.now()
        try:
            job_write(self._job, lease=self._token, changes={"lease_until": lease_until(now), "heartbeat_at": now})
        except JobLeaseLostError:
            self._is_lost.set()
            self._ended.set()
        except DatabaseError as error:  # the database is away for a moment; the lease outlives several beats
            _log.warning("the lease of %s could not be renewed: %s", self._job.id, error)

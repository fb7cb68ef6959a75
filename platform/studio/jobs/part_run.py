"""Takes part, on this host, in a job that a worker of another host holds; leaves nothing but how it ended."""

from __future__ import annotations

import logging
import shutil
import threading
import time
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.utils import timezone

from automl.contracts.job import Failed, HostGroup
from studio.common.errors import StudioError
from studio.jobs.children import Exit, child_start
from studio.jobs.handlers import job_prepare
from studio.jobs.hosts import host_address, host_name
from studio.jobs.models import Job, JobPart
from studio.jobs.states import ACTIVE
from studio.jobs.workdir import SPEC_FILE, events_read, job_workdir

WAIT_S = 0.2

_log = logging.getLogger(__name__)


def part_execute(job_id: str) -> None:
    """Takes an open part of a job and does it. A message that finds none, or comes twice, ends here."""
    part = part_take(job_id)
    if part is None:
        return
    with _Keeper(part) as keeper:
        try:
            error = _worked(part, keeper)
        except StudioError as refused:
            error = _error(refused.code, refused.message, refused.hint)
        except Exception as broken:  # noqa: BLE001 - the edge of the task: the host that holds the job must know why
            _log.exception("the part of %s failed", job_id)
            error = _error("internal_error", f"{type(broken).__name__}: {broken}", "Look into the log of the worker.")
    JobPart.objects.filter(id=part.id).update(ended_at=timezone.now(), error=error)


def part_take(job_id: str) -> JobPart | None:
    """Takes an open part; None when there is none, or this host has one."""
    for number in JobPart.objects.filter(job=job_id, host="").order_by("id").values_list("id", flat=True):
        try:
            with transaction.atomic():
                taken = JobPart.objects.filter(id=number, host="").update(host=host_name(), seen_at=timezone.now())
        except IntegrityError:
            return None
        if taken:
            return JobPart.objects.filter(id=number).select_related("job").first()
    return None


def _worked(part: JobPart, keeper: _Keeper) -> dict[str, Any] | None:
    """Does it; returns why it failed, None where it did not or where nobody wants it any more."""
    workdir = job_workdir(f"{part.job_id}-{host_name()}")
    shutil.rmtree(workdir, ignore_errors=True)
    workdir.mkdir(parents=True)
    try:
        spec = job_prepare(part.job, workdir)
        num_hosts = _num_hosts(part, keeper)
        if num_hosts is None:
            return None
        group = HostGroup(num_hosts=num_hosts, is_first=False, address=host_address(), meeting=part.meeting, run_id=part.run_id)
        spec.model_copy(update={"hosts": group}).write(workdir / SPEC_FILE)
        child = child_start(workdir, num_threads=spec.limits.num_threads)
        try:
            end = None
            while end is None and not keeper.is_lost:
                end = child.wait(WAIT_S)
        finally:
            child.kill()
        last = [event for event, _ in events_read(workdir, 0)][-1:]
        return None if end is None or end.code == 0 else _reason(last[0] if last else None, end)
    finally:
        shutil.rmtree(workdir, ignore_errors=True)


def _num_hosts(part: JobPart, keeper: _Keeper) -> int | None:
    """Of the job, once all are found; None where nobody wants the part any more."""
    while not keeper.is_lost:
        found = JobPart.objects.filter(id=part.id).values_list("num_hosts", flat=True).first()
        if found is not None:
            return found
        time.sleep(WAIT_S)
    return None


def _reason(last: object, end: Exit) -> dict[str, Any]:
    if isinstance(last, Failed):
        return last.model_dump(mode="json", exclude={"type", "at"})
    message = f"The process on host {host_name()} ended by {end.text} without a last word."
    return {**_error("worker_crashed", message, "See the log of that host's worker."), "is_retryable": True}


def _error(code: str, message: str, hint: str) -> dict[str, Any]:
    return {"code": code, "message": message, "hint": hint, "items": [], "is_retryable": False}


class _Keeper:
    """Says that the host is at it, from a thread of its own, and notices when nobody wants the part any more."""

    def __init__(self, part: JobPart) -> None:
        self._part_id, self._job_id, self._owner = part.id, part.job_id, part.job.lease_owner
        self._ended, self._is_lost = threading.Event(), threading.Event()
        self._heard_at = timezone.now()
        self._thread = threading.Thread(target=self._keep, name=f"part-{part.job_id}", daemon=True)

    @property
    def is_lost(self) -> bool:
        return self._is_lost.is_set()

    def __enter__(self) -> _Keeper:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()

    def _keep(self) -> None:
        try:
            while not self._is_lost.is_set() and not self._ended.wait(min(1.0, settings.JOB_HEARTBEAT_S)):
                self._beat()
        finally:
            connection.close()

    def _beat(self) -> None:
        now = timezone.now()
        try:
            is_there = JobPart.objects.filter(id=self._part_id).update(seen_at=now)
            held = Job.objects.filter(
                id=self._job_id, lease_owner=self._owner, state__in=[state.value for state in ACTIVE], lease_until__gt=now
            )
            if not is_there or not held.exists():
                self._is_lost.set()
            self._heard_at = now
        except DatabaseError as error:  # away for a moment
            _log.warning("the part of %s could not be kept: %s", self._job_id, error)
            if now - self._heard_at > timedelta(seconds=settings.JOB_LEASE_S):
                self._is_lost.set()

"""A job's reports become rows, at most four times a second, while it holds the lease."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from django.db import transaction

from studio.common.events import event_record
from studio.jobs.models import Job
from studio.jobs.states import job_write

EACH_S = 0.25


class ProgressWriter:
    """Collects columns and writes the newest values when it is time."""

    def __init__(self, job: Job, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._job = job
        self._token = job.lease_owner
        self._clock = clock
        self._changes: dict[str, Any] = {}
        self._last = float("-inf")

    def set(self, **columns: object) -> None:
        """Notes new values; ``flush`` writes them."""
        self._changes.update(columns)

    def progress(self, stage: str, fraction: float, remaining_s: float | None) -> None:
        """Notes how far the job is."""
        self.set(stage=stage[:64], progress_fraction=min(1.0, max(0.0, fraction)), remaining_s=remaining_s)

    def warn(self, code: str, message: str) -> None:
        """Notes a warning; the same one twice is one."""
        warning = {"code": code, "message": message}
        if warning not in self._job.warnings:
            self._job.warnings = [*self._job.warnings, warning]
            self.set(warnings=self._job.warnings)

    def flush(self, *, is_due: bool = False) -> None:
        """Writes what was noted, when it is time or due.

        Raises:
            JobLeaseLostError: another worker holds the job.
        """
        now = self._clock()
        if not self._changes or (not is_due and now - self._last < EACH_S):
            return
        self._last = now
        changes, self._changes = self._changes, {}
        with transaction.atomic():
            job_write(self._job, lease=self._token, changes=changes)
            if {"stage", "progress_fraction", "warnings"} & set(changes):
                self._report()

    def _report(self) -> None:
        job = self._job
        data = {"kind": job.kind, "state": job.state, "stage": job.stage, "progress_fraction": job.progress_fraction}
        event_record(
            workspace=job.workspace_id,
            project=job.project_id,
            type="job.progressed",
            subject=job.id,
            data={**data, "remaining_s": job.remaining_s, "subject": job.subject},
        )

"""Runs one job to its end: takes the lease, does the work or watches the process that does it, and writes how it ended."""

from __future__ import annotations

import logging
import time

from django.db import transaction
from django.utils import timezone

from automl.contracts.job import JobState, StopReason
from studio.common.errors import StudioError
from studio.common.events import event_record
from studio.jobs.endings import error_json, job_finish
from studio.jobs.engine_run import EngineRun
from studio.jobs.handlers import executor_of, handler_of
from studio.jobs.leases import LeaseKeeper, job_take
from studio.jobs.models import Job
from studio.jobs.outcome import Ended, Outcome
from studio.jobs.progress import ProgressWriter
from studio.jobs.services import job_send
from studio.jobs.states import JobFinishedError, JobLeaseLostError, job_move
from studio.jobs.workdir import LOG_FILE, job_workdir, workdir_keep

STOP_POLL_S = 0.5

_log = logging.getLogger(__name__)


class JobCancelledError(StudioError):
    """Raised inside a platform job when somebody asked for its end."""

    status = 409
    code = "job_cancelled"
    title = "The job was cancelled"


def job_execute(job_id: str) -> None:
    """Takes a job and runs it. A second message for a job that is held or finished ends here at once."""
    job = job_take(job_id)
    if job is None:
        return
    try:
        with LeaseKeeper(job) as keeper:
            outcome = _run(job, keeper)
            if isinstance(outcome, Ended):
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
    except StudioError as error:
        return Ended(JobState.FAILED, error=error_json(error.code, error.message, error.hint))
    except Exception as error:  # noqa: BLE001 - the edge of the process: a row must say why
        _log.exception("%s (%s) failed", job.id, job.kind)
        hint = "Try again; if it stays, the worker's log names the cause."
        return Ended(JobState.FAILED, error=error_json("internal_error", f"{type(error).__name__}: {error}"[:500], hint))


def _settle(job: Job, outcome: Outcome) -> None:
    token = job.lease_owner
    if isinstance(outcome, Ended):
        changes = {"error": outcome.error, "metrics": dict(outcome.metrics)}
        job_finish(job, outcome.state, lease=token, changes=changes)
    else:
        job_requeue(job, reason=outcome.reason, lease=token)


def job_requeue(job: Job, *, reason: str, lease: str) -> None:
    """Puts a held job back into the queue for its next attempt."""
    with transaction.atomic():
        changes = {"lease_owner": "", "lease_until": None, "queued_at": timezone.now(), "sent_at": None, "remaining_s": None}
        job_move(job, JobState.QUEUED, lease=lease, changes=changes)
        event_record(
            workspace=job.workspace_id,
            project=job.project_id,
            type="job.requeued",
            subject=job.id,
            data={"kind": job.kind, "attempt": job.attempt, "reason": reason},
        )
        transaction.on_commit(lambda: job_send(job=job))
    _log.info("%s goes back into the queue after attempt %d: %s", job.id, job.attempt, reason)


def _platform_run(job: Job, keeper: LeaseKeeper) -> Outcome:
    reporter = PlatformReporter(job, keeper)
    job_move(job, JobState.RUNNING, lease=job.lease_owner)
    try:
        handler_of(job.kind).job_run(job, reporter)
    except JobCancelledError:
        return Ended(JobState.CANCELLED)
    finally:
        reporter.close()
    return Ended(JobState.SUCCEEDED)


class PlatformReporter:
    """What a platform job reports with; see ``handlers.Reporter``."""

    def __init__(self, job: Job, keeper: LeaseKeeper) -> None:
        self._job = job
        self._keeper = keeper
        self._writer = ProgressWriter(job)
        self._asked_at = float("-inf")
        workdir = job_workdir(job.id)
        workdir.mkdir(parents=True, exist_ok=True)
        self._log = (workdir / LOG_FILE).open("a", encoding="utf-8")

    def progress(self, stage: str, fraction: float, remaining_s: float | None = None) -> None:
        """Notes how far the job is."""
        self._writer.progress(stage, fraction, remaining_s)
        self._writer.flush()

    def log(self, text: str) -> None:
        """Appends a line."""
        self._log.write(f"{timezone.now():%H:%M:%S} {text}\n")
        self._log.flush()

    def warn(self, code: str, message: str) -> None:
        """Notes a warning."""
        self._writer.warn(code, message)
        self.log(f"warning {code}: {message}")
        self._writer.flush()

    def check_cancelled(self) -> None:
        """Asks the row, at most twice a second.

        Raises:
            JobCancelledError: somebody asked for the end.
            JobLeaseLostError: another worker holds the job.
        """
        if self._keeper.is_lost:
            raise JobLeaseLostError
        now = time.monotonic()
        if now - self._asked_at < STOP_POLL_S:
            return
        self._asked_at = now
        if Job.objects.filter(id=self._job.id, stop_requested=StopReason.CANCELLED.value).exists():
            raise JobCancelledError

    def close(self) -> None:
        """Writes what is left; the end of the job follows."""
        self._log.close()
        if not self._keeper.is_lost:
            self._writer.flush(is_due=True)

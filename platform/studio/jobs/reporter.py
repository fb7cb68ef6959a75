"""What a platform job reports with, and how its end is recorded: the same in the worker and in a process of its own."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import Protocol

from django.utils import timezone

from automl.contracts.job import JobState, StopReason
from studio.common.errors import StudioError
from studio.common.failures import failure_known
from studio.jobs.handlers import Reporter, job_run
from studio.jobs.models import Job
from studio.jobs.outcome import JobEnded, error_json
from studio.jobs.progress import ProgressWriter
from studio.jobs.states import JobFinishedError, JobLeaseLostError
from studio.jobs.workdir import LOG_FILE, job_workdir

STOP_POLL_S = 0.5

_log = logging.getLogger(__name__)


class JobCancelledError(StudioError):
    """Raised inside a platform job when somebody asked for its end."""

    status = 409
    code = "job_cancelled"
    title = "The job was cancelled"


class Lease(Protocol):
    """What must be known of the lease."""

    @property
    def is_lost(self) -> bool:
        """True when another worker may have the job."""


def handler_run(job: Job, reporter: Reporter) -> JobEnded:
    """Runs a platform job and returns how it ended.

    Raises:
        JobLeaseLostError, JobFinishedError: another worker has it.
    """
    try:
        job_run(job, reporter)
    except JobCancelledError:
        return JobEnded(JobState.CANCELLED)
    except (JobLeaseLostError, JobFinishedError):
        raise
    except StudioError as error:
        return JobEnded(JobState.FAILED, error=error_json(error.code, error.message, error.hint))
    except MemoryError:
        return memory_ended()
    except Exception as error:  # noqa: BLE001 - the edge of the process: a row must say why
        return failure_ended(error) or broken(job, error)
    return JobEnded(JobState.SUCCEEDED)


def failure_ended(error: BaseException) -> JobEnded | None:
    """The end of a job that met a full disk or a database that is away; None where the failure is none of those."""
    known = failure_known(error)
    return None if known is None else JobEnded(JobState.FAILED, error=error_json(known.code, known.message, known.hint))


def broken(job: Job, error: Exception) -> JobEnded:
    """The end of a job that met a defect of ours."""
    _log.exception("%s (%s) failed", job.id, job.kind, exc_info=error)
    hint = "Try again; if it stays, the worker's log names the cause."
    return JobEnded(JobState.FAILED, error=error_json("internal_error", f"{type(error).__name__}: {error}"[:500], hint))


def memory_ended() -> JobEnded:
    """The end of a job that took more memory than one may have."""
    message = "The job took more memory than one job may have and was ended."
    hint = "A file unpacks to far more than its size tells. Split it, shorten its longest cells, or save it in another format."
    return JobEnded(JobState.FAILED, error=error_json("job_memory_exceeded", message, hint))


class PlatformReporter:
    """What a platform job reports with; see ``handlers.Reporter``."""

    def __init__(self, job: Job, lease: Lease, *, sign: Callable[[], None] = lambda: None) -> None:
        """Args are the job that is held, its lease, and what is called at every sign of life."""
        self._job = job
        self._lease = lease
        self._sign = sign
        self._writer = ProgressWriter(job)
        self._polled_at = float("-inf")
        workdir = job_workdir(job.id)
        workdir.mkdir(parents=True, exist_ok=True)
        self._log = (workdir / LOG_FILE).open("a", encoding="utf-8")

    def progress(self, stage: str, fraction: float, remaining_s: float | None = None) -> None:
        """Notes how far the job is."""
        self._sign()
        self._writer.progress(stage, fraction, remaining_s)
        self._writer.flush()

    def log(self, text: str) -> None:
        """Appends a line."""
        self._sign()
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
        self._sign()
        if self._lease.is_lost:
            raise JobLeaseLostError
        now = time.monotonic()
        if now - self._polled_at < STOP_POLL_S:
            return
        self._polled_at = now
        if Job.objects.filter(id=self._job.id, stop_requested=StopReason.CANCELLED.value).exists():
            raise JobCancelledError

    def close(self) -> None:
        """Writes what is left; the end of the job follows."""
        self._log.close()
        if not self._lease.is_lost:
            self._writer.flush(is_due=True)

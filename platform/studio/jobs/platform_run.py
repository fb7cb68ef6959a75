"""One attempt of a platform job: starts its process, watches memory, silence and requests to end, and returns how it ended.

Files of strangers are read in these processes, so nothing that a file does to its reader reaches the worker, where the clock
and the sweeps are. A process costs milliseconds: it is forked from a server that has all imported (``platform_preload``), with
the standard library's own fork server, which ends with this process.
"""

from __future__ import annotations

import multiprocessing
import multiprocessing.connection
import os
import shutil
import signal
import threading
import time
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess

import psutil
from django.conf import settings

from automl.contracts.job import JobState, StopReason
from studio.jobs.children import Exit
from studio.jobs.leases import LeaseKeeper
from studio.jobs.models import Job
from studio.jobs.outcome import STOPPED_AS, JobEnded, Outcome, error_json, oom_kills, outcome_of
from studio.jobs.platform_child import Message, child_run
from studio.jobs.reporter import STOP_POLL_S, memory_ended
from studio.jobs.states import JobLeaseLostError, job_move
from studio.jobs.workdir import job_workdir

CANCEL_GRACE_S = 2.0
"""From a person's word to the end by force; a job that looks in time tidies up itself."""
_WAIT_S = 0.1
_SPARE = 2
"""A process may ask for so many times the memory that it may use: what it asks for in one piece is refused, not granted."""
_processes = multiprocessing.get_context("forkserver")
_one_at_a_time = threading.Lock()
"""The library's list of children is not made for several threads."""


def platform_warm() -> None:
    """Says what the fork server imports; it starts with the first job."""
    _processes.set_forkserver_preload(["studio.jobs.platform_preload"])


class PlatformRun:
    """The state of one attempt."""

    def __init__(self, job: Job, keeper: LeaseKeeper) -> None:
        self._job = job
        self._keeper = keeper
        self._scratch = job_workdir(job.id) / "scratch"
        self._last: Message | None = None
        self._stop: StopReason | None = None
        self._stop_at = self._polled_at = self._heard_at = time.monotonic()
        self._heard_cpu_s = self._cpu_s = 0.0

    def run(self) -> Outcome:
        """Runs the attempt.

        Raises:
            JobLeaseLostError: another worker holds the job; the process was ended.
        """
        job = self._job
        job_move(job, JobState.RUNNING, lease=job.lease_owner)
        shutil.rmtree(self._scratch, ignore_errors=True)
        self._scratch.mkdir(parents=True)
        num_kills = oom_kills()
        ours, theirs = multiprocessing.connection.Pipe()
        process = _processes.Process(
            target=child_run,
            args=(job.id, job.lease_owner, theirs, str(self._scratch), _SPARE * settings.JOB_MEMORY_BYTES),
            daemon=True,
        )
        try:
            with _one_at_a_time:
                platform_warm()
                process.start()
            theirs.close()
            ended = self._watch(process, ours)
            return ended or self._outcome(_exit_of(process), num_kills=oom_kills() - num_kills)
        finally:
            _end(process)
            ours.close()
            shutil.rmtree(self._scratch, ignore_errors=True)

    def _watch(self, process: ForkServerProcess, connection: Connection) -> JobEnded | None:
        """Follows the process to its end; returns why it was ended, if it was."""
        self._heard_at = time.monotonic()
        while True:
            ready = multiprocessing.connection.wait([connection, process.sentinel], _WAIT_S)
            self._hear(connection)
            if process.sentinel in ready or self._last is not None:
                return None
            if self._keeper.is_lost:
                raise JobLeaseLostError
            now = time.monotonic()
            self._ask(now)
            if self._stop is not None and now - self._stop_at > CANCEL_GRACE_S:
                return JobEnded(STOPPED_AS[self._stop])
            if (ended := self._exceeded(process, now)) is not None:
                return ended

    def _exceeded(self, process: ForkServerProcess, now: float) -> JobEnded | None:
        """How the job ends when it takes more memory or time than one may."""
        memory_bytes, self._cpu_s = _usage(process, self._cpu_s)
        if memory_bytes > settings.JOB_MEMORY_BYTES:
            return memory_ended()
        if self._cpu_s > settings.JOB_CPU_S:
            return _time_ended(f"The job took {settings.JOB_CPU_S / 3600:.0f} hours of processor time and was ended.")
        if now - self._heard_at > settings.JOB_SILENCE_S:
            return _time_ended(f"The job said nothing for {settings.JOB_SILENCE_S / 60:.0f} minutes and was ended.")
        if self._cpu_s - self._heard_cpu_s > settings.JOB_SILENCE_CPU_S:
            minutes = settings.JOB_SILENCE_CPU_S / 60
            return _time_ended(f"The job said nothing for {minutes:.0f} minutes of processor time and was ended.")
        return None

    def _hear(self, connection: Connection) -> None:
        with suppress(EOFError, OSError):
            while connection.poll():
                message: Message = connection.recv()
                self._heard_at, self._heard_cpu_s = time.monotonic(), self._cpu_s
                if "state" in message:
                    self._last = message

    def _ask(self, now: float) -> None:
        """Checks whether somebody has asked for the job to end."""
        if self._stop is not None or now - self._polled_at < STOP_POLL_S:
            return
        self._polled_at = now
        reason = Job.objects.filter(id=self._job.id).values_list("stop_requested", flat=True).first()
        if reason and (reason := StopReason(reason)) in STOPPED_AS:
            self._stop, self._stop_at = reason, now

    def _outcome(self, end: Exit, *, num_kills: int) -> Outcome:
        if self._last is not None:
            return JobEnded(JobState(self._last["state"]), error=self._last["error"])
        if num_kills > 0 and end.signal == signal.SIGKILL:
            return memory_ended()
        return outcome_of(
            last=None,
            exit=end,
            stop=self._stop,
            has_attempts_left=self._job.attempt < self._job.max_attempts,
            is_stalled=False,
            is_out_of_memory=False,
        )


def _exit_of(process: ForkServerProcess) -> Exit:
    with _one_at_a_time:
        process.join(1.0)
        code = process.exitcode
    if code is None:
        return Exit()
    return Exit(signal=-code) if code < 0 else Exit(code=code)


def _end(process: ForkServerProcess) -> None:
    """Kills the process with all that it started, and waits until it is gone: the job may begin anew at once."""
    if process.pid is None:
        return
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    with suppress(ProcessLookupError):
        os.kill(process.pid, signal.SIGKILL)
    with _one_at_a_time:
        process.join(5.0)


def _time_ended(message: str) -> JobEnded:
    hint = "A file may be made so that it cannot be read in any reasonable time. Save it in another format."
    return JobEnded(JobState.FAILED, error=error_json("job_time_exceeded", message, hint))


def _usage(process: ForkServerProcess, cpu_s: float) -> tuple[int, float]:
    """Memory and processor time of the process and those that it started; 0 and what was known when it is gone."""
    try:
        first = psutil.Process(process.pid)
        tree = (first, *first.children(recursive=True))
        times = [one.cpu_times() for one in tree]
        seconds = sum(each.user + each.system for each in times) + times[0].children_user + times[0].children_system
        return int(sum(one.memory_info().rss for one in tree)), max(cpu_s, seconds)
    except psutil.Error:
        return 0, cpu_s

"""One attempt of an engine job: prepares the working directory, starts the process, follows ``events.jsonl`` to the end."""

from __future__ import annotations

import time

from django.conf import settings

from automl.contracts.job import (
    Event,
    Failed,
    Finished,
    Heartbeat,
    JobSpec,
    JobState,
    Progress,
    StopReason,
    Warned,
)
from studio.common.events import event_record
from studio.jobs.background import gives_way, is_background
from studio.jobs.children import Child, Exit, child_start
from studio.jobs.gathering import Gathering
from studio.jobs.handlers import job_prepare, job_reported
from studio.jobs.leases import LeaseKeeper
from studio.jobs.models import Job
from studio.jobs.outcome import STOPPED_AS, JobEnded, JobRequeued, Outcome, oom_kills, outcome_of
from studio.jobs.progress import ProgressWriter
from studio.jobs.states import JobLeaseLostError, job_move
from studio.jobs.workdir import SPEC_FILE, events_read, job_workdir, stop_clear, stop_write

WAIT_S = 0.05
"""Between two looks at ``events.jsonl``."""
AFTER_TRAINING = "export"
"""The stage in which a training needs the other hosts no more."""
PROCESS_LOST = "worker_crashed"
"""Code of an engine that lost a process it trained with."""
MOST_LOSSES = 3
"""Hosts that a job may lose within one attempt."""
STOP_POLL_S = 0.5
"""Between two looks at the row for a request to stop."""


class EngineRun:
    """The state of one attempt."""

    def __init__(self, job: Job, keeper: LeaseKeeper) -> None:
        self._job = job
        self._keeper = keeper
        self._writer = ProgressWriter(job)
        self._workdir = job_workdir(job.id)
        self._offset = job.events_offset
        self._last: Finished | Failed | None = None
        self._stop: StopReason | None = None
        self._learns_in_batches = False
        self._is_background = is_background(job.kind)
        self._gathering: Gathering | None = None
        self._is_left_alone = False
        """Whether the attempt ends because another host is silent or failed."""
        self._put_back = ""
        """Why the attempt ends before its end, to be taken up again from its last checkpoint."""
        self._stop_at = self._polled_at = self._looked_at = self._heard_at = time.monotonic()

    def run(self) -> Outcome:
        """Runs the attempt.

        Raises:
            JobLeaseLostError: another worker holds the job; the process was ended.
        """
        self._workdir.mkdir(parents=True, exist_ok=True)
        self._follow()
        if isinstance(self._last, Finished):  # an earlier attempt was done; only its runner died before it could write so
            return self._outcome(Exit(code=0), is_stalled=False, num_kills=0)
        stop_clear(self._workdir)
        spec = job_prepare(self._job, self._workdir)
        return self._together(spec) if spec.limits.num_hosts > 1 else self._attempt(spec)

    def _together(self, spec: JobSpec) -> Outcome:
        """Runs it on several hosts. Where one is lost, those that are left go on from the last checkpoint."""
        self._gathering = gathering = Gathering(self._job)
        try:
            for number in range(1 + MOST_LOSSES):
                if number:
                    spec = job_prepare(self._job, self._workdir)  # what is left of its time
                found = gathering.gather(
                    spec.limits.num_hosts, is_again=number > 0 or self._job.attempt > 1, ended=self._ended_before
                )
                if isinstance(found, JobEnded | JobRequeued):
                    return found
                outcome = self._attempt(spec.model_copy(update={"hosts": found}))
                if not self._is_host_lost() or number == MOST_LOSSES:
                    break
                reason = gathering.reason()
                if reason is not None:
                    self._last = reason
                    return self._outcome(Exit(code=1), is_stalled=False, num_kills=0)
                self._writer.warn("host_lost", "A host was lost; the others go on from the last checkpoint.")
            return outcome
        finally:
            gathering.close()

    def _ended_before(self) -> Outcome | None:
        """How the job ends while its hosts are gathered, if it does."""
        if self._keeper.is_lost:
            raise JobLeaseLostError
        self._writer.progress("hosts", 0.0, None)
        self._writer.flush()
        self._ask()
        if self._put_back:
            return JobRequeued(self._put_back, is_attempt=False)
        return None if self._stop is None else JobEnded(STOPPED_AS.get(self._stop, JobState.CANCELLED))

    def _is_host_lost(self) -> bool:
        """Whether the attempt ended because a host was lost, and not because somebody wanted its end."""
        is_lost = self._is_left_alone or (isinstance(self._last, Failed) and self._last.code == PROCESS_LOST)
        return is_lost and not isinstance(self._last, Finished) and self._stop is None and not self._put_back

    def _attempt(self, spec: JobSpec) -> Outcome:
        """Starts the process and follows it to its end."""
        self._last, self._is_left_alone = None, False
        spec.write(self._workdir / SPEC_FILE)
        num_kills = oom_kills()
        self._learns_in_batches = spec.limits.batch_parts is not None
        child = child_start(self._workdir, num_threads=spec.limits.num_threads)
        try:
            self._report_started()
            end, is_stalled = self._watch(child)
        finally:
            child.kill()
        self._follow()
        if self._put_back and self._last is None:
            self._writer.flush(is_due=True)
            return JobRequeued(self._put_back, is_attempt=False)
        outcome = self._outcome(end, is_stalled=is_stalled, num_kills=oom_kills() - num_kills)
        if isinstance(outcome, JobRequeued) and outcome.splits_batches:
            parts = 2 * self._job.batch_parts
            self._writer.warn("batch_split", f"The memory ran out; each batch is learned in {parts} parts from here on.")
        self._writer.flush(is_due=True)
        return outcome

    def _report_started(self) -> None:
        job = self._job
        if job.state != JobState.RUNNING.value:  # which it is where another host was lost
            job_move(job, JobState.RUNNING, lease=job.lease_owner)
        data = {"kind": job.kind, "attempt": job.attempt, "subject": job.subject}
        event_record(workspace=job.workspace_id, project=job.project_id, type="job.started", subject=job.id, data=data)

    def _watch(self, child: Child) -> tuple[Exit, bool]:
        """Follows the process to its end; also returns whether it had to be ended for silence."""
        self._heard_at = time.monotonic()
        while True:
            end = child.wait(WAIT_S)
            if end is not None:
                return end, False
            if self._keeper.is_lost:
                raise JobLeaseLostError
            self._follow()
            self._writer.flush()
            self._ask()
            self._is_left_alone = self._gathering is not None and self._gathering.lost()
            if self._put_back or self._is_left_alone or self._gives_way():
                child.kill()
                return child.wait(WAIT_S) or Exit(), False
            now = time.monotonic()
            if self._stop in STOPPED_AS and now - self._stop_at > settings.JOB_STOP_GRACE_S:
                child.kill()
            elif now - self._heard_at > settings.JOB_STALL_S:
                child.kill()
                return child.wait(WAIT_S) or Exit(), True

    def _follow(self) -> None:
        """Turns new events into rows."""
        for event, end in events_read(self._workdir, self._offset):
            self._offset = end
            self._heard_at = time.monotonic()
            self._apply(event)
            self._writer.set(events_offset=end)

    def _apply(self, event: Event) -> None:
        if isinstance(event, Heartbeat):
            return
        if isinstance(event, Progress):
            self._writer.progress(event.stage, event.fraction, event.remaining_s)
            if self._gathering is not None and event.stage == AFTER_TRAINING:
                self._gathering.finish()
        elif isinstance(event, Warned):
            self._writer.warn(event.code, event.message)
        elif isinstance(event, Finished | Failed):
            self._last = event
        reason = job_reported(self._job, event)
        if reason is not None:
            self._request_stop(reason)

    def _ask(self) -> None:
        """Checks whether somebody has asked for the job to end or to pause."""
        now = time.monotonic()
        if now - self._polled_at < STOP_POLL_S:
            return
        self._polled_at = now
        job = Job.objects.filter(id=self._job.id).only("stop_requested", "is_paused").first()
        if job is not None and job.stop_requested:
            self._request_stop(StopReason(job.stop_requested))
        elif job is not None and job.is_paused:
            self._put_back = "it is paused"

    def _gives_way(self) -> bool:
        now = time.monotonic()
        if not self._is_background or now - self._looked_at < STOP_POLL_S:
            return False
        self._looked_at = now
        if self._stop is None and gives_way(self._job):
            self._put_back = "it gives way to a job that somebody waits for"
        return bool(self._put_back)

    def _request_stop(self, reason: StopReason) -> None:
        if self._stop in {None, StopReason.FINISH} and reason is not self._stop:
            self._stop = reason
            self._stop_at = time.monotonic()
            stop_write(self._workdir, reason)

    def _outcome(self, end: Exit, *, is_stalled: bool, num_kills: int) -> Outcome:
        return outcome_of(
            last=self._last,
            exit=end,
            stop=self._stop,
            has_attempts_left=self._job.attempt < self._job.max_attempts,
            is_stalled=is_stalled,
            is_out_of_memory=num_kills > 0,
            learns_in_batches=self._learns_in_batches,
        )

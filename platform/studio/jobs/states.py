"""The written table of a job's moves, and the one function that moves it.

A move is one guarded UPDATE, so two processes that race for it need no lock: one of them changes a row, the other changes none.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from automl.contracts.job import JobState
from studio.common.errors import ConflictError
from studio.jobs.models import Job

MOVES: dict[JobState, frozenset[JobState]] = {
    JobState.QUEUED: frozenset({JobState.LEASED, JobState.FAILED, JobState.CANCELLED, JobState.STOPPED}),
    JobState.LEASED: frozenset(
        {JobState.QUEUED, JobState.RUNNING, JobState.SUCCEEDED, JobState.FAILED, JobState.CANCELLED, JobState.STOPPED}
    ),
    JobState.RUNNING: frozenset({JobState.QUEUED, JobState.SUCCEEDED, JobState.FAILED, JobState.CANCELLED, JobState.STOPPED}),
    JobState.SUCCEEDED: frozenset(),
    JobState.FAILED: frozenset(),
    JobState.CANCELLED: frozenset(),
    JobState.STOPPED: frozenset(),
}
FINISHED = frozenset(state for state, moves in MOVES.items() if not moves)
ACTIVE = frozenset({JobState.LEASED, JobState.RUNNING})


class JobFinishedError(ConflictError):
    """A finished job cannot be changed."""

    code = "job_finished"
    title = "The job has ended"


class JobMoveError(ConflictError):
    """The table has no such move."""

    code = "job_move_not_allowed"
    title = "The job cannot do this now"


class JobLeaseLostError(ConflictError):
    """Somebody else holds the job now; whoever meets this must stop working on it."""

    code = "job_lease_lost"
    title = "The job is held by another worker"


def job_is_finished(job: Job) -> bool:
    """Whether the job, as read, has ended."""
    return JobState(job.state) in FINISHED


def job_is_entering(job: Job) -> bool:
    """Whether the job, as read, has succeeded but its handler has not yet entered what came of it."""
    return job.state == JobState.SUCCEEDED.value and job.end_handled_at is None


def job_state_public(job: Job) -> JobState:
    """What people and programs see: a job succeeds once its result is there for whoever asks."""
    return JobState.RUNNING if job_is_entering(job) else JobState(job.state)


def job_move(job: Job, to: JobState, *, lease: str | None = None, changes: Mapping[str, Any] | None = None) -> None:
    """Moves a job and reads its row anew.

    Args:
        job: The job; what it says of its state need not be fresh.
        to: Where to.
        lease: The holder's token; the move fails when another holds the job. None moves whoever holds it.
        changes: Other columns to write in the same statement.

    Raises:
        JobFinishedError: it has ended.
        JobLeaseLostError: another worker holds it.
        JobMoveError: the table has no such move.
    """
    sources = [state.value for state, moves in MOVES.items() if to in moves]
    rows = Job.objects.filter(id=job.id, state__in=sources)
    if lease is not None:
        rows = rows.filter(lease_owner=lease)
    is_moved = rows.update(**{**(changes or {}), "state": to.value})
    was = job.state
    job.refresh_from_db()
    if is_moved:
        return
    if job_is_finished(job):
        raise JobFinishedError(f"Job {job.id} is {job.state}.")
    if lease is not None and job.lease_owner != lease:
        raise JobLeaseLostError(f"Job {job.id} is held by another worker.")
    raise JobMoveError(f"Job {job.id} cannot go from {was} to {to}.")


def job_write(job: Job, *, lease: str, changes: Mapping[str, Any]) -> None:
    """Writes columns of a job that the caller holds.

    Raises:
        JobLeaseLostError: the caller does not hold it any more.
    """
    states = [state.value for state in ACTIVE]
    if not Job.objects.filter(id=job.id, lease_owner=lease, state__in=states).update(**changes):
        raise JobLeaseLostError(f"Job {job.id} is held by another worker.")
    for name, value in changes.items():
        setattr(job, name, value)

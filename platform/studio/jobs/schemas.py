"""How a job looks on the wire; other apps put it into their answers."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from ninja import Schema

from automl.contracts.base import Text
from automl.contracts.job import JobState
from studio.jobs.models import Job
from studio.jobs.states import job_is_entering, job_state_public


class JobErrorOut(Schema):
    """Why a job failed."""

    code: str
    message: str
    hint: str
    items: list[str]


class JobWarningOut(Schema):
    """Something a person should know that did not end the job."""

    code: str
    message: str


class JobOut(Schema):
    """A job."""

    id: str
    project: str
    kind: str
    title: Text
    state: JobState
    stage: str
    progress_fraction: float
    remaining_s: float | None
    num_before: int | None = None
    """Of a job that waits: how many are taken before it; not in answers about other things."""
    attempt: int
    max_attempts: int
    error: JobErrorOut | None
    warnings: list[JobWarningOut]
    is_stopping: bool
    """It was asked to end, or to pause, and does not yet."""
    is_paused: bool
    """It waits until somebody lets what it is part of go on."""
    created_at: datetime
    started_at: datetime | None
    ended_at: datetime | None
    subject: str | None
    made: str | None
    """Id of what it made, of a job that says so once it has ended well."""


class JobLogOut(Schema):
    """A piece of a job's log."""

    text: str
    next_offset: int
    done: bool


class JobEventsOut(Schema):
    """Engine events, as the contracts define them."""

    events: list[dict[str, Any]]
    next_offset: int
    done: bool


def job_out(job: Job, *, num_before: int | None = None) -> JobOut:
    """Renders a row.

    Args:
        job: the row.
        num_before: how many are taken before one that waits (``order.jobs_before``), where that is asked for.
    """
    is_waiting = job.state == JobState.QUEUED.value
    return JobOut(
        id=job.id,
        project=job.project_id,
        kind=job.kind,
        title=Text.model_validate(job.title),
        state=job_state_public(job),
        stage=job.stage,
        progress_fraction=job.progress_fraction,
        remaining_s=job.remaining_s,
        num_before=num_before,
        attempt=job.attempt,
        max_attempts=job.max_attempts,
        error=JobErrorOut(**job.error) if job.error else None,
        warnings=[JobWarningOut(**warning) for warning in job.warnings],
        is_stopping=(bool(job.stop_requested) or (job.is_paused and not is_waiting)) and job.ended_at is None,
        is_paused=job.is_paused and is_waiting,
        created_at=job.created_at,
        started_at=job.started_at,
        ended_at=None if job_is_entering(job) else job.ended_at,
        subject=job.subject or None,
        made=job.payload.get("made"),
    )

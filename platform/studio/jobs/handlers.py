"""Looks up who prepares, runs and hears of the jobs of a kind, and says what such a module holds."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, Literal, Protocol, cast

from automl.contracts.job import Event, JobSpec, StopReason
from studio.common.errors import InvalidInputError
from studio.common.rooms import rooms
from studio.jobs.models import Job

Executor = Literal["engine", "platform"]


class Reporter(Protocol):
    """What a platform job says while it runs."""

    def progress(self, stage: str, fraction: float, remaining_s: float | None = None) -> None:
        """How far the job is; ``fraction`` of the whole, 0..1. Cheap to call often."""

    def log(self, text: str) -> None:
        """Appends a line to the job's log."""

    def warn(self, code: str, message: str) -> None:
        """Tells a person something that does not end the job."""

    def check_cancelled(self) -> None:
        """Raises JobCancelledError when somebody asked for the end; call it between two steps."""


class Handler(Protocol):
    """A module named in ``job_handlers`` of a room. What a kind does not need may be absent."""

    EXECUTORS: Mapping[str, Executor]
    BACKGROUND: frozenset[str]
    """Engine kinds, optional: those that the platform starts by itself, which give way to what a person waits for."""

    def job_prepare(self, job: Job, workdir: Path) -> JobSpec:
        """Engine kinds: places ``data/`` in the directory and says what to do. Called before each attempt."""

    def job_run(self, job: Job, reporter: Reporter) -> None:
        """Platform kinds: does the work. A StudioError fails the job with its code."""

    def job_reported(self, job: Job, event: Event) -> StopReason | None:
        """Engine kinds, optional: an event of the engine (no heartbeats), in order, at least once; may ask for the end."""

    def job_ended(self, job: Job) -> None:
        """Optional: the job has ended. Called until it returns; must be idempotent."""


class JobKindUnknownError(InvalidInputError):
    """No room of the platform handles jobs of this kind."""

    code = "job_kind_unknown"
    title = "There is no such kind of job"


def job_kinds() -> dict[str, str]:
    """Every kind of job that a room brings -> the module that handles it."""
    return {kind: path for room in rooms() for kind, path in room.job_handlers.items()}


def handler_of(kind: str) -> Handler:
    """The module that handles a kind.

    Raises:
        JobKindUnknownError: none does; the message lists the kinds there are.
    """
    kinds = job_kinds()
    path = kinds.get(kind)
    if path is None:
        raise JobKindUnknownError(f"No job is of kind {kind!r}; known: {', '.join(sorted(kinds))}.")
    return cast(Handler, import_module(path))


def executor_of(kind: str) -> Executor:
    """Whether a kind runs in an engine process or in the worker itself.

    Raises:
        JobKindUnknownError: its handler does not say.
    """
    executor = handler_of(kind).EXECUTORS.get(kind)
    if executor is None:
        raise JobKindUnknownError(f"{job_kinds()[kind]} names no executor for {kind!r}.")
    return executor


def job_reported(job: Job, event: Event) -> StopReason | None:
    """Passes an engine event on."""
    call: Any = getattr(handler_of(job.kind), "job_reported", None)
    return cast("StopReason | None", call(job, event)) if call is not None else None


def job_ended(job: Job) -> None:
    """Tells the handler of the end."""
    call: Any = getattr(handler_of(job.kind), "job_ended", None)
    if call is not None:
        call(job)

"""Looks up the module that prepares, runs and is notified of the jobs of a kind, and defines its interface."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Literal, Protocol, cast, runtime_checkable

from automl.contracts.job import Event, JobSpec, StopReason
from studio.common.app_config import studio_apps
from studio.common.errors import InvalidInputError
from studio.jobs.models import Job

Executor = Literal["engine", "platform"]


class Reporter(Protocol):
    """How a platform job reports while it runs."""

    def progress(self, stage: str, fraction: float, remaining_s: float | None = None) -> None:
        """How far the job is; ``fraction`` of the whole, 0..1. Cheap to call often."""

    def log(self, text: str) -> None:
        """Appends a line to the job's log."""

    def warn(self, code: str, message: str) -> None:
        """Warns a person of something that does not end the job."""

    def check_cancelled(self) -> None:
        """Raises JobCancelledError when somebody asked for the end; call it between two steps."""


class Handler(Protocol):
    """A module named in ``job_handlers`` of an app.

    For kinds that the engine runs it is an ``EngineHandler`` too, for those that the platform runs a ``PlatformHandler``; the
    other protocols are optional.
    """

    EXECUTORS: Mapping[str, Executor]
    """Who runs the jobs of each kind."""


class EngineHandler(Protocol):
    """Prepares jobs that run in an engine process."""

    def job_prepare(self, job: Job, workdir: Path) -> JobSpec:
        """Places ``data/`` in the directory and returns the order. Called before each attempt."""


class PlatformHandler(Protocol):
    """Runs jobs in a process of the platform."""

    def job_run(self, job: Job, reporter: Reporter) -> None:
        """Does the work. A StudioError fails the job with its code."""


@runtime_checkable
class BackgroundHandler(Protocol):
    """Has engine kinds that the platform starts by itself, which give way to what a person waits for."""

    BACKGROUND: frozenset[str]


@runtime_checkable
class ReportHandler(Protocol):
    """Follows the events of engine jobs."""

    def job_reported(self, job: Job, event: Event) -> StopReason | None:
        """An event of the engine (no heartbeats), in order, at least once; may ask for the end."""


@runtime_checkable
class EndHandler(Protocol):
    """Is notified when a job has ended."""

    def job_ended(self, job: Job) -> None:
        """The job has ended. Called until it returns; must be idempotent."""


class JobKindUnknownError(InvalidInputError):
    """No app handles jobs of this kind."""

    code = "job_kind_unknown"
    title = "There is no such kind of job"


def job_kinds() -> dict[str, str]:
    """Every kind of job that an app brings -> the module that handles it."""
    return {kind: path for app in studio_apps() for kind, path in app.job_handlers.items()}


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


def job_prepare(job: Job, workdir: Path) -> JobSpec:
    """Prepares an attempt of an engine job."""
    return cast(EngineHandler, handler_of(job.kind)).job_prepare(job, workdir)


def job_run(job: Job, reporter: Reporter) -> None:
    """Runs a platform job."""
    cast(PlatformHandler, handler_of(job.kind)).job_run(job, reporter)


def job_reported(job: Job, event: Event) -> StopReason | None:
    """Passes an engine event on."""
    handler = handler_of(job.kind)
    return handler.job_reported(job, event) if isinstance(handler, ReportHandler) else None


def job_ended(job: Job) -> None:
    """Notifies the handler of the end."""
    handler = handler_of(job.kind)
    if isinstance(handler, EndHandler):
        handler.job_ended(job)

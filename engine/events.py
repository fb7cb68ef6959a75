"""What a job reports to the platform: ``events.jsonl``, one flushed line an event, and a heartbeat beside it.

A line is written with one ``write`` on a descriptor opened for appending, so that the two threads that write (the work and its
heartbeat) never mix and a reader never sees a half line of a living job. A half line that a killed attempt left is cut off
when the next attempt opens the file; readers only ever take whole lines, so none of them has seen it.
"""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType

import psutil

from automl.contracts.dataset import Split
from automl.contracts.job import (
    Checkpoint,
    Event,
    EventLine,
    Failed,
    Finished,
    Heartbeat,
    Metric,
    Progress,
    Started,
    StopReason,
    Warned,
)
from engine.errors import EngineError

HEARTBEAT_EVERY_S = 2.0

_LOGGER = logging.getLogger("engine.events")


def memory_bytes() -> int:
    """Resident memory of this process."""
    return int(psutil.Process().memory_info().rss)


def cpu_seconds() -> float:
    """Processor time of this process on all cores, and of its child processes that have ended."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


class EventLog:
    """Appends events and keeps the heartbeat. Use as a context."""

    def __init__(self, path: Path):
        self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
        self.attempt = 1 + _mend(self._descriptor)
        """1 for the first process that works on this directory, 2 for the next."""
        self._stage = ""
        self._ended = threading.Event()
        self._heart = threading.Thread(target=self._beat, name="heartbeat", daemon=True)

    def __enter__(self) -> EventLog:
        self._heart.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._ended.set()
        self._heart.join()
        os.close(self._descriptor)

    def started(self, *, resumed_from_step: int | None) -> None:
        """The process is up."""
        self._write(Started(at=_now(), pid=os.getpid(), attempt=self.attempt, resumed_from_step=resumed_from_step))

    def progress(self, stage: str, fraction: float, remaining_s: float | None = None) -> None:
        """The whole job is done to ``fraction`` (0..1)."""
        self._write(Progress(at=_now(), stage=stage, fraction=min(max(fraction, 0.0), 1.0), remaining_s=remaining_s))

    def metric(self, *, step: int, epoch: float, split: Split, values: Mapping[str, float]) -> None:
        """Values were measured; a resumed job may repeat a step that an earlier attempt reported."""
        self._write(Metric(at=_now(), step=step, epoch=epoch, split=split, values=values))

    def checkpoint(self, step: int) -> None:
        """The job can go on from ``step``."""
        self._write(Checkpoint(at=_now(), step=step))

    def warning(self, code: str, message: str) -> None:
        """Something to know that does not end the job."""
        self._write(Warned(at=_now(), code=code, message=message))

    def failed(self, error: EngineError) -> None:
        """The job ended badly."""
        self._write(
            Failed(
                at=_now(),
                code=error.code,
                message=error.message,
                hint=error.hint,
                items=error.items,
                is_retryable=error.is_retryable,
            )
        )

    def finished(self, *, stopped: StopReason | None, metrics: Mapping[str, float]) -> None:
        """The job ended well, or because it was asked to."""
        self._write(Finished(at=_now(), stopped=stopped, metrics=metrics, cpu_s=cpu_seconds()))

    def _write(self, event: Event) -> None:
        os.write(self._descriptor, EventLine.dump_json(event) + b"\n")
        if not isinstance(event, Heartbeat):
            self._notify(event)

    def _notify(self, event: Event) -> None:
        """The same for people, in the job's log; progress only where a new stage begins."""
        if isinstance(event, Progress):
            if event.stage == self._stage:
                return
            self._stage = event.stage
        facts = event.model_dump(mode="json", exclude={"type", "at", "fraction", "remaining_s"}, exclude_none=True)
        level = logging.ERROR if isinstance(event, Failed) else logging.WARNING if isinstance(event, Warned) else logging.INFO
        _LOGGER.log(level, "%s %s", event.type, _short(facts))

    def _beat(self) -> None:
        while not self._ended.wait(HEARTBEAT_EVERY_S):
            with suppress(OSError):  # a full disk ends the work, which can say so; the heart beats on meanwhile
                self._write(Heartbeat(at=_now(), memory_bytes=memory_bytes(), cpu_s=cpu_seconds()))


def _short(value: object) -> str:
    """A fact as the log shows it; facts of facts stand in one row with them."""
    if isinstance(value, dict):
        return " ".join(
            _short(inner) if isinstance(inner, dict) else f"{name}={_short(inner)}" for name, inner in value.items()
        )
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _mend(descriptor: int) -> int:
    """Cuts a half last line off and counts the attempts before this one."""
    size = os.fstat(descriptor).st_size
    text = os.pread(descriptor, size, 0)
    whole = text.rfind(b"\n") + 1
    if whole < size:
        os.ftruncate(descriptor, whole)
    return sum(1 for line in text[:whole].splitlines() if b'"type":"started"' in line)


def _now() -> datetime:
    return datetime.now(UTC)

"""One job at work: its directory, its order, its voice, and the questions it asks between two steps."""

from __future__ import annotations

import os
import time
from enum import Enum
from pathlib import Path
from typing import Literal

from automl.contracts.job import JobLimits, JobSpec, StopReason
from engine.errors import OutOfMemoryError
from engine.events import EventLog, memory_bytes

PROGRESS_EVERY_S = 0.5
_MEMORY_EVERY_S = 1.0
_STOP_EVERY_S = 0.05
"""Between two looks for an order to stop while steps are short: a look takes up to 10 us."""


class EarlyEnd(Enum):
    """Why a job ends early with what it has; the value is the warning's code."""

    TIME_LIMIT = "time_limit"
    FINISH = "finished_early"


Halt = StopReason | EarlyEnd
"""Why work ends before its end."""


class StoppedError(Exception):
    """``control/stop`` asked the job to end; not a failure."""

    def __init__(self, reason: StopReason):
        super().__init__(reason.value)
        self.reason = reason


LearnedPart = Literal["begun", "step", "epoch"]
"""Of a training by gradient steps: it begins, a step was taken, an epoch was judged."""


class Control:
    """Answers whether to go on. Cheap enough to be asked at every step."""

    def __init__(self, workdir: Path, limits: JobLimits):
        self._stop_path = str(workdir / "control" / "stop")
        self._limits = limits
        self._began_s = time.monotonic()
        self._earlier_s = 0.0
        self._memory_due_s = 0.0
        self._stop_due_s = 0.0
        self._stop: StopReason | None = None

    @property
    def elapsed_s(self) -> float:
        """Time used so far, earlier attempts included."""
        return self._earlier_s + time.monotonic() - self._began_s

    @property
    def left_s(self) -> float | None:
        """Time that the limit leaves to this attempt, negative when it is over; None without a limit."""
        limit_s = self._limits.time_s
        return None if limit_s is None else limit_s - (time.monotonic() - self._began_s)

    def resume(self, elapsed_s: float) -> None:
        """Counts the time that an earlier attempt used."""
        self._earlier_s = elapsed_s

    def stop_reason(self) -> StopReason | None:
        """Why ``control/stop`` wants an end without a result; None when it does not."""
        reason = self._requested_stop()
        return None if reason is StopReason.FINISH else reason

    def halt(self) -> Halt | None:
        """Whether to end now, and why; an order to stop is seen within a twentieth of a second.

        Raises:
            OutOfMemoryError: the job uses more memory than it may.
        """
        now_s = time.monotonic()
        if now_s >= self._memory_due_s:
            self._memory_due_s = now_s + _MEMORY_EVERY_S
            self._check_memory()
        if now_s >= self._stop_due_s:
            self._stop_due_s = now_s + _STOP_EVERY_S
            self._stop = self._requested_stop()
        if self._stop is not None:
            return EarlyEnd.FINISH if self._stop is StopReason.FINISH else self._stop
        left_s = self.left_s
        return EarlyEnd.TIME_LIMIT if left_s is not None and left_s <= 0 else None

    def is_stopped(self) -> bool:
        """Whether ``control/stop`` wants an end; for work that has no result before its own."""
        return self.stop_reason() is not None

    def raise_if_stopped(self) -> None:
        """Ends the job between two stages.

        Raises:
            StoppedError: ``control/stop`` wants an end without a result.
        """
        reason = self.stop_reason()
        if reason is not None:
            raise StoppedError(reason)

    def _requested_stop(self) -> StopReason | None:
        if not os.path.exists(self._stop_path):
            return None
        try:
            return StopReason(Path(self._stop_path).read_text(encoding="utf-8").strip())
        except ValueError:  # whatever was written there, somebody wants an end
            return StopReason.CANCELLED

    def _check_memory(self) -> None:
        limit = self._limits.memory_bytes
        if limit is None:
            return
        used = memory_bytes()
        if used > limit:
            raise OutOfMemoryError(f"The job uses {used / 2**20:.0f} MiB and may use {limit / 2**20:.0f} MiB.")


class Job:
    """What every part of the engine needs to know of the job that it works for."""

    refuses_problems = True
    """Whether blocking problems of the version refuse the work; a part of a version that was checked as a whole has its own."""
    is_shortened = False
    """Whether it stands for a longer training, so that it computes as that one will."""

    def __init__(self, workdir: Path, spec: JobSpec, events: EventLog):
        self.workdir = workdir
        self.spec = spec
        self.events = events
        self.control = Control(workdir, spec.limits)
        self.cache_dir = workdir / spec.cache_dir
        self.assets_dir = workdir / spec.assets_dir
        self._reported_s = 0.0
        self._reported_stage = ""
        self._reached = 0.0

    @property
    def data_dir(self) -> Path:
        """The dataset version."""
        return self.workdir / "data"

    @property
    def artefact_dir(self) -> Path:
        """The result."""
        return self.workdir / "artefact"

    def learned(self, part: LearnedPart) -> None:
        """Gradient steps begin, one was taken, or an epoch was judged; for whoever measures that."""

    def progress(self, stage: str, fraction: float, remaining_s: float | None = None) -> None:
        """Tells how far the whole job is (0..1), at most twice a second within a stage; it never goes back."""
        now = time.monotonic()
        self._reached = max(self._reached, fraction)
        if stage == self._reported_stage and now - self._reported_s < PROGRESS_EVERY_S:
            return
        self._reported_s, self._reported_stage = now, stage
        self.events.progress(stage, self._reached, remaining_s)

"""What becomes of a job when its process is gone: decided from its last word and its exit status, without a database."""

from __future__ import annotations

import signal
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from automl.contracts.job import Failed, Finished, JobState, StopReason
from studio.jobs.children import Exit

STOPPED_AS = {StopReason.CANCELLED: JobState.CANCELLED, StopReason.PRUNED: JobState.STOPPED}
"""States of jobs that were asked to end without a result."""
OUT_OF_MEMORY = "out_of_memory"
"""Code of jobs that had no memory left, as the engine has it."""
_OOM_COUNTERS = (Path("/sys/fs/cgroup/memory.events"), Path("/sys/fs/cgroup/memory/memory.oom_control"), Path("/proc/vmstat"))


def error_json(code: str, message: str, hint: str = "", items: Sequence[str] = ()) -> dict[str, Any]:
    """The ``error`` column of a job."""
    return {"code": code, "message": message, "hint": hint, "items": list(items)}


@dataclass(frozen=True)
class JobEnded:
    """The job is over."""

    state: JobState
    error: dict[str, Any] | None = None
    metrics: Mapping[str, float] = field(default_factory=dict)
    cpu_s: float | None = None
    """Processor time of the attempt that ended it, of one that could say so."""


@dataclass(frozen=True)
class JobRequeued:
    """Another attempt, from the last checkpoint."""

    reason: str
    is_attempt: bool = True
    """Whether the one that ended counts among those that the job has."""
    splits_batches: bool = False
    """Whether the next attempt learns each batch in twice as many parts."""


Outcome = JobEnded | JobRequeued


def outcome_of(
    *,
    last: Finished | Failed | None,
    exit: Exit,  # noqa: A002 - the word for it
    stop: StopReason | None,
    has_attempts_left: bool,
    is_stalled: bool,
    is_out_of_memory: bool,
    learns_in_batches: bool = False,
) -> Outcome:
    """Decides. A job that had no memory left and learns in batches tries again with smaller parts of them.

    Args:
        last: The engine's last word; None when the process died without one.
        exit: How the process ended.
        stop: What the job was asked to do, if it was.
        has_attempts_left: Whether another attempt is allowed.
        is_stalled: The runner ended it because it said nothing for too long.
        is_out_of_memory: The kernel ended a process for memory while the job ran.
        learns_in_batches: Whether less memory would do.
    """
    if stop is StopReason.FINISH:  # with a result, or as if nobody had asked
        stop = None
    if isinstance(last, Finished):
        state = JobState.SUCCEEDED if last.stopped is None else STOPPED_AS[last.stopped]
        return JobEnded(state, metrics=last.metrics, cpu_s=last.cpu_s)
    if last is None and stop is None and is_out_of_memory and exit.signal == signal.SIGKILL:
        last = _killed_for_memory()
    if isinstance(last, Failed):
        may_go_on = has_attempts_left and stop is None
        splits_batches = learns_in_batches and last.code == OUT_OF_MEMORY
        if may_go_on and (last.is_retryable or splits_batches):
            return JobRequeued(f"{last.code}: {last.message}", splits_batches=splits_batches)
        return JobEnded(JobState.FAILED, error=error_json(last.code, last.message, last.hint, last.items))
    if stop is not None:
        return JobEnded(STOPPED_AS[stop])
    return _crashed(exit, has_attempts_left, is_stalled)


def _killed_for_memory() -> Failed:
    return Failed(
        at=datetime.now(UTC),
        code=OUT_OF_MEMORY,
        message="The system ended the job because memory ran out.",
        hint="Choose a smaller batch or model, or run fewer jobs at the same time.",
    )


def _crashed(end: Exit, has_attempts_left: bool, is_stalled: bool) -> Outcome:
    """A process that died without a last word and without having been asked to end."""
    why = "it said nothing for too long" if is_stalled else f"it ended by {end.text} without a last word"
    if has_attempts_left:
        return JobRequeued(why)
    hint = "The job's log shows its last words. Try again; if it stays, report it with the log."
    code = "worker_stalled" if is_stalled else "worker_crashed"
    return JobEnded(JobState.FAILED, error=error_json(code, f"The job's process is gone: {why}.", hint))


def oom_kills() -> int:
    """How often the kernel has ended a process for memory, in this container or on this host; 0 where that is unknown."""
    for path in _OOM_COUNTERS:
        try:
            lines = path.read_text(encoding="ascii").splitlines()
        except OSError:
            continue
        for line in lines:
            name, _, value = line.partition(" ")
            if name == "oom_kill" and value.strip().isdigit():
                return int(value)
    return 0

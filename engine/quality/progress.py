"""How far the job is, reported by its stages."""

from __future__ import annotations

from collections.abc import Callable

from engine.job import Job


def within(job: Job, stage: str, start: float, end: float) -> Callable[[int, int], None]:
    """A progress callback ``(done, total)`` for a stage; it ends the job when that is asked for.

    Args:
        job: whose events and control to use.
        stage: its name.
        start: fraction of the job that is done when the stage begins.
        end: and when it ends.
    """

    def report(done: int, total: int) -> None:
        job.control.raise_if_stopped()
        job.progress(stage, start + (end - start) * done / max(1, total))

    return report

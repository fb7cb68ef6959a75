"""Where a trial stands. In a file of its own, so that whoever only needs the words does not load Optuna."""

from __future__ import annotations

from enum import StrEnum


class TrialState(StrEnum):
    """The states of a trial; the last four are final."""

    QUEUED = "queued"
    RUNNING = "running"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    PRUNED = "pruned"
    CANCELLED = "cancelled"

    @property
    def is_final(self) -> bool:
        """Whether nothing more will come."""
        return self not in {TrialState.QUEUED, TrialState.RUNNING}

"""What a training would meet, found before it is queued: the order of a job ``preflight`` and its ``preflight.json``.

A part of the version goes through the very code of a trial, first its hardest items, then a fair sample that is timed.
"""

from __future__ import annotations

from enum import StrEnum

from pydantic import Field

from automl.contracts.base import Contract
from automl.contracts.job import TrainConfig
from automl.contracts.task import Problem

PREFLIGHT_FILE = "preflight.json"


class PreflightStage(StrEnum):
    """What a trial goes through, in order."""

    DATA = "data"
    """Items are read, decoded and packed."""
    STEP = "step"
    """The model learns."""
    EXPORT = "export"
    """It becomes a graph."""
    CALL = "call"
    """The runtime opens the graph and answers as the model does."""
    EVALUATION = "evaluation"
    """The graph is asked about items that were held back, and the report is written."""


class StageOutcome(StrEnum):
    """How a stage ended."""

    PASSED = "passed"
    FAILED = "failed"
    NOT_REACHED = "not_reached"
    """Time was over, or a stage before it failed."""


class StageResult(Contract):
    """One stage of one trial."""

    stage: PreflightStage
    outcome: StageOutcome
    seconds: float = Field(default=0.0, ge=0)
    """With the hardest items."""
    code: str = ""
    """Of the error, where it failed."""
    message: str = ""
    hint: str = ""
    items: tuple[str, ...] = ()
    """Ids of the items that caused it, when known."""


class TrialCheck(Contract):
    """One trial, gone through with a part of the version."""

    train: TrainConfig
    stages: tuple[StageResult, ...]
    """All of ``PreflightStage``, in order."""
    estimated_s: float | None = None
    """What the trial takes with the whole version; None where it was not timed."""
    estimated_cpu_s: float | None = None
    """The same in processor time, all cores together; None where it was not timed."""
    once_s: float = Field(default=0.0, ge=0)
    """Of ``estimated_s``, reading and packing items: only the first trial of a model pays for it."""
    once_cpu_s: float = Field(default=0.0, ge=0)
    """Of ``estimated_cpu_s``, the same."""
    export_s: float | None = None
    """Export and first call of a structure that is new to the host; None where neither was reached."""
    is_rough: bool = False
    """Whether ``estimated_s`` rests on the hardest items alone, gone through cold: time was over before there was a sample."""
    memory_bytes: int | None = None
    """Resident memory at its peak, with the whole version; None where nothing was measured."""
    num_train: int = 0
    """Items that the timed part learned from; 0 where nothing was timed."""
    is_whole: bool = False
    """Whether that was all there are."""

    @property
    def failure(self) -> StageResult | None:
        """The stage that failed, if one did."""
        return next((stage for stage in self.stages if stage.outcome is StageOutcome.FAILED), None)


class PreflightReport(Contract):
    """``preflight.json``."""

    schema_version: int = 1
    trials: tuple[TrialCheck, ...]
    problems: tuple[Problem, ...]
    """Of the data, blocking ones first."""
    num_items: int
    num_read: int
    """Items whose bytes were read and looked at, the most unusual first."""
    seconds: float
    cpu_s: float | None = None
    """Processor time of ``seconds``: how much of the host the check had, and a trial will have."""

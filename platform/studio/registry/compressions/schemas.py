"""What the endpoints of compressions take and give."""

from __future__ import annotations

from datetime import datetime

from ninja import Schema

from automl.contracts.base import Text
from automl.contracts.compression import Budget, Candidate, Limit, Point, Refusal
from automl.contracts.dataset import Split
from automl.contracts.report import SliceMeasure
from studio.jobs.schemas import JobOut


class BudgetIn(Schema):
    """What a smaller model may lose and cost."""

    budget: Budget = Budget()
    trains: bool = False
    """Whether ways are tried that train, which takes about as long as the model's own training."""


class CandidateIn(Schema):
    """Which candidate becomes a model."""

    method: str


class CandidateOut(Schema):
    """A smaller graph, measured."""

    title: Text
    summary: Text
    measured: Candidate
    over: list[Limit]
    """Limits of the budget that it does not keep."""
    artefact: str | None
    """The model that it became."""
    artefact_number: int | None


class SkippedMethodOut(Schema):
    """A method that gave no candidate."""

    title: Text
    reason: Refusal


class ComparedOut(Schema):
    """What was measured, all on the same items."""

    split: Split
    num_items: int
    num_calibration: int
    """Items of training that ranges of values come from."""
    measure: SliceMeasure
    """The mean over items."""
    is_higher_better: bool
    original: Point
    candidates: list[CandidateOut]
    left_out: list[SkippedMethodOut]


class CompressionOut(Schema):
    """A try to make a model smaller."""

    id: str
    artefact: str
    budget: Budget
    job: JobOut | None
    found: ComparedOut | None
    """None until the job has succeeded."""
    created_at: datetime

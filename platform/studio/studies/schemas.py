"""What the study endpoints take and give."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated

from ninja import Schema
from pydantic import Field

from automl.contracts.family import ParamValue
from automl.contracts.job import TrainConfig
from automl.contracts.report import CurvePoint
from automl.contracts.task import MetricSpec, Problem
from automl.search.states import TrialState
from studio.studies.models import Pruner, StudyState
from studio.studies.strategies import strategy_names

Strategy = Annotated[str, Field(json_schema_extra={"enum": list(strategy_names())})]
"""``portfolio`` (proven first trials, then TPE), ``single`` (one configuration), ``distill`` (small models taught by a large
one) or a sampler by its name."""

MAX_TRIALS = 500
MAX_CONCURRENCY = 16


class StudyPlanIn(Schema):
    """What a study would do."""

    project: str
    version: str
    families: list[str] | None = None
    """Model families by name; absent allows all that suit the task."""
    strategy: Strategy = "portfolio"
    max_trials: Annotated[int, Field(ge=1, le=MAX_TRIALS)] = 6
    concurrency: Annotated[int, Field(ge=1, le=MAX_CONCURRENCY)] = 1
    train: TrainConfig | None = None
    """The configuration of strategy ``single``."""
    teacher: str | None = None
    """The model that teaches, of strategy ``distill``."""


class StudyIn(StudyPlanIn):
    """A study to start."""

    name: Annotated[str, Field(max_length=120)] = ""
    pruner: Pruner = Pruner.MEDIAN
    time_limit_s: Annotated[float, Field(gt=0)] | None = None
    seed: Annotated[int, Field(ge=0, lt=2**31)] = 0


class StudyExtendIn(Schema):
    """A larger number of trials for a study."""

    max_trials: Annotated[int, Field(ge=1, le=MAX_TRIALS)]


class PlannedTrialOut(Schema):
    """A trial that is known before the start."""

    family: str
    size: str
    params: Mapping[str, ParamValue]
    estimated_s: float
    memory_bytes: int
    fits: bool


class StudyPlanOut(Schema):
    """What will run and how long it will take."""

    trials: list[PlannedTrialOut]
    """The trials known beforehand; those that the search will choose are counted in ``estimated_s`` only."""
    estimated_s: float
    blocking: list[Problem]


class ErrorOut(Schema):
    """Why something failed."""

    code: str
    message: str
    hint: str = ""
    items: Annotated[list[str], Field(default_factory=list)]


class TrialCountsOut(Schema):
    """Trials by state."""

    queued: int
    running: int
    succeeded: int
    failed: int
    pruned: int
    cancelled: int


class StudyOut(Schema):
    """A study."""

    id: str
    project: str
    version: str
    name: str
    state: StudyState
    is_finishing: bool
    """It runs, and was asked to end with what it has."""
    strategy: Strategy
    families: list[str]
    teacher: str | None
    """The model that teaches, of strategy ``distill``."""
    max_trials: int
    concurrency: int
    pruner: Pruner
    time_limit_s: float | None
    seed: int
    created_at: datetime
    created_by: str
    ended_at: datetime | None
    best_trial: str | None
    best_value: float | None
    objective: MetricSpec
    counts: TrialCountsOut
    estimated_remaining_s: float | None
    """None when the study has ended."""
    error: ErrorOut | None


class TrialOut(Schema):
    """A trial with its learning curves."""

    id: str
    study: str
    number: int
    state: TrialState
    train: TrainConfig
    value: float | None
    values: dict[str, float]
    curve: list[CurvePoint]
    job: str | None
    artefact: str | None
    error: ErrorOut | None
    started_at: datetime | None
    ended_at: datetime | None


class ImportanceOut(Schema):
    """Which parameters decided."""

    params: dict[str, float]
    """Fractions by ``family``, ``<family>.size`` and ``<family>.<param>``, largest first; empty with too few trials."""

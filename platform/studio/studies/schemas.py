"""What the study endpoints take and give."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Literal

from ninja import Schema
from pydantic import Field

from automl.contracts.base import Text
from automl.contracts.family import ParamValue
from automl.contracts.job import DataParallel, TrainConfig
from automl.contracts.preflight import PreflightStage, StageOutcome
from automl.contracts.report import CurvePoint
from automl.contracts.task import MetricSpec, Problem
from automl.planning.fit import Basis
from automl.planning.goals import MOST_ANSWER_RATIO, Goal
from automl.search.objectives import SideObjective
from automl.search.pruners import NO_PRUNER, pruner_names
from automl.search.ranges import ParamRange
from automl.search.states import TrialState
from studio.jobs.schemas import JobOut
from studio.studies.models import StudyState
from studio.studies.strategies import USUAL_STRATEGY, strategy_names

Strategy = Annotated[str, Field(json_schema_extra={"enum": list(strategy_names())})]
"""``portfolio`` (proven first trials, then TPE), ``single`` (one configuration), ``distill`` (small models taught by a large
one) or a sampler by its name."""

Pruner = Annotated[str, Field(json_schema_extra={"enum": [NO_PRUNER, *pruner_names()]})]
"""Who stops hopeless trials early."""

Device = Literal["auto", "cpu"]
"""What trials run on: ``auto`` takes a GPU where there is one."""

MAX_TRIALS = 500
USUAL_TRIALS = 6
"""Where neither a number nor a goal is given."""
MAX_CONCURRENCY = 16
MOST_PROCESSES = 16
MOST_HOSTS = 16


class StudyPlanIn(Schema):
    """What a study would do."""

    project: str
    version: str
    goal: Goal | None = None
    """What ``families``, ``max_trials``, ``prefers_fast`` and ``max_answer_ratio`` are where they are absent, see ``goals`` of
    the task. Where neither families nor a model to go on from are named, also what is tried of its families."""
    families: list[str] | None = None
    """Model families by name; absent allows all that suit the task, or those of ``goal``."""
    strategy: Strategy = USUAL_STRATEGY
    max_trials: Annotated[int, Field(ge=1, le=MAX_TRIALS)] | None = None
    """Absent takes the goal's number, and without a goal 6."""
    concurrency: Annotated[int, Field(ge=1, le=MAX_CONCURRENCY)] = 1
    train: TrainConfig | None = None
    """The configuration of strategy ``single``."""
    teacher: str | None = None
    """The model that teaches, of strategy ``distill``."""
    start_from: str | None = None
    """The model whose weights every trial begins with: of the same task, of this workspace. Its family and size are trained
    then, and what became of the labels since does not matter. Absent begins anew; ``train.start_from`` says the same."""
    objective: str = ""
    """Name of the metric to improve; empty takes the task's."""
    also_improves: Annotated[list[SideObjective], Field(default_factory=list, max_length=len(SideObjective))]
    """What to improve besides, of strategies that search: ``latency_ms``, the time of one answer, and ``model_bytes``, the size
    of the model. The study then ends with a front, stops no trial early and ships no mean of several."""
    refits: bool = True
    """Whether the model that is shipped learns once more when all are judged, from what was held back meanwhile. Tables and
    distillation leave it out."""
    learns_test: bool = False
    """Whether it then learns from the test items too; nothing can judge it on them any more."""
    max_answer_ratio: Annotated[float, Field(ge=1.0, le=MOST_ANSWER_RATIO)] | None = None
    """How many times as long as the slowest of its trials the mean of several may take to answer; 1 ships one. Absent takes the
    goal's number, and without a goal 3."""
    prefers_fast: bool | None = None
    """Whether of trials that the evidence does not tell from the best the one is kept that answers fastest; else it is the one
    whose family is known to do better on what it has not seen. Absent takes what the goal has, and without a goal false."""
    ranges: Annotated[dict[str, dict[str, ParamRange]], Field(max_length=50)] | None = None
    """What trials may try, by family and parameter (``size``: the family's sizes), e.g. ``{"resnet": {"lr": {"high": 0.01},
    "size": {"choices": ["18"]}}}``; absent: all that the families allow. Not of strategies ``single`` and ``distill``."""
    at_most: Annotated[dict[str, Annotated[float, Field(allow_inf_nan=False)]], Field(default_factory=dict, max_length=50)]
    """Limits by name of a parameter, e.g. ``{"batch_size": 8, "resolution_px": 160}``: no trial takes more of it."""
    device: Device | None = None
    """Absent takes ``auto``."""
    num_processes: Annotated[int, Field(ge=1, le=MOST_PROCESSES)] | None = None
    """How many train each network together on each host, each on its share of every batch and with a GPU of its own where there
    are several; absent takes 1, as families without gradient steps do."""
    num_hosts: Annotated[int, Field(ge=1, le=MOST_HOSTS)] | None = None
    """On how many hosts each network is trained, with ``num_processes`` on each. Each needs a worker of the platform; they
    share the database, the broker and the blob store, and reach each other. Absent takes 1."""
    data_parallel: DataParallel | None = None
    """How several processes put their gradients together; absent adds them up after the backward pass, in full precision."""
    warm_start: bool | None = None
    """Whether a search begins with what did best in earlier studies of the workspace, of the same task, that the caller sees:
    one trial in eight, at most three; absent takes true. Where training goes on from a model, nothing is taken over."""


class StudyIn(StudyPlanIn):
    """A study to start."""

    name: Annotated[str, Field(max_length=120)] = ""
    pruner: Pruner = "median"
    """Becomes ``none`` with ``also_improves``: a trial that is behind in the metric may lead in the others."""
    time_limit_s: Annotated[float, Field(gt=0)] | None = None
    target: Annotated[float, Field(allow_inf_nan=False)] | None = None
    """When a trial has reached this value of the objective, no more are started; absent runs all."""
    seed: Annotated[int, Field(ge=0, lt=2**31)] = 0


class StudyExtendIn(Schema):
    """A larger number of trials for a study."""

    max_trials: Annotated[int, Field(ge=1, le=MAX_TRIALS)]


class StudyShipIn(Schema):
    """The trial whose model is to be used."""

    trial: str
    """One of the study's ``front``."""


class WarmStudyOut(Schema):
    """An earlier study that another one takes a setting from."""

    id: str
    name: str
    project: str


class PlannedTrialOut(Schema):
    """A trial that is known before the start."""

    family: str
    size: str
    params: Mapping[str, ParamValue]
    estimated_s: float
    memory_bytes: int
    fits: bool
    num_windows: float
    """Parts of an item that its model reads one by one, in the mean; 1 where it sees whole items."""
    warm_start: WarmStudyOut | None
    """The earlier study in which it did well; None of others."""


class StudyPlanOut(Schema):
    """What will run and how long it will take."""

    trials: list[PlannedTrialOut]
    """The trials known beforehand; those that the search will choose are counted in ``estimated_s`` only."""
    estimated_s: float
    refit_s: float
    """Of ``estimated_s``, what the model that is shipped takes at most to learn once more; 0 where it does not."""
    max_answer_ratio: float
    """As asked; 1 where the mean of several trials cannot be shipped."""
    hosts: list[str]
    """Names of the hosts whose workers are up, where networks are to be trained on several."""
    gather_s: float
    """How long a trial waits until so many of them have a free worker; it fails then."""
    blocking: list[Problem]


class ErrorOut(Schema):
    """Why something failed."""

    code: str
    message: str
    hint: str = ""
    items: Annotated[list[str], Field(default_factory=list)]


class FailedItemOut(Schema):
    """An item that made trials fail."""

    id: str
    name: str
    thumbnail_url: str | None
    """None of a kind of items without thumbnails."""
    is_left_out: bool
    """It is no longer part of the dataset."""


class CureOut(Schema):
    """A way to try a failed study again."""

    name: str
    title: Text
    changes: list[Text]
    """What it changes, one sentence each."""
    page: str | None
    """The page of the web app where a person does it; None of a cure that ``study_cure`` applies."""


class StudyFailureOut(Schema):
    """Why a study failed, which items made it fail, and what cures it."""

    code: str | None
    """None of a study that needs no cure."""
    trial: str | None
    """The last trial that failed so."""
    num_items: int
    items: list[FailedItemOut]
    """The first twelve of them."""
    cures: list[CureOut]
    """The most promising first."""
    job: JobOut | None
    """The latest job that tries it again with a cure on a large dataset; ``made`` is the study that it has started."""


class CureJobOut(Schema):
    """A dataset so large that the version without some items is cut in the background, and the study started then."""

    job: JobOut
    """``made`` is the study, when it has ended."""


class CheckedStageOut(Schema):
    """One stage of a trial that was gone through."""

    stage: PreflightStage
    outcome: StageOutcome
    seconds: float
    """With a part of the version."""
    error: ErrorOut | None


class CheckedTrialOut(Schema):
    """One model of a training, gone through with a part of the version."""

    family: str
    size: str
    params: Mapping[str, ParamValue]
    stages: list[CheckedStageOut]
    """In order."""
    estimated_s: float | None
    """What it takes with the whole version; None where time was over before it was measured."""
    estimated_cpu_s: float | None
    """The same in processor time, all cores together."""
    is_rough: bool
    """Whether that rests on the hardest items alone, as time was over before there was a sample."""
    memory_bytes: int | None
    num_train: int
    """Items that it was timed with; 0 where it was not."""
    is_whole: bool
    """Whether these were all there are."""


class PreflightOut(Schema):
    """Whether a training would run, how long it would take and how much memory."""

    id: str
    """Of its job, too: ``job_cancel`` ends it."""
    version: str
    job: JobOut
    verdict: Literal["runs", "partly", "fails", "unknown"] | None
    """``partly``: some models fail and others do not; ``unknown``: time was over before anything was known. None until it has
    ended, and of one that was cancelled."""
    estimated_s: float | None
    """Of the whole training, planned where it was not measured; None until it has ended, and where all that was tried fails."""
    least_s: float | None
    most_s: float | None
    """Between which that will most likely lie."""
    time_basis: Basis | None
    """``measured``: with each of its models; ``derived``: with some of them; ``planned``: with none, from their operations."""
    estimated_cpu_s: float | None
    """Processor time of all trials, all cores together; None where nothing was measured."""
    memory_bytes: int | None
    """Of the trials that run at once, at their peak."""
    memory_basis: Basis | None
    """What that rests on, as ``time_basis`` says."""
    trials: list[CheckedTrialOut]
    problems: list[Problem]
    """Of the data, blocking ones first."""
    num_items: int
    num_read: int
    """Items that were opened and looked at, the most unusual first."""
    failure: StudyFailureOut
    """Why it would fail, which items make it fail, and what cures it."""


class PreflightCuredOut(Schema):
    """The settings that a cure leaves; nothing is started."""

    version: str
    """Another one where items were put aside."""
    job: JobOut | None
    """Cuts it where the dataset is large: ``version`` is the earlier one, and ``made`` of the ended job the new one."""
    families: list[str] | None
    strategy: Strategy
    max_trials: int
    concurrency: int
    train: TrainConfig | None
    start_from: str | None
    ranges: dict[str, dict[str, ParamRange]]
    at_most: dict[str, float]
    device: Device


class TrialCountsOut(Schema):
    """Trials by state."""

    queued: int
    running: int
    succeeded: int
    failed: int
    pruned: int
    cancelled: int


class StudyStartOut(Schema):
    """A model that training goes on from."""

    id: str
    project: str
    number: int
    """Counts from 1 within its project."""


class StudyCuredOut(Schema):
    """The failed study that another one tries again."""

    id: str
    name: str
    cure: str
    """What was changed: the ``name`` of one of its cures."""


class StudyOut(Schema):
    """A study."""

    id: str
    project: str
    version: str
    name: str
    state: StudyState
    is_finishing: bool
    """It runs, and was asked to end with what it has."""
    paused_at: datetime | None
    """It runs, but no trial is started and none goes on since then."""
    strategy: Strategy
    families: list[str]
    teacher: str | None
    """The model that teaches, of strategy ``distill``."""
    start_from: StudyStartOut | None
    """The model whose weights every trial begins with."""
    max_trials: int
    concurrency: int
    pruner: Pruner
    time_limit_s: float | None
    target: float | None
    """When a trial has reached this value of the objective, no more are started."""
    seed: int
    ranges: dict[str, dict[str, ParamRange]]
    """What trials may try, by family and parameter, where somebody set it."""
    at_most: dict[str, float]
    """Limits by name of a parameter."""
    device: Device
    num_processes: int
    """That train each network together, on each host."""
    num_hosts: int
    """That train each network together."""
    data_parallel: DataParallel
    """How they do."""
    warm_studies: list[str]
    """Ids of the earlier studies whose best settings are among its first trials."""
    cured_from: StudyCuredOut | None
    """The study that failed and that this one tries again."""
    created_at: datetime
    created_by: str
    ended_at: datetime | None
    best_trial: str | None
    """The trial whose model is to be used: the one that learned once more from the best, or the best itself."""
    best_value: float | None
    best_interval: list[float] | None
    """95% interval of ``best_value``; None where it is not known."""
    judged_trial: str | None
    """Of the trials that were compared, the one that is kept: ``chosen_trial``, or the best."""
    equal_trials: list[str]
    """The trials that are not significantly worse than the best; the one that is kept comes first."""
    shipping: Literal["judged", "refitted", "to_come", "running", "unneeded", "failed", "cancelled"]
    """What became of the model that is shipped: ``judged`` where it was not asked for; ``unneeded`` where nothing better came
    of it; where it failed or was cancelled, the best trial is shipped as it was judged."""
    ended_by: Literal["done", "time_limit", "finish", "target"] | None
    """Why no more trials were started; None while it runs, and of one that was cancelled."""
    refits: bool
    learns_test: bool
    max_answer_ratio: float
    prefers_fast: bool
    """Whether of ``equal_trials`` the one is kept that answers fastest."""
    objective: MetricSpec
    also_improves: list[SideObjective]
    """What is improved besides; empty of a study with one objective."""
    front: list[str]
    """The trials that no other one beats in all objectives, the best metric first; empty of a study with one objective."""
    chosen_trial: str | None
    """The trial of the front that somebody chose to ship; None while the best by the metric is shipped."""
    counts: TrialCountsOut
    estimated_remaining_s: float | None
    """None when the study has ended."""
    error: ErrorOut | None


class EvidenceOut(Schema):
    """What a trial's values rest on."""

    by: Literal["split", "folds"]
    """``folds``: parts of all items to learn from took turns at being held back."""
    num_folds: int
    num_items: int
    intervals: dict[str, list[float]]
    """95% intervals by metric."""
    halted: Literal["time_limit", "finished_early"] | None
    """Why it learned less than it was meant to."""


class TrialOut(Schema):
    """A trial with its learning curves."""

    id: str
    study: str
    number: int
    state: TrialState
    train: TrainConfig
    value: float | None
    values: dict[str, float]
    footprint: dict[SideObjective, float]
    """What its model takes: median time of one answer on one thread, and bytes; empty before it succeeded."""
    curve: list[CurvePoint]
    job: str | None
    artefact: str | None
    error: ErrorOut | None
    started_at: datetime | None
    ended_at: datetime | None
    cpu_s: float | None
    """Processor time on all cores together; None before it succeeded, and of trials from before it was kept."""
    evidence: EvidenceOut | None
    """What the values rest on; None before it succeeded, and of trials from before it was kept."""
    members: list[str] | None
    """Trials that this one ships, the best first; None of a trial that was compared."""


class GainOut(Schema):
    """What the search found beyond the settings that need no search."""

    default_trial: str | None
    """The best of the study's first trials and of those with their family's defaults; None while none of them has succeeded."""
    best_trial: str | None
    """The best of all."""
    value: float | None
    """How far the best lies above ``default_trial`` in units of the metric, more being better; 0 where they are the same."""
    interval: list[float] | None
    """95%, as if both had been judged on different items: too wide rather than too narrow. None where it is not known."""


class ImportanceOut(Schema):
    """Which parameters decided."""

    params: dict[str, float]
    """Fractions by ``family``, ``<family>.size`` and ``<family>.<param>``, largest first; empty with too few trials."""

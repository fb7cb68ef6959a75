"""What the delivery endpoints take and give."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from ninja import Schema
from pydantic import Field

from automl.contracts.annotation import Annotation
from automl.contracts.base import Text
from automl.contracts.family import ParamValue
from automl.contracts.job import JobState
from automl.contracts.target import BuildReport, Option, TargetGroup
from automl.contracts.task import OutputKind
from studio.deployments.models import DesiredState, KeepInputs, Measure, RolloutState
from studio.deployments.selectors import DeploymentState
from studio.deployments.traffic import MAX_MODELS
from studio.jobs.schemas import JobOut
from studio.registry.schemas import CoveredOut

Slug = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]{0,62}$")]
Fraction = Annotated[float, Field(ge=0, le=1)]
RetentionDays = Annotated[int, Field(ge=1, le=3650)]


class DeploymentIn(Schema):
    """A model to publish."""

    project: str
    artefact: str
    name: Annotated[str, Field(min_length=1, max_length=120)]
    slug: Slug | None = None
    keep_inputs: KeepInputs = KeepInputs.NONE
    min_uncertainty: Fraction = 0.5
    retention_days: RetentionDays = 30


class DeploymentPatchIn(Schema):
    """What to change; what is absent stays."""

    name: Annotated[str, Field(min_length=1, max_length=120)] | None = None
    artefact: str | None = None
    state: DesiredState | None = None
    thresholds: dict[str, Fraction] | None = None
    keep_inputs: KeepInputs | None = None
    min_uncertainty: Fraction | None = None
    retention_days: RetentionDays | None = None


class ModelShareIn(Schema):
    """A model and its share of the calls."""

    artefact: str
    share: Annotated[int, Field(ge=0, le=100)]
    """Percent."""


class TrafficIn(Schema):
    """The models of a deployment."""

    models: Annotated[list[ModelShareIn], Field(min_length=1, max_length=MAX_MODELS)]
    """Their shares add up to 100."""
    shadow: str | None = None
    """Artefact that is asked after callers have their answers."""


class DeployedModelOut(Schema):
    """A model of a deployment."""

    artefact: str
    share: int
    """Percent of the calls; 0 of the shadow."""
    message: str
    """Why it is not loaded, when it is not: the others answer in its place."""


class LabelShareOut(Schema):
    """How often a label was the best answer."""

    label: str
    fraction: float


class ComparedModelOut(Schema):
    """Figures of one model of a deployment in the log."""

    artefact: str
    calls: int
    """Answered and refused; of a shadow, those that it was asked about."""
    errors: int
    """Calls that the model failed at, whether or not another one answered; what callers did wrong is not counted."""
    p50_ms: float | None
    p95_ms: float | None
    """Of a shadow, without the time of the call itself."""
    uncertainty: float | None
    """Mean; None where nothing says so."""
    labels: list[LabelShareOut]
    """The commonest best answers, at most ten."""
    median_value: float | None
    """Of the numbers that it predicts."""
    compared: int
    """Answers that a shadow was asked about too; of a shadow, all of its own."""
    agreed: int
    """Of these, those in which the two differ by at most a tenth."""
    feedback: int
    """Answers of which callers said what was true."""
    loss: float | None
    """How wrong these were, 0..1, on the average: the fraction of wrong labels, or the mean relative error of numbers."""


class ComparisonOut(Schema):
    """The models of a deployment beside each other."""

    since: datetime
    models: list[ComparedModelOut]
    shadow: ComparedModelOut | None
    disagreements: int
    """Calls with a kept input that the shadow answers otherwise."""


class CallTruthIn(Schema):
    """What turned out to be true of an answered call: a label, or a number."""

    call: Annotated[str, Field(pattern=r"^prd_[0-9a-z]{26}$")]
    """The `id` of the answer."""
    place: Annotated[int, Field(ge=0, lt=64)] = 0
    """Of the item in the call, counted from 0."""
    label: Annotated[str, Field(min_length=1, max_length=200)] | None = None
    value: Annotated[float, Field(allow_inf_nan=False)] | None = None


class CallFeedbackIn(Schema):
    """What turned out to be true of answered calls."""

    items: Annotated[list[CallTruthIn], Field(min_length=1, max_length=1000)]


class CallFeedbackOut(Schema):
    """What became of it."""

    taken: int
    unknown: list[str]
    """Calls that are not in the deployment's log: not of this deployment, forgotten, or answered a moment ago."""


class RolloutIn(Schema):
    """A candidate to roll out."""

    candidate: str
    measure: Measure = Measure.FEEDBACK
    margin: Annotated[float, Field(ge=0, le=0.5)] = 0.0
    """By how much the candidate may be worse and is promoted all the same, 0..1."""
    steps: Annotated[tuple[Annotated[int, Field(ge=1, le=99)], ...], Field(min_length=1, max_length=10)] = (5, 20, 50)
    """Percent of the calls that the candidate gets, ascending."""
    step_minutes: Annotated[int, Field(ge=1, le=30 * 24 * 60)] = 60


class RolloutChangeOut(Schema):
    """A step of a rollout, or its end."""

    at: datetime
    state: RolloutState
    share: int
    """Percent of the calls that the candidate got from then on."""


class JudgedModelOut(Schema):
    """What a rollout has taken into account of a model."""

    calls: int
    loss: float | None
    """Mean, 0..1."""


class RolloutOut(Schema):
    """A rollout and what it knows."""

    id: str
    baseline: str
    candidate: str
    measure: Measure
    margin: float
    steps: list[int]
    step_minutes: int
    share: int
    """Percent of the calls that the candidate has, or had at the end of a step."""
    state: RolloutState
    evidence_worse: float
    """From 0 to 1, where it suffices to roll back."""
    evidence_better: float
    """From 0 to 1, where it suffices to promote."""
    baseline_judged: JudgedModelOut
    candidate_judged: JudgedModelOut
    history: list[RolloutChangeOut]
    created_at: datetime
    created_by: str
    ended_at: datetime | None
    ended_by: str


class CallMetricsOut(Schema):
    """Figures of a deployment from its log."""

    calls: int
    errors: int
    p50_ms: float | None
    p95_ms: float | None
    last_call_at: datetime | None
    try_outs: int
    """Calls of the platform's own try-out page; they count in nothing else."""


class SnippetsOut(Schema):
    """Programs that call the deployment; they read the key from the variable MODELYARD_KEY."""

    curl: str
    python: str
    javascript: str


class DeploymentOut(Schema):
    """A published model."""

    id: str
    project: str
    artefact: str
    name: str
    slug: str
    url: str
    state: DeploymentState
    message: str
    """Why it is not running, when it is not."""
    created_at: datetime
    thresholds: dict[str, float]
    keep_inputs: KeepInputs
    min_uncertainty: float
    retention_days: int
    metrics: CallMetricsOut
    models: list[DeployedModelOut]
    """That answer callers, the first one first."""
    shadow: DeployedModelOut | None
    snippets: SnippetsOut


class TopOut(Schema):
    """The best answer for a picture, a text or a row."""

    label: str
    score: float


class CallTruthOut(Schema):
    """What turned out to be true of an item of a call, by the caller's word."""

    place: int
    """Of the item in the call, counted from 0."""
    label: str | None
    value: float | None
    loss: float
    """How wrong the model was, 0..1: 0 or 1 of a label, the distance as a fraction of the larger one of a number."""


class PredictionLogOut(Schema):
    """One call."""

    id: str
    at: datetime
    artefact: str
    key: str
    is_try_out: bool
    """Whether it came from the platform's own try-out page; such calls count in no figure."""
    status: int
    code: str
    """Of the refusal; empty where there was an answer."""
    fallback_from: str
    """The model that was chosen and failed before this one answered; empty: none."""
    fallback_code: str
    """Of its error."""
    latency_ms: float
    num_pictures: int
    top: list[TopOut | None]
    """One a picture, text or row, the first 64; null where nothing was found, and where a number was predicted."""
    values: Annotated[list[float | None], Field(default_factory=list)]
    """The numbers that were predicted for the same rows; null of those, and empty where none was."""
    uncertainty: float | None
    input_sha256: str | None
    input_url: str | None
    input_text: str | None
    """Of a kept text, its beginning; None of what is no text and of what was not kept."""
    input_row: dict[str, str] | None = None
    """Of a kept row, its first cells by column; None of what is no row and of what was not kept."""
    feedback: list[CallTruthOut]
    """Of the items for which it was sent, in their order."""


class PredictionOut(CoveredOut):
    """The answer for one picture, text or row."""

    annotations: list[Annotation]


class PredictOut(Schema):
    """What the prediction server answers."""

    id: str
    model: str
    predictions: list[PredictionOut]
    latency_ms: float
    unknown_columns: Annotated[list[str], Field(default_factory=list)]
    """Columns of the rows that the model does not read, at most 20."""
    missing_columns: Annotated[list[str], Field(default_factory=list)]
    """Columns of the model that no row has, at most 20."""
    unseen_categories: Annotated[dict[str, list[str]], Field(default_factory=dict)]
    """By column, values that the model has not seen, at most five of at most 20 columns: the answer does not rest on them."""
    mostly_missing_rows: Annotated[list[int], Field(default_factory=list)]
    """Rows, counted from 1, that lack more than half of the model's cells: what is answered of them rests on little."""
    cut_texts: Annotated[list[int], Field(default_factory=list)]
    """Texts, counted from 1, that are longer than the model reads: their ends were not read."""


class MissingToolsOut(Schema):
    """What a build for a target needs and this installation does not have."""

    names: list[str]
    """Of programs and packages."""
    extra: str | None
    """Of the package ``modelyard``, which brings packages that are missing."""
    variable: str | None
    """Of the environment, that is to name the Python of an installation with packages that cannot be beside the server's."""


class TargetOut(Schema):
    """What a model can be built for, with the options of its form."""

    name: str
    title: Text
    summary: Text
    group: TargetGroup
    accepts: list[OutputKind]
    reads: list[str]
    """Kinds of items, as ``decode.kind`` of models."""
    pipelines: list[str]
    """Kinds of pipelines, as ``pipeline`` of models."""
    reads_forms: bool
    """Whether its products answer with the fields of forms, by the project's templates."""
    options: list[Option]
    tools: list[str]
    missing: MissingToolsOut | None
    """None where this installation can build for the target."""
    backends: list[str]
    """Backends, as of measurements, that compute as the product does; empty where nothing measured says how fast it is."""


class ExportEstimatesIn(Schema):
    """What might be built of a model."""

    artefact: str
    target: str | None = None
    """None: every target that can ship the model, with its usual options."""
    options: Annotated[dict[str, ParamValue], Field(default_factory=dict)]
    """Of the target."""
    gallery: str | None = None
    """With whose names the products are to answer; see ``ExportIn``."""


class ExportEstimateOut(Schema):
    """What a build is expected to give, before it is started."""

    target: str
    size_bytes: int | None
    """Of the file to download, about; None where this installation cannot build for the target."""
    build_s: float | None
    """Usual duration of the workspace's latest builds for the target; None before the first."""
    answer_ms: float | None
    """Time of an answer where the model was trained; None where the product computes otherwise than training measured."""


class ExportIn(Schema):
    """A model to build for a target."""

    artefact: str
    target: str
    options: Annotated[dict[str, ParamValue], Field(default_factory=dict)]
    gallery: str | None = None
    """Of a model that answers with vectors: the gallery with whose names the product is to answer instead."""


class ExportedGalleryOut(Schema):
    """The gallery inside a build, as it was called."""

    id: str
    name: str


class ExportOut(Schema):
    """A build."""

    id: str
    project: str
    artefact: str
    target: str
    options: dict[str, ParamValue]
    gallery: ExportedGalleryOut | None
    """With whose names the product answers; None: with what the model answers."""
    state: JobState
    job: JobOut | None
    report: BuildReport | None
    download_url: str | None
    """None until the build has succeeded."""
    commands: list[str]
    """How to try the file, a line of a shell each; empty until there is one."""
    created_at: datetime

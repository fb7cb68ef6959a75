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
from automl.contracts.target import BuildReport, Option
from automl.contracts.task import OutputKind
from studio.deployments.models import KeepInputs, WantedState
from studio.deployments.selectors import DeploymentState
from studio.jobs.schemas import JobOut

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
    state: WantedState | None = None
    thresholds: dict[str, Fraction] | None = None
    keep_inputs: KeepInputs | None = None
    min_uncertainty: Fraction | None = None
    retention_days: RetentionDays | None = None


class CallMetricsOut(Schema):
    """What the log says of a deployment."""

    calls: int
    errors: int
    p50_ms: float | None
    p95_ms: float | None
    last_call_at: datetime | None


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
    snippets: SnippetsOut


class TopOut(Schema):
    """The best answer for a picture, a text or a row."""

    label: str
    score: float


class PredictionLogOut(Schema):
    """One call."""

    id: str
    at: datetime
    artefact: str
    key: str
    status: int
    code: str
    """Of the refusal; empty where there was an answer."""
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


class PredictionOut(Schema):
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


class TargetOut(Schema):
    """What a model can be built for, with the options of its form."""

    name: str
    title: Text
    summary: Text
    accepts: list[OutputKind]
    options: list[Option]
    tools: list[str]


class ExportIn(Schema):
    """A model to build for a target."""

    artefact: str
    target: str
    options: Annotated[dict[str, ParamValue], Field(default_factory=dict)]


class ExportOut(Schema):
    """A build."""

    id: str
    project: str
    artefact: str
    target: str
    options: dict[str, ParamValue]
    state: JobState
    job: JobOut | None
    report: BuildReport | None
    download_url: str | None
    """None until the build has succeeded."""
    created_at: datetime

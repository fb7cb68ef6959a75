"""What the delivery endpoints take and give."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from ninja import Schema
from pydantic import AllowInfNan, Field

from automl.contracts.annotation import Annotation
from automl.contracts.base import Text
from automl.contracts.family import ParamValue
from automl.contracts.job import JobState
from automl.contracts.table import MAX_COLUMNS, ColumnKind
from automl.contracts.target import BuildReport, Option
from automl.contracts.task import OutputKind
from studio.deployments.models import KeepInputs, WantedState
from studio.deployments.selectors import DeploymentState
from studio.jobs.schemas import JobOut

Slug = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]{0,62}$")]
Fraction = Annotated[float, Field(ge=0, le=1)]
MAX_TRIED_CHARACTERS = 100_000
"""Of a text on the try-out page: no model reads as far."""
MAX_EXPLAINED_CHARACTERS = 20_000
"""Of a text that the model is asked about some fifty times."""
MAX_EVALUATIONS = 20_000
"""Of one explanation, as the prediction server has it."""
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


class TryTextsIn(Schema):
    """Texts to try a deployment with."""

    texts: Annotated[list[Annotated[str, Field(min_length=1, max_length=MAX_TRIED_CHARACTERS)]], Field(min_length=1)]
    """The prediction server takes 64 at most."""


class ExplainTextIn(Schema):
    """A text, and what to find out about the model's answer to it."""

    text: Annotated[str, Field(min_length=1, max_length=MAX_EXPLAINED_CHARACTERS)]
    label: Annotated[str, Field(max_length=256)] | None = None
    """Whose score is explained; null takes the best."""


class SegmentOut(Schema):
    """A part of a text and what it counts."""

    start: int
    """In characters (Unicode code points), from 0."""
    end: int
    """The character after the last."""
    fall: float
    """By how much the score falls when the part is taken out, -1..1; negative where it rises."""
    weight: float
    """``fall`` in shares of the greatest one of the text, -1..1; 0 everywhere where nothing counts by itself."""


class ExplainedOut(Schema):
    """What an answer hangs on."""

    label: str
    score: float
    segments: list[SegmentOut]
    """They join back to the text, or to so much of its beginning as the model reads."""


CellIn = str | int | Annotated[float, AllowInfNan(False)] | bool | None
RowIn = Annotated[dict[str, CellIn], Field(max_length=MAX_COLUMNS)]


class TryRowsIn(Schema):
    """Rows to try a deployment with: cells by column."""

    rows: Annotated[list[RowIn], Field(min_length=1)]
    """The prediction server takes 1,000 at most."""


class ExplainRowIn(Schema):
    """A row, and what to find out about the model's answer to it."""

    row: RowIn
    label: Annotated[str, Field(max_length=256)] | None = None
    """Whose score is explained; null takes the best. Of no meaning where a number is predicted."""
    max_evaluations: Annotated[int, Field(ge=1, le=MAX_EVALUATIONS)] | None = None
    """Rows that the model may answer for it; null takes 2,500."""


class ColumnPartOut(Schema):
    """What a column adds to an answer."""

    column: str
    cell: str
    """As text; empty when it is missing."""
    value: float
    """In the unit of the answer; negative where it takes away."""


class ExplainedRowOut(Schema):
    """What an answer hangs on: base and parts add up to the answer (Shapley values)."""

    label: str | None
    """Null where a number is predicted."""
    answer: float
    base: float
    """The mean answer of rows of the training data."""
    parts: list[ColumnPartOut]
    """What counts most first."""
    num_background: int
    """Rows of the training data that it was compared with."""
    num_evaluations: int
    """Rows that the model answered for it."""
    latency_ms: float


class RowFieldOut(Schema):
    """A column of the form."""

    name: str
    kind: ColumnKind
    decimal: str
    units: list[str]
    """Spellings of the unit of numbers, first the one to show; none where they have none."""
    datetime_format: str
    choices: list[str]
    """Of a category: values that the model has seen, commonest first; others are allowed."""
    typical: str
    minimum: float | None
    """This and the next of numbers, over the examples."""
    maximum: float | None


class RowFormOut(Schema):
    """What a form for rows needs to know."""

    target: str
    output: OutputKind
    labels: list[str]
    """Empty where a number is predicted."""
    fields: list[RowFieldOut]
    examples: list[dict[str, str]]
    """Rows of the training data, cells by column, empty ones left out."""


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

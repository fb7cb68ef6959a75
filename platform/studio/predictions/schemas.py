"""What the endpoints of batch predictions take and give."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from ninja import Schema
from pydantic import Field

from automl.contracts.annotation import Annotation
from automl.contracts.base import Text
from automl.contracts.table import Row
from automl.contracts.task import OutputKind
from studio.accounts.schemas import ActorOut
from studio.datasets.items.filters import ItemFilter
from studio.jobs.schemas import JobOut
from studio.predictions.models import Source
from studio.registry.schemas import CoveredOut

MAX_FILES = 1_000


class PredictionRunIn(Schema):
    """What to predict of, by which model."""

    artefact: str
    """Of this project, or of another one of the workspace with the same task."""
    source: Source
    filter: ItemFilter | None = None
    """Of `items`; without it all of them."""
    version: str | None = None
    """Of `version`."""
    uploads: Annotated[tuple[str, ...], Field(max_length=MAX_FILES)] = ()
    """Of `files`: uploads of the kind `predict` whose bytes have all come."""


class PredictionAgainIn(Schema):
    """By which model to start again."""

    artefact: str | None = None


class PredictionFileOut(Schema):
    """A file that was sent."""

    name: str
    size_bytes: int


class PredictionModelOut(Schema):
    """The model of a run."""

    id: str
    project: str
    number: int
    name: str
    output: OutputKind
    labels: list[str]
    keeps_scores: bool | None
    """Whether results and downloads hold the score of every label; False of models with more than 200 labels, of which they
    hold the predicted labels only; None where a model does not answer with scores."""


class PredictionRunOut(Schema):
    """A run."""

    id: str
    project: str
    artefact: PredictionModelOut | None
    """None where the model was deleted: then there is nothing to download."""
    source: Source
    filter: ItemFilter | None
    version: str | None
    version_number: int | None
    files: list[PredictionFileOut]
    num_expected: int | None
    num_results: int
    num_failed: int
    num_asked: int
    """Those that a person should look at."""
    error_rate: float | None
    """At which results say whether to ask a person, or between which numbers the truth lies; None where none was chosen for the
    model when the run was started."""
    columns: list[str]
    num_suggested: int | None
    job: JobOut | None
    suggest_job: JobOut | None
    created_at: datetime
    created_by: ActorOut


class PredictionResultOut(CoveredOut):
    """What came out for an item."""

    place: int
    """Counts from 0."""
    item: str | None
    """Of the project; None of files."""
    name: str
    text: str | None
    """Of a text, its beginning."""
    row: Row | None
    thumbnail_url: str | None
    picture_url: str | None
    width: int
    height: int
    annotations: list[Annotation]
    """What the model gives it."""
    scores: list[float] | None
    """By label, in the order of the model's."""
    code: str | None
    reason: Text | None
    """Why there is no prediction."""


class PredictionResultsOut(Schema):
    """Some results, in order."""

    items: list[PredictionResultOut]
    next_cursor: str | None


class PredictionResultsQuery(Schema):
    """Which results."""

    only: Literal["failed", "asked"] | None = None


class PredictionDownloadQuery(Schema):
    """As which file."""

    format: Literal["csv", "jsonl", "parquet"] = "csv"

"""What the registry endpoints take and give."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from ninja import Schema
from pydantic import Field

from automl.contracts.artefact import ArtefactManifest, Licence
from automl.contracts.dataset import Split
from automl.contracts.distillation import DistillationReport
from automl.contracts.report import (
    Calibration,
    ClassMetrics,
    CurvePoint,
    JudgedItem,
    Judgement,
    PrecisionRecall,
    RegressionFit,
    RocCurve,
    Shipped,
    SizeMetrics,
    TableReport,
    Tempering,
)
from studio.registry.models import Stage


class ArtefactOut(Schema):
    """A model."""

    id: str
    project: str
    number: int
    name: str
    study: str | None
    trial: str | None
    version: str
    version_number: int
    family: str
    size: str
    stage: Stage
    metrics: dict[Split, dict[str, float]]
    intervals: dict[Split, dict[str, tuple[float, float]]]
    """95% intervals of the metrics; none of models from before they were kept here."""
    num_judged: dict[Split, int]
    """Items of each split that the metrics are of."""
    num_members: int
    """Models whose mean it is; 1 of one that stands alone."""
    latency_ms: float
    model_bytes: int
    size_bytes: int
    tolerance: float
    """How far a runtime's scores may be from the trained model's on the recorded samples."""
    licences: list[Licence]
    created_at: datetime
    teaches: bool
    """Whether smaller models can learn from its answers (strategy ``distill`` of a study)."""
    manifest: ArtefactManifest


class StageChangeOut(Schema):
    """Who moved a model to which stage, and why."""

    before: Stage
    after: Stage
    reason: str
    by: str
    at: datetime


class PromoteIn(Schema):
    """A stage and why."""

    stage: Stage
    reason: Annotated[str, Field(min_length=1, max_length=1000)]


class EvaluateIn(Schema):
    """What to measure a model on."""

    version: str
    split: Split = Split.TEST


class EvaluationOut(Schema):
    """How a model fares on a split of a version."""

    id: str
    artefact: str
    version: str
    version_number: int
    split: Split
    metrics: dict[str, float]
    num_items: int
    job: str | None
    created_at: datetime


class SplitReportOut(Schema):
    """The evaluation of one split without its items."""

    split: Split
    num_items: int
    is_learned: bool
    """Whether the model that is shipped has learned these items too; the figures are then of models that had not."""
    metrics: dict[str, float]
    intervals: dict[str, tuple[float, float]]
    """95% intervals."""
    per_class: list[ClassMetrics]
    confusion: list[list[int]]
    """Rows are truth, columns are answers, in the order of ``labels``; empty where an item may carry several labels."""
    precision_recall: list[PrecisionRecall]
    """A curve a label where the task ranks what it finds; else empty."""
    per_size: list[SizeMetrics]
    """How objects of each size fare, where the task finds any; else empty."""
    roc: list[RocCurve]
    """A curve a label, of rows of a table; else empty."""
    calibration: list[Calibration]
    """A label each, of rows of a table; else empty."""
    regression: RegressionFit | None
    """Where a number is predicted."""


class JudgedMemberOut(Schema):
    """A judged trial from which the model that is shipped comes."""

    trial: str
    number: int
    """Counts from 0 within the study."""
    artefact: str
    family: str
    size: str


class ReportOut(Schema):
    """A report without its items; those are paged."""

    labels: list[str]
    splits: list[SplitReportOut]
    curves: list[CurvePoint]
    train_seconds: float
    latency_ms: float
    model_bytes: int
    table: TableReport | None
    """Of a model of tables."""
    distillation: DistillationReport | None
    """Of a model that another taught: both sides, measured on the same items in the same run."""
    judgement: Judgement | None
    """What the trial was compared by; None of older reports and of tables, where it is the split ``validation``."""
    tempering: Tempering | None
    """Whether scores may be read as probabilities, without and with the temperature that was found."""
    shipped: Shipped | None
    """Of a model that learned once more after all had been judged: every measure here is that of the judged."""
    members: list[JudgedMemberOut]
    """Of ``shipped``, the best first; those that were deleted are left out."""


class ReportItemsQuery(Schema):
    """Which items of a report are wanted."""

    split: Split = Split.TEST
    truth: str | None = None
    """Label that a person gave."""
    prediction: str | None = None
    """Label that the model gave."""
    only: Literal["errors"] | None = None
    order: Literal["item", "loss"] = "item"
    """As they stand in the version, or the worst first."""


class ReportItemOut(JudgedItem):
    """One judged item with a picture to look at, a text to read, or cells."""

    name: str
    thumbnail_url: str | None
    """None when the item is gone for good."""
    text: str | None
    """Of a text, its beginning; None of others."""
    row: dict[str, str] | None
    """Of a row of a table, its cells by column; None of others."""
    width_px: int | None
    height_px: int | None
    """Of the picture, upright; 0 of others."""


class ReportItemsOut(Schema):
    """A page of judged items."""

    items: list[ReportItemOut]
    num_items: int
    """Of all pages."""
    next_cursor: str | None


class LineageNodeOut(Schema):
    """One thing on the way back."""

    kind: str
    """artefact, trial, study, version, item, annotation, person, import, model, key."""
    id: str
    title: str
    at: datetime | None
    by: str | None


class LineageOut(Schema):
    """Things and arrows; an arrow goes from a thing to what it was made of."""

    nodes: list[LineageNodeOut]
    edges: list[tuple[str, str]]

"""What the registry endpoints take and give."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from ninja import Schema
from pydantic import Field

from automl.contracts.advice import AdviceReport
from automl.contracts.annotation import Bounds
from automl.contracts.artefact import ArtefactManifest, Licence
from automl.contracts.base import Text
from automl.contracts.coverage import Coverage, CoverageReport, CoverageScope
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
    ScoreDistribution,
    Shipped,
    SimilarityReport,
    SizeMetrics,
    SliceReport,
    TableReport,
    Tempering,
    TextLinesReport,
)
from automl.contracts.robustness import RobustnessReport
from automl.contracts.training_profile import TrainingProfile
from studio.jobs.schemas import JobOut
from studio.registry.models import Stage


class CompressedOut(Schema):
    """How a model was made smaller."""

    parent: str | None
    """The model that it was made from."""
    parent_number: int | None
    method: str
    title: Text
    """Of the method."""


class BestModelsOut(Schema):
    """The best models of a project."""

    first: str | None
    """The model that one would use: the one in production, else the best one of the newest version; where none is known to be
    better, the newest that answers at an address, else the newest that a study ships, else the newest. None while there is
    no model."""
    best: list[str]
    """Of each version at most one, among those that were judged on the same split by 30 items or more. Models whose interval
    holds the best value are as good: of these it is the one in production, in service, or shipped by its study."""


class ArtefactFileOut(Schema):
    """A file of a model."""

    name: str
    """Path below the model's folder, such as `samples/0.png`."""
    size_bytes: int


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
    note: str
    thresholds: dict[str, float]
    """Lowest score by label where a deployment has none of its own; empty where the best label is said."""
    coverage: Coverage | None
    """By which answers say whether to ask a person, or how far off a number may be; None where nobody chose that."""
    is_threshold_chosen: bool
    """Somebody chose them; those that were recommended stand in the manifest."""
    compressed: CompressedOut | None
    """Of a model that was made smaller."""
    compresses: bool
    """Whether ways are known to make it smaller (``POST /artefacts/{id}/compressions``)."""
    compresses_by_training: bool
    """Whether some of these ways train."""
    teaches: bool
    """Whether smaller models can learn from its answers (strategy ``distill`` of a study)."""
    continues: bool
    """Whether training can go on from its weights (``start_from`` of a study)."""
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


class CoverageIn(Schema):
    """Which of the guarantees of a model's report its answers use."""

    error_rate: Annotated[float, Field(gt=0, lt=1)] | None
    """One of the report's; null has answers say nothing of it any more."""
    scope: CoverageScope = "all"
    """Whether it holds over all items, or over the items of each label; of numbers only ``all``."""


class ArtefactChangeIn(Schema):
    """What people may change of a model; absent keeps."""

    note: Annotated[str, Field(max_length=500)] | None = None
    thresholds: dict[str, Annotated[float, Field(ge=0, le=1)]] | None = None
    """Lowest score by label; empty goes back to what was recommended."""
    coverage: CoverageIn | None = None
    """How often answers may be wrong before a person is asked, or how often a number may lie outside its interval."""


class EvaluateIn(Schema):
    """What to measure a model on."""

    version: str
    split: Split = Split.TEST


class RobustnessIn(Schema):
    """Which items of a model's own version to alter."""

    split: Split = Split.TEST


class RobustnessOut(Schema):
    """How robust a model is to altered items, and the latest job that tests it."""

    report: RobustnessReport | None
    job: JobOut | None


class AdviceOut(Schema):
    """What more items would bring a model, and the latest job that measures it."""

    is_offered: bool
    """Whether a quick head can stand for models of this kind."""
    estimated_s: float
    """About how long the job takes."""
    report: AdviceReport | None
    job: JobOut | None


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
    num_models: int
    """Judged on this split of this version, this one among them: of many that are compared the best looks better than it is."""
    is_learned: bool
    """Whether the model that is shipped has learned these items too; the figures are then of models that had not."""
    metrics: dict[str, float]
    intervals: dict[str, tuple[float, float]]
    """95% intervals."""
    per_class: list[ClassMetrics]
    confusion: list[list[int]]
    """Rows are truth, columns are answers, in the order of ``labels``; empty where an item may carry several labels."""
    object_confusion: list[list[int]]
    """Objects by label and answer; the last row counts those predicted where there is nothing, the last column missed ones."""
    precision_recall: list[PrecisionRecall]
    """A curve a label where the task ranks what it finds; else empty."""
    per_size: list[SizeMetrics]
    """How objects of each size fare, where the task finds any; else empty."""
    roc: list[RocCurve]
    """A curve a label, of rows of a table; else empty."""
    calibration: list[Calibration]
    """A label each, of rows of a table; else empty."""
    score_distribution: list[ScoreDistribution]
    """How anomaly scores are spread, a label each; empty where there are none."""
    similarity: SimilarityReport | None
    text_lines: TextLinesReport | None
    """Where items are compared with each other."""
    baseline: dict[str, float]
    """The same metrics of the network that training began with; empty where it was not asked."""
    regression: RegressionFit | None
    """Where a number is predicted."""
    slices: SliceReport | None
    """Parts that are answered worse than the rest; None of older reports, and where there are too few items to compare."""


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
    profile: TrainingProfile | None
    """Where the time of the training went; None of older reports and of models that do not learn step by step."""
    coverage: CoverageReport | None
    """How often the truth lies among what the model holds possible; None of older reports and of other kinds of answers."""
    members: list[JudgedMemberOut]
    """Of ``shipped``, the best first; those that were deleted are left out."""


class ReportItemsQuery(Schema):
    """Filter of a report's items."""

    split: Split = Split.TEST
    truth: str | None = None
    """Label that a person gave."""
    prediction: str | None = None
    """Label that the model gave."""
    objects: bool = False
    """The labels are those of one object: `truth` alone finds missed objects, `prediction` alone made-up ones."""
    only: Literal["errors"] | None = None
    item: str | None = None
    """This one alone."""
    label: str | None = None
    """With ``threshold`` and ``outcome``: items for which the label was rightly or wrongly said or kept back."""
    threshold: Annotated[float, Field(ge=0, le=1)] = 0.5
    outcome: Literal["found", "missed", "false_alarm", "rest"] = "missed"
    unsure: Literal["asked", "wrong"] | None = None
    """With ``error_rate`` and ``scope``: items that are left to a person, or answered wrongly without one."""
    error_rate: Annotated[float, Field(gt=0, lt=1)] = 0.1
    scope: CoverageScope = "all"
    slice: Annotated[int, Field(ge=0)] | None = None
    """Place of a part in ``slices.slices`` of the split's report: its items alone."""
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


class PairedTestOut(Schema):
    """How far two models lie apart: McNemar's exact test, of amounts a paired bootstrap."""

    difference: float
    """What the second has over the first: share of right answers, or mean size of the error."""
    interval: tuple[float, float]
    """95%."""
    p_value: float


class PairReportOut(Schema):
    """Two models on the same items."""

    num_items: int
    num_fixed: int
    """Items that only the second got right; where answers are amounts, those it came closer to."""
    num_broken: int
    test: PairedTestOut | None
    """None where the reports do not list all items of the split."""
    is_amount: bool


class PairQuery(Schema):
    """Which model is compared with, and on what."""

    other: str
    split: Split = Split.TEST


class PairItemsQuery(PairQuery):
    """Filter of items."""

    outcome: Literal["fixed", "broken"]


class PairItemOut(Schema):
    """An item with both models' answers."""

    before: ReportItemOut
    after: ReportItemOut


class PairItemsOut(Schema):
    """A page of them."""

    items: list[PairItemOut]
    num_items: int
    """Of all pages."""
    next_cursor: str | None


class LineageNodeOut(Schema):
    """One thing on the way from people to a model, and on to what was made of it."""

    kind: str
    """deployment, export, artefact, start (the model that training went on from), trial, study, version, item, annotation,
    person, import, model, key."""
    id: str
    title: str
    """In English."""
    name: str
    """What people call it, an export by its target; empty where only a number tells."""
    number: int | None
    """Of a model, a trial, a version: counted from 1. Of who annotated: how many items."""
    at: datetime | None
    by: str | None


class LineageOut(Schema):
    """A graph of origins: an edge goes from an object to one that it was made of."""

    nodes: list[LineageNodeOut]
    edges: list[tuple[str, str]]


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


class GridOut(Schema):
    """Cells over a picture and what each counts, row by row from the top left."""

    rows: int
    columns: int
    falls: list[float]
    """By how much the score falls when a cell is covered, -1..1; negative where it rises."""
    weights: list[float]
    """``falls`` in shares of the greatest one, -1..1; 0 everywhere where nothing counts by itself."""
    area: Bounds | None = None
    """Where the grid lies, around an object; null over the whole picture."""


class ExplainedOut(Schema):
    """What an answer hangs on."""

    label: str
    score: float
    segments: list[SegmentOut]
    """Of a text: they join back to it, or to so much of its beginning as is looked at. Empty of anything else."""
    grid: GridOut | None
    """Of a picture; null of anything else."""
    box: Bounds | None = None
    """Of the object that is explained; null where it is the item as a whole."""


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


class IntervalOut(Schema):
    """Between which numbers the true one lies, but for the error rate."""

    low: float
    high: float
    error_rate: float


class CoveredOut(Schema):
    """What stands beside the annotations that a model gives an item."""

    ask_a_person: bool | None = None
    """Whether a person should look, because the scores do not leave the predicted label alone possible; only where an error
    rate was chosen for the model."""
    possible_labels: list[str] | None = None
    """At that error rate, the best first."""
    interval: IntervalOut | None = None
    """Of a number, where an error rate was chosen for the model."""

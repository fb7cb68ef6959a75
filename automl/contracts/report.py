"""How well a model does: ``report.json`` of an artefact, and of a later evaluation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from pydantic import Field

from automl.contracts.annotation import Annotation
from automl.contracts.base import Contract, Text, left_out
from automl.contracts.coverage import CoverageReport
from automl.contracts.dataset import Split
from automl.contracts.family import ParamValue
from automl.contracts.table import ColumnKind, Histogram
from automl.contracts.training_profile import TrainingProfile

REPORT_FILE = "report.json"


class ClassMetrics(Contract):
    """The metrics of one label."""

    label: str
    precision: float
    recall: float
    f1: float
    support: int
    """Items that carry the label; boxes of it where the task draws boxes."""
    average_precision: float | None = None
    """Mean precision over recall at an overlap of one half, 0..1, where the task ranks what it finds."""
    intersection_over_union: float | None = Field(
        default=None, exclude_if=lambda value: value is None, json_schema_extra=left_out
    )
    """Pixels that truth and answer share over those that either has, 0..1, where pixels are labelled; precision, recall and F1
    are then of pixels too."""


class PrecisionRecall(Contract):
    """Precision and recall of one label by threshold: points from the highest score to the lowest, all of one length."""

    label: str
    recall: tuple[float, ...]
    precision: tuple[float, ...]
    score: tuple[float, ...]
    num_wrong: tuple[int, ...] = Field(default=(), exclude_if=lambda value: not value, json_schema_extra=left_out)
    """How often the label is predicted wrongly from each score on, where objects are drawn; empty in older reports."""


class RocCurve(Contract):
    """One label against all others: points from the highest score to the lowest, all of one length, from (0, 0) to (1, 1)."""

    label: str
    false_positive_rate: tuple[float, ...]
    true_positive_rate: tuple[float, ...]
    score: tuple[float, ...]
    """From which the label is predicted; the first is above every score."""
    area: float = Field(ge=0.0, le=1.0)
    """Below the curve of all points, of which only some are kept (Hanley and McNeil 1982)."""


class CalibrationBin(Contract):
    """Items whose score for a label lies in ``low .. high``."""

    low: float
    high: float
    count: int
    mean_score: float
    share: float = Field(ge=0.0, le=1.0)
    """Of them that carry the label: near ``mean_score`` where scores may be read as probabilities."""


class Calibration(Contract):
    """Whether a label's scores may be read as probabilities (Niculescu-Mizil and Caruana 2005)."""

    label: str
    bins: tuple[CalibrationBin, ...]
    """From low to high; those without items are left out."""
    error: float = Field(ge=0.0, le=1.0)
    """Mean distance of ``share`` from ``mean_score``, by items (expected calibration error)."""


class ScoreDistribution(Contract):
    """How the scores of the items that carry one label are spread."""

    label: str
    is_normal: bool
    """Whether it is the label of the normal items: the threshold is that of the other."""
    counts: tuple[int, ...]
    """Items by score, in bins of equal width over 0..1."""


class PairsAccepted(Contract):
    """What one limit of similarity makes of pairs of pictures; intervals are of 95%."""

    rate: float = Field(gt=0.0, lt=1.0)
    """Pairs of different things that may be taken for the same, as a share."""
    limit: float
    """Least similarity of what is taken for the same. It comes from validation."""
    accepted: float = Field(ge=0.0, le=1.0)
    """Share of the pairs of the same thing that reach the limit."""
    accepted_interval: tuple[float, float]
    mistaken: float = Field(ge=0.0, le=1.0)
    """Share of the pairs of different things that reach it."""
    mistaken_interval: tuple[float, float]


class ConfusedPair(Contract):
    """Two items that are more alike, or less, than they should be."""

    items: tuple[str, str]
    labels: tuple[str, str]
    similarity: float = Field(ge=-1.0, le=1.0)


class SimilarityReport(Contract):
    """How well similarities separate the same things from different ones. Each judged item was compared with all others."""

    is_unseen: bool
    """Whether the judged items are of labels that the model has learned nothing of."""
    num_labels: int
    """Of the judged items."""
    num_judged: int
    """Items that were asked about; all items of the split were there to be found."""
    num_same: int
    """Pairs of the same thing, in which a judged item has part."""
    num_different: int
    same_counts: tuple[int, ...]
    """Pairs by similarity, in bins of equal width over -1..1."""
    different_counts: tuple[int, ...]
    false_match_rate: tuple[float, ...]
    """Of pairs of different things, for falling limits; with ``accept_rate`` a curve from (0, 0) to (1, 1)."""
    accept_rate: tuple[float, ...]
    """Of pairs of the same thing."""
    points: tuple[PairsAccepted, ...]
    """The strictest last."""
    alike: tuple[ConfusedPair, ...]
    """Pairs of different things, the most similar first."""
    unlike: tuple[ConfusedPair, ...]
    """Pairs of the same thing, the least similar first."""


class ConfusedCharacter(Contract):
    """A character and what was read in its place; one of them is empty where it was left out, or is one too many."""

    truth: str
    given: str
    count: int


class WrongLine(Contract):
    """A line of text that was not read as it is."""

    item: str
    truth: str
    """Empty where there is no line."""
    given: str
    """Empty where none was found."""
    num_edits: int
    """Characters to insert, delete or replace."""


class TextLinesReport(Contract):
    """How well lines of text are found and read."""

    num_lines: int
    """That can be read."""
    num_given: int
    """That the model read."""
    num_found: int
    """Of ``num_lines``, those that overlap one of ``num_given`` by half."""
    num_right: int
    """Of these, those whose text is the same."""
    num_true_characters: int
    num_edits: int
    """Characters to insert, delete or replace; all of a line that was not found, or is one too many."""
    confused: tuple[ConfusedCharacter, ...]
    """The commonest first."""
    wrong: tuple[WrongLine, ...]
    """The worst first."""


class RegressionFit(Contract):
    """How predicted numbers fit the true ones, in the unit of the target; errors are prediction less truth."""

    items: tuple[str, ...]
    """Of the points below: all items, or 2,000 drawn evenly."""
    truth: tuple[float, ...]
    prediction: tuple[float, ...]
    residuals: Histogram
    """Of the errors of all items; wild ones, beyond one and a half times the way from the median to the 1st or the 99th
    percentile, count in the outermost bars."""
    error_quantiles: tuple[float, ...]
    """At 0.05, 0.25, 0.5, 0.75, 0.95, of all items."""
    absolute_error_quantiles: tuple[float, ...]
    """At 0.5, 0.75, 0.9, 0.95, 0.99, of all items."""
    truth_mean: float
    truth_std: float
    """Also the RMSE of a model that always predicts the mean."""


class SizeMetrics(Contract):
    """The metrics of objects of one size, whatever their label."""

    size: Literal["small", "medium", "large"]
    """By the area of the true box in pixels of its picture, as COCO has it: up to 32 x 32, up to 96 x 96, and above."""
    support: int
    """True boxes of that size."""
    average_precision: float
    """COCO's for the size, 0..1: averaged over overlaps from 0.50 to 0.95 and over the labels that occur."""


class ModelScore(Contract):
    """A row of a leaderboard: one model among those that were tried for, or went into, the one that is shipped."""

    name: str
    family: str
    params: Mapping[str, ParamValue] = {}
    value: float
    """The objective on rows that it was not trained on."""
    fit_seconds: float
    rows_per_s: float | None = None
    weight: float = Field(ge=0.0, le=1.0)
    """Its part of the shipped model; 0 of one that was left out."""


class ColumnEffect(Contract):
    """What one column does to the answers."""

    column: str
    importance: float
    """How much worse the objective becomes when the column is shuffled (Breiman 2001), mean over shuffles; may be below 0."""
    importance_std: float = Field(ge=0.0)
    mean_abs_shap: float = Field(ge=0.0)
    """Mean size of its Shapley values over ``shap_rows``, in the unit of the answer; of classes the sum over them."""


class RowShap(Contract):
    """Shapley values of one row (Strumbelj and Kononenko 2014): they add up to the answer less ``TableReport.base``."""

    item: str
    cells: tuple[str, ...]
    """In the order of ``TableReport.columns``; empty is missing."""
    values: tuple[tuple[float, ...], ...]
    """By column, then by label, or the one number that is predicted."""


class PartialDependence(Contract):
    """The mean answer when one column is set to each of some values in all rows (Friedman 2001)."""

    column: str
    kind: ColumnKind
    cells: tuple[str, ...]
    """Along the axis: numbers with a point, datetimes in ISO."""
    mean: tuple[tuple[float, ...], ...]
    """By cell, then by label, or the one number that is predicted."""
    share: tuple[float, ...]
    """Of the rows near each cell, so that it shows where the curve stands on little."""


class TableReport(Contract):
    """What only a model of tables reports."""

    columns: tuple[str, ...]
    base: tuple[float, ...]
    """The mean answer, by label, or the one number that is predicted."""
    models: tuple[ModelScore, ...]
    """Best first; at least the shipped one."""
    effects: tuple[ColumnEffect, ...]
    """The most important first."""
    shap_rows: tuple[RowShap, ...]
    dependence: tuple[PartialDependence, ...]
    """Of the most important columns."""
    background: tuple[Mapping[str, str], ...]
    """Rows that stand for the others when a single answer is explained: cells by column, empty ones left out."""


class CurvePoint(Contract):
    """One point of a learning curve."""

    step: int
    epoch: float
    split: Split
    values: Mapping[str, float]


class JudgedItem(Contract):
    """One item with truth and answer, so that every number of a report can be clicked through to pictures."""

    item: str
    truth: tuple[Annotation, ...]
    prediction: tuple[Annotation, ...]
    """What the model predicted, with scores, best first: at most five labels, or all boxes that are kept."""
    loss: float
    """Of the answer; of a number the absolute error, in the unit of the target."""
    matches: tuple[tuple[int, int], ...] = ()
    """Which truth (index) was found by which prediction (index) that passes its threshold; where objects are drawn."""
    mistaken: tuple[tuple[int, int], ...] = Field(default=(), exclude_if=lambda value: not value, json_schema_extra=left_out)
    """Likewise, of objects that were found and given another label: those that nothing of their own label has found."""


SliceMeasure = Literal["accuracy", "f1", "absolute_error"]
"""What parts of a split are compared by, one number an item: whether it is answered exactly right; where objects are drawn, the
F1 of its boxes, and where pixels are labelled the mean F1 of the labels that are there or predicted (1 where there are none and
none are predicted); of a number how far off the answer is, in the unit of the target."""
SliceScale = Literal["value", "number", "time"]
"""Whether a fact is a name, a number, or a moment in seconds since 1970."""


class Slice(Contract):
    """Some items that have something in common, against all others."""

    fact: str
    """By which they were cut, e.g. ``brightness``, or ``column:age``."""
    name: Text
    """Of the fact."""
    title: Text | None = None
    """What people call such items, e.g. dark pictures; None where there is no word for them."""
    scale: SliceScale
    low: float | None = None
    """The least value of the fact; None: whatever is below ``high``."""
    high: float | None = None
    """All values are below; None: whatever is from ``low`` on."""
    value: str | None = None
    """Of a fact that is a name. Empty: items of which it is not known, whatever the scale."""
    num_items: int
    measured: float
    interval: tuple[float, float]
    """95%, of ``measured``; the other intervals are of 95% too."""
    rest: float
    """All other items of the split."""
    rest_interval: tuple[float, float]
    worse_by: float
    """Above 0 where the model does worse than on the rest, whichever way the measure goes."""
    worse_by_interval: tuple[float, float]
    p_value: float
    """How likely the part looks at least so bad where the model does as well on it, one-sided."""
    adjusted_p_value: float
    """For all parts that were looked at (Benjamini and Hochberg 1995)."""
    is_worse: bool
    """Whether the adjusted p-value is at most 0.05."""


class SliceReport(Contract):
    """Where a model does worse than elsewhere. How it is found: ``engine/slices/find.py``."""

    measure: SliceMeasure
    is_higher_better: bool
    value: float
    """Of the measure, over all items of the split."""
    interval: tuple[float, float]
    num_tested: int
    """Parts that were looked at."""
    num_worse: int
    """Of these, those that are surely worse."""
    slices: tuple[Slice, ...]
    """At most 20 that look worse: surely worse ones first, then by the difference that there is at least."""


class SplitReport(Contract):
    """The evaluation of one split."""

    split: Split
    num_items: int
    """That the figures are of: of similarities those that are looked up, which may be fewer than the items beside them."""
    is_learned: bool = Field(default=False, exclude_if=lambda value: not value, json_schema_extra=left_out)
    """Whether the model that is shipped has learned these items too; every figure is then of models that had not seen them."""
    metrics: Mapping[str, float]
    intervals: Mapping[str, tuple[float, float]]
    """95% intervals; how each is found, the task's metrics say."""
    per_class: tuple[ClassMetrics, ...]
    per_size: tuple[SizeMetrics, ...] = ()
    """From small to large, sizes that occur; where objects are drawn."""
    confusion: tuple[tuple[int, ...], ...] = ()
    """Rows are truth, columns are answers, both in the label set's order; empty where an item may carry several labels, and of
    rows of a table with more than 200 labels."""
    object_confusion: tuple[tuple[int, ...], ...] = Field(
        default=(), exclude_if=lambda value: not value, json_schema_extra=left_out
    )
    """Objects at the recommended thresholds: rows are truth, columns are answers, both in the label set's order. The last row
    counts what was drawn where nothing is, the last column what was missed. Empty where no objects are drawn, in older reports,
    and of more than 200 labels."""
    precision_recall: tuple[PrecisionRecall, ...] = ()
    """A curve a label where the task ranks what it finds; of rows for at most 20 labels, the commonest."""
    roc: tuple[RocCurve, ...] = Field(default=(), exclude_if=lambda value: not value, json_schema_extra=left_out)
    """Of rows, for at most 20 labels, the commonest."""
    calibration: tuple[Calibration, ...] = Field(default=(), exclude_if=lambda value: not value, json_schema_extra=left_out)
    """Of rows, for the labels of ``roc``."""
    score_distribution: tuple[ScoreDistribution, ...] = Field(
        default=(), exclude_if=lambda value: not value, json_schema_extra=left_out
    )
    """Of anomaly scores, for every label of the label set; a label that no item carries has zeros alone."""
    similarity: SimilarityReport | None = Field(
        default=None, exclude_if=lambda value: value is None, json_schema_extra=left_out
    )
    """Where items are compared with each other."""
    text_lines: TextLinesReport | None = Field(default=None, exclude_if=lambda value: value is None, json_schema_extra=left_out)
    """Where text is read."""
    baseline: Mapping[str, float] = Field(default={}, exclude_if=lambda value: not value, json_schema_extra=left_out)
    """The same metrics of the network that training began with, pretrained or not, where it can be asked."""
    regression: RegressionFit | None = Field(default=None, exclude_if=lambda value: value is None)
    """Where a number is predicted; ``per_class`` and ``confusion`` are then empty."""
    slices: SliceReport | None = Field(default=None, exclude_if=lambda value: value is None)
    """None of older reports, and where there are too few items to compare."""
    slice_items: tuple[tuple[int, ...], ...] = Field(default=(), exclude_if=lambda value: not value, json_schema_extra=left_out)
    """For each of ``slices.slices`` its places in ``items``; fewer than its items where not all are listed."""
    items: tuple[JudgedItem, ...]
    """All items of the split. Of more than 5,000 rows of a table only the 1,000 with the largest loss, and of the others 4,000
    drawn evenly: every number above is of all."""


class Judgement(Contract):
    """What trials are compared by: answers to items by models that had not learned from them."""

    by: Literal["split", "folds"]
    """``folds``: parts took turns at being held back from models that learned alike."""
    num_folds: int = Field(ge=1)
    num_items: int
    metrics: Mapping[str, float]
    intervals: Mapping[str, tuple[float, float]]
    """95% intervals."""
    epoch: float | None = None
    """After which the weights were kept, of a model that is trained in epochs."""
    halted: Literal["time_limit", "finished_early"] | None = None
    """Why it learned less than it was meant to."""


class Tempering(Contract):
    """The number by which logits are divided so that scores may be read as probabilities (Guo et al. 2017)."""

    temperature: float = Field(gt=0)
    before: Mapping[Split, float]
    """How far scores are from the share of right answers, by items (expected calibration error, 0..1), without it."""
    after: Mapping[Split, float]
    """With it. It was found on ``validation``; only ``test`` judges it."""


class Shipped(Contract):
    """How the model that is shipped came from those that were judged. Every measure in the report is that of the judged."""

    trials: tuple[str, ...] = Field(min_length=1)
    """Whose model this is, or whose answers it is the mean of; the best first."""
    learned: tuple[Split, ...]
    """What it learned from."""
    num_learned: int
    """Items of them."""
    num_more: int = Field(ge=0)
    """Of these, items that the judged models had not learned from."""
    alone: Mapping[Split, Mapping[str, float]] = {}
    """Of a mean: the metrics of its first member alone."""


class Report(Contract):
    """``report.json``."""

    schema_version: int = 1
    labels: tuple[str, ...]
    splits: tuple[SplitReport, ...]
    curves: tuple[CurvePoint, ...]
    train_seconds: float
    latency_ms: float
    """Median time of one answer of the ONNX model on the training host, one thread."""
    model_bytes: int
    table: TableReport | None = Field(default=None, exclude_if=lambda value: value is None)
    judgement: Judgement | None = Field(default=None, exclude_if=lambda value: value is None)
    """None of reports from before trials were compared with it, and of tables: there it is the split ``validation``."""
    tempering: Tempering | None = Field(default=None, exclude_if=lambda value: value is None)
    """Of models that say labels for whole items."""
    shipped: Shipped | None = Field(default=None, exclude_if=lambda value: value is None)
    """Of a model that learned once more after all had been judged."""
    coverage: CoverageReport | None = Field(default=None, exclude_if=lambda value: value is None)
    """None of reports from before it was measured, and of kinds of answers that have no such limits."""
    profile: TrainingProfile | None = Field(default=None, exclude_if=lambda value: value is None, json_schema_extra=left_out)
    """None of older reports, and of models that do not learn step by step."""

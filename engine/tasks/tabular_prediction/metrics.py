"""How well the answers fit the truth, in numpy alone: a category's scores, or numbers. Shapes: N rows, L labels (1: a number).

Where there are labels, answers are scores ``_NL`` and targets indices; where there are none, answers are numbers ``_N1``.
Intervals are those of ``classification.ranking``, ``classification.metrics`` and ``regression.metrics``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from automl.contracts.annotation import Annotation, Value
from automl.contracts.dataset import ItemRecord, Split
from automl.contracts.report import JudgedItem, SplitReport
from engine.tasks.shared.classification import metrics as of_labels
from engine.tasks.shared.classification import ranking
from engine.tasks.shared.classification import thresholds as of_thresholds
from engine.tasks.shared.outcomes import Outcomes
from engine.tasks.shared.regression import metrics as of_numbers

MAX_ITEMS, NUM_WORST = 5_000, 1_000
"""Rows that a report lists one by one, and how many of these are the worst (``SplitReport.items``)."""
_OF_LABELS = ("average_precision_macro", "log_loss", "accuracy", "f1_macro", "precision_macro", "recall_macro")
MAX_CONFUSED = 200
"""Labels whose confusion is reported: beyond, the table has more cells than a page draws or a split has rows."""


def metrics(answers_NL: np.ndarray, targets_N: np.ndarray, labels: Sequence[str]) -> dict[str, float]:
    """The task's metrics by name, those of numbers where there are no labels.

    Raises:
        ValueError: there are no items.
    """
    if not labels:
        return of_numbers.metrics(answers_NL[:, 0].astype(np.float64), targets_N)
    return _metrics_of(of_labels.Answers.of(answers_NL, targets_N))


def _metrics_of(compared: of_labels.Answers) -> dict[str, float]:
    measured = of_labels.metrics_of(compared)
    return {"roc_auc": ranking.area(compared.scores_NL, compared.truth_NL)} | {name: measured[name] for name in _OF_LABELS}


def recommended_thresholds(
    answers_NL: np.ndarray, targets_N: np.ndarray, labels: Sequence[str], *, objective: str = ""
) -> Mapping[str, float]:
    """The score from which each of two labels should be predicted; empty where the best one always is, or a number."""
    return of_thresholds.recommended_thresholds(answers_NL, targets_N, labels, objective=objective) if labels else {}


def split_report(
    split: Split,
    records: Sequence[ItemRecord],
    answers_NL: np.ndarray,
    targets_N: np.ndarray,
    *,
    labels: Sequence[str],
    thresholds: Mapping[str, float],
) -> SplitReport:
    """Everything that a report shows of one split.

    Args:
        split: which one.
        records: its rows, in the order of the answers.
        answers_NL: scores, or numbers.
        targets_N: as in ``data.targets``.
        labels: names in the order of the scores; none where numbers are predicted.
        thresholds: as ``recommended_thresholds`` gave them.

    Raises:
        ValueError: there are no items.
    """
    if not labels:
        return _of_numbers(split, records, answers_NL[:, 0].astype(np.float64), targets_N)
    compared = of_labels.Answers.of(answers_NL, targets_N, of_labels.limits(thresholds, labels))
    losses_N = compared.item_losses()
    roc, precision_recall, calibration = ranking.curves(answers_NL, compared.truth_NL, labels)
    return SplitReport(
        split=split,
        num_items=len(records),
        metrics=_metrics_of(compared),
        intervals={"roc_auc": ranking.area_interval(answers_NL, compared.truth_NL)} | of_labels.intervals(compared),
        per_class=of_labels.per_class(compared, labels),
        confusion=tuple(map(tuple, compared.confusion().tolist())) if len(labels) <= MAX_CONFUSED else (),
        precision_recall=precision_recall,
        roc=roc,
        calibration=calibration,
        items=tuple(
            _judged(records[row], compared.predictions(row, labels), losses_N[row]) for row in listed_rows(losses_N).tolist()
        ),
    )


def outcomes(
    report: SplitReport,
    answers_NL: np.ndarray,
    targets_N: np.ndarray,
    *,
    labels: Sequence[str],
    thresholds: Mapping[str, float],
) -> Outcomes:
    """Whether each row is answered right, or how far off its number is; arguments as of ``split_report``, and what it gave."""
    if not labels:
        return Outcomes("absolute_error", np.abs(answers_NL[:, 0].astype(np.float64) - targets_N), is_higher_better=False)
    return of_labels.outcomes(report, answers_NL, targets_N, labels=labels, thresholds=thresholds)


def listed_rows(losses_N: np.ndarray) -> np.ndarray:
    """Places of the rows that a report lists, in their order: all of few; of many the worst, and of the others some, evenly."""
    if len(losses_N) <= MAX_ITEMS:
        return np.arange(len(losses_N))
    order = np.argsort(-losses_N, kind="stable")
    others = np.sort(order[NUM_WORST:])
    evenly = others[np.linspace(0, len(others) - 1, MAX_ITEMS - NUM_WORST).astype(np.int64)]
    return np.sort(np.concatenate([order[:NUM_WORST], evenly]))


def _of_numbers(split: Split, records: Sequence[ItemRecord], predicted_N: np.ndarray, true_N: np.ndarray) -> SplitReport:
    errors_N = np.abs(predicted_N - true_N)
    return SplitReport(
        split=split,
        num_items=len(records),
        metrics=of_numbers.metrics(predicted_N, true_N),
        intervals=of_numbers.intervals(predicted_N, true_N),
        per_class=(),
        regression=of_numbers.fit(predicted_N, true_N, [record.item for record in records]),
        items=tuple(
            _judged(records[row], (Value(value=float(predicted_N[row])),), errors_N[row])
            for row in listed_rows(errors_N).tolist()
        ),
    )


def _judged(record: ItemRecord, prediction: tuple[Annotation, ...], loss: np.floating) -> JudgedItem:
    return JudgedItem(item=record.item, truth=record.annotations, prediction=prediction, loss=float(loss))

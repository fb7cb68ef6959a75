"""Reads reports: the numbers without the items, and the items behind a number, page by page.

A report of many items is megabytes of JSON that never changes, so a few of them are kept parsed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, TypeVar

from pydantic import ValidationError

from automl.contracts.dataset import Split
from automl.contracts.distillation import DISTILLATION_FILE, DistillationReport
from automl.contracts.report import JudgedItem, Report, SplitReport
from studio.common.blobs import blobs
from studio.common.errors import InvalidInputError
from studio.registry.answers import JudgedAnswers, judged_answers
from studio.registry.coverage import Unsure, unsure_items
from studio.registry.errors import ReportMissingError, ResultInvalidError
from studio.registry.importing import report_read
from studio.registry.labelled import ALWAYS_COUNTS, labelled
from studio.registry.models import Artefact

ItemOrder = Literal["item", "loss"]
Row = TypeVar("Row")


ThresholdOutcome = Literal["found", "missed", "false_alarm", "rest"]


@dataclass(frozen=True)
class Threshold:
    """A cell of the table that a threshold of one label makes."""

    label: str
    score: float
    """From which the label counts as predicted."""
    outcome: ThresholdOutcome


@dataclass(frozen=True)
class ItemFilter:
    """Which items of a report are listed."""

    split: Split
    truth: str | None = None
    """Label that a person gave."""
    prediction: str | None = None
    """Label that the model gave."""
    is_of_objects: bool = False
    """Whether the labels are those of one object: without the first there is nothing, without the second it was missed."""
    is_error_only: bool = False
    item: str | None = None
    at: Threshold | None = None
    unsure: Unsure | None = None
    slice: int | None = None
    """Place of a part among those that are answered worst (``SliceReport.slices``)."""


@dataclass(frozen=True)
class ItemPage:
    """Some judged items, how many there are in all, and where the next ones start."""

    items: list[JudgedItem]
    num_items: int
    next_cursor: str | None


@lru_cache(maxsize=8)
def report_of(tree: str) -> Report:
    """The report of a result in the blob store.

    Raises:
        ResultInvalidError: it is not there or is no report.
    """
    return report_read(tree)


@lru_cache(maxsize=64)
def distillation_of(tree: str) -> DistillationReport | None:
    """What a result's teacher gave it, and at what price; None of a model without a teacher.

    Raises:
        ResultInvalidError: the file is no report of a distillation.
    """
    try:
        return DistillationReport.read(blobs().fetch_tree(tree) / DISTILLATION_FILE)
    except FileNotFoundError:
        return None
    except ValidationError as error:
        raise ResultInvalidError(f"{DISTILLATION_FILE} is no report: {error.errors()[0]['msg']}.") from error


def report_items(artefact: Artefact, *, criteria: ItemFilter, order: ItemOrder, cursor: str | None, limit: int) -> ItemPage:
    """The items behind a cell of the confusion matrix, or behind any other number.

    Args:
        artefact: whose report.
        criteria: which items.
        order: as they stand in the version, or the worst first.
        cursor: ``next_cursor`` of the page before; None starts.
        limit: items in a page.

    Raises:
        ReportMissingError: the report does not cover the split.
        InvalidInputError: the cursor was not made here, or the report has no such part or guarantee.
    """
    report = report_of(artefact.tree)
    split = split_of(report, criteria.split)
    answers, thresholds = judged_answers(artefact.facts), artefact.facts.thresholds
    found = [item for item in _in_slice(split, criteria.slice) if _is_selected(item, criteria, answers, thresholds)]
    if criteria.unsure is not None:
        found = unsure_items(found, report.coverage, criteria.unsure)
    if order == "loss":
        found.sort(key=lambda item: (-item.loss, item.item))
    items, next_cursor = items_page(found, cursor=cursor, limit=limit)
    return ItemPage(items, len(found), next_cursor)


def items_page(rows: list[Row], *, cursor: str | None, limit: int) -> tuple[list[Row], str | None]:
    """Some of a list that is known as a whole, and where the next ones start.

    Raises:
        InvalidInputError: the cursor was not made here.
    """
    start = _start(cursor)
    end = start + limit
    return rows[start:end], str(end) if end < len(rows) else None


def _in_slice(split: SplitReport, place: int | None) -> Sequence[JudgedItem]:
    if place is None:
        return split.items
    if place >= len(split.slice_items):
        raise InvalidInputError(
            f"The report has {len(split.slice_items)} slices of this split.", fields={"slice": ["no such slice"]}
        )
    return [split.items[item] for item in split.slice_items[place]]


def _is_selected(item: JudgedItem, criteria: ItemFilter, answers: JudgedAnswers, thresholds: Mapping[str, float]) -> bool:
    if criteria.is_of_objects and (criteria.truth, criteria.prediction) not in object_pairs(item, thresholds):
        return False
    truth = [each.label for each in labelled(item.truth)]
    predicted = answers.predicted(item.prediction, thresholds)
    return (
        (criteria.truth is None or criteria.truth in truth)
        and (criteria.prediction is None or criteria.prediction in predicted)
        and (criteria.item is None or criteria.item == item.item)
        and (criteria.at is None or _outcome(item, criteria.at) == criteria.at.outcome)
        and (not criteria.is_error_only or answers.is_error(item, truth, predicted))
    )


def object_pairs(item: JudgedItem, thresholds: Mapping[str, float]) -> set[tuple[str | None, str | None]]:
    """Labels of each object and of what was predicted for it; None stands for nothing."""
    truth, answers = labelled(item.truth), labelled(item.prediction)
    found = {**dict(item.matches), **dict(item.mistaken)}
    missed = {(each.label, None) for place, each in enumerate(truth) if place not in found}
    made_up = {
        (None, each.label)
        for place, each in enumerate(answers)
        if place not in found.values() and (each.score or 0.0) >= thresholds.get(each.label, ALWAYS_COUNTS)
    }
    return {(truth[true].label, answers[given].label) for true, given in found.items()} | missed | made_up


def _outcome(item: JudgedItem, at: Threshold) -> ThresholdOutcome:
    is_true = any(each.label == at.label for each in labelled(item.truth))
    is_predicted = any(each.label == at.label and (each.score or 0.0) >= at.score for each in labelled(item.prediction))
    if is_true:
        return "found" if is_predicted else "missed"
    return "false_alarm" if is_predicted else "rest"


def split_of(report: Report, split: Split) -> SplitReport:
    """The part of a report that is of one split.

    Raises:
        ReportMissingError: there is none.
    """
    for each in report.splits:
        if each.split is split:
            return each
    raise ReportMissingError(split=split, known=[each.split for each in report.splits])


def _start(cursor: str | None) -> int:
    if cursor is None:
        return 0
    if not cursor.isdigit():
        raise InvalidInputError("The cursor is not one of ours.", fields={"cursor": ["not a cursor"]})
    return int(cursor)

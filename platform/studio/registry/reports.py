"""Reads reports: the numbers without the items, and the items behind a number, page by page.

A report of many items is megabytes of JSON that never changes, so a few of them are kept parsed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from pydantic import ValidationError

from automl.contracts.annotation import Annotation, Box, ClassLabel
from automl.contracts.artefact import ArtefactManifest
from automl.contracts.dataset import Split
from automl.contracts.distillation import DISTILLATION_FILE, DistillationReport
from automl.contracts.report import JudgedItem, Report, SplitReport
from automl.contracts.task import OutputKind
from studio.common.blobs import blobs
from studio.common.errors import InvalidInputError
from studio.registry.errors import ReportMissingError, ResultInvalidError
from studio.registry.importing import report_read
from studio.registry.models import Artefact

ALWAYS_COUNTS = 0.5
"""Score from which a label counts when the artefact recommends none."""

ItemOrder = Literal["item", "loss"]


@dataclass(frozen=True)
class ItemFilter:
    """Which items of a report are wanted."""

    split: Split
    truth: str | None = None
    """Label that a person gave."""
    prediction: str | None = None
    """Label that the model gave."""
    is_error_only: bool = False


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


def report_items(artefact: Artefact, *, wanted: ItemFilter, order: ItemOrder, cursor: str | None, limit: int) -> ItemPage:
    """The items behind a cell of the confusion matrix, or behind any other number.

    Args:
        artefact: whose report.
        wanted: which items.
        order: as they stand in the version, or the worst first.
        cursor: ``next_cursor`` of the page before; None starts.
        limit: items in a page.

    Raises:
        ReportMissingError: the report does not cover the split.
        InvalidInputError: the cursor was not made here.
    """
    report = report_of(artefact.tree)
    judge = _Judge(artefact.facts)
    found = [item for item in _split(report, wanted.split).items if judge.is_wanted(item, wanted)]
    if order == "loss":
        found.sort(key=lambda item: (-item.loss, item.item))
    start = _start(cursor)
    end = start + limit
    return ItemPage(found[start:end], len(found), str(end) if end < len(found) else None)


class _Judge:
    """Says what the model gave an item: the best label, or all labels or boxes above their thresholds."""

    def __init__(self, manifest: ArtefactManifest) -> None:
        self._output = manifest.output
        self._thresholds: Mapping[str, float] = manifest.thresholds

    def is_wanted(self, item: JudgedItem, wanted: ItemFilter) -> bool:
        truth = [each.label for each in item.truth if isinstance(each, ClassLabel | Box)]
        given = self._given(item.prediction)
        return (
            (wanted.truth is None or wanted.truth in truth)
            and (wanted.prediction is None or wanted.prediction in given)
            and (not wanted.is_error_only or self._is_error(item, truth, given))
        )

    def _given(self, prediction: tuple[Annotation, ...]) -> list[str]:
        scored = [each for each in prediction if isinstance(each, ClassLabel | Box)]
        if self._output is OutputKind.CLASS_SCORES:
            return [each.label for each in scored[:1]]
        return [each.label for each in scored if (each.score or 0.0) >= self._thresholds.get(each.label, ALWAYS_COUNTS)]

    def _is_error(self, item: JudgedItem, truth: list[str], given: list[str]) -> bool:
        if self._output is OutputKind.NUMBER:
            return True  # every number is off by something
        if self._output is OutputKind.BOXES:
            return not len(item.matches) == len(truth) == len(given)
        return frozenset(truth) != frozenset(given)


def _split(report: Report, split: Split) -> SplitReport:
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

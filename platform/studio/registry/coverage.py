"""Guarantees of a report: the one that was chosen for the answers of a model, and the items behind their counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from automl.contracts.annotation import Annotation
from automl.contracts.coverage import Coverage, CoverageReport, CoverageScope, LabelLimits, NumberReach
from automl.contracts.report import JudgedItem
from studio.common.errors import InvalidInputError
from studio.registry.errors import CoverageUnfitError
from studio.registry.labelled import labelled

CoverageOutcome = Literal["asked", "wrong"]
LISTED_LABELS = 5
"""Of more labels a report does not keep all scores of each item."""


@dataclass(frozen=True)
class CoverageChoice:
    """The requested guarantee."""

    error_rate: float | None
    """None: nothing any more."""
    scope: CoverageScope = "all"


@dataclass(frozen=True)
class Unsure:
    """Items that a guarantee leaves to a person, or answers wrongly without one."""

    error_rate: float
    scope: CoverageScope
    outcome: CoverageOutcome


def coverage_chosen(report: CoverageReport | None, choice: CoverageChoice) -> dict[str, Any]:
    """What is kept of a choice: limits or reach with it, so that answers need no report.

    Args:
        report: of the model; None where it has none.
        choice: one of its lines.

    Returns:
        A ``Coverage`` as JSON; empty where nothing is chosen any more.

    Raises:
        CoverageUnfitError: the report guarantees nothing at this error rate and scope.
    """
    if choice.error_rate is None:
        return {}
    line = line_of(report, choice.error_rate, choice.scope)
    if isinstance(line, LabelLimits):
        chosen = Coverage(error_rate=line.error_rate, scope=line.scope, limits=line.limits)
    else:
        chosen = Coverage(error_rate=line.error_rate, reach=line.reach)
    return chosen.model_dump(mode="json")


def line_of(report: CoverageReport | None, error_rate: float, scope: CoverageScope) -> LabelLimits | NumberReach:
    """The line of a report that has limits, or a reach.

    Raises:
        CoverageUnfitError: there is none.
    """
    if report is None:
        raise CoverageUnfitError(context="none")
    for line in report.labels:
        if (line.error_rate, line.scope) == (error_rate, scope):
            if not line.limits:
                raise CoverageUnfitError(context="items", needed=line.num_needed, given=report.num_calibrated)
            return line
    for reach in report.numbers:
        if (reach.error_rate, "all") == (error_rate, scope):
            if reach.reach is None:
                raise CoverageUnfitError(context="items", needed=reach.num_needed, given=report.num_calibrated)
            return reach
    raise CoverageUnfitError(context="rate")


def unsure_items(items: Sequence[JudgedItem], report: CoverageReport | None, unsure: Unsure) -> list[JudgedItem]:
    """The items behind a count of a guarantee.

    Raises:
        CoverageUnfitError: the report has no such guarantee.
        InvalidInputError: it does not keep all scores that decide.
    """
    line = line_of(report, unsure.error_rate, unsure.scope)
    if not isinstance(line, LabelLimits):
        raise CoverageUnfitError(context="rate")
    if line.scope == "label" and len(line.limits) > LISTED_LABELS:
        raise InvalidInputError(
            f"Of more than {LISTED_LABELS} labels a report keeps the best scores only, which do not decide this.",
            hint="Ask with the scope all.",
            fields={"scope": ["too many labels"]},
        )
    return [item for item in items if _outcome(item, line.limits) == unsure.outcome]


def is_asked(prediction: Sequence[Annotation], limits: Mapping[str, float]) -> bool:
    """Whether a person should look at an item: the predicted label is not the only possible one.

    Args:
        prediction: labels with their scores, the predicted one first.
        limits: lowest score with which a label is possible.
    """
    scored = labelled(prediction)
    possible = [each.label for each in scored if (each.score or 0.0) >= limits.get(each.label, 0.0)]
    return possible != [each.label for each in scored[:1]]


def _outcome(item: JudgedItem, limits: Mapping[str, float]) -> CoverageOutcome | None:
    if is_asked(item.prediction, limits):
        return "asked"
    truth, predicted = ([each.label for each in labelled(side)] for side in (item.truth, item.prediction[:1]))
    return None if truth == predicted else "wrong"

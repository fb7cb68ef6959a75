"""How often the truth lies among what a model holds possible, by split-conformal prediction.

A module for each kind of answers that can be guaranteed so, found by listing; the runtime's half is ``runtime.coverage``.

The guarantee holds where one model answers all items. Where few items took turns at being held back, models like the shipped
one set the limits, so that it holds about; ``CoverageMeasure`` says how it turned out on test.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from automl.contracts.coverage import CoverageReport
from automl.contracts.listing import kind_in, kind_names
from automl.contracts.task import OutputKind
from engine.coverage.kind import AnsweredItems, CoverageKind

__all__ = ["AnsweredItems", "CoverageKind", "coverage_of"]


def coverage_of(
    output: OutputKind,
    calibrated: AnsweredItems,
    judged: AnsweredItems | None,
    *,
    labels: Sequence[str],
    thresholds: Mapping[str, float],
) -> CoverageReport | None:
    """Sets limits on some items, and measures them on others.

    Args:
        output: the kind of the answers.
        calibrated: items held back from the model, at least one.
        judged: other items held back, at least one; None where there are none.
        labels: names in the order of the scores; none where numbers are predicted.
        thresholds: with which the model says a label.

    Returns:
        None for kinds of answers that have no such limits.
    """
    if output.value not in kind_names(__name__):
        return None
    kind: CoverageKind = kind_in(__name__, output.value)
    return kind.report(calibrated, judged, labels=labels, thresholds=thresholds)

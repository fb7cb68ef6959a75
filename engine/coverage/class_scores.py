"""Which of several labels are possible: those whose scores reach a limit. Shapes: N items, L labels.

The limit is the score of the true label that all but the error rate of the items reach (the least ambiguous sets of Sadinle,
Lei and Wasserman 2019): over all items, or a limit for each label, over its items alone (Vovk 2012). An item is answered
without a person only if the label that the model says is possible and no other is; so the items answered wrongly are among
those whose truth is not covered, and are at most the error rate of all items.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from automl.contracts.coverage import (
    ERROR_RATES,
    CoverageMeasure,
    CoverageReport,
    CoverageScope,
    CoveredLabel,
    LabelLimits,
)
from engine.coverage.kind import AnsweredItems, interval_of, items_needed, rank_of
from engine.tasks.shared.classification.metrics import Answers, limits

MAX_LISTED = 200
"""Labels that are listed one by one."""
_SCOPES: tuple[CoverageScope, ...] = ("all", "label")
_DIGITS = 6


class ClassScores:
    """See ``CoverageKind``."""

    def report(
        self, calibrated: AnsweredItems, judged: AnsweredItems | None, *, labels: Sequence[str], thresholds: Mapping[str, float]
    ) -> CoverageReport | None:
        """See ``CoverageKind``."""
        if calibrated.targets_N.ndim != 1:
            return None
        counts_L = np.bincount(calibrated.targets_N.astype(np.int64), minlength=len(labels))
        lines = []
        for scope in _SCOPES:
            for rate in ERROR_RATES:
                found = _limits(calibrated, len(labels), rate, scope)
                measured = None
                if found is not None and judged is not None:
                    measured = _measure(judged, found, counts_L, labels=labels, thresholds=thresholds)
                needed = items_needed(rate)
                lines.append(
                    LabelLimits(
                        error_rate=rate,
                        scope=scope,
                        num_needed=needed,
                        limits={} if found is None else dict(zip(labels, found.tolist(), strict=True)),
                        short=tuple(label for label, count in zip(labels, counts_L, strict=True) if count < needed),
                        measure=measured,
                    )
                )
        return CoverageReport(num_calibrated=len(calibrated.answers_NL), labels=tuple(lines))


def _limits(given: AnsweredItems, num_labels: int, error_rate: float, scope: CoverageScope) -> NDArray[np.float64] | None:
    """Limits ``_L``; None where there are too few items for any."""
    targets_N = given.targets_N.astype(np.int64)
    own_N = given.answers_NL[np.arange(len(targets_N)), targets_N].astype(np.float64)
    if scope == "all":
        limit = _limit(own_N, error_rate)
        return None if limit is None else np.full(num_labels, limit)
    found = [_limit(own_N[targets_N == label], error_rate) for label in range(num_labels)]
    if all(limit is None for limit in found):
        return None
    return np.array([0.0 if limit is None else limit for limit in found])


def _limit(own_N: NDArray[np.float64], error_rate: float) -> float | None:
    """The score that all of these but the share of the error rate reach; rounded down, so that it covers no fewer."""
    rank = rank_of(len(own_N), error_rate)
    if rank is None:
        return None
    score = float(np.sort(own_N)[::-1][rank - 1])
    return min(1.0, max(0.0, math.floor(score * 10**_DIGITS) / 10**_DIGITS))


def _measure(
    given: AnsweredItems,
    limits_L: NDArray[np.float64],
    counts_L: NDArray[np.int64],
    *,
    labels: Sequence[str],
    thresholds: Mapping[str, float],
) -> CoverageMeasure:
    compared = Answers.of(given.answers_NL, given.targets_N, limits(thresholds, labels))
    is_possible_NL = given.answers_NL.astype(np.float64) >= limits_L
    is_true_NL, is_predicted_NL = compared.truth_NL == 1, compared.predicted_NL == 1
    is_covered_N = (is_possible_NL & is_true_NL).any(axis=1)
    is_asked_N = (is_possible_NL != is_predicted_NL).any(axis=1)
    by_label = []
    for place, label in enumerate(labels if len(labels) <= MAX_LISTED else ()):
        own_N = is_true_NL[:, place]
        by_label.append(
            CoveredLabel(
                label=label,
                num_calibrated=int(counts_L[place]),
                num_items=int(own_N.sum()),
                num_covered=int(is_covered_N[own_N].sum()),
                num_asked=int(is_asked_N[own_N].sum()),
                interval=interval_of(is_covered_N[own_N]) if own_N.any() else None,
            )
        )
    return CoverageMeasure(
        split=given.split,
        num_items=len(is_covered_N),
        num_covered=int(is_covered_N.sum()),
        interval=interval_of(is_covered_N),
        num_asked=int(is_asked_N.sum()),
        num_wrong=int((~is_asked_N & ~compared.is_right()).sum()),
        labels=tuple(by_label),
    )


KIND = ClassScores()

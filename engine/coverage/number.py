"""How far from a predicted number the true one may be. Shapes: N items.

It is the error that all but the error rate of the items stay within (Lei and others 2018, "Distribution-free predictive
inference for regression"), and the same for every item.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from automl.contracts.coverage import ERROR_RATES, CoverageMeasure, CoverageReport, NumberReach
from engine.coverage.kind import AnsweredItems, interval_of, items_needed, rank_of


class Number:
    """See ``CoverageKind``."""

    def report(
        self, calibrated: AnsweredItems, judged: AnsweredItems | None, *, labels: Sequence[str], thresholds: Mapping[str, float]
    ) -> CoverageReport:
        """See ``CoverageKind``."""
        del labels, thresholds
        sorted_N, lines = np.sort(_errors(calibrated)), []
        for rate in ERROR_RATES:
            rank = rank_of(len(sorted_N), rate)
            reach = None if rank is None else float(sorted_N[rank - 1])
            measured = _measure(judged, reach) if judged is not None and reach is not None else None
            lines.append(NumberReach(error_rate=rate, num_needed=items_needed(rate), reach=reach, measure=measured))
        return CoverageReport(num_calibrated=len(sorted_N), numbers=tuple(lines))


def _errors(given: AnsweredItems) -> NDArray[np.float64]:
    errors_N: NDArray[np.float64] = np.abs(given.answers_NL[:, 0].astype(np.float64) - given.targets_N.astype(np.float64))
    return errors_N


def _measure(given: AnsweredItems, reach: float) -> CoverageMeasure:
    is_covered_N = _errors(given) <= reach
    return CoverageMeasure(
        split=given.split,
        num_items=len(is_covered_N),
        num_covered=int(is_covered_N.sum()),
        interval=interval_of(is_covered_N),
    )


KIND = Number()

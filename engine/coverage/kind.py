"""What each module beside this one calls ``KIND``, and what they share. Shapes: N items, L labels (1: a number)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from automl.contracts.coverage import CoverageReport
from automl.contracts.dataset import Split
from engine.tasks.shared.outcomes import right_or_wrong


@dataclass(frozen=True)
class AnsweredItems:
    """Items with their answers, in one order."""

    split: Split
    answers_NL: NDArray[np.float32]
    """Scores, or numbers."""
    targets_N: NDArray[np.generic]
    """Indices of labels, or numbers."""


class CoverageKind(Protocol):
    """Sets and measures the limits of one kind of answers."""

    def report(
        self, calibrated: AnsweredItems, judged: AnsweredItems | None, *, labels: Sequence[str], thresholds: Mapping[str, float]
    ) -> CoverageReport | None:
        """See ``coverage_of``; None where answers or targets have another form."""


def items_needed(error_rate: float) -> int:
    """Items to set a limit on at least, so that one can hold: with fewer, even the largest of them is no limit."""
    return max(1, math.ceil(1 / _exact(error_rate)) - 1)


def rank_of(num_items: int, error_rate: float) -> int | None:
    """Which of so many distances, counted from 1 and from the smallest, is the limit; None where there are too few.

    A new item is as likely to come before, between or after the N others, so that of N + 1 places this one leaves at most the
    error rate behind it.
    """
    rank = math.ceil((num_items + 1) * (1 - _exact(error_rate)))
    return rank if rank <= num_items else None


def interval_of(is_covered_N: NDArray[np.bool_]) -> tuple[float, float]:
    """The 95% interval of the share (Wilson 1927)."""
    outcomes = right_or_wrong(is_covered_N)
    return outcomes.interval(outcomes.values_N)


def _exact(rate: float) -> Fraction:
    """The decimal number as it is written: in floats, 1 - 0.9 is less than 0.1."""
    return Fraction(str(rate))

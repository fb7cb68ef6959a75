"""How well each item was answered: the one number an item that parts of a split are compared by."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from automl.contracts.report import SliceMeasure
from automl.search.paired import PairedTest, amounts_test, shares_test
from engine.tasks.shared.shares import wilson

_Z = 1.959964  # 97.5% point of the normal distribution
_BOOTSTRAPPED = 500
"""Items up to which the interval of a mean is bootstrapped."""
_DRAWN_AT_ONCE, _DRAWN_TIMES = 50, 20


@dataclass(frozen=True)
class Outcomes:
    """Of the items of a split, in their order."""

    measure: SliceMeasure
    values_N: NDArray[np.float64]
    is_higher_better: bool = True
    is_share: bool = False
    """The values are zeros and ones, or means of such over several draws."""

    def interval(self, values: NDArray[np.float64]) -> tuple[float, float]:
        """The 95% interval of the mean of these values, which are some or all of ``values_N``.

        Shares have Wilson's interval (1927); other means are bootstrapped, or of many items normal.
        """
        return wilson(float(values.mean()), len(values)) if self.is_share else _of_mean(values)

    def lost(self, worse: Outcomes) -> PairedTest:
        """How much worse the same items were answered, as the difference of the means; below 0 where they were answered better.

        Args:
            worse: of the same items in the same order.
        """
        before_N, after_N = self.values_N, worse.values_N
        if self.is_share:
            lost_N = before_N - after_N
            return shares_test(
                num_items=len(before_N),
                num_first_only=float(-lost_N[lost_N < 0].sum()),
                num_second_only=float(lost_N[lost_N > 0].sum()),
            )
        before, after = before_N.tolist(), after_N.tolist()
        return amounts_test(after, before) if self.is_higher_better else amounts_test(before, after)


def right_or_wrong(is_right_N: NDArray[np.bool_]) -> Outcomes:
    """Of answers that are right or wrong."""
    return Outcomes("accuracy", is_right_N.astype(np.float64), is_share=True)


def _of_mean(values: NDArray[np.float64]) -> tuple[float, float]:
    mean, num = float(values.mean()), len(values)
    if num > _BOOTSTRAPPED:
        reach = _Z * float(values.std()) / math.sqrt(num)
        return mean - reach, mean + reach
    generator = np.random.default_rng(0)
    means = [values[generator.integers(0, num, (_DRAWN_AT_ONCE, num))].mean(axis=1) for _ in range(_DRAWN_TIMES)]
    low, high = np.quantile(np.concatenate(means), (0.025, 0.975))
    return float(low), float(high)

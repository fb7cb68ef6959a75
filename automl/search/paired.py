"""Whether two models differ, by their answers to the same items. Pure.

Right and wrong answers are compared by McNemar's test (1947), exact: of the items that one model alone got right, as many
should be either's if the models were equal, which is a binomial of one half; Dietterich (1998) recommends it for models trained
once. The interval of the difference is that of Agresti and Min (2005). Sizes of errors are compared by a paired bootstrap of
their mean difference (Efron and Tibshirani 1993, chapter 16).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

_Z = 1.959964  # 97.5% point of the normal distribution
_ROUNDS = 4000
_CELLS = 40_000_000
"""Drawn numbers that a test takes at most; of very many items fewer rounds say the same."""


@dataclass(frozen=True)
class PairedTest:
    """How far two models lie apart."""

    difference: float
    """What the second has over the first: share of right answers, or mean size of the error."""
    interval: tuple[float, float]
    """95%."""
    p_value: float
    """How likely two equal models lie as far apart, 0..1, on both sides."""


def shares_test(*, num_items: int, num_first_only: float, num_second_only: float) -> PairedTest:
    """Of answers that are right or wrong. Of means over several draws the numbers need not be whole; the test rounds them.

    Args:
        num_items: that both answered, at least one.
        num_first_only: of these, those that only the first got right.
        num_second_only: of these, those that only the second got right.
    """
    num_apart = num_first_only + num_second_only
    least = round(min(num_first_only, num_second_only))
    p_value = min(1.0, 2.0 * _binomial_tail(round(num_apart), least)) if num_apart else 1.0
    total, gained = num_items + 2, num_second_only - num_first_only
    center = gained / total
    reach = _Z * math.sqrt(max(0.0, num_apart + 1 - gained**2 / total)) / total
    return PairedTest(
        difference=(num_second_only - num_first_only) / num_items,
        interval=(max(-1.0, center - reach), min(1.0, center + reach)),
        p_value=p_value,
    )


def amounts_test(first: Sequence[float], second: Sequence[float], *, seed: int = 0) -> PairedTest:
    """Of how far off answers are, item by item in the same order; at least one item."""
    apart = np.asarray(second, dtype=np.float64) - np.asarray(first, dtype=np.float64)
    rounds = int(np.clip(_CELLS // len(apart), 200, _ROUNDS))
    random = np.random.default_rng(seed)
    means = np.array([apart[random.integers(0, len(apart), len(apart))].mean() for _ in range(rounds)])
    low, high = np.quantile(means, (0.025, 0.975))
    above, below = int((means >= 0.0).sum()), int((means <= 0.0).sum())
    return PairedTest(
        difference=float(apart.mean()),
        interval=(float(low), float(high)),
        p_value=min(1.0, 2.0 * (min(above, below) + 1) / (rounds + 1)),
    )


def _binomial_tail(num: int, most: int) -> float:
    """How likely ``num`` throws of a coin show heads ``most`` times at most."""
    logs = (math.lgamma(num + 1) - math.lgamma(k + 1) - math.lgamma(num - k + 1) - num * math.log(2.0) for k in range(most + 1))
    return math.fsum(math.exp(each) for each in logs)

"""Calibrates distances to scores, by the false-alarm rate on a few held-back normal pictures. In numpy alone."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.tasks.anomaly_detection.options import false_alarm_rate
from runtime.answers.heat_map import normal_index

LIMIT = 0.5
"""Score of a picture that is as far from normal as the false-alarm rate allows."""
_MEDIAN_SCORE = 0.1
"""Of the middle one of the normal pictures."""
_LEAST, _MOST_STEEP = 2.0, 12.0
_MARGIN = 2e-3
"""Of the limit above the picture that sets it, so that rounding on the way does not make that one a defect."""
_TINY = 1e-6


@dataclass(frozen=True)
class Curve:
    """How distances become scores: the one at ``limit`` is one half, and the logarithm of the odds rises with ``steepness``."""

    limit: float
    steepness: float


def is_normal(targets_N: NDArray[np.int64], labels: Sequence[str]) -> NDArray[np.bool_]:
    """Which pictures are normal, by their targets as in ``data.targets``."""
    return targets_N == normal_index(labels)


def curve_of(distances_N: NDArray[np.floating], options: Mapping[str, str]) -> Curve:
    """The curve for a project's false-alarm rate.

    Args:
        distances_N: of normal pictures that the model did not learn from, at least one.
        options: of the task.
    """
    limit = limit_distance(distances_N, false_alarm_rate(options))
    return Curve(limit, steepness(distances_N, limit))


def fewest_normal(rate: float) -> int:
    """Held-back normal pictures from which on a limit can promise the rate."""
    return math.ceil(1.0 / rate - _TINY) - 1


def limit_distance(distances_N: NDArray[np.floating], rate: float) -> float:
    """The distance from which on a picture is a defect.

    The next normal picture lies above it with at most this chance, whatever the distribution (split conformal prediction, Vovk
    et al. 2005). Of fewer pictures than ``fewest_normal`` it is just above their largest, and the chance is one in N + 1.

    Args:
        distances_N: of normal pictures that the model did not learn from, at least one.
        rate: of false alarms, 0..1.
    """
    ordered = np.sort(distances_N.astype(np.float64))
    place = min(math.ceil((len(ordered) + 1) * (1.0 - rate) - _TINY), len(ordered))
    return max(float(ordered[place - 1]) * (1.0 + _MARGIN), _TINY)


def steepness(distances_N: NDArray[np.floating], limit: float) -> float:
    """How fast scores rise with the logarithm of the distance: the middle normal picture gets a score of a tenth."""
    ratio = limit / max(float(np.median(distances_N)), _TINY)
    if ratio <= 1.0 + _TINY:
        return _MOST_STEEP
    return float(np.clip(math.log(1.0 / _MEDIAN_SCORE - 1.0) / math.log(ratio), _LEAST, _MOST_STEEP))


def share_interval(num_hits: int, num_items: int) -> tuple[float, float]:
    """The exact 95% interval of a share (Clopper and Pearson 1934)."""
    if num_items == 0:
        return 0.0, 1.0
    low = 0.0 if num_hits == 0 else _where(lambda p: 1.0 - _at_most(num_hits - 1, num_items, p), 0.025)
    high = 1.0 if num_hits == num_items else _where(lambda p: -_at_most(num_hits, num_items, p), -0.025)
    return low, high


def _where(rising: Callable[[float], float], value: float) -> float:
    """Where a function that rises on 0..1 has a value."""
    low, high = 0.0, 1.0
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if rising(middle) < value else (low, middle)
    return (low + high) / 2


def _at_most(num_hits: int, num_items: int, share: float) -> float:
    """Chance of at most so many hits."""
    if share in {0.0, 1.0}:
        return float(share == 0.0)
    k = np.arange(num_hits + 1)
    gamma = np.vectorize(math.lgamma, otypes=[float])
    logs = gamma(num_items + 1.0) - gamma(k + 1.0) - gamma(num_items - k + 1.0)
    return float(np.exp(logs + k * math.log(share) + (num_items - k) * math.log1p(-share)).sum())

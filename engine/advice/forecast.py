"""From measured points to what more items bring, with an interval that has been tried on the last step.

The variance of a forecast has four parts: which items were judged (jackknife over blocks of them), which were drawn to be
learned (jackknife over draws), which exponent holds, and how much one lot of new items differs from another, that is, the last
step from draw to draw. Then the last point is forecast from those before it: an interval is
never narrower than that forecast was off, scaled to how much further it reaches.

Shapes: R draws, B + 1 judged sets (all items, then all but one block each), K points.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from automl.contracts.advice import CurveSample, FittedPoint, Forecast, GainCurve
from engine.advice.power_law import Floats, PowerLaw, fitted

LEVEL = 0.9
_REACH = 1.644854
"""Standard deviations on either side of ``LEVEL``."""
_LEAST_SPREAD = 0.01
"""Of the mean error: what a point is trusted to at most, since draws share items."""
_NUM_FITTED = 24


@dataclass(frozen=True)
class MeasuredCurve:
    """One measure at several sizes."""

    measure: str
    is_higher_better: bool
    best: float | None
    """The best value there can be; None where that is 0 and the least."""
    sizes_K: Floats
    """The smallest first."""
    values_RBK: Floats
    may_rise: bool = False
    """Whether more items may harm."""

    @property
    def errors(self) -> Floats:
        """As the values ``_RBK``; the less the better."""
        return self.values_RBK if self.best is None else self.best - self.values_RBK

    def value_of(self, error: float) -> float:
        """An error as a value of the measure."""
        return error if self.best is None else self.best - error


def gain_curve(curve: MeasuredCurve, *, num_items: int, more: Sequence[int]) -> GainCurve:
    """The curve with its fit and forecasts.

    Args:
        curve: as measured.
        num_items: there are today.
        more: numbers of items to forecast, the fewest first.
    """
    trend = _Trend.of(curve)
    grid_M = np.geomspace(curve.sizes_K[0], num_items + more[-1], _NUM_FITTED)
    return GainCurve(
        measure=curve.measure,
        is_higher_better=curve.is_higher_better,
        samples=_samples(curve),
        fitted=tuple(trend.point(float(size), num_items) for size in grid_M),
        forecasts=tuple(_forecast(trend, num_items, each) for each in more),
        back_test=trend.residual,
    )


def _forecast(trend: _Trend, num_items: int, num_more: int) -> Forecast:
    gain, reach = trend.gain(num_items, num_items + num_more)
    return Forecast(num_more=num_more, gain=gain, interval=(gain - reach, gain + reach))


def _samples(curve: MeasuredCurve) -> tuple[CurveSample, ...]:
    values_K = curve.values_RBK[:, 0].mean(axis=0)
    reach_K = _REACH * np.sqrt(_jackknifed(curve.values_RBK.mean(axis=0)[1:]) + _draw_variance(curve.values_RBK[:, 0]))
    return tuple(
        CurveSample(num_items=float(size), value=float(value), interval=(float(value - reach), float(value + reach)))
        for size, value, reach in zip(curve.sizes_K, values_K, reach_K, strict=True)
    )


@dataclass(frozen=True)
class _Trend:
    """The fit to all that was measured, and the fits to parts of it."""

    curve: MeasuredCurve
    whole: PowerLaw
    of_blocks: tuple[PowerLaw, ...]
    of_draws: tuple[PowerLaw, ...]
    residual: float
    lot: float
    """Variance of the last step from draw to draw."""

    @classmethod
    def of(cls, curve: MeasuredCurve) -> _Trend:
        errors_RBK = curve.errors
        errors_K = errors_RBK[:, 0].mean(axis=0)
        spreads_K = np.sqrt(_draw_variance(errors_RBK[:, 0])) + _LEAST_SPREAD * max(float(np.abs(errors_K).mean()), 1e-6)

        def fit(some_K: Floats) -> PowerLaw:
            return fitted(curve.sizes_K, some_K, spreads_K, may_rise=curve.may_rise)

        num_draws = len(errors_RBK)
        without = [np.delete(errors_RBK[:, 0], draw, axis=0).mean(axis=0) for draw in range(num_draws if num_draws > 1 else 0)]
        before = fitted(curve.sizes_K[:-1], errors_K[:-1], spreads_K[:-1], may_rise=curve.may_rise)
        expected, _ = before.drop(curve.sizes_K[-2], curve.sizes_K[-1])
        return cls(
            curve=curve,
            whole=fit(errors_K),
            of_blocks=tuple(fit(some_K) for some_K in errors_RBK.mean(axis=0)[1:]),
            of_draws=tuple(map(fit, without)),
            residual=float(errors_K[-2] - errors_K[-1]) - expected,
            lot=float((errors_RBK[:, 0, -2] - errors_RBK[:, 0, -1]).var(ddof=1)) if num_draws > 1 else 0.0,
        )

    def gain(self, before: float, after: float) -> tuple[float, float]:
        """What the step brings, and how far that may be off on either side."""
        mean, between = self.whole.drop(before, after)
        blocks = _jackknifed(np.array([law.drop(before, after)[0] for law in self.of_blocks]))
        draws = _jackknifed(np.array([law.drop(before, after)[0] for law in self.of_draws]))
        last = math.log(self.curve.sizes_K[-1] / self.curve.sizes_K[-2])
        tried = abs(self.residual) * math.log(after / before) / last
        return mean, max(_REACH * math.sqrt(between + float(blocks) + float(draws) + self.lot), tried)

    def point(self, size: float, num_items: int) -> FittedPoint:
        value = self.curve.value_of(float(self.whole.at(np.array([size]))[0]))
        reach = self.gain(num_items, size)[1] if size > num_items else 0.0
        return FittedPoint(num_items=size, value=value, interval=(value - reach, value + reach))


def _jackknifed(without: Floats) -> Floats:
    """Variance of what was estimated with each part left out in turn, by the first axis."""
    if len(without) < 2:
        return np.zeros(without.shape[1:])
    return np.asarray((len(without) - 1) / len(without) * ((without - without.mean(axis=0)) ** 2).sum(axis=0))


def _draw_variance(values_RK: Floats) -> Floats:
    """Of the mean over draws."""
    return np.asarray(values_RK.var(axis=0, ddof=1) / len(values_RK)) if len(values_RK) > 1 else np.zeros(values_RK.shape[1])

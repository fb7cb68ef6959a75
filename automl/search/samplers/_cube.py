"""A tree of parameters as points of a cube, for samplers that move or compare points.

Numbers become one column of 0..1, by their logarithm where the range is logarithmic; whole numbers lie in the middle of equal
parts. A parameter with choices becomes one column a choice, of which the largest counts. A parameter that a trial did not have
stands at 0.5, its choices at 0: it then neither attracts nor repels. Which parameters go with which choices is read off the
trials, so that trees of any depth need no declaration.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from optuna.distributions import BaseDistribution, CategoricalDistribution, FloatDistribution, IntDistribution

Array = NDArray[np.float64]

_ABSENT = -1
"""In place of the number of a choice, where a trial did not have the parameter."""


@dataclass(frozen=True)
class Axis:
    """One parameter and its columns."""

    name: str
    distribution: BaseDistribution
    first: int
    """Its first column."""

    @property
    def width(self) -> int:
        """How many columns it has."""
        return len(self.distribution.choices) if isinstance(self.distribution, CategoricalDistribution) else 1

    @property
    def columns(self) -> slice:
        """Its columns."""
        return slice(self.first, self.first + self.width)

    def encode(self, value: Any) -> Array:  # noqa: ANN401 - a value of any parameter
        """The columns of a value."""
        if isinstance(self.distribution, CategoricalDistribution):
            columns = np.zeros(self.width)
            columns[int(self.distribution.to_internal_repr(value))] = 1.0
            return columns
        low, high = self._ends
        span = high - low
        return np.array([0.5 if span <= 0 else (self._scaled(float(value)) - low) / span])

    def decode(self, columns: Array) -> float | int | str | bool | None:
        """The value that columns stand for; columns outside of 0..1 count as its ends."""
        if isinstance(self.distribution, CategoricalDistribution):
            return self.distribution.choices[int(np.argmax(columns))]
        low, high = self._ends
        at = low + float(np.clip(columns[0], 0.0, 1.0)) * (high - low)
        return self._value(math.exp(at) if self._is_log else at)

    def snapped(self, columns: Array) -> Array:
        """Columns (rows, width) moved to the places of real values."""
        if isinstance(self.distribution, CategoricalDistribution):
            chosen: Array = np.eye(self.width)[np.argmax(columns, axis=1)]
            return chosen
        if self._step is None:
            return np.clip(columns, 0.0, 1.0)
        if self._is_log:
            low, high = self._ends
            values = np.rint(np.exp(low + np.clip(columns, 0.0, 1.0) * (high - low)))
            assert isinstance(self.distribution, IntDistribution)
            logs: Array = np.log(np.clip(values, self.distribution.low, self.distribution.high))
            return (logs - low) / (high - low)
        assert isinstance(self.distribution, FloatDistribution | IntDistribution)
        num = round((self.distribution.high - self.distribution.low) / self._step) + 1
        places: Array = (np.floor(np.clip(columns, 0.0, 1.0 - 1e-12) * num) + 0.5) / num
        return places

    @property
    def _is_log(self) -> bool:
        return bool(getattr(self.distribution, "log", False))

    @property
    def _step(self) -> float | None:
        step = getattr(self.distribution, "step", None)
        return None if step is None else float(step)

    @cached_property
    def _ends(self) -> tuple[float, float]:
        assert isinstance(self.distribution, FloatDistribution | IntDistribution)
        half = 0.0 if self._step is None else self._step / 2
        return self._scaled(self.distribution.low - half), self._scaled(self.distribution.high + half)

    def _scaled(self, value: float) -> float:
        return math.log(value) if self._is_log else value

    def _value(self, value: float) -> float | int:
        assert isinstance(self.distribution, FloatDistribution | IntDistribution)
        low, high = self.distribution.low, self.distribution.high
        if self._step is not None:
            value = low + round((value - low) / self._step) * self._step
        value = min(max(value, low), high)
        return int(value) if isinstance(self.distribution, IntDistribution) else float(value)


@dataclass(frozen=True)
class Cube:
    """The parameters of some trials as columns."""

    axes: tuple[Axis, ...]
    rules: Mapping[str, tuple[tuple[str, frozenset[int]], ...]] = field(default_factory=dict)
    """By parameter: choices (their parameter, numbers) that it goes with; absent of one that every trial has."""

    @property
    def num_columns(self) -> int:
        """How many columns points have."""
        return sum(axis.width for axis in self.axes)

    @property
    def owners(self) -> NDArray[np.intp]:
        """The number of the parameter of each column."""
        return np.repeat(np.arange(len(self.axes)), [axis.width for axis in self.axes])

    @property
    def space(self) -> dict[str, BaseDistribution]:
        """The distributions by name."""
        return {axis.name: axis.distribution for axis in self.axes}

    def encode(self, params: Mapping[str, Any]) -> Array:
        """A point, with NaN where the trial lacks the parameter."""
        point = np.full(self.num_columns, np.nan)
        for axis in self.axes:
            if axis.name in params:
                point[axis.columns] = axis.encode(params[axis.name])
        return point

    def decode(self, point: Array) -> dict[str, Any]:
        """A value for every parameter; whoever asks takes those that go with the choices."""
        return {axis.name: axis.decode(point[axis.columns]) for axis in self.axes}

    def snapped(self, points: Array) -> Array:
        """Points (rows, columns) moved to where real configurations lie, with parameters that they lack put aside."""
        moved = np.empty_like(points)
        chosen: dict[str, NDArray[np.intp]] = {}
        for axis in self.axes:
            moved[:, axis.columns] = axis.snapped(points[:, axis.columns])
            is_in = np.ones(len(points), dtype=bool)
            for name, numbers in self.rules.get(axis.name, ()):
                is_in &= np.isin(chosen[name], tuple(numbers))
            moved[~is_in, axis.columns] = 0.5 if axis.width == 1 else 0.0
            if isinstance(axis.distribution, CategoricalDistribution):
                chosen[axis.name] = np.where(is_in, np.argmax(moved[:, axis.columns], axis=1), _ABSENT)
        return moved


def reflected(points: Array) -> Array:
    """Points outside of the cube back into it, as from mirrors."""
    folded: Array = 1.0 - np.abs(1.0 - np.mod(points, 2.0))
    return folded


def cube_of(trials: Sequence[tuple[Mapping[str, Any], Mapping[str, BaseDistribution]]]) -> Cube:
    """The cube of trials, each given by its values and distributions.

    Parameters whose ranges differ between trials are left out, as are those with one value. What more trials have comes first,
    so that choices come before the parameters that depend on them.
    """
    found: dict[str, BaseDistribution] = {}
    dropped: set[str] = set()
    numbers: dict[str, int] = {}
    for _, distributions in trials:
        for name, distribution in distributions.items():
            numbers[name] = numbers.get(name, 0) + 1
            if distribution.single() or found.setdefault(name, distribution) != distribution:
                dropped.add(name)
    axes: list[Axis] = []
    for name in sorted(
        (each for each in found if each not in dropped), key=lambda name: -numbers[name]
    ):  # stable: within them as first seen
        axes.append(Axis(name, found[name], sum(axis.width for axis in axes)))
    return Cube(tuple(axes), {axis.name: rules for axis in axes if (rules := _rules(axis.name, axes, numbers, trials))})


def _rules(
    name: str,
    axes: Sequence[Axis],
    numbers: Mapping[str, int],
    trials: Sequence[tuple[Mapping[str, Any], Mapping[str, BaseDistribution]]],
) -> tuple[tuple[str, frozenset[int]], ...]:
    """The choices that tell trials with a parameter from those without."""
    rules = []
    for axis in axes:
        if numbers[axis.name] <= numbers[name] or not isinstance(axis.distribution, CategoricalDistribution):
            continue
        chosen = [
            int(axis.distribution.to_internal_repr(params[axis.name])) if axis.name in params else _ABSENT
            for params, _ in trials
        ]
        with_it = frozenset(each for each, (params, _) in zip(chosen, trials, strict=True) if name in params)
        without = {each for each, (params, _) in zip(chosen, trials, strict=True) if name not in params}
        if without - with_it:
            rules.append((axis.name, with_it))
    return tuple(rules)

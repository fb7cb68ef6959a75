"""What samplers on a cube share: the state of a study as points, the first draws, and the way back to Optuna.

Nothing is kept between two questions: a sampler's state is rebuilt from the study's trials, so that a study goes on in another
process as if nothing had been.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import optuna
from numpy.typing import NDArray
from optuna.distributions import BaseDistribution
from optuna.samplers import BaseSampler, RandomSampler
from optuna.study import StudyDirection
from optuna.trial import FrozenTrial, TrialState

from automl.search.samplers._cube import Array, Cube, cube_of
from automl.search.study_numbers import number_of

NUM_FIRST = 6
"""Trials that are spread out before any of them says where to go; a training takes minutes, so they are few."""
NUM_DRAWS = 16
"""Random draws of which each of the first trials is the one farthest from those before."""


@dataclass(frozen=True)
class State:
    """A study as points of a cube."""

    cube: Cube
    points: Array
    """(trials that ended, columns), in the order of their numbers; NaN where a trial lacks a parameter."""
    losses: Array
    """One number a trial that ended, to become small. One that was stopped early is no better than the middle, one that failed
    as bad as the worst."""
    values: Array
    """(trials that ended, values), each to become small; the same as ``losses`` of a study with one value."""
    numbers: NDArray[np.intp]
    """Their numbers in the study."""
    running: Array
    """(trials that run, columns)."""
    num_trials: int
    """All of them, so the number of the trial that is asked for."""

    @cached_property
    def known(self) -> Array:
        """Ended and running points at the places of real configurations."""
        return self.placed(np.concatenate([self.points, self.running]))

    def placed(self, points: Array) -> Array:
        """Points without NaN, at the places of real configurations."""
        return self.cube.snapped(np.where(np.isnan(points), 0.0, points))

    def filled(self, random: np.random.Generator) -> Array:
        """The ended points with a random place in parameters that a trial lacks."""
        return np.where(np.isnan(self.points), random.random(self.points.shape), self.points)

    def is_new(self, points: Array) -> NDArray[np.bool_]:
        """Which of some points (rows, columns; at places of real configurations) no trial has."""
        if not len(self.known):
            return np.ones(len(points), dtype=bool)
        near = np.abs(points[:, None, :] - self.known[None, :, :]).max(axis=2) < 1e-9
        is_new: NDArray[np.bool_] = ~near.any(axis=1)
        return is_new


Move = Callable[[State, np.random.Generator], Array]
"""Where to go from a state: a point, whose columns may lie outside of 0..1."""


class MovingSampler(BaseSampler):
    """An Optuna sampler that asks a function where to go."""

    def __init__(self, move: Move, *, seed: int, num_first: int = NUM_FIRST) -> None:
        """Of a function that is asked once ``num_first`` trials have ended."""
        self._move = move
        self._random = np.random.default_rng(seed)
        self._independent = RandomSampler(seed=seed)
        self._num_first = num_first
        self._cube = Cube(())

    def infer_relative_search_space(self, study: optuna.Study, trial: FrozenTrial) -> dict[str, BaseDistribution]:
        """All parameters of all trials, those included that only some branches of the space have."""
        del trial
        self._cube = _cube(study)
        return self._cube.space

    def sample_relative(
        self, study: optuna.Study, trial: FrozenTrial, search_space: dict[str, BaseDistribution]
    ) -> dict[str, Any]:
        """A value for each parameter of any branch; those of other branches are not asked for."""
        if not search_space:
            return {}
        state = state_of(study, self._cube, number=trial.number, random=self._random)
        if len(state.points) < self._num_first:
            return state.cube.decode(_farthest(state, self._random))
        return state.cube.decode(_new(state, self._move, self._random))

    def sample_independent(
        self, study: optuna.Study, trial: FrozenTrial, param_name: str, param_distribution: BaseDistribution
    ) -> Any:  # noqa: ANN401 - Optuna's own signature
        """A random value: of a parameter that no trial has had."""
        return self._independent.sample_independent(study, trial, param_name, param_distribution)

    def reseed_rng(self) -> None:
        """Takes other random numbers, as Optuna wants of copies for other threads."""
        self._random = np.random.default_rng()
        self._independent.reseed_rng()


def state_of(study: optuna.Study, cube: Cube, *, number: int, random: np.random.Generator) -> State:
    """The state of a study when trial ``number`` is asked for. Several values become one with weights drawn anew each time.

    The one number is the weighted Chebyshev distance from the best of each value, plus a little of their sum (Knowles 2006,
    "ParEGO"), so that every part of the front is looked for in turn.
    """
    trials = [trial for trial in study.get_trials(deepcopy=False) if trial.params and trial.number != number]
    ended = [trial for trial in trials if trial.state.is_finished()]
    running = [trial for trial in trials if not trial.state.is_finished()]
    values = _values(study, ended)
    return State(
        cube=cube,
        points=_encoded(cube, ended),
        losses=values[:, 0] if values.shape[1] == 1 else _scalars(values, random),
        values=values,
        numbers=np.array([number_of(trial) for trial in ended], dtype=np.intp),
        running=_encoded(cube, running),
        num_trials=number,
    )


def _cube(study: optuna.Study) -> Cube:
    return cube_of([(trial.params, trial.distributions) for trial in study.get_trials(deepcopy=False) if trial.params])


def _encoded(cube: Cube, trials: list[FrozenTrial]) -> Array:
    return np.array([cube.encode(trial.params) for trial in trials]).reshape(len(trials), cube.num_columns)


def _values(study: optuna.Study, ended: list[FrozenTrial]) -> Array:
    """(trials, values), each to become small."""
    signs = np.array([-1.0 if direction == StudyDirection.MAXIMIZE else 1.0 for direction in study.directions])
    values = np.full((len(ended), len(signs)), np.nan)
    for row, trial in enumerate(ended):
        if trial.state == TrialState.COMPLETE:
            values[row] = signs * np.array(trial.values)
    complete = values[np.isfinite(values).all(axis=1)]
    if not len(complete):
        return np.zeros_like(values)
    middle, worst = np.median(complete, axis=0), complete.max(axis=0)
    for row, trial in enumerate(ended):
        if trial.state == TrialState.PRUNED and len(signs) == 1 and trial.intermediate_values:
            values[row] = np.fmax(middle, signs * trial.intermediate_values[max(trial.intermediate_values)])
        elif not np.isfinite(values[row]).all():
            values[row] = worst
    return values


def _scalars(values: Array, random: np.random.Generator) -> Array:
    low, high = values.min(axis=0), values.max(axis=0)
    scaled = (values - low) / np.where(high > low, high - low, 1.0)
    weighted = scaled * random.dirichlet(np.ones(values.shape[1]))
    scalars: Array = weighted.max(axis=1) + 0.05 * weighted.sum(axis=1)
    return scalars


def _farthest(state: State, random: np.random.Generator) -> Array:
    """Of random points the one that lies farthest from all trials (Mitchell 1991), so that the first ones are spread out.

    Numbers are measured around the ends of their ranges: otherwise corners of the space lie farthest, where trainings of the
    largest and longest settings are.
    """
    draws = state.placed(random.random((NUM_DRAWS, state.cube.num_columns)))
    apart = np.abs(draws[:, None, :] - state.known[None, :, :])
    is_choice = (np.bincount(state.cube.owners) > 1)[state.cube.owners]
    apart = np.where(is_choice, apart / 4, np.minimum(apart, 1.0 - apart))  # two choices are as far as two numbers can be
    point: Array = draws[int(np.argmax(apart.sum(axis=2).min(axis=1)))]
    return point


def _new(state: State, move: Move, random: np.random.Generator) -> Array:
    """Where a function goes; where a trial has been, it is asked again, and at last a random neighbour is taken."""
    point = move(state, random)
    for _ in range(8):
        if state.is_new(state.placed(point[None, :]))[0]:
            return point
        point = move(state, random)
    is_moved = random.random(len(point)) < 0.3
    return np.where(is_moved, random.random(len(point)), point)

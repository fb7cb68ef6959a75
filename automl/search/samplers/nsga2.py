"""NSGA-II (Deb, Pratap, Agarwal and Meyarivan 2002): children of the trials that no other beats, spread along the front.

Its generations overlap: parents are the best of all trials that have ended, so any trial may end at any time. Optuna's own
keeps generations beside the trials, and knows only parameters that every trial has.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from optuna.samplers import BaseSampler

from automl.search.samplers._cube import Array
from automl.search.samplers._moves import MovingSampler, State

NUM_PARENTS = 12
CROSSOVER_INDEX = 5.0
MUTATION_INDEX = 10.0
"""Of simulated binary crossover and polynomial mutation (Deb and Agrawal 1995): the larger, the nearer to the parents."""


def build(seed: int) -> BaseSampler:
    """Makes the sampler."""
    return MovingSampler(child, seed=seed, num_first=NUM_PARENTS // 2)


def child(state: State, random: np.random.Generator) -> Array:
    """A child of two parents, each the better of two drawn ones."""
    order = ranked(state.values)[:NUM_PARENTS]
    points = state.filled(random)[order]
    mother, father = (points[int(random.integers(0, len(points), 2).min())] for _ in range(2))
    owners = state.cube.owners
    return _mutated(_crossed(mother, father, owners, random), owners, random)


def ranked(values: Array) -> list[int]:
    """Positions of points by front, and within one by how far their neighbours are (both by value, the less the better)."""
    beaten = np.logical_and((values[:, None] >= values[None]).all(axis=2), (values[:, None] > values[None]).any(axis=2))
    left, order = np.arange(len(values)), []
    while len(left):
        on_front = ~beaten[np.ix_(left, left)].any(axis=1)
        front = left[on_front]
        order += [int(each) for each in front[np.argsort(-_crowding(values[front]), kind="stable")]]
        left = left[~on_front]
    return order


def _crowding(values: Array) -> Array:
    distances = np.zeros(len(values))
    for column in values.T:
        order = np.argsort(column, kind="stable")
        span = column[order[-1]] - column[order[0]]
        distances[order[[0, -1]]] = np.inf
        if span > 0:
            distances[order[1:-1]] += (column[order[2:]] - column[order[:-2]]) / span
    return distances


def _crossed(mother: Array, father: Array, owners: NDArray[np.intp], random: np.random.Generator) -> Array:
    """Simulated binary crossover of half of the parameters; whole parameters change sides."""
    num = int(owners[-1]) + 1
    draws = random.random(num)[owners]
    power = 1.0 / (CROSSOVER_INDEX + 1.0)
    spread = np.where(draws < 0.5, (2 * draws) ** power, (1 / (2 - 2 * draws)) ** power)
    near = 0.5 * ((1 + spread) * mother + (1 - spread) * father)
    of_father = (random.random(num) < 0.5)[owners]
    mixed: Array = np.clip(np.where(of_father, father, near), 0.0, 1.0)
    return mixed


def _mutated(point: Array, owners: NDArray[np.intp], random: np.random.Generator) -> Array:
    """Polynomial mutation of one parameter on the mean; of choices any."""
    num = int(owners[-1]) + 1
    is_mutated = (random.random(num) < 1.0 / num)[owners]
    draws = random.random(len(point))
    power = 1.0 / (MUTATION_INDEX + 1.0)
    shift = np.where(draws < 0.5, (2 * draws) ** power - 1, 1 - (2 - 2 * draws) ** power)
    is_choice = (np.bincount(owners) > 1)[owners]
    moved: Array = np.where(is_choice, random.random(len(point)), np.clip(point + shift, 0.0, 1.0))
    return np.where(is_mutated, moved, point)

"""Covariance matrix adaptation (Hansen and Ostermeier 2001), by the package ``cmaes``.

Generations are rebuilt from the trials that have ended, in their order, as solutions from outside (Hansen 2011, "Injecting
external solutions into CMA-ES"): Optuna's own sampler keeps its state beside the trials, and would begin again with each
question.
"""

from __future__ import annotations

import math

import numpy as np
from cmaes import CMA
from optuna.samplers import BaseSampler

from automl.search.samplers._cube import Array
from automl.search.samplers._moves import MovingSampler, State

FIRST_SIGMA = 0.25
"""Of 0..1 in each column."""


def build(seed: int) -> BaseSampler:
    """Makes the sampler."""
    return MovingSampler(ask, seed=seed)


def ask(state: State, random: np.random.Generator) -> Array:
    """One solution of the generation that runs."""
    num_columns = state.cube.num_columns
    size = 4 + math.floor(3 * math.log(num_columns))
    best = int(np.argmin(state.losses[:size]))
    optimizer = CMA(
        mean=np.where(np.isnan(state.points[best]), 0.5, state.points[best]),
        sigma=FIRST_SIGMA,
        bounds=np.tile([0.0, 1.0], (num_columns, 1)),
        seed=int(random.integers(2**31)),
        population_size=size,
    )
    for start in range(size * (len(state.points) >= 2 * size), len(state.points) - size + 1, size):
        mean = optimizer.mean
        points = np.where(np.isnan(state.points[start : start + size]), mean, state.points[start : start + size])
        optimizer.tell(list(zip(points, map(float, state.losses[start : start + size]), strict=True)))
    return _drawn(optimizer, random)


def _drawn(optimizer: CMA, random: np.random.Generator) -> Array:
    """A solution, clipped to the cube.

    The package draws along eigenvectors, which are not unique where eigenvalues are equal, so that processes with other numbers
    of threads would go other ways from the same state. The symmetric root of the covariance is unique.
    """
    vectors, roots = optimizer._eigen_decomposition()
    step = vectors @ (roots * (vectors.T @ random.standard_normal(len(roots))))
    solution: Array = np.round(np.clip(optimizer.mean + optimizer._sigma * step, 0.0, 1.0), 9)
    return solution

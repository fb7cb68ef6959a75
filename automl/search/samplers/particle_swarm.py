"""Particle swarm optimisation (Kennedy and Eberhart 1995) with the constriction of Clerc and Kennedy (2002).

Trial ``n`` is a step of particle ``n`` modulo their number, so the swarm is read off the numbers of the trials.
"""

from __future__ import annotations

import numpy as np
from optuna.samplers import BaseSampler

from automl.search.samplers._cube import Array
from automl.search.samplers._moves import MovingSampler, State

NUM_PARTICLES = 5
INERTIA = 0.7298
PULL = 1.49618
"""Towards the particle's own best place, and towards the best of all."""
FASTEST = 1.0
"""Of a step, of 0..1 in each column: choices, one column each, must be able to change."""


def build(seed: int) -> BaseSampler:
    """Makes the sampler."""
    return MovingSampler(step, seed=seed, num_first=NUM_PARTICLES)


def step(state: State, random: np.random.Generator) -> Array:
    """Moves the particle whose turn it is; one whose steps have not ended yet begins at a random trial."""
    points = state.filled(random)
    own = np.flatnonzero(state.numbers % NUM_PARTICLES == state.num_trials % NUM_PARTICLES)
    if not len(own):
        own = random.integers(0, len(points), 1)
    here = points[own[-1]]
    speed = here - points[own[-2]] if len(own) > 1 else random.uniform(-0.1, 0.1, here.shape)
    own_best = points[own[int(np.argmin(state.losses[own]))]]
    best = points[int(np.argmin(state.losses))]
    pulls = random.random((2, len(here)))
    speed = INERTIA * speed + PULL * (pulls[0] * (own_best - here) + pulls[1] * (best - here))
    moved: Array = np.clip(here + np.clip(speed, -FASTEST, FASTEST), 0.0, 1.0)
    return moved

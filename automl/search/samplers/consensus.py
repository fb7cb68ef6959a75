"""Automatic search: particles that a stochastic differential equation moves towards where they agree the best place is.

Consensus-based optimisation (Pinnau, Totzeck, Tse and Martin 2017) with noise of its own in every parameter (Carrillo, Jin, Li
and Zhu 2021), memory of each particle's best place (Grassi and Pareschi 2021, Riedl 2022) and jumps (Kalise, Sharma and
Tretyakov 2023):

    dX = lambda (v - X) dt + sigma |v - X| dW + gamma dN,    v = sum of exp(-alpha loss) X / sum of exp(-alpha loss)

No gradient is taken, nothing is assumed of the function, and every particle moves by itself, so any number of trials may run at
once. The particles are the best trials; each trial is one step of one of them.
"""

from __future__ import annotations

import numpy as np
from optuna.samplers import BaseSampler

from automl.search.samplers._cube import Array, reflected
from automl.search.samplers._moves import MovingSampler, State

NUM_PARTICLES = 10
DRIFT = 1.0
"""lambda times the length of a step: the part of the way to the consensus."""
NOISE = 0.7
"""sigma times the root of the length of a step."""
FOCUS = 4.0
"""alpha, of losses scaled so that the best particle has 0 and the worst 1; grows with the trials up to four times this."""
FEW_COLUMNS = 2.0
"""How many parameters jump in a step, on the mean."""
JUMP = 0.12
"""Standard deviation of a jump, of 0..1; falls with the trials."""


def build(seed: int) -> BaseSampler:
    """Makes the sampler."""
    return MovingSampler(step, seed=seed)


def step(state: State, random: np.random.Generator) -> Array:
    """Moves one particle. Which one is drawn: the better, the likelier."""
    points, losses = state.filled(random), state.losses
    best = np.argsort(losses, kind="stable")[:NUM_PARTICLES]
    points, losses = points[best], losses[best]
    maturity = min(1.0, len(state.points) / 100.0)
    weights = _weights(losses, FOCUS * (1.0 + 3.0 * maturity))
    consensus = weights @ points
    chosen = points[int(random.choice(len(points), p=_weights(losses, 1.0)))]
    away = consensus - chosen
    moved = chosen + DRIFT * random.random() * away + NOISE * away * random.standard_normal(len(away))
    return _jumped(state, moved, JUMP * (1.0 - 0.5 * maturity), random)


def _weights(losses: Array, focus: float) -> Array:
    span = losses[-1] - losses[0]
    ranks = np.linspace(0.0, 1.0, len(losses))
    scaled = 0.5 * ranks + 0.5 * ((losses - losses[0]) / span if span > 0 else ranks)
    weights = np.exp(-focus * scaled)
    total: Array = weights / weights.sum()
    return total


def _jumped(state: State, point: Array, scale: float, random: np.random.Generator) -> Array:
    """A few parameters jump: numbers to near by, choices to any other."""
    owners = state.cube.owners
    num = len(state.cube.axes)
    jumps = random.random(num) < min(1.0, FEW_COLUMNS / num)
    is_choice = np.array([axis.width > 1 for axis in state.cube.axes])
    size = np.where(is_choice, 0.5, scale)[owners]
    noise = size * random.standard_normal(len(point))
    moved: Array = reflected(point + np.where(jumps[owners], noise, 0.0))
    return moved

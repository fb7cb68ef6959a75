"""Bayesian optimisation: a Gaussian process says how good points may be, and the most promising one is tried next.

Matern 5/2 with a reach of its own for each parameter (Snoek, Larochelle and Adams 2012), found by the most likely values under
priors that grow with the number of parameters (Hvarfner, Hellsten and Nardi 2024); losses by the power transform of Yeo and
Johnson (2000). The most promising point has the largest expected improvement (Jones, Schonlau and Welch 1998, by logarithms as
Ament et al. 2023). It is looked for without gradients, for the sake of choices and conditions: among random points, neighbours
of the best trials, and neighbours of the most promising of these. Trials that run count with what is expected of them
(Ginsbourger, Le Riche and Carraro 2010, "Kriging believer"). In numpy and scipy alone: Optuna's own takes torch, which the web
process does not load.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from optuna.samplers import BaseSampler

from automl.search.samplers._cube import Array, reflected
from automl.search.samplers._moves import MovingSampler, State

MOST_TRIALS = 150
"""From which it learns; of more, the best half of these and the latest."""
NUM_RANDOM, NUM_NEAR, NUM_ROUNDS = 400, 400, 2
"""Candidates all over the space, near the best trials, and rounds of moving the most promising of them."""
NUM_STEPS = 25
"""Of the search for the most likely values."""
_LEAST_NOISE = 1e-6


def build(seed: int) -> BaseSampler:
    """Makes the sampler."""
    return MovingSampler(most_promising, seed=seed)


@dataclass(frozen=True)
class Process:
    """A fitted Gaussian process."""

    points: Array
    weights: Array
    """(parameters,): of squared differences."""
    owners: NDArray[np.intp]
    scale: float
    root: Array
    """Lower Cholesky factor of the covariance of the points, noise included."""
    solved: Array
    """The covariance divided into the values."""

    def predict(self, points: Array) -> tuple[Array, Array]:
        """Means and standard deviations at points (rows, columns)."""
        from scipy.linalg import solve_triangular  # noqa: PLC0415 - a third of a second, only when it is asked

        scaled = np.sqrt(self.weights[self.owners])
        across = self.scale * _matern(_squares(points * scaled, self.points * scaled))
        mean = across @ self.solved
        half = solve_triangular(self.root, across.T, lower=True, check_finite=False)
        return mean, np.sqrt(np.maximum(self.scale - (half**2).sum(axis=0), 1e-12))

    def believing(self, points: Array, noise: float) -> Process:
        """The process once points have turned out as expected: the mean stays, the doubt goes."""
        mean, _ = self.predict(points)
        values = np.concatenate([self.root @ (self.root.T @ self.solved), mean])
        return _process(
            np.concatenate([self.points, points]), values, self.owners, weights=self.weights, scale=self.scale, noise=noise
        )


def most_promising(state: State, random: np.random.Generator) -> Array:
    """The point with the largest expected improvement among those that no trial has."""
    kept = _kept(state.losses)
    points, values = state.placed(state.points)[kept], transformed(state.losses)[kept]
    process, noise = fitted(points, values, state.cube.owners)
    best = float(process.predict(points)[0].min())
    if len(state.running):
        process = process.believing(state.placed(state.running), noise)
    order = np.argsort(values, kind="stable")
    candidates = state.placed(
        np.concatenate([random.random((NUM_RANDOM, points.shape[1])), _near(points[order[:8]], state, NUM_NEAR, random)])
    )
    gains = _gains(process, candidates, best)
    for _ in range(NUM_ROUNDS):
        leading = candidates[np.argsort(-gains, kind="stable")[:10]]
        more = state.placed(_near(leading, state, NUM_NEAR // 2, random))
        candidates, gains = np.concatenate([candidates, more]), np.concatenate([gains, _gains(process, more, best)])
    order = np.argsort(-gains, kind="stable")[:MOST_TRIALS]
    is_new = state.is_new(candidates[order])
    point: Array = candidates[order[int(np.argmax(is_new))]]
    return point


def fitted(points: Array, values: Array, owners: NDArray[np.intp]) -> tuple[Process, float]:
    """The most likely process, and the variance of its noise. Values have mean 0 and variance 1."""
    from scipy.optimize import minimize  # noqa: PLC0415 - as above

    num = int(owners[-1]) + 1
    squares = np.stack([_squares(points[:, owners == each], points[:, owners == each]) for each in range(num)])
    start = np.concatenate([np.full(num, -2 * _usual_reach(num)), [0.0, math.log(1e-2)]])
    found = minimize(
        _unlikeliness,
        start,
        args=(squares, values),
        jac=True,
        method="L-BFGS-B",
        bounds=[(-8.0, 8.0)] * num + [(-4.0, 3.0), (math.log(_LEAST_NOISE), 0.5)],
        options={"maxiter": NUM_STEPS},
    ).x
    noise = float(np.exp(found[-1]))
    weights, scale = np.exp(found[:num]), float(np.exp(found[num]))
    return _process(points, values, owners, weights=weights, scale=scale, noise=noise), noise


def transformed(losses: Array) -> Array:
    """Losses by the power of Yeo and Johnson under which they are most nearly normal, with mean 0 and variance 1."""
    middle = np.median(losses)
    spread = np.median(np.abs(losses - middle)) or losses.std() or 1.0
    scaled = np.clip((losses - middle) / spread, -20.0, 20.0)
    best = max((_likelihood(scaled, power), power) for power in np.linspace(-2.0, 2.0, 17))[1]
    powered = _powered(scaled, best)
    deviation = float(powered.std())
    values: Array = (powered - powered.mean()) / (deviation if deviation > 0 else 1.0)
    return values


def _likelihood(values: Array, power: float) -> float:
    variance = _powered(values, power).var()
    if not variance > 0:
        return -math.inf
    tilt = (power - 1.0) * (np.sign(values) * np.log1p(np.abs(values))).sum()
    return float(-0.5 * len(values) * math.log(variance) + tilt)


def _powered(values: Array, power: float) -> Array:
    size = np.log1p(np.abs(values))
    above = size if abs(power) < 1e-9 else np.expm1(power * size) / power
    below = size if abs(power - 2.0) < 1e-9 else np.expm1((2.0 - power) * size) / (2.0 - power)
    powered: Array = np.where(values >= 0, above, -below)
    return powered


def _usual_reach(num: int) -> float:
    """Logarithm of the reach at which the search begins: the farther, the more parameters add up."""
    return 0.5 * math.log(num) - 0.7


def _unlikeliness(at: Array, squares: Array, values: Array) -> tuple[float, Array]:
    """Negative logarithm of the posterior of (logs of weights, of the scale, of the noise), and its gradient."""
    from scipy.linalg import cho_factor, cho_solve  # noqa: PLC0415 - as above

    num, length = len(squares), len(values)
    weights, scale, noise = np.exp(at[:num]), math.exp(at[num]), math.exp(at[num + 1])
    distance = np.sqrt(5.0 * np.tensordot(weights, squares, axes=1))
    fading = np.exp(-distance)
    kernel = scale * (1.0 + distance + distance**2 / 3.0) * fading
    factor = cho_factor(kernel + (noise + 1e-8) * np.eye(length), lower=True, check_finite=False)
    solved = cho_solve(factor, values, check_finite=False)
    pull = cho_solve(factor, np.eye(length), check_finite=False) - np.outer(solved, solved)
    # d kernel / d squared distance is -5/6 scale (1 + distance) exp(-distance).
    inner = pull * (-5.0 / 6.0 * scale * (1.0 + distance) * fading)
    gradient = np.empty_like(at)
    gradient[:num] = 0.5 * weights * np.tensordot(squares, inner, axes=([1, 2], [0, 1]))
    gradient[num] = 0.5 * (pull * kernel).sum()
    gradient[num + 1] = 0.5 * noise * np.trace(pull)
    loss = 0.5 * values @ solved + np.log(np.diag(factor[0])).sum()
    means = np.concatenate([np.full(num, -2 * _usual_reach(num)), [0.0, math.log(1e-2)]])
    spreads = np.concatenate([np.full(num, 2.0), [1.0, 2.0]])
    away = (at - means) / spreads
    return float(loss + 0.5 * (away**2).sum()), gradient + away / spreads


def _process(points: Array, values: Array, owners: NDArray[np.intp], *, weights: Array, scale: float, noise: float) -> Process:
    from scipy.linalg import cho_solve, cholesky  # noqa: PLC0415 - as above

    scaled = points * np.sqrt(weights[owners])
    covariance = scale * _matern(_squares(scaled, scaled)) + (noise + 1e-8) * np.eye(len(points))
    root = cholesky(covariance, lower=True, check_finite=False)
    return Process(points, weights, owners, scale, root, cho_solve((root, True), values, check_finite=False))


def _squares(one: Array, other: Array) -> Array:
    """Squared distances (rows, rows)."""
    found = (one**2).sum(axis=1)[:, None] + (other**2).sum(axis=1)[None] - 2.0 * one @ other.T
    squares: Array = np.maximum(found, 0.0)
    return squares


def _matern(squares: Array) -> Array:
    distance = np.sqrt(5.0 * squares)
    kernel: Array = (1.0 + distance + distance**2 / 3.0) * np.exp(-distance)
    return kernel


def _gains(process: Process, points: Array, best: float) -> Array:
    """Logarithms of the expected improvement on ``best``."""
    from scipy.special import log_ndtr  # noqa: PLC0415 - as above

    mean, deviation = process.predict(points)
    z = (best - mean) / deviation
    density = -0.5 * z**2 - 0.5 * math.log(2 * math.pi)
    ratio = np.exp(np.minimum(log_ndtr(z) - density, 700.0))
    # Far below the mean the two parts cancel: there their difference is the density over z squared (Ament et al. 2023).
    inner = np.where(z > -8.0, 1.0 + z * ratio, 1.0 / np.maximum(z**2, 1e-12))
    gains: Array = density + np.log(np.maximum(inner, 1e-300)) + np.log(deviation)
    return gains


def _near(points: Array, state: State, num: int, random: np.random.Generator) -> Array:
    """Neighbours of points: some parameters moved, a little or far."""
    axes, owners = len(state.cube.axes), state.cube.owners
    base = points[random.integers(0, len(points), num)]
    share = random.choice([1.5 / axes, 0.3, 0.6], size=(num, 1))
    is_moved = (random.random((num, axes)) < share)[:, owners]
    scale = 10.0 ** random.uniform(-3.0, -0.3, (num, 1))
    is_choice = (np.bincount(owners) > 1)[owners]
    moved = np.where(is_choice, random.random(base.shape), reflected(base + scale * random.standard_normal(base.shape)))
    neighbours: Array = np.where(is_moved, moved, base)
    return neighbours


def _kept(losses: Array) -> NDArray[np.intp]:
    """The trials to learn from, in their order."""
    if len(losses) <= MOST_TRIALS:
        return np.arange(len(losses))
    best = np.argsort(losses, kind="stable")[: MOST_TRIALS // 2]
    latest = np.setdiff1d(np.arange(len(losses)), best)[-(MOST_TRIALS - len(best)) :]
    return np.sort(np.concatenate([best, latest]))

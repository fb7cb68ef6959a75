"""How well predicted numbers fit the true ones, in numpy alone. Shapes: N items, R bootstrap rounds, K points."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from automl.contracts.report import RegressionFit
from automl.contracts.table import Histogram

BOOTSTRAP_ROUNDS = 500
BOOTSTRAP_FROM, BOOTSTRAP_TO = 2, 20_000
"""Items for which intervals are bootstrapped; of more their standard errors are as good, and cheap."""
NUM_POINTS = 2_000
"""Of the scatter plot, at most."""
NUM_BINS = 40
ERROR_QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
ABSOLUTE_QUANTILES = (0.5, 0.75, 0.9, 0.95, 0.99)
_Z = 1.959964
"""97.5% point of the normal distribution."""
_ROUNDS_AT_ONCE = 50


def metrics(predicted_N: np.ndarray, true_N: np.ndarray) -> dict[str, float]:
    """The measures by name.

    Where all true numbers are equal there is no variance to explain: R² is then 1 for exact answers and 0 for others.

    Raises:
        ValueError: there are no items.
    """
    if len(true_N) == 0:
        raise ValueError("a split without items has no metrics")
    errors_N = predicted_N - true_N
    squared = float(np.mean(errors_N**2))
    variance = float(np.var(true_N))
    return {
        "rmse": float(np.sqrt(squared)),
        "mae": float(np.abs(errors_N).mean()),
        "median_error": float(np.median(np.abs(errors_N))),
        "r2": 1.0 - squared / variance if variance > 0 else float(squared == 0.0),
    }


def intervals(predicted_N: np.ndarray, true_N: np.ndarray, *, seed: int = 0) -> dict[str, tuple[float, float]]:
    """95% intervals of the measures: the spread if the same number of items were drawn again.

    The median's is that of its order statistics, which assumes nothing about the distribution (Wilks 1948). The others are
    bootstrapped (Efron 1979); of more than ``BOOTSTRAP_TO`` items they follow from standard errors (delta method).

    Raises:
        ValueError: there are no items.
    """
    measured = metrics(predicted_N, true_N)
    errors_N = predicted_N - true_N
    num_items = len(errors_N)
    if num_items < BOOTSTRAP_FROM or not np.var(true_N) > 0:
        found = {name: (value, value) for name, value in measured.items()}
    elif num_items <= BOOTSTRAP_TO:
        found = _bootstrapped(errors_N, true_N, seed)
    else:
        found = _from_errors(errors_N, true_N, measured)
    return {name: found[name] if name != "median_error" else _of_median(np.abs(errors_N)) for name in measured}


def fit(predicted_N: np.ndarray, true_N: np.ndarray, items: Sequence[str]) -> RegressionFit:
    """What a page draws.

    Args:
        predicted_N: answers.
        true_N: the truth, finite.
        items: ids, in the same order.

    Raises:
        ValueError: there are no items.
    """
    if len(items) == 0:
        raise ValueError("a split without items has no fit")
    errors_N = predicted_N - true_N
    places = np.unique(np.linspace(0, len(items) - 1, min(len(items), NUM_POINTS)).astype(np.int64))
    return RegressionFit(
        items=tuple(items[place] for place in places.tolist()),
        truth=tuple(true_N[places].tolist()),
        prediction=tuple(predicted_N[places].tolist()),
        residuals=_histogram(errors_N),
        error_quantiles=tuple(np.quantile(errors_N, ERROR_QUANTILES).tolist()),
        absolute_error_quantiles=tuple(np.quantile(np.abs(errors_N), ABSOLUTE_QUANTILES).tolist()),
        truth_mean=float(true_N.mean()),
        truth_std=float(true_N.std()),
    )


def _histogram(errors_N: np.ndarray) -> Histogram:
    """A few wild errors must not squeeze all others into one bar."""
    low, middle, high = np.quantile(errors_N, (0.01, 0.5, 0.99)).tolist()
    low = max(float(errors_N.min()), middle - 1.5 * (middle - low))
    high = min(float(errors_N.max()), middle + 1.5 * (high - middle))
    if not high > low:
        reach = max(abs(low), 1.0) * 1e-6
        low, high = low - reach, high + reach
    counts, edges = np.histogram(np.clip(errors_N, low, high), bins=NUM_BINS, range=(low, high))
    return Histogram(edges=tuple(edges.tolist()), counts=tuple(counts.tolist()))


def _bootstrapped(errors_N: np.ndarray, true_N: np.ndarray, seed: int) -> dict[str, tuple[float, float]]:
    num_items = len(errors_N)
    generator = np.random.default_rng(seed)
    away_N = true_N - true_N.mean()
    columns_N4 = np.stack([errors_N**2, np.abs(errors_N), away_N, away_N**2], axis=1)
    means = []
    for _ in range(BOOTSTRAP_ROUNDS // _ROUNDS_AT_ONCE):
        weights_RN = generator.multinomial(num_items, np.full(num_items, 1.0 / num_items), size=_ROUNDS_AT_ONCE)
        means.append(weights_RN @ columns_N4 / num_items)
    squared_R, absolute_R, first_R, second_R = np.concatenate(means).T
    variance_R = second_R - first_R**2
    is_varied = variance_R > 1e-12 * second_R.max()  # a round may draw one item only
    r2_R = 1.0 - squared_R[is_varied] / variance_R[is_varied]
    rounds = {"rmse": np.sqrt(squared_R), "mae": absolute_R, "median_error": absolute_R, "r2": r2_R}
    found = {}
    for name, values_R in rounds.items():
        low, high = np.quantile(values_R, (0.025, 0.975)).tolist()
        found[name] = (low, high)
    return found


def _from_errors(errors_N: np.ndarray, true_N: np.ndarray, measured: dict[str, float]) -> dict[str, tuple[float, float]]:
    squared_N, away_N = errors_N**2, (true_N - true_N.mean()) ** 2
    squared, variance = float(squared_N.mean()), float(away_N.mean())
    of_r2_N = -(squared_N - squared) / variance + squared / variance**2 * (away_N - variance)
    influences = {
        "rmse": squared_N / (2.0 * np.sqrt(squared)) if squared > 0 else squared_N,
        "mae": np.abs(errors_N),
        "median_error": np.abs(errors_N),
        "r2": of_r2_N,
    }
    found = {}
    for name, influence_N in influences.items():
        reach = _Z * float(np.std(influence_N)) / float(np.sqrt(len(errors_N)))
        low = measured[name] - reach
        found[name] = (low if name == "r2" else max(0.0, low), measured[name] + reach)
    return found


def _of_median(absolute_N: np.ndarray) -> tuple[float, float]:
    ordered_N = np.sort(absolute_N)
    num_items = len(ordered_N)
    reach = _Z * float(np.sqrt(num_items)) / 2.0
    low = int(np.clip(np.floor(num_items / 2.0 - reach), 0, num_items - 1))
    high = int(np.clip(np.ceil(num_items / 2.0 + reach), 0, num_items - 1))
    return float(ordered_N[low]), float(ordered_N[high])

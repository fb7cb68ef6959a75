"""Measures of predicted numbers against other implementations, and intervals against drawing again."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import mean_absolute_error, median_absolute_error, r2_score, root_mean_squared_error

from engine.tasks.shared.regression import metrics as regression


@pytest.fixture
def numbers():
    """Predicted and true numbers, with errors that differ in size."""
    random = np.random.default_rng(0)
    true_N = random.normal(10, 3, 3000)
    return true_N + random.normal(0.2, 1, 3000) * (1 + random.random(3000)), true_N


def test_measures_are_those_of_another_implementation(numbers):
    predicted_N, true_N = numbers
    assert regression.metrics(predicted_N, true_N) == pytest.approx(
        {
            "rmse": root_mean_squared_error(true_N, predicted_N),
            "mae": mean_absolute_error(true_N, predicted_N),
            "median_error": median_absolute_error(true_N, predicted_N),
            "r2": r2_score(true_N, predicted_N),
        }
    )


@pytest.mark.parametrize("most", [20_000, 10], ids=["bootstrap", "standard errors"])
def test_intervals_are_those_of_drawing_again(numbers, most, monkeypatch):
    monkeypatch.setattr(regression, "BOOTSTRAP_TO", most)
    predicted_N, true_N = numbers
    found = regression.intervals(predicted_N, true_N)
    random = np.random.default_rng(1)
    drawn = []
    for _ in range(1000):
        rows = random.integers(0, len(true_N), len(true_N))
        drawn.append(regression.metrics(predicted_N[rows], true_N[rows]))
    for name, interval in found.items():
        expected = np.quantile([each[name] for each in drawn], (0.025, 0.975))
        assert interval == pytest.approx(expected, abs=0.25 * (expected[1] - expected[0])), name


def test_few_and_equal_numbers_do_no_harm():
    assert regression.metrics(np.ones(3), np.ones(3)) == {"rmse": 0.0, "mae": 0.0, "median_error": 0.0, "r2": 1.0}
    assert regression.metrics(np.zeros(3), np.ones(3))["r2"] == 0.0
    assert regression.intervals(np.zeros(1), np.ones(1))["rmse"] == (1.0, 1.0)
    pair = regression.intervals(np.array([0.0, 1.0]), np.array([0.5, 3.0]))
    assert all(np.isfinite(ends).all() and ends[0] <= ends[1] for ends in pair.values())
    with pytest.raises(ValueError, match="without items"):
        regression.metrics(np.empty(0), np.empty(0))


def test_fit_draws_some_rows_and_counts_all(numbers):
    predicted_N, true_N = numbers
    predicted_N = predicted_N.copy()
    predicted_N[7] = 1e9
    items = [f"itm_{number}" for number in range(len(true_N))]
    fit = regression.fit(predicted_N, true_N, items)
    assert len(fit.items) == len(fit.truth) == len(fit.prediction) == regression.NUM_POINTS
    assert sum(fit.residuals.counts) == len(true_N)
    assert fit.residuals.edges[-1] < 20, "a wild one does not squeeze the others"
    assert fit.residuals.counts[-1] >= 1
    errors_N = predicted_N - true_N
    assert fit.error_quantiles == pytest.approx(np.quantile(errors_N, regression.ERROR_QUANTILES))
    assert fit.absolute_error_quantiles == pytest.approx(np.quantile(np.abs(errors_N), regression.ABSOLUTE_QUANTILES))
    place = items.index(fit.items[3])
    assert (fit.truth[3], fit.prediction[3]) == (true_N[place], predicted_N[place])
    exact = regression.fit(np.zeros(5), np.zeros(5), list("abcde"))
    assert sum(exact.residuals.counts) == 5
    assert exact.residuals.edges[0] < 0 < exact.residuals.edges[-1]

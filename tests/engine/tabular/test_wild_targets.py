"""A few per cent of wild targets do not ruin a regression, and those that the columns tell are learned."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from sklearn.datasets import load_diabetes

from engine.models import family_part
from engine.models.gradient_boosting.links import HuberLink, NumberLink
from engine.table.outliers import far_targets
from engine.training.rows.outliers import WARNING, without_outliers
from tests.engine.models.row_tasks import numbers_table, task_of


def _rows(num_rows, seed):
    random = np.random.default_rng(seed)
    x_NA = random.normal(size=(num_rows, 6))
    targets_N = 22 + 4 * x_NA[:, 0] - 3 * x_NA[:, 1] + 3 * np.sin(2 * x_NA[:, 2]) + random.normal(size=num_rows)
    return x_NA, np.maximum(targets_N, 3.0)


def _spoilt(targets_N, times, seed=5):
    return np.where(np.random.default_rng(seed).random(len(targets_N)) < 0.04, targets_N * times, targets_N)


def _task(family, x_NA, targets_N, **params):
    table = numbers_table(x_NA)
    train, validation = slice(60, None), slice(60)
    rows, held_back = (table.take(train), targets_N[train]), (table.take(validation), targets_N[validation])
    return task_of(family, rows, held_back, num_labels=0, params=params)


def _median_error(model):
    x_NA, truth_N = _rows(800, seed=1)
    return float(np.median(np.abs(model.answers(numbers_table(x_NA))[:, 0] - truth_N)))


@pytest.mark.parametrize("family", ["gradient_boosting", "random_forest", "table_linear", "table_knn", "table_network"])
def test_targets_thirty_times_too_large_are_left_out(family):
    x_NA, targets_N = _rows(400, seed=0)
    fit = family_part(family, "fit").fit
    warnings = []
    spoilt = replace(_task(family, x_NA, _spoilt(targets_N, 30.0)), warn=lambda code, message: warnings.append((code, message)))
    inliers = without_outliers(spoilt)
    assert [code for code, _ in warnings] == [WARNING]
    assert len(inliers.task.validation) == inliers.is_inlier_M.sum() < len(spoilt.validation)
    assert inliers.task.targets_N.max() < 60 < spoilt.targets_N.max()
    assert _median_error(fit(inliers.task)) < 1.2 * _median_error(fit(_task(family, x_NA, targets_N)))


@pytest.mark.parametrize("family", ["gradient_boosting", "table_linear"])
def test_targets_thirty_times_too_large_are_left_out_where_the_others_are_spread_widely(family):
    diabetes = load_diabetes(scaled=False)
    order = np.random.default_rng(0).permutation(len(diabetes.target))
    (train, held_back, test), targets_N = np.split(order, [240, 300]), diabetes.target
    fit = family_part(family, "fit").fit

    def median_error(given_N):
        parts = ((numbers_table(diabetes.data[rows]), given_N[rows]) for rows in (train, held_back))
        inliers = without_outliers(task_of(family, *parts, num_labels=0))
        assert inliers.task.targets_N.max() == targets_N[train].max()
        answers_N = fit(inliers.task).answers(numbers_table(diabetes.data[test]))[:, 0]
        return float(np.median(np.abs(answers_N - targets_N[test])))

    assert median_error(_spoilt(targets_N, 30.0)) < 1.2 * median_error(targets_N)


@pytest.mark.parametrize("scale", [0.4, 1.0, 2.0])
def test_of_prices_one_in_a_hundred_tables_at_most_has_far_targets(scale):
    found = [far_targets(np.random.default_rng(seed).lognormal(3.0, scale, 300)).any() for seed in range(200)]
    assert np.mean(found) <= 0.01


def test_wild_targets_that_a_column_predicts_are_learned():
    x_NA, targets_N = _rows(400, seed=0)
    predictable = _task("gradient_boosting", x_NA, np.where(x_NA[:, 5] > 1.5, targets_N * 30, targets_N))
    assert without_outliers(predictable).task is predictable


def test_long_tails_and_labels_are_left_alone():
    x_NA, targets_N = _rows(400, seed=0)
    prices = _task("gradient_boosting", x_NA, np.exp(targets_N / 4))
    assert without_outliers(prices).task is prices
    labels = task_of("table_linear", (numbers_table(x_NA), targets_N > 22), (numbers_table(x_NA), targets_N > 22), num_labels=2)
    assert without_outliers(labels).task is labels


def test_boosting_takes_hubers_loss_where_targets_are_far_out_and_squares_where_not():
    x_NA, targets_N = _rows(400, seed=0)
    fit = family_part("gradient_boosting", "fit").fit
    plain, robust = (fit(_task("gradient_boosting", x_NA, given_N)) for given_N in (targets_N, _spoilt(targets_N, 5.0)))
    assert type(plain.link) is NumberLink
    assert type(robust.link) is HuberLink
    assert _median_error(robust) < 1.4 * _median_error(plain)


def test_an_ensemble_of_targets_far_out_is_weighed_by_absolute_errors_too():
    x_NA, targets_N = _rows(400, seed=0)
    model = family_part("table_ensemble", "fit").fit(_task("table_ensemble", x_NA, _spoilt(targets_N, 5.0), budget_s=3))
    assert _median_error(model) < 2.0

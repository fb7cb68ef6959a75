"""What columns do: closed forms of linear models, and another implementation of shuffling."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.inspection import partial_dependence as sklearn_dependence
from sklearn.inspection import permutation_importance
from sklearn.linear_model import LinearRegression

from automl.contracts.artefact import RowColumn
from automl.contracts.table import ColumnKind
from engine.table.dependence import NUM_CELLS, partial_dependence
from engine.table.importance import affordable, importance
from engine.table.shap import explain
from engine.table.table import Table
from runtime.cells import MISSING_TIME

DAY_S = 86_400
_CITIES = ("Graz", "苏州", "Porto")


def _table(num_rows, *, seed=0):
    """Two numbers, a moment, a city and a note, the kinds mixed in their order."""
    random = np.random.default_rng(seed)
    return Table(
        columns=(
            RowColumn(name="width", kind=ColumnKind.NUMBER),
            RowColumn(name="city", kind=ColumnKind.CATEGORY),
            RowColumn(name="made", kind=ColumnKind.DATETIME),
            RowColumn(name="height", kind=ColumnKind.NUMBER, decimal=","),
            RowColumn(name="note", kind=ColumnKind.TEXT),
        ),
        numbers_NA=random.normal(5, 2, (num_rows, 2)).astype(np.float32),
        datetimes_ND=random.integers(0, 100, (num_rows, 1)) * DAY_S,
        categories_NC=random.choice(np.array(_CITIES, dtype=object), (num_rows, 1), p=[0.5, 0.3, 0.2]),
        texts_NT=np.full((num_rows, 1), "a note", dtype=object),
    )


def _parts(table):
    """What each column adds in a sum without interactions, ``_NC``."""
    city_N = np.array([{"Graz": 0.0, "苏州": 4.0, "Porto": -3.0}[city] for city in table.categories_NC[:, 0]])
    return np.stack(
        [
            3.0 * table.numbers_NA[:, 0],
            city_N,
            table.datetimes_ND[:, 0] / DAY_S / 10,
            -2.0 * table.numbers_NA[:, 1],
            np.zeros(len(table)),
        ],
        axis=1,
    )


def _sum(table):
    """Two answers: the sum of the parts, and half of it the other way round."""
    total_N = _parts(table).sum(axis=1)
    return np.stack([total_N, -0.5 * total_N], axis=1)


def _with_interactions(table):
    a, b = table.numbers_NA.T
    return np.stack([a * b + 5.0 * (table.categories_NC[:, 0] == "Graz") * a * (table.datetimes_ND[:, 0] > 50 * DAY_S)], axis=1)


def test_shapley_values_of_a_sum_are_its_parts_less_their_means():
    table, background = _table(12), _table(30, seed=1)
    found = explain(_sum, table, background, budget_s=5.0)
    expected_RC = _parts(table) - _parts(background).mean(axis=0)
    np.testing.assert_allclose(found.values_RCK[:, :, 0], expected_RC, atol=1e-6)
    np.testing.assert_allclose(found.values_RCK[:, :, 1], -0.5 * expected_RC, atol=1e-6)
    np.testing.assert_allclose(found.base_K, _sum(background).mean(axis=0), atol=1e-9)
    assert found.num_background == 30


def test_shapley_values_add_up_exactly_whatever_the_model():
    table, background = _table(15), _table(30, seed=1)
    found = explain(_with_interactions, table, background, budget_s=0.5, seed=3)
    np.testing.assert_allclose(found.values_RCK.sum(axis=1) + found.base_K, _with_interactions(table), atol=1e-6)


def test_sampled_values_come_near_those_of_all_orders():
    """By hand: the mean gain over all subsets of the columns, weighed as Shapley says."""
    table, background = _table(1), _table(8, seed=1)
    found = explain(_with_interactions, table, background, budget_s=3.0)
    exact_C = _exact(_with_interactions, table, background)
    np.testing.assert_allclose(found.values_RCK[0, :, 0], exact_C, atol=0.05 * np.abs(exact_C).max())


def _exact(predict, table, background):
    from itertools import combinations
    from math import factorial

    from engine.table.shap import mixed_of

    num_columns = len(table.columns)
    mixed = mixed_of(predict, table, 0, background)

    def value(own):
        is_own = np.zeros((len(background), num_columns), dtype=bool)
        is_own[:, list(own)] = True
        return mixed(is_own, np.arange(len(background))).mean()

    exact_C = np.zeros(num_columns)
    for column in range(num_columns):
        others = [place for place in range(num_columns) if place != column]
        for size in range(num_columns):
            weight = factorial(size) * factorial(num_columns - size - 1) / factorial(num_columns)
            exact_C[column] += weight * sum(value((*own, column)) - value(own) for own in combinations(others, size))
    return exact_C


def test_a_slow_model_is_asked_of_fewer_rows():
    import time

    def slow(table):
        time.sleep(len(table) * 2e-5)
        return _sum(table)

    table, background = _table(100), _table(30, seed=1)
    started_s = time.perf_counter()
    found = explain(slow, table, background, budget_s=0.3)
    assert time.perf_counter() - started_s < 2.0
    assert 10 <= len(found.values_RCK) < 100
    np.testing.assert_allclose(found.values_RCK.sum(axis=1) + found.base_K, _sum(table)[: len(found.values_RCK)], atol=1e-6)


def test_partial_dependence_of_a_sum_is_the_column_s_part_moved():
    table = _table(400)
    others = _parts(table).sum(axis=1).mean()
    for place, column in enumerate(table.columns[:4]):
        curve = partial_dependence(_sum, table, place, rows=table)
        mine = _parts(table)[:, place].mean()
        if column.kind is ColumnKind.NUMBER:
            slope = 3.0 if column.name == "width" else -2.0
            expected = [slope * float(cell) + others - mine for cell in curve.cells]
        elif column.kind is ColumnKind.CATEGORY:
            assert curve.cells == _CITIES
            expected = [{"Graz": 0.0, "苏州": 4.0, "Porto": -3.0}[cell] + others - mine for cell in curve.cells]
        else:
            days = [(np.datetime64(cell) - np.datetime64("1970-01-01")) / np.timedelta64(1, "D") for cell in curve.cells]
            expected = [day / 10 + others - mine for day in days]
        np.testing.assert_allclose([mean[0] for mean in curve.mean], expected, rtol=1e-5, atol=1e-4)
        np.testing.assert_allclose([mean[1] for mean in curve.mean], -0.5 * np.array(expected), rtol=1e-5, atol=1e-4)
        assert sum(curve.share) == pytest.approx(1.0)
        assert len(curve.cells) <= NUM_CELLS
    assert partial_dependence(_sum, table, 4, rows=table) is None, "texts have no axis"


def test_missing_cells_have_no_place_on_an_axis_and_take_their_share():
    table = _table(100)
    numbers_NA, datetimes_ND = table.numbers_NA.copy(), table.datetimes_ND.copy()
    numbers_NA[:25, 0] = np.nan
    numbers_NA[:, 1] = 7.0
    datetimes_ND[:40] = MISSING_TIME
    gappy = table.with_array(ColumnKind.NUMBER, numbers_NA).with_array(ColumnKind.DATETIME, datetimes_ND)
    numbers = partial_dependence(_sum, gappy, 0, rows=table)
    assert sum(numbers.share) == pytest.approx(0.75)
    assert all(np.isfinite(float(cell)) for cell in numbers.cells)
    assert sum(partial_dependence(_sum, gappy, 2, rows=table).share) == pytest.approx(0.6)
    assert partial_dependence(_sum, gappy, 3, rows=table) is None, "one value has no curve"


@pytest.fixture
def fitted():
    """A linear model of another library on three numbers, as a table and as a matrix."""
    random = np.random.default_rng(5)
    x_NF = random.normal(0, 1, (600, 3)).astype(np.float32)
    y_N = 4.0 * x_NF[:, 0] - 1.5 * x_NF[:, 1] + random.normal(0, 0.5, 600)
    columns = tuple(RowColumn(name=name, kind=ColumnKind.NUMBER) for name in "abc")
    nothing = np.empty((600, 0))
    table = Table(columns, x_NF, nothing.astype(np.int64), nothing.astype(object), nothing.astype(object))
    return LinearRegression().fit(x_NF, y_N), table, x_NF, y_N


def test_importance_agrees_with_another_implementation_within_noise(fitted):
    model, table, x_NF, y_N = fitted

    def score(answers_NK):
        return -float(np.sqrt(np.mean((answers_NK[:, 0] - y_N) ** 2)))

    found = importance(lambda rows: model.predict(rows.numbers_NA)[:, None], table, score, num_shuffles=10)
    other = permutation_importance(model, x_NF, y_N, scoring="neg_root_mean_squared_error", n_repeats=10, random_state=1)
    np.testing.assert_allclose(found.mean_C, other.importances_mean, atol=4 * other.importances_std.max() / np.sqrt(10) + 1e-3)
    assert found.mean_C.argsort()[::-1].tolist() == [0, 1, 2]
    again = importance(lambda rows: model.predict(rows.numbers_NA)[:, None], table, score, num_shuffles=10)
    np.testing.assert_array_equal(again.mean_C, found.mean_C)


def test_dependence_agrees_with_another_implementation(fitted):
    model, table, x_NF, _ = fitted
    curve = partial_dependence(lambda rows: model.predict(rows.numbers_NA)[:, None], table, 0, rows=table)
    grid = np.array([float(cell) for cell in curve.cells], dtype=np.float32)
    other = sklearn_dependence(model, x_NF, [0], custom_values={0: grid}, kind="average")
    np.testing.assert_allclose([mean[0] for mean in curve.mean], other["average"][0], rtol=1e-5, atol=1e-5)


def test_a_slow_model_is_shuffled_less():
    assert affordable(10.0, rows_per_s=1e6, num_columns=10) == (2000, 3)
    assert affordable(1.0, rows_per_s=15_000, num_columns=10) == (500, 3)
    assert affordable(1.0, rows_per_s=2_000, num_columns=10) == (100, 2)
    assert affordable(0.1, rows_per_s=1_000, num_columns=500) == (100, 1), "never nothing"

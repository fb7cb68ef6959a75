"""Trees in a graph answer as the libraries that grew them, on thresholds and missing cells too."""

from __future__ import annotations

import lightgbm as lgb
import numpy as np
import onnxruntime as ort
import pytest
from sklearn.ensemble import ExtraTreesRegressor, RandomForestClassifier

from engine.table.graph import GraphWriter
from engine.table.trees import float32_below, trees_of_forest, trees_of_lightgbm

_NUM_ROWS, _NUM_FEATURES = 10_000, 6


@pytest.fixture(scope="module")
def rows():
    """Features with ties, missing cells, and one that never misses any while training; numbers to predict."""
    rng = np.random.default_rng(0)
    x_NF = rng.normal(size=(_NUM_ROWS, _NUM_FEATURES)).astype(np.float32)
    x_NF[:, 1] = x_NF[:, 1].round(1)
    x_NF[:, 2] = rng.integers(-2, 3, _NUM_ROWS)
    x_NF[rng.random(x_NF.shape) < 0.1] = np.nan
    x_NF[:, 3] = rng.normal(size=_NUM_ROWS)
    y_N = np.nansum(x_NF[:, :3], axis=1) * np.sign(x_NF[:, 3]) + np.isnan(x_NF[:, 4]) + rng.normal(size=_NUM_ROWS) / 3
    return x_NF, y_N


def _awkward(rows, thresholds):
    """Rows on the thresholds, a hair beside them, and with more missing cells than were trained on."""
    rng = np.random.default_rng(1)
    x_NF = rows[0].copy()
    x_NF[rng.random(x_NF.shape) < 0.2] = np.nan
    near = np.concatenate([thresholds, np.nextafter(thresholds, np.float32(9e9)), np.nextafter(thresholds, np.float32(-9e9))])
    for feature in range(_NUM_FEATURES):
        at = rng.choice(_NUM_ROWS, size=_NUM_ROWS // 2, replace=False)
        x_NF[at, feature] = rng.choice(near, size=len(at))
    x_NF[:4, :] = np.array([0.0, -0.0, np.inf, -np.inf], dtype=np.float32)[:, None]
    return x_NF


def _in_graph(trees, x_NF):
    graph = GraphWriter({"numbers": ("float32", x_NF.shape[1])})
    model = graph.finish(trees.write(graph, "numbers"), name="sums", num_columns=trees.num_outputs)
    session = ort.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    return session.run(None, {"numbers": x_NF})[0]


@pytest.mark.parametrize(("objective", "num_outputs"), [("regression", 1), ("binary", 1), ("multiclass", 4)])
def test_lightgbm_answers_the_same(rows, objective, num_outputs):
    x_NF, y_N = rows
    if objective != "regression":
        y_N = np.searchsorted(np.quantile(y_N, np.arange(1, max(2, num_outputs)) / max(2, num_outputs)), y_N)
    params = {"objective": objective, "num_class": num_outputs, "num_leaves": 31, "verbose": -1, "num_threads": 1}
    booster = lgb.train(params, lgb.Dataset(x_NF, y_N), 60)
    trees = trees_of_lightgbm(booster.model_to_string())
    assert trees.num_trees == 60 * num_outputs
    queries = _awkward(rows, np.unique(trees.threshold_M[trees.feature_M >= 0]))
    raw = booster.predict(queries, raw_score=True).reshape(len(queries), -1)
    np.testing.assert_allclose(trees.answers(queries), raw, atol=2e-6)
    np.testing.assert_allclose(_in_graph(trees, queries), raw, atol=1e-5)
    few = trees_of_lightgbm(booster.model_to_string(), num_iterations=7)
    np.testing.assert_allclose(
        _in_graph(few, queries), booster.predict(queries, raw_score=True, num_iteration=7).reshape(len(queries), -1), atol=1e-5
    )


def test_forest_of_labels_answers_the_same(rows):
    x_NF, y_N = rows
    forest = RandomForestClassifier(20, max_depth=12, random_state=0).fit(x_NF, np.searchsorted([-1.0, 1.0], y_N))
    trees = trees_of_forest(forest.estimators_, num_outputs=3)
    queries = rows[0]
    np.testing.assert_allclose(_in_graph(trees, queries), forest.predict_proba(queries), atol=1e-6)
    np.testing.assert_allclose(trees.answers(queries), forest.predict_proba(queries), atol=1e-6)


def test_forest_of_numbers_answers_the_same(rows):
    x_NF, y_N = rows
    forest = ExtraTreesRegressor(20, random_state=0).fit(x_NF, y_N)
    trees = trees_of_forest(forest.estimators_, num_outputs=1)
    np.testing.assert_allclose(_in_graph(trees, x_NF)[:, 0], forest.predict(x_NF), atol=1e-5)


def test_trees_without_a_split_answer_their_leaf():
    booster = lgb.train({"objective": "regression", "verbose": -1}, lgb.Dataset(np.zeros((30, 2)), np.arange(30.0)), 3)
    trees = trees_of_lightgbm(booster.model_to_string())
    np.testing.assert_allclose(_in_graph(trees, np.zeros((2, 2), np.float32)), booster.predict(np.zeros((2, 2)))[:, None])


def test_thresholds_are_rounded_down():
    numbers = np.array([0.1, -0.1, 1e300, -1e300, 0.5, np.inf])
    below = float32_below(numbers)
    assert (below.astype(np.float64) <= numbers).all()
    assert (np.nextafter(below[[0, 1, 4]], np.float32(1)).astype(np.float64) > numbers[[0, 1, 4]]).all()
    assert below[4] == 0.5


def test_what_cannot_be_written_is_refused():
    rng = np.random.default_rng(0)
    x_NF = np.stack([rng.integers(0, 9, 500), rng.normal(size=500)], axis=1)
    params = {"objective": "regression", "verbose": -1, "min_data_in_leaf": 5}
    by_category = lgb.train(params, lgb.Dataset(x_NF, x_NF[:, 0] % 3, categorical_feature=[0]), 3)
    with pytest.raises(ValueError, match="categorical"):
        trees_of_lightgbm(by_category.model_to_string())
    zero_missing = lgb.train({**params, "zero_as_missing": True}, lgb.Dataset(x_NF, x_NF[:, 0] % 3), 3)
    with pytest.raises(ValueError, match="zero"):
        trees_of_lightgbm(zero_missing.model_to_string())
    with pytest.raises(ValueError, match="LightGBM"):
        trees_of_lightgbm("nothing of the kind")

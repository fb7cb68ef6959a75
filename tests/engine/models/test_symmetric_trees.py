"""Trees whose levels ask the same: their losses, what they learn, missing cells, and the same answers in a graph."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np
import pytest

from engine.models.gradient_boosting.fit import fit, refit
from engine.models.gradient_boosting.gradients import base_of, gradients_of, loss_of
from engine.models.gradient_boosting.leafwise import LeafwiseBooster
from engine.models.gradient_boosting.symmetric import SymmetricBooster, SymmetricSettings
from engine.models.gradient_boosting.symmetric_tree import SymmetricTree, added, arrays_of
from engine.table.table import Deadline
from tests.engine.models.row_tasks import graph_answers, mixed_task, numbers_table, task_of

_FAMILY = "gradient_boosting"
_PARAMS = {"growth": "symmetric", "num_leaves": 16, "learning_rate": 0.1, "max_rounds": 60}
_SETTINGS = SymmetricSettings(depth=3, rate=0.3, lambda_l2=1.0, row_fraction=1.0, column_fraction=1.0, seed=0)


@pytest.mark.parametrize("num_labels", [0, 2, 3])
@pytest.mark.parametrize("is_weighed", [False, True])
def test_gradients_are_those_of_the_loss(num_labels, is_weighed):
    rng = np.random.default_rng(0)
    targets_N = rng.integers(num_labels, size=20) if num_labels else rng.normal(size=20)
    weights_N = rng.uniform(0.5, 2.0, size=20) if is_weighed and num_labels else None
    raw_NK = rng.normal(size=(20, num_labels if num_labels > 2 else 1))
    first_NK = gradients_of(raw_NK, targets_N, num_labels, weights_N).first_NK
    total = 20.0 if weights_N is None else weights_N.sum()
    for row, output in ((0, 0), (7, raw_NK.shape[1] - 1)):
        step_NK = np.zeros_like(raw_NK)
        step_NK[row, output] = 1e-5
        losses = [loss_of(raw_NK + sign * step_NK, targets_N, num_labels, weights_N) for sign in (-1, 1)]
        if num_labels == 0:
            losses = [loss**2 / 2 for loss in losses]
        slope = total * (losses[1] - losses[0]) / 2e-5
        assert first_NK[row, output] == pytest.approx(-slope, rel=1e-4, abs=1e-8)


def test_it_begins_with_the_shares_of_the_labels():
    np.testing.assert_allclose(base_of(np.array([0] * 30 + [1] * 10), 2, None), [np.log(10.5 / 30.5)])
    np.testing.assert_allclose(np.exp(base_of(np.array([0, 0, 2]), 3, None)), np.array([2.5, 0.5, 1.5]) / 4.5)
    assert base_of(np.array([1.0, 2.0]), 0, None).tolist() == [0.0]


def test_three_questions_are_learned_in_one_tree():
    """Eight values by three columns; the fourth says nothing. A tree that may take all of its step answers them all."""
    rng = np.random.default_rng(0)
    x_NF = rng.normal(size=(2000, 4)).astype(np.float32)
    targets_N = ((x_NF[:, 0] > 0) * 4 + (x_NF[:, 1] > 0) * 2 + (x_NF[:, 2] > 0)).astype(float) - 3.5
    booster = SymmetricBooster(x_NF, targets_N, replace(_SETTINGS, rate=1.0), num_labels=0)
    assert not booster.update()
    (tree,) = booster.trees
    assert sorted(tree.features_D.tolist()) == [0, 1, 2]
    assert np.abs(booster.raw(x_NF, 1)[:, 0] - targets_N).mean() < 0.15


@pytest.mark.parametrize("is_weighed", [False, True])
def test_questions_are_chosen_by_the_weights_of_rows_however_sure_they_are(is_weighed):
    rng = np.random.default_rng(4)
    x_NF = rng.integers(12, size=(90, 5)).astype(np.float32)
    targets_N = (x_NF[:, 0] + rng.normal(scale=3.0, size=90) > 9).astype(np.int64)
    weights_N = rng.uniform(0.3, 3.0, size=90) if is_weighed else np.ones(90)
    booster = SymmetricBooster(
        x_NF, targets_N, replace(_SETTINGS, depth=1), num_labels=2, weights_N=weights_N if is_weighed else None
    )
    for number in range(12):
        first_N = gradients_of(booster.raw(x_NF, number), targets_N, 2, weights_N).first_NK[:, 0]
        booster.update()
        gains = {}
        for feature in range(5):
            for border in np.arange(0.5, 11.0).tolist():
                sides = (x_NF[:, feature] <= border, x_NF[:, feature] > border)
                sums, sizes = np.array([(first_N[side].sum(), weights_N[side].sum()) for side in sides]).T
                values = sums / (sizes + _SETTINGS.lambda_l2)
                gains[feature, border] = values @ sums / np.sqrt(np.square(values) @ sizes)
        feature, border = max(gains, key=gains.__getitem__)
        tree = booster.trees[-1]
        assert (tree.features_D[0], round(float(tree.thresholds_D[0]), 3)) == (feature, border)


def test_missing_has_a_side_of_its_own():
    x_NF = np.array([[np.nan], [1.0], [2.0]] * 20, np.float32)
    targets_N = np.array([1.0, -0.5, -0.5] * 20)
    booster = SymmetricBooster(x_NF, targets_N, replace(_SETTINGS, depth=1, rate=1.0, lambda_l2=1e-6), num_labels=0)
    booster.update()
    np.testing.assert_allclose(
        booster.raw(np.array([[np.nan], [1.5], [-1e9]], np.float32), 1)[:, 0], [1.0, -0.5, -0.5], atol=1e-4
    )


def test_columns_that_do_not_differ_end_it():
    booster = SymmetricBooster(np.ones((10, 2), np.float32), np.arange(10.0) - 4.5, _SETTINGS, num_labels=0)
    assert booster.update()
    np.testing.assert_allclose(booster.raw(np.zeros((3, 2), np.float32), 1), 0.0)
    assert booster.arrays(1).answers(np.zeros((3, 2), np.float32)).tolist() == [[0.0]] * 3


def test_arrays_answer_alike_without_questions_that_are_answered():
    rng = np.random.default_rng(0)
    x_NF = rng.normal(size=(400, 3)).astype(np.float32)
    x_NF[::7, 1] = np.nan
    trees = [
        SymmetricTree(
            rng.integers(3, size=4), rng.normal(size=4).astype(np.float32), rng.normal(size=16).astype(np.float32), output
        )
        for output in (0, 1, 0)
    ]
    trees.append(SymmetricTree(np.array([0, 0, 0]), np.array([0.0, 1.0, -1.0], np.float32), np.arange(8, dtype=np.float32), 1))
    arrays = arrays_of(trees, np.array([0.5, -0.5]))
    expected_NK = np.tile([0.5, -0.5], (400, 1))
    for tree in trees:
        expected_NK[:, tree.output] += added(tree, x_NF)
    np.testing.assert_allclose(arrays.answers(x_NF), expected_NK, atol=1e-5)
    assert (arrays.tree_M == 3).sum() == 7, "of eight leaves of one column four can be reached"


@pytest.mark.parametrize("num_labels", [0, 2, 3])
def test_graph_answers_as_the_model(num_labels):
    task = mixed_task(_FAMILY, num_labels, params=_PARAMS)
    model = fit(task)
    assert isinstance(model.booster, SymmetricBooster)
    unit = 1.0 if num_labels else task.targets_N.std()
    in_graph = graph_answers(model, task.validation, num_outputs=task.num_outputs)
    np.testing.assert_allclose(in_graph / unit, model.answers(task.validation) / unit, atol=1e-5)
    again = fit(task)
    np.testing.assert_array_equal(again.answers(task.validation), model.answers(task.validation))


def test_smooth_numbers_are_learned_better_than_leaf_by_leaf():
    rng = np.random.default_rng(0)
    x_NA = rng.uniform(-2, 2, size=(900, 5))
    targets_N = np.sin(2 * x_NA[:, 0]) + x_NA[:, 1] * x_NA[:, 2] + 0.5 * x_NA[:, 3] ** 2 + rng.normal(size=900) * 0.1
    table = numbers_table(x_NA)

    def error(**params):
        task = task_of(
            _FAMILY,
            (table.take(slice(0, 500)), targets_N[:500]),
            (table.take(slice(500, 700)), targets_N[500:700]),
            num_labels=0,
            params={"learning_rate": 0.1, "max_rounds": 400} | params,
        )
        return np.square(fit(task).answers(table.take(slice(700, 900)))[:, 0] - targets_N[700:]).mean()

    assert error(growth="symmetric", num_leaves=64, lambda_l2=3.0) < 0.9 * error(num_leaves=16, min_data_in_leaf=5)


@pytest.mark.parametrize("is_balanced", [False, True])
def test_many_labels_are_distinguished(is_balanced):
    """Twenty-five squares of a plane, of which one has few rows."""
    rng = np.random.default_rng(0)
    x_NA = rng.uniform(0, 5, size=(2_000, 3))
    squares = (x_NA[:, 0].astype(int) * 5 + x_NA[:, 1].astype(int)).astype(np.int64)
    chosen = np.flatnonzero((squares != 7) | (rng.random(2_000) < 0.15))
    x_NA, squares = x_NA[chosen], squares[chosen]
    table = numbers_table(x_NA)
    task = task_of(
        _FAMILY,
        (table.take(slice(0, 1_200)), squares[:1_200]),
        (table.take(slice(1_200, None)), squares[1_200:]),
        num_labels=25,
        params={**_PARAMS, "max_rounds": 25, "learning_rate": 0.3, "is_balanced": is_balanced},
    )
    model = fit(task)
    assert isinstance(model.booster, SymmetricBooster)
    assert len(model.booster.trees) % 25 == 0
    answers = model.answers(task.validation)
    assert (answers.argmax(axis=1) == task.validation_targets_N).mean() > 0.85
    np.testing.assert_allclose(graph_answers(model, task.validation, num_outputs=25), answers, atol=1e-5)


def test_rows_of_a_rare_label_weigh_more_when_balanced():
    """Of two labels that cannot be told apart the rare one is believed as much as the other."""
    table, targets_N = numbers_table(np.random.default_rng(0).normal(size=(600, 2))), np.arange(600) % 10 % 9 // 8
    rows = (table.take(slice(0, 400)), targets_N[:400]), (table.take(slice(400, None)), targets_N[400:])
    share = targets_N.mean()
    plain, balanced = (
        fit(task_of(_FAMILY, *rows, num_labels=2, params={**_PARAMS, "is_balanced": is_balanced})).answers(table)[:, 1].mean()
        for is_balanced in (False, True)
    )
    assert plain == pytest.approx(share, abs=0.03)
    assert balanced == pytest.approx(0.5, abs=0.05)


def test_many_labels_times_many_cells_are_left_to_the_fast_trees(monkeypatch):
    monkeypatch.setattr("engine.models.gradient_boosting.boosting.SYMMETRIC_ROUND_CELLS", 40_000)
    assert isinstance(fit(mixed_task(_FAMILY, 2, params=_PARAMS)).booster, SymmetricBooster)
    assert isinstance(fit(mixed_task(_FAMILY, 12, params=_PARAMS | {"max_rounds": 2})).booster, LeafwiseBooster)


def test_too_many_cells_are_left_to_the_fast_trees(monkeypatch):
    monkeypatch.setattr("engine.models.gradient_boosting.boosting.SYMMETRIC_CELLS", 10)
    assert isinstance(fit(mixed_task(_FAMILY, 2, params=_PARAMS)).booster, LeafwiseBooster)


# Once more, with all rows


@pytest.mark.parametrize("growth", ["leafwise", "symmetric"])
@pytest.mark.parametrize("num_labels", [0, 2])
def test_all_rows_are_learned_with_the_rounds_of_the_parts(growth, num_labels):
    task = mixed_task(_FAMILY, num_labels, params={**_PARAMS, "growth": growth})
    halves = [
        fit(replace(task, train=task.train.take(slice(start, None, 2)), targets_N=task.targets_N[start::2])) for start in (0, 1)
    ]
    model = refit(task, halves)
    assert model is not None
    assert model.num_rounds == round(np.mean([half.num_rounds for half in halves]))
    assert np.isfinite(model.answers(task.validation)).all()
    none = task.validation.take(slice(0))
    blind = refit(replace(task, validation=none, validation_targets_N=task.validation_targets_N[:0]), halves)
    np.testing.assert_array_equal(blind.answers(task.validation), model.answers(task.validation))


def test_without_time_there_is_nothing_in_place_of_the_parts():
    task = mixed_task(_FAMILY, 2, params={**_PARAMS, "max_rounds": 300, "learning_rate": 0.01})
    begun_s = time.monotonic()
    assert refit(replace(task, deadline=Deadline.after(0.0)), [fit(task)]) is None
    assert time.monotonic() - begun_s < 60.0

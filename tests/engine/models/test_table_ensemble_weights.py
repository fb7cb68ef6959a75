"""What the ensemble decides: weights, folds, and who gets how much time."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from engine.models.table_ensemble.folds import fold_of_rows, num_folds
from engine.models.table_ensemble.selection import HeldBackScores, select
from engine.models.table_ensemble.speed_up import numbers_of_models
from engine.models.table_ensemble.time_plan import TimePlan

_FREE = np.full(3, 1e-9)


def _mixtures(num_models, num_rounds):
    """All weights that so many choices with replacement can give."""
    for chosen in itertools.combinations_with_replacement(range(num_models), num_rounds):
        yield np.bincount(chosen, minlength=num_models) / num_rounds


def _loss(scores, weights_M):
    """Of one mixture of the models."""
    return scores.loss((weights_M @ scores.parts_MN)[None])[0]


def test_weights_of_numbers_are_those_of_brute_force():
    rng = np.random.default_rng(0)
    errors_MN = rng.normal(size=(3, 400)) * np.array([[1.0], [1.1], [1.3]])
    scores = HeldBackScores(errors_MN, is_classifier=False)
    weights_M = select(scores, _FREE, rows_per_s=1.0, num_rounds=40)
    best = min(_loss(scores, mixture_M) for mixture_M in _mixtures(3, 40))
    assert _loss(scores, weights_M) <= best * 1.002
    assert weights_M.sum() == pytest.approx(1.0)
    # Independent errors weigh by the inverse of their variance.
    np.testing.assert_allclose(weights_M, (1 / np.array([1.0, 1.21, 1.69])) / (1 / np.array([1.0, 1.21, 1.69])).sum(), atol=0.1)


def test_weights_of_labels_are_those_of_brute_force():
    rng = np.random.default_rng(1)
    right_MN = rng.beta(np.array([[4.0], [3.0], [2.0]]), 2.0, size=(3, 300))
    scores = HeldBackScores(right_MN, is_classifier=True)
    weights_M = select(scores, _FREE, rows_per_s=1.0, num_rounds=30)
    best = min(_loss(scores, mixture_M) for mixture_M in _mixtures(3, 30))
    assert _loss(scores, weights_M) <= best * 1.002


def test_a_model_that_adds_nothing_is_left_out():
    rng = np.random.default_rng(2)
    good_N = rng.normal(size=500)
    scores = HeldBackScores(np.stack([good_N, good_N * 1.0001, good_N * 3]), is_classifier=False)
    assert select(scores, _FREE, rows_per_s=1.0).tolist() == [1.0, 0.0, 0.0]


def test_a_slow_model_must_earn_its_time():
    rng = np.random.default_rng(3)
    errors_MN = np.stack([rng.normal(size=2000), rng.normal(size=2000)])
    errors_MN[1] = 0.995 * errors_MN[0]
    scores = HeldBackScores(errors_MN, is_classifier=False)
    seconds_M = np.array([1e-6, 1e-3])
    assert select(scores, seconds_M, rows_per_s=100.0).tolist() == [0.0, 1.0], "both are fast enough"
    assert select(scores, seconds_M, rows_per_s=50_000.0).tolist() == [1.0, 0.0], "half a per cent is not worth six halvings"
    errors_MN[1] = 0.8 * errors_MN[0]
    assert select(scores, seconds_M, rows_per_s=50_000.0).tolist() == [0.0, 1.0]


def test_parts_are_the_chance_of_the_label_or_the_error():
    answers_NL = np.array([[0.2, 0.8], [0.7, 0.3]], dtype=np.float32)
    np.testing.assert_allclose(HeldBackScores.of([answers_NL], np.array([1, 1])).parts_MN, [[0.8, 0.3]], rtol=1e-6)
    parts_MN = HeldBackScores.of([np.array([[3.0], [5.0]], np.float32)], np.array([1.0, 9.0])).parts_MN
    np.testing.assert_allclose(parts_MN, [[2.0, -4.0]])


# Bags


def test_bags_keep_as_many_models_as_the_speed_allows():
    weights_M, most_M = np.array([0.6, 0.3, 0.1]), np.array([8, 8, 1])
    costly_M = np.array([1e-6, 1e-6, 1e-5])
    assert numbers_of_models(weights_M, costly_M, most_M, seconds=1.0).tolist() == [8, 8, 1]
    assert numbers_of_models(weights_M, costly_M, most_M, seconds=1e-9).tolist() == [1, 1, 1], "one at least"
    counts_M = numbers_of_models(weights_M, costly_M, most_M, seconds=2e-5)
    assert counts_M[0] > counts_M[1] >= 2, "those that are heard most first"
    assert counts_M @ costly_M <= 2e-5


# Folds


@pytest.mark.parametrize("num_labels", [0, 2, 3])
def test_folds_hold_all_rows_once_and_all_labels_alike(num_labels):
    rng = np.random.default_rng(0)
    targets_N = rng.integers(num_labels, size=103) if num_labels else rng.lognormal(size=103)
    folds_N = fold_of_rows(targets_N, num_labels, 5, seed=0)
    sizes = np.bincount(folds_N, minlength=5)
    assert sizes.sum() == 103
    assert sizes.max() - sizes.min() <= 1
    for fold in range(5):
        if num_labels:
            shares = np.bincount(targets_N[folds_N == fold], minlength=num_labels) / sizes[fold]
            np.testing.assert_allclose(shares, np.bincount(targets_N, minlength=num_labels) / 103, atol=0.06)
        else:
            assert np.median(targets_N[folds_N == fold]) == pytest.approx(np.median(targets_N), rel=0.35)
    assert (fold_of_rows(targets_N, num_labels, 5, seed=1) != folds_N).any()


def test_more_folds_than_rows_are_refused():
    with pytest.raises(ValueError, match="3 rows cannot be in 5 folds"):
        fold_of_rows(np.zeros(3, dtype=np.int64), 2, 5, seed=0)


@pytest.mark.parametrize(
    ("requested", "num_rows", "num_validation", "unit_s", "left_s", "folds"),
    [
        (0, 1_000, 100, 0.1, 100.0, 8),
        (0, 10_000, 1_000, 0.5, 100.0, 5),
        (0, 10_000, 1_000, 5.0, 100.0, 3),
        (0, 10_000, 1_000, 9.0, 100.0, 1),
        (0, 100_000, 1_000, 0.1, 100.0, 1),
        (5, 100_000, 1_000, 10.0, 100.0, 5),
        (5, 100_000, 1_000, 30.0, 100.0, 1),
        (1, 1_000, 100, 0.1, 100.0, 1),
        (1, 1_000, 0, 0.1, 100.0, 2),
        (8, 10, 100, 0.1, 100.0, 1),
        (0, 1_000, 0, 0.1, 0.0, 1),
    ],
)
def test_folds_are_taken_where_rows_are_few_and_time_allows(requested, num_rows, num_validation, unit_s, left_s, folds):
    found = num_folds(requested, num_rows=num_rows, num_validation=num_validation, unit_s=unit_s, left_s=left_s)
    assert found == folds


# Time


def test_pace_begins_with_a_share_and_learns():
    time_plan = TimePlan(100.0)
    assert time_plan.granted_s(100.0, time_plan.expected_s("a", 1.0)) == pytest.approx(0.4 * 96.0)
    time_plan.took("a", 1.0, granted_s=38.4, used_s=10.0, is_cut_short=False)
    assert time_plan.expected_s("a", 3.0) == pytest.approx(30.0)
    assert time_plan.expected_s("b", 2.0) == pytest.approx(20.0), "another family by the unit"
    time_plan.took("b", 2.0, granted_s=38.0, used_s=40.0, is_cut_short=True)
    assert time_plan.expected_s("b", 1.0) == pytest.approx(20.0)
    assert time_plan.expected_s("a", 1.0) == pytest.approx(10.0)


def test_pace_keeps_what_a_model_once_overran():
    time_plan = TimePlan(100.0)
    time_plan.took("a", 1.0, granted_s=10.0, used_s=16.0, is_cut_short=True)
    assert time_plan.granted_s(50.0, None, is_last=True) == pytest.approx(50.0 - 4.0 - 6.0)


def test_pace_begins_nothing_that_will_not_be_done():
    time_plan = TimePlan(100.0)
    time_plan.took("a", 1.0, granted_s=40.0, used_s=20.0, is_cut_short=False)
    assert time_plan.granted_s(30.0, time_plan.expected_s("a", 3.0)) is None
    assert time_plan.granted_s(4.0, time_plan.expected_s("a", 0.01)) is None, "nothing but what is reserved"
    assert time_plan.granted_s(30.0, time_plan.expected_s("a", 0.1)) == pytest.approx(0.4 * 26.0)


def test_no_family_is_loaded_when_that_might_take_what_is_left():
    time_plan = TimePlan(10.0)
    assert time_plan.may_load(1.0)
    time_plan.loading_s = 2.0
    assert time_plan.may_load(4.5)
    assert not time_plan.may_load(4.3)
    assert not time_plan.may_load(4.5, known_s=2.5), "a family that is known to load for long"


def test_what_was_cut_short_is_not_taken_for_quick():
    time_plan = TimePlan(100.0)
    time_plan.took("a", 1.0, granted_s=40.0, used_s=30.0, is_cut_short=False)
    time_plan.took("a", 1.0, granted_s=5.0, used_s=5.0, is_cut_short=True)
    assert time_plan.expected_s("a", 1.0) == pytest.approx(30.0)

"""The numbers of a report, against numbers worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from engine.tasks.classification.loss import label_weights
from engine.tasks.classification.metrics import Answers, best_thresholds, intervals, metrics_of, per_class

# Four items, three labels; the third label occurs nowhere and is said once.
_SCORES_NL = np.array([[0.8, 0.1, 0.1], [0.3, 0.6, 0.1], [0.2, 0.7, 0.1], [0.1, 0.2, 0.7]])
_TARGETS_N = np.array([0, 0, 1, 1])


def test_one_label_by_hand():
    answers = Answers.of(_SCORES_NL, _TARGETS_N)
    assert answers.confusion().tolist() == [[1, 1, 0], [0, 1, 1], [0, 0, 0]]
    found = metrics_of(answers)
    assert found["accuracy"] == 0.5
    assert found["precision_macro"] == pytest.approx((1.0 + 0.5) / 2)
    assert found["recall_macro"] == pytest.approx((0.5 + 0.5) / 2)
    assert found["f1_macro"] == pytest.approx((2 / 3 + 0.5) / 2)
    assert found["log_loss"] == pytest.approx(-np.log([0.8, 0.3, 0.7, 0.2]).mean())
    third = per_class(answers, ("a", "b", "c"))[2]
    assert (third.precision, third.recall, third.f1, third.support) == (0.0, 0.0, 0.0, 0)


def test_several_labels_by_hand():
    truth_NL = np.array([[1, 0], [1, 1], [0, 0]], dtype=np.float32)
    scores_NL = np.array([[0.9, 0.2], [0.6, 0.4], [0.1, 0.1]])
    found = metrics_of(Answers.of(scores_NL, truth_NL))
    assert found["accuracy"] == pytest.approx(2 / 3)  # the second item lacks a label
    assert found["recall_macro"] == pytest.approx((1.0 + 0.0) / 2)
    lower = Answers.of(scores_NL, truth_NL, np.array([0.5, 0.3]))
    assert metrics_of(lower)["accuracy"] == 1.0


def test_certain_and_wrong_answers_stay_finite():
    assert np.isfinite(metrics_of(Answers.of(np.array([[1.0, 0.0]]), np.array([1])))["log_loss"])


def test_intervals_hold_the_value_and_narrow_with_items():
    generator = np.random.default_rng(0)
    widths = []
    for num_items in (50, 5000):
        scores_NL = generator.dirichlet([1, 1, 1], num_items)
        answers = Answers.of(scores_NL, generator.integers(0, 3, num_items))
        low, high = intervals(answers)["accuracy"]
        assert low <= metrics_of(answers)["accuracy"] <= high
        widths.append(high - low)
    assert widths[1] < widths[0] / 4
    assert intervals(answers) == intervals(answers)


def test_few_items_that_all_agree_are_no_certainty():
    right = Answers.of(np.array([[0.9, 0.1]] * 6), np.zeros(6, dtype=int))
    low, high = intervals(right)["accuracy"]
    # Wilson's interval for 6 of 6: 0.610 to 1.
    assert (round(low, 3), high) == (0.610, 1.0)


def test_thresholds_are_the_best_for_f1():
    generator = np.random.default_rng(1)
    truth_NL = generator.integers(0, 2, (200, 2))
    scores_NL = np.clip(0.25 * truth_NL + generator.uniform(0, 0.5, (200, 2)), 0, 1)
    truth_NL[:, 1] = 0
    found = best_thresholds(scores_NL, truth_NL, ("often", "never"))
    assert found["never"] == 0.5

    def f1(threshold):
        said = scores_NL[:, 0] >= threshold
        return 2 * (said & (truth_NL[:, 0] == 1)).sum() / (said.sum() + truth_NL[:, 0].sum())

    assert f1(found["often"]) == pytest.approx(max(f1(threshold) for threshold in scores_NL[:, 0]))


def test_weights_make_rare_labels_count_as_much():
    targets_N = np.array([0] * 30 + [1] * 10)
    weights_L = label_weights(targets_N, 3)
    assert weights_L[0] * 30 == pytest.approx(weights_L[1] * 10)
    assert weights_L[targets_N].mean() == pytest.approx(1.0)
    assert label_weights(np.array([0] * 1000 + [1]), 2)[1] == 20.0

"""The numbers of a report, against numbers worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from engine.tasks.shared.classification.loss import label_weights
from engine.tasks.shared.classification.metrics import Answers, intervals, metrics_of, per_class
from engine.tasks.shared.classification.thresholds import best_thresholds, recommended_thresholds

# Four items, three labels; the third label occurs nowhere and is predicted once.
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
    one = intervals(Answers.of(np.array([[0.9, 0.1]]), np.zeros(1, dtype=int)))
    for name in ("accuracy", "f1_macro", "precision_macro", "recall_macro"):
        assert one[name] == pytest.approx((0.2065, 1.0), abs=1e-4)  # Wilson's for 1 of 1
    assert "log_loss" not in one


def test_no_interval_of_answers_that_are_all_right_is_a_point():
    targets = np.arange(45) % 2
    found = intervals(Answers.of(np.eye(2)[targets] * 0.8 + 0.1, targets))
    for name in ("accuracy", "f1_macro", "precision_macro", "recall_macro", "average_precision_macro"):
        assert found[name] == pytest.approx((0.9213, 1.0), abs=1e-4)  # Wilson's for 45 of 45


def test_thresholds_are_the_best_for_f1():
    generator = np.random.default_rng(1)
    truth_NL = generator.integers(0, 2, (200, 2))
    scores_NL = np.clip(0.25 * truth_NL + generator.uniform(0, 0.5, (200, 2)), 0, 1)
    truth_NL[:, 1] = 0
    found = best_thresholds(scores_NL, truth_NL, ("often", "never"))
    assert found["never"] == 0.5

    def f1(threshold):
        predicted = scores_NL[:, 0] >= threshold
        return 2 * (predicted & (truth_NL[:, 0] == 1)).sum() / (predicted.sum() + truth_NL[:, 0].sum())

    assert f1(found["often"]) == pytest.approx(max(f1(threshold) for threshold in scores_NL[:, 0]))


def _two_labels(num_items, share, seed):
    """Items of two overlapping bells, and the honest score of the rare one."""
    generator = np.random.default_rng(seed)
    targets_N = (generator.random(num_items) < share).astype(np.int64)
    rare_N = share / (share + (1 - share) * np.exp(0.5 - generator.normal(targets_N, 1.0)))
    return np.stack([1 - rare_N, rare_N], axis=1), targets_N


def test_a_rare_label_is_predicted_from_a_score_that_finds_it_on_other_items():
    labels = ("fine", "defect")
    scores_NL, targets_N = _two_labels(600, 0.06, seed=1)
    found = recommended_thresholds(scores_NL, targets_N, labels, objective="roc_auc")
    assert 0.02 < found["defect"] < 0.4
    assert found["fine"] + found["defect"] == pytest.approx(1.0)
    others_NL, truth_N = _two_labels(20_000, 0.06, seed=2)
    limits_L = np.array([found["fine"], found["defect"]])
    with_border = metrics_of(Answers.of(others_NL, truth_N, limits_L))
    without = metrics_of(Answers.of(others_NL, truth_N))
    assert with_border["f1_macro"] > without["f1_macro"] + 0.05
    assert with_border["average_precision_macro"] == without["average_precision_macro"]


def test_where_accuracy_is_improved_a_threshold_does_not_cost_it():
    scores_NL, targets_N = _two_labels(600, 0.06, seed=1)
    found = recommended_thresholds(scores_NL, targets_N, ("fine", "defect"), objective="accuracy")
    free = recommended_thresholds(scores_NL, targets_N, ("fine", "defect"), objective="f1_macro")
    assert free["defect"] < found.get("defect", 0.5)
    limits_L = np.array([found["fine"], found["defect"]]) if found else None
    share = metrics_of(Answers.of(scores_NL, targets_N))["accuracy"]
    accuracy = metrics_of(Answers.of(scores_NL, targets_N, limits_L))["accuracy"]
    assert accuracy > share - 1.5 * np.sqrt(share * (1 - share) / 600)


@pytest.mark.parametrize("share", [0.5, 0.004])
def test_there_is_no_threshold_where_one_half_does_as_well_or_too_few_items_carry_a_label(share):
    scores_NL, targets_N = _two_labels(600, share, seed=3)
    assert recommended_thresholds(scores_NL, targets_N, ("a", "b"), objective="accuracy") == {}


def test_of_three_labels_the_best_is_predicted():
    generator = np.random.default_rng(0)
    assert recommended_thresholds(generator.dirichlet(np.ones(3), 200), generator.integers(0, 3, 200), ("a", "b", "c")) == {}


def test_the_predicted_label_comes_first():
    answers = Answers.of(np.array([[0.6, 0.4], [0.8, 0.2]]), np.array([1, 0]), np.array([0.7, 0.3]))
    assert [each.label for each in answers.predictions(0, ("fine", "defect"))] == ["defect", "fine"]
    assert [each.label for each in answers.predictions(1, ("fine", "defect"))] == ["fine", "defect"]
    assert answers.is_right().all()


def test_weights_make_rare_labels_count_as_much():
    targets_N = np.array([0] * 30 + [1] * 10)
    weights_L = label_weights(targets_N, 3)
    assert weights_L[0] * 30 == pytest.approx(weights_L[1] * 10)
    assert weights_L[targets_N].mean() == pytest.approx(1.0)
    assert label_weights(np.array([0] * 1000 + [1]), 2)[1] == 20.0

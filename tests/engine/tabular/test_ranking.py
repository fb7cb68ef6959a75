"""Ranking and calibration of scores against other implementations and against what is known by hand."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import average_precision_score, confusion_matrix, precision_recall_curve, roc_auc_score, roc_curve

from engine.tasks.shared.classification import metrics as of_labels
from engine.tasks.shared.classification import ranking


@pytest.fixture
def scored():
    """Scores of three labels with many ties, and the truth as zeros and ones."""
    random = np.random.default_rng(0)
    targets = random.choice(3, 1500, p=[0.6, 0.3, 0.1])
    scores_NL = random.dirichlet([1, 1, 1], 1500) + 0.4 * np.eye(3)[targets]
    scores_NL = np.round(scores_NL / scores_NL.sum(axis=1, keepdims=True), 2)
    return scores_NL, np.eye(3, dtype=np.int64)[targets]


def _points(x_K, y_K):
    return {(round(float(x), 9), round(float(y), 9)) for x, y in zip(x_K, y_K, strict=True)}


def test_area_is_that_of_another_implementation_ties_and_all(scored):
    scores_NL, truth_NL = scored
    single = [roc_auc_score(truth_NL[:, i], scores_NL[:, i]) for i in range(3)]
    assert ranking.area(scores_NL, truth_NL) == pytest.approx(np.mean(single), abs=1e-12)


def test_interval_is_that_of_drawing_again(scored):
    scores_NL, truth_NL = scored
    random = np.random.default_rng(1)
    drawn = []
    for _ in range(300):
        rows = random.integers(0, len(scores_NL), len(scores_NL))
        drawn.append(ranking.area(scores_NL[rows], truth_NL[rows]))
    low, high = ranking.area_interval(scores_NL, truth_NL)
    assert (low, high) == pytest.approx(np.quantile(drawn, (0.025, 0.975)), abs=0.004)


def test_mean_precision_is_that_of_another_implementation_and_its_interval_that_of_drawing_again(scored):
    scores_NL, truth_NL = scored
    single = [average_precision_score(truth_NL[:, i], scores_NL[:, i]) for i in range(3)]
    assert ranking.mean_precision(scores_NL, truth_NL) == pytest.approx(np.mean(single), abs=1e-12)
    random = np.random.default_rng(1)
    drawn = []
    for _ in range(300):
        rows = random.integers(0, len(scores_NL), len(scores_NL))
        drawn.append(ranking.mean_precision(scores_NL[rows], truth_NL[rows]))
    low, high = ranking.mean_precision_interval(scores_NL, truth_NL)
    assert (low, high) == pytest.approx(np.quantile(drawn, (0.025, 0.975)), abs=0.008)
    nothing = np.eye(3, dtype=int)[np.zeros(1500, dtype=int)]
    assert ranking.mean_precision(scores_NL, nothing) == 0.0
    assert ranking.mean_precision_interval(scores_NL, nothing) == (0.0, 1.0)


def test_a_split_of_one_label_ranks_nothing_and_perfection_of_few_is_not_certain():
    scores_NL = np.array([[0.9, 0.1], [0.8, 0.2], [0.3, 0.7]])
    assert ranking.area(scores_NL, np.eye(2, dtype=int)[[0, 0, 0]]) == 0.5
    assert ranking.area_interval(scores_NL, np.eye(2, dtype=int)[[0, 0, 0]]) == (0.0, 1.0)
    truth_NL = np.eye(2, dtype=int)[[0, 0, 1]]
    assert ranking.area(scores_NL, truth_NL) == 1.0
    low, high = ranking.area_interval(scores_NL, truth_NL)
    assert low < 0.5
    assert high == 1.0


def test_average_precision_is_that_of_another_implementation(scored):
    scores_NL, truth_NL = scored
    for label in range(3):
        expected = average_precision_score(truth_NL[:, label], scores_NL[:, label])
        assert ranking.average_precision(scores_NL[:, label], truth_NL[:, label]) == pytest.approx(expected, abs=1e-12)
    assert ranking.average_precision(np.ones(3), np.zeros(3)) is None


def test_curves_run_from_corner_to_corner_through_true_points(scored):
    scores_NL, truth_NL = scored
    roc, precision_recall, _ = ranking.curves(scores_NL, truth_NL, ["a", "b", "c"])
    assert [curve.label for curve in roc] == ["a", "b", "c"]
    for label, (curve, other) in enumerate(zip(roc, precision_recall, strict=True)):
        false, found, score = roc_curve(truth_NL[:, label], scores_NL[:, label], drop_intermediate=False)
        assert _points(curve.false_positive_rate, curve.true_positive_rate) <= _points(false, found)
        assert (curve.false_positive_rate[0], curve.true_positive_rate[0]) == (0.0, 0.0)
        assert (curve.false_positive_rate[-1], curve.true_positive_rate[-1]) == (1.0, 1.0)
        assert curve.score[0] > score[1]
        assert len(curve.score) <= ranking.NUM_POINTS + 1
        assert curve.area == pytest.approx(roc_auc_score(truth_NL[:, label], scores_NL[:, label]))
        precision, recall, _ = precision_recall_curve(truth_NL[:, label], scores_NL[:, label])
        assert _points(other.recall, other.precision) <= _points(recall, precision)


def test_scores_that_are_probabilities_are_calibrated_and_boasting_ones_are_not():
    random = np.random.default_rng(2)
    chance_N = random.random(40_000)
    truth_N = (random.random(40_000) < chance_N).astype(np.int64)
    truth_NL = np.stack([truth_N, 1 - truth_N], axis=1)
    honest = np.stack([chance_N, 1 - chance_N], axis=1)
    boasting = np.where(honest > 0.5, 0.99, 0.01)
    _, _, (calibrated, _) = ranking.curves(honest, truth_NL, ["yes", "no"])
    _, _, (overconfident, _) = ranking.curves(boasting, truth_NL, ["yes", "no"])
    assert calibrated.error < 0.01
    assert overconfident.error == pytest.approx(0.24, abs=0.01), "0.99 claimed, three in four right"
    assert sum(each.count for each in calibrated.bins) == 40_000
    assert all(each.low <= each.mean_score <= each.high for each in calibrated.bins)


def test_only_the_commonest_labels_are_drawn():
    random = np.random.default_rng(3)
    targets = np.minimum(random.geometric(0.1, 3000) - 1, 39)
    scores_NL = random.dirichlet(np.ones(40), 3000)
    names = [f"class {number}" for number in range(40)]
    roc, precision_recall, calibration = ranking.curves(scores_NL, np.eye(40, dtype=int)[targets], names)
    assert len(roc) == len(precision_recall) == len(calibration) == ranking.NUM_CURVES
    commonest = np.argsort(-np.bincount(targets, minlength=40), kind="stable")[: ranking.NUM_CURVES]
    assert {curve.label for curve in roc} == {names[place] for place in commonest}


def test_drawing_cells_of_the_confusion_is_drawing_items(monkeypatch):
    random = np.random.default_rng(4)
    targets = random.integers(0, 3, 5000)
    scores_NL = random.dirichlet([1, 1, 1], 5000) + 0.4 * np.eye(3)[targets]
    answers = of_labels.Answers.of(scores_NL / scores_NL.sum(axis=1, keepdims=True), targets)
    by_items = of_labels.intervals(answers)
    monkeypatch.setattr(of_labels, "GROUPED_FROM", 100)
    by_cells = of_labels.intervals(answers)
    assert by_cells.keys() == by_items.keys()
    assert by_cells["accuracy"] == by_items["accuracy"]
    for name, interval in by_items.items():
        assert by_cells[name] == pytest.approx(interval, abs=0.003), name


def test_confusion_counts_truth_by_answer():
    random = np.random.default_rng(5)
    targets, scores_NL = random.integers(0, 4, 500), random.random((500, 4))
    answers = of_labels.Answers.of(scores_NL, targets)
    expected = confusion_matrix(targets, scores_NL.argmax(axis=1), labels=range(4))
    np.testing.assert_array_equal(answers.confusion(), expected)

"""From distances to scores, and what is known of false alarms and of defects."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import beta

from automl.contracts.dataset import Split
from engine.data.version import DatasetVersion
from engine.tasks.anomaly_detection import calibration, check, data, example, metrics

LABELS = ("defect", "normal")


def maps(*scores: float) -> np.ndarray:
    """A map a picture, whose largest place is its score."""
    return np.array(scores)[:, None, None] * np.array([[0.1, 1.0], [0.5, 0.0]])


@pytest.mark.parametrize("rate", [0.05, 0.1])
def test_the_next_normal_picture_is_a_false_alarm_no_more_often_than_promised(rate):
    generator = np.random.default_rng(0)
    distances = generator.gamma(3.0, size=(2_000, 41))
    limits = np.array([calibration.limit_distance(row[:40], rate) for row in distances])
    false_alarms = (distances[:, 40] >= limits).mean()
    promised = np.floor(41 * rate) / 41
    assert false_alarms == pytest.approx(promised, abs=3.5 * np.sqrt(rate / 2_000))


def test_too_few_normal_pictures_put_the_limit_above_their_largest():
    assert calibration.fewest_normal(0.05) == 19
    assert calibration.fewest_normal(0.01) == 99
    assert calibration.limit_distance(np.array([1.0, 2.0, 3.0]), 0.01) == pytest.approx(3.0, rel=1e-2)
    assert calibration.limit_distance(np.array([1.0, 2.0, 3.0]), 0.01) > 3.0
    assert calibration.limit_distance(np.array([0.0]), 0.1) > 0.0


@pytest.mark.parametrize(("hits", "number"), [(0, 12), (12, 12), (3, 40), (199, 200)])
def test_intervals_of_shares_are_exact(hits, number):
    low, high = calibration.share_interval(hits, number)
    assert low == pytest.approx(beta.ppf(0.025, hits, number - hits + 1) if hits else 0.0, abs=1e-6)
    assert high == pytest.approx(beta.ppf(0.975, hits + 1, number - hits) if hits < number else 1.0, abs=1e-6)


def test_scores_rise_so_that_the_middle_normal_picture_has_a_tenth():
    distances = np.linspace(0.5, 1.0, 41)
    curve = calibration.curve_of(distances, {"false_alarms": "0.05"})
    middle = 1 / (1 + (curve.limit / 0.75) ** curve.steepness)
    assert middle == pytest.approx(0.1, abs=1e-6)


def test_without_defects_nothing_is_claimed_of_them():
    found = metrics.metrics(maps(0.1, 0.2, 0.7), np.array([1, 1, 1]), LABELS)
    assert found == {"normal_passed": pytest.approx(2 / 3)}


def test_the_label_of_defects_may_stand_first():
    found = metrics.metrics(maps(0.9, 0.2, 0.4, 0.3), np.array([0, 0, 1, 1]), LABELS)
    assert found == {"auroc": 0.5, "defects_found": 0.5, "normal_passed": 1.0}


def test_false_alarms_below_all_found_defects_are_left_out_where_five_are_known():
    scores, targets = (0.6, 0.2, 0.8, 0.85, 0.9, 0.95, 0.99), np.array([1, 1, 0, 0, 0, 0, 0])
    assert metrics.recommended_thresholds(maps(*scores), targets, LABELS) == {"defect": 0.7, "normal": 0.3}
    few = metrics.recommended_thresholds(maps(*scores[:6]), targets[:6], LABELS)
    assert few == {"defect": 0.5, "normal": 0.5}


def test_a_report_keeps_maps_distributions_and_both_labels(tmp_path):
    manifest = example.write(tmp_path / "data", num_items=20, side_px=32)
    records = DatasetVersion.open(tmp_path / "data").records()
    labels = manifest.label_set.names
    targets = data.targets(records, labels, manifest.task_options)
    right, _ = example.answers(targets, labels)
    report = metrics.split_report(Split.TEST, records, right, targets, labels=labels, thresholds={"normal": 0.5, "defect": 0.5})
    assert report.metrics == {"auroc": 1.0, "defects_found": 1.0, "normal_passed": 1.0}
    assert [sum(each.counts) for each in report.score_distribution] == np.bincount(targets).tolist()
    assert [each.is_normal for each in report.score_distribution] == [True, False]
    assert [curve.label for curve in report.roc] == ["defect"]
    assert all(item.prediction[0].label == item.truth[0].label for item in report.items)
    assert all(item.prediction[0].heat_map is not None for item in report.items)
    assert np.array(report.confusion).trace() == 20


def test_a_project_without_defects_needs_none(tmp_path):
    manifest = example.write(tmp_path / "data", num_items=60, side_px=32, defects="none")
    records = DatasetVersion.open(tmp_path / "data").records()
    codes = {problem.code for problem in check.problems(records, manifest.label_set, manifest.task_options)}
    assert codes == {"test_few"}

"""Metrics and reports of answers that are known."""

from __future__ import annotations

import numpy as np
import pytest

from automl.contracts.annotation import IGNORED_LABEL
from automl.contracts.dataset import Split
from automl.contracts.task import OutputKind
from engine.answers import answer_kind
from engine.tasks.semantic_segmentation import data, loss, metrics
from engine.tasks.semantic_segmentation.counts import counted
from engine.tasks.semantic_segmentation.raster import map_of
from runtime.run_lengths import pixels_of, runs_unpack
from tests.engine.segmentation.test_truth import LABELS, mask_of, record_of

SURE = 0.9


def _planes(rows, sure=SURE):
    """Planes of indices written as rows of ``.``, ``c`` and ``d``."""
    labels_HW = np.array([[{".": -1, "c": 0, "d": 1}[letter] for letter in row] for row in rows], dtype=np.float32)
    return np.stack([labels_HW, np.full_like(labels_HW, sure)])


def _records(*pictures):
    """Items whose truth is written in the same way."""
    records = []
    for number, rows in enumerate(pictures):
        labels_HW = _planes(rows)[0]
        shapes = [mask_of(name, labels_HW == index) for index, name in enumerate(LABELS) if (labels_HW == index).any()]
        height, width = labels_HW.shape
        records.append(record_of(*shapes, width=width, height=height, number=number))
    return records


TRUTH = ("cc..", "cc..", "..dd"), ("....", "....", "....")
SAID = ("ccc.", "c...", "..dd"), ("....", "....", "...d")


@pytest.fixture
def judged():
    records = _records(*TRUTH)
    return records, np.stack([_planes(rows) for rows in SAID]), data.targets(records, LABELS, {})


def test_metrics_by_hand(judged):
    _, planes, targets = judged
    found = metrics.metrics(planes, targets, LABELS)
    # cats: 3 of 4 found and 1 too much; dogs: 2 of 2 and 1 too much
    assert found["miou"] == pytest.approx((3 / 5 + 2 / 3) / 2)
    assert found["dice"] == pytest.approx((6 / 8 + 4 / 5) / 2)
    assert found["pixel_accuracy"] == pytest.approx(21 / 24)


def test_a_label_that_does_not_occur_counts_nowhere_but_in_the_accuracy():
    records = _records(("cc", "c."), ("cc", "cc"))
    planes = np.stack([_planes(("cc", "cd")), _planes(("cc", "cc"))])
    found = metrics.metrics(planes, data.targets(records, LABELS, {}), LABELS)
    assert found["miou"] == 1.0
    assert found["pixel_accuracy"] == pytest.approx(7 / 8)


def test_outlines_may_lie_a_little_beside_the_true_ones():
    def square(left):
        return ["".join("c" if left <= x < left + 200 and 100 <= y < 300 else "." for x in range(400)) for y in range(400)]

    targets = data.targets(_records(square(100)), LABELS, {})
    near, far = (metrics.metrics(_planes(square(left))[None], targets, LABELS)["boundary_f1"] for left in (104, 120))
    assert near == 1.0
    assert 0.4 < far < 0.6, "what lies above and below still fits"


def test_thresholds_leave_out_pixels_that_the_model_is_not_sure_of():
    records = _records(("cc..", "cc..", "...."))
    planes = _planes(("cccc", "cccc", "...."))
    planes[1] = np.where(np.arange(4) < 2, 0.8, 0.4)
    targets = data.targets(records, LABELS, {})
    limits = metrics.recommended_thresholds(planes[None], targets, LABELS)
    assert 0.4 < limits["cat"] <= 0.8
    assert limits["dog"] == 0.0
    assert metrics.metrics(planes[None], targets, LABELS)["miou"] == 1.0
    counts = counted(planes[None], targets, np.zeros(2))
    assert counts.predicted_NL[0].tolist() == [8, 0]


def test_report_says_of_each_picture_what_the_runtime_answers(judged):
    records, planes, targets = judged
    limits = dict.fromkeys(LABELS, 0.5)
    report = metrics.split_report(Split.TEST, records, planes, targets, labels=LABELS, thresholds=limits)
    assert report.metrics == metrics.metrics(planes, targets, LABELS)
    assert [(one.support, one.recall) for one in report.per_class] == [(1, 0.75), (1, 1.0)]
    assert report.per_class[1].intersection_over_union == pytest.approx(2 / 3)
    assert all(low <= report.metrics[name] <= high for name, (low, high) in report.intervals.items())
    assert all(high - low > 0.5 for low, high in report.intervals.values()), "two pictures say little, however many pixels"
    first, second = report.items
    assert [(mask.label, mask.score) for mask in first.prediction] == [("cat", SURE), ("dog", SURE)]
    pixels = pixels_of(runs_unpack(first.prediction[0].counts), width=4, height=3)
    np.testing.assert_array_equal(pixels != 0, planes[0, 0] == 0)
    assert first.truth == records[0].annotations
    assert first.loss == pytest.approx(1 - (6 / 8 + 1) / 2)
    assert second.loss == 1.0, "nothing is there, and something was said"
    outcomes = metrics.outcomes(report, planes, targets, labels=LABELS, thresholds=limits)
    assert outcomes.values_N.tolist() == pytest.approx([1 - first.loss, 0.0])


def test_planes_of_another_size_and_in_half_precision_are_judged_alike(judged):
    _, planes, targets = judged
    large = planes.repeat(3, axis=2).repeat(5, axis=3)
    assert metrics.metrics(large.astype(np.float16), targets, LABELS) == metrics.metrics(planes, targets, LABELS)


def test_golden_form_keeps_labels_with_a_pixel_and_their_mean_score():
    golden = answer_kind(OutputKind.MASK).golden(_planes((".d", "dd")))["mask"]
    ((index, counts, score),) = golden["segments"]
    assert (golden["height"], golden["width"], index) == (2, 2, 1)
    assert score == pytest.approx(SURE)
    assert pixels_of(runs_unpack(counts), width=2, height=2).tolist() == [[0, 1], [1, 1]]


def test_pixels_that_do_not_count_are_left_out_of_all_metrics():
    is_marked_HW = np.zeros((8, 8), dtype=bool)
    is_marked_HW[:, 4:] = True
    truth_HW = np.zeros((8, 8), dtype=bool)
    truth_HW[2:] = True
    record = record_of(mask_of("cat", truth_HW), mask_of(IGNORED_LABEL, is_marked_HW), width=8, height=8)
    answer_HW = np.where(truth_HW, 0, -1)
    answer_HW[:, 4:] = 1
    planes = np.stack([answer_HW, np.full((8, 8), SURE)])[None].astype(np.float32)
    targets = data.targets([record], LABELS, {})
    assert metrics.metrics(planes, targets, LABELS) == {"miou": 1, "dice": 1, "boundary_f1": 1, "pixel_accuracy": 1}
    counts = counted(planes, targets, np.zeros(2))
    assert (counts.num_pixels_N[0], counts.there_NL[0, 0], counts.predicted_NL[0, 1]) == (32, 24, 0)
    assert counts.edge_there_NL[0, 0] == 4, "where cats end at what does not count is no outline"
    assert loss.label_weights(targets, 2).tolist() == pytest.approx([np.sqrt(2), np.sqrt(2 / 3), 1.0], rel=1e-6)
    old = data.targets([record], (*LABELS, IGNORED_LABEL), {})
    assert (map_of(old[0])[:, 4:] == 2).all(), "of a set that has the label it stays one"

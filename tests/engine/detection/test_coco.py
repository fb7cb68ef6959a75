"""The evaluator against pycocotools, on random sets."""

from __future__ import annotations

import contextlib
import io

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pycocotools.coco import COCO
from pycocotools.cocoeval import COCOeval

from automl.contracts.annotation import Box
from automl.contracts.dataset import ItemRecord, MediaFacts, Split
from automl.contracts.report import SplitReport
from engine.tasks.object_detection import metrics
from engine.tasks.shared import coco

_WIDTH, _HEIGHT = 400, 300


def _random(seed, *, num_items, num_labels, num_boxes, num_detected, grid):
    """Targets and detections; some of the detections are near a true box, scores and corners fall on a grid for ties."""
    rng = np.random.default_rng(seed)
    targets = np.full((num_items, max(1, num_boxes), 5), -1.0)
    detections = np.zeros((num_items, max(1, num_detected), 6))
    detections[..., 5] = -1
    for item in range(num_items):
        for row in range(rng.integers(0, num_boxes + 1)):
            corner, size = rng.integers(0, grid, 2) / grid * 0.6, (1 + rng.integers(0, grid, 2)) / grid * 0.4
            targets[item, row] = (*corner, *(corner + size), rng.integers(num_labels))
        true = targets[item][targets[item, :, 4] >= 0]
        for row in range(rng.integers(0, num_detected + 1)):
            if len(true) and rng.random() < 0.7:
                left, top, right, bottom, label = true[rng.integers(len(true))]
                shift = rng.integers(-2, 3, 4) / grid * 0.2
                box = np.array([left, top, right - left, bottom - top]) + shift
            else:
                box, label = rng.integers(0, grid, 4) / grid * 0.5, rng.integers(num_labels)
            box[2:] = np.maximum(box[2:], 0.02)
            detections[item, row] = (*box, rng.integers(1, 8) / 8, label)
    return detections, targets


def _official(detections, targets, num_labels):
    """pycocotools' numbers: AP, AP50, AP75, small, medium, large."""
    scale = np.array([_WIDTH, _HEIGHT, _WIDTH, _HEIGHT], dtype=np.float64)
    images = [{"id": item + 1, "width": _WIDTH, "height": _HEIGHT} for item in range(len(targets))]
    true, detected = [], []
    for item, rows in enumerate(targets):
        for row in rows[rows[:, 4] >= 0]:
            corners = row[:4] * scale
            box = [*corners[:2], *(corners[2:] - corners[:2])]
            entry = {"image_id": item + 1, "category_id": int(row[4]) + 1, "bbox": box, "area": box[2] * box[3], "iscrowd": 0}
            true.append({"id": len(true) + 1, **entry})
    for item, rows in enumerate(detections):
        for row in rows[rows[:, 5] >= 0]:
            box = list(row[:4] * scale)
            detected.append({"image_id": item + 1, "category_id": int(row[5]) + 1, "bbox": box, "score": float(row[4])})
    with contextlib.redirect_stdout(io.StringIO()):
        truth = COCO()
        truth.dataset = {"images": images, "annotations": true, "categories": [{"id": i + 1} for i in range(num_labels)]}
        truth.createIndex()
        judge = COCOeval(truth, truth.loadRes(detected) if detected else COCO(), "bbox")
        if not detected:
            judge.cocoDt.dataset = {"images": images, "annotations": [], "categories": truth.dataset["categories"]}
            judge.cocoDt.createIndex()
        judge.evaluate()
        judge.accumulate()
        judge.summarize()
    return judge.stats[:6]


def _ours(detections, targets, num_labels):
    labels = [str(number) for number in range(num_labels)]
    sizes = np.tile([_WIDTH, _HEIGHT], (len(targets), 1))
    by_label = metrics.ranked(detections, targets, num_labels, sizes_N2=sizes)
    values = {
        name: coco.mean([one.average_precision(at)[0] for one in by_label for at in places])
        for name, places in (("ap", range(10)), ("ap50", (0,)), ("ap75", (5,)))
    }
    by_size = metrics.size_metrics(detections, targets, labels, sizes)
    return values | {f"ap_{one.size}": one.average_precision for one in by_size}


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 2**31),
    num_items=st.integers(1, 5),
    num_labels=st.integers(1, 3),
    num_boxes=st.sampled_from([0, 1, 3, 12]),
    num_detected=st.sampled_from([0, 1, 5, 30]),
    grid=st.sampled_from([4, 10, 1000]),
)
def test_equal_to_pycocotools(seed, num_items, num_labels, num_boxes, num_detected, grid):
    detections, targets = _random(
        seed, num_items=num_items, num_labels=num_labels, num_boxes=num_boxes, num_detected=num_detected, grid=grid
    )
    official = _official(detections, targets, num_labels)
    ours = _ours(detections, targets, num_labels)
    for name, value in zip(("ap", "ap50", "ap75", "ap_small", "ap_medium", "ap_large"), official, strict=True):
        if value == -1:  # nothing to find
            assert ours.get(name, 0.0) == 0.0
        else:
            assert ours[name] == pytest.approx(value, abs=1e-6)


def test_a_picture_that_counts_twice_is_a_picture_twice():
    detections, targets = _random(4, num_items=6, num_labels=1, num_boxes=4, num_detected=10, grid=1000)
    twice = np.array([0, 1, 1, 3, 4, 5])
    weights = np.bincount(twice, minlength=6).astype(float)[None]
    (weighted,) = metrics.ranked(detections, targets, 1)
    (repeated,) = metrics.ranked(detections[twice], targets[twice], 1)
    for at in range(10):
        assert weighted.average_precision(at, weights)[0] == pytest.approx(repeated.average_precision(at)[0], abs=1e-9)


def test_report_says_how_each_size_fares_as_pycocotools_does():
    detections, targets = _random(7, num_items=5, num_labels=2, num_boxes=12, num_detected=30, grid=1000)
    records = [
        ItemRecord(
            item=f"itm_{number:026d}",
            name=f"{number}.png",
            blob=f"{number:064x}",
            media=MediaFacts(width=_WIDTH, height=_HEIGHT, format="png", size_bytes=9),
            split=Split.TEST,
            group=str(number),
            annotations=tuple(
                Box(label="ab"[int(label)], x=x * _WIDTH, y=y * _HEIGHT, width=(right - x) * _WIDTH, height=(low - y) * _HEIGHT)
                for x, y, right, low, label in rows
                if label >= 0
            ),
            provenance="test",
        )
        for number, rows in enumerate(targets)
    ]
    report = metrics.split_report(Split.TEST, records, detections, targets, labels=("a", "b"), thresholds={"a": 0.5, "b": 0.5})
    assert [one.size for one in report.per_size] == ["small", "medium", "large"]
    sides_px = (targets[..., 2:4] - targets[..., :2]) * (_WIDTH, _HEIGHT)
    is_small = (targets[..., 4] >= 0) & (sides_px.prod(axis=-1) <= 32**2)
    assert report.per_size[0].support == is_small.sum()
    found = [one.average_precision for one in report.per_size]
    assert found == pytest.approx(list(_official(detections, targets, 2)[3:]), abs=1e-6)
    assert len(set(found)) == 3
    assert SplitReport.model_validate_json(report.model_dump_json()) == report
    without = {name: value for name, value in report.model_dump(mode="json").items() if name != "per_size"}
    assert SplitReport.model_validate(without).per_size == (), "a report of an earlier version"

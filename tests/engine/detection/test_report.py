"""Targets, metrics and reports of detections that are known."""

from __future__ import annotations

import io
import json
import zipfile

import numpy as np
import pytest
from PIL import Image

from automl.contracts.annotation import Box
from automl.contracts.dataset import ItemRecord, MediaFacts, Split
from engine.data.version import DatasetVersion
from engine.errors import DataInvalidError
from engine.tasks.object_detection import data, metrics, quickstart, scenes
from engine.tasks.shared.coco_zip import ANNOTATIONS_FILE

LABELS = ("cat", "dog")


def _record(number, *boxes):
    digest = f"{number:064x}"
    return ItemRecord(
        item=f"itm_{number:026d}",
        name=f"{number}.png",
        blob=digest,
        media=MediaFacts(width=100, height=50, format="png", size_bytes=9),
        split=Split.TEST,
        group=digest,
        annotations=boxes,
        provenance="test",
    )


def _box(label, x, y, width, height):
    return Box(label=label, x=x, y=y, width=width, height=height)


RECORDS = [
    _record(0, _box("cat", 0, 0, 50, 25), _box("dog", 60, 10, 20, 20)),
    _record(1),
    _record(2, _box("cat", 90, 40, 30, 30)),
]


def _detections(*rows_by_item):
    found = np.zeros((len(rows_by_item), 100, 6), dtype=np.float32)
    found[..., 5] = -1
    for item, rows in enumerate(rows_by_item):
        for row, values in enumerate(rows):
            found[item, row] = values
    return found


def test_targets_are_fractions_cut_at_the_edge_and_padded():
    targets = data.targets(RECORDS, LABELS, {})
    assert targets.shape == (3, 2, 5)
    assert targets[0, 0].tolist() == pytest.approx([0, 0, 0.5, 0.5, 0])
    assert targets[2, 0].tolist() == pytest.approx([0.9, 0.8, 1, 1, 0])
    assert (targets[1, :, 4] == -1).all()
    assert data.targets(RECORDS[1:2], LABELS, {}).shape == (1, 1, 5)
    with pytest.raises(DataInvalidError) as caught:
        data.targets(RECORDS, ("cat",), {})
    assert caught.value.items == (RECORDS[0].item,)


def test_report_says_what_was_found_missed_and_made_up():
    targets = data.targets(RECORDS, LABELS, {})
    detections = _detections(
        [(0, 0, 0.5, 0.5, 0.9, 0), (0.6, 0.2, 0.2, 0.4, 0.3, 1), (0, 0, 0.45, 0.5, 0.2, 0)],
        [(0.1, 0.1, 0.2, 0.2, 0.7, 0)],
        [],
    )
    thresholds = {"cat": 0.5, "dog": 0.5}
    report = metrics.split_report(Split.TEST, RECORDS, detections, targets, labels=LABELS, thresholds=thresholds)
    cat, dog = report.per_class
    assert (cat.precision, cat.recall, cat.support) == (0.5, 0.5, 2)
    assert (dog.precision, dog.recall, dog.average_precision) == (0.0, 0.0, 1.0)
    assert report.metrics["precision"] == 0.5
    assert report.metrics["recall"] == pytest.approx(1 / 3)
    first, negative, missed = report.items
    assert first.matches == ((0, 0),)
    assert [box.score for box in first.prediction] == pytest.approx([0.9, 0.3, 0.2])
    assert first.prediction[1].x == pytest.approx(60)
    assert first.prediction[1].height == pytest.approx(20)
    assert [item.loss for item in (first, negative, missed)] == [1, 1, 1]
    for name, (low, high) in report.intervals.items():
        assert 0 <= low <= high <= 1, name
    curve = report.precision_recall[0]
    assert list(curve.score) == sorted(curve.score, reverse=True)
    assert curve.recall[0] == 0.5
    assert curve.precision == pytest.approx((1.0, 0.5, 1 / 3))


def test_confusion_counts_objects_by_label_and_what_was_missed_or_made_up():
    """Two dogs over the first cat, a cat where nothing is, the dog found with too low a score, the last cat found."""
    targets = data.targets(RECORDS, LABELS, {})
    detections = _detections(
        [(0, 0, 0.5, 0.5, 0.9, 1), (0, 0, 0.5, 0.45, 0.8, 1), (0.6, 0.2, 0.2, 0.4, 0.3, 1)],
        [(0.1, 0.1, 0.2, 0.2, 0.7, 0)],
        [(0.9, 0.8, 0.1, 0.2, 0.6, 0)],
    )
    thresholds = {"cat": 0.5, "dog": 0.5}
    report = metrics.split_report(Split.TEST, RECORDS, detections, targets, labels=LABELS, thresholds=thresholds)
    assert report.items[0].mistaken == ((0, 0),)
    assert report.object_confusion == ((1, 1, 0), (0, 0, 1), (1, 1, 0))


def test_curve_shows_the_threshold_s_own_point_among_thousands_of_boxes_that_are_hardly_meant():
    generator = np.random.default_rng(3)
    records = [_record(number, _box("cat", 0, 0, 50, 25), _box("cat", 60, 10, 20, 20)) for number in range(40)]
    rows = []
    for _ in records:
        found = [(0, 0, 0.5, 0.5, generator.uniform(0.3, 1), 0), (0.6, 0.2, 0.2, 0.4, generator.uniform(0.3, 1), 0)]
        rows.append(found + [(0.3, 0.3, 0.1, 0.1, score, 0) for score in generator.beta(1, 9, size=98)])
    detections, targets = _detections(*rows), data.targets(records, LABELS, {})
    thresholds = {"cat": 0.7, "dog": 0.5}
    report = metrics.split_report(Split.TEST, records, detections, targets, labels=LABELS, thresholds=thresholds)
    curve, cat = report.precision_recall[0], report.per_class[0]
    assert len(curve.score) <= 203
    at = max(place for place, score in enumerate(curve.score) if score >= thresholds["cat"])
    assert (curve.precision[at], curve.recall[at]) == pytest.approx((cat.precision, cat.recall))
    assert 0.2 < cat.recall < 0.9
    assert max(np.diff(curve.recall, prepend=0.0)) < 0.03
    assert report.precision_recall[1].score == ()


def test_recommended_threshold_leaves_the_false_ones_out():
    targets = data.targets(RECORDS, LABELS, {})
    detections = _detections([(0, 0, 0.5, 0.5, 0.8, 0)], [(0.1, 0.1, 0.2, 0.2, 0.4, 0)], [(0.9, 0.8, 0.1, 0.2, 0.7, 0)])
    thresholds = metrics.recommended_thresholds(detections, targets, LABELS)
    assert thresholds == pytest.approx({"cat": 0.55, "dog": 0.5})


@pytest.mark.parametrize("level", list(scenes.LEVELS))
def test_scenes_are_repeatable_and_the_held_out_side_has_stamps_of_its_own(level, scene_store, tmp_path):
    numbers = {"level": level, "num_train": 3, "num_validation": 2, "num_test": 2, "side_px": 96}
    first = scenes.write(tmp_path / "one", scene_store, **numbers)
    assert first == scenes.write(tmp_path / "two", scene_store, **numbers)
    records = DatasetVersion.open(tmp_path / "one").records()
    assert [record.split for record in records].count(Split.TEST) == 2
    boxes = [(record, box) for record in records for box in record.annotations]
    assert boxes
    for record, box in boxes:
        assert box.label in scenes.LABELS
        assert 0 <= box.x < box.x + box.width <= record.media.width
        assert 0 <= box.y < box.y + box.height <= record.media.height
    own, held_out = (scenes.material(scene_store, is_held_out=side) for side in (False, True))
    assert [len(cutouts) for cutouts in own.cutouts.values()] == [3] * 6
    assert [len(cutouts) for cutouts in held_out.cutouts.values()] == [1] * 6


def test_quick_start_is_an_upload_of_pictures_with_boxes(scene_store, tmp_path):
    for name in ("one.zip", "two.zip"):
        quickstart.write_zip(tmp_path / name, scene_store, num_pictures=13)
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()
    with zipfile.ZipFile(tmp_path / "one.zip") as archive:
        document = json.loads(archive.read(ANNOTATIONS_FILE))
        for image in document["images"]:
            with Image.open(io.BytesIO(archive.read(image["file_name"]))) as picture:
                assert picture.size == (image["width"], image["height"])
    shown = {entry["image_id"] for entry in document["annotations"]}
    assert 12 not in shown, "the twelfth is a negative"
    assert len(shown) >= 10

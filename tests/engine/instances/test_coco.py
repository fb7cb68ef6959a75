"""Masks are judged as pycocotools judges them, on random sets."""

from __future__ import annotations

import contextlib
import io

import cv2
import numpy as np
import pytest
from pycocotools import mask as official
from pycocotools.coco import COCO
from pycocotools.cocoeval import COCOeval

from automl.contracts.annotation import Mask
from automl.contracts.dataset import ItemRecord, MediaFacts, Split
from engine.tasks.instance_segmentation import metrics
from engine.tasks.instance_segmentation.truth import TrueObject, Truth, runs_of, unpacked
from runtime.answers.instances import part_of

WIDTH, HEIGHT, SIDE, LABELS = 160, 120, 28, ("a", "b")


class _Picture:
    width_px, height_px = WIDTH, HEIGHT


def _blob(rng):
    cells = cv2.GaussianBlur(rng.normal(0, 1, (SIDE, SIDE)).astype(np.float32), (0, 0), 4)
    return 1 / (1 + np.exp(-8 * (cells / cells.std() + 0.7)))


def _random(seed, num_items=6):
    """Answers, some of them near a true object, and the truth."""
    rng = np.random.default_rng(seed)
    instances, truths = np.zeros((num_items, 12, 6 + SIDE**2), np.float32), []
    instances[..., 5] = -1
    for rows in instances:
        objects = []
        for row in range(rng.integers(0, 8)):
            box = np.concatenate([rng.uniform(0, 0.6, 2), rng.uniform(0.05, 0.8, 2)])
            label, blob = int(rng.integers(2)), _blob(rng)
            rows[row] = np.concatenate([box, [rng.integers(1, 8) / 8, label], blob.ravel()])
            if rng.random() < 0.8:
                shift = rng.normal(0, 0.03, 4) * (rng.random() < 0.7)
                part = part_of(np.concatenate([box + shift, [1, label], blob.ravel()]).astype(np.float32), _Picture)
                ys, xs = np.nonzero(part.is_inside_hw)
                inside = part.is_inside_hw[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1]
                objects.append(TrueObject(label, part.left + int(xs.min()), part.top + int(ys.min()), inside))
        order = np.argsort(-rows[:, 4], kind="stable")
        rows[:] = rows[order]
        truths.append(Truth(HEIGHT, WIDTH, tuple(objects)))
    return instances, truths


def _encoded(left, top, inside):
    whole = np.zeros((HEIGHT, WIDTH), np.uint8)
    whole[top : top + inside.shape[0], left : left + inside.shape[1]] = inside
    return official.encode(np.asfortranarray(whole))


def _mask(one):
    counts = _encoded(one.left, one.top, one.is_inside_HW)["counts"].decode()
    return Mask(label=LABELS[one.label], width=WIDTH, height=HEIGHT, counts=counts)


def _official(instances, truths):
    """pycocotools' numbers: AP, AP50, AP75, small, medium, large."""
    images = [{"id": item + 1, "width": WIDTH, "height": HEIGHT} for item in range(len(truths))]
    true, found = [], []
    for item, (truth, rows) in enumerate(zip(truths, instances, strict=True), start=1):
        for one in truth.objects:
            runs = _encoded(one.left, one.top, one.is_inside_HW)
            entry = {"image_id": item, "category_id": one.label + 1, "segmentation": runs, "area": int(official.area(runs))}
            box = official.toBbox(runs).tolist()
            true.append({"id": len(true) + 1, **entry, "bbox": box, "iscrowd": 0})
        for row in rows[rows[:, 5] >= 0]:
            runs = _encoded(*part_of(row, _Picture))
            found.append({"image_id": item, "category_id": int(row[5]) + 1, "segmentation": runs, "score": float(row[4])})
    with contextlib.redirect_stdout(io.StringIO()):
        dataset = COCO()
        dataset.dataset = {"images": images, "annotations": true, "categories": [{"id": 1}, {"id": 2}]}
        dataset.createIndex()
        judge = COCOeval(dataset, dataset.loadRes(found), "segm")
        judge.evaluate()
        judge.accumulate()
        judge.summarize()
    return judge.stats[:6]


@pytest.mark.parametrize("seed", range(4))
def test_equal_to_pycocotools(seed):
    instances, truths = _random(seed)
    targets = runs_of(truths)
    media = MediaFacts(width=WIDTH, height=HEIGHT, format="png", size_bytes=1)
    records = [
        ItemRecord(
            item=f"itm_{number:026x}",
            name=str(number),
            blob="0" * 64,
            media=media,
            split=Split.TEST,
            group="g",
            annotations=tuple(_mask(one) for one in truth.objects),
            provenance="test",
        )
        for number, truth in enumerate(truths)
    ]
    thresholds = dict.fromkeys(LABELS, 0.5)
    report = metrics.split_report(Split.TEST, records, instances, targets, labels=LABELS, thresholds=thresholds)
    counted = np.array(report.object_confusion)
    assert counted[:-1].sum(axis=1).tolist() == [one.support for one in report.per_class]
    ours = [report.metrics[name] for name in ("ap", "ap50", "ap75")]
    sizes = {one.size: one.average_precision for one in report.per_size}
    expected = _official(instances, truths)
    assert expected[1] > 0.1
    np.testing.assert_allclose(ours, expected[:3], atol=1e-6)
    np.testing.assert_allclose([sizes.get(name, -1) for name in ("small", "medium", "large")], expected[3:], atol=1e-6)


def test_truth_comes_back_as_it_was_packed():
    _, truths = _random(3)
    for packed, truth in zip(runs_of(truths), truths, strict=True):
        again = unpacked(packed)
        assert (again.height, again.width, len(again.objects)) == (HEIGHT, WIDTH, len(truth.objects))
        for one, other in zip(again.objects, truth.objects, strict=True):
            assert (one.label, one.left, one.top) == (other.label, other.left, other.top)
            np.testing.assert_array_equal(one.is_inside_HW, other.is_inside_HW)

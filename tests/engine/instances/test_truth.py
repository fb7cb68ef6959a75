"""Objects as they are drawn, varied and laid over pictures."""

from __future__ import annotations

import json
import zipfile
from types import SimpleNamespace

import numpy as np
import pytest
import torch

from automl.contracts.annotation import Mask, Polygon
from automl.contracts.dataset import ItemRecord, MediaFacts, Split
from engine.tasks.instance_segmentation import data, quickstart
from engine.tasks.instance_segmentation.augment import MASK_SIDE, Augmenter
from engine.tasks.instance_segmentation.truth import annotations_of, truth_of
from engine.tasks.shared.coco_zip import ANNOTATIONS_FILE
from engine.tasks.shared.raster import polygon_pixels
from runtime.answers.instances import Instances, part_of
from runtime.run_lengths import counts_of, pixels_of, runs_overlap, runs_unpack

WIDTH, HEIGHT = 60, 40


class _Picture:
    width_px, height_px = 200, 150


def _record(*annotations):
    media = MediaFacts(width=WIDTH, height=HEIGHT, format="png", size_bytes=1)
    return ItemRecord(
        item="itm_" + "0" * 26,
        name="a",
        blob="0" * 64,
        media=media,
        split=Split.TRAIN,
        group="g",
        annotations=annotations,
        provenance="test",
    )


def _square(left, top, side, **more):
    points = ((left, top), (left + side, top), (left + side, top + side), (left, top + side))
    return Polygon(label="a", points=points, **more)


def test_polygons_with_one_id_are_one_object_and_masks_are_each_one():
    pixels = np.zeros((HEIGHT, WIDTH), bool)
    pixels[5:15, 40:50] = True
    mask = Mask(label="a", width=WIDTH, height=HEIGHT, counts=counts_of(pixels))
    record = _record(_square(2, 2, 6, id="x"), _square(20, 20, 8, id="x"), _square(2, 20, 4), mask, mask)
    truth = truth_of(record, {"a": 0})
    assert [(one.left, one.top, int(one.is_inside_HW.sum())) for one in truth.objects] == [
        (2, 2, 100),
        (2, 20, 16),
        (40, 5, 100),
        (40, 5, 100),
    ]
    united, *rest = annotations_of(record)
    assert united.kind == "mask"
    assert sum(runs_unpack(united.counts)[1::2]) == 100
    assert rest == [_square(2, 20, 4), mask, mask]


@pytest.mark.parametrize("policy", ["none", "light", "strong"])
def test_masks_and_boxes_follow_the_pictures_pixels(policy):
    """Pictures show their objects as white: what the varied picture shows and what its targets hold is the same."""
    side = 120
    generator = np.random.default_rng(1)
    records, pictures = [], np.zeros((8, side, side, 3), np.uint8)
    for picture in pictures:
        pixels = np.zeros((side, side), np.uint8)
        x, y, radius = generator.integers(20, 60, 3)
        rows, columns = np.mgrid[:side, :side]
        pixels[(np.hypot(columns - x, rows - y) < radius / 2) & ~((columns > x) & (rows > y))] = 1  # three quarters of a disc
        picture[pixels == 1] = 255
        media = MediaFacts(width=side, height=side, format="png", size_bytes=1)
        mask = Mask(label="a", width=side, height=side, counts=counts_of(pixels))
        records.append(_record(mask).model_copy(update={"media": media}))
    targets = torch.from_numpy(data.targets(records, ["a"], {}))
    varied, rows_BMC = Augmenter(policy)(torch.from_numpy(pictures), targets, torch.Generator().manual_seed(4))
    overlaps, picture_size = [], SimpleNamespace(width_px=side, height_px=side)
    for picture, rows in zip(varied.numpy(), rows_BMC.numpy(), strict=True):
        drawn = np.zeros((side, side), bool)
        for row in rows[rows[:, 4] >= 0]:
            box = np.concatenate([row[:2], row[2:4] - row[:2]])
            part = part_of(np.concatenate([box, [1, 0], row[5:]]).astype(np.float32), picture_size)
            high, wide = part.is_inside_hw.shape
            drawn[part.top : part.top + high, part.left : part.left + wide] |= part.is_inside_hw
        white = picture.min(axis=2) > 170
        if drawn.any():
            overlaps.append((drawn & white).sum() / (drawn | white).sum())
    assert len(overlaps) >= 6
    assert np.median(overlaps) > (0.97 if policy == "none" else 0.9)
    assert rows_BMC.shape[2] == 5 + MASK_SIDE**2


def test_outlines_fit_the_pixels_and_boxes_lie_around_them():
    side = 28
    rows, columns = np.mgrid[:side, :side]
    for number in range(5):
        generator = np.random.default_rng(number)
        far = np.hypot(columns - 13.5, (rows - 13.5) * generator.uniform(1, 2))
        cells = 1 / (1 + np.exp(far - generator.uniform(5, 13)))
        box = np.concatenate([generator.uniform(0, 0.4, 2), generator.uniform(0.3, 0.55, 2)])
        answer = np.concatenate([box, [0.9, 0], cells.ravel()]).astype(np.float32)[None]
        (found,) = Instances(["a"]).encode(answer, _Picture, top=5, threshold=None, thresholds={})
        (ring,) = found["polygons"]
        outline = polygon_pixels(Polygon(label="a", points=ring), 150, 200, (1.0, 1.0))
        assert runs_overlap(counts_of(outline), found["counts"]) > 0.99
        xs, ys = zip(*ring, strict=True)
        assert found["box"]["x"] - 0.01 <= min(xs)
        assert max(ys) <= found["box"]["y"] + found["box"]["height"] + 0.02
        (kept,) = Instances(["a"]).passing(answer, _Picture, {})
        assert kept == {key: value for key, value in found.items() if key not in {"box", "polygons"}}


def test_an_object_has_a_pixel_however_unlikely():
    answer = np.concatenate([[0.5, 0.5, 0.001, 0.001, 0.9, 0], np.full(4, 0.1)]).astype(np.float32)[None]
    (found,) = Instances(["a"]).passing(answer, _Picture, {})
    assert pixels_of(runs_unpack(found["counts"]), width=200, height=150).sum() == 1


def test_quick_start_is_an_upload_of_pictures_with_the_pixels_that_are_seen_of_each_object(scene_store, tmp_path):
    for name in ("one.zip", "two.zip"):
        quickstart.write_zip(tmp_path / name, scene_store, num_pictures=13)
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()
    with zipfile.ZipFile(tmp_path / "one.zip") as archive:
        document = json.loads(archive.read(ANNOTATIONS_FILE))
    covered = {}
    for entry in document["annotations"]:
        height, width = entry["segmentation"]["size"]
        pixels = pixels_of(runs_unpack(entry["segmentation"]["counts"]), width=width, height=height)
        left, top, wide, high = entry["bbox"]
        assert pixels.sum() == pixels[top : top + high, left : left + wide].sum() == entry["area"]
        covered[entry["image_id"]] = covered.get(entry["image_id"], 0) + pixels
    assert 12 not in covered, "the twelfth is a negative"
    assert len(covered) >= 10
    assert max(pixels.max() for pixels in covered.values()) == 1, "a pixel belongs to what is in front"

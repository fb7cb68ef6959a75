"""Mirroring where labels allow it: decided by the pictures, settable, and written down with the model."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
import torch

from automl.contracts.artefact import ArtefactManifest
from engine.data.augment import Augmenter
from engine.items import item_kind
from engine.items.image.mirror import is_label_mirrored
from engine.tasks import task_part
from engine.tasks.instance_segmentation.truth import TrueObject, Truth
from engine.tasks.instance_segmentation.truth import runs_of as instance_runs
from engine.tasks.semantic_segmentation.raster import runs_of
from tests.engine.jobs import SMALL_RESNET, events, make_job, run_here


def _arrows(number: int, *, is_upright: bool) -> tuple[np.ndarray, np.ndarray]:
    """Arrows that point one way or the other: to the left and right, or up and down."""
    generator, pictures = np.random.default_rng(0), []
    for row in range(number):
        picture_HWC = np.full((64, 64, 3), generator.integers(150, 255), dtype=np.uint8)
        at, ends = int(generator.integers(20, 44)), (10, 54) if row % 2 else (54, 10)
        start, end = (((at, y) if is_upright else (y, at)) for y in ends)
        pictures.append(cv2.arrowedLine(picture_HWC, start, end, (20, 20, 20), 5, tipLength=0.5))
    return np.stack(pictures), np.arange(number) % 2


def _arrows_at_one_height(number: int) -> tuple[np.ndarray, np.ndarray]:
    """Arrows to the left and right that differ in colour and thickness only."""
    generator, pictures = np.random.default_rng(3), []
    for row in range(number):
        picture_HWC = np.full((64, 64, 3), generator.integers(150, 255), dtype=np.uint8)
        ends = ((10, 32), (54, 32)) if row % 2 else ((54, 32), (10, 32))
        pictures.append(cv2.arrowedLine(picture_HWC, *ends, (20, 20, 20), int(generator.integers(3, 7)), tipLength=0.5))
    return np.stack(pictures), np.arange(number) % 2


def _groups(number: int) -> list[str]:
    return [f"group {place}" for place in range(number)]


def test_arrows_to_the_left_are_not_mirrored_and_those_upwards_are():
    sideways, upright = (_arrows(60, is_upright=is_upright) for is_upright in (False, True))
    assert not is_label_mirrored(*sideways, _groups(60))
    assert is_label_mirrored(*upright, _groups(60))


@pytest.mark.parametrize("number", [8, 12, 16])
def test_a_few_arrows_can_tell_and_a_few_upright_ones_forbid_nothing(number):
    assert not is_label_mirrored(*_arrows_at_one_height(number), _groups(number))
    assert is_label_mirrored(*_arrows(number, is_upright=True), _groups(number))


def test_labels_by_chance_and_few_pictures_do_not_forbid_it():
    noise = np.random.default_rng(1).integers(0, 256, (80, 32, 32, 3), dtype=np.uint8)
    assert is_label_mirrored(noise, np.arange(80) % 3, _groups(80))
    assert is_label_mirrored(*(part[:5] for part in _arrows_at_one_height(60)), _groups(5))
    few = [np.random.default_rng(seed).integers(0, 256, (10, 32, 32, 3), dtype=np.uint8) for seed in range(40)]
    assert sum(not is_label_mirrored(each, np.arange(10) % 2, _groups(10)) for each in few) <= 3


def test_copies_of_a_picture_are_no_evidence():
    pictures, targets = _arrows(60, is_upright=False)
    assert is_label_mirrored(np.concatenate([pictures] * 2), np.concatenate([np.arange(60)] * 2), _groups(60) * 2)
    assert not is_label_mirrored(np.concatenate([pictures] * 2), np.concatenate([targets] * 2), _groups(60) * 2)


def test_an_augmenter_that_may_not_mirror_differs_in_nothing_else():
    pictures_BHWC = torch.randint(0, 256, (16, 24, 24, 3), dtype=torch.uint8)
    either, never = (
        Augmenter("light", is_mirrored=flag)(pictures_BHWC, torch.Generator().manual_seed(5)) for flag in (True, False)
    )
    same = [bool(torch.equal(one, other)) for one, other in zip(either, never, strict=True)]
    turned = [bool(torch.equal(one, other.flip(1))) for one, other in zip(either, never, strict=True)]
    assert all(one or other for one, other in zip(same, turned, strict=True))
    assert any(turned)


class _Items:
    """Pictures in memory, in the order of their records."""

    def __init__(self, pictures):
        self.array = pictures

    def indices(self, records):
        return np.arange(len(records))


class _Record:
    def __init__(self, group):
        self.group = group


def _boxes(left, top, label, _side_px):
    return np.array([[left, top, left + 32, top + 32, 64 * label]], dtype=np.float32) / 64


def _runs(left, top, label, side_px):
    labels_HW = np.full((side_px, side_px), -1, dtype=np.int16)
    labels_HW[top : top + 32, left : left + 32] = label
    return runs_of([labels_HW])[0]


def _objects(left, top, label, side_px):
    one = TrueObject(label, int(left), int(top), np.ones((32, 32), dtype=bool))
    return instance_runs([Truth(side_px, side_px, (one,))])[0]


@pytest.mark.parametrize(
    ("task", "target"),
    [("object_detection", _boxes), ("semantic_segmentation", _runs), ("instance_segmentation", _objects)],
)
@pytest.mark.parametrize("is_upright", [False, True])
def test_what_carries_a_label_decides_wherever_it_lies(task, target, is_upright):
    random, scenes, targets = np.random.default_rng(2), [], []
    for picture_HWC, label in zip(*_arrows(60, is_upright=is_upright), strict=True):
        scene_HWC = random.integers(0, 256, (64, 64, 3), dtype=np.uint8)
        left, top = random.integers(0, 33, 2)
        scene_HWC[top : top + 32, left : left + 32] = cv2.resize(picture_HWC, (32, 32), interpolation=cv2.INTER_AREA)
        scenes.append(scene_HWC)
        targets.append(target(left, top, int(label), 64))
    most = max(len(each) for each in targets)
    targets = np.stack([np.pad(each, [(0, most - len(each)), *[(0, 0)] * (each.ndim - 1)]) for each in targets])
    records = [_Record(group) for group in _groups(60)]
    found = item_kind("image").settled({"mirror": "auto"}, _Items(np.stack(scenes)), records, targets, task)
    assert found == {"mirror": "yes" if is_upright else "no"}
    assert item_kind("image").settled({"mirror": "no"}, _Items(np.stack(scenes)), records, targets, task) == {}


def test_pictures_without_any_label_are_mirrored():
    pictures, targets = np.zeros((30, 16, 16, 3), dtype=np.uint8), np.full((30, 1, 5), -1, dtype=np.float32)
    records = [_Record(group) for group in _groups(30)]
    found = item_kind("image").settled({"mirror": "auto"}, _Items(pictures), records, targets, "object_detection")
    assert found == {"mirror": "yes"}


def test_a_shape_in_two_parts_is_two_crops_of_its_label():
    labels_HW = np.full((40, 40), -1, dtype=np.int16)
    labels_HW[2:14, 3:20], labels_HW[20:38, 20:30] = 1, 1
    picture_HWC = np.zeros((20, 20, 3), dtype=np.uint8)
    crops = task_part("semantic_segmentation", "data").labelled_crops(picture_HWC, runs_of([labels_HW])[0])
    assert sorted((crop.shape[:2], int(label)) for crop, label in crops) == [((6, 9), 1), ((9, 5), 1)]


@pytest.mark.parametrize("mirror", ["auto", "no"])
def test_the_model_says_what_was_done(mirror, tmp_path, cache_dir):
    job = make_job(tmp_path / "job", cache_dir=cache_dir, params={**SMALL_RESNET, "mirror": mirror})
    assert run_here(job) == 0, events(job)[-1]
    params = ArtefactManifest.read(job / "artefact" / "artefact.json").train.params
    assert params["mirror"] in ({"yes", "no"} if mirror == "auto" else {"no"})

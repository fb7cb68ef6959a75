"""The parts of the quality report, each on cases with a known answer."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image, ImageFilter

from automl.contracts.dataset import Split
from automl.contracts.quality import FindingKind, QualityItem
from benchmarks._photos import photo
from engine.quality.alignment import match
from engine.quality.duplicates import LEAST_SIMILARITY, MOST_WORST
from engine.quality.labels import suspects, usable_rows
from engine.quality.measure import SMALL_SIDE_PX, look_at
from engine.quality.neighbours import neighbours, unit_rows
from engine.quality.orientation import ORIENTATIONS, waves_of
from engine.quality.outliers import outliers


def small(picture: Image.Image) -> np.ndarray:
    return np.asarray(picture.resize((SMALL_SIDE_PX, SMALL_SIDE_PX), Image.Resampling.BOX))


def item(number: int, label: str | None = None) -> QualityItem:
    return QualityItem(
        item=f"itm_{number:04d}",
        name="x.jpg",
        blob="0" * 64,
        width=10,
        height=10,
        size_bytes=1,
        split=Split.TRAIN,
        group="g",
        is_annotated=label is not None,
        labels=() if label is None else (label,),
    )


@pytest.mark.parametrize("orientation", ORIENTATIONS, ids=lambda one: one.name)
def test_waves_turn_with_the_picture(orientation):
    pixels = small(photo((200, 200), 3))
    turned = waves_of(orientation.apply(pixels))
    np.testing.assert_allclose(orientation.apply_to_waves(waves_of(pixels)[None])[0], turned, atol=2e-3)


def test_the_eight_orientations_are_different():
    pixels = small(photo((200, 200), 3))
    assert len({orientation.apply(pixels).tobytes() for orientation in ORIENTATIONS}) == 8


@pytest.mark.parametrize("box", [(0, 0, 180, 180), (20, 20, 200, 200), (10, 10, 190, 190), (0, 10, 200, 190)])
def test_a_crop_lies_over_its_original(box):
    picture = photo((200, 200), 7)
    found = match(small(picture), small(picture.crop(box)))
    assert found is not None
    assert found.similarity > LEAST_SIMILARITY
    assert found.worst < MOST_WORST
    wanted = (box[2] - box[0]) * (box[3] - box[1]) / 200**2
    assert found.kept_fraction == pytest.approx(wanted, abs=0.03)


def test_the_same_background_with_another_object_is_another_picture():
    background = photo((200, 200), 7)
    one, two = background.copy(), background.copy()
    one.paste((250, 20, 20), (60, 60, 100, 100))
    two.paste((20, 20, 250), (110, 90, 150, 130))
    found = match(small(one), small(two))
    assert found is None or found.similarity < LEAST_SIMILARITY or found.worst > MOST_WORST


def test_blur_grows_with_the_filter_and_not_with_contrast():
    picture = photo((300, 300), 5)
    sharp = [look_at(np.asarray(picture.filter(ImageFilter.GaussianBlur(radius)))).looks.sharpness for radius in (0, 1, 2, 4)]
    assert sharp == sorted(sharp, reverse=True)
    half = Image.fromarray((np.asarray(picture) * 0.5 + 60).astype(np.uint8))
    assert look_at(np.asarray(half)).looks.sharpness == pytest.approx(sharp[0], abs=0.03)


@pytest.mark.parametrize("size", [(1, 1), (1, 400), (400, 2), (3, 3)])
def test_tiny_pictures_can_be_looked_at(size):
    look = look_at(np.zeros((size[1], size[0], 3), dtype=np.uint8))
    assert look.small_SSC.shape == (SMALL_SIDE_PX, SMALL_SIDE_PX, 3)
    assert look.looks.empty_fraction == 1.0


def test_neighbours_equal_a_plain_search():
    units = unit_rows(np.random.default_rng(0).normal(size=(700, 12)).astype(np.float32))
    cosines, rows = neighbours(units, 4)
    all_cosines = units @ units.T
    np.fill_diagonal(all_cosines, -2)
    np.testing.assert_array_equal(rows, np.argsort(-all_cosines, axis=1, kind="stable")[:, :4])
    np.testing.assert_allclose(cosines, np.sort(all_cosines, axis=1)[:, ::-1][:, :4], atol=1e-5)


def test_flipped_labels_are_suspected_and_the_right_one_suggested():
    rng = np.random.default_rng(0)
    truth = np.arange(400) % 4
    vectors = (np.eye(4)[truth] * 6 + rng.normal(size=(400, 4))).astype(np.float32)
    given = truth.copy()
    flipped = rng.choice(400, 20, replace=False)
    given[flipped] = (truth[flipped] + 1) % 4
    items = [item(row, "abcd"[label]) for row, label in enumerate(given)]
    looked = suspects(items, vectors, range(400), seed=0, on_progress=lambda _done, _total: None)
    names = {items[row].item: "abcd"[truth[row]] for row in flipped}
    right = [one for one in looked.findings if names.get(one.item) == one.detail["suggested"]]
    assert len(right) >= 12
    assert len(right) >= 0.9 * len(looked.findings)
    assert len(set(looked.ranking[:20]) & set(names)) >= 14


def test_labels_without_a_pattern_accuse_nobody():
    rng = np.random.default_rng(0)
    items = [item(row, "abcd"[row % 4]) for row in range(200)]
    vectors = rng.normal(size=(200, 8)).astype(np.float32)
    looked = suspects(items, vectors, range(200), seed=0, on_progress=lambda _done, _total: None)
    assert looked.findings == []


def test_several_labels_an_item_are_left_alone():
    several = [item(row, "a").model_copy(update={"labels": ("a", "b")}) for row in range(100)]
    assert usable_rows([*several, *[item(row, "a") for row in range(100, 160)]]) == []


def test_a_far_point_is_the_surest_outlier():
    rng = np.random.default_rng(0)
    cloud = rng.normal(size=(120, 64)).astype(np.float32) * 0.2 + np.eye(64)[np.arange(120) % 3].astype(np.float32)
    with_far = np.concatenate([cloud, -3 * np.eye(64, dtype=np.float32)[:1]])
    found, _ = outliers([item(row) for row in range(121)], with_far)
    assert len(found) <= 6
    surest = max(found, key=lambda one: one.severity)
    assert (surest.item, surest.kind) == ("itm_0120", FindingKind.OUTLIER)

"""The parts of the quality report, each on cases with a known answer."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from PIL import Image, ImageFilter

from automl.contracts.dataset import Split
from automl.contracts.quality import FindingKind, QualityItem
from engine.quality.items.image.alignment import match
from engine.quality.items.image.duplicates import LEAST_SIMILARITY, MOST_WORST
from engine.quality.items.image.measure import SMALL_SIDE_PX, measure_picture
from engine.quality.items.image.orientation import ORIENTATIONS, waves_of
from engine.quality.items.image.rules import SHARPNESS
from engine.quality.items.image.vectors import StoredVectors
from engine.quality.labels import suspects, usable_rows
from engine.quality.neighbours import neighbours, unit_rows
from engine.quality.outliers import outliers
from tests.support.photos import photo


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
    expected = (box[2] - box[0]) * (box[3] - box[1]) / 200**2
    assert found.kept_fraction == pytest.approx(expected, abs=0.03)


def test_the_same_background_with_another_object_is_another_picture():
    background = photo((200, 200), 7)
    one, two = background.copy(), background.copy()
    one.paste((250, 20, 20), (60, 60, 100, 100))
    two.paste((20, 20, 250), (110, 90, 150, 130))
    found = match(small(one), small(two))
    assert found is None or found.similarity < LEAST_SIMILARITY or found.worst > MOST_WORST


def test_blur_grows_with_the_filter_and_not_with_contrast():
    picture = photo((300, 300), 5)
    sharp = [
        measure_picture(np.array(picture.filter(ImageFilter.GaussianBlur(radius)))).measures.sharpness
        for radius in (0, 1, 2, 4)
    ]
    assert sharp == sorted(sharp, reverse=True)
    strong, weak = (  # neither clips
        measure_picture((np.asarray(picture) * times + 128 * (1 - times)).round().astype(np.uint8)).measures.sharpness
        for times in (0.6, 0.4)
    )
    assert weak == pytest.approx(strong, abs=0.03)


@pytest.mark.parametrize("exponent", [0.5, 1.0, 1.5])
@pytest.mark.parametrize("is_moved", [False, True])
def test_blur_is_reported_for_edges_as_for_texture(exponent, is_moved):
    rng = np.random.default_rng(0)
    waves = np.hypot(np.fft.fftfreq(320)[:, None], np.fft.rfftfreq(320)[None])
    waves[0, 0] = 1
    spectrum = np.fft.rfft2(rng.normal(size=(320, 320))) / waves**exponent  # 1.5 and more: mostly edges; 0.5: mostly texture
    spectrum[0, 0] = 0
    planes = [np.fft.irfft2(spectrum, s=(320, 320))]
    if is_moved:
        planes.append(np.mean([np.roll(planes[0], (shift, shift), axis=(0, 1)) for shift in range(-6, 7)], axis=0))
    else:
        planes.append(cv2.GaussianBlur(planes[0], (0, 0), 0.014 * 320, borderType=cv2.BORDER_REFLECT))
    pictures = [np.repeat((128 + 40 * plane / plane.std()).clip(0, 255).astype(np.uint8)[..., None], 3, 2) for plane in planes]
    sound, blurred = (measure_picture(picture).measures.sharpness for picture in pictures)
    assert blurred < SHARPNESS < sound


@pytest.mark.parametrize("size", [(1, 1), (1, 400), (400, 2), (3, 3)])
def test_tiny_pictures_can_be_looked_at(size):
    inspect = measure_picture(np.zeros((size[1], size[0], 3), dtype=np.uint8))
    assert inspect.small_SSC.shape == (SMALL_SIDE_PX, SMALL_SIDE_PX, 3)
    assert inspect.measures.empty_fraction == 1.0


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
    looked = suspects(items, [vectors], range(400), seed=0, on_progress=lambda _done, _total: None)
    names = {items[row].item: "abcd"[truth[row]] for row in flipped}
    sure = looked.findings[: looked.num_sure]
    right = [one for one in sure if names.get(one.item) == one.detail["suggested"]]
    assert len(right) >= 19
    assert len(right) >= 0.9 * len(sure)
    assert set(looked.ranking[:18]) <= set(names)
    assert looked.error_fraction == pytest.approx(0.05, abs=0.015)
    assert looked.error_interval == pytest.approx((0.033, 0.076), abs=0.015)  # Wilson's of 20 of 400
    assert [one.severity for one in looked.findings] == sorted((one.severity for one in looked.findings), reverse=True)


def test_labels_that_are_right_are_not_suspected():
    rng = np.random.default_rng(1)
    truth = np.arange(400) % 4
    vectors = (np.eye(4)[truth] * 6 + rng.normal(size=(400, 4))).astype(np.float32)
    items = [item(row, "abcd"[label]) for row, label in enumerate(truth)]
    looked = suspects(items, [vectors], range(400), seed=0, on_progress=lambda _done, _total: None)
    assert looked.num_sure <= 1
    assert looked.error_fraction < 0.01


def test_a_confusion_of_the_heads_is_not_taken_for_wrong_labels():
    rng = np.random.default_rng(2)
    truth = np.arange(600) % 3
    centres = np.eye(24)[[0, 1, 2]] * np.array([[8.0], [8.0], [16.0]])
    centres[1] = centres[0] * 0.85 + centres[1] * 0.2
    vectors = (centres[truth] + rng.normal(size=(600, 24))).astype(np.float32)
    items = [item(row, "abc"[label]) for row, label in enumerate(truth)]
    looked = suspects(items, [vectors], range(600), seed=0, on_progress=lambda _done, _total: None)
    assert looked.accuracy < 0.9
    assert looked.num_sure <= 6


def test_labels_without_a_pattern_accuse_nobody():
    rng = np.random.default_rng(0)
    items = [item(row, "abcd"[row % 4]) for row in range(200)]
    vectors = rng.normal(size=(200, 8)).astype(np.float32)
    looked = suspects(items, [vectors], range(200), seed=0, on_progress=lambda _done, _total: None)
    assert looked.findings == []


def test_several_labels_an_item_are_left_alone():
    several = [item(row, "a").model_copy(update={"labels": ("a", "b")}) for row in range(100)]
    assert usable_rows([*several, *[item(row, "a") for row in range(100, 160)]]) == []


def test_far_points_are_outliers_and_hardly_any_other():
    rng = np.random.default_rng(0)
    cloud = rng.normal(size=(400, 64)).astype(np.float32) * 0.2 + np.eye(64)[np.arange(400) % 3].astype(np.float32)
    far = -2 * np.eye(64, dtype=np.float32)[3:13] + rng.normal(size=(10, 64)).astype(np.float32) * 0.05
    found, _ = outliers([item(row) for row in range(410)], np.concatenate([cloud, far]))
    planted = {f"itm_{row:04d}" for row in range(400, 410)}
    assert planted <= {one.item for one in found}
    assert len(found) <= 11
    assert {one.kind for one in found} == {FindingKind.OUTLIER}


def test_a_cloud_has_no_outliers():
    cloud = np.random.default_rng(0).normal(size=(400, 64)).astype(np.float32)
    assert outliers([item(row) for row in range(400)], cloud)[0] == []


def test_grain_does_not_make_a_blurred_picture_sharp():
    rng = np.random.default_rng(0)
    picture = photo((400, 400), 5)
    blurred = np.asarray(picture.filter(ImageFilter.GaussianBlur(5)), dtype=np.float32)
    grainy = (blurred + rng.normal(0, 4, (400, 400, 1))).clip(0, 255).astype(np.uint8)
    assert measure_picture(grainy).measures.sharpness < SHARPNESS < measure_picture(np.asarray(picture)).measures.sharpness


@pytest.mark.parametrize("ground", [0, 120, 255])
def test_a_little_sharp_object_before_a_blurred_ground_is_sharp(ground):
    rng = np.random.default_rng(1)
    picture = cv2.GaussianBlur(np.asarray(photo((400, 300), 3), dtype=np.float32) * 0.3 + ground * 0.7, (0, 0), 12)
    picture[110:190, 160:240] = rng.integers(0, 255, (20, 20, 3)).repeat(4, axis=0).repeat(4, axis=1)
    assert measure_picture(picture.clip(0, 255).astype(np.uint8)).measures.sharpness > SHARPNESS


def test_grain_is_reported_beside_a_burnt_out_ground():
    rng = np.random.default_rng(0)
    picture = np.full((400, 400, 3), 255, dtype=np.float32)
    object_HWC = cv2.GaussianBlur(np.asarray(photo((160, 160), 5), dtype=np.float32), (0, 0), 6)
    picture[120:280, 120:280] = object_HWC * 0.7
    grainy = cv2.GaussianBlur(picture, (0, 0), 5) + rng.normal(0, 4, (400, 400, 1))
    assert measure_picture(grainy.clip(0, 255).astype(np.uint8)).measures.sharpness < SHARPNESS


def test_a_sharp_object_on_smooth_ground_is_sharp_and_motion_along_one_axis_is_blur():
    smooth = np.full((300, 400, 3), 120, np.uint8)
    smooth[100:200, 150:250] = (200, 40, 90)
    assert measure_picture(smooth).measures.sharpness > SHARPNESS
    moved = np.asarray(photo((400, 300), 3), dtype=np.float32)
    moved = np.mean([np.roll(moved, shift, axis=1) for shift in range(20)], axis=0).astype(np.uint8)
    assert measure_picture(moved).measures.sharpness < SHARPNESS


def test_stored_vectors_are_taken_and_only_those_that_lack_are_computed():
    rows = np.arange(12, dtype=np.float16).reshape(4, 3)
    rows[2] = np.nan
    shapes = []

    def compute(squares):
        shapes.append(squares.shape)
        return np.full((len(squares), 3), 7, np.float32)

    found = StoredVectors("x", rows, compute).of([1, 2], [np.zeros((2, 2, 3), np.uint8)] * 2)
    np.testing.assert_array_equal(found, [[3, 4, 5], [7, 7, 7]])
    assert shapes == [(1, 2, 2, 3)]

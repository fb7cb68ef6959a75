"""Answers of a label for each pixel: the picture's own pixels, thresholds, doubt, and how far two answers lie apart."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from runtime.answers.mask import Mask
from runtime.errors import AnswerInvalidError
from runtime.run_lengths import GeometryError, counts_of, pixels_of, runs_pack, runs_unpack
from tests.exporters.mask_graph import SIDE_PX, mask_sample

LABELS = ("cat", "dog", "鸟")
KIND = Mask(LABELS)


def planes(dice: np.random.Generator, height: int, width: int) -> np.ndarray:
    index = dice.integers(-1, len(LABELS), (height, width))
    return np.stack([index, dice.uniform(0.3, 1, (height, width))]).astype(np.float32)


def encoded(answer: np.ndarray, width: int, height: int, **options):
    item = SimpleNamespace(width_px=width, height_px=height)
    return KIND.encode(answer, item, **{"top": 100, "threshold": None, "thresholds": {}, **options})


def drawn(annotations, width: int, height: int) -> np.ndarray:
    """Labels pixel by pixel; empty where there is none."""
    out = np.full((height, width), "", dtype=object)
    for each in annotations:
        out[pixels_of(runs_unpack(each["counts"]), width=width, height=height) > 0] = each["label"]
    return out


@pytest.mark.parametrize("seed", range(30))
def test_every_pixel_has_the_label_under_its_centre(seed):
    dice = np.random.default_rng(seed)
    (h, w), (height, width) = dice.integers(1, 15, 2), dice.integers(1, 40, 2)
    answer, thresholds = planes(dice, h, w), {"cat": 0.6, "dog": 0.5}
    rows = ((np.arange(height) + 0.5) * h / height).astype(int)
    columns = ((np.arange(width) + 0.5) * w / width).astype(int)
    index_HW, sure_HW = answer[0][rows][:, columns], answer[1][rows][:, columns]
    labels = np.full((height, width), "", dtype=object)
    for place, label in enumerate(LABELS):
        labels[(index_HW == place) & (sure_HW >= thresholds.get(label, 0.0))] = label
    found = encoded(answer, int(width), int(height), thresholds=thresholds)
    assert (drawn(found, int(width), int(height)) == labels).all()
    assert all((each["width"], each["height"]) == (width, height) for each in found)


def test_the_largest_comes_first_with_how_sure_the_model_is_of_it_on_average():
    answer = np.array([[[0, 1, 1], [-1, 1, 2]], [[0.9, 0.5, 0.7], [0.9, 0.3, 1.0]]], dtype=np.float32)
    found = encoded(answer, 30, 20)
    assert [(each["label"], each["score"]) for each in found] == [("dog", 0.5), ("cat", 0.9), ("鸟", 1.0)]
    assert KIND.best(answer, {"dog": 1.0}) == {"label": "dog", "score": 0.5}
    assert [each["label"] for each in encoded(answer, 30, 20, top=1)] == ["dog"]
    assert [each["label"] for each in encoded(answer, 30, 20, threshold=0.65)] == ["cat", "dog", "鸟"]
    assert KIND.uncertainty(answer, {}) == pytest.approx(3 / 5)


def test_nothing_is_a_good_answer_and_no_number_is_none():
    nothing = np.stack([np.full((4, 4), -1), np.ones((4, 4))]).astype(np.float32)
    assert (encoded(nothing, 9, 9), KIND.best(nothing, {}), KIND.uncertainty(nothing, {})) == ([], None, 0.0)
    assert KIND.disagreement([], []) == 0.0
    with pytest.raises(AnswerInvalidError):
        encoded(nothing * np.nan, 9, 9)
    with pytest.raises(ValueError, match="planes"):
        KIND.check(nothing[:1])


@pytest.mark.parametrize("seed", range(10))
def test_disagreement_is_the_share_of_pixels_that_differ(seed):
    dice = np.random.default_rng(seed)
    one, other = (encoded(planes(dice, 5, 7), 23, 17) for _ in range(2))
    mine, theirs = drawn(one, 23, 17), drawn(other, 23, 17)
    is_marked = (mine != "") | (theirs != "")
    assert KIND.disagreement(one, other) == pytest.approx((mine != theirs)[is_marked].mean())
    assert KIND.disagreement(one, one) == 0.0
    assert KIND.disagreement(one, []) == 1.0


def test_a_golden_sample_is_as_far_as_its_pixels_or_its_scores():
    dice = np.random.default_rng(1)
    answer = planes(dice, SIDE_PX, SIDE_PX)
    expected = mask_sample("0.png", answer).model_dump(mode="json")
    assert KIND.difference(expected, answer, None) < 1e-6
    other = answer.copy()
    other[0, 3, 4] = (other[0, 3, 4] + 2) % 3
    assert KIND.difference(expected, other, None) == pytest.approx(1 / SIDE_PX**2, rel=0.01)
    assert KIND.difference(expected, answer - np.array([0, 0.1], np.float32)[:, None, None], None) == pytest.approx(
        0.1, abs=1e-5
    )
    with pytest.raises(ValueError, match=f"{SIDE_PX} x {SIDE_PX // 2}"):
        KIND.difference(expected, answer[:, : SIDE_PX // 2], None)


def test_easydl_gets_the_box_around_the_pixels():
    pixels = np.zeros((6, 8))
    pixels[2:5, 3:4] = 1
    mask = {"kind": "mask", "label": "cat", "width": 8, "height": 6, "counts": counts_of(pixels), "score": 0.5}
    box = KIND.easydl(mask)
    assert box["location"] == {"left": 3, "top": 2, "width": 1, "height": 3}
    assert (box["name"], box["mask"]) == ("cat", mask["counts"])


@pytest.mark.parametrize("counts", ["~~", "o", "oooooooooo", " ", "鸟", "5J2"])
def test_text_that_is_no_run_lengths_is_refused(counts):
    with pytest.raises(GeometryError):
        runs_unpack(counts)


def test_runs_are_packed_and_unpacked():
    for runs in ([], [0, 5], [7], [3, 0, 4, 100_000_000, 1], list(range(50)), [0, 1] * 1000):
        assert runs_unpack(runs_pack(runs)) == runs
    with pytest.raises(GeometryError):
        runs_pack([2**70])

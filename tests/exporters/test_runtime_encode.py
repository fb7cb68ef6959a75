"""Scores become annotations."""

from __future__ import annotations

import numpy as np
import pytest

from runtime.answers import answers_kind
from runtime.ids import log_id, prediction_id, prediction_number

LABELS = ("a", "b", "c", "d")


def encode(values: list[float], **options: object) -> list[tuple[str, float]]:
    options_ = {"top": 5, "threshold": None, "thresholds": {}} | options
    found = answers_kind("label_scores")(LABELS).encode(np.array(values, np.float32), None, **options_)
    assert all(annotation["kind"] == "class" for annotation in found)
    return [(annotation["label"], annotation["score"]) for annotation in found]


def test_best_comes_first_and_top_cuts() -> None:
    assert [label for label, _ in encode([0.1, 0.4, 0.2, 0.3])] == ["b", "d", "c", "a"]
    assert encode([0.1, 0.4, 0.2, 0.3], top=2) == [("b", 0.4), ("d", 0.3)]


def test_each_label_has_its_own_threshold() -> None:
    lowest = {"a": 0.9, "b": 0.1}
    assert encode([0.8, 0.2, 0.5, 0.0], thresholds=lowest) == [("c", 0.5), ("b", 0.2), ("d", 0.0)]


def test_low_label_may_pass_where_a_higher_one_does_not() -> None:
    assert encode([0.8, 0.2, 0.0, 0.0], thresholds={"a": 0.9, "b": 0.1, "c": 1, "d": 1}, top=1) == [("b", 0.2)]


def test_one_threshold_overrides_all() -> None:
    assert encode([0.8, 0.2, 0.5, 0.0], threshold=0.5, thresholds={"a": 0.9}) == [("a", 0.8), ("c", 0.5)]


def test_score_never_leaves_its_range() -> None:
    assert dict(encode([1.0000002, -0.0000001, 0.5, 0.5]))["a"] == 1.0
    assert dict(encode([1.0000002, -0.0000001, 0.5, 0.5]))["b"] == 0.0


@pytest.mark.parametrize(
    ("values", "expected"), [([1.0, 0.0, 0.0, 0.0], 0.0), ([0.5, 0.5, 0.0, 0.0], 1.0), ([0.7, 0.2, 0.1, 0.0], 0.5)]
)
def test_uncertainty_of_exclusive_labels_is_the_closeness_of_the_best_two(values: list[float], expected: float) -> None:
    assert answers_kind("class_scores")(LABELS).uncertainty(np.array(values), {}) == pytest.approx(expected)


def test_uncertainty_of_a_single_label_is_its_distance_from_one() -> None:
    assert answers_kind("class_scores")(("a",)).uncertainty(np.array([1.0]), {}) == 0.0


@pytest.mark.parametrize(
    ("values", "expected"), [([0.0, 1.0, 0.0, 1.0], 0.0), ([0.0, 0.3, 1.0, 0.0], 1.0), ([0.25, 1.0, 1.0, 0.0], 0.5)]
)
def test_uncertainty_of_free_labels_is_the_closeness_to_a_threshold(values: list[float], expected: float) -> None:
    lowest = {"b": 0.3}
    values[1] = values[1] if values[1] != 1.0 else 1.0
    assert answers_kind("label_scores")(LABELS).uncertainty(np.array(values), lowest) == pytest.approx(expected)


def test_best_label_is_reported_even_below_its_threshold() -> None:
    assert answers_kind("class_scores")(LABELS).best(np.array([0.1, 0.3, 0.2, 0.0]), {}) == {"label": "b", "score": 0.3}


def test_ids_are_unlike_and_ordered_in_time() -> None:
    numbers = [prediction_number() for _ in range(1000)]
    ids = {prediction_id(number) for number in numbers}
    assert len(ids) == 1000
    assert all(len(one) == 30 and one.startswith("prd_") for one in ids)
    later = prediction_number() + (5 << 80)
    assert prediction_id(numbers[0]) < prediction_id(later)
    assert 0 <= log_id(numbers[0]) < 2**63


def test_of_two_labels_with_thresholds_the_one_that_reaches_its_own_is_predicted() -> None:
    lowest = {"fine": 0.7, "defect": 0.3}
    answers = answers_kind("class_scores")(tuple(lowest))

    def best(*scores: float, thresholds: dict[str, float] = lowest) -> dict[str, object]:
        return answers.best(np.array(scores), thresholds)

    assert best(0.6, 0.4) == {"label": "defect", "score": 0.4}
    assert best(0.75, 0.25) == {"label": "fine", "score": 0.75}
    assert best(0.6, 0.4, thresholds={}) == {"label": "fine", "score": 0.6}
    assert best(0.6, 0.4, thresholds={"defect": 0.3}) == {"label": "fine", "score": 0.6}  # a filter of one label only
    assert answers.uncertainty(np.array([0.7, 0.3]), lowest) == 1.0
    assert answers.uncertainty(np.array([0.0, 1.0]), lowest) == 0.0
    options_ = {"top": 5, "threshold": None, "thresholds": lowest}
    for score in (0.05, 0.299, 0.301, 0.9):
        scores = np.array([1 - score, score], np.float32)
        labels = answers.encode(scores, None, **options_)
        assert [each["label"] for each in labels] == [answers.best(scores, lowest)["label"]]
        assert answers.passing(scores, None, lowest) == labels
    for score in (0.2999995, 0.3, 0.3000005):  # on the border rounding decides, but something is always predicted
        assert answers.encode(np.array([1 - score, score], np.float32), None, **options_)

"""The head: right where kinds lie apart, honest about how sure it is, the same after a trip through bytes."""

from __future__ import annotations

import numpy as np
import pytest

from labeling.assist.head import Head, head_can_fit, head_fit
from tests.labeling.assist.material import features_of

LABELS = ["rose", "tulip", "daisy"]


def _set(each: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    features = np.concatenate([features_of(kind, each, seed) for kind in range(len(LABELS))])
    return features, np.repeat(np.eye(len(LABELS), dtype=bool), each, axis=0)


def _fit(features, is_label, labels=LABELS, several=False):
    nothing = np.empty((0, features.shape[1]), dtype=np.float32)
    return head_fit(features_MD=features, is_label_ML=is_label, labels=labels, is_several=several, background_BD=nothing)


@pytest.mark.parametrize(("counts", "can"), [([], False), ([5], False), ([5, 1], False), ([2, 2], True), ([2, 0, 2], True)])
def test_a_head_needs_two_labels_with_two_items(counts, can):
    assert head_can_fit(counts) is can


@pytest.mark.parametrize("each", [2, 4, 60])
def test_a_few_items_a_label_are_enough_where_kinds_lie_apart(each):
    head, accuracy = _fit(*_set(each))
    features, is_label = _set(20, seed=77)
    scores = head.scores(features)
    assert (scores.argmax(axis=1) == is_label.argmax(axis=1)).mean() > 0.95
    assert np.allclose(scores.sum(axis=1), 1, atol=1e-5)
    assert (accuracy is None) == (each < 3)
    assert accuracy is None or accuracy > 0.95


def test_two_labels_make_scores_that_add_up():
    features, is_label = _set(10)
    head, _ = _fit(features[:20], is_label[:20, :2], LABELS[:2])
    scores = head.scores(features[:20])
    assert scores.shape == (20, 2)
    assert (scores.argmax(axis=1) == is_label[:20].argmax(axis=1)).all()


def test_confidence_is_no_more_than_what_comes_true_on_noise():
    rng = np.random.default_rng(0)
    features = rng.random((400, 32), dtype=np.float32)
    is_label = np.eye(2, dtype=bool)[rng.integers(0, 2, 400)]
    head, accuracy = _fit(features, is_label, LABELS[:2])
    assert 0.35 < accuracy < 0.65
    fresh = rng.random((400, 32), dtype=np.float32)
    assert head.scores(fresh).max(axis=1).mean() < 0.75


def test_several_labels_are_judged_one_by_one():
    features, is_label = _set(20)
    both = np.concatenate([features, features[:20] + features[20:40]])
    is_labelled = np.concatenate([is_label, np.tile([True, True, False], (20, 1))])
    head, accuracy = _fit(both, is_labelled, several=True)
    scores = head.scores(both)
    assert ((scores >= 0.5) == is_labelled).mean() > 0.95
    assert accuracy > 0.9


def test_a_label_that_all_items_carry_is_suggested_for_all():
    features, is_label = _set(10)
    is_labelled = np.concatenate([is_label[:, :2], np.ones((30, 1), dtype=bool)], axis=1)
    head, _ = _fit(features, is_labelled, several=True)
    assert (head.scores(features)[:, 2] > 0.9).all()


def test_a_head_comes_back_from_bytes():
    features, is_label = _set(5)
    head, _ = _fit(features, is_label)
    again = Head.load(head.dump())
    assert (again.labels, again.is_several) == (head.labels, head.is_several)
    assert np.allclose(again.scores(features), head.scores(features), atol=0.02)

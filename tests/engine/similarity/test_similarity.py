"""What is learned of what is alike, and what a report may say of things that were never seen."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch

from engine.data.label_batches import LabelBatchLoader
from engine.models.metric_learning import fit, losses
from engine.tasks.image_similarity import metrics
from engine.tasks.image_similarity.unseen import unseen_places

LABELS = tuple(f"thing {number}" for number in range(10))


def directions(generator, targets, spread):
    """Vectors of length one around a direction for each label."""
    own = np.random.default_rng(5).normal(size=(len(LABELS), 16))
    found = own[targets] + spread * generator.normal(size=(len(targets), 16))
    return found / np.linalg.norm(found, axis=1, keepdims=True)


def test_the_same_labels_are_kept_aside_whatever_their_order():
    kept = {LABELS[place] for place in unseen_places(LABELS)}
    assert len(kept) == 2
    assert {LABELS[::-1][place] for place in unseen_places(LABELS[::-1])} == kept
    assert unseen_places(LABELS[:9]) == frozenset()


def test_margins_make_the_right_label_harder():
    torch.manual_seed(0)
    given = torch.nn.functional.normalize(torch.randn(6, 8), dim=1)
    targets = torch.tensor([0, 1, 2, 0, 1, 2])
    for name in ("arcface", "cosface"):
        criterion = losses.build(name, 3, 8, margin=0.0)
        plain = torch.nn.functional.cross_entropy(
            losses.SCALE * given @ torch.nn.functional.normalize(criterion.centres, dim=1).T, targets
        )
        assert criterion(given, targets).item() == pytest.approx(plain.item(), rel=1e-4)
        with_margin = losses.build(name, 3, 8, margin=0.3)
        with_margin.load_state_dict(criterion.state_dict())
        assert with_margin(given, targets) > plain


def test_arcface_widens_the_angle():
    criterion = losses.build("arcface", 2, 2, margin=0.2)
    with torch.no_grad():
        criterion.centres.copy_(torch.eye(2))
    angle = 0.5
    given = torch.tensor([[math.cos(angle), math.sin(angle)]])
    logits = losses.SCALE * torch.tensor([[math.cos(angle + 0.2), math.sin(angle)]])
    expected = torch.nn.functional.cross_entropy(logits, torch.tensor([0]))
    assert criterion(given, torch.tensor([0])).item() == pytest.approx(expected.item(), rel=1e-3)


def test_triplets_take_the_hardest_of_the_batch():
    criterion = losses.build("triplet", 2, 2, margin=0.3)
    angles = torch.tensor([0.0, 0.4, 0.5, 2.0])
    given = torch.stack([angles.cos(), angles.sin()], dim=1)
    apart = torch.cdist(given, given)
    expected = [
        apart[0, 1] - apart[0, 2] + 0.3,
        apart[1, 0] - apart[1, 2] + 0.3,
        apart[2, 3] - apart[2, 1] + 0.3,
        apart[3, 2] - apart[3, 1] + 0.3,
    ]
    mean = sum(max(0.0, float(each)) for each in expected) / 4
    assert criterion(given, torch.tensor([0, 0, 1, 1])).item() == pytest.approx(mean, abs=1e-4)


def test_the_last_layer_begins_with_the_similarities_of_the_features():
    torch.manual_seed(0)
    features = torch.nn.functional.normalize(torch.randn(40, 5), dim=1) * 7
    head = torch.nn.Linear(5, 8)
    fit.begin(head, features)
    mean = torch.nn.functional.normalize(features, dim=1).mean(dim=0)
    centred = torch.nn.functional.normalize(features / 7 - mean, dim=1)
    given = torch.nn.functional.normalize(head(features), dim=1)
    torch.testing.assert_close(given @ given.T, centred @ centred.T, atol=1e-4, rtol=1e-3)


def test_batches_hold_several_items_of_each_label():
    targets = torch.from_numpy(np.repeat(np.arange(8), 5))
    loader = LabelBatchLoader(np.zeros((40, 2, 2, 3), np.uint8), np.arange(40), targets, batch_size=16, seed=0)
    for _, given in loader:
        assert set(np.unique(given, return_counts=True)[1].tolist()) == {4} or len(given) < 16
    assert len(loader) == 3


def test_only_unseen_things_are_judged_and_all_others_lie_beside_them():
    generator = np.random.default_rng(0)
    targets = np.repeat(np.arange(10), 6)
    vectors = directions(generator, targets, 0.1)
    unseen = sorted(unseen_places(LABELS))
    before = metrics.metrics(vectors, targets, LABELS)
    assert before["rank_1"] == 1.0
    mixed = vectors.copy()
    seen = ~np.isin(targets, unseen)
    mixed[seen] = mixed[seen][generator.permutation(seen.sum())]  # what is known is not asked about
    assert metrics.metrics(mixed, targets, LABELS)["rank_1"] == 1.0
    beside = vectors.copy()
    known = next(place for place in range(10) if place not in unseen)
    beside[targets == known] = vectors[targets == unseen[0]]  # another thing that looks the same
    assert metrics.metrics(beside, targets, LABELS)["rank_1"] < 1.0


def test_limits_keep_their_rate_on_pairs_that_come_later():
    generator = np.random.default_rng(1)
    targets = np.repeat(np.arange(10), 40)
    limits = metrics.recommended_thresholds(directions(generator, targets, 0.6), targets, LABELS)
    assert list(limits) == ["0.1", "0.01", "0.001"]
    compared = metrics._compared(directions(generator, targets, 0.6), targets, LABELS)
    for rate, limit in limits.items():
        assert (compared.different >= limit).mean() == pytest.approx(float(rate), rel=0.5, abs=5e-4)
    few = metrics.recommended_thresholds(directions(generator, targets[::20], 0.6), targets[::20], LABELS)
    assert "0.001" not in few


def test_a_split_without_pairs_claims_nothing():
    vectors = directions(np.random.default_rng(2), np.arange(10), 0.1)
    assert metrics.metrics(vectors, np.arange(10), LABELS) == {}

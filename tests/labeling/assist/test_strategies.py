"""What is chosen next: what each strategy promises, no item twice, chance in every tenth place."""

from __future__ import annotations

import numpy as np
import pytest

from labeling.assist.strategies import RANDOM_EVERY, Strategy, closeness, k_center, order, uncertainty
from tests.labeling.assist.material import features_of

SCORES = np.array([[0.98, 0.01, 0.01], [0.5, 0.49, 0.01], [0.34, 0.33, 0.33], [0.7, 0.2, 0.1]], dtype=np.float32)


def _order(strategy, *, num=200, scores=None, count=50, several=False, labelled=0):
    features = np.concatenate([features_of(kind, num // 4) for kind in range(4)])
    return order(
        strategy,
        num=num,
        scores_NL=scores,
        take=lambda rows: features[rows],
        labelled_KD=features[:labelled],
        is_several=several,
        count=count,
        seed=3,
    )


def test_measures_know_what_is_unsure():
    assert uncertainty(SCORES, is_several=False).argmax() == 2
    assert uncertainty(SCORES, is_several=False).argmin() == 0
    assert closeness(SCORES, is_several=False).tolist() == pytest.approx([0.03, 0.99, 0.99, 0.5], abs=1e-5)
    assert closeness(SCORES, is_several=True)[1] > closeness(SCORES, is_several=True)[0]


@pytest.mark.parametrize("strategy", list(Strategy))
@pytest.mark.parametrize(("num", "count"), [(200, 50), (20, 50), (4, 4)])
@pytest.mark.parametrize("has_scores", [True, False])
def test_every_strategy_gives_each_item_once_and_the_same_again(strategy, num, count, has_scores):
    scores = np.random.default_rng(0).dirichlet(np.ones(3), num).astype(np.float32) if has_scores else None
    rows = _order(strategy, num=num, count=count, scores=scores)
    assert len(rows) == len(set(rows.tolist())) == min(num, count)
    assert 0 <= rows.min() <= rows.max() < num
    assert rows.tolist() == _order(strategy, num=num, count=count, scores=scores).tolist()


@pytest.mark.parametrize("strategy", [Strategy.UNCERTAINTY, Strategy.MARGIN])
def test_the_least_sure_come_first_but_for_every_tenth(strategy):
    scores = np.random.default_rng(0).dirichlet(np.ones(3), 200).astype(np.float32)
    measure = {Strategy.UNCERTAINTY: uncertainty, Strategy.MARGIN: closeness}[strategy](scores, is_several=False)
    rows = _order(strategy, scores=scores)
    useful = [row for place, row in enumerate(rows) if place % RANDOM_EVERY != RANDOM_EVERY - 1]
    assert (np.diff(measure[useful]) <= 0).all()
    assert measure[useful].min() > np.quantile(measure, 0.7)
    drawn = rows[RANDOM_EVERY - 1 :: RANDOM_EVERY]
    assert len(drawn) == 5
    assert (np.diff(measure[drawn]) > 0).any()


def test_diversity_starts_where_nothing_is_labelled():
    rows = _order(Strategy.DIVERSITY, labelled=50)
    assert (rows[:3] >= 50).all()
    assert len({int(row) // 50 for row in rows[:3]}) == 3


def test_mixed_does_not_show_one_hard_thing_ten_times():
    scores = np.tile(np.array([[0.9, 0.1]], dtype=np.float32), (200, 1))
    first = 0.5 + 0.01 * np.random.default_rng(0).random(100, dtype=np.float32)
    scores[:100] = np.stack([first, 1 - first], axis=1)  # two of four kinds are hard
    rows = _order(Strategy.MIXED, scores=scores, count=8)
    kinds = [int(row) // 50 for row in rows]
    assert set(kinds) == {0, 1}
    assert min(kinds.count(0), kinds.count(1)) >= 2


def test_oldest_keeps_the_order_and_random_does_not():
    assert _order(Strategy.OLDEST, count=5).tolist() == [0, 1, 2, 3, 4]
    assert _order(Strategy.RANDOM, count=200).tolist() != list(range(200))


def test_k_center_takes_the_farthest():
    features = np.eye(3, dtype=np.float32)
    assert k_center(features, features[:1], 2).tolist() in ([1, 2], [2, 1])

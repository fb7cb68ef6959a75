"""Which unlabelled items teach most. Pure: scores and features are given, so every case is a plain test.

Uncertainty is least confidence or entropy, margin the gap between the two best labels (Settles 2009, "Active Learning
Literature Survey", section 3.1); diversity is the greedy k-centre of Sener and Savarese 2018, "Active Learning for
Convolutional Neural Networks: A Core-Set Approach". ``mixed`` takes the items of small margin and spreads the choice among
them by k-centre, so that ten pictures of one hard thing do not come in a row. Shapes: N candidates, L labels, D features, K
labelled items.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

RANDOM_EVERY = 10
"""One in this many items is drawn at random, so that these stand for the whole set."""
_POOL = 3
"""Candidates of ``mixed`` for each item that it chooses."""

_DIVERSE_POOL = 3_000
"""Candidates of ``diversity``, drawn at random: each step costs a pass over them."""


class Strategy(StrEnum):
    """How the queue is ordered."""

    MIXED = "mixed"
    UNCERTAINTY = "uncertainty"
    MARGIN = "margin"
    DIVERSITY = "diversity"
    RANDOM = "random"
    OLDEST = "oldest"


def uncertainty(scores_NL: NDArray[np.float32], *, is_several: bool) -> NDArray[np.float32]:
    """Entropy of the scores: over the labels when one is right, else the mean entropy of each label's yes and no."""
    clipped_NL = np.clip(scores_NL, 1e-6, 1 - 1e-6)
    entropy_NL = -clipped_NL * np.log(clipped_NL)
    if is_several:
        entropy_NL = entropy_NL - (1 - clipped_NL) * np.log(1 - clipped_NL)
        return np.asarray(entropy_NL.max(axis=1), dtype=np.float32)
    return np.asarray(entropy_NL.sum(axis=1), dtype=np.float32)


def closeness(scores_NL: NDArray[np.float32], *, is_several: bool) -> NDArray[np.float32]:
    """One minus the margin: between the two best labels, or, with several right ones, of the label nearest to a half."""
    if is_several:
        return np.asarray(1 - 2 * np.abs(scores_NL - 0.5).min(axis=1), dtype=np.float32)
    best_N2 = np.partition(scores_NL, -2, axis=1)[:, -2:]
    return np.asarray(1 - (best_N2[:, 1] - best_N2[:, 0]), dtype=np.float32)


def k_center(features_ND: NDArray[np.float32], labelled_KD: NDArray[np.float32], count: int) -> NDArray[np.int64]:
    """Rows chosen one after the other, each the farthest from all that are labelled or chosen.

    Args:
        features_ND: candidates, at unit length.
        labelled_KD: what is known already, at unit length; may be empty.
        count: how many, at most N.
    """
    if len(labelled_KD):
        nearest_N = 1 - (features_ND @ labelled_KD.T).max(axis=1)
    else:
        nearest_N = 1 - features_ND @ _unit(features_ND.mean(axis=0, keepdims=True))[0]
    chosen_K = np.empty(count, dtype=np.int64)
    for step in range(count):
        row = int(np.argmax(nearest_N))
        chosen_K[step] = row
        nearest_N = np.minimum(nearest_N, 1 - features_ND @ features_ND[row])
        nearest_N[row] = -np.inf
    return chosen_K


def order(
    strategy: Strategy,
    *,
    num: int,
    scores_NL: NDArray[np.float32] | None,
    take: Callable[[NDArray[np.int64]], NDArray[np.float32]],
    labelled_KD: NDArray[np.float32],
    is_several: bool,
    count: int,
    seed: int,
) -> NDArray[np.int64]:
    """Rows of the candidates to label next, the most useful first.

    Args:
        strategy: how; ``oldest`` keeps the order given.
        num: N; the candidates are in the order of their age.
        scores_NL: of the head; None before there is one, and then everything but random and oldest means diversity.
        take: features of some candidates; those of all may not fit into memory.
        labelled_KD: of labelled items, or a sample of them.
        is_several: whether several labels may be right.
        count: how many at most.
        seed: of what is drawn at random.
    """
    count = min(count, num)
    random_N = np.random.default_rng(seed).permutation(num)
    if strategy is Strategy.OLDEST:
        return np.arange(count)
    if strategy is Strategy.RANDOM:
        return random_N[:count]
    if strategy is Strategy.DIVERSITY or scores_NL is None:
        pool = random_N[:_DIVERSE_POOL]
        useful = pool[k_center(_unit(take(pool)), _unit(labelled_KD), min(count, len(pool)))]
    elif strategy is Strategy.UNCERTAINTY:
        useful = np.argsort(-uncertainty(scores_NL, is_several=is_several), kind="stable")[:count]
    elif strategy is Strategy.MARGIN:
        useful = np.argsort(-closeness(scores_NL, is_several=is_several), kind="stable")[:count]
    else:
        pool = np.argsort(-closeness(scores_NL, is_several=is_several), kind="stable")[: _POOL * count]
        spread = k_center(_unit(take(pool)), _unit(labelled_KD), count)
        useful = pool[np.sort(spread)]  # the smallest margin first again: few are labelled before the next fit
    return _with_random(useful, random_N, count)


def _with_random(useful: NDArray[np.int64], random_N: NDArray[np.int64], count: int) -> NDArray[np.int64]:
    """Puts an item drawn at random into every tenth place; each item comes once."""
    chosen: dict[int, None] = {}
    drawn, uncertain = iter(random_N.tolist()), iter(useful.tolist())
    while len(chosen) < count:
        source = drawn if len(chosen) % RANDOM_EVERY == RANDOM_EVERY - 1 else uncertain
        row = next((row for row in source if row not in chosen), None)
        if row is None:
            source = uncertain if source is drawn else drawn
            row = next((row for row in source if row not in chosen), None)
            if row is None:
                break
        chosen[row] = None
    return np.array(list(chosen), dtype=np.int64)


def _unit(features_ND: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray(features_ND / np.maximum(np.linalg.norm(features_ND, axis=-1, keepdims=True), 1e-6), dtype=np.float32)

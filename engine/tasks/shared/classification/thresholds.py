"""From which score on a label is predicted, chosen on items that the model did not learn from. Shapes: N items, L labels.

Where several labels may hold, each has a threshold of its own. Of two labels that exclude each other one has the threshold and
the other what is left of one, so that an item reaches one of them; where one half does as well, there are none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

DEFAULT_THRESHOLD = 0.5
RARE_SHARE = 0.1
"""Of the other label, below which a label is rare: a rare one may cost accuracy, which nearly all comes from the other."""
OF_THE_RARE = frozenset({"f1_macro", "precision_macro", "recall_macro", "average_precision_macro"})
"""Objectives of those who look for the rare label, and would give accuracy for it."""
_OF_THE_COMMON = "accuracy"
_FEWEST, _MOST_ITEMS = 5, 20_000
_ROUNDS = 100
_CLEARLY = 0.5
"""Standard errors by which it has to be better on items that did not choose it: half of one costs nothing where nothing is
to be gained, a whole one gives up half of the gain on a few hundred items."""
_DIGITS = 4


def recommended_thresholds(
    scores_NL: np.ndarray, targets: np.ndarray, labels: Sequence[str], *, objective: str = ""
) -> Mapping[str, float]:
    """The score from which each label should be predicted; empty where the best one always is.

    Args:
        scores_NL: 0..1, of items that the model did not learn from.
        targets: ``_N`` indices (one label) or ``_NL`` zeros and ones (several).
        labels: names in the order of the scores.
        objective: the metric that is improved.
    """
    if targets.ndim == 2:
        return best_thresholds(scores_NL, targets, labels)
    if len(labels) != 2:
        return {}
    counts_L = np.bincount(targets, minlength=2)
    rare = int(counts_L.argmin())
    is_free = objective in OF_THE_RARE or (objective != _OF_THE_COMMON and counts_L[rare] < RARE_SHARE * counts_L[1 - rare])
    border = border_of(scores_NL[:, rare], targets == rare, keeps_accuracy=not is_free)
    return {} if border is None else {labels[rare]: border, labels[1 - rare]: round(1.0 - border, _DIGITS)}


def best_thresholds(scores_NL: np.ndarray, truth_NL: np.ndarray, labels: Sequence[str]) -> Mapping[str, float]:
    """The score from which each label is predicted, chosen for the best F1; one half where no item carries it."""
    return {label: _best_threshold(scores_NL[:, i], truth_NL[:, i]) for i, label in enumerate(labels)}


def border_of(scores_N: np.ndarray, truth_N: np.ndarray, *, keeps_accuracy: bool, seed: int = 0) -> float | None:
    """The score of one of two labels from which it is predicted, for the best mean of both labels' F1.

    Drawn items choose, those that were not drawn judge (bootstrap, Efron 1979): the median of what was chosen is kept where it
    is better than one half on what was not.

    Args:
        scores_N: of the label, 0..1.
        truth_N: whether items carry it.
        keeps_accuracy: whether accuracy may fall by no more than its standard error.
        seed: of the draws.

    Returns:
        0..1, four digits; None where one half does as well, or where fewer than five items carry one of the labels.
    """
    if min(truth_N.sum(), (~truth_N).sum()) < _FEWEST:
        return None
    if len(scores_N) > _MOST_ITEMS:
        even_N = np.linspace(0, len(scores_N) - 1, _MOST_ITEMS).astype(np.int64)
        scores_N, truth_N = scores_N[even_N], truth_N[even_N]
    order = np.argsort(-scores_N, kind="stable")
    sorted_N, truth_N = scores_N[order].astype(np.float64), truth_N[order]
    borders_M = (sorted_N[:-1] + sorted_N[1:]) / 2.0
    is_step_M = sorted_N[1:] < sorted_N[:-1]
    half = int(np.searchsorted(-sorted_N, -DEFAULT_THRESHOLD, "right"))
    random, chosen, gains = np.random.default_rng(seed), [], []
    for _ in range(_ROUNDS):
        weights_N = np.bincount(random.integers(0, len(order), len(order)), minlength=len(order)).astype(np.float64)
        f1_K, accuracy_K = _by_border(truth_N, weights_N)
        allowed_M = is_step_M
        if keeps_accuracy:
            share = accuracy_K[half]
            allowed_M = allowed_M & (accuracy_K[1:-1] >= share - np.sqrt(share * (1.0 - share) / len(order)))
        if not allowed_M.any():
            continue
        border = float(borders_M[np.argmax(np.where(allowed_M, f1_K[1:-1], -1.0))])
        unseen_K, _ = _by_border(truth_N, (weights_N == 0).astype(np.float64))
        chosen.append(border)
        gains.append(unseen_K[np.searchsorted(-sorted_N, -border, "right")] - unseen_K[half])
    if not chosen or not np.mean(gains) > _CLEARLY * np.std(gains):
        return None
    return round(float(np.clip(np.median(chosen), 0.001, 0.999)), _DIGITS)


def _by_border(truth_N: np.ndarray, weights_N: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Mean F1 of both labels, and accuracy, when the label is predicted for the first K of the sorted items: K from 0 to N."""
    hits_K = np.append(0.0, np.cumsum(weights_N * truth_N))
    predicted_K = np.append(0.0, np.cumsum(weights_N))
    support, total = hits_K[-1], predicted_K[-1]
    others_K = total - support - (predicted_K - hits_K)
    own_K = 2.0 * hits_K / np.maximum(predicted_K + support, 1.0)
    other_K = 2.0 * others_K / np.maximum(2.0 * total - predicted_K - support, 1.0)
    return (own_K + other_K) / 2.0, (hits_K + others_K) / max(total, 1.0)


def _best_threshold(scores_N: np.ndarray, truth_N: np.ndarray) -> float:
    support = truth_N.sum()
    if support == 0:
        return DEFAULT_THRESHOLD
    order = np.argsort(-scores_N, kind="stable")
    sorted_N = scores_N[order]
    hits_N = np.cumsum(truth_N[order])
    f1_N = 2.0 * hits_N / (np.arange(1, len(order) + 1) + support)
    is_last_of_ties = np.append(sorted_N[1:] < sorted_N[:-1], True)
    best = int(np.argmax(np.where(is_last_of_ties, f1_N, -1.0)))
    below = sorted_N[best + 1] if best + 1 < len(order) else 0.0
    return float((sorted_N[best] + below) / 2.0)  # half way to the next item leaves room on both sides

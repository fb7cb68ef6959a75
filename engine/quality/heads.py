"""Predictions of heads that have not seen an item: out-of-fold log probabilities of labels, from several heads and views.

No single head was good at ranking doubtful labels on all sets (``benchmarks/quality_labels.py``): logistic regression, linear
discriminant analysis and nearest neighbours err on different items, and so do views, that is, the backbone's features and those
made by hand. Each head's temperature is fitted out of fold, then their log probabilities are added up.

Shapes: N items, M items judged, D features, L labels, F folds.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression

from engine.quality.neighbours import principal, unit_rows

NUM_FOLDS = 5
MOST_REPEATS = 3
ENOUGH_ITEMS = 4_000
"""Folds are drawn again while repeats times items stay below twice this: small sets depend on where the folds fall."""
NUM_AXES = 256
# Chosen on Fashion-MNIST's first 2,500 test pictures and eleven kinds of stamps; judged on other sets.
INVERSE_L2 = 0.01
SHRINKAGE = 0.1
NUM_NEIGHBOURS = 15
NEIGHBOUR_WIDTH = 0.05
WHITENING_FLOOR = 0.3
MOST_REFERENCES = 20_000
_MAX_ITERATIONS = 100
_BLOCK_ROWS = 1024
_TEMPERATURES = np.geomspace(0.02, 5.0, 40)

Scores = NDArray[np.float64]
Head = Callable[[NDArray[np.float32], NDArray[np.int64], NDArray[np.float32], int], Scores]
"""Fits on ``_ND`` with targets ``_N`` and judges ``_MD``: unnormalised log probabilities ``_ML``."""

HeadsOf = Callable[[NDArray[np.float32]], list[tuple[Head, NDArray[np.float32]]]]
"""The heads for a view, each with what it makes of the view."""


def out_of_fold(
    views: Sequence[NDArray[np.float32]],
    targets_N: NDArray[np.int64],
    groups_N: NDArray[np.int64],
    *,
    seed: int,
    on_progress: Callable[[int, int], None],
    heads: HeadsOf | None = None,
) -> Scores:
    """Log probabilities ``_NL`` (up to a constant a row, temperature not fitted) from heads fitted without the item.

    Args:
        views: features of the items, ``_ND`` each.
        targets_N: labels from 0, each present.
        groups_N: items with the same number stand in one fold, since they would vouch for each other.
        seed: of the folds.
        on_progress: called after each fold; may raise to end the work.
        heads: that judge; None takes those of pictures and texts.
    """
    num, num_labels = len(targets_N), int(targets_N.max()) + 1
    num_repeats = int(np.clip(2 * ENOUGH_ITEMS // max(num, 1), 1, MOST_REPEATS))
    members = [(head, prepared) for view in views for head, prepared in (heads or _members)(view)]
    summed = [np.zeros((num, num_labels)) for _ in members]
    for repeat in range(num_repeats):
        fold_N = folds(targets_N, groups_N, seed + repeat)
        for fold in range(NUM_FOLDS):
            in_fold_N = fold_N == fold
            if in_fold_N.any():
                for total_NL, (head, rows_ND) in zip(summed, members, strict=True):
                    total_NL[in_fold_N] += head(rows_ND[~in_fold_N], targets_N[~in_fold_N], rows_ND[in_fold_N], num_labels)
            on_progress(repeat * NUM_FOLDS + fold + 1, num_repeats * NUM_FOLDS)
    return np.sum([tempered(one_NL, targets_N) for one_NL in summed], axis=0)


def tempered(scores_NL: Scores, targets_N: NDArray[np.int64]) -> Scores:
    """Log probabilities at the temperature at which the labels are likeliest.

    C. Guo, G. Pleiss, Y. Sun, K. Weinberger: "On calibration of modern neural networks", ICML 2017.
    """
    rows = np.arange(len(targets_N))
    likelihoods = [log_softmax(scores_NL * scale)[rows, targets_N].mean() for scale in _TEMPERATURES]
    return log_softmax(scores_NL * _TEMPERATURES[int(np.argmax(likelihoods))])


def log_softmax(scores_NL: Scores) -> Scores:
    """Rows as log probabilities."""
    shifted_NL = scores_NL - scores_NL.max(axis=1, keepdims=True)
    return np.asarray(shifted_NL - np.log(np.exp(shifted_NL).sum(axis=1, keepdims=True)))


def folds(targets_N: NDArray[np.int64], groups_N: NDArray[np.int64], seed: int) -> NDArray[np.int64]:
    """Folds in which labels are spread evenly and groups stay whole."""
    rng = np.random.default_rng(seed)
    fold_of: dict[int, int] = {}
    for label in np.unique(targets_N):
        groups = rng.permutation(np.unique(groups_N[targets_N == label]))
        start = int(rng.integers(NUM_FOLDS))
        for index, group in enumerate(groups):
            fold_of.setdefault(int(group), (start + index) % NUM_FOLDS)
    return np.array([fold_of[int(group)] for group in groups_N])


def _members(view_ND: NDArray[np.float32]) -> list[tuple[Head, NDArray[np.float32]]]:
    axes_ND = principal(unit_rows(view_ND), min(NUM_AXES, view_ND.shape[1], len(view_ND) - 1))
    axes_ND = axes_ND / max(float(axes_ND.std()), 1e-6)
    whitened_ND = unit_rows(axes_ND / (axes_ND.std(axis=0) + WHITENING_FLOOR))
    return [(logistic, axes_ND), (_discriminant, axes_ND), (_nearest, whitened_ND)]


def logistic(rows_ND, targets_N, queries_MD, num_labels: int) -> Scores:
    """Multinomial logistic regression."""
    out_ML = np.full((len(queries_MD), num_labels), -1e3)
    if len(only := np.unique(targets_N)) == 1:  # the others are copies of one another and stand in the fold left out
        out_ML[:, only] = 0.0
        return out_ML
    head = LogisticRegression(C=INVERSE_L2, max_iter=_MAX_ITERATIONS, tol=1e-3)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # what is left to gain is below what folds differ by
        head.fit(rows_ND, targets_N)
    found = head.decision_function(queries_MD)
    out_ML[:, head.classes_] = found if found.ndim == 2 else np.stack([-found, found], axis=1) / 2
    return out_ML


def _discriminant(rows_ND, targets_N, queries_MD, num_labels: int) -> Scores:
    """One covariance for all labels, shrunk towards the sphere."""
    counts_L = np.bincount(targets_N, minlength=num_labels)
    means_LD = np.zeros((num_labels, rows_ND.shape[1]))
    np.add.at(means_LD, targets_N, rows_ND)
    means_LD /= np.maximum(counts_L, 1)[:, None]
    rest_ND = rows_ND - means_LD[targets_N].astype(np.float32)
    covariance_DD = (rest_ND.T @ rest_ND / len(rest_ND)).astype(np.float64)
    sphere = np.trace(covariance_DD) / len(covariance_DD) * np.eye(len(covariance_DD))
    weight_DL = np.linalg.solve((1 - SHRINKAGE) * covariance_DD + SHRINKAGE * sphere + 1e-9 * np.eye(len(sphere)), means_LD.T)
    shares_L = np.log(np.maximum(counts_L, 1e-3) / len(targets_N))
    return np.asarray(queries_MD @ weight_DL - 0.5 * (means_LD * weight_DL.T).sum(axis=1) + shares_L)


def _nearest(units_ND, targets_N, queries_MD, num_labels: int) -> Scores:
    """Votes of the nearest, weighted by how near they are; half a vote is spread evenly."""
    chosen = slice(None, None, -(-len(units_ND) // MOST_REFERENCES))
    base_ND, votes_N = units_ND[chosen], targets_N[chosen]
    k = min(NUM_NEIGHBOURS, len(base_ND))
    out_ML = np.full((len(queries_MD), num_labels), 0.5 / num_labels)
    for start in range(0, len(queries_MD), _BLOCK_ROWS):
        cosines_QN = queries_MD[start : start + _BLOCK_ROWS] @ base_ND.T
        near_QK = np.argpartition(-cosines_QN, k - 1, axis=1)[:, :k]
        found_QK = np.take_along_axis(cosines_QN, near_QK, axis=1)
        weights_QK = np.exp((found_QK - found_QK.max(axis=1, keepdims=True)) / NEIGHBOUR_WIDTH)
        rows_QK = np.broadcast_to(np.arange(start, start + len(near_QK))[:, None], near_QK.shape)
        np.add.at(out_ML, (rows_QK, votes_N[near_QK]), weights_QK)
    return np.log(out_ML / out_ML.sum(axis=1, keepdims=True))

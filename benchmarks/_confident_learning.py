"""What suspects are compared with: confident learning as its authors prune, and the label's own confidence.

C. Northcutt, L. Jiang, I. Chuang, "Confident learning: estimating uncertainty in dataset labels", JAIR 70, 2021. Written from
the paper. Shapes: N items, L labels.
"""

from __future__ import annotations

import numpy as np


def confident_joint(confidence_NL: np.ndarray, targets_N: np.ndarray) -> np.ndarray:
    """Items by given label and by the label they are confident of, scaled to the number given each label ``_LL``.

    An item is confident of a label when it is at least as sure of it as those that carry it are on average.
    """
    num_labels = confidence_NL.shape[1]
    given_N = confidence_NL[np.arange(len(targets_N)), targets_N]
    usual_L = np.array([given_N[targets_N == label].mean() for label in range(num_labels)])
    above_NL = np.where(confidence_NL >= usual_L - 1e-9, confidence_NL, 0.0)
    is_confident_N = above_NL.any(axis=1)
    counts_LL = np.zeros((num_labels, num_labels))
    np.add.at(counts_LL, (targets_N[is_confident_N], above_NL[is_confident_N].argmax(axis=1)), 1)
    num_given_L = np.bincount(targets_N, minlength=num_labels)
    return np.asarray(counts_LL / np.maximum(counts_LL.sum(axis=1, keepdims=True), 1) * num_given_L[:, None])


def pruned_by_both(confidence_NL: np.ndarray, targets_N: np.ndarray) -> np.ndarray:
    """Confident learning's own choice ("prune by both"): those that pruning by class and by noise rate agree on ``_N``."""
    joint_LL = confident_joint(confidence_NL, targets_N)
    rows = np.arange(len(targets_N))
    given_N = confidence_NL[rows, targets_N]
    by_class_N, by_rate_N = np.zeros(len(rows), dtype=bool), np.zeros(len(rows), dtype=bool)
    for label in range(len(joint_LL)):
        mine = np.flatnonzero(targets_N == label)
        wrong_L = np.round(joint_LL[label]).astype(int)
        by_class_N[mine[np.argsort(given_N[mine], kind="stable")[: len(mine) - wrong_L[label]]]] = True
        for other in np.flatnonzero(wrong_L):
            if other != label:
                gain = confidence_NL[mine, other] - given_N[mine]
                by_rate_N[mine[np.argsort(-gain, kind="stable")[: wrong_L[other]]]] = True
    return by_class_N & by_rate_N & (confidence_NL.argmax(axis=1) != targets_N)

"""Labels that a model which has not seen the item disagrees with.

Confident learning: C. Northcutt, L. Jiang, I. Chuang, "Confident learning: estimating uncertainty in dataset labels", JAIR 70,
2021. A linear head on frozen features is fitted in five folds; a label is a suspect when the head gives another
one more than that other's usual confidence. Copies of a picture stand in one fold, since they would vouch for each other.

Shapes: N labelled items, D features, L labels.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from automl.contracts.quality import Finding, FindingKind, QualityItem
from engine.quality.neighbours import principal

NUM_FOLDS = 5
LEAST_ITEMS = 40
LEAST_PER_LABEL = 5
LEAST_ACCURACY = 0.6
"""Of the head on items it has not seen; the disagreement of a worse one says nothing."""
NUM_AXES = 192
L2 = 0.1
MAX_ITERATIONS = 60


@dataclass(frozen=True)
class Suspects:
    """What came of it."""

    findings: list[Finding]
    error_fraction: float
    """Estimated share of wrong labels."""
    ranking: list[str]
    """All items looked at, the least believable label first."""
    accuracy: float
    """Of the head on items it had not seen, against the labels as they are."""


def usable_rows(items: Sequence[QualityItem]) -> list[int]:
    """Rows with exactly one label, of labels with enough items; empty when there is too little to learn from."""
    single = [row for row, item in enumerate(items) if item.is_annotated and len(item.labels) == 1]
    if sum(item.is_annotated for item in items) > 2 * len(single):  # several labels an item
        return []
    names, counts = np.unique([items[row].labels[0] for row in single] or [""], return_counts=True)
    frequent = set(names[counts >= LEAST_PER_LABEL].tolist())
    rows = [row for row in single if items[row].labels[0] in frequent]
    return rows if len(rows) >= LEAST_ITEMS and len(frequent) >= 2 else []


def suspects(
    items: Sequence[QualityItem],
    vectors_ND: NDArray[np.float32],
    folds_by: Sequence[int],
    *,
    seed: int,
    on_progress: Callable[[int, int], None],
) -> Suspects:
    """Looks for wrong labels among items with one label each.

    Args:
        items: N of them.
        vectors_ND: their features.
        folds_by: a number for each item; items with the same number stand in one fold.
        seed: of the folds.
        on_progress: told after each fold; may raise to end the work.
    """
    names, targets_N = np.unique([item.labels[0] for item in items], return_inverse=True)
    fold_N = _folds(targets_N, np.asarray(folds_by), seed)
    probabilities_NL = _out_of_fold(vectors_ND, targets_N, fold_N, len(names), on_progress)
    rows = np.arange(len(items))
    given_N = probabilities_NL[rows, targets_N]
    suggested_N = _suggested(probabilities_NL, targets_N)
    others_NL = probabilities_NL.copy()
    others_NL[rows, targets_N] = -1
    margin_N = given_N - others_NL.max(axis=1)
    is_suspect_N = suggested_N != targets_N
    ranking = [items[row].item for row in np.argsort(margin_N, kind="stable")]
    accuracy = float((margin_N > 0).mean())
    if accuracy < LEAST_ACCURACY:
        return Suspects([], 0.0, ranking, accuracy)
    findings = [
        _finding(items[row], names, suggested_N[row], float(given_N[row]), probabilities_NL[row])
        for row in map(int, np.flatnonzero(is_suspect_N))
    ]
    return Suspects(findings, float(is_suspect_N.mean()), ranking, accuracy)


def _suggested(probabilities_NL: NDArray[np.float64], targets_N: NDArray) -> NDArray:
    """The labels that items should have: their own, but for as many as the confident joint says are wrong.

    Items are counted as label j when they are at least as sure of j as those that carry j are on average. Of the items with
    label i, as many as that count gives to j are taken, those first that prefer j most ("prune by noise rate").
    """
    num_labels = probabilities_NL.shape[1]
    rows = np.arange(len(targets_N))
    given_N = probabilities_NL[rows, targets_N]
    usual_L = np.array([given_N[targets_N == label].mean() for label in range(num_labels)])
    confident_NL = np.where(probabilities_NL >= usual_L, probabilities_NL, 0.0)
    is_sure_N = confident_NL.any(axis=1)
    joint_LL = np.zeros((num_labels, num_labels))
    np.add.at(joint_LL, (targets_N[is_sure_N], confident_NL[is_sure_N].argmax(axis=1)), 1)
    suggested_N, best_N = targets_N.copy(), np.zeros(len(targets_N))
    for label in range(num_labels):
        mine = np.flatnonzero(targets_N == label)
        wrong_L = joint_LL[label] / max(1.0, joint_LL[label].sum()) * len(mine)
        for other in np.flatnonzero(np.round(wrong_L)):
            if other == label:
                continue
            gain = probabilities_NL[mine, other] - probabilities_NL[mine, label]
            for place in np.argsort(-gain, kind="stable")[: round(wrong_L[other])]:
                row = mine[place]
                if gain[place] > best_N[row]:
                    suggested_N[row], best_N[row] = other, gain[place]
    return suggested_N


def _finding(item: QualityItem, names: NDArray, suggested: int, given: float, probabilities_L: NDArray) -> Finding:
    confidence = float(probabilities_L[suggested])
    detail = {
        "label": item.labels[0],
        "suggested": str(names[suggested]),
        "confidence": round(confidence, 4),
        "given_confidence": round(given, 4),
    }
    severity = min(1.0, max(0.0, (1 + confidence - given) / 2))
    return Finding(item=item.item, kind=FindingKind.WRONG_LABEL, severity=severity, detail=detail)


def _out_of_fold(vectors_ND, targets_N, fold_N, num_labels, on_progress) -> NDArray[np.float64]:
    """Probabilities of each item from a head that was fitted without it and its copies."""
    axes = min(NUM_AXES, vectors_ND.shape[1], len(vectors_ND) - 1)
    reduced_ND = torch.from_numpy(principal(vectors_ND, axes))
    reduced_ND = reduced_ND / reduced_ND.std(dim=0).clamp(min=1e-6).mean()
    out_NL = np.zeros((len(targets_N), num_labels))
    targets = torch.from_numpy(targets_N.astype(np.int64))
    for fold in range(NUM_FOLDS):
        held = torch.from_numpy(fold_N == fold)
        if held.any():
            weight_LD, bias_L = _fitted(reduced_ND[~held], targets[~held], num_labels)
            logits_NL = reduced_ND[held] @ weight_LD.T + bias_L
            out_NL[held.numpy()] = torch.softmax(logits_NL, dim=1).double().numpy()
        on_progress(fold + 1, NUM_FOLDS)
    return out_NL


def _folds(targets_N: NDArray, groups_N: NDArray, seed: int) -> NDArray[np.int64]:
    """Folds in which labels are spread evenly and groups stay whole."""
    rng = np.random.default_rng(seed)
    fold_of: dict[int, int] = {}
    for label in np.unique(targets_N):
        groups = rng.permutation(np.unique(groups_N[targets_N == label]))
        start = int(rng.integers(NUM_FOLDS))
        for index, group in enumerate(groups):
            fold_of.setdefault(int(group), (start + index) % NUM_FOLDS)
    return np.array([fold_of[int(group)] for group in groups_N])


def _fitted(vectors_ND: torch.Tensor, targets_N: torch.Tensor, num_labels: int) -> tuple[torch.Tensor, torch.Tensor]:
    weight_LD = torch.zeros((num_labels, vectors_ND.shape[1]), requires_grad=True)
    bias_L = torch.zeros(num_labels, requires_grad=True)
    optimizer = torch.optim.LBFGS([weight_LD, bias_L], max_iter=MAX_ITERATIONS, line_search_fn="strong_wolfe")

    def closure() -> torch.Tensor:
        optimizer.zero_grad()
        logits_NL = vectors_ND @ weight_LD.T + bias_L
        loss = torch.nn.functional.cross_entropy(logits_NL, targets_N) + 0.5 * L2 * weight_LD.square().sum()
        loss.backward()
        return loss

    optimizer.step(closure)
    return weight_LD.detach(), bias_L.detach()

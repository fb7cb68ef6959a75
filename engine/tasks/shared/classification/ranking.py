"""How well scores rank items, and whether they may be read as probabilities. In numpy alone. Shapes: N items, L labels.

Each label stands against all others. A label that no item of the split carries, or every item, ranks nothing and is left out.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from automl.contracts.report import Calibration, CalibrationBin, PrecisionRecall, RocCurve

NUM_POINTS = 200
"""Of a curve, at most: what a screen shows."""
NUM_BINS = 10
NUM_CURVES = 20
"""Labels that get a curve, the commonest of the split."""
_DRAWN_ITEMS, _DRAWN_SCORES, _ROUNDS = 1_000_000, 20_000_000, (20, 200)
"""Of a bootstrap: items and their scores in all rounds, and the fewest and most rounds."""
NOTHING_RANKED = 0.5
"""The area where no label can be told from others: what guessing would give."""
_Z = 1.959964
"""97.5% point of the normal distribution."""


def area(scores_NL: np.ndarray, truth_NL: np.ndarray) -> float:
    """Area under the ROC curve, each label against the others, averaged over labels (Hanley and McNeil 1982).

    Args:
        scores_NL: larger is likelier.
        truth_NL: zeros and ones.
    """
    areas = [float(placed_N[truth_N].mean()) for placed_N, truth_N in _placed(scores_NL, truth_NL)]
    return float(np.mean(areas)) if areas else NOTHING_RANKED


def calibration_error(scores_NL: np.ndarray, targets: np.ndarray) -> float:
    """How far scores are from the share of right answers, by items in ten bins (Naeini et al. 2015, Guo et al. 2017), 0..1.

    Args:
        scores_NL: 0..1.
        targets: ``_N`` indices (one label): the best score of each item is looked at. ``_NL`` zeros and ones (several): every
            score is, and the share of items that carry the label.
    """
    if targets.ndim == 2:
        scores_M, is_right_M = scores_NL.ravel(), targets.ravel()
    else:
        scores_M, is_right_M = scores_NL.max(axis=1), scores_NL.argmax(axis=1) == targets
    bins_M = np.minimum((scores_M * NUM_BINS).astype(np.int64), NUM_BINS - 1)
    off_B = np.bincount(bins_M, weights=scores_M - is_right_M, minlength=NUM_BINS)
    return float(np.abs(off_B).sum() / len(scores_M))


def area_interval(scores_NL: np.ndarray, truth_NL: np.ndarray) -> tuple[float, float]:
    """95% interval of ``area``: DeLong's variance (1988), on the logit scale so that it stays between 0 and 1.

    An area of exactly 1 or 0 has no variance; there it is Wilson's interval of a share among as many items as the smallest side
    of a label has.
    """
    influences, areas, smallest = [], [], len(scores_NL)
    for placed_N, truth_N in _placed(scores_NL, truth_NL):
        here = float(placed_N[truth_N].mean())
        share = float(truth_N.mean())
        influences.append((placed_N - here) / np.where(truth_N, share, 1.0 - share))
        areas.append(here)
        smallest = min(smallest, int(truth_N.sum()), int((~truth_N).sum()))
    if not areas:
        return 0.0, 1.0
    center = float(np.mean(areas))
    if center in {0.0, 1.0}:
        reach = _Z * _Z / (smallest + _Z * _Z)
        return (1.0 - reach, 1.0) if center == 1.0 else (0.0, reach)
    error = float(np.std(np.mean(influences, axis=0))) / np.sqrt(len(scores_NL))
    logit, reach = np.log(center / (1.0 - center)), _Z * error / (center * (1.0 - center))
    low, high = (1.0 / (1.0 + np.exp(-(logit + side * reach))) for side in (-1, 1))
    return float(low), float(high)


def average_precision(scores_N: np.ndarray, truth_N: np.ndarray) -> float | None:
    """Mean precision over recall of one label, 0..1; None when no item carries it."""
    hits_K, predicted_K, _ = _steps(scores_N, truth_N)
    total = hits_K[-1]
    if total == 0:
        return None
    return float((np.diff(hits_K, prepend=0) * hits_K / predicted_K).sum() / total)


def mean_precision(scores_NL: np.ndarray, truth_NL: np.ndarray) -> float:
    """Average precision, each label against the others, averaged over labels; 0 where no label ranks."""
    found = [
        average_precision(scores_N, truth_N)
        for scores_N, truth_N in zip(scores_NL.T, truth_NL.T.astype(bool), strict=True)
        if truth_N.any() and not truth_N.all()
    ]
    return float(np.mean([each for each in found if each is not None])) if found else 0.0


def mean_precision_interval(scores_NL: np.ndarray, truth_NL: np.ndarray, *, seed: int = 0) -> tuple[float, float]:
    """95% interval of ``mean_precision``: the spread if the same number of items were drawn again (bootstrap)."""
    num_items = len(scores_NL)
    most = min(_DRAWN_ITEMS // max(1, num_items), _DRAWN_SCORES // max(1, scores_NL.size))
    rounds = int(np.clip(most, *_ROUNDS))
    random, sums_R, num_labels = np.random.default_rng(seed), np.zeros(rounds), 0
    drawn = [np.bincount(random.integers(0, num_items, num_items), minlength=num_items) for _ in range(rounds)]
    for scores_N, truth_N in zip(scores_NL.T, truth_NL.T.astype(bool), strict=True):
        if truth_N.all() or not truth_N.any():
            continue
        num_labels += 1
        order_N = np.argsort(-scores_N, kind="stable")
        ends_K = np.flatnonzero(np.append(np.diff(scores_N[order_N]) != 0, True))
        for place, counts_N in enumerate(drawn):
            hits_K = np.cumsum(counts_N[order_N] * truth_N[order_N])[ends_K]
            predicted_K = np.maximum(np.cumsum(counts_N[order_N])[ends_K], 1)
            sums_R[place] += (np.diff(hits_K, prepend=0) * hits_K / predicted_K).sum() / max(1, hits_K[-1])
    if not num_labels:
        return 0.0, 1.0
    low, high = np.quantile(sums_R / num_labels, (0.025, 0.975))
    return float(low), float(high)


def curves(
    scores_NL: np.ndarray, truth_NL: np.ndarray, labels: Sequence[str]
) -> tuple[tuple[RocCurve, ...], tuple[PrecisionRecall, ...], tuple[Calibration, ...]]:
    """What a page draws of the commonest labels, in the label set's order."""
    common = sorted(np.argsort(-truth_NL.sum(axis=0), kind="stable")[:NUM_CURVES].tolist())
    drawn = [label for label in common if 0 < truth_NL[:, label].sum() < len(truth_NL)]
    return (
        tuple(_roc(scores_NL[:, i], truth_NL[:, i], labels[i]) for i in drawn),
        tuple(_precision_recall(scores_NL[:, i], truth_NL[:, i], labels[i]) for i in drawn),
        tuple(_calibration(scores_NL[:, i], truth_NL[:, i], labels[i]) for i in drawn),
    )


def _placed(scores_NL: np.ndarray, truth_NL: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
    """Of each label that ranks: the placements ``_N`` of items, and which of them carry it.

    An item's placement is the share of the other side that it stands on the right side of; equals count half.
    """
    found = []
    for scores_N, truth_N in zip(scores_NL.T, truth_NL.T.astype(bool), strict=True):
        if truth_N.all() or not truth_N.any():
            continue
        carry, others = np.sort(scores_N[truth_N]), np.sort(scores_N[~truth_N])
        placed_N = np.empty(len(scores_N))
        placed_N[truth_N] = _below(others, scores_N[truth_N])
        placed_N[~truth_N] = 1.0 - _below(carry, scores_N[~truth_N])
        found.append((placed_N, truth_N))
    return found


def _below(sorted_M: np.ndarray, scores_K: np.ndarray) -> np.ndarray:
    ends = np.searchsorted(sorted_M, scores_K, "left") + np.searchsorted(sorted_M, scores_K, "right")
    return ends / (2.0 * len(sorted_M))


def _steps(scores_N: np.ndarray, truth_N: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """From the highest score to the lowest, one step a different score: items that carry the label, all items, the score."""
    order = np.argsort(-scores_N, kind="stable")
    sorted_N = scores_N[order]
    is_last = np.append(sorted_N[1:] < sorted_N[:-1], True)
    hits_K = np.cumsum(truth_N[order])[is_last]
    return hits_K, np.flatnonzero(is_last) + 1, sorted_N[is_last]


def _roc(scores_N: np.ndarray, truth_N: np.ndarray, label: str) -> RocCurve:
    hits_K, predicted_K, score_K = _steps(scores_N, truth_N)
    found = np.concatenate([[0.0], hits_K / hits_K[-1]])
    false = np.concatenate([[0.0], (predicted_K - hits_K) / (predicted_K[-1] - hits_K[-1])])
    above = float(np.nextafter(np.float32(max(1.0, score_K[0])), np.float32(2.0)))
    drawn = _thinned(found + false)
    return RocCurve(
        label=label,
        false_positive_rate=tuple(false[drawn].tolist()),
        true_positive_rate=tuple(found[drawn].tolist()),
        score=tuple(np.concatenate([[above], score_K])[drawn].tolist()),
        area=float(np.trapezoid(found, false)),
    )


def _precision_recall(scores_N: np.ndarray, truth_N: np.ndarray, label: str) -> PrecisionRecall:
    hits_K, predicted_K, score_K = _steps(scores_N, truth_N)
    recall_K = hits_K / hits_K[-1]
    drawn = _thinned(recall_K)
    return PrecisionRecall(
        label=label,
        recall=tuple(recall_K[drawn].tolist()),
        precision=tuple((hits_K / predicted_K)[drawn].tolist()),
        score=tuple(score_K[drawn].astype(float).tolist()),
    )


def _calibration(scores_N: np.ndarray, truth_N: np.ndarray, label: str) -> Calibration:
    places_N = np.clip((scores_N * NUM_BINS).astype(np.int64), 0, NUM_BINS - 1)
    count_B = np.bincount(places_N, minlength=NUM_BINS)
    score_B = np.bincount(places_N, weights=scores_N, minlength=NUM_BINS) / np.maximum(count_B, 1)
    share_B = np.bincount(places_N, weights=truth_N, minlength=NUM_BINS) / np.maximum(count_B, 1)
    bins = tuple(
        CalibrationBin(
            low=place / NUM_BINS,
            high=(place + 1) / NUM_BINS,
            count=int(count_B[place]),
            mean_score=float(score_B[place]),
            share=float(share_B[place]),
        )
        for place in np.flatnonzero(count_B).tolist()
    )
    error = float((count_B * np.abs(share_B - score_B)).sum() / len(scores_N))
    return Calibration(label=label, bins=bins, error=min(error, 1.0))


def _thinned(along_K: np.ndarray) -> np.ndarray:
    """Places of at most ``NUM_POINTS`` points that lie evenly along a coordinate that never falls, the ends among them."""
    if len(along_K) <= NUM_POINTS:
        return np.arange(len(along_K))
    even = np.linspace(along_K[0], along_K[-1], NUM_POINTS - 1)
    return np.unique(np.append(np.searchsorted(along_K, even), [0, len(along_K) - 1]).clip(0, len(along_K) - 1))

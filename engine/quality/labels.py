"""Labels that models which have not seen the item disagree with.

``heads.py`` says what the models think, ``belief.py`` how far that makes a label doubtful. Listed are labels that are more
likely wrong than right, the least believable first; of the first ones, down to a limit in the report, nine of ten are
expected to be wrong. Copies of a picture stand in one fold, since they would vouch for each other.

Shapes: N labelled items, D features.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from automl.contracts.quality import Finding, FindingKind, QualityItem
from engine.quality.belief import Belief, believed, sure
from engine.quality.heads import HeadsOf, out_of_fold

LEAST_ITEMS = 40
LEAST_PER_LABEL = 5
LEAST_ACCURACY = 0.6
"""Of the heads on items they have not seen; the disagreement of worse ones says nothing."""
LEAST_BELIEF = 0.5


@dataclass(frozen=True)
class Suspects:
    """Labels that are probably wrong."""

    findings: list[Finding]
    """The least believable label first; severity is the probability that the label is wrong."""
    num_sure: int
    """So many of the first findings that nine of ten are expected to be wrong."""
    error_fraction: float
    """Estimated share of wrong labels, those that cannot be named among them."""
    error_interval: tuple[float, float]
    """95% interval of the share."""
    ranking: list[str]
    """All items looked at, the least believable label first."""
    accuracy: float
    """Of the heads on items they had not seen, against the labels as they are."""


def usable_rows(items: Sequence[QualityItem]) -> list[int]:
    """Rows with one label of the whole item, of labels with enough items; empty when there is too little to learn from."""
    single = [row for row, item in enumerate(items) if item.is_annotated and item.is_whole and len(item.labels) == 1]
    if sum(item.is_annotated for item in items) > 2 * len(single):  # several labels an item
        return []
    names, counts = np.unique([items[row].labels[0] for row in single] or [""], return_counts=True)
    frequent = set(names[counts >= LEAST_PER_LABEL].tolist())
    rows = [row for row in single if items[row].labels[0] in frequent]
    return rows if len(rows) >= LEAST_ITEMS and len(frequent) >= 2 else []


def suspects(
    items: Sequence[QualityItem],
    views: Sequence[NDArray[np.float32]],
    folds_by: Sequence[int],
    *,
    seed: int,
    on_progress: Callable[[int, int], None],
    heads: HeadsOf | None = None,
) -> Suspects:
    """Looks for wrong labels among items with one label each.

    Args:
        items: N of them.
        views: their features ``_ND``, one array a way of looking at them.
        folds_by: a number for each item; items with the same number stand in one fold.
        seed: of the folds.
        on_progress: called after each fold; may raise to end the work.
        heads: that judge; None takes those of pictures and texts.
    """
    names, targets_N = np.unique([item.labels[0] for item in items], return_inverse=True)
    scores_NL = out_of_fold(views, targets_N, np.asarray(folds_by), seed=seed, on_progress=on_progress, heads=heads)
    belief = believed(scores_NL, targets_N)
    order_N = np.argsort(-belief.wrong_N, kind="stable")
    ranking = [items[row].item for row in order_N]
    accuracy = float((scores_NL.argmax(axis=1) == targets_N).mean())
    if accuracy < LEAST_ACCURACY:
        return Suspects([], 0, 0.0, (0.0, 1.0), ranking, accuracy)
    num_sure = sure(belief.wrong_N)
    listed = max(num_sure, int((belief.wrong_N > LEAST_BELIEF).sum()))
    findings = [_finding(items[row], int(row), names, belief) for row in order_N[:listed]]
    return Suspects(findings, num_sure, belief.noise_fraction, belief.noise_interval, ranking, accuracy)


def _finding(item: QualityItem, row: int, names: NDArray, belief: Belief) -> Finding:
    given = int(np.flatnonzero(names == item.labels[0])[0])
    others_L = belief.confidence_NL[row].copy()
    others_L[given] = -1
    suggested = int(others_L.argmax())
    detail = {
        "label": item.labels[0],
        "suggested": str(names[suggested]),
        "confidence": round(float(others_L[suggested]), 4),
        "given_confidence": round(float(belief.confidence_NL[row, given]), 4),
    }
    return Finding(
        item=item.item,
        kind=FindingKind.WRONG_LABEL,
        severity=float(np.clip(belief.wrong_N[row], 0, 1)),
        detail=detail,
    )

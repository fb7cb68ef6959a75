"""Labels in doubt, notes on them as a whole, and the share that is wrong: of pictures and texts alike."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from automl.contracts.quality import Finding, FindingKind, Note, NoteCode, QualityItem
from engine.quality import labels
from engine.quality.heads import HeadsOf


@dataclass(frozen=True)
class Doubts:
    """The result of looking for wrong labels."""

    findings: Sequence[Finding]
    notes: Sequence[Note]
    error_fraction: float | None
    error_interval: tuple[float, float] | None = None
    limits: Mapping[str, float] = field(default_factory=dict)


def doubts(
    items: Sequence[QualityItem],
    views: Sequence[NDArray[np.float32]],
    cluster_of: Sequence[int],
    *,
    is_handmade: bool,
    seed: int,
    on_progress: Callable[[int, int], None],
    heads: HeadsOf | None = None,
) -> Doubts:
    """Looks for wrong labels, where enough labelled items are there and models can learn from them.

    Args:
        items: N of them.
        views: their features ``_ND``, one array a way of looking at them.
        cluster_of: a number for each item that its copies share.
        is_handmade: whether no pretrained weights were at hand, which is reported.
        seed: of the folds.
        on_progress: called after each fold; may raise to end the work.
        heads: that judge; None takes those of pictures and texts.
    """
    weights = [Note(code=NoteCode.NO_WEIGHTS)] if is_handmade else []
    usable = labels.usable_rows(items)
    if not all(item.is_whole for item in items):
        return Doubts([], weights, None)
    if not usable:
        return Doubts([], [Note(code=NoteCode.NO_SUSPECTS, value=labels.LEAST_ITEMS), *weights], None)
    looked = labels.suspects(
        [items[row] for row in usable],
        [view_ND[usable] for view_ND in views],
        [cluster_of[row] for row in usable],
        seed=seed,
        on_progress=on_progress,
        heads=heads,
    )
    if looked.accuracy < labels.LEAST_ACCURACY:
        weak = Note(code=NoteCode.WEAK_MODEL, value=round(looked.accuracy, 3), limit=labels.LEAST_ACCURACY)
        return Doubts([], [weak, *weights], None)
    limit = looked.findings[looked.num_sure - 1].severity if looked.num_sure else 1.0
    expected = float(round(looked.error_fraction * len(usable)))
    note = Note(code=NoteCode.WRONG_LABELS_EXPECTED, value=expected, limit=float(looked.num_sure))
    notes = [note] if expected else []
    limits = {FindingKind.WRONG_LABEL.value: limit}
    return Doubts(looked.findings, [*notes, *weights], looked.error_fraction, looked.error_interval, limits)

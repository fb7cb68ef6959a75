"""The report's numbers about the dataset as a whole: balance, histograms, notes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from automl.contracts.dataset import Split
from automl.contracts.quality import Histogram, LabelCount, Note, NoteCode, QualityItem

FEW_ITEMS = 100
IMBALANCE = 10.0
"""Times that the most frequent label outnumbers the rarest."""
RARE = 10
_BINS = 24


def label_counts(items: Sequence[QualityItem], label_set: Sequence[str]) -> tuple[LabelCount, ...]:
    """Counts of each label by split, in the label set's order; unknown labels behind."""
    counts: Counter[tuple[str, Split]] = Counter((label, item.split) for item in items for label in set(item.labels))
    names = list(dict.fromkeys([*label_set, *sorted(label for label, _ in counts)]))
    return tuple(
        LabelCount(
            label=name,
            num_items=sum(counts[name, split] for split in Split),
            num_items_by_split={split: counts[name, split] for split in Split},
        )
        for name in names
    )


def notes_of(items: Sequence[QualityItem], labels: Sequence[LabelCount]) -> list[Note]:
    """Notes on number and balance."""
    notes = []
    num_annotated = sum(item.is_annotated for item in items)
    if num_annotated < FEW_ITEMS:
        notes.append(Note(code=NoteCode.FEW_ITEMS, value=num_annotated, limit=FEW_ITEMS))
    used = [one for one in labels if one.num_items]
    if len(used) >= 2:
        most, least = max(one.num_items for one in used), min(one.num_items for one in used)
        if most > IMBALANCE * least:
            rarest = min(used, key=lambda one: one.num_items)
            notes.append(Note(code=NoteCode.IMBALANCE, label=rarest.label, value=round(most / least, 1), limit=IMBALANCE))
    for one in labels:
        if not one.num_items:
            notes.append(Note(code=NoteCode.UNUSED_LABEL, label=one.label, value=0))
        elif one.num_items < RARE:
            notes.append(Note(code=NoteCode.RARE_LABEL, label=one.label, value=one.num_items, limit=RARE))
        for split in Split:
            if one.num_items and not one.num_items_by_split[split]:
                notes.append(Note(code=NoteCode.LABEL_NOT_IN_SPLIT, label=one.label, split=split, value=0))
    return notes


def histogram(values: Sequence[float], *, is_log: bool = False, span: tuple[float, float] | None = None) -> Histogram:
    """Counts in bins of equal width.

    Args:
        values: of the items.
        is_log: whether bins are equal in the logarithm; values are positive then.
        span: from where to where, otherwise all values; what lies outside counts in the outermost bins.
    """
    if not values:
        return Histogram(edges=(), counts=())
    array = np.asarray(values, dtype=np.float64)
    if is_log:
        low, high = float(array.min()), float(array.max())
        edges = np.geomspace(low / 1.02, high * 1.02, _BINS + 1)
    else:
        low, high = span or (float(array.min()), float(array.max()))
        edges = np.linspace(low, high, _BINS + 1)
    counts, _ = np.histogram(np.clip(array, edges[0], edges[-1]), edges)
    return Histogram(edges=tuple(round(float(edge), 5) for edge in edges), counts=tuple(int(count) for count in counts))

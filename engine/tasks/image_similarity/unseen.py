"""Which labels are never learned from, so that reports can judge by things never seen. Without torch."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

FEWEST_LABELS = 10
"""With fewer every label is needed to learn from."""
SHARE = 0.2
FEWEST_UNSEEN = 2


def unseen_places(labels: Sequence[str]) -> frozenset[int]:
    """Places of the labels that are not learned from: always the same of the same labels, chosen by a hash of their names.

    Args:
        labels: names in the order of the targets.
    """
    if len(labels) < FEWEST_LABELS:
        return frozenset()
    number = max(FEWEST_UNSEEN, round(SHARE * len(labels)))
    ordered = sorted(range(len(labels)), key=lambda place: hashlib.sha256(labels[place].encode()).digest())
    return frozenset(ordered[:number])

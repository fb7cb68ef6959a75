"""Which items a person labels next. Pure: what it may choose from is given, so every case is a plain test."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Candidate:
    """An unlabelled item."""

    item: str
    uncertainty_fraction: float | None = None
    """How unsure a deployed model was of it, 0..1; None when it did not come from one."""
    rank: int | None = None
    """Its place in the order of usefulness, from 0; None when it has none."""


def choose(
    candidates: Iterable[Candidate], *, mine: Collection[str], leased: Collection[str], skip: Collection[str], count: int
) -> list[str]:
    """Chooses up to ``count`` items.

    What the person holds already comes first, so that reloading the page changes nothing. Then the items that a deployed model
    was least sure of, because a correction there teaches most. Then those that the dataset's strategy ranks. Then the oldest.

    Args:
        candidates: unlabelled items.
        mine: items this person holds.
        leased: items somebody else holds; never chosen.
        skip: items the person does not want now.
        count: how many, at least 1.
    """
    free = [one for one in candidates if one.item not in leased and one.item not in skip]
    free.sort(
        key=lambda one: (
            one.item not in mine,
            -(one.uncertainty_fraction or 0.0),
            math.inf if one.rank is None else one.rank,
            one.item,
        )
    )
    return [one.item for one in free[:count]]

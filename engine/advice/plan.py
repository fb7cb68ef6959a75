"""How much is measured for a data set of some size, and about how long that takes. No torch here: the platform reads this."""

from __future__ import annotations

from dataclasses import dataclass

LEAST_ITEMS = 15
"""Of a label: a quarter of four fifths of them are three."""
MOST_ITEMS = 10_000
"""That are learned from; of more they are drawn."""
MOST_LABELS = 20
_DRAWS = ((2_000, 4),)
"""(items, draws): more items agree more from draw to draw."""
_LEAST_DRAWS = 3
_POINTS, _FOLDS = 4, 5
_FEATURE_S = 0.025
"""Of an item on one core, the dearest kind; later jobs of the version find them in the cache."""
_FIT_S, _FIT_S_ITEM = 0.01, 5e-6
"""Of a head, and of an item and label that it learns."""


@dataclass(frozen=True)
class AdvicePlan:
    """What is measured."""

    num_used: int
    num_draws: int
    num_labels: int
    """Labels with a curve of their own, at most."""
    seconds: float
    """About, on one core."""


def plan_of(num_items: int, num_labels: int) -> AdvicePlan:
    """The plan for a version.

    Args:
        num_items: of train and validation.
        num_labels: 0 where a number is predicted.
    """
    used = min(num_items, MOST_ITEMS)
    draws = next((draws for items, draws in _DRAWS if used <= items), _LEAST_DRAWS)
    labels = min(num_labels, MOST_LABELS)
    fits = draws * _FOLDS * (_POINTS * (labels + 1) + 1)
    seconds = num_items * _FEATURE_S + fits * (_FIT_S + _FIT_S_ITEM * used * max(1, num_labels))
    return AdvicePlan(num_used=used, num_draws=draws, num_labels=labels, seconds=seconds)

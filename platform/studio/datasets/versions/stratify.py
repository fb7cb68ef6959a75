"""Which groups validate and test, so that each label has its share of every split: pure.

Within a label the order is that of the groups' hashes, so the same items give the same splits, whatever order they came in.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from automl.contracts.dataset import Split, SplitShares, split_position

LEAST_TESTED = 5
"""Items of a rare label that test it at least: of fewer a report shows no figures."""
LEAST_VALIDATED = 3
"""Items of such a label that choose between models and end their training at least; more are left to training."""
_ENOUGH = 4 * LEAST_TESTED
"""Items of a label from which on it can spare so many."""
_LEAST = {Split.TEST: LEAST_TESTED, Split.VALIDATION: LEAST_VALIDATED}
_RARE_PARTS = 5
"""Times as many items has the commonest label: where all labels have few items, none gives more than its share."""


@dataclass(frozen=True)
class SplitGroup:
    """Items that are never separated."""

    name: str
    label: str
    """The rarest label on its items; empty where nothing is on them."""
    num_items: int
    fixed: Split | None = None
    """Where it stands and stays: a version holds it."""


def stratified(groups: Iterable[SplitGroup], shares: SplitShares, *, commonest: int = 0) -> dict[str, Split]:
    """Splits by name of the groups that are not fixed.

    Each label gives its share to test and to validation, rounded; what rounding takes from one label it gives to the next, so
    that the whole has its shares too. A label always has a group that trains: otherwise it could not be predicted.

    A label that is rare beside others, but has ``_ENOUGH`` items, gives ``LEAST_TESTED`` to test and ``LEAST_VALIDATED`` to
    validation even where its shares are less.

    Args:
        groups: all groups of the labels at hand, the fixed ones too.
        shares: of the dataset.
        commonest: items of the commonest label, where that is not among the groups.
    """
    by_label: dict[str, list[SplitGroup]] = defaultdict(list)
    for group in groups:
        by_label[group.label].append(group)
    chosen: dict[str, Split] = {}
    owed = {Split.TEST: 0.0, Split.VALIDATION: 0.0}
    fractions = {Split.TEST: shares.test_fraction, Split.VALIDATION: shares.validation_fraction}
    sizes = {label: sum(group.num_items for group in own) for label, own in by_label.items()}
    commonest = max([commonest, *sizes.values()])
    for label in sorted(by_label):
        own, num_items = by_label[label], sizes[label]
        free = sorted((group for group in own if group.fixed is None), key=_position)
        most = max(group.num_items for group in own) / 2
        if all(group.fixed is not Split.TRAIN for group in own):
            chosen |= {group.name: Split.TRAIN for group in free[-1:]}
            free = free[:-1]
        for split, fraction in fractions.items():
            held = sum(group.num_items for group in own if group.fixed is split)
            owed[split] += num_items * fraction - held
            if label and fraction and _ENOUGH <= num_items <= commonest / _RARE_PARTS:
                owed[split] = max(owed[split], _LEAST[split] - held)
            free = _take(free, split, owed, chosen)
            owed[split] = min(most, max(-most, owed[split]))  # what is fixed amiss is not the next label's debt
        chosen |= {group.name: Split.TRAIN for group in free}
    return chosen


def _position(group: SplitGroup) -> tuple[float, str]:
    return split_position(group.name), group.name


def _take(free: list[SplitGroup], split: Split, owed: dict[Split, float], chosen: dict[str, Split]) -> list[SplitGroup]:
    """Gives a split the groups it is owed, the first by hash first; returns the others."""
    left = []
    for group in free:
        if owed[split] >= group.num_items / 2:
            chosen[group.name] = split
            owed[split] -= group.num_items
        else:
            left.append(group)
    return left

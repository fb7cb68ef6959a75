"""How many items each split of the next version will hold, before it is cut."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from django.db import transaction
from django.db.models import Count

from automl.contracts.dataset import Split, SplitShares
from studio.datasets.items.annotations import CHUNK, chunks
from studio.datasets.items.shares import dataset_shares
from studio.datasets.models import Dataset, DatasetVersion, Item, ItemState
from studio.datasets.versions.next_splits import dataset_rule, planned_moves, rule_set, splits_move
from studio.datasets.versions.ruled_splits import rule_check, ruled_moves
from studio.datasets.versions.split_rule import SplitBy, SplitRule
from studio.datasets.versions.splits import shares_set
from studio.datasets.versions.stratified_splits import Moves

EXACT_ITEMS = 20_000
"""Up to so many items the splits are tried out; above, what labels give by other shares is worked out from the number of
items."""


PLANNED_ITEMS = 200_000
"""Up to so many, what a rule moves is worked out while a person waits: 100,000 rows take 2.4 s of processor time and 84 MB."""
_WITH_SHARES = frozenset({SplitBy.TIME, SplitBy.VALUE})
"""Rules that meet the shares, so that these say about how many items a split will hold."""


class SplitPreview(NamedTuple):
    """Items by split."""

    by_split: dict[Split, int]
    is_exact: bool
    """False where the numbers may be off by a few per cent."""
    rule: SplitRule
    """What decided."""
    num_without: int
    """Items without a value of the rule's field."""


def split_preview(dataset: Dataset, shares: SplitShares | None = None, rule: SplitRule | None = None) -> SplitPreview:
    """What a version cut now would hold.

    Args:
        dataset: with its project.
        shares: to try; None, and once a version exists: those of the dataset.
        rule: to try; None: the dataset's.

    Raises:
        SplitFieldError: the field of the rule cannot decide.
    """
    rows = Item.objects.filter(dataset=dataset, deleted_at=None, state=ItemState.ANNOTATED)
    rule = dataset_rule(dataset) if rule is None else rule
    own = dataset_shares(dataset)
    if shares is not None and shares != own and DatasetVersion.objects.filter(project=dataset.project_id).exists():
        shares = None
    num_items = rows.count()
    if num_items > PLANNED_ITEMS and rule.by in _WITH_SHARES:
        rule_check(dataset, rule)
        return SplitPreview(_expected(num_items, shares or own), is_exact=False, rule=rule, num_without=0)
    if num_items > EXACT_ITEMS and rule.by is not SplitBy.LABELS:
        moves = ruled_moves(dataset, rule, shares or own, own)
        return SplitPreview(_moved(dataset, moves), is_exact=True, rule=rule, num_without=moves.num_without)
    if num_items > EXACT_ITEMS and shares is not None and shares != own:
        return SplitPreview(_expected(num_items, shares), is_exact=False, rule=rule, num_without=0)
    with transaction.atomic():  # tried, and taken back
        tried = Dataset.objects.select_related("project").get(id=dataset.id)
        if shares is not None:
            shares_set(dataset=tried, shares=shares)
        rule_set(dataset=tried, rule=rule)
        num_without = planned_moves(tried).num_without if rule.field else 0
        splits_move(dataset=tried)
        counts = dict(rows.values_list("split").annotate(num=Count("id")))
        transaction.set_rollback(True)
    by_split = {split: counts.get(split.value, 0) for split in Split}
    return SplitPreview(by_split, is_exact=True, rule=rule, num_without=num_without)


def _moved(dataset: Dataset, moves: Moves) -> dict[Split, int]:
    """The numbers of today, with what would move; nothing is written."""
    living = Item.objects.filter(dataset=dataset, deleted_at=None, state=ItemState.ANNOTATED)
    counts = Counter(dict(living.values_list("split").annotate(num=Count("id"))))
    for part in chunks(list(moves.splits), CHUNK):
        for item, split in living.filter(id__in=part).values_list("id", "split"):
            counts[split] -= 1
            counts[moves.splits[item].value] += 1
    return {split: counts[split.value] for split in Split}


def _expected(num_items: int, shares: SplitShares) -> dict[Split, int]:
    validation = round(num_items * shares.validation_fraction)
    test = round(num_items * shares.test_fraction)
    return {Split.TRAIN: num_items - validation - test, Split.VALIDATION: validation, Split.TEST: test}

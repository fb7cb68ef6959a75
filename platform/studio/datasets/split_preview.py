"""How many items each split of the next version will hold, said before it is cut."""

from __future__ import annotations

from typing import NamedTuple

from django.db import transaction
from django.db.models import Count

from automl.contracts.dataset import Split, SplitShares
from studio.datasets.models import Dataset, DatasetVersion, Item, ItemState
from studio.datasets.splits import dataset_shares, shares_set
from studio.datasets.stratified_splits import splits_stratify

EXACT_ITEMS = 20_000
"""Up to so many items the splits are tried out; above, other shares than today's are worked out from the number of items."""


class SplitPreview(NamedTuple):
    """Items by split."""

    by_split: dict[Split, int]
    is_exact: bool
    """False where the numbers may be off by a few per cent."""


def split_preview(dataset: Dataset, shares: SplitShares | None = None) -> SplitPreview:
    """What a version cut now would hold.

    Args:
        dataset: with its project.
        shares: to try; None, and once a version exists: those of the dataset.
    """
    rows = Item.objects.filter(dataset=dataset, deleted_at=None, state=ItemState.ANNOTATED)
    is_other = shares is not None and shares != dataset_shares(dataset)
    if is_other and DatasetVersion.objects.filter(project=dataset.project_id).exists():
        shares, is_other = None, False
    num_items = rows.count()
    if shares is not None and is_other and num_items > EXACT_ITEMS:
        return _expected(num_items, shares)
    with transaction.atomic():  # tried, and taken back
        tried = Dataset.objects.select_related("project").get(id=dataset.id)
        if shares is not None:
            shares_set(dataset=tried, shares=shares)
        splits_stratify(dataset=tried)
        counts = dict(rows.values_list("split").annotate(num=Count("id")))
        transaction.set_rollback(True)
    return SplitPreview({split: counts.get(split.value, 0) for split in Split}, is_exact=True)


def _expected(num_items: int, shares: SplitShares) -> SplitPreview:
    validation = round(num_items * shares.validation_fraction)
    test = round(num_items * shares.test_fraction)
    by_split = {Split.TRAIN: num_items - validation - test, Split.VALIDATION: validation, Split.TEST: test}
    return SplitPreview(by_split, is_exact=False)

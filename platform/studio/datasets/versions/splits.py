"""Which items validate and test: by the hash of their group and their labels, unless files or a person say so.

Assigned splits stay. Until a version holds an item, the hash of its group chooses, and a dataset whose files know only training
and test gets a validation part. When a version is cut, labels with few items get their share of every split (``stratify``): a
hash alone leaves some of them without one to train or to test on. What a version holds never moves, or a model would be tested
on what it was trained on.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from django.db import transaction

from automl.contracts.dataset import Split, SplitShares, split_of_group, split_position
from studio.datasets.items.annotations import CHUNK, chunks
from studio.datasets.items.shares import dataset_shares
from studio.datasets.models import Dataset, DatasetVersion, Item, SplitSource
from studio.datasets.versions.errors import SharesFixedError

_ASSIGNED = frozenset({SplitSource.IMPORT.value, SplitSource.PERSON.value})


class ValidationMoves(NamedTuple):
    """What settling the validation part moved."""

    num_carved: int = 0
    num_returned: int = 0


def shares_set(*, dataset: Dataset, shares: SplitShares) -> None:
    """Changes which fractions of the items validate and test, and moves the items accordingly whose split nobody assigned.

    Raises:
        SharesFixedError: a version exists; moving items now would let a model be tested on what it was trained on.
    """
    was = dataset_shares(dataset)
    if was == shares:
        return
    if _has_version(dataset):
        raise SharesFixedError
    with transaction.atomic():
        dataset.validation_fraction, dataset.test_fraction = shares.validation_fraction, shares.test_fraction
        dataset.save(update_fields=["validation_fraction", "test_fraction"])
        rows = Item.objects.filter(dataset=dataset).only("id", "group", "split", "split_by")
        for chunk in chunks(rows.iterator(), CHUNK):
            _move(chunk, was, shares)
        validation_settle(dataset=dataset)


def _move(items: Iterable[Item], was: SplitShares, shares: SplitShares) -> None:
    moved = []
    for item in items:
        before = item.split, item.split_by
        if item.split_by == SplitSource.CARVED:
            item.split, item.split_by = Split.TRAIN.value, SplitSource.IMPORT.value
        elif item.split_by == SplitSource.STRATIFIED:
            item.split, item.split_by = split_of_group(item.group, shares).value, None
        # Rows from before the column: a split that the hash did not choose was assigned.
        elif item.split_by not in _ASSIGNED and item.split == split_of_group(item.group, was).value:
            item.split = split_of_group(item.group, shares).value
        if (item.split, item.split_by) != before:
            moved.append(item)
    Item.objects.bulk_update(moved, ["split", "split_by"])


def validation_settle(*, dataset: Dataset) -> ValidationMoves:
    """Carves a validation part out of what files call training when nothing else validates.

    The usual hash chooses, at least one group. When a validation part comes after all, what was carved trains again. Does
    nothing once a version exists.
    """
    if _has_version(dataset):
        return ValidationMoves()
    with transaction.atomic():
        items = Item.objects.filter(dataset=dataset)
        living = items.filter(deleted_at=None)
        if living.filter(split=Split.VALIDATION.value).exclude(split_by=SplitSource.CARVED).exists():
            carved = items.filter(split_by=SplitSource.CARVED)
            return ValidationMoves(num_returned=carved.update(split=Split.TRAIN.value, split_by=SplitSource.IMPORT.value))
        training = living.filter(split=Split.TRAIN.value, split_by=SplitSource.IMPORT.value)
        positions = {group: split_position(group) for group in training.values_list("group", flat=True).distinct()}
        groups = [group for group, position in positions.items() if position < dataset.validation_fraction]
        is_bare = not living.filter(split=Split.VALIDATION.value).exists()
        if not groups and is_bare and len(positions) > 1 and dataset.validation_fraction > 0:
            groups = [min(positions, key=positions.__getitem__)]
        parts = [training.filter(group__in=part) for part in chunks(groups, CHUNK)]
        values = {"split": Split.VALIDATION.value, "split_by": SplitSource.CARVED.value}
        return ValidationMoves(num_carved=sum(part.update(**values) for part in parts))


def _has_version(dataset: Dataset) -> bool:
    return DatasetVersion.objects.filter(project=dataset.project_id).exists()

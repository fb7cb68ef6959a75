"""The splits of the next version: what cutting it would move, and moving that.

By labels (``stratified_splits``) unless a person chose another rule (``ruled_splits``). What a version holds never moves.
"""

from __future__ import annotations

from collections import defaultdict

from django.db import transaction

from automl.contracts.dataset import split_of_group
from studio.common.stored import read_stored
from studio.datasets.items.annotations import CHUNK, chunks
from studio.datasets.items.shares import dataset_shares
from studio.datasets.models import Dataset, Item, SplitSource
from studio.datasets.versions.ruled_splits import rule_check, ruled_moves
from studio.datasets.versions.split_rule import SplitBy, SplitRule
from studio.datasets.versions.stratified_splits import Moves, stratified_moves, versioned_items


def dataset_rule(dataset: Dataset) -> SplitRule:
    """What decides on the splits of items that come."""
    return SplitRule() if dataset.split_rule is None else read_stored(SplitRule, dataset.split_rule, subject=dataset.id)


def rule_set(*, dataset: Dataset, rule: SplitRule) -> None:
    """Says what decides from now on. Items of a version stay; others that a rule had placed go where the hash puts them.

    Raises:
        SplitFieldError: the rule's field is not there, is the target, or holds no moments.
    """
    if rule == dataset_rule(dataset):
        return
    rule_check(dataset, rule)
    with transaction.atomic():
        dataset.split_rule = None if rule.by is SplitBy.LABELS else rule.model_dump(mode="json")
        dataset.save(update_fields=["split_rule"])
        shares, versioned = dataset_shares(dataset), versioned_items(dataset)
        placed = Item.objects.filter(dataset=dataset, split_by=SplitSource.RULE).values_list("id", "group")
        by_split: dict[str, list[str]] = defaultdict(list)
        for item, group in placed.iterator(chunk_size=CHUNK):
            if item not in versioned:
                by_split[split_of_group(group, shares).value].append(item)
        _write({(split, None): items for split, items in by_split.items()})


def planned_moves(dataset: Dataset) -> Moves:
    """Which items would change their split if a version were cut now. Writes nothing.

    Raises:
        SplitFieldError: the field of the rule is there no more.
    """
    rule, shares = dataset_rule(dataset), dataset_shares(dataset)
    return stratified_moves(dataset) if rule.by is SplitBy.LABELS else ruled_moves(dataset, rule, shares, shares)


def splits_move(*, dataset: Dataset) -> None:
    """Moves the items that ``planned_moves`` names."""
    shares = dataset_shares(dataset)
    by_rule = SplitSource.STRATIFIED if dataset_rule(dataset).by is SplitBy.LABELS else SplitSource.RULE
    moves = planned_moves(dataset)
    by_split: dict[tuple[str, str | None], list[str]] = defaultdict(list)
    for item, split in moves.splits.items():
        is_hashed = item in moves.groups and split_of_group(moves.groups[item], shares) is split
        by_split[split.value, None if is_hashed else by_rule.value].append(item)
    _write(by_split)


def _write(by_split: dict[tuple[str, str | None], list[str]]) -> None:
    with transaction.atomic():
        for (split_name, split_by), items in by_split.items():
            for part in chunks(items, CHUNK):
                Item.objects.filter(id__in=part).update(split=split_name, split_by=split_by)

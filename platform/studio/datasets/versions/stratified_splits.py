"""Labels with few items get their share of every split, when a version is cut; see ``stratify``.

Labels with many items need no help: of a thousand items a hash gives each split its share within a few per cent. So this looks
at the items of rare labels only, and costs nearly the same for ten thousand items and a million.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

import pyarrow.parquet as pq
from django.db.models import Count, Exists, OuterRef

from automl.contracts.dataset import Split, SplitShares, split_of_group
from studio.datasets.items.annotations import CHUNK, chunks
from studio.datasets.items.shares import dataset_shares
from studio.datasets.models import Dataset, DatasetVersion, Item, ItemLabel, ItemState, SplitSource
from studio.datasets.versions.selectors import version_manifest
from studio.datasets.versions.shards import version_tree
from studio.datasets.versions.stratify import SplitGroup, stratified

RARE_ITEMS = 1000
"""A label with fewer annotated items is rare."""


_Rank = tuple[int, str]


class _Row(NamedTuple):
    id: str
    group: str
    split: str
    split_by: str | None
    state: str


class Moves(NamedTuple):
    """What cutting a version now would move."""

    splits: Mapping[str, Split]
    """By item, only those whose split would change."""
    groups: Mapping[str, str]
    """The group of each of them, where the hash of the group may be what moves it."""
    num_without: int = 0
    """Items of which a person's rule knows no value."""


def stratified_moves(dataset: Dataset) -> Moves:
    """Which items would change their split if a version were cut now and labels decide. Writes nothing."""
    labels, commonest = rare_labels(dataset)
    rows = _members(dataset, set(labels))
    versioned = versioned_items(dataset) if rows else frozenset()
    by_group: dict[str, list[_Row]] = defaultdict(list)
    for row in rows:
        by_group[row.group].append(row)
    shares = dataset_shares(dataset)
    groups = (_group(name, members, labels, versioned, shares) for name, members in by_group.items())
    chosen = stratified((group for group in groups if group is not None), shares, commonest=commonest)
    moved = [row for row in rows if row.group in chosen and row.split != chosen[row.group].value]
    return Moves(splits={row.id: chosen[row.group] for row in moved}, groups={row.id: row.group for row in moved})


class RareLabels(NamedTuple):
    """Which items have a label with few items."""

    by_item: dict[str, _Rank]
    """The rarest label of each of them, and its place among those labels."""
    commonest: int
    """Items of the commonest label of all, which may not be rare."""


def rare_labels(dataset: Dataset) -> RareLabels:
    """The rarest label of each item that has one with few items."""
    own = ItemLabel.objects.filter(dataset=dataset, item__state=ItemState.ANNOTATED, item__deleted_at=None)
    counts = dict(own.values_list("label").annotate(num=Count("id")))
    rare = sorted((label for label, num in counts.items() if num < RARE_ITEMS), key=lambda label: (counts[label], label))
    found: dict[str, _Rank] = {}
    for rank, label in enumerate(rare):
        for item in own.filter(label=label).values_list("item_id", flat=True):
            found.setdefault(item, (rank, label))
    rows = Item.objects.filter(dataset=dataset, state=ItemState.ANNOTATED, deleted_at=None)
    bare = rows.filter(~Exists(ItemLabel.objects.filter(item=OuterRef("id"))))
    without: list[str] = list(bare.values_list("id", flat=True)[:RARE_ITEMS])
    if len(without) < RARE_ITEMS:
        found |= dict.fromkeys(without, (len(rare), ""))
    return RareLabels(found, max(counts.values(), default=0))


def _members(dataset: Dataset, items: Collection[str]) -> list[_Row]:
    """These items and all others of their groups."""
    fields = ("id", "group", "split", "split_by", "state")
    living = Item.objects.filter(dataset=dataset, deleted_at=None)
    groups = set[str]()
    for part in chunks(sorted(items), CHUNK):
        groups.update(living.filter(id__in=part).values_list("group", flat=True))
    rows: list[_Row] = []
    for part in chunks(sorted(groups), CHUNK):
        rows += map(_Row._make, living.filter(group__in=part).values_list(*fields))
    return rows


def _group(
    name: str, rows: Sequence[_Row], labels: Mapping[str, _Rank], versioned: Collection[str], hashed: SplitShares
) -> SplitGroup | None:
    """The group as ``stratified`` takes it; None where its split was assigned."""
    if any(_is_assigned(row, is_versioned=row.id in versioned, hashed=hashed) for row in rows):
        return None
    _, label = min(labels[row.id] for row in rows if row.id in labels)
    num_items = sum(row.state == ItemState.ANNOTATED for row in rows)
    fixed = next((Split(row.split) for row in rows if row.id in versioned), None)
    return SplitGroup(name=name, label=label, num_items=num_items, fixed=fixed)


def _is_assigned(row: _Row, *, is_versioned: bool, hashed: SplitShares) -> bool:
    if row.split_by is None:  # rows from before the column: a split that the hash did not choose was assigned
        return not is_versioned and row.split != split_of_group(row.group, hashed).value
    return row.split_by not in {SplitSource.STRATIFIED, SplitSource.RULE}


def versioned_items(dataset: Dataset) -> frozenset[str]:
    """Items that a version of the project holds."""
    versioned = set[str]()
    for version in DatasetVersion.objects.filter(project=dataset.project_id):
        folder = version_tree(version.id)
        for shard in version_manifest(version).shards:
            versioned.update(pq.read_table(folder / shard, columns=["item"]).column("item").to_pylist())
    return frozenset(versioned)

"""How each action changes items, and how it is undone. Everything here needs a transaction around it.

``before`` maps an item's id to what undoing needs; it is stored as JSON.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db.models import Max, QuerySet
from django.utils import timezone

from automl.contracts.annotation import Annotations, ClassLabel
from automl.contracts.dataset import SplitShares, split_of_group
from automl.contracts.quality import PAIRED, FindingKind
from labeling.services import annotations_write_with_history, provenance_of
from studio.accounts.access import Principal
from studio.datasets.items.annotations import (
    CHUNK,
    AnnotationWrite,
    annotations_write,
    chunks,
    labels_in,
    labels_index,
    labels_unindex,
)
from studio.datasets.models import Dataset, DatasetVersion, Item, ItemFlag

Before = dict[str, Any]
SETTLED = "settled"
"""In the detail of a finding that an action has closed."""
_PAIRED = [kind.value for kind in PAIRED]


def parts(ids: Collection[str]) -> Iterator[list[str]]:
    """Ids in portions that one statement takes."""
    return chunks(ids, CHUNK)


def remove(ids: Sequence[str], *, quarantine: str, at: datetime) -> Before:
    """Takes items out of the dataset, marked with the action when they are put aside."""
    done: list[str] = []
    for part in parts(ids):
        rows = Item.objects.select_for_update().filter(id__in=part, deleted_at=None)
        found = list(rows.values_list("id", flat=True))
        Item.objects.filter(id__in=found).update(deleted_at=at, quarantine=quarantine)
        labels_unindex(items=found)
        done += found
    return dict.fromkeys(done, at.isoformat())


def restore_items(dataset: Dataset, before: Mapping[str, Any], *, quarantine: str) -> int:
    """Puts back what ``remove`` took, unless somebody has brought it back and taken it out again since."""
    known = set(dataset.project.labels.names)
    num = 0
    for part in parts(before):
        rows = Item.objects.select_for_update().filter(id__in=part, deleted_at__isnull=False, quarantine=quarantine)
        items = [item for item in rows if item.deleted_at is not None and item.deleted_at.isoformat() == before[item.id]]
        stale = [item for item in items if labels_in(item.annotations) - known]
        annotations_write(writes=[AnnotationWrite(item, None, "") for item in stale], at=timezone.now())
        Item.objects.filter(id__in=[item.id for item in items]).update(deleted_at=None, quarantine="")
        for item in items:
            item.deleted_at = None
        labels_index(items=items)
        num += len(items)
    return num


def dismiss(flags: Sequence[ItemFlag], *, at: datetime) -> Before:
    """Says of findings that they are no faults."""
    for part in chunks(flags, CHUNK):
        ItemFlag.objects.filter(id__in=[flag.id for flag in part]).update(dismissed_at=at)
    return {flag.item_id: flag.kind for flag in flags}


def settle(flags: Sequence[ItemFlag], *, at: datetime) -> None:
    """Closes findings that an action has made untrue; unlike dismissed ones they come back when a report finds them again."""
    for flag in flags:
        flag.dismissed_at, flag.detail = at, flag.detail | {SETTLED: True}
    ItemFlag.objects.bulk_update(flags, ["dismissed_at", "detail"], batch_size=CHUNK)


def settle_single(dataset: Dataset, clusters: Collection[str], *, at: datetime) -> None:
    """Closes findings of copies that have no other copy left."""
    for part in parts(clusters):
        members: dict[tuple[str, str], list[ItemFlag]] = defaultdict(list)
        for flag in _of_clusters(dataset, part):
            members[flag.kind, flag.detail["cluster"]].append(flag)
        settle([flags[0] for flags in members.values() if len(flags) == 1], at=at)


def reopen(dataset: Dataset, *, at: datetime) -> int:
    """Opens again what an action closed or dismissed at this moment; returns how many."""
    flags = list(ItemFlag.objects.filter(dataset=dataset, dismissed_at=at))
    for flag in flags:
        flag.dismissed_at, flag.detail = None, {name: value for name, value in flag.detail.items() if name != SETTLED}
    ItemFlag.objects.bulk_update(flags, ["dismissed_at", "detail"], batch_size=CHUNK)
    return len(flags)


def _of_clusters(dataset: Dataset, clusters: Collection[str]) -> QuerySet[ItemFlag]:
    return ItemFlag.objects.filter(
        dataset=dataset, kind__in=_PAIRED, dismissed_at=None, item__deleted_at=None, detail__cluster__in=list(clusters)
    )


def group(dataset: Dataset, flags: Sequence[ItemFlag], *, at: datetime) -> Before:
    """Gives the copies of each picture one group, and with it one split.

    An item that a version may hold keeps its split: models were trained or tested on it there. The group takes the split of
    such an item when there is one.
    """
    clusters: dict[str, set[str]] = defaultdict(set)
    for flag in flags:
        clusters[flag.detail["cluster"]] |= {flag.item_id, flag.detail["other"]}
    ids = sorted({item for members in clusters.values() for item in members})
    rows: dict[str, Item] = {}
    for part in parts(ids):
        rows |= {item.id: item for item in Item.objects.select_for_update().filter(id__in=part, deleted_at=None)}
    shares = SplitShares(validation_fraction=dataset.validation_fraction, test_fraction=dataset.test_fraction)
    last = DatasetVersion.objects.filter(project=dataset.project_id).aggregate(at=Max("created_at"))["at"]
    before: Before = {}
    together: list[str] = []
    for cluster, members in clusters.items():
        items = [rows[item] for item in sorted(members) if item in rows and item not in before]
        fixed = [item for item in items if last is not None and item.revision > 0 and item.created_at < last]
        if len(items) < 2:
            continue
        leader = (fixed or items)[0]
        split = leader.split if fixed else split_of_group(leader.group, shares).value
        for item in items:
            new_split = item.split if item in fixed else split
            before[item.id] = [item.group, item.split, leader.group, new_split]
            item.group, item.split = leader.group, new_split
        if len({item.split for item in items}) == 1:
            together.append(cluster)
    Item.objects.bulk_update([rows[item] for item in before], ["group", "split"], batch_size=CHUNK)
    kinds = {flag.kind for flag in flags} | {FindingKind.LEAK.value}
    for part in parts(together):
        settle([flag for flag in _of_clusters(dataset, part) if flag.kind in kinds], at=at)
    return before


def ungroup(before: Mapping[str, Any]) -> int:
    """Gives items their groups and splits back, as far as nobody has moved them since."""
    num = 0
    for part in parts(before):
        items = []
        for item in Item.objects.select_for_update().filter(id__in=part):
            group_before, split_before, group_after, split_after = before[item.id]
            if (item.group, item.split) == (group_after, split_after):
                item.group, item.split = group_before, split_before
                items.append(item)
        Item.objects.bulk_update(items, ["group", "split"], batch_size=CHUNK)
        num += len(items)
    return num


def relabel(dataset: Dataset, flags: Sequence[ItemFlag], *, operation: str, actor: Principal, at: datetime) -> Before:
    """Gives items the labels suggested, as long as they carry the label that was found doubtful."""
    known = set(dataset.project.labels.names)
    detail_of = {flag.item_id: flag.detail for flag in flags if flag.detail["suggested"] in known}
    before: Before = {}
    for part in parts(detail_of):
        rows = Item.objects.select_for_update().filter(id__in=part, deleted_at=None).order_by("id")
        items = [item for item in rows if labels_in(item.annotations) == {detail_of[item.id]["label"]}]
        writes = []
        for item in items:
            before[item.id] = [item.annotations, item.provenance, item.revision + 1]
            annotations = (ClassLabel(label=detail_of[item.id]["suggested"]),)
            writes.append(AnnotationWrite(item, annotations, provenance_of(actor)))
        annotations_write_with_history(writes=writes, operations=[operation] * len(writes), at=at)
    settle([flag for flag in flags if flag.item_id in before], at=at)
    return before


def relabel_back(dataset: Dataset, before: Mapping[str, Any], *, operation: str, actor: Principal) -> int:
    """Gives items their labels back, unless they were changed since or the label is gone."""
    del actor  # the history names who said the label first
    known = set(dataset.project.labels.names)
    num = 0
    for part in parts(before):
        rows = Item.objects.select_for_update().filter(id__in=part, deleted_at=None).order_by("id")
        items = [item for item in rows if item.revision == before[item.id][2] and not labels_in(before[item.id][0]) - known]
        writes = [AnnotationWrite(item, Annotations.validate_python(before[item.id][0]), before[item.id][1]) for item in items]
        annotations_write_with_history(writes=writes, operations=[operation] * len(writes), at=timezone.now())
        num += len(items)
    return num

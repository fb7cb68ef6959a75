"""The work of a restore: what differs between the version that was just cut and the one to restore is written onto the items.

Nothing is lost by it. The state before is a version of its own, every item keeps its history with one entry more, and an item
that the version to restore does not hold becomes unlabelled: it is never deleted. An item that was deleted since comes back.
Annotations made while it runs stay. Items are written by the chunk, each chunk in a transaction with its history, so that
labelling goes on beside it; a restore that was interrupted goes on with what still differs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial

from django.db import transaction
from django.utils import timezone

from automl.contracts.annotation import Annotations
from labeling.models import AnnotationRevision
from labeling.services import annotations_write_with_history
from studio.datasets.items.annotations import AnnotationWrite, labels_index
from studio.datasets.models import Dataset, DatasetVersion, Item
from studio.datasets.tables.columns import columns_restore
from studio.datasets.versions.version_diff import Change, Row, state_changes

CHUNK = 2_000
"""Items written in one transaction: about half a second during which they cannot be labelled."""


@dataclass
class Outcome:
    """What a restore did."""

    num_changed: int = 0
    num_unlabelled: int = 0
    num_kept: int = 0
    brought_back: list[str] = field(default_factory=list)
    """Ids of items that had been deleted."""


def items_restore(
    *,
    dataset: Dataset,
    before: DatasetVersion,
    after: DatasetVersion,
    cut_at: datetime,
    operation: str,
    by: str,
    report: Callable[[float], None],
) -> Outcome:
    """Writes what differs between two versions onto the items of a dataset.

    Args:
        dataset: whose items.
        before: holds the state as it was.
        after: holds the state to restore.
        cut_at: annotations made later than this stay.
        operation: name of the restore; entries of the histories carry it, and what carries it is not written again.
        by: provenance of the person, for the histories.
        report: called with the fraction done, 0..1.
    """
    outcome = Outcome()
    columns_restore(dataset=dataset, version=after)
    chunk = partial(_chunk, dataset, cut_at=cut_at, operation=operation, by=by)
    num_rows = max(1, before.manifest["num_items"], after.manifest["num_items"])
    num_seen = 0
    for block in state_changes(before, after):
        for start in range(0, len(block.changes), CHUNK):
            chunk(block.changes[start : start + CHUNK], outcome)
        num_seen += block.num_rows
        report(min(1.0, num_seen / num_rows))
    return outcome


def _chunk(dataset: Dataset, changes: list[Change], outcome: Outcome, *, cut_at: datetime, operation: str, by: str) -> None:
    after_of = {change.row.item: change.after for change in changes}
    with transaction.atomic():
        rows = Item.objects.select_for_update().filter(dataset=dataset, id__in=list(after_of)).order_by("id")
        items = [item for item in rows if item.annotated_at is None or item.annotated_at <= cut_at]
        done = set(
            AnnotationRevision.objects.filter(item__in=list(after_of), operation=operation).values_list("item", flat=True)
        )
        outcome.num_kept += sum(item.id not in done for item in rows) - sum(item.id not in done for item in items)
        items = [item for item in items if item.id not in done]
        _restore_deleted([item for item in items if item.deleted_at is not None and after_of[item.id] is not None], outcome)
        _place(items, after_of)
        outcome.num_kept += _contents(dataset, items, after_of)
        writes = list(_writes(items, after_of, outcome))
        annotations_write_with_history(writes=writes, operations=[operation] * len(writes), at=timezone.now())
        # The item says whose words these are; its history says who brought them back.
        ids = [one.item.id for one in writes]
        AnnotationRevision.objects.filter(item__in=ids, operation=operation).update(provenance=by)


def _restore_deleted(items: list[Item], outcome: Outcome) -> None:
    if not items:
        return
    for item in items:
        item.deleted_at, item.quarantine = None, ""
    Item.objects.filter(id__in=[item.id for item in items]).update(deleted_at=None, quarantine="")
    labels_index(items=items)
    outcome.brought_back += [item.id for item in items]


def _place(items: list[Item], after_of: dict[str, Row | None]) -> None:
    """Splits and groups as the version has them; they differ only where items were regrouped since."""
    places: dict[tuple[str, str], list[str]] = {}
    for item in items:
        row = after_of[item.id]
        if row is not None and (row.split, row.group) != (item.split, item.group):
            places.setdefault((row.split, row.group), []).append(item.id)
    for (split, group), ids in places.items():
        Item.objects.filter(id__in=ids).update(split=split, group=group)


def _contents(dataset: Dataset, items: list[Item], after_of: dict[str, Row | None]) -> int:
    """Gives rows of tables the cells that the version has; returns how many could not have them.

    Another item may hold the very same row by now.
    """
    changed = {item.id: row for item in items if (row := after_of[item.id]) is not None and row.row and row.blob != item.blob}
    if not changed:
        return 0
    blobs = [row.blob for row in changed.values()]
    present = set(Item.objects.filter(dataset=dataset, blob__in=blobs).values_list("blob", flat=True))
    writable = [item for item in items if item.id in changed and changed[item.id].blob not in present]
    for item in writable:
        row = changed[item.id]
        item.text, item.blob, item.size_bytes = row.row, row.blob, len(row.row.encode())
    Item.objects.bulk_update(writable, ["text", "blob", "size_bytes"])
    return len(changed) - len(writable)


def _writes(items: list[Item], after_of: dict[str, Row | None], outcome: Outcome) -> Iterator[AnnotationWrite]:
    for item in items:
        row = after_of[item.id]
        if row is None:
            if item.annotations is not None and item.deleted_at is None:
                outcome.num_unlabelled += 1
                yield AnnotationWrite(item, None, "")
            continue
        annotations = Annotations.validate_json(row.annotations)
        if item.annotations != Annotations.dump_python(annotations, mode="json") or item.provenance != row.provenance:
            outcome.num_changed += 1
            yield AnnotationWrite(item, annotations, row.provenance)

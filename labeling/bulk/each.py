"""What one portion of a bulk change does to its items, and what undoing it does. Needs a transaction around it.

Doing answers with what each touched item was like before; undoing touches only items that are still as the change left them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.utils import timezone

from automl.contracts.annotation import Annotations
from labeling.services import annotations_write_with_history
from studio.accounts.access import Principal
from studio.datasets.items.annotations import CHUNK, AnnotationWrite, ItemAnnotations
from studio.datasets.items.facts import facts_write
from studio.datasets.items.services import item_delete, item_quarantine, item_restore
from studio.datasets.models import BulkChange, BulkKind, Item, SplitSource

Before = Mapping[str, Any]
"""Item -> what it was like."""


def do(change: BulkChange, items: Sequence[str], actor: Principal) -> Before:
    """Does the change to items of its dataset."""
    match change.kind:
        case BulkKind.LABEL:
            return _label(change, items, f"{'person' if actor.kind == 'user' else actor.kind}:{actor.id}")
        case BulkKind.QUARANTINE:
            return dict.fromkeys(item_quarantine(dataset=change.dataset, items=items, mark=change.id, actor=actor))
        case BulkKind.DELETE:
            return dict.fromkeys(item_delete(dataset=change.dataset, items=items, actor=actor))
        case BulkKind.RESTORE:
            return dict.fromkeys(item_restore(dataset=change.dataset, items=items, actor=actor))
        case BulkKind.SPLIT:
            return _split(change, items)
        case _:
            return _metadata(_locked(change, items), change.change["metadata"])


def undo(change: BulkChange, before: Before, actor: Principal) -> int:
    """Takes the change back; returns for how many items that was still possible."""
    match change.kind:
        case BulkKind.LABEL:
            return _label_undo(change, before)
        case BulkKind.QUARANTINE:
            aside = Item.objects.filter(dataset=change.dataset, id__in=list(before), quarantine=change.id)
            ids = list(aside.values_list("id", flat=True))
            return len(item_restore(dataset=change.dataset, items=ids, actor=actor))
        case BulkKind.DELETE:
            return len(item_restore(dataset=change.dataset, items=list(before), actor=actor))
        case BulkKind.RESTORE:
            return len(item_delete(dataset=change.dataset, items=list(before), actor=actor))
        case BulkKind.SPLIT:
            rows = [row for row in _locked(change, before) if row.split == change.change["split"]]
            for row in rows:
                row.split, row.split_by = before[row.id]
            Item.objects.bulk_update(rows, ["split", "split_by"], batch_size=CHUNK)
            return len(rows)
        case _:
            return _metadata_undo(change, before)


def _locked(change: BulkChange, items: Collection[str]) -> list[Item]:
    return list(Item.objects.select_for_update().filter(dataset=change.dataset, id__in=list(items)).order_by("id"))


def _label(change: BulkChange, items: Sequence[str], provenance: str) -> Before:
    annotations: ItemAnnotations = None
    if change.change["annotations"] is not None:
        annotations = Annotations.validate_python(change.change["annotations"])
    stored = None if annotations is None else Annotations.dump_python(annotations, mode="json")
    rows = [row for row in _locked(change, items) if row.deleted_at is None and row.annotations != stored]
    before = {row.id: _labelled_of(row) for row in rows}
    _write([AnnotationWrite(row, annotations, provenance) for row in rows], change.id, timezone.now())
    return before


def _labelled_of(row: Item) -> dict[str, Any]:
    return {"annotations": row.annotations, "provenance": row.provenance, "revision": row.revision + 1}


def _label_undo(change: BulkChange, before: Before) -> int:
    rows = [row for row in _locked(change, before) if row.deleted_at is None and row.revision == before[row.id]["revision"]]
    writes = []
    for row in rows:
        was = before[row.id]
        annotations = None if was["annotations"] is None else Annotations.validate_python(was["annotations"])
        writes.append(AnnotationWrite(row, annotations, was["provenance"]))
    _write(writes, f"{change.id}:undo", timezone.now())
    return len(rows)


def _write(writes: Sequence[AnnotationWrite], operation: str, at: datetime) -> None:
    annotations_write_with_history(writes=writes, operations=[operation] * len(writes), at=at)


def _split(change: BulkChange, items: Sequence[str]) -> Before:
    split = change.change["split"]
    before = {row.id: [row.split, row.split_by] for row in _locked(change, items) if row.split != split}
    Item.objects.filter(id__in=list(before)).update(split=split, split_by=SplitSource.PERSON)
    return before


def _metadata(rows: Sequence[Item], values: Mapping[str, str | None]) -> Before:
    before = {}
    for row in rows:
        after = {name: value for name, value in (row.metadata | values).items() if value is not None}
        if after != row.metadata:
            before[row.id] = {name: row.metadata.get(name) for name in values}
            row.metadata = after
    facts_write([row for row in rows if row.id in before], list(values))
    return before


def _metadata_undo(change: BulkChange, before: Before) -> int:
    set_to = change.change["metadata"]
    rows = [row for row in _locked(change, before) if {name: row.metadata.get(name) for name in set_to} == set_to]
    for row in rows:
        row.metadata = {name: value for name, value in (row.metadata | before[row.id]).items() if value is not None}
    facts_write(rows, list(set_to))
    return len(rows)

"""The one place that changes what is said of items, and keeps the label index in step.

Ingest, labelling, feedback and renamed labels all come through here. History, leases and reviews are the labelling app's.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar

from django.db import transaction
from django.db.models import F

from automl.contracts.annotation import Annotation, Annotations
from studio.datasets.models import Dataset, Item, ItemLabel, ItemState

_T = TypeVar("_T")

CHUNK = 500
"""Rows changed by one statement: below SQLite's limit on parameters, above the cost of a round trip."""

Said = tuple[Annotation, ...] | None
"""Annotations of an item; None means that nobody has looked."""


@dataclass(frozen=True)
class Statement:
    """What somebody says of an item. The item's row is read (and locked) by the caller."""

    item: Item
    annotations: Said
    provenance: str


def annotations_write(*, statements: Sequence[Statement], at: datetime) -> None:
    """Makes the statements current and raises each item's revision by one. Needs a transaction around it.

    The item objects given are brought up to date too.
    """
    groups: dict[tuple[str, str], list[Statement]] = defaultdict(list)
    for one in statements:
        key = "null" if one.annotations is None else Annotations.dump_json(one.annotations).decode()
        groups[key, one.provenance].append(one)
    for same in groups.values():
        _write_same(same, at)


def _write_same(statements: list[Statement], at: datetime) -> None:
    said, provenance = statements[0].annotations, statements[0].provenance
    fields = annotation_fields(said=said, provenance=provenance, at=at)
    after = labels_in(fields["annotations"])
    for chunk in chunks(statements, CHUNK):
        items = [one.item for one in chunk]
        Item.objects.filter(id__in=[item.id for item in items]).update(**fields, revision=F("revision") + 1)
        alive = [item for item in items if item.deleted_at is None]
        for label in {label for item in alive for label in labels_in(item.annotations)} - after:
            ItemLabel.objects.filter(item__in=[item.id for item in alive], label=label).delete()
        new = [(item, label) for item in alive for label in after - labels_in(item.annotations)]
        _index(new)
        for item in items:
            item.revision += 1
            for name, value in fields.items():
                setattr(item, name, value)


def item_said(item: Item) -> Said:
    """What is said of an item now."""
    return None if item.annotations is None else Annotations.validate_python(item.annotations)


def annotation_fields(*, said: Said, provenance: str, at: datetime) -> dict[str, Any]:
    """The columns of an item that say what is said of it."""
    if said is None:
        return {"annotations": None, "state": ItemState.UNLABELLED, "annotated_at": None, "provenance": ""}
    return {
        "annotations": Annotations.dump_python(said, mode="json"),
        "state": ItemState.ANNOTATED,
        "annotated_at": at,
        "provenance": provenance,
    }


def labels_in(annotations: Iterable[dict[str, Any]] | None) -> set[str]:
    """The labels named in an item's stored annotations."""
    return {one["label"] for one in annotations or () if "label" in one}


def labels_named(said: Iterable[Said]) -> list[str]:
    """The labels that annotations name, each once, in order of appearance."""
    names = (getattr(one, "label", None) for annotations in said for one in annotations or ())
    return list(dict.fromkeys(name for name in names if name is not None))


def said_merge(*, now: Said, new: Said, can_add: bool) -> Said:
    """What an item carries after an import; None when the new labels are not taken.

    What a person or an earlier import said is never overwritten. With ``can_add``, labels of two copies of a picture add up.
    """
    if now is None or new is None:
        return new
    if set(new) <= set(now):
        return now
    return now + tuple(one for one in new if one not in now) if can_add else None


def labels_index(*, items: Iterable[Item]) -> None:
    """Adds living items to the label index; for items that are not in it yet."""
    _index((item, label) for item in items for label in labels_in(item.annotations))


def labels_unindex(*, items: Collection[str]) -> None:
    """Takes items out of the label index, by id."""
    for chunk in chunks(list(items), CHUNK):
        ItemLabel.objects.filter(item__in=chunk).delete()


def labels_rebuild(*, dataset: Dataset) -> None:
    """Builds the label index of a dataset anew from its items."""
    with transaction.atomic():
        ItemLabel.objects.filter(dataset=dataset).delete()
        items = Item.objects.filter(dataset=dataset, deleted_at=None, state=ItemState.ANNOTATED)
        for chunk in chunks(items.only("id", "dataset_id", "annotations").iterator(chunk_size=CHUNK), CHUNK):
            labels_index(items=chunk)


def label_replace(*, dataset: Dataset, old: str, new: str) -> int:
    """Writes a label's new name into every item that carries it, deleted ones included; returns how many.

    The meaning stays, so provenance and time stay; the revision rises, so that an open page does not write the old name back.
    """
    with transaction.atomic():
        carrying = ItemLabel.objects.filter(dataset=dataset, label=old).values("item")
        living = Item.objects.filter(id__in=carrying)
        deleted = Item.objects.filter(dataset=dataset, deleted_at__isnull=False, state=ItemState.ANNOTATED)
        count = 0
        for rows in (living, deleted):
            for chunk in chunks(rows.select_for_update().order_by("id").iterator(chunk_size=CHUNK), CHUNK):
                touched = [item for item in chunk if old in labels_in(item.annotations)]
                for item in touched:
                    item.annotations = [
                        one | {"label": new} if one.get("label") == old else one for one in item.annotations or ()
                    ]
                    item.revision += 1
                Item.objects.bulk_update(touched, ["annotations", "revision"])
                count += len(touched)
        ItemLabel.objects.filter(dataset=dataset, label=old).update(label=new)
        return count


def _index(pairs: Iterable[tuple[Item, str]]) -> None:
    rows = [ItemLabel(dataset_id=item.dataset_id, item_id=item.id, label=label) for item, label in pairs]
    ItemLabel.objects.bulk_create(rows, batch_size=CHUNK)


def chunks(rows: Iterable[_T], size: int) -> Iterator[list[_T]]:
    """Cuts rows into lists of at most ``size``."""
    chunk: list[_T] = []
    for row in rows:
        chunk.append(row)
        if len(chunk) == size:
            yield chunk
            chunk = []
    if chunk:
        yield chunk

"""The one place that changes what is said of items, and keeps the label index in step.

Ingest, labelling, feedback and renamed labels all come through here. History, leases and reviews are the labelling app's.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple, TypeVar

from django.db import transaction

from automl.contracts.annotation import Annotation, Annotations
from studio.common.writes import Writes
from studio.datasets.hooks import annotations_changed
from studio.datasets.items import bulk_sql
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


class Saying(NamedTuple):
    """What is written of one item, for writers of many that hold no model of it."""

    item: str
    dataset: str
    is_living: bool
    before: Collection[str]
    """The labels that it carried."""
    said: Said
    provenance: str


def annotations_write(*, statements: Sequence[Statement], at: datetime, writes: Writes | None = None) -> None:
    """Makes the statements, at most one an item, current and raises each item's revision by one. Needs a transaction around it.

    The item objects given are brought up to date too. ``writes`` is where it is added, for callers who send more with it.
    """
    sayings = []
    for one in statements:
        item = one.item
        before = labels_in(item.annotations)
        sayings.append(Saying(item.id, item.dataset_id, item.deleted_at is None, before, one.annotations, one.provenance))
        item.revision += 1
        for name, value in annotation_fields(said=one.annotations, provenance=one.provenance, at=at).items():
            setattr(item, name, value)
    sayings_write(sayings=sayings, at=at, writes=writes)


def sayings_write(*, sayings: Sequence[Saying], at: datetime, writes: Writes | None = None) -> None:
    """As ``annotations_write``, from the few columns that it takes. What several items share is turned into JSON once."""
    rows: list[bulk_sql.SaidRow] = []
    index = _Index()
    living: list[tuple[str, str, str]] = []
    known: dict[int, tuple[str, set[str]]] = {}
    for item, dataset, is_living, before, said, provenance in sayings:
        if said is None:
            rows.append((item, None, ItemState.UNLABELLED.value, None, ""))
            after: set[str] = set()
        else:
            found = known.get(id(said))
            if found is None:
                found = known[id(said)] = Annotations.dump_json(said).decode(), set(labels_named([said]))
            text, after = found
            rows.append((item, text, ItemState.ANNOTATED.value, at, provenance))
        if is_living:
            living.append((dataset, rows[-1][2], rows[-1][4]))
            index.change(dataset, item, before, after)
    sent = Writes() if writes is None else writes
    bulk_sql.items_say(sent, rows, living=living)
    index.write(sent)
    if writes is None:
        sent.send()
    annotations_changed({one.dataset for one in sayings})


@dataclass
class _Index:
    """What changes in the index of labels."""

    exchanged: list[tuple[str, str, str, str]] = field(default_factory=list)
    gone: list[tuple[str, str]] = field(default_factory=list)
    new: list[tuple[str, str, str]] = field(default_factory=list)

    def change(self, dataset: str, item: str, before: Collection[str], after: Collection[str]) -> None:
        """Notes an item's labels; one that goes makes place for one that comes."""
        gone, new = [label for label in before if label not in after], [label for label in after if label not in before]
        self.exchanged += [(dataset, item, old, fresh) for old, fresh in zip(gone, new, strict=False)]
        self.gone += [(item, label) for label in gone[len(new) :]]
        self.new += [(dataset, item, label) for label in new[len(gone) :]]

    def write(self, writes: Writes) -> None:
        bulk_sql.labels_exchange(writes, self.exchanged)
        bulk_sql.labels_delete(writes, self.gone)
        bulk_sql.labels_insert(writes, self.new)


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


def annotations_relabel(*, items: Sequence[Item], change: Callable[[Item], list[dict[str, Any]] | None]) -> list[Item]:
    """Rewrites the labels in items whose meaning stays; returns those that changed. Needs a transaction with the rows locked.

    Provenance and time stay; the revision rises, so that an open page does not write the old labels back.

    Args:
        items: any number; deleted ones too.
        change: an item's annotations as they shall be, as stored.
    """
    touched, gone, new = [], defaultdict(list), []
    for item in items:
        after = change(item)
        if after == item.annotations:
            continue
        if item.deleted_at is None:
            before_labels, after_labels = labels_in(item.annotations), labels_in(after)
            for label in before_labels - after_labels:
                gone[label].append(item.id)
            new += [(item, label) for label in after_labels - before_labels]
        item.annotations = after
        item.revision += 1
        touched.append(item)
    Item.objects.bulk_update(touched, ["annotations", "revision"], batch_size=CHUNK)
    for label, ids in gone.items():
        for chunk in chunks(ids, CHUNK):
            ItemLabel.objects.filter(item__in=chunk, label=label).delete()
    _index(new)
    annotations_changed({item.dataset_id for item in touched})
    return touched


def _index(pairs: Iterable[tuple[Item, str]]) -> None:
    writes = Writes()
    bulk_sql.labels_insert(writes, [(item.dataset_id, item.id, label) for item, label in pairs])
    writes.send()


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

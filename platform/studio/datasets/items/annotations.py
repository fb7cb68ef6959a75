"""The one place that changes the annotations of items, and keeps the label index in step.

Ingest, labelling, feedback and renamed labels all come through here. History, leases and reviews are the labelling app's.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple, TypeVar

from django.db import transaction
from django.db.models import BooleanField, ExpressionWrapper, Q, TextField
from django.db.models.functions import Cast

from automl.contracts.annotation import Annotation, Annotations, label_of
from studio.common.sql.batch import StatementBatch
from studio.datasets.hooks import annotations_changed
from studio.datasets.items.counts_bulk import labels_counted_once, states_counted_once
from studio.datasets.models import Dataset, Item, ItemLabel, ItemState

_T = TypeVar("_T")

CHUNK = 500
"""Rows changed by one statement: below SQLite's limit on parameters, above the cost of a round trip."""

STORED = Cast("annotations", TextField())
"""The annotations of an item as JSON text, for readers who parse it themselves."""
IS_LIVING = ExpressionWrapper(Q(deleted_at=None), output_field=BooleanField())
_ANNOTATION_COLUMNS = ("annotations", "state", "annotated_at", "provenance")

ItemAnnotations = tuple[Annotation, ...] | None
"""Annotations of an item; None means that nobody has looked."""


@dataclass(frozen=True)
class AnnotationWrite:
    """New annotations of an item. The item's row is read (and locked) by the caller."""

    item: Item
    annotations: ItemAnnotations
    provenance: str


class AnnotationRow(NamedTuple):
    """What is written of one item, for writers of many that hold no model of it."""

    item: str
    dataset: str
    is_living: bool
    before: Collection[str]
    """The labels that it carried."""
    annotations: ItemAnnotations
    provenance: str


def annotations_write(*, writes: Sequence[AnnotationWrite], at: datetime, batch: StatementBatch | None = None) -> None:
    """Sets the annotations of items, each at most once, and raises their revisions by one. Needs a transaction around it.

    The item objects given are brought up to date too. ``batch`` is where it is added, for callers who send more with it.
    """
    rows = []
    for one in writes:
        item = one.item
        before = labels_in(item.annotations)
        rows.append(AnnotationRow(item.id, item.dataset_id, item.deleted_at is None, before, one.annotations, one.provenance))
        item.revision += 1
        for name, value in annotation_fields(annotations=one.annotations, provenance=one.provenance, at=at).items():
            setattr(item, name, value)
    annotation_rows_write(rows=rows, at=at, batch=batch)


def annotation_rows_write(*, rows: Sequence[AnnotationRow], at: datetime, batch: StatementBatch | None = None) -> None:
    """As ``annotations_write``, from the few columns that it takes. What several items share is turned into JSON once."""
    values: list[tuple[str, str | None, str, datetime | None, str]] = []
    index = _Index()
    living: list[tuple[str, str, str]] = []
    known: dict[int, tuple[str, set[str]]] = {}
    for item, dataset, is_living, before, new, provenance in rows:
        if new is None:
            values.append((item, None, ItemState.UNLABELLED.value, None, ""))
            after: set[str] = set()
        else:
            found = known.get(id(new))
            if found is None:
                found = known[id(new)] = Annotations.dump_json(new).decode(), set(labels_named([new]))
            text, after = found
            values.append((item, text, ItemState.ANNOTATED.value, at, provenance))
        if is_living:
            living.append((dataset, values[-1][2], values[-1][4]))
            index.change(dataset, item, before, after)
    sent = StatementBatch() if batch is None else batch
    with states_counted_once([row[0] for row in values], living):
        sent.update(Item, ("id",), _ANNOTATION_COLUMNS, values, also="revision = datasets_item.revision + 1")
    index.write(sent)
    if batch is None:
        sent.send()
    annotations_changed({one.dataset for one in rows})


@dataclass
class _Index:
    """What changes in the index of labels."""

    replaced: list[tuple[str, str, str]] = field(default_factory=list)
    """Item, label before, label after."""
    gone: list[tuple[str, str]] = field(default_factory=list)
    new: list[tuple[str, str, str]] = field(default_factory=list)

    def change(self, dataset: str, item: str, before: Collection[str], after: Collection[str]) -> None:
        """Notes an item's labels. A label in place of another, the commonest change, is one statement."""
        gone = [label for label in before if label not in after]
        new = [label for label in after if label not in before]
        self.replaced += [(item, *both) for both in zip(gone, new, strict=False)]
        self.gone += [(item, label) for label in gone[len(new) :]]
        self.new += [(dataset, item, label) for label in new[len(gone) :]]

    def write(self, batch: StatementBatch) -> None:
        batch.update(ItemLabel, ("item_id", "label"), ("label",), self.replaced)
        batch.delete(ItemLabel, ("item_id", "label"), self.gone)
        labels_insert(batch, self.new)


def labels_insert(batch: StatementBatch, rows: Sequence[tuple[str, str, str]]) -> None:
    """Adds to the index of labels: dataset, item, label."""
    with labels_counted_once(rows):
        batch.insert(ItemLabel, ("dataset_id", "item_id", "label"), rows)


def item_annotations(item: Item) -> ItemAnnotations:
    """The current annotations of an item."""
    return None if item.annotations is None else Annotations.validate_python(item.annotations)


def annotation_fields(*, annotations: ItemAnnotations, provenance: str, at: datetime) -> dict[str, Any]:
    """The columns of an item that hold its annotations."""
    if annotations is None:
        return {"annotations": None, "state": ItemState.UNLABELLED, "annotated_at": None, "provenance": ""}
    return {
        "annotations": Annotations.dump_python(annotations, mode="json"),
        "state": ItemState.ANNOTATED,
        "annotated_at": at,
        "provenance": provenance,
    }


def labels_in(annotations: Iterable[dict[str, Any]] | None) -> set[str]:
    """The labels named in an item's stored annotations."""
    return {one["label"] for one in annotations or () if "label" in one}


def labels_named(of_items: Iterable[ItemAnnotations]) -> list[str]:
    """The labels that annotations name, each once, in order of appearance."""
    names = (label_of(one) for annotations in of_items for one in annotations or ())
    return list(dict.fromkeys(name for name in names if name is not None))


def annotations_merge(*, now: ItemAnnotations, new: ItemAnnotations, can_add: bool) -> ItemAnnotations:
    """What an item carries after an import; None when the new labels are not taken.

    What a person or an earlier import annotated is never overwritten. With ``can_add``, labels of copies of a picture add up.
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
    batch = StatementBatch()
    labels_insert(batch, [(item.dataset_id, item.id, label) for item, label in pairs])
    batch.send()


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

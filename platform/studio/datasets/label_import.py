"""Labels for items that are there already, from label files without data."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from studio.datasets.annotation_scale import annotations_scaled
from studio.datasets.annotations import Said, Statement, annotations_write, chunks, item_said, labels_named, said_merge
from studio.datasets.formats import Complaint, Reading
from studio.datasets.label_files import Taker
from studio.datasets.label_set import labels_extend
from studio.datasets.models import Item, Upload

Complain = Callable[[Complaint], None]

PORTION = 5000
"""Rows a transaction: few enough to tell the progress, enough for writes of many rows at once."""
_COLUMNS = (
    "dataset",
    "name",
    "width",
    "height",
    "annotations",
    "provenance",
    "revision",
    "deleted_at",
    "state",
    "annotated_at",
)


def labels_import(*, upload: Upload, reading: Reading, complain: Complain) -> Iterator[tuple[int, int]]:
    """Writes what label files say onto the dataset's items; yields how many of how many are written.

    Splits are not touched: an item's split is written once.

    Args:
        upload: where the labels come from.
        reading: annotations by the items' names.
        complain: told of what cannot be used.
    """
    taker = Taker.of(upload.dataset.project)
    ids: dict[str, list[str]] = defaultdict(list)
    for item, name in Item.objects.filter(dataset=upload.dataset, deleted_at=None).values_list("id", "name").iterator():
        ids[name].append(item)
    wanted: dict[str, Said] = {}
    for name, found in reading.annotations.items():
        said, complaints = taker.allowed(found, name)
        for complaint in complaints:
            complain(complaint)
        if len(ids[name]) != 1:
            complain(Complaint(name, "label_file_ambiguous" if ids[name] else "label_file_missing"))
        elif said is not None:
            wanted[ids[name][0]] = said
    done = 0
    for chunk in chunks(wanted, PORTION):
        part = {item: wanted[item] for item in chunk}
        done += _write(upload, part, taker.takes_several, reading=reading, complain=complain)
        yield done, len(wanted)


def _write(upload: Upload, wanted: Mapping[str, Said], several: bool, *, reading: Reading, complain: Complain) -> int:
    source = f"import:{upload.id}"
    statements, num_taken = [], 0
    with transaction.atomic():
        labels_extend(project=upload.dataset.project, names=labels_named(wanted.values()), described=reading.labels)
        for item in _items(list(wanted)):
            now, new = item_said(item), wanted[item.id]
            if reading.is_relative and new is not None:
                new = annotations_scaled(new, width=item.width, height=item.height)
            said = said_merge(now=now, new=new, can_add=several and item.provenance in {"", source})
            if said is None:
                complain(Complaint(item.name, "label_kept"))
                continue
            num_taken += 1
            if said != now:
                statements.append(Statement(item, said, source))
        annotations_write(statements=statements, at=timezone.now())
    return num_taken


def _items(ids: list[str]) -> QuerySet[Item]:
    return Item.objects.select_for_update().only(*_COLUMNS).filter(id__in=ids).order_by("id")

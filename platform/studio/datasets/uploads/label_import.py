"""Labels for items that are there already, from label files without data."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from automl.contracts.annotation import Annotations
from studio.datasets.files.formats import Complaint, Reading
from studio.datasets.items.annotation_scale import annotations_scaled
from studio.datasets.items.annotations import (
    IS_LIVING,
    STORED,
    AnnotationRow,
    ItemAnnotations,
    annotation_rows_write,
    annotations_merge,
    chunks,
    labels_named,
)
from studio.datasets.items.label_set import labels_extend
from studio.datasets.models import Item, Upload
from studio.datasets.uploads.label_files import Taker

Complain = Callable[[Complaint], None]

PORTION = 5000
"""Rows a transaction: few enough to tell the progress, enough for writes of many rows at once."""


def labels_import(*, upload: Upload, reading: Reading, complain: Complain) -> Iterator[tuple[int, int]]:
    """Writes what label files say onto the dataset's items; yields how many of how many are written.

    Splits are not touched: an item's split is written once.

    Args:
        upload: where the labels come from.
        reading: annotations by the items' names.
        complain: told of what cannot be used.
    """
    taker = Taker.of(upload.dataset.project)
    ids: dict[str, str] = {}
    several: set[str] = set()
    rows = Item.objects.filter(dataset=upload.dataset, deleted_at=None).values_list("id", "name")
    for item, name in rows.iterator(chunk_size=PORTION):
        if ids.setdefault(name, item) != item:
            several.add(name)
    wanted: dict[str, ItemAnnotations] = {}
    allowed: dict[int, ItemAnnotations] = {}  # by what is said: readers give many items the same object
    for name, found in reading.annotations.items():
        if id(found) in allowed:
            said = allowed[id(found)]
        else:
            said, complaints = taker.allowed(found, name)
            if not complaints:
                allowed[id(found)] = said
            for complaint in complaints:
                complain(complaint)
        if name not in ids or name in several:
            complain(Complaint(name, "label_file_ambiguous" if name in several else "label_file_missing"))
        elif said is not None:
            wanted[ids[name]] = said
    done = 0
    for chunk in chunks(sorted(wanted), PORTION):
        part = {item: wanted[item] for item in chunk}
        done += _write(upload, part, taker.takes_several, reading=reading, complain=complain)
        yield done, len(wanted)


def _write(
    upload: Upload, wanted: Mapping[str, ItemAnnotations], several: bool, *, reading: Reading, complain: Complain
) -> int:
    dataset, source = upload.dataset_id, f"import:{upload.id}"
    annotation_rows, num_taken = [], 0
    names = labels_named({id(said): said for said in wanted.values()}.values())
    with transaction.atomic():
        labels_extend(project=upload.dataset.project, names=names, described=reading.labels)
        for item, name, width, height, stored, provenance, is_living in _items_locked(list(wanted)):
            now, said = None if stored is None else Annotations.validate_json(stored), wanted[item]
            if reading.is_relative and said is not None:
                said = annotations_scaled(said, width=width, height=height)
            if now is not None:
                said = annotations_merge(now=now, new=said, can_add=several and provenance in {"", source})
            if said is None:
                complain(Complaint(name, "label_kept"))
                continue
            num_taken += 1
            if said != now:
                before = () if now is None else labels_named([now])
                annotation_rows.append(AnnotationRow(item, dataset, is_living, before, said, source))
        annotation_rows_write(rows=annotation_rows, at=timezone.now())
    return num_taken


def _items_locked(ids: Sequence[str]) -> QuerySet[Item, tuple[str, str, int, int, str | None, str, bool]]:
    """Locks items: id, name, width, height, annotations as JSON text, provenance and whether it lives."""
    rows = Item.objects.select_for_update().filter(id__in=ids).order_by("id")
    return rows.values_list("id", "name", "width", "height", STORED, "provenance", IS_LIVING)

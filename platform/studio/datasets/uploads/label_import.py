"""Labels for items that are there already, from label files without data."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import cast

from django.db import connection, transaction
from django.utils import timezone

from automl.contracts.annotation import Annotations
from studio.common.sql import dialect
from studio.datasets.files.formats import LabelFileProblem, ParsedLabels
from studio.datasets.items.annotation_scale import annotations_scaled
from studio.datasets.items.annotations import (
    AnnotationRow,
    ItemAnnotations,
    annotation_rows_write,
    annotations_merge,
    chunks,
    labels_named,
)
from studio.datasets.items.label_set import labels_extend
from studio.datasets.models import Item, Upload
from studio.datasets.uploads.label_files import LabelFilter

Complain = Callable[[LabelFileProblem], None]

PORTION = 5000
"""Rows a transaction: few enough to report the progress, enough for writes of many rows at once."""


def labels_import(*, upload: Upload, reading: ParsedLabels, complain: Complain) -> Iterator[tuple[int, int]]:
    """Writes the annotations of label files to the dataset's items; yields how many of how many are written.

    Splits are not touched: an item's split is written once.

    Args:
        upload: where the labels come from.
        reading: annotations by the items' names.
        complain: called for what cannot be used.
    """
    taker = LabelFilter.of(upload.dataset.project)
    ids: dict[str, str] = {}
    several: set[str] = set()
    rows = Item.objects.filter(dataset=upload.dataset, deleted_at=None).values_list("id", "name")
    for item, name in rows.iterator(chunk_size=PORTION):
        if ids.setdefault(name, item) != item:
            several.add(name)
    by_item: dict[str, ItemAnnotations] = {}
    allowed: dict[int, ItemAnnotations] = {}  # by identity: readers give many items the same object
    for name, found in reading.annotations.items():
        if id(found) in allowed:
            annotations = allowed[id(found)]
        else:
            annotations, complaints = taker.allowed(found, name)
            if not complaints:
                allowed[id(found)] = annotations
            for complaint in complaints:
                complain(complaint)
        if name not in ids or name in several:
            complain(LabelFileProblem(name, "label_file_ambiguous" if name in several else "label_file_missing"))
        elif annotations is not None:
            by_item[ids[name]] = annotations
    done = 0
    for chunk in chunks(sorted(by_item), PORTION):
        part = {item: by_item[item] for item in chunk}
        done += _write(upload, part, taker.takes_several, reading=reading, complain=complain)
        yield done, len(by_item)


def _write(
    upload: Upload, by_item: Mapping[str, ItemAnnotations], several: bool, *, reading: ParsedLabels, complain: Complain
) -> int:
    dataset, source = upload.dataset_id, f"import:{upload.id}"
    annotation_rows, num_labelled = [], 0
    names = labels_named({id(annotations): annotations for annotations in by_item.values()}.values())
    with transaction.atomic():
        labels_extend(project=upload.dataset.project, names=names, described=reading.labels)
        for item, name, width, height, stored, provenance, is_living in _items_locked(list(by_item)):
            now, annotations = None if stored is None else Annotations.validate_json(stored), by_item[item]
            if reading.is_relative and annotations is not None:
                annotations = annotations_scaled(annotations, width=width, height=height)
            if now is not None:
                annotations = annotations_merge(now=now, new=annotations, can_add=several and provenance in {"", source})
            if annotations is None:
                complain(LabelFileProblem(name, "label_kept"))
                continue
            num_labelled += 1
            if annotations != now:
                before = () if now is None else labels_named([now])
                annotation_rows.append(AnnotationRow(item, dataset, is_living, before, annotations, source))
        annotation_rows_write(rows=annotation_rows, at=timezone.now())
    return num_labelled


def _items_locked(ids: Sequence[str]) -> list[tuple[str, str, int, int, str | None, str, bool]]:
    """Locks items: id, name, width, height, annotations as JSON text, provenance and whether it lives, by id.

    The ORM takes a placeholder an id, which costs more than reading the row.
    """
    is_chosen, chosen = dialect().is_any_of(ids)
    sql = (
        "SELECT id, name, width, height, CAST(annotations AS text), provenance, deleted_at IS NULL FROM datasets_item "  # noqa: S608
        f"WHERE id {is_chosen} ORDER BY id{dialect().for_update}"
    )
    with connection.cursor() as cursor:
        cursor.execute(sql, [chosen])
        return cast("list[tuple[str, str, int, int, str | None, str, bool]]", cursor.fetchall())

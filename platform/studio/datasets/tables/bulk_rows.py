"""Rows of tables into the table of items, thousands a statement; see ``StatementBatch``."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from django.db import connection

from studio.common.sql import dialect
from studio.common.sql.batch import StatementBatch
from studio.datasets.files.rows import FORMAT
from studio.datasets.items.annotations import labels_index, labels_insert
from studio.datasets.items.counts_bulk import items_counted_once
from studio.datasets.models import Item, ItemState


class StoredRow(NamedTuple):
    """A row that is an item already."""

    blob: str
    item: str
    name: str
    upload: str | None
    annotations: str | None
    """As JSON."""
    is_living: bool


class NewRow(NamedTuple):
    """A row that becomes an item."""

    item: str
    dataset: str
    upload: str
    name: str
    blob: str
    text: str
    size_bytes: int
    split: str
    split_by: str | None
    annotations: str | None
    """As JSON; None: unlabelled."""
    labels: tuple[str, ...]
    provenance: str
    at: datetime


_COLUMNS = (
    *(
        "id",
        "created_at",
        "dataset_id",
        "upload_id",
        "name",
        "blob",
        "width",
        "height",
        "format",
        "size_bytes",
        "text",
        "group",
    ),
    *("split", "split_by", "state", "annotations", "revision", "annotated_at", "provenance", "metadata", "quarantine"),
)


def rows_stored(dataset: str, blobs: Sequence[str]) -> dict[str, StoredRow]:
    """Those of the rows that are items, living or not, by their hash."""
    is_chosen, chosen = dialect().is_any_of(blobs)
    sql = (
        "SELECT blob, id, name, upload_id, CAST(annotations AS text), deleted_at IS NULL FROM datasets_item "  # noqa: S608
        f"WHERE dataset_id = %s AND blob {is_chosen}"
    )
    with connection.cursor() as cursor:
        cursor.execute(sql, [dataset, chosen])
        return {row[0]: StoredRow(*row) for row in cursor.fetchall()}


def rows_restore(items: Sequence[str]) -> None:
    """Brings deleted rows back with their annotations."""
    if items:
        Item.objects.filter(id__in=list(items)).update(deleted_at=None, quarantine="")
        labels_index(items=Item.objects.filter(id__in=list(items)))


def rows_insert(rows: Sequence[NewRow]) -> set[str]:
    """Makes items with their labels; returns the hashes of those that were made: another upload may have been faster."""
    if not rows:
        return set()
    batch = StatementBatch()
    counted = [(row.dataset, _state(row), row.split, row.provenance, row.size_bytes) for row in rows]
    with items_counted_once(counted):
        batch.insert(Item, _COLUMNS, [_values(row) for row in rows], conflict="ON CONFLICT (dataset_id, blob) DO NOTHING")
        batch.send()
    made = _made(rows)
    labels_insert(batch, [(row.dataset, row.item, label) for row in rows if row.blob in made for label in row.labels])
    batch.send()
    return made


def _made(rows: Sequence[NewRow]) -> set[str]:
    """Hashes of those that were made."""
    if dialect().has_one_writer:  # what was new in this transaction still was when it was written
        return {row.blob for row in rows}
    is_chosen, chosen = dialect().is_any_of([row.item for row in rows])
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT blob FROM datasets_item WHERE id {is_chosen}", [chosen])  # noqa: S608 - the dialect's words
        return {blob for (blob,) in cursor.fetchall()}


def _state(row: NewRow) -> str:
    return (ItemState.UNLABELLED if row.annotations is None else ItemState.ANNOTATED).value


def _values(row: NewRow) -> tuple[object, ...]:
    is_labelled = row.annotations is not None
    return (
        *(row.item, row.at, row.dataset, row.upload, row.name, row.blob, 0, 0, FORMAT, row.size_bytes, row.text, row.blob),
        *(row.split, row.split_by, _state(row), row.annotations, int(is_labelled), row.at if is_labelled else None),
        *(row.provenance, "{}", ""),
    )

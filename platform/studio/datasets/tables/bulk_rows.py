"""Rows of tables into the table of items, thousands a statement; see ``bulk_sql``."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from django.db import connection

from studio.common.writes import Writes
from studio.datasets.files.rows import FORMAT
from studio.datasets.items import bulk_sql
from studio.datasets.items.annotations import labels_index
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
    "id, created_at, dataset_id, upload_id, name, blob, width, height, format, size_bytes, text, "
    '"group", split, split_by, deleted_at, state, annotations, revision, annotated_at, provenance, metadata, quarantine'
)


def rows_stored(dataset: str, blobs: Sequence[str]) -> dict[str, StoredRow]:
    """Those of the rows that are items, living or not, by their hash."""
    is_postgres = connection.vendor == "postgresql"
    chosen = "SELECT unnest(string_to_array(%s, ','))" if is_postgres else "SELECT value FROM json_each(%s)"
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT blob, id, name, upload_id, annotations, deleted_at IS NULL FROM datasets_item "  # noqa: S608
            f"WHERE dataset_id = %s AND blob IN ({chosen})",
            [dataset, ",".join(blobs) if is_postgres else json.dumps(list(blobs))],
        )
        return {row[0]: StoredRow(*row) for row in cursor.fetchall()}


def rows_restore(items: Sequence[str]) -> None:
    """Brings deleted rows back with what was said of them."""
    if items:
        Item.objects.filter(id__in=list(items)).update(deleted_at=None, quarantine="")
        labels_index(items=Item.objects.filter(id__in=list(items)))


def rows_insert(rows: Sequence[NewRow]) -> set[str]:
    """Makes items with their labels; returns the hashes of those that were made: another upload may have been faster."""
    if not rows:
        return set()
    made = _postgres(rows) if connection.vendor == "postgresql" else _sqlite(rows)
    labels = [(row.dataset, row.item, label) for row in rows if row.blob in made for label in row.labels]
    writes = Writes()
    bulk_sql.labels_insert(writes, labels)
    writes.send()
    return made


def _state(row: NewRow) -> str:
    return (ItemState.UNLABELLED if row.annotations is None else ItemState.ANNOTATED).value


def _postgres(rows: Sequence[NewRow]) -> set[str]:
    names = ("item", "dataset", "upload", "name", "blob", "text", "size", "split", "split_by", "said", "state", "by", "at")
    kinds = ("text",) * 6 + ("bigint",) + ("text",) * 5 + ("timestamptz",)
    values = [(*row[:10], _state(row), row.provenance, row.at) for row in rows]
    found = bulk_sql.by_columns(
        f"INSERT INTO datasets_item ({_COLUMNS}) "  # noqa: S608 - constants
        "SELECT v.item, v.at, v.dataset, v.upload, v.name, v.blob, 0, 0, "
        f"'{FORMAT}', v.size, v.text, v.blob, v.split, v.split_by, NULL, v.state, v.said::jsonb, "
        "CASE WHEN v.said IS NULL THEN 0 ELSE 1 END, CASE WHEN v.said IS NULL THEN NULL ELSE v.at END, v.by, '{{}}'::jsonb, '' "
        f"FROM {{}} AS v({', '.join(names)}) ON CONFLICT (dataset_id, blob) DO NOTHING RETURNING blob",
        values,
        types=kinds,
    )
    return {blob for (blob,) in found}


def _sqlite(rows: Sequence[NewRow]) -> set[str]:
    """Nobody else can write meanwhile: all of them are new."""
    times = {at: connection.ops.adapt_datetimefield_value(at) for at in {row.at for row in rows}}
    marks = ", ".join(["%s"] * 22)
    values = [
        (
            row.item,
            times[row.at],
            row.dataset,
            row.upload,
            row.name,
            row.blob,
            0,
            0,
            FORMAT,
            row.size_bytes,
            row.text,
            row.blob,
            row.split,
            row.split_by,
            None,
            _state(row),
            row.annotations,
            0 if row.annotations is None else 1,
            None if row.annotations is None else times[row.at],
            row.provenance,
            "{}",
            "",
        )
        for row in rows
    ]
    counted = [(row.dataset, _state(row), row.split, row.provenance, row.size_bytes) for row in rows]
    with items_counted_once(counted), connection.cursor() as cursor:
        cursor.executemany(f"INSERT INTO datasets_item ({_COLUMNS}) VALUES ({marks})", values)  # noqa: S608 - constants
    return {row.blob for row in rows}
